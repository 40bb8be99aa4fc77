"""Side by side with other tools: what training and encoding cost. `python -m benchmarks` measures and prints it all."""
