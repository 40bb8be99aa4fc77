"""TODO session."""
