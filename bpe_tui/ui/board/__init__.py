"""TODO board."""
