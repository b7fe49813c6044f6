"""Users, their device sessions and link codes."""
