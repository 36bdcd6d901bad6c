"""Settings, paths, themes and the keymap: loading and checking. It must not import textual, nor fail on a bad file."""
