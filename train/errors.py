"""What ends a command with one clear line instead of a traceback."""

from onirim_env.errors import UserError

__all__ = ["UserError"]
