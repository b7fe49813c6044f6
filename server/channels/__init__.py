"""Who watches what, and the fan-out of pushes to them."""
