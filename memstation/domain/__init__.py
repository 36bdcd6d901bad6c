"""What a memory, a timeline, a decision and an origin are. Standard library only; no input or output."""
