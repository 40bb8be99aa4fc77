"""TODO teaching."""
