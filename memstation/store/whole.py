"""Gives a finished file its name. It must not give a name that is taken."""

from __future__ import annotations

import os
from pathlib import Path


def put_in_place(name: str, path: Path) -> None:
    """Give the file `name` the name `path`, and never write over one that came meanwhile.

    Raises:
        FileExistsError: there is a file of that name.
        OSError: the folder cannot be written.
    """
    try:
        os.link(name, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        # The name is taken first, so that nobody else can, and then what holds it is replaced.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.replace(name, path)
