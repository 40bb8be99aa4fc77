"""What screens look at (a training, or a tokenizer without a corpus), and how it is opened, saved and exported."""
