"""Edits of a race file that touch nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

import tomli_w

from uma_cli.race import RISE, Record, Ruling
from uma_cli.text import is_hidden
from uma_cli.toml import Path, Statement, statements


class _Edits:
    """Changes to a text, gathered first and made together."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
        self.changes: list[tuple[int, int, str]] = []
        self.tail = ""

    def lines(self, toml: str) -> str:
        return toml.replace("\n", self.newline)

    def drop(self, statement: Statement) -> None:
        """Take a statement out; a comment on its last line stays, on a line of its own."""
        comment = self.text[statement.last : statement.end].strip()
        kept = comment + self.newline if comment.startswith("#") else ""
        self.changes.append((statement.start, statement.end, kept))

    def insert(self, at: int, toml: str) -> None:
        ended = at == 0 or self.text[at - 1] == "\n"
        self.changes.append((at, at, ("" if ended else self.newline) + self.lines(toml)))

    def append(self, toml: str) -> None:
        self.tail += self.newline + self.lines(toml)

    def made(self) -> str:
        text = self.text
        for start, end, new in sorted(self.changes, key=lambda change: change[:2], reverse=True):
            text = text[:start] + new + text[end:]
        if not self.tail:
            return text
        if text and not text.endswith("\n"):
            text += self.newline
        blank = text.endswith(("\n\n", "\n\r\n")) or not text
        return text + (self.tail.removeprefix(self.newline) if blank else self.tail)


def dumps(data: Mapping[str, object]) -> str:
    """The TOML of tables, with what could not be seen in it as escapes."""
    text = tomli_w.dumps(data)
    return text if text.isascii() else "".join(map(_to_be_seen, text))


def _to_be_seen(char: str) -> str:
    if char in "\t\n" or "\ud800" <= char <= "\udfff" or not is_hidden(char):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def edit(text: str, scene: str, old: Record | None, new: Record, closing: str) -> tuple[str, bool]:
    """The text with one scene's record changed, and nothing else; whether that scene was laid out anew.

    Args:
        old: what the text holds of the scene; None where it does not name it.
        closing: the name of the table that closes the scene.
    """
    written = [] if old is None else [statement for statement in statements(text) if statement.path[0] == scene]
    old = old or Record()
    edits = _Edits(text)
    if any(_other_shape(statement) for statement in written):
        return _lay_out_anew(edits, written, scene, new, closing), True
    headers = {statement.path: statement for statement in written if statement.header}
    pairs = {statement.path: statement for statement in written if not statement.header}
    tables = {**new.answers, **({"note": new.notes} if new.notes else {})}
    before = {**old.answers, "note": old.notes}
    for question in {**before, **tables}:
        _edit_table(edits, (scene, question), headers, pairs, before.get(question, {}), tables.get(question, {}))
    for name, ruling in new.rulings.items():
        if name not in old.rulings:
            edits.append(_table((scene, "ruling", name), ruling_keys(ruling)))
    if new.closing is not None and old.closing is None:
        edits.append(_table((scene, closing), new.closing))
    return edits.made(), False


def _other_shape(statement: Statement) -> bool:
    """Whether a statement of a scene is inline or dotted, and not a table a question."""
    if statement.header:
        return len(statement.path) > 3
    wanted = 4 if statement.path[1:2] == ("ruling",) else 3
    return statement.keys > 1 or (len(statement.path) != wanted and not _foreign(statement))


def _foreign(statement: Statement) -> bool:
    return statement.path[-1].startswith("x-")


def _edit_table(
    edits: _Edits,
    table: Path,
    headers: Mapping[Path, Statement],
    pairs: Mapping[Path, Statement],
    old: Mapping[str, str],
    new: Mapping[str, str],
) -> None:
    for name, text in old.items():
        written = pairs[*table, name]
        if name not in new:
            edits.drop(written)
        elif new[name] != text:
            edits.changes.append((*written.value, _value(table[-1], new[name])))
    added = {name: text for name, text in new.items() if name not in old}
    if not added:
        return
    if table not in headers:
        edits.append(_table(table, _typed(table[-1], added)))
        return
    last = [statement.end for path, statement in pairs.items() if path[:-1] == table]
    edits.insert(max(last, default=headers[table].end), dumps(_typed(table[-1], added)))


def _lay_out_anew(edits: _Edits, written: list[Statement], scene: str, new: Record, closing: str) -> str:
    for statement in written:
        edits.drop(statement)
    kept = tomllib.loads(edits.text).get(scene, {})
    known = {*new.answers, "note", "ruling", closing}
    tables = {key: value for key, value in kept.items() if key not in known}
    if tables:
        edits.append(dumps({scene: tables}))
    for question, by_runner in new.answers.items():
        edits.append(_table((scene, question), _typed(question, by_runner)))
    if new.notes:
        edits.append(_table((scene, "note"), new.notes))
    for name, ruling in new.rulings.items():
        edits.append(_table((scene, "ruling", name), ruling_keys(ruling)))
    if new.closing is not None:
        edits.append(_table((scene, closing), new.closing))
    return edits.made()


def ruling_keys(ruling: Ruling) -> dict[str, object]:
    """A ruling as the file holds it, without what is left alone."""
    keys = {key: value for key, value in ruling._asdict().items() if value and key not in ("when", "why")}
    if ruling.position:
        keys["position"] = str(ruling.position)
    if ruling.when != "end":
        keys["when"] = ruling.when
    return {**keys, "why": ruling.why}


def _typed(question: str, answers: Mapping[str, str]) -> dict[str, str | int]:
    """Answers as the file holds them: a declared rise is a number, all else is text."""
    return {name: int(text) if question == RISE and text else text for name, text in answers.items()}


def _value(question: str, text: str) -> str:
    return dumps(_typed(question, {"key": text})).removeprefix("key = ").removesuffix("\n")


def _table(path: Path, keys: Mapping[str, object]) -> str:
    header = ".".join(dumps({key: 0}).removesuffix(" = 0\n") for key in path)
    return f"[{header}]\n{dumps(keys)}"
