"""What holds for every game of the package."""
