"""Run uma as `python -m uma_cli`."""

from uma_cli.cli import main

main()
