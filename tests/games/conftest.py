"""How the property tests of the games run."""

from hypothesis import settings

# A loaded machine takes its time over an example; that is no fault of the rules.
settings.register_profile("games", deadline=None)
settings.load_profile("games")
