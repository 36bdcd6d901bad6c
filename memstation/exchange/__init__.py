"""Export and restore: statements into files and back. It changes a store only through the ledger."""
