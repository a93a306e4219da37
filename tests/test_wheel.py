"""The wheel brings all that is promised to where it is looked for, and takes all of it away again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.name for path in (ROOT / "man").glob("uma*.[157]"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, check=False, text=True)
    if "No module named hatchling" in done.stderr:
        pytest.skip("hatchling is not installed")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def files_of(folder: Path) -> set[str]:
    """All files under a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


def pip(home: Path, *arguments: str) -> None:
    """Call pip for a virtual environment that has none of its own."""
    called = [sys.executable, "-m", "pip", "--python", str(home), "--disable-pip-version-check", *arguments]
    done = subprocess.run(called, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr


def test_a_wheel_is_the_package_its_pages_and_its_completions(wheel: Path) -> None:
    """Nothing of the tests, and of the package every file."""
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {str(path.relative_to(ROOT)) for path in (ROOT / "uma_cli").rglob("*") if path.is_file()}
    assert {name for name in names if name.startswith("uma_cli/")} == {
        name for name in package if "__pycache__" not in name
    }
    data = {name.partition(".data/data/share/")[2] for name in names if ".data/" in name}
    assert data == {
        *(f"man/man{page[-1]}/{page}" for page in PAGES),
        "bash-completion/completions/uma",
        "zsh/site-functions/_uma",
        "fish/vendor_completions.d/uma.fish",
    }
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"uma_cli"}


@pytest.mark.skipif(sys.platform == "win32", reason="the layout of POSIX")
def test_pip_installs_the_pages_where_man_looks_and_removes_all(wheel: Path, tmp_path: Path) -> None:
    """With nothing set but the PATH, man finds each page; after uninstalling, the environment is as it was."""
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    before = files_of(home)
    pip(home, "install", "--no-deps", "--no-index", "--no-compile", str(wheel))
    assert {f"share/man/man{page[-1]}/{page}" for page in PAGES} | {"bin/uma"} <= files_of(home)
    if shutil.which("man"):
        path = os.pathsep.join((str(home / "bin"), os.environ["PATH"]))
        for page in PAGES:
            name, _, section = page.rpartition(".")
            found = subprocess.run(
                ["man", "-w", section, name],
                env={"PATH": path, "HOME": str(tmp_path)},
                capture_output=True,
                check=False,
                text=True,
            )
            assert found.stdout.strip() == str(home / "share" / "man" / f"man{section}" / page), found.stderr
    pip(home, "uninstall", "--yes", "uma-cli")
    assert files_of(home) == before
