"""The list of promises is complete, and each has its test."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROMISES = tomllib.loads((HERE / "promises.toml").read_text("utf-8"))
TOPICS = [
    *("streams", "many-files", "stdin", "quiet", "dry-run", "repeat", "colour", "width", "cjk", "encodings", "errors"),
    *("did-you-mean", "help", "version", "prompts", "progress", "completion", "manual", "start-up", "git", "network"),
]


def test_every_topic_of_the_command_line_is_promised() -> None:
    """Nothing of how uma behaves on a command line is left out."""
    assert list(PROMISES) == TOPICS


@pytest.mark.parametrize("topic", PROMISES)
def test_a_promise_has_a_test(topic: str) -> None:
    """It names a test that is there."""
    assert PROMISES[topic]["promise"]
    file, _, name = PROMISES[topic]["test"].partition("::")
    tree = ast.parse((HERE / file).read_text("utf-8"))
    tests = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    assert name in tests
