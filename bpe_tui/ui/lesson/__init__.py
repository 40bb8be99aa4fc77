"""TODO lesson."""
