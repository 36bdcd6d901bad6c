"""The only door from stored text to a screen. Importing it must import nothing else: `safe` serves the CLI too."""
