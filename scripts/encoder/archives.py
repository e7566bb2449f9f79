"""The files inside a downloaded package: folders, wheels, jars, Debian packages and tar archives."""

import glob
import io
import os
import re
import subprocess
import tarfile
import zipfile

MAX_FILE = 3_000_000


def _tar_members(stream, mode):
    with tarfile.open(fileobj=stream, mode=mode) as tar:
        for member in tar:
            if member.isfile() and member.size <= MAX_FILE or member.name.endswith("src.zip"):
                if member.isfile():
                    yield member.name.removeprefix("./"), lambda m=member: tar.extractfile(m).read()


def _zip_members(stream):
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            if not info.is_dir() and info.file_size <= MAX_FILE:
                yield info.filename, lambda i=info: archive.read(i)


def members(path):
    """(name inside the archive, reader) for every file of a package."""
    if os.path.isdir(path):
        for folder, folders, files in sorted(os.walk(path)):
            folders.sort()
            for name in sorted(files):
                whole = os.path.join(folder, name)
                if os.path.getsize(whole) <= MAX_FILE:
                    yield os.path.relpath(whole, path), lambda w=whole: open(w, "rb").read()
    elif path.endswith((".whl", ".zip", ".jar")):
        yield from _zip_members(path)
    elif path.endswith(".deb"):
        unpack = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE)
        for name, read in _tar_members(unpack.stdout, "r|"):
            if name.endswith("src.zip"):
                yield from _zip_members(io.BytesIO(read()))
            else:
                yield name, read
        unpack.stdout.close()
        unpack.wait()
    else:
        with open(path, "rb") as f:
            yield from _tar_members(f, "r|*")


def homepage(path):
    """The home page that Debian states for a package or a source, or ''."""
    if path.endswith(".deb"):
        return subprocess.run(["dpkg-deb", "-f", path, "Homepage"], capture_output=True, text=True).stdout
    for description in glob.glob(os.path.join(os.path.dirname(path), "*.dsc")):
        with open(description, encoding="utf-8", errors="replace") as f:
            return "\n".join(re.findall(r"(?m)^Homepage:.*$", f.read()))
    return ""
