"""The one SQLite file: schema, transactions, ledger, journal, text index. Only this room changes rows."""
