"""The one place that writes games and moves: append, truncate, read, with compare-and-set on the revision."""
