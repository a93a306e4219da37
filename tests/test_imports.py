"""Which module may import which: the direction of the design, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import uma_cli

ROOT = Path(uma_cli.__file__).parent

LAYERS = (
    {"uma_cli"},
    {"errors", "chance"},
    {"tables", "system", "text", "toml"},
    {"race", "near"},
    {"questions", "table", "layout", "parse", "voice", "streams"},
    {"words"},
    {"scenes.checks", "scenes.rulings"},
    {"scenes.frame", "scenes.skills"},
    {"scenes.gate", "scenes.corner", "scenes.finish"},
    {"scenes"},
    {"dice", "strategy", "disk"},
    {"replay"},
    {"live"},
    {"keys"},
    {"names", "own_tables"},
    {"schema", "step", "state", "season", "show.ways"},
    {"show.grid", "picture.plan"},
    {"picture.style"},
    {"picture"},
    {"file", "answers", "show", "show.asking", "show.story"},
    {"show.plain"},
    {"show.post", "show.rows", "show.terminal"},
    {"show.wish"},
    {"show.season"},
    {"show.board"},
    {"run", "new", "completion"},
    {"talk"},
    {"batch", "commands", "commands.help", "commands.prompt"},
    {"commands.options", "commands.usage"},
    {"commands.new", "commands.play", "commands.table"},
    {"commands.show"},
    {"cli"},
    {"__main__"},
)
"""From the rulebook up to the commands: a module imports from layers below its own only, so there is no cycle."""

RULEBOOK = {"errors", "tables", "race", "table"}
ONLY = {
    "click": {
        "cli",
        "completion",
        *(f"commands.{name}" for name in ("help", "new", "options", "play", "show", "usage")),
    },
    "rich": {"show.terminal", "show.board"},
    "tomllib": {"layout", "parse", "toml"},
    "tomli_w": {"layout"},
    "os": {
        "batch",
        "cli",
        "commands.options",
        "commands.show",
        "commands.usage",
        "completion",
        "dice",
        "disk",
        "file",
        "near",
        "streams",
        "voice",
    },
    "time": {"disk", "file", "streams"},
    "random": set(),
    "secrets": set(),
    "importlib": set(),
    "socket": set(),
    "urllib": set(),
    "http": set(),
    "uma_cli.cli": {"__main__"},
    "uma_cli.commands.new": {"cli"},
    "uma_cli.commands.play": {"cli"},
    "uma_cli.commands.show": {"cli"},
}
"""Who alone may import what."""


def modules() -> dict[str, ast.Module]:
    """The syntax trees of all modules, by their name within the package; the package itself is `uma_cli`."""
    trees = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__") or "uma_cli"
        trees[name] = ast.parse(path.read_text(encoding="utf-8"))
    return trees


MODULES = modules()


def imported(tree: ast.Module) -> Iterator[str]:
    """The full names of all modules that a module imports, wherever in it; each parent package counts too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            own = {f"{node.module}.{alias.name}" for alias in node.names} & {f"uma_cli.{name}" for name in MODULES}
            yield from own or {node.module}


def own_imports(tree: ast.Module) -> set[str]:
    """The modules of the package that a module imports, as the layers call them."""
    return {
        name.removeprefix("uma_cli.") for name in imported(tree) if name == "uma_cli" or name.startswith("uma_cli.")
    }


def test_every_module_has_its_layer() -> None:
    """The layers name each module of the package, once."""
    named = [name for layer in LAYERS for name in layer]
    assert sorted(named) == sorted(MODULES)


def test_imports_go_down() -> None:
    """A module imports from the layers below its own only."""
    height = {name: place for place, layer in enumerate(LAYERS) for name in layer}
    up = [
        (name, other) for name, tree in MODULES.items() for other in own_imports(tree) if height[other] >= height[name]
    ]
    assert not up


def test_who_may_import_what() -> None:
    """click, TOML, the clock, the system and chance are each let in by a few modules, and the commands by cli alone."""
    wrong = [
        (name, other)
        for name, tree in MODULES.items()
        for other in imported(tree)
        for what, allowed in ONLY.items()
        if (other == what or other.startswith(f"{what}.")) and name not in allowed
    ]
    assert not wrong


def test_the_rulebook_knows_nothing_of_the_world() -> None:
    """`race`, `table`, `tables`, `errors` and the scenes import each other, and of the rest only plain values."""
    plain = {"__future__", "collections", "enum", "functools", "itertools", "re", "types", "typing"}
    for name, tree in MODULES.items():
        if name in RULEBOOK or name.split(".")[0] == "scenes":
            assert {other.split(".")[0] for other in imported(tree)} <= plain | {"uma_cli"}, name
            inner = {other.split(".")[0] for other in own_imports(tree)}
            assert inner <= RULEBOOK | ({"scenes"} if name not in RULEBOOK else set()), name


def test_the_scenes_are_plain_functions() -> None:
    """A scene catches nothing: what waits and what is wrong passes through it."""
    tries = [
        (name, node.lineno)
        for name, tree in MODULES.items()
        if name.split(".")[0] == "scenes"
        for node in ast.walk(tree)
        if isinstance(node, (ast.Try, ast.TryStar))
    ]
    assert not tries
