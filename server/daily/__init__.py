"""The deal of the day, its results, leaderboards and streaks."""
