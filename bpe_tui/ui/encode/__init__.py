"""TODO encode."""
