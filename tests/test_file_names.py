"""A file that is not there: which one may have been meant."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from tests.conftest import FOUR, Uma

Form = Literal["NFC", "NFD"]
FORMS: list[tuple[Form, Form]] = [("NFC", "NFD"), ("NFD", "NFC")]


@pytest.mark.parametrize(("there", "typed"), FORMS)
@pytest.mark.parametrize("path", ["ダービー.toml", "レース/ダービー.toml"])
def test_a_file_that_looks_the_same_is_named(uma: Uma, tmp_path: Path, there: Form, typed: Form, path: str) -> None:
    """Composed or not, the letters look alike: that is said, and the name that is there can be copied (3)."""
    real = unicodedata.normalize(there, path)
    (tmp_path / real).parent.mkdir(exist_ok=True)
    (tmp_path / real).write_text(FOUR, "utf-8")
    for command in ("gate", "show"):
        called = uma(command, unicodedata.normalize(typed, path))
        assert called.code == 3
        assert "there is no such file, only one that looks the same" in called.err
        assert f"did you mean `{real}`?" in called.err
    assert (tmp_path / real).read_text("utf-8") == FOUR


@pytest.mark.parametrize(("there", "typed"), FORMS)
def test_no_race_is_made_beside_one_that_looks_the_same(uma: Uma, tmp_path: Path, there: Form, typed: Form) -> None:
    """One race would become two; who wants that says so (6)."""
    (tmp_path / unicodedata.normalize(there, "ダービー.toml")).write_text(FOUR, "utf-8")
    name = unicodedata.normalize(typed, "ダービー.toml")
    called = uma("new", name)
    assert called.code == 6
    assert "there is a file that looks the same" in called.err
    assert len(list(tmp_path.iterdir())) == 1
    assert uma("new", name, "--force").code == 0
    assert len(list(tmp_path.iterdir())) == 2


NEAR = {
    "derbi.toml": "derby.toml",
    "derby": "derby.toml",
    "DERBY.toml": "derby.toml",
    "ｄｅｒｂｙ.toml": "derby.toml",
    "derby.tml": "derby.toml",
    "特別週.toml": "特別周.toml",
    "g1": "g1.toml",
    "x.toml": None,
    "notes": None,
}


@pytest.mark.parametrize("typed", NEAR)
def test_a_race_whose_name_is_near_is_suggested_and_not_taken(uma: Uma, tmp_path: Path, typed: str) -> None:
    """Of the same folder, and only races; if there is none, it is told how one is made."""
    (tmp_path / "races").mkdir()
    for name in ("derby.toml", "特別周.toml", "g1.toml", "a.toml", "notes.txt"):
        (tmp_path / "races" / name).write_text(FOUR, "utf-8")
    called = uma("gate", f"races/{typed}")
    assert called.code == 3
    near = NEAR[typed]
    hint = f"did you mean `races/{near}`?" if near else "uma new makes one"
    assert called.err == f"uma: races/{typed}: there is no such file\nhint: {hint}\n"
    assert (tmp_path / "races" / "derby.toml").read_text("utf-8") == FOUR


def test_a_name_that_is_near_is_shown_clean(uma: Uma, tmp_path: Path) -> None:
    """What a terminal would act on does not come out of a file name either."""
    (tmp_path / "derby\x1b[2J.toml").write_text(FOUR, "utf-8")
    called = uma("show", "derby2J.toml")
    assert "did you mean `derby\\x1b[2J.toml`?" in called.err
    assert "\x1b" not in called.err
