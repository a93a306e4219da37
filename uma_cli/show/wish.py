"""Which view of a race is wished for, and its lines."""

from collections.abc import Iterator
from typing import NamedTuple

from uma_cli.errors import Misused, say
from uma_cli.replay import Stand
from uma_cli.show import asking, plain, post, rows, story
from uma_cli.text import clean
from uma_cli.voice import Voice


class Wish(NamedTuple):
    """The options of `uma show`."""

    waiting: bool = False
    log: bool = False
    last: bool = False
    since: str | None = None
    chat: bool = False
    markdown: bool = False
    tsv: bool = False
    svg: bool = False
    ascii: bool = False
    """Whether the picture is to be written in ASCII, with references for all else."""
    table: bool = False
    by: tuple[str, ...] = ()
    points: str | None = None
    limit: int = 2000
    part: int | None = None

    @property
    def view(self) -> bool:
        """Whether it is the race at a glance."""
        return not (self.story or self.waiting or self.chat or self.markdown or self.tsv or self.svg)

    @property
    def pages(self) -> bool:
        """Whether a terminal shows it page by page."""
        return self.log and not self.chat and not self.markdown

    @property
    def read(self) -> bool:
        """Whether it is read from the top, and is no rows or picture."""
        return not any((self.waiting, self.tsv, self.svg))

    @property
    def story(self) -> bool:
        """Whether what happened is wished for, and not where the race stands."""
        return self.log or self.last or self.since is not None


def check(wish: Wish, *, json: bool, files: int) -> None:
    """Refuse what does not go together.

    Raises:
        Misused: with the options that do not.
    """
    shapes = {
        "--waiting": wish.waiting,
        "--chat": wish.chat,
        "--markdown": wish.markdown,
        "--tsv": wish.tsv,
        "--svg": wish.svg,
        "--json": json,
    }
    wished = [name for name, there in shapes.items() if there]
    if len(wished) > 1:
        raise Misused(say("{options} do not go together", options=wished))
    if wish.story and wished and wished[0] not in ("--chat", "--markdown"):
        raise Misused(say("{option} shows no story", option=wished[0]), hint=say("--chat and --markdown do"))
    if wish.table and (wish.story or wish.waiting or wish.svg):
        raise Misused(say("--table goes with --chat, --markdown, --tsv and --json only"))
    if (wish.by or wish.points is not None) and not wish.table:
        raise Misused(say("--by and --points go with --table"))
    if wish.last and wish.since:
        raise Misused(say("{options} do not go together", options=["--last", "--since"]))
    if wish.part is not None and not wish.chat:
        raise Misused(say("--part goes with --chat"))
    if wish.svg and files != 1:
        raise Misused(say("--svg draws one race"))


def lines(stand: Stand, file: str, wish: Wish, voice: Voice) -> Iterator[str]:
    """The lines of the view that is wished for.

    Raises:
        Misused: there is no such scene or part.
    """
    if wish.since is not None and wish.since not in [played.scene for played in stand.played]:
        raise Misused(say("{scene} has not been played", scene=wish.since))
    if wish.svg:
        from uma_cli.picture import picture

        drawn = picture(stand, voice, _name(file, voice)).rstrip("\n")
        yield drawn.encode("ascii", "xmlcharrefreplace").decode() if wish.ascii else drawn
    elif wish.tsv:
        yield from rows.rows(stand, file)
    elif wish.waiting:
        if stand.waiting:
            yield f"{clean(file)}\t{asking.waits(stand, voice)}"
    elif wish.chat:
        yield from parts(post.chat(_told(stand, file, wish, voice), wish.limit), wish)
    elif wish.markdown:
        if wish.story:
            yield from post.told_markdown(_told(stand, file, wish, voice))
        else:
            yield from post.markdown(stand, _name(file, voice), voice)
    elif wish.story:
        yield from story.laid_out(_told(stand, file, wish, voice))
    else:
        yield from plain.view(stand, file, voice)


def _told(stand: Stand, file: str, wish: Wish, voice: Voice) -> list[story.Told]:
    name = _name(file, voice)
    if wish.last or wish.since:
        return post.last(stand, name, voice, wish.since)
    return post.whole(stand, name, voice) if wish.log else post.standing(stand, name, voice)


def _name(file: str, voice: Voice) -> str:
    """What a race is called that has no title."""
    return voice("A race") if file == "-" else file.rpartition("/")[2].removesuffix(".toml")


def parts(posts: list[str], wish: Wish) -> Iterator[str]:
    """The posts with a line between them, or the one that is wished for."""
    if wish.part is None:
        for number, text in enumerate(posts, 1):
            if len(posts) > 1:
                yield f"--- {number}/{len(posts)} ---"
            yield text
        return
    if not 1 <= wish.part <= len(posts):
        raise Misused(say("there are {n} parts", n=len(posts)))
    yield posts[wish.part - 1]
