"""Where the programs are that the scripts run: those that a variable names, else those of the last build.

SEXTANT_BIN names `sextant`, SEXTANT_INDEX_BIN `sextant-index` and INSPECT the example `inspect`: a path, or a name on
PATH. The last build is in `release` below $CARGO_TARGET_DIR, by default $SEXTANT_BUILDS/target, as scripts/environment
defines. Paths are absolute, for scripts run programs in other folders. A program that is not there ends the script with a
message, so ask for programs before anything that takes long. This module imports none of the others:
scripts/edge-accuracy has another `measure`.
"""

import hashlib
import os
import pathlib
import shutil
import sys

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sextant"
BUILDS = pathlib.Path(os.environ.get("SEXTANT_BUILDS") or CACHE)


def sextant(folder=None):
    """The search program; that of a folder, if one is given."""
    return find("sextant", "SEXTANT_BIN", folder)


def sextant_index(folder=None):
    """The program that builds indexes; that of a folder, if one is given."""
    return find("sextant-index", "SEXTANT_INDEX_BIN", folder)


def inspect():
    """The example that prints the symbols of files."""
    return find("examples/inspect", "INSPECT")


def other(name, folder=None):
    """Another program of the last build, which no variable names; that of a folder, if one is given."""
    return find(name, None, folder)


def stamp(program):
    """What tells a program from another build of it, for the folder of what it made."""
    return hashlib.sha256(program.read_bytes()).hexdigest()[:16]


def find(name, variable, folder=None):
    named = os.environ.get(variable) if variable and not folder else None
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or BUILDS / "target")
    wanted = named or str((pathlib.Path(folder) if folder else target / "release").absolute() / name)
    # Only a name without a folder is looked for on PATH.
    found = shutil.which(wanted)
    if not found:
        what = f"{variable} names '{named}', which is no program" if named else f"there is no program '{wanted}'"
        way = "name its folder with --bin" if folder else f"set {variable or 'CARGO_TARGET_DIR'}"
        sys.exit(f"error: {what}\n\nhint: build it with scripts/test, or {way}")
    return pathlib.Path(found).absolute()
