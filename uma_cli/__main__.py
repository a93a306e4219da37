"""Run uma: as `uma`, or as `python -m uma_cli`."""

from __future__ import annotations

import gc

from uma_cli import streams


def main() -> None:
    """Run uma, and leave with its exit code.

    A call is a process: it is over before there is garbage worth collecting, and what it holds is nobody's to take
    apart when it leaves.
    """
    gc.disable()
    try:
        streams.guard_streams()
        from uma_cli.cli import run

        streams.leave(run())
    except (KeyboardInterrupt, streams.Stopped) as error:
        streams.die_by(error)
        raise


if __name__ == "__main__":
    main()
