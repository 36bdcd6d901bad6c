"""The parts of `verifying`, each a concern of its own. None writes."""
