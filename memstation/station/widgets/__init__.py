"""The parts a screen is made of, one a file. They must not ask the store anything; a list asks its source only."""
