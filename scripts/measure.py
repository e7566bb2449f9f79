"""What measuring scripts share: corpora and revisions, processes with what they cost, and the pages that they write."""

import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path.home() / ".cache" / "sextant"
BENCHMARKS = ROOT / "docs" / "benchmarks.md"


def sh(*command, **kwargs):
    return subprocess.run([str(c) for c in command], check=True, text=True, capture_output=True, **kwargs).stdout


def measured(command, cwd=None, ok=(0,), env=None):
    """Runs a command to its end: its output, and wall and CPU seconds and the peak of its memory in bytes.

    The kernel counts a child from before its 'exec', so no peak is below the one of this process: stay small.
    """
    begun = time.monotonic()
    # Standard error goes to a file: two pipes could wait for each other.
    with tempfile.TemporaryFile() as errors, subprocess.Popen(
            [str(c) for c in command], stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, cwd=cwd,
            env=None if env is None else os.environ | env) as child:
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begun
        errors.seek(0)
        err = errors.read()
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in ok:
        sys.exit(f"error: {' '.join(str(c) for c in command)}: {err.decode(errors='replace')}")
    cpu = usage.ru_utime + usage.ru_stime
    return out.decode(errors="replace"), {"wall": wall, "cpu": cpu, "peak": usage.ru_maxrss * 1024}


def bytes_of(path):
    return sum(f.stat().st_size for f in pathlib.Path(path).rglob("*") if f.is_file() and not f.is_symlink())


def percentile(values, share):
    """The value below which a share of all lies, from 0 to 1."""
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


class Runs:
    """Figures by what was run, a list each."""

    def __init__(self):
        self.of = {}

    def add(self, what, figures):
        self.of.setdefault(what, []).append(figures)

    def median(self, what, figure):
        values = [run[figure] for run in self.of.get(what, []) if run.get(figure) is not None]
        return statistics.median(values) if values else None


def fetched(name, work):
    """The folder of a corpus of that name, fetched if it is not there."""
    tree = work / "corpora" / name
    if tree.is_dir():
        return tree
    fresh = work / "corpora" / f"{name}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    if name == "linux":
        sh("apt-get", "download", "linux-source-6.1", cwd=fresh)
        package = next(fresh.glob("*.deb"))
        sh("dpkg-deb", "-x", package, fresh / "package")
        archive = next((fresh / "package").rglob("linux-source-6.1.tar.xz"))
    elif name == "django":
        sh(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "django==5.2", cwd=fresh)
        archive = next(fresh.glob("*.tar.gz"))
    else:
        sys.exit(f"error: there is no corpus '{name}'\n\nhint: linux, django, or NAME=PATH")
    (fresh / "tree").mkdir()
    sh("tar", "xf", archive, "-C", fresh / "tree", "--strip-components=1")
    (fresh / "tree").rename(tree)
    shutil.rmtree(fresh)
    return tree


def mirrors_of(url, folder):
    """The git directories of a repository, by its owner and name, in a folder of such."""
    owner, name = url.removesuffix(".git").split("/")[-2:]
    for place in (f"{owner}/{name}", f"{owner}/{name}.git", f"{owner}+{name}", f"{owner}+{name}/repo"):
        path = folder / place
        if (path / "HEAD").exists() or (path / ".git").exists():
            yield path


def unpack(git, revision, folder, *paths):
    """Writes the files of a revision, or those at some paths of it, into a folder. False if it could not."""
    archive = subprocess.Popen(["git", "-C", git, "archive", revision, *(["--", *paths] if paths else [])],
                               stdout=subprocess.PIPE)
    unpacked = subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout)
    return archive.wait() == 0 and unpacked.returncode == 0


def unplaced(given):
    """NAME=PATH as a page may show it: where it lies is nobody else's business."""
    name, equals, _ = given.partition("=")
    return f"{name}=PATH" if equals else name


def summary(out):
    """What a command with '--json' says last."""
    return json.loads(out.strip().splitlines()[-1])


def generation(index):
    """The folder of an index with its current tables."""
    return index / (index / "CURRENT").read_text().strip()


def build(sextant_index, trees, index, *more):
    """Builds an index of folders, each NAME=PATH: what it cost, its size, and what it says of itself."""
    if "--no-reuse" in more:
        shutil.rmtree(index, ignore_errors=True)
    out, figures = measured([sextant_index, "build", *trees, "-o", index, "--no-ignore", "--json", *more])
    return figures | {"bytes": bytes_of(generation(index)), "summary": summary(out)}


def where():
    """The machine and the commit, as the first words of a page."""
    commit = sh("git", "-C", ROOT, "rev-parse", "--short", "HEAD").strip()
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return f"{os.cpu_count()} cores of {processor or platform.machine()}, {platform.system()}, commit {commit} or later"


def publish(script, page, heading, write):
    """Prints a page, or puts it between the marks of its script; where there are none, a section is appended."""
    if not write:
        print(page)
        return
    begin, end = (f"<!-- scripts/{script} {what} -->" for what in ("begins", "ends"))
    text = BENCHMARKS.read_text()
    if begin not in text:
        text = f"{text.rstrip()}\n\n## {heading}\n\n{begin}\n{end}\n"
    before, rest = text.split(begin)
    BENCHMARKS.write_text(f"{before}{begin}\n{page.rstrip()}\n{end}{rest.split(end)[1]}")
