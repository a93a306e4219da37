"""A file on disk, held against other calls and replaced whole or not at all, whoever writes and whatever ends the call.

A call holds `.NAME.lock` beside the file, and whoever holds it owns `.NAME.tmp` as well: what a call that was killed
has left of the two, the next one clears away. The kernel frees the lock of a process that ends.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from uma_cli import streams
from uma_cli.errors import Busy, Say, Unwritable, say
from uma_cli.system import reason

LOCK_SECONDS = 5.0
HELD_UP_SECONDS = 1.0 if sys.platform == "win32" else 0.0
"""How long a replace is tried again while another program has the file open, which only Windows minds."""
PAUSE = 0.02

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)

CURES = {
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM, errno.EROFS),
        say("uma writes beside the race: make its folder writable, or copy the race to one that is"),
    ),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), say("make room on the disk, and try again")),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), say("make its folder first")),
    errno.ENAMETOOLONG: say("give it a shorter name"),
}
"""What to do about it, by the system's error."""


class Hold:
    """A file that one call holds, and what lies beside it meanwhile."""

    def __init__(self, path: str) -> None:
        self.path = os.path.realpath(path) if os.path.islink(path) else path
        self.folder, name = os.path.split(self.path)
        self.lock = os.path.join(self.folder, f".{name}.lock")
        self.temporary = os.path.join(self.folder, f".{name}.tmp")
        self.descriptor: int | None = None
        self.locked = False

    def take(self) -> None:
        """Wait for the lock, and clear away what a killed call has left.

        Raises:
            Busy: somebody else holds it for longer than five seconds.
            Unwritable: nothing can be written beside the file.
        """
        deadline = time.monotonic() + LOCK_SECONDS
        while not self._try(late=(late := time.monotonic() > deadline)):
            if late:
                raise Busy(say("somebody else is playing a step of it"), hint=say("try again in a moment"))
            time.sleep(PAUSE)
        with suppress(OSError):
            os.unlink(self.temporary)

    def _try(self, *, late: bool) -> bool:
        try:
            self.descriptor = os.open(self.lock, os.O_CREAT | os.O_RDWR | _NO_FOLLOW, 0o666)
            if self._is_ours():
                self._open_to_all_who_play()
                return True
        except OSError as error:
            # PermissionError: somebody else may just be making it, or taking it away
            if late or not isinstance(error, PermissionError) or not os.access(self.folder or os.curdir, os.W_OK):
                what = say(
                    "it cannot be locked by `{name}`: {why}", name=os.path.basename(self.lock), why=reason(error)
                )
                raise unwritable(what, error) from None
        self._let_go()
        return False

    def _is_ours(self) -> bool:
        """Whether the lock is had, on the file that is there now and not on one that its holder has taken away."""
        assert self.descriptor is not None
        try:
            self.locked = self.locked or _lock(self.descriptor)
            return self.locked and os.path.samestat(os.fstat(self.descriptor), os.lstat(self.lock))
        except FileNotFoundError:
            return False

    def _open_to_all_who_play(self) -> None:
        """Whoever may write the race may lock it, also after a call of somebody else that was killed."""
        assert self.descriptor is not None
        lock = os.fstat(self.descriptor)
        if lock.st_nlink == 1 and lock.st_size == 0:  # nobody's file by another name
            with suppress(OSError):
                _make_like(self.descriptor, os.stat(self.path), at_least=0o600)

    def release(self) -> None:
        """Take away what lies beside the file if it is ours; at any moment, and as often as one likes."""
        with suppress(OSError):
            if self.descriptor is None:  # a signal may have come between the opening and its being noted
                self.descriptor = os.open(self.lock, os.O_RDWR | _NO_FOLLOW)
            if self._is_ours():
                with suppress(OSError):
                    os.unlink(self.temporary)
                if os.name == "nt":  # what is open cannot be taken away there, and what another has opened stays
                    self._let_go()
                os.unlink(self.lock)
        self._let_go()

    def _let_go(self) -> None:
        descriptor, self.descriptor, self.locked = self.descriptor, None, False
        if descriptor is not None:
            os.close(descriptor)

    def replace(self, old: bytes, new: bytes) -> None:
        """Put new bytes in the place of the old ones; mode, owner, group and links stay.

        Between the last look at the file and its replacing it is only closed. What a program that knows nothing of
        the lock writes in just that moment is lost: no system replaces a file only if it is what it was. Once it is
        replaced it counts as saved, also where the system cannot promise that its folder is on the disk.

        Raises:
            Busy: it is no longer what was read, or another program keeps it open.
            Unwritable: it cannot be written; it is as it was.
        """
        if not self.locked:
            raise _changed()
        try:
            self._write(new, self._status())
            self._swap(old)
        except OSError as error:
            raise unwritable(say("it cannot be written: {why}", why=reason(error)), error) from None
        _sync(self.folder or os.curdir)

    def create(self, data: bytes, *, force: bool) -> None:
        """Write a file that is not there yet; with `force` one that is there is replaced.

        Raises:
            Busy: somebody else took it meanwhile, or another program keeps it open.
            Unwritable: there is one, or it cannot be written.
        """
        try:
            there = os.path.lexists(self.path)
            if there and not force:
                raise there_already()
            self._write(data, self._status() if there else None)
            if there:
                self._swap()
            else:
                self._place()
        except OSError as error:
            raise unwritable(say("it cannot be written: {why}", why=reason(error)), error) from None
        _sync(self.folder or os.curdir)

    def _swap(self, old: bytes | None = None) -> None:
        """Replace the file if it still holds what it held."""
        deadline = time.monotonic() + HELD_UP_SECONDS
        while True:
            try:
                if old is not None and not self._holds(old):
                    raise _changed()
                os.replace(self.temporary, self.path)
            except PermissionError:
                if not HELD_UP_SECONDS:
                    raise
                if time.monotonic() > deadline:
                    raise Busy(
                        say("another program keeps it open"), hint=say("close it there, and try again")
                    ) from None
                time.sleep(PAUSE)
            else:
                return

    def _place(self) -> None:
        try:
            os.link(self.temporary, self.path)
        except FileExistsError:
            raise there_already() from None
        except OSError:  # a disk without hard links
            if os.path.lexists(self.path):
                raise there_already() from None
            os.rename(self.temporary, self.path)

    def _keep_attributes(self, descriptor: int) -> None:
        """Access lists and what else the disk knows of the file, as far as it can be given on."""
        if not hasattr(os, "listxattr"):
            return
        with suppress(OSError):
            for name in os.listxattr(self.path):
                with suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(self.path, name))

    def _status(self) -> os.stat_result:
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            raise _changed() from None
        if not stat.S_ISREG(status.st_mode):
            raise Unwritable(say("it is no regular file"))
        if status.st_nlink > 1:
            raise Unwritable(
                say("it is a hard link, and its other name would keep the old race"),
                hint=say("give it a file of its own: cp {file} NEW, then mv NEW {file}"),
            )
        if not status.st_mode & 0o222 or not os.access(self.path, os.W_OK):
            raise Unwritable(say("it is read-only"), hint=say("chmod u+w {file} makes it writable"))
        return status

    def _holds(self, old: bytes) -> bool:
        try:
            with open(self.path, "rb") as file:
                return file.read(len(old) + 1) == old
        except FileNotFoundError:
            return False

    def _write(self, data: bytes, like: os.stat_result | None) -> None:
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY
        descriptor = os.open(self.temporary, flags, 0o600 if like else 0o666)
        try:
            if like:
                _make_like(descriptor, like)
                self._keep_attributes(descriptor)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if not self._is_ours():  # somebody has removed the lock, and what lies beside the file may be another's now
            raise _changed()


_all_held: list[Hold] = []


def _release_all() -> None:
    for hold in _all_held:
        hold.release()


streams.AT_STOP.append(_release_all)


@contextmanager
def held(path: str, *, new: bool = False) -> Iterator[Hold]:
    """Hold a file, or with `new` one that may not be there yet; what else is no regular file is left alone.

    Raises:
        Busy: somebody else holds it for longer than five seconds.
        Unwritable: nothing can be written beside it.
    """
    hold = Hold(path)
    _all_held.append(hold)
    try:
        if new or os.path.isfile(hold.path):
            hold.take()
        yield hold
    finally:
        hold.release()
        _all_held.remove(hold)


def _lock(descriptor: int) -> bool:
    """Lock an open file unless somebody else has it.

    Raises:
        OSError: the disk knows no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise
        return False
    return True


def _make_like(descriptor: int, old: os.stat_result, *, at_least: int = 0) -> None:
    """Give an open file mode, owner and group of another; else its group may what everybody may."""
    if sys.platform == "win32":
        return
    mode = stat.S_IMODE(old.st_mode) | at_least
    try:
        os.fchown(descriptor, old.st_uid, old.st_gid)
    except OSError:
        try:
            os.fchown(descriptor, -1, old.st_gid)
        except OSError:
            mode = mode & ~0o070 | (mode & 0o007) << 3
    os.fchmod(descriptor, mode)


def _sync(folder: str) -> None:
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _changed() -> Busy:
    return Busy(say("somebody changed it meanwhile"), hint=say("look at it, and try again"))


def there_already() -> Unwritable:
    """The error that a file is there which may not be replaced."""
    return Unwritable(say("there is such a file already"), hint=say("--force replaces it"))


def unwritable(what: Say, error: OSError) -> Unwritable:
    """What the system refuses, with what to do about it."""
    if error.errno in (errno.EEXIST, errno.EISDIR, errno.ELOOP) and error.filename:
        return Unwritable(what, hint=say("move {name} out of the way", name=os.path.basename(error.filename)))
    return Unwritable(what, hint=CURES.get(error.errno or 0))
