"""One verb a module: each makes a decision and gives it to the ledger. No SQL here."""
