"""The window of ``render_mode="human"``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onirim_env.render import require_pygame
from onirim_env.render.places import HEIGHT, WIDTH

if TYPE_CHECKING:
    from onirim_env.game import Game

CAPTION = "Onirim"


class Window:
    """A window that shows one game after the other; it opens with the first.

    pygame has one window in a process, so two of these show their frames in the same one.

    Parameters
    ----------
    fps
        Frames a second: :meth:`show` waits as long as it takes.
    """

    def __init__(self, fps: int) -> None:
        self._fps = fps
        self._clock: Any = None

    def show(self, game: Game, last_action: str | None = None) -> None:
        """Show a game as the player to move sees it, and let the system handle the window's events.

        Raises
        ------
        pygame.error
            Where there is no display; with the environment variable ``SDL_VIDEODRIVER=dummy`` none
            is needed.
        """
        require_pygame()
        import pygame

        from onirim_env.render.image import render_image

        if self._clock is None:
            self._clock = pygame.time.Clock()
        screen = pygame.display.get_surface() if pygame.display.get_init() else None
        if screen is None or screen.get_size() != (WIDTH, HEIGHT):
            pygame.display.init()
            pygame.display.set_caption(CAPTION)
            screen = pygame.display.set_mode((WIDTH, HEIGHT))
        image = render_image(game, last_action=last_action)
        screen.blit(pygame.image.frombuffer(image.data, (WIDTH, HEIGHT), "RGB"), (0, 0))
        pygame.event.pump()
        pygame.display.update()
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._clock is None:
            return
        import pygame

        self._clock = None
        pygame.display.quit()

    def __reduce__(self) -> tuple[type[Window], tuple[int]]:
        # A copy has no window until it shows something.
        return Window, (self._fps,)
