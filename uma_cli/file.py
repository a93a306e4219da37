"""A race file on disk: bytes to a race, and the new bytes back, whole or not at all."""

import os
import stat
import sys
import time
from collections.abc import Iterable
from typing import NamedTuple

from uma_cli import disk, streams
from uma_cli.errors import Misused, Say, UmaError, Unreadable, Unwritable, say
from uma_cli.near import nearest_file, same_look
from uma_cli.parse import parse
from uma_cli.race import Race
from uma_cli.schema import read_race
from uma_cli.system import CANNOT_PRINT, reason
from uma_cli.toml import line_of

MAX_BYTES = 1 << 20
BOM = b"\xef\xbb\xbf"
STDIO = "-"


class Source(NamedTuple):
    """A race file as it was read."""

    path: str
    raw: bytes
    text: str
    race: Race
    warnings: tuple[Say, ...]

    def encoded(self, text: str) -> bytes:
        """A new text as bytes, with the byte order mark that the file had.

        Raises:
            Misused: something that was typed is no text.
            Unwritable: the file would be larger than it may be.
        """
        return encoded(text, BOM if self.raw.startswith(BOM) else b"")


def encoded(text: str, mark: bytes = b"") -> bytes:
    """The text of a race file as bytes.

    Raises:
        Misused: something that was typed is no text.
        Unwritable: the file would be larger than it may be.
    """
    try:
        data = mark + text.encode()
    except UnicodeEncodeError:
        raise Misused(
            say("what was typed is no text in the encoding of the locale"),
            hint=say("set the terminal and LC_ALL to UTF-8"),
        ) from None
    if len(data) > MAX_BYTES:
        raise Unwritable(say("it would be larger than {limit} bytes", limit=MAX_BYTES))
    return data


def read(path: str) -> Source:
    """Read a race file, or stdin for `-`.

    Raises:
        Unreadable: it is no race file; the message says where and why.
    """
    return source_of(path, bytes_of(path))


def source_of(path: str, raw: bytes) -> Source:
    """A race file from its bytes.

    Raises:
        Unreadable: they are no race file.
    """
    text = decode(raw)
    try:
        parsed = read_race(parse(text))
    except UmaError as error:
        error.line = error.line or (line_of(text, error.where) if error.where else None)
        raise
    return Source(path, raw, text, parsed.race, parsed.warnings)


def bytes_of(path: str) -> bytes:
    """The bytes of a regular file, or of stdin for `-`.

    Raises:
        Unreadable: it is none, too large, or cannot be read.
    """
    if path == STDIO:
        if sys.stdin is None:
            raise Unreadable(say("nothing can be read from stdin"))
        raw = sys.stdin.buffer.read(MAX_BYTES + 1)
        if raw is None:  # a pipe that waits for nobody
            raise Unreadable(say("nothing can be read from stdin"))
    else:
        try:
            _check_regular(os.stat(path))
            with open(path, "rb", opener=_open_at_once) as file:
                _check_regular(os.fstat(file.fileno()))
                raw = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise _absent(path) from None
        except OSError as error:
            raise Unreadable(say("it cannot be read: {why}", why=reason(error))) from None
        except ValueError:
            raise Unreadable(say("that is no name of a file")) from None
    if len(raw) > MAX_BYTES:
        raise Unreadable(say("it is larger than {limit} bytes", limit=MAX_BYTES))
    return raw


def _check_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(say("it is no regular file"))


def _open_at_once(path: str, flags: int) -> int:
    """A pipe that took the place of the file meanwhile is not waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


LEADS_NOWHERE = say("it is a symbolic link that leads nowhere")
LINK_ANEW = say("link it to a race, or remove it")


def _absent(path: str) -> Unreadable:
    """Why there is nothing to read, and what may have been meant."""
    if os.path.islink(path):
        return Unreadable(LEADS_NOWHERE, hint=LINK_ANEW)
    if near := same_look(path):
        what = say("there is no such file, only one that looks the same and whose letters are composed otherwise")
        return Unreadable(what, hint=say("did you mean `{near}`?", near=near))
    near = nearest_file(path)
    hint = say("did you mean `{near}`?", near=near) if near else say("uma new makes one")
    return Unreadable(say("there is no such file"), hint=hint)


def decode(raw: bytes) -> str:
    """The text of a race file.

    Raises:
        Unreadable: it is not UTF-8.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:2]:
        raise Unreadable(say("it is UTF-16, and a race file is UTF-8"), hint=say("save it as UTF-8"))
    try:
        return raw.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        offset = error.start + (len(BOM) if raw.startswith(BOM) else 0)
        what = say("it is not UTF-8 at byte {offset}", offset=offset)
        raise Unreadable(what, hint=say("save it as UTF-8"), line=raw.count(b"\n", 0, offset) + 1) from None


def changed(path: str) -> str:
    """When a file was last changed, for people; nothing for stdin, and for one that is gone."""
    if path == STDIO:
        return ""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(os.stat(path).st_mtime))
    except OSError:
        return ""


def save(held: disk.Hold | None, source: Source, text: str) -> None:
    """Put a new text in the place of what was read, or print it where that was stdin, which nobody holds.

    Raises:
        Busy: the file is no longer what was read.
        Unwritable: it cannot be written; it is as it was.
    """
    data = source.encoded(text)
    if held:
        held.replace(source.raw, data)
    else:
        put_out(data)


def is_there(path: str) -> bool:
    """Whether there is something of that name."""
    return path != STDIO and os.path.lexists(path)


def check_free(paths: Iterable[str], *, force: bool) -> None:
    """See to it that files can be made.

    Raises:
        Unwritable: one of them is there already and not to be replaced, or is a folder by its name.
    """
    for path in paths:
        if (is_there(path) and not force) or os.path.basename(path) == "":
            taken = disk.there_already()
            taken.file = path
            raise taken


def make_folders(paths: Iterable[str]) -> None:
    """Make the folders of files that are to be written.

    Raises:
        Unwritable: one cannot be made.
    """
    for folder in {os.path.dirname(path) for path in paths} - {""}:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            hindered = disk.unwritable(say("it cannot be written: {why}", why=reason(error)), error)
            hindered.file = folder
            raise hindered from None


def create(path: str, text: str, *, force: bool) -> None:
    """Write a new race file, or print it for `-`; an old one is only replaced with `force`.

    Raises:
        Misused: something that was typed is no text.
        Busy: somebody else is just writing it.
        Unwritable: there is one already, or it cannot be written.
    """
    data = encoded(text)
    if path == STDIO:
        put_out(data)
        return
    if os.path.islink(path) and not os.path.exists(path):
        raise Unwritable(LEADS_NOWHERE, hint=LINK_ANEW)
    if os.path.basename(path).startswith(".") and path.endswith((".lock", ".tmp")):
        raise Misused(say("uma keeps such names for what it writes beside a race"), hint=say("give it another name"))
    if not force and not os.path.lexists(path) and (near := same_look(path)):
        raise Unwritable(
            say("there is a file that looks the same: `{near}`", near=near), hint=say("--force makes it all the same")
        )
    with disk.held(path, new=True) as held:
        held.create(data, force=force)


def put_out(data: bytes) -> None:
    """Print a race where `-` stands for its file.

    Raises:
        Unwritable: nobody takes it.
    """
    try:
        if sys.stdout is None:
            raise Unwritable(CANNOT_PRINT)
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError:
        streams.silence(sys.stdout)
        raise Unwritable(CANNOT_PRINT) from None
