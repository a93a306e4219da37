"""Where a call's words go: results to stdout, the rest to stderr; with `--json` objects only."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from uma_cli import streams
from uma_cli.errors import Say, UmaError, Unwritable, say
from uma_cli.replay import Stand
from uma_cli.text import clean, quoted
from uma_cli.voice import Voice

_CANNOT_PRINT = say("the output cannot be written")


class ReaderGone(BaseException):
    """Nobody reads what is shown any more."""


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

    def result(self, lines: Iterable[str]) -> None:
        """Lines for people, unless they are not wanted."""
        if not self.json and not self.quiet:
            self._print(lines)

    def state(self, stand: Stand, path: str) -> None:
        """The race for programs."""
        if self.json:
            from uma_cli.state import state

            self._object(state(stand, clean(path)))

    def warn(self, path: str, warnings: Iterable[Say]) -> None:
        """What is odd but no error."""
        if not self.json:
            write([f"{self._uma()} {clean(path)}: {self.voice.say(warning)}" for warning in warnings], error=True)

    def _uma(self) -> str:
        return "\x1b[1;31muma:\x1b[0m" if streams.coloured(self.color, sys.stderr) else "uma:"

    def failed(self, path: str | None, error: UmaError) -> None:
        """Why a step was not done, and what to do."""
        path = error.file or path
        self.warn(path or "", error.warnings)
        message = self.voice.say(error.what)
        hint = self.voice.say(error.hint, file=quoted(path) if path else "FILE") if error.hint else None
        if self.json:
            code = {"code": error.code, "message": message, "line": error.line, "hint": hint}
            self._object({"uma": 1, "file": path and clean(path), "error": code})
            return
        place = "".join(f"{clean(str(part))}:" for part in (path, error.line) if part)
        lines = [" ".join(filter(None, (self._uma(), place, message)))]
        write([*lines, f"{self.voice('hint')}: {hint}"] if hint else lines, error=True)

    def _object(self, value: dict[str, Any]) -> None:
        from json import dumps

        self._print([dumps(value, ensure_ascii=not streams.speaks_unicode())])

    def _print(self, lines: Iterable[str]) -> None:
        try:
            write(lines, error=self.stdout_taken)
        except OSError as error:
            streams.silence()
            if not self.saved:
                raise (ReaderGone() if isinstance(error, BrokenPipeError) else Unwritable(_CANNOT_PRINT)) from None


def write(lines: Iterable[str], *, error: bool = False) -> None:
    """Write lines to stdout or stderr at once; a stream that is closed hears nothing."""
    stream = sys.stderr if error else sys.stdout
    text = "".join(f"{line}\n" for line in lines)
    if stream is not None and text:
        stream.write(text)
        stream.flush()
