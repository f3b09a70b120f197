"""What ends a command with one clear line instead of a traceback."""


class UserError(Exception):
    """A mistake in a configuration, an argument or a file; the message is the one line to show."""
