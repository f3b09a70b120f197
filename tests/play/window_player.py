"""A person at the window: real events, posted where the cards, choices and buttons are."""

import time
from typing import ClassVar

import pygame

from onirim_env.play.session import Session
from onirim_env.play.sitting import Sitting
from onirim_env.play.window.app import App

LEFT, RIGHT = 1, 3


class Person:
    """Plays with the mouse and with keys, and looks only at what the window shows."""

    opened: ClassVar[list[App]] = []

    def __init__(self, game, size=(800, 600), helpers=None, humans=None, names=None, loaded=None):
        self.written = []
        session = game if isinstance(game, Session) else Session(game, humans, names)
        sitting = Sitting(session, ["play", "--window"], helpers, loaded=loaded)
        pygame.display.init()
        pygame.event.clear()
        self.app = App(sitting, size, write=self.written.append)
        self.opened.append(self.app)

    @classmethod
    def close_all(cls):
        while cls.opened:
            cls.opened.pop().close()

    @property
    def desk(self):
        return self.app.desk

    @property
    def session(self):
        return self.app.desk.session

    @property
    def game(self):
        return self.session.game

    @property
    def scene(self):
        return self.app.scene

    def post(self, kind, **values):
        pygame.event.post(pygame.event.Event(kind, **values))
        self.app.turn(1)

    def key(self, key, text="", mod=0):
        self.post(pygame.KEYDOWN, key=key, unicode=text, mod=mod)

    def type(self, text):
        for one in text:
            self.key(pygame.key.key_code(one), one)

    def pixel(self, rect):
        scale = self.app.painter.scale
        return int((rect.x + rect.width / 2) * scale), int((rect.y + rect.height / 2) * scale)

    def point(self, rect):
        self.post(pygame.MOUSEMOTION, pos=self.pixel(rect), rel=(0, 0), buttons=(0, 0, 0))

    def click(self, rect, button=LEFT):
        self.post(pygame.MOUSEBUTTONDOWN, pos=self.pixel(rect), button=button)
        self.post(pygame.MOUSEBUTTONUP, pos=self.pixel(rect), button=button)

    def drag(self, start, end):
        self.post(pygame.MOUSEBUTTONDOWN, pos=self.pixel(start), button=LEFT)
        self.post(pygame.MOUSEMOTION, pos=self.pixel(end), rel=(0, 0), buttons=(1, 0, 0))
        self.post(pygame.MOUSEBUTTONUP, pos=self.pixel(end), button=LEFT)

    def button(self, name, action=None):
        buttons = [*self.scene.menu, *self.scene.buttons]
        return next(one.rect for one in buttons if one.name == name and action in (None, one.action))

    def card(self, zone, name):
        viewer = self.desk.where.viewer
        return next(
            place
            for place in self.scene.cards
            if place.zone == zone and place.name == name and place.player in (None, viewer)
        )

    def wait_for_programs(self, seconds=30):
        end = time.monotonic() + seconds
        while self.desk.thinking is not None:
            assert time.monotonic() < end
            self.app.turn(100)

    def choose_by_mouse(self, text):
        """Take an action with clicks: on the card where it has one, else on the numbered choice."""
        verb, *rest = text.split()
        zone = "shared" if "shared" in rest else "hand"
        card = " ".join(rest[-2:])
        if verb in ("play", "discard"):
            self.click(self.card(zone, card).rect)
            if self.scene.menu:
                self.click(self.button("take", text))
        elif verb in ("take", "swap"):
            self.click(self.card({"out": "hand"}.get(rest[0], "shared"), card).rect)
        elif text == "open door":
            key = self.card("drawn", self.game.position()["drawn"]).name.replace("door", "key")
            self.click(self.card("hand", key).rect)
        elif text == "nightmare reveal five":
            self.click(self.card("deck", None).rect)
        elif verb == "nightmare" and rest[-1] in ("key", "door"):
            zone = "doors" if rest[-1] == "door" else zone
            places = [one for one in self.scene.cards if one.zone == zone and one.name == card and one.number]
            self.click(next(one for one in places if one.player in (None, self.game.player)).rect)
        else:
            self.choose_in_list(text)

    def choose_in_list(self, text):
        action = self.game.table.id(text)
        index = [choice.action for choice in self.desk.question.choices].index(action)
        self.click(next(place for place in self.scene.choices if place.choice == index).rect)

    def order_by_drag(self, thrown, order):
        """Drag the cards of a Prophecy where they are wanted, and confirm."""
        if thrown is not None:
            index = self.desk.ordering.row.index(thrown)
            self.drag(self.scene.revealed[index].rect, self.scene.thrown)
        for place, card in enumerate(order):
            row = self.desk.ordering.row
            index = row.index(card, place)
            if index != place:
                target = self.scene.revealed[place].rect
                self.drag(self.scene.revealed[index].rect, target._replace(x=target.x - 20))
        assert self.desk.ordering.row == list(order)
        self.click(self.button("confirm_order"))
