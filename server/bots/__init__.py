"""Players for Hearts."""
