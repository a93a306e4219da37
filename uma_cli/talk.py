"""Where a call's words go: results to stdout, the rest to stderr; with `--json` objects only."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from uma_cli import streams
from uma_cli.errors import Say, UmaError, Unwritable
from uma_cli.replay import Stand
from uma_cli.system import CANNOT_PRINT
from uma_cli.text import clean, json_escaped, quoted
from uma_cli.voice import Voice

Piece = tuple[bool, str]
"""A text, and whether it is for stderr."""


class Talk:
    """Where a call's words go: results to stdout, the rest to stderr; with `--json` objects only."""

    def __init__(
        self,
        voice: Voice,
        *,
        json: bool = False,
        quiet: bool = False,
        stdout_taken: bool = False,
        saved: bool = False,
        color: str = "auto",
    ) -> None:
        self.voice = voice
        self.color = color
        self.json = json
        self.quiet = quiet
        self.stdout_taken = stdout_taken
        self.saved = saved
        """Whether the work is done and saved before it is told: then it is no matter who listens."""
        self.kept: list[Piece] | None = None
        """What is kept for another process to say; None where it is said at once."""

    def result(self, lines: Iterable[str]) -> None:
        """Lines for people, unless they are not wanted."""
        if not self.json and not self.quiet:
            self._put(lines)

    def state(self, stand: Stand, path: str) -> None:
        """The race for programs."""
        if self.json:
            from uma_cli.state import state

            self.object(state(stand, path))

    def warn(self, path: str, warnings: Iterable[Say]) -> None:
        """What is odd but no error."""
        self._put([f"{self._uma()} {clean(path)}: {self.voice.say(what)}" for what in warnings], error=True)

    def note(self, what: Say, of: Iterable[str] = ()) -> None:
        """What there is to say of the call as a whole, and a list of what it is about."""
        self._put([f"{self._uma()} {self.voice.say(what)}", *(f"  {line}" for line in of)], error=True)

    def _uma(self) -> str:
        return "\x1b[1;31muma:\x1b[0m" if streams.coloured(self.color, sys.stderr) else "uma:"

    def failed(self, path: str | None, error: UmaError) -> str:
        """Why a step was not done, and what to do; returns the first of it, for a list of what failed."""
        path = error.file or path
        self.warn(path or "", error.warnings)
        message = self.voice.say(error.what)
        hint = self.voice.say(error.hint, file=quoted(path) if path else "FILE") if error.hint else None
        place = "".join(f"{clean(str(part))}:" for part in (path, error.line) if part)
        what = " ".join(filter(None, (place, message)))
        if self.json:
            code = {"code": error.code, "message": message, "line": error.line, "hint": hint}
            self.object({"uma": 1, "file": path, "error": code})
        else:
            lines = [f"{self._uma()} {what}"]
            self._put([*lines, f"{self.voice('hint')}: {hint}"] if hint else lines, error=True)
        return what

    def object(self, value: dict[str, Any]) -> None:
        """An object for programs, on a line of its own."""
        from json import dumps

        self._put([json_escaped(dumps(value, ensure_ascii=not streams.speaks_unicode()))])

    def _put(self, lines: Iterable[str], *, error: bool = False) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if self.kept is None:
            self.say((error or self.stdout_taken, text))
        else:
            self.kept.append((error, text))

    def say(self, piece: Piece) -> None:
        """Say a text now; of what is done and saved, and of errors, a stream that is closed or full hears nothing.

        Raises:
            ReaderGone: nobody reads what is shown.
            Unwritable: what is shown cannot be written.
        """
        error, text = piece
        stream = sys.stderr if error else sys.stdout
        gone = False
        if text:
            streams.clear_bar()
        try:
            if stream is not None:
                stream.write(text)
                stream.flush()
                return
        except OSError as why:
            streams.silence(stream)
            gone = isinstance(why, BrokenPipeError)
        if text and not error and not self.saved:
            raise streams.ReaderGone() if gone else Unwritable(CANNOT_PRINT)
