"""TODO huggingface."""
