"""Starts the programs `sextant` and `sextant-index` that the package contains."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def path(name: str) -> Path:
    """The path of a program."""
    return Path(__file__).parent / "bin" / (name + (".exe" if os.name == "nt" else ""))


def _run(name: str) -> None:
    arguments = [str(path(name)), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(arguments).returncode)
    os.execv(arguments[0], arguments)


def sextant() -> None:
    _run("sextant")


def sextant_index() -> None:
    _run("sextant-index")
