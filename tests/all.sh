#!/bin/sh
# All tests, types and lint; the first that fails ends it.
set -eu
cd "$(dirname "$0")/.."
ruff check .
ruff format --check .
mypy
coverage erase
coverage run -m pytest
coverage report --include='uma_cli/scenes/*' --fail-under=100
coverage report
