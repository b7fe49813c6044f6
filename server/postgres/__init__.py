"""The PostgreSQL that comes with the package, whose it is, where it listens, how it is kept running."""
