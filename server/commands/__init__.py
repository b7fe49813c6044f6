"""What `heartline` can be told to do at the command line, one module for each matter."""
