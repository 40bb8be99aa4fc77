"""What any screen may use: lists of any length, inputs that keep every character, the line of keys."""
