"""A race's state as other programs read it: the `--json` contract, and the commands that answer a question."""

from __future__ import annotations

from typing import Any

from uma_cli.race import Finish, Runner, kind_of
from uma_cli.replay import Stand
from uma_cli.table import Ask

VERSION = 1


def state(stand: Stand, file: str) -> dict[str, Any]:
    """One object for one race. Keys are only ever added."""
    scene = stand.open
    result = stand.result
    return {
        "uma": VERSION,
        "file": file,
        "title": stand.race.title,
        "scene": stand.scene,
        "status": stand.status,
        "pace": stand.field.pace,
        "waiting": [_waiting(ask, file) for ask in stand.waiting],
        "ahead": [{"question": ask.question, "runner": ask.runner} for ask in (scene.ahead if scene else ())],
        "runners": [_runner(stand, runner, out=False) for runner in stand.field]
        + [_runner(stand, runner, out=True) for runner in stand.field.out],
        "result": None if result is None else [_finish(line) for line in result],
    }


def _waiting(ask: Ask, file: str) -> dict[str, Any]:
    waiting: dict[str, Any] = {
        "scene": ask.scene,
        "question": ask.question,
        "runner": ask.runner,
        "kind": "dice" if ask.dice else "choice",
    }
    if ask.dice:
        waiting["dice"] = ask.dice.faces
        waiting["options"] = [{"answer": "roll", "argv": argv(ask, file, "roll")}]
    else:
        answers = [option.answer for option in ask.options()]
        waiting["options"] = [{"answer": answer, "argv": argv(ask, file, answer)} for answer in answers]
    return waiting


def argv(ask: Ask, file: str, answer: str) -> list[str]:
    """The command that answers a question; `--scene` keeps its repetition from playing another one."""
    return [*call(ask.scene, file), f"--{ask.question}", f"{ask.runner}={answer}"]


def call(scene: str, file: str) -> list[str]:
    """The command that plays a scene on."""
    return ["uma", kind_of(scene), "--scene", scene, named(file)]


def named(file: str) -> str:
    """A file as it is named on a command line, where a dash would begin an option."""
    return f"./{file}" if file.startswith("-") and file != "-" else file


def _runner(stand: Stand, runner: Runner, *, out: bool) -> dict[str, Any]:
    return {
        "name": runner.name,
        "number": runner.number,
        "position": runner.position,
        "kiai": runner.kiai,
        "roll": str(stand.field.tables.roll(runner.kiai)),
        "npc": runner.npc,
        "out": out,
        "flags": ["injury check"] if runner.injury else [],
        "skills": {name: runner.left(skill) for name, skill in runner.skills.items()},
    }


def _finish(line: Finish) -> dict[str, Any]:
    return {
        "place": line.place,
        "name": line.name,
        "score": line.score,
        "lengths": line.lengths,
        "photo_cm": line.photo_cm,
        "npc": line.npc,
        "out": line.place is None,
    }
