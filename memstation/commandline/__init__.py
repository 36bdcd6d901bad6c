"""The command line: every verb of the station without the station. It shows stored text through the safe door only."""
