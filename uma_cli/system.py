"""What the system says of a call that failed, in words that can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from errno import errorcode

from uma_cli.errors import Say, say

CANNOT_PRINT = say("the output cannot be written")

REASONS: Mapping[str, Say] = {
    "EACCES": say("permission denied"),
    "EPERM": say("that is not permitted"),
    "ENOENT": say("there is no such file or folder"),
    "EEXIST": say("there is such a file already"),
    "ENOTDIR": say("a part of the path is no folder"),
    "EISDIR": say("it is a folder"),
    "ELOOP": say("too many links one behind another"),
    "EMLINK": say("too many links"),
    "ENAMETOOLONG": say("the name is too long"),
    "ENOSPC": say("no space is left"),
    "EDQUOT": say("no space is left that you may use"),
    "EFBIG": say("the file would be too large"),
    "EROFS": say("the disk is read-only"),
    "EIO": say("the disk cannot be read or written"),
    "EMFILE": say("too many files are open"),
    "ENFILE": say("too many files are open"),
}
"""By the names of the error numbers; of all others the system's own words are quoted."""


def reason(error: OSError) -> Say:
    """Why the system did not do what was asked."""
    known = REASONS.get(errorcode.get(error.errno or 0, ""))
    return known or say("{system}", system=error.strerror or str(error))
