"""What agents of Odin run compiled."""
