"""What the site takes from the repository when it is built, and what a built page may not do.

Pages hold lines such as ``<!-- table: actions players=2 -->``: the table of that name, made from the
code's own tables, takes their place. Some files outside ``docs`` are pages, too. Links between files, as
they work in a clone, become links between pages.
"""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from onirim_env.actions import EXPANSION_VERBS, FIRST_EXPANSION_CODE, STRIDE, VERBS, ActionTable
from onirim_env.expansions import EXPANSION_TABLES
from onirim_env.observation import MORE_FIELDS, observation_layout
from onirim_env.option_text import read_options
from onirim_env.rules import EXPANSION_RULES, EXPANSIONS, OPTIONS, Option, RuleSet, options_of

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
DOCS = "docs"
ROOT_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "agents/LEADERBOARD.md": "leaderboard.md",
}
"""Files outside ``docs`` by the page that has their content; the README's is a page of its own."""

Row = tuple[str, ...]

MARKER = re.compile(r"^<!-- table: (\w+)(.*?) -->$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")
RULE = re.compile(r"\b([A-Z]{1,2}-\d+|O-D\d+)\b")
NUMBER = re.compile(r"^(?:- |\| )\*\*([A-Z]{1,2}-\d+|O-D\d+)\*\*", re.MULTILINE)
"""Where the page of the rules has the number of a rule, before the rule itself."""
RULES_PAGE = "rules.md"
OPTIONS_PAGE = "rule_options.md"
EXPANSIONS_PAGE = "expansions.md"
PAGE_OF = {"O": OPTIONS_PAGE, **dict.fromkeys(("B", "G", "D", "TW", "HP", "X", "OD"), EXPANSIONS_PAGE)}
"""Pages of the numbers of rules by their letters; all others are on the page of the rules."""

FOREIGN = re.compile(
    r"<(?:script|link|img|iframe|source|video)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\"'\s>]+)"
    r"|(?:url\(|@import\s*)[\"']?((?:https?:)?//[^\"')]+)"
)
"""What makes a browser ask another host."""

EXPANSION_OPTIONS = {option.rule for option in options_of(EXPANSIONS)}
"""Numbers of options whose table is on the page of expansions."""

log = logging.getLogger("mkdocs.hooks")


def table(head: Row, rows: Iterable[Row]) -> str:
    """Return a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)


def _plain(text: str) -> str:
    """Return a text in which nothing means anything to Markdown or its extensions."""
    return "".join(f"&#{ord(one)};" if one in "{}<>*_[]`" else one for one in text)


def _range(start: int, stop: int) -> str:
    return str(start) if stop == start + 1 else f"{start}-{stop - 1}"


def _code(texts: Sequence[str], most: int) -> str:
    """Return a few texts, or the first and the last of many, as code."""
    few = len(texts) <= most
    return (", " if few else " ... ").join(f"`{text}`" for text in (texts if few else (texts[0], texts[-1])))


def _added(rows_of: Callable[[RuleSet], list[Row]], rules: RuleSet) -> list[Row]:
    """Return the rows of the default rules, or those that other rules add to them."""
    rows, default = rows_of(rules), rows_of(RuleSet())
    return rows if rows == default else [row for row in rows if row not in default]


def actions_table(rules: RuleSet) -> str:
    """Return the actions of a rule set (if not the default one, those that it adds), by family."""

    def rows_of(rules: RuleSet) -> list[Row]:
        rows, start = [], 0
        for verb in VERBS:
            if verb.applies(rules):
                stop = start + len(verb.texts)
                rows.append((_range(start, stop), _code(verb.texts, most=2), cite(_plain(verb.meaning))))
                start = stop
        return rows

    if rules.expansions:
        return table(("ids", "actions", "meaning", "expansions"), _expansion_actions(rules))
    return table(("ids", "actions", "meaning"), _added(rows_of, rules))


def _expansion_actions(rules: RuleSet) -> Iterator[Row]:
    """Return the actions that the expansions of a rule set bring, by family, with the expansions."""
    actions = ActionTable(rules)
    new = range(len(ActionTable(rules.base_game())), len(actions))
    families = groupby(new, lambda action: (int(actions.codes[action]) - FIRST_EXPANSION_CODE) // STRIDE)
    for index, ids in families:
        first, *more = ids
        verb, texts = EXPANSION_VERBS[index], [actions.text(action) for action in (first, *more)]
        meaning, names = cite(_plain(verb.meaning)), _names(verb.expansions)
        yield _range(first, first + len(texts)), _code(texts, most=2), meaning, names


def _names(expansions: Sequence[str]) -> str:
    """Return the keywords of expansions, of which one is enough."""
    return "any" if set(expansions) == set(EXPANSIONS) else ", ".join(f"`{name}`" for name in expansions)


def observations_table(rules: RuleSet) -> str:
    """Return the fields of an observation (if not of the default rules, those that the rules add)."""

    def rows_of(rules: RuleSet) -> list[Row]:
        return [
            (
                _range(field.start, field.stop),
                f"`{field.name}`",
                _code(field.labels, most=8),
                _plain(field.meaning),
            )
            for field in observation_layout(rules)
        ]

    head = ("entries", "field", "entries stand for", "meaning")
    if not rules.expansions:
        return table(head, _added(rows_of, rules))
    base = rows_of(RuleSet(players=rules.players))
    expansions = {f"`{field.name}`": _names(field.expansions) for field in MORE_FIELDS}
    rows = [(*row, expansions[row[1]]) for row in rows_of(rules) if row not in base]
    return table((*head, "expansions"), rows)


def options_table(rules: RuleSet) -> str:
    """Return the rule options; they are the same for every rule set without expansions."""
    options = options_of(EXPANSIONS) if rules.expansions else OPTIONS
    return table(("keyword", "values, default first", "meaning", "number"), map(_option_row, options))


def _option_row(option: Option) -> Row:
    return (
        f"`{option.keyword}`",
        ", ".join(f"`{value!r}`".replace("'", '"') for value in option.values),
        _plain(option.meaning),
        f"**{option.rule}**{{ #{option.rule.lower()} }}" if option.rule else "",
    )


def expansions_table(rules: RuleSet) -> str:
    """Return the expansions: what each shuffles into the deck, and its harder variant."""
    rows = []
    for told, expansion in zip(EXPANSION_RULES, EXPANSION_TABLES, strict=True):
        number = sum(number for _, number in expansion.cards) + 4 * expansion.doors
        names = [name for name, _ in expansion.cards]
        if expansion.doors:
            names.append("one Door of each colour")
        cards = f"{number}: {names[0]} ... {names[-1]}" if len(names) > 4 else f"{number}: {', '.join(names)}"
        rows.append((f"`{told.keyword}`", told.title, cards if names else "none", told.hard or "none"))
    return table(("keyword", "expansion", "cards for the deck", "harder variant"), rows)


def settings_table(rules: RuleSet) -> str:
    """Return the settings of a training."""
    from train.config import settings_table as settings

    rows = [
        (f"`{name}`", f"`{default}`" if default else "", _plain(meaning), _plain(allowed))
        for name, default, allowed, meaning in settings()
    ]
    return table(("setting", "default", "meaning", "allowed"), rows)


def agents_table(rules: RuleSet) -> str:
    """Return the agents of the folder."""
    from agents.registry import find_agents

    rows = [(f"`{name}`", entry.summary.replace("``", "`")) for name, entry in find_agents().items()]
    return table(("agent", "what it does"), rows)


TABLES: dict[str, Callable[[RuleSet], str]] = {
    "actions": actions_table,
    "observations": observations_table,
    "options": options_table,
    "expansions": expansions_table,
    "settings": settings_table,
    "agents": agents_table,
}


def cite(text: str) -> str:
    """Return a text with the numbers of rules in it as links."""

    def link(match: re.Match[str]) -> str:
        letters = "OD" if match[1].startswith("O-D") else match[1].partition("-")[0]
        page = PAGE_OF.get(letters, RULES_PAGE)
        if match[1] in EXPANSION_OPTIONS:
            page = EXPANSIONS_PAGE
        return f"[{match[1]}]({page}#{match[1].lower()})"

    return RULE.sub(link, text)


def with_tables(markdown: str) -> str:
    """Return a page with its tables in place."""

    def fill(match: re.Match[str]) -> str:
        rules = RuleSet(**read_options(match[2].split()))
        return TABLES[match[1]](rules)

    return MARKER.sub(fill, markdown)


def with_links(markdown: str, source: str, page: str) -> str:
    """Return a page with its links to files as links to pages; what is no page is named only.

    Parameters
    ----------
    markdown
        The page.
    source, page
        Its file in the repository, and its path in the site.
    """

    def replace(match: re.Match[str]) -> str:
        text, target = match.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return match[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if file.startswith(f"{DOCS}/"):
            goal = file.removeprefix(f"{DOCS}/")
        elif file in ROOT_PAGES:
            goal = ROOT_PAGES[file]
        elif (ROOT / file).exists():
            return f"`{text}`" if text == file else text
        else:
            return match[0]
        relative = posixpath.relpath(goal, posixpath.dirname(page) or ".")
        return f"[{text}]({relative}{'#' + anchor if anchor else ''})"

    return LINK.sub(replace, markdown)


def with_anchors(markdown: str) -> str:
    """Return a page of rules with an anchor at the number of each."""

    def anchor(match: re.Match[str]) -> str:
        return f"{match[0]}{{ #{match[1].lower()} }}"

    return NUMBER.sub(anchor, markdown)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages whose files lie outside ``docs``."""
    from mkdocs.structure.files import File

    for source, page in ROOT_PAGES.items():
        if files.get_file_from_path(page) is None:
            files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Fill a page in."""
    path = page.file.src_uri
    sources = {ROOT_PAGES[name]: name for name in ROOT_PAGES if page.file.generated_by}
    if path in (RULES_PAGE, EXPANSIONS_PAGE):
        markdown = with_anchors(markdown)
    return with_tables(with_links(markdown, sources.get(path, f"{DOCS}/{path}"), path))


def on_post_build(config: MkDocsConfig) -> None:
    """Warn of whatever in the built site would ask another host."""
    for file in sorted(Path(config.site_dir).rglob("*")):
        if file.suffix in (".html", ".css"):
            for match in FOREIGN.finditer(file.read_text(encoding="utf-8")):
                log.warning(
                    "%s asks another host: %s", file.relative_to(config.site_dir), match[1] or match[2]
                )
