"""Downloads the packages of packages.json with the registries' ordinary clients.

    fetch.py PACKAGES.json FOLDER [EXCLUDED.txt]

FOLDER/archives.json then names the files of every package. What is already there is not fetched again.
Needs pip (this python's), npm, cargo, git, and on Debian apt-get and dpkg-deb. SEXTANT_MIRRORS may name a
folder of git directories OWNER+NAME/repo: a repository found there is not cloned.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import excluded
import languages
from common import fail, write_json

COMMITS = 3000  # of a repository


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        return done.stdout[-2000:]
    return None


def marker(folder, package):
    return os.path.join(folder, re.sub(r"[^\w.-]", "_", package["name"] + "-" + package["version"]))


def intact(folder, pattern):
    """Whether every file that is wanted of a Debian source came, as its description says."""
    descriptions = glob.glob(os.path.join(folder, "*.dsc"))
    if len(descriptions) != 1:
        return False
    with open(descriptions[0], encoding="utf-8", errors="replace") as f:
        sums = re.findall(r"(?m)^ ([0-9a-f]{64}) \d+ (\S+)$", f.read())
    wanted = [(digest, name) for digest, name in sums if re.search(pattern, name)]
    for digest, name in wanted:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            return False
        with open(path, "rb") as f:
            if hashlib.file_digest(f, "sha256").hexdigest() != digest:
                return False
    return bool(wanted)


def per_package(packages, folder, command, pattern, check=None):
    """One download into a folder of its own for each package; `check` may forgive a client's complaint."""
    found = {}
    for p in packages:
        home = marker(folder, p)
        if not os.path.isdir(home):
            part = home + ".part"
            shutil.rmtree(part, ignore_errors=True)
            os.makedirs(part)
            problem = run(command(p), cwd=part)
            if problem and not (check and check(part, pattern)):
                fail(f"cannot download {p['name']} {p['version']}:\n{problem}")
            os.rename(part, home)
        files = sorted(f for f in glob.glob(os.path.join(home, "*")) if re.search(pattern, f))
        if not files:
            fail(f"the download of {p['name']} {p['version']} holds nothing to read")
        found[p["name"]] = files
    return found


def pypi(packages, folder):
    base = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", "--python-version", "3.11", "--dest", "."]
    for platform in ("manylinux2014_x86_64", "manylinux_2_28_x86_64", "any"):
        base += ["--platform", platform]
    return per_package(packages, folder, lambda p: base + [f"{p['name']}=={p['version']}"], r"\.whl$")


def npm(packages, folder):
    return per_package(
        packages, folder,
        lambda p: ["npm", "pack", "--silent", "--ignore-scripts", f"{p['name']}@{p['version']}"], r"\.tgz$",
    )


def debian_setup(folder):
    """A private package state, with sources, made of this machine's own list of Debian archives."""
    lists = []
    for path in ["/etc/apt/sources.list"] + sorted(glob.glob("/etc/apt/sources.list.d/*")):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if "debian-archive-keyring" in text or "debian" in os.path.basename(path) or path.endswith("sources.list"):
                lists.append((os.path.basename(path), text))
    parts = os.path.join(folder, "sources")
    for sub in ("lists/partial", "cache/archives/partial", "sources"):
        os.makedirs(os.path.join(folder, sub), exist_ok=True)
    for name, text in lists:
        if name.endswith(".sources"):
            text = re.sub(r"(?m)^Types:.*$", "Types: deb deb-src", text)
        else:
            text += "\n" + re.sub(r"(?m)^deb ", "deb-src ", text)
        with open(os.path.join(parts, name if "." in name else name + ".list"), "w", encoding="utf-8") as f:
            f.write(text)
    config = os.path.join(folder, "apt.conf")
    with open(config, "w", encoding="utf-8") as f:
        f.write(
            f'Dir::State "{folder}";\nDir::State::Lists "{folder}/lists";\nDir::Cache "{folder}/cache";\n'
            f'Dir::State::status "/var/lib/dpkg/status";\nDir::Etc::sourcelist "-";\nDir::Etc::sourceparts "{parts}";\n'
            'APT::Sandbox::User "root";\n'
        )
    environment = dict(os.environ, APT_CONFIG=config)
    problem = run(["apt-get", "update"], env=environment)
    if problem:
        fail("apt-get update:\n" + problem)
    os.environ["APT_CONFIG"] = config


def debian(packages, folder):
    return per_package(packages, folder, lambda p: ["apt-get", "download", f"{p['name']}={p['version']}"], r"\.deb$")


def debian_source(packages, folder):
    return per_package(
        packages, folder,
        lambda p: ["apt-get", "source", "--only-source", "--download-only", f"{p['name']}={p['version']}"],
        r"\.orig[\w.-]*\.tar\.\w+$",
        # Debian's own part of a source is not read and may be missing from a mirror.
        check=intact,
    )


def crates(packages, folder):
    """The sources that cargo already unpacked here; what is missing, cargo fetches into FOLDER."""
    own = os.path.join(folder, "home")
    homes = [os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo"), own]

    def look():
        found = {}
        for p in packages:
            for home in homes:
                hit = sorted(glob.glob(os.path.join(home, "registry", "src", "*", f"{p['name']}-{p['version']}")))
                if hit:
                    found[p["name"]] = hit[:1]
                    break
        return found

    def fetch(wanted):
        project = os.path.join(folder, "project")
        shutil.rmtree(project, ignore_errors=True)
        os.makedirs(os.path.join(project, "src"))
        open(os.path.join(project, "src", "lib.rs"), "w").close()
        with open(os.path.join(project, "Cargo.toml"), "w", encoding="utf-8") as f:
            f.write('[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n')
            for p in wanted:
                f.write(f"{p['name']} = {{ version = \"={p['version']}\", default-features = false }}\n")
        return run(["cargo", "fetch"], cwd=project, env=dict(os.environ, CARGO_HOME=own))

    found = look()
    missing = [p for p in packages if p["name"] not in found]
    # All at once; pins that exclude one another are fetched one by one.
    if missing and fetch(missing):
        for p in missing:
            problem = fetch([p])
            if problem:
                fail(f"cannot download {p['name']} {p['version']}:\n{problem}")
    found = look()
    for p in packages:
        if p["name"] not in found:
            fail(f"no sources of {p['name']} {p['version']}")
    return found


def git(packages, folder):
    """The files of one commit of a public repository, as a tar archive, and what its last commits say."""
    mirrors = os.environ.get("SEXTANT_MIRRORS")
    found = {}

    def go(p, *command):
        problem = run(["git", *command])
        if problem:
            fail(f"cannot fetch {p['name']} {p['version']}:\n{problem}")

    for p in packages:
        path = marker(folder, p) + ".tar"
        log = path.removesuffix(".tar") + ".log"
        if not os.path.exists(path) or not os.path.exists(log):
            files = history = os.path.join(mirrors, p["name"].replace("/", "+"), "repo") if mirrors else ""
            if not os.path.isdir(files):
                # The files come whole but without history, the history without files.
                files, history = os.path.join(folder, "files"), os.path.join(folder, "history")
                source = f"https://github.com/{p['name']}.git"
                for clone in (files, history):
                    shutil.rmtree(clone, ignore_errors=True)
                go(p, "init", "--quiet", "--bare", files)
                go(p, "-C", files, "fetch", "--quiet", "--depth", "1", source, p["version"])
                go(p, "clone", "--quiet", "--bare", "--filter=blob:none", source, history)
            top = subprocess.run(["git", "-C", files, "ls-tree", "--name-only", p["version"]], stdout=subprocess.PIPE, text=True)
            told = [n for n in top.stdout.split("\n") if re.match(r"(?i)(licen[cs]e|copying)|.*\.opam$", n)]
            wanted = [":(glob)**/*" + suffix for suffix in languages.SUFFIXES[p["language"]]]
            go(p, "-C", files, "archive", "--format=tar", "-o", path + ".part", p["version"], *wanted, *told)
            os.rename(path + ".part", path)
            go(p, "-C", history, "-c", "core.quotePath=false", "log", "--no-merges", "--no-renames", "--name-only", "-n", str(COMMITS),
               "--format=%x00%s", "--output=" + log + ".part", p["version"])
            os.rename(log + ".part", log)
        found[p["name"]] = [path]
    return found


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[2])
    with open(sys.argv[1], encoding="utf-8") as f:
        manifest = json.load(f)
    rules = excluded.Rules(excluded.load(sys.argv[3] if len(sys.argv) == 4 else None))
    excluded.prove(rules)
    for packages in manifest.values():
        for p in packages:
            problem = rules.package(p["name"])
            if problem:
                fail(problem)
    archives = {}
    for registry, client in (("crates", crates), ("pypi", pypi), ("npm", npm), ("debian", debian),
                             ("debian_source", debian_source), ("git", git)):
        packages = manifest.get(registry, [])
        home = os.path.join(folder, registry)
        os.makedirs(home, exist_ok=True)
        if registry == "debian" and packages:
            debian_setup(os.path.join(folder, "apt"))
        print(f"{registry}: {len(packages)} packages", flush=True)
        for name, files in client(packages, home).items():
            archives[f"{registry}/{name}"] = files
    write_json(os.path.join(folder, "archives.json"), archives)


if __name__ == "__main__":
    main()
