"""The list of promises is complete, and each has its tests."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROMISES = tomllib.loads((HERE / "promises.toml").read_text("utf-8"))
TOPICS = {
    "command-line": [
        *("streams", "many-files", "stdin", "quiet", "dry-run", "repeat", "colour", "width", "cjk", "encodings"),
        *("errors", "did-you-mean", "help", "version", "prompts", "progress", "completion", "manual", "start-up"),
        *("git", "network"),
    ],
    "never-wrong": [
        *("exit-codes", "no-fault", "many-files", "untouched", "saved-is-done", "interrupt", "order"),
        *("proof", "new-never-overwrites", "two-writers", "show-writes-nothing", "mode-and-links", "bytes"),
        *("no-room", "closed-descriptors", "wildcards", "windows-replace", "what-is-read", "conflicts"),
        *("merges", "wrong-toml"),
        *("format", "unknown-keys", "types", "limits", "nothing-raw", "names", "markup", "safe-completion"),
        *("posts", "formulas", "chance", "dry-dice", "fair-dice", "seeded-dice", "typed-dice"),
    ],
}
"""How uma behaves on a command line, and what must never go wrong: exit codes, writing, reading, output, dice."""


def names_in(file: str) -> set[str]:
    """The names of the tests in a file."""
    tree = ast.parse((HERE / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_topic_is_promised() -> None:
    """Nothing of how uma behaves is left out, and nothing is promised that is no topic."""
    assert {group: list(promises) for group, promises in PROMISES.items()} == TOPICS


@pytest.mark.parametrize(("group", "topic"), [(group, topic) for group, topics in TOPICS.items() for topic in topics])
def test_a_promise_has_its_tests(group: str, topic: str) -> None:
    """It is a sentence, and names tests that are there, each once."""
    promise = PROMISES[group][topic]
    tests = promise["test"] if isinstance(promise["test"], list) else [promise["test"]]
    assert set(promise) == {"promise", "test"}
    assert promise["promise"]
    assert tests
    assert len(set(tests)) == len(tests)
    for test in tests:
        file, _, name = test.partition("::")
        assert name in names_in(file)
