"""The Textual station. Importing this room must import nothing else."""
