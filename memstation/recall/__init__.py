"""Recall: search, ranking, the graph, embeddings, and why a hit is one. It never writes."""
