"""Queries for people and agents, answered with frozen row types and paged by key. It never writes."""
