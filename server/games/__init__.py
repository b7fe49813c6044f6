"""Pure rules of the games, and the registry that knows them by name."""
