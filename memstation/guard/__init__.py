"""The write gate: what a memory must look like, and what may be believed of its source."""
