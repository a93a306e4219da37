#!/bin/sh
# All tests, types and lint; the first that fails ends it.
set -eu
cd "$(dirname "$0")/.."
ruff check .
ruff format --check .
mypy
pytest -n auto --dist loadfile --cov --cov-report=
coverage report
coverage report --include='uma_cli/scenes/*' --fail-under=100
