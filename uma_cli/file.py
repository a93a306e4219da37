"""A race file on disk: bytes to a race, and the new bytes back, whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from uma_cli.errors import Busy, Say, UmaError, Unreadable, Unwritable, say
from uma_cli.parse import parse
from uma_cli.race import Race
from uma_cli.schema import read_race
from uma_cli.system import reason
from uma_cli.toml import line_of

MAX_BYTES = 1 << 20
LOCK_SECONDS = 5.0
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
        """A new text as bytes, with the byte order mark that the file had."""
        return (BOM if self.raw.startswith(BOM) else b"") + text.encode()


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
    else:
        try:
            _check_regular(os.stat(path))
            with open(path, "rb", opener=_open_at_once) as file:
                _check_regular(os.fstat(file.fileno()))
                raw = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise Unreadable(say("there is no such file"), hint=say("uma new makes one")) from None
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


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold a race file against other steps; the lock goes with the process, however it ends.

    Raises:
        Busy: somebody else holds it for longer than five seconds.
    """
    if path == STDIO:
        yield
        return
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    sidecar = os.path.join(folder, f".{name}.lock")
    descriptor = _acquire(sidecar) if os.path.exists(real) else None
    try:
        yield
    finally:
        if descriptor is not None:
            with suppress(OSError):
                os.unlink(sidecar)
            os.close(descriptor)


def _acquire(sidecar: str) -> int:
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            descriptor = os.open(sidecar, os.O_CREAT | os.O_RDWR, 0o666)
        except OSError as error:
            raise Unwritable(say("it cannot be locked: {why}", why=reason(error))) from None
        if _try_lock(descriptor) and _still(descriptor, sidecar):
            return descriptor
        os.close(descriptor)
        if time.monotonic() > deadline:
            raise Busy(say("somebody else is playing a step of it"), hint=say("try again in a moment"))
        time.sleep(0.02)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _still(descriptor: int, sidecar: str) -> bool:
    """Whether the lock is on the file that is there now, not on one that its holder took away."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(sidecar))
    except OSError:
        return False


def changed(path: str) -> str:
    """When a file was last changed, for people; nothing for stdin."""
    if path == STDIO:
        return ""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(os.stat(path).st_mtime))


def save(source: Source, text: str) -> None:
    """Put a new text in the place of what was read, or print it where that was stdin.

    Raises:
        Busy: the file is no longer what was read.
        Unwritable: it cannot be written; it is as it was.
    """
    data = source.encoded(text)
    if source.path == STDIO:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    real = os.path.realpath(source.path)

    def replace(temporary: str) -> None:
        if bytes_of(real) != source.raw:
            raise Busy(say("somebody changed it meanwhile"), hint=say("look at it, and try again"))
        os.replace(temporary, real)

    status = os.stat(real)
    if not status.st_mode & 0o222 or not os.access(real, os.W_OK):
        raise Unwritable(say("it is read-only"))
    _write_beside(real, data, replace, status)


def make_way(paths: Collection[str], *, force: bool) -> None:
    """Make the folders of files that are to be written.

    Raises:
        Unwritable: one of the files is there already and not to be replaced, or a folder cannot be made.
    """
    for path in paths:
        if not force and os.path.lexists(path):
            taken = Unwritable(say("there is such a file already"), hint=say("--force replaces it"))
            taken.file = path
            raise taken
    for folder in {os.path.dirname(path) for path in paths} - {""}:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise Unwritable(say("it cannot be written: {why}", why=reason(error))) from None


def create(path: str, text: str, *, force: bool) -> None:
    """Write a new race file; an old one is only replaced with `force`.

    Raises:
        Unwritable: there is one already, or it cannot be written.
    """
    if path == STDIO:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return

    def place(temporary: str) -> None:
        if force:
            os.replace(temporary, path)
            return
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise Unwritable(say("there is such a file already"), hint=say("--force replaces it")) from None
        os.unlink(temporary)

    _write_beside(path, text.encode(), place, None)


def _write_beside(path: str, data: bytes, place: Callable[[str], None], status: os.stat_result | None) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.urandom(6).hex()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with open(descriptor, "wb") as file:
                if status and hasattr(os, "fchmod"):
                    with suppress(OSError):
                        os.fchown(descriptor, -1, status.st_gid)
                    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            place(temporary)
            _sync_folder(folder or ".")
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise Unwritable(say("it cannot be written: {why}", why=reason(error))) from None


def _sync_folder(folder: str) -> None:
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
