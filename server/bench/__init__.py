"""What `heartline bench` measures, each figure on the machine that it names."""
