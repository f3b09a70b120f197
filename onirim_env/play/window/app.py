"""The window itself: opens, waits for events, and lets partner and adviser think beside it."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pygame

from onirim_env.play.leaving import kept
from onirim_env.play.sitting import Sitting
from onirim_env.play.window.desk import Desk, Job
from onirim_env.play.window.drawing import Painter
from onirim_env.play.window.keyboard import press_key
from onirim_env.play.window.mouse import Mouse
from onirim_env.render.window import CAPTION

SIZE = (1080, 720)
"""Size of the window when it opens, in pixels."""
WAIT = 200
"""Milliseconds after which the program looks whether Ctrl-C was pressed in the terminal."""
UNSEEN_DRIVERS = ("offscreen", "dummy")
"""What SDL falls back to where there is no display."""


class NoDisplay(ValueError):
    """There is no display to open a window on."""


def check_display() -> None:
    """Raise NoDisplay where no window would be seen, unless SDL_VIDEODRIVER asks for one like that."""
    asked = bool(os.environ.get("SDL_VIDEODRIVER"))
    shown = asked or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    problem = ""
    if sys.platform.startswith("linux") and not shown:
        problem = "neither DISPLAY nor WAYLAND_DISPLAY is set"
    else:
        try:
            pygame.display.init()
        except pygame.error as error:
            problem = str(error)
        else:
            if pygame.display.get_driver() in UNSEEN_DRIVERS and not asked:
                pygame.display.quit()
                problem = "SDL has found none"
    if problem:
        raise NoDisplay(f"there is no display for --window ({problem}); without it you play in the terminal")


class App:
    """A sitting in a window.

    Parameters
    ----------
    sitting
        The game, its people and programs.
    size
        Size of the window in pixels; it can be changed while it is open.
    write
        Writes a text and a line end to the terminal.
    """

    def __init__(
        self,
        sitting: Sitting,
        size: tuple[int, int] = SIZE,
        write: Callable[[str], None] = print,
    ) -> None:
        self._write = write
        self._jobs: queue.SimpleQueue[tuple[int, str, Job] | None] = queue.SimpleQueue()
        self._done = pygame.event.custom_type()
        pygame.display.init()
        pygame.display.set_caption(CAPTION)
        self.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        threading.Thread(target=self._work, daemon=True).start()
        self.desk = Desk(sitting, self._start)
        self.mouse = Mouse()
        self._show()

    def run(self) -> None:
        """Play until the people leave; the game is kept, and the terminal tells how to go on.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C in the terminal, when the game has been saved.
        """
        try:
            with kept(lambda: self.desk.sitting.keeping, self._write):
                while not self.desk.left:
                    self.turn()
        finally:
            self.close()

    def close(self) -> None:
        """Close the window, and end what goes on beside it once the job under way is done."""
        self._jobs.put(None)
        pygame.display.quit()

    def turn(self, wait: int = WAIT) -> None:
        """Wait for events, at most so many milliseconds, carry them out, and show what has changed."""
        event = pygame.event.wait(wait)
        events = [event, *pygame.event.get()]
        changed = [self._handle(event) for event in events if event.type != pygame.NOEVENT]
        if any(changed) and not self.desk.left:
            self._show()

    def _show(self) -> None:
        self.draw()
        pygame.display.flip()

    def draw(self) -> None:
        """Draw the desk on the window's surface."""
        self.scene = self.painter.scene(self.desk)
        self.mouse.look(self.desk, self.scene)
        self.painter.draw(self.desk, self.scene, self.mouse)

    @property
    def painter(self) -> Painter:
        """What draws on the window as large as it is now."""
        surface = pygame.display.get_surface()
        assert surface is not None
        self.surface = surface
        return Painter(surface)

    def _handle(self, event: pygame.event.Event) -> bool:
        """Carry out an event; return whether anything may look different now."""
        desk, mouse = self.desk, self.mouse
        if event.type == pygame.QUIT:
            desk.left = True
        elif event.type == self._done:
            if isinstance(event.result, BaseException):
                raise event.result
            desk.finish(event.number, event.name, event.result)
        elif event.type == pygame.KEYDOWN:
            shift = bool(event.mod & pygame.KMOD_SHIFT)
            mouse.let_fall()
            press_key(desk, pygame.key.name(event.key), event.unicode, shift)
        elif event.type == pygame.MOUSEMOTION:
            return self._point(event)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3):
            self._point(event)
            shift = bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
            mouse.press(desk, self.scene, event.button, shift)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._point(event)
            mouse.release(desk, self.scene)
        elif event.type == pygame.MOUSEWHEEL:
            mouse.wheel(desk, self.scene, event.y)
        elif event.type not in (pygame.VIDEORESIZE, pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
            return False
        self.scene = self.painter.scene(desk)  # what follows in the same moment meets the game as it is now
        return True

    def _point(self, event: pygame.event.Event) -> bool:
        scale = self.painter.scale
        x, y = event.pos
        return self.mouse.point(self.desk, self.scene, int(x / scale), int(y / scale))

    def _start(self, number: int, name: str, job: Job) -> None:
        self._jobs.put((number, name, job))

    def _work(self) -> None:
        """Do the jobs one after the other; their results come back as events."""
        result: Any
        while (task := self._jobs.get()) is not None:
            number, name, job = task
            try:
                result = job()
            except BaseException as error:  # a program that ends itself must not end the waiting for it
                result = error
            with suppress(pygame.error):  # the window is closed
                pygame.event.post(pygame.event.Event(self._done, number=number, name=name, result=result))
