"""The rooms' screens, one a file. They must not reach the store but through the engine they are given."""
