"""Dialogs, one a file. They must not write to the store: they return what was answered."""
