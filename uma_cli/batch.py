"""Many files in one call: each on its own, in their order, on as many cores as are wished."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from uma_cli import file, streams
from uma_cli.errors import Misused, UmaError, Unreadable, Unwritable, say
from uma_cli.system import reason
from uma_cli.talk import Piece, Talk

if TYPE_CHECKING:
    from concurrent.futures import Future

CHUNK = 16
"""How many files another process gets at a time."""


class Work(Protocol):
    """What is done with each file; for several cores it and what comes of it can be sent between processes."""

    def __call__(self, path: str, talk: Talk, /) -> object:
        """Do it with one file and tell of it; raises UmaError where it is not done."""


class Failure(NamedTuple):
    """A file that is not done: its exit code, and why."""

    code: int
    why: str


class Done(NamedTuple):
    """A file that was worked on: whether it failed, else what came of it, and what another process had to say."""

    failure: Failure | None
    came: object = None
    said: tuple[Piece, ...] = ()


def files_of(arguments: Sequence[str], listed: str | None, *, nul: bool) -> list[str]:
    """The FILEs of a call: those named, with wildcards where the shell does not expand them, and those of a list.

    Raises:
        Misused: no file is named at all, or stdin is both a race and a list.
        Unreadable: the list cannot be read.
    """
    if arguments.count(file.STDIO) > 1:
        raise Misused(say("stdin is one race only"))
    if listed is None:
        if nul:
            raise Misused(say("-0 goes with --files-from"))
        if not arguments:
            raise Misused(say("{what} is missing", what="FILE"), hint=say("name a race file, or give --files-from"))
        _no_answers(arguments)
        return _expanded(arguments)
    if file.STDIO in arguments and listed == file.STDIO:
        raise Misused(say("stdin cannot be a race and a list at once"))
    return [*_expanded(arguments), *_listed(listed, b"\0" if nul else b"\n")]


def _no_answers(arguments: Sequence[str]) -> None:
    """An answer that lost its option, or its quotes, is no file that is missing."""
    for argument in arguments:
        if "=" in argument and not os.path.lexists(argument):
            raise Misused(
                say("`{argument}` is no file, and looks like an answer", argument=argument),
                hint=say("an answer has its option before it, and quotes around it where it has spaces"),
            )


def _expanded(arguments: Sequence[str]) -> list[str]:
    if os.name != "nt":
        return list(arguments)
    from glob import glob

    return [
        path
        for argument in arguments
        for path in (not os.path.exists(argument) and sorted(glob(argument))) or [argument]
    ]


def _listed(path: str, end: bytes) -> Iterator[str]:
    try:
        if path == file.STDIO:
            if sys.stdin is None:
                raise Unreadable(say("nothing can be read from stdin"))
            names = sys.stdin.buffer.read() or b""
        else:
            with open(path, "rb") as listing:
                names = listing.read()
    except OSError as error:
        unread = Unreadable(say("it cannot be read: {why}", why=reason(error)))
        unread.file = path
        raise unread from None
    if end == b"\n" and b"\0" in names:
        raise Misused(say("the names in the list end with NUL"), hint=say("-0 reads them"))
    for name in names.split(end):
        if trimmed := name.removesuffix(b"\r") if end == b"\n" else name:
            yield os.fsdecode(trimmed)


def each(
    paths: Sequence[str],
    work: Work,
    talk: Talk,
    jobs: int = 1,
    take: Callable[[Any], object] = lambda _: None,
) -> int:
    """Do the work with each file; returns the largest exit code.

    What comes of each that does not fail is taken by this process, in their order.

    Ctrl-C and SIGTERM come between two files: what has been begun is done, and how many are done is told.

    Raises:
        Misused: there is a race on stdin, which only this process has.
    """
    if len(paths) == 1:
        one = _one(paths[0], work, talk)
        if one.failure:
            return one.failure.code
        take(one.came)
        return 0
    if jobs > 1 and file.STDIO in paths:
        raise Misused(say("--jobs wants files, not stdin"))
    streams.collect_garbage()
    worst = done = 0
    failures: list[str] = []
    with streams.Stopping() as stopping:
        doing = _spread(paths, work, talk, jobs, stopping) if jobs > 1 else _in_turn(paths, work, talk, stopping)
        for one in streams.counted(doing, len(paths)):
            done += 1
            if one.failure:
                worst = max(worst, one.failure.code)
                failures.append(one.failure.why)
            else:
                take(one.came)
    if failures and len(paths) > streams.MANY_FILES:
        talk.note(say("{n} of {all} files are not done:", n=len(failures), all=len(paths)), failures)
    if stopping.by:
        talk.note(say("stopped: {n} of {all} files are done", n=done - len(failures), all=len(paths)))
        raise streams.Stopped(stopping.by)
    return worst


def _in_turn(paths: Sequence[str], work: Work, talk: Talk, stopping: streams.Stopping) -> Iterator[Done]:
    for path in paths:
        yield _one(path, work, talk)
        if stopping.by:
            return


def _one(path: str, work: Work, talk: Talk) -> Done:
    try:
        return Done(None, work(path, talk))
    except UmaError as error:
        return Done(Failure(error.code, talk.failed(path, error)))
    except OSError as error:
        hindered = Unwritable(say("the system does not let uma go on: {why}", why=reason(error)))
        return Done(Failure(hindered.code, talk.failed(path, hindered)))
    except Exception as error:
        if os.environ.get("UMA_DEBUG") == "1":
            raise
        fault = UmaError(
            say("a fault in uma: {kind}: {what}", kind=type(error).__name__, what=str(error)),
            hint=say("UMA_DEBUG=1 shows where; the file is as it was"),
        )
        return Done(Failure(fault.code, talk.failed(path, fault)))


def _spread(paths: Sequence[str], work: Work, talk: Talk, jobs: int, stopping: streams.Stopping) -> Iterator[Done]:
    """The files by several processes; what they say is said here, in the order of the files."""
    from concurrent.futures import ProcessPoolExecutor

    stopping.then = _tell_the_others
    waiting: deque[Future[list[Done]]] = deque()
    rest = iter(paths)
    with ProcessPoolExecutor(jobs, initializer=streams.work_for_another) as pool:
        while True:
            while len(waiting) < 2 * jobs and not stopping.by and (chunk := list(islice(rest, CHUNK))):
                waiting.append(pool.submit(_several, chunk, work, talk))
            if not waiting:
                return
            for one in _result(waiting.popleft()):
                for piece in one.said:
                    talk.say(piece)
                yield one


def _tell_the_others() -> None:
    from multiprocessing import active_children

    for child in active_children():
        child.terminate()  # a signal that each hears between two files


def _result(chunk: "Future[list[Done]]") -> list[Done]:
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    try:
        return chunk.result()
    except BrokenProcessPool:
        for child in active_children():
            child.kill()  # they heed no other signal
        raise UmaError(
            say("a process that worked for this call was killed"), hint=say("the same call again does the rest")
        ) from None


def _several(paths: Iterable[str], work: Work, talk: Talk) -> list[Done]:
    done = []
    for path in paths:
        if streams.has_enough():
            break
        talk.kept = []
        one = _one(path, work, talk)
        done.append(one._replace(said=tuple(talk.kept)))
    return done
