"""Commands as the pages give them: whether they can be, and the cheap ones run."""

import argparse
import io
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from unittest import mock

from tests.docs.pages import ROOT, words_of

OURS = ("onirim_env", "agents", "train")
PLACEHOLDER = re.compile(r"[A-Z]+|my_\w+")
"""What a reader puts something else for: RUN, NAME, FILE, my_agent."""
SLOW_AGENTS = re.compile(r"(search|guided)\b")
MOST_GAMES = 1000
"""With how many games an evaluation of an agent that does not search still runs."""
MAKE_TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
MAKE_SETTING = re.compile(r"^([A-Z]+) \?=", re.MULTILINE)


class Parsed(Exception):
    """The arguments of a program, read; thrown in place of what comes after."""


def check(command):
    """Fail unless the program of a command would take it."""
    program, *rest = words_of(command)
    CHECKS[program](rest)


def check_python(rest):
    if rest[0] != "-m":
        assert (ROOT / rest[0]).is_file(), f"no file {rest[0]}"
        return
    module, *arguments = rest[1:]
    if module == "pytest":
        for argument in arguments:
            assert "/" not in argument or (ROOT / argument).exists(), f"no {argument}"
    elif module != "timeit":
        assert find_spec(module) is not None, f"no module {module}"
        if module.split(".")[0] in OURS and arguments:
            parsed = read_arguments(module, arguments)
            if parsed is not None:
                check_names(module, parsed)


def main_of(module):
    package = find_spec(module).submodule_search_locations is not None
    return import_module(f"{module}.__main__" if package else module).main


def read_arguments(module, arguments):
    """Return the arguments of a command of this repository as its own parser reads them; None for --help."""

    def stop_after(parse):
        def run(*given, **options):
            raise Parsed(parse(*given, **options))

        return run

    parser = argparse.ArgumentParser
    methods = {name: stop_after(getattr(parser, name)) for name in ("parse_args", "parse_intermixed_args")}
    with mock.patch.multiple(parser, **methods):
        try:
            main_of(module)(arguments)
        except Parsed as parsed:
            return parsed.args[0]
        except SystemExit as end:  # --help ends so, too
            assert not end.code, f"{module} refuses {arguments}"
            return None
    raise AssertionError(f"{module} does not read its arguments first")


def check_names(module, parsed):
    """Fail for a configuration, a setting or an agent that there is not."""
    if module == "train":
        from train.config_reading import make_config, read_overrides, read_yaml

        overrides = read_overrides([text for text in parsed.arguments if "=" in text])
        for file in parsed.arguments:
            if "=" not in file and not PLACEHOLDER.fullmatch(file):
                make_config(read_yaml(ROOT / file), overrides)
    elif module == "train.sweep":
        from train import sweep

        files = [text for text in parsed.arguments if "=" not in text]
        assert len(files) == 1
        sweep._plan(parsed, ROOT / files[0])
    elif module == "agents":
        from agents.registry import resolve_names

        names = [
            *getattr(parsed, "names", []),
            *(getattr(parsed, one, None) for one in ("name", "partner", "hint")),
        ]
        names = [name for name in names if name is not None and not PLACEHOLDER.match(name)]
        if getattr(parsed, "game", "onirim") == "odin":
            from agents.odin.registry import load_odin_agent

            for name in names:
                load_odin_agent(name)
        elif names:
            resolve_names(names, getattr(parsed, "settings", []))


def check_make(rest):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for word in rest:
        name, equals, _ = word.partition("=")
        allowed = (MAKE_SETTING if equals else MAKE_TARGET).findall(makefile)
        assert name in allowed, f"make knows no {name}"


def check_pip(rest):
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.search(r"optional-dependencies\]\n(.*?)\n\[tool", project, re.DOTALL)[1]
    assert rest[0] == "install"
    for word in rest[1:]:
        package, bracket, extra = word.partition("[")
        if package == "." and bracket:
            assert re.search(rf"^{extra.rstrip(']')} = \[", extras, re.MULTILINE), f"no extra {extra}"


def check_cp(rest):
    assert (ROOT / rest[0]).is_file(), f"no file {rest[0]}"


CHECKS = {"python": check_python, "make": check_make, "pip": check_pip, "cp": check_cp}


def is_cheap(command):
    """Whether a command runs in a second or two, and leaves nothing outside the folder it runs in."""
    program, *rest = words_of(command)
    if program != "python" or rest[0] != "-m" or any(map(PLACEHOLDER.fullmatch, rest)):
        return False
    module, *arguments = rest[1:]
    if module == "timeit" or "--help" in arguments:
        return True
    if module == "onirim_env":
        return arguments[:1] in (["rules"], ["warmup"], ["replay"], ["play"]) and "--window" not in arguments
    if module != "agents" or any(map(SLOW_AGENTS.match, arguments)) or "--window" in arguments:
        return False
    if not arguments or arguments[0] in ("list", "watch", "play", "stats"):
        return True
    games = re.search(r"--games (\d+)", command)
    return arguments[0] == "evaluate" and games is not None and int(games[1]) <= MOST_GAMES


def run(command, typed=""):
    """Run a cheap command in this process, in the current folder; fail unless it ends well."""
    module, *arguments = words_of(command)[2:]
    with mock.patch("sys.stdin", io.StringIO(typed)), mock.patch("sys.path", list(sys.path)):
        try:
            status = main_of(module)(arguments)
        except SystemExit as end:
            status = end.code
    assert not status, f"{command} ends with {status}"
