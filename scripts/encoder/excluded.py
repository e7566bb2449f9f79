"""The projects whose source may not be learned from, and the checks that keep them out.

    excluded.py PACKAGES.json [EXCLUDED.txt]

Three checks: a package's own name, the repository that its metadata names (both end the run), and the
folders inside a package (such files, usually vendored copies, are left out). Run as a program it holds
all three against every project of the list and then checks the names in PACKAGES.json.
"""

import json
import os
import re
import sys

PROJECTS = """
Alamofire/Alamofire Bash-it/bash-it DapperLib/Dapper FasterXML/jackson-databind Hejsil/zig-clap
JamesNK/Newtonsoft.Json JetBrains/Exposed Kotlin/kotlinx.coroutines MinishLab/model2vec Seldaek/monolog
SnapKit/SnapKit abseil/abseil-cpp aio-libs/aiohttp apache/commons-lang astropy/astropy axios/axios
bats-core/bats-core circe/circe colinhacks/zod curl/curl django/django echasnovski/mini.nvim
elixir-ecto/ecto elixir-plug/plug encode/httpx encode/starlette expressjs/express fastapi/fastapi
fmtlib/fmt folke/lazy.nvim gin-gonic/gin go-chi/chi google/gson guzzle/guzzle haskell/aeson http4s/http4s
jgm/pandoc ktorio/ktor laravel/framework libuv/libuv matplotlib/matplotlib mwaskom/seaborn
neuecc/MessagePack-CSharp nlohmann/json nvim-telescope/telescope.nvim nvm-sh/nvm pallets/click
pallets/flask phoenixframework/phoenix psf/requests pydantic/pydantic pydata/xarray pylint-dev/pylint
pytest-dev/pytest rack/rack rails/rails redis/redis reduxjs/redux scikit-learn/scikit-learn serde-rs/serde
sinatra/sinatra spf13/cobra sphinx-doc/sphinx sympy/sympy tokio-rs/axum tokio-rs/tokio trpc/trpc
typelevel/cats vapor/vapor vitest-dev/vitest xmonad/xmonad ziglang/zig zigtools/zls
""".split()

# Published names that do not follow from the project's name.
PUBLISHED = """
sklearn libjackson2-databind-java jackson2-databind libgoogle-gson-java libcommons-lang-java
libcommons-lang3-java commons-lang3 libabsl-dev abseil absl-py libcurl4-openssl-dev libuv1 libuv1-dev
libfmt-dev fmtlib nlohmann-json3 nlohmann-json3-dev nlohmann-json hiredis libhiredis-dev
golang-github-spf13-cobra-dev golang-github-gin-gonic-gin-dev golang-github-go-chi-chi-dev
golang-github-go-chi-chi-v5-dev golang-github-stretchr-testify-cobra pydantic-core requests-toolbelt
activerecord activesupport actionpack actionview activemodel activejob actionmailer actioncable railties
""".split()


# What a distribution puts before a project's own name.
PREFIX = re.compile(r"^(haskell|ruby|php|lua|ocaml|elixir|node|python3?|r-cran|janest|kotlin|scala|rust)-")


def _flat(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def load(path=None):
    """The embedded list, joined with the one at `path` when it is given."""
    projects = set(PROJECTS)
    if path:
        with open(path, encoding="utf-8") as f:
            projects |= {line.strip() for line in f if line.strip()}
    return sorted(projects)


class Rules:
    def __init__(self, projects):
        self.projects = {p.lower() for p in projects}
        self.names = {_flat(p.split("/")[1]) for p in projects} | {_flat(n) for n in PUBLISHED}
        self.folders = {p.split("/")[1].lower() for p in projects} | {"absl", "nlohmann", "sklearn"}
        pattern = r"[/:@](" + "|".join(re.escape(p) for p in sorted(self.projects)) + r")(?![\w-])"
        self.repository = re.compile(pattern)

    def package(self, name):
        """Why this package may not be mined, or None."""
        flat = _flat(name)
        if name.lower() in self.projects:
            return f"package {name} is an excluded project"
        own = {flat, PREFIX.sub("", flat)}
        for known in self.names:
            if any(n == known or n.startswith(known + "-") for n in own):
                return f"package {name} belongs to the excluded project {known}"
        for project in self.projects:
            owner_and_name = _flat(project)
            if owner_and_name in flat:
                return f"package {name} belongs to the excluded project {project}"
        return None

    def metadata(self, name, text):
        """text: only the lines of the metadata that say where the package's own source lives."""
        found = self.repository.search(text.lower())
        if found:
            return f"package {name} comes from the excluded repository {found.group(1)}"
        return None

    def path(self, path):
        parts = path.lower().split("/")
        if any(part in self.folders for part in parts[:-1]):
            return True
        if os.path.splitext(parts[-1])[0] in ("json.hpp", "nlohmann_json"):
            return True
        return any("/".join(pair) in self.projects for pair in zip(parts, parts[1:]))


def prove(rules):
    """Ends the run unless every listed project would be caught in each of the three ways."""
    for project in sorted(rules.projects):
        owner, name = project.split("/")
        caught = [
            rules.package(project), rules.package(name), rules.package(f"{owner}-{name}"),
            rules.package("ruby-" + name), rules.package("haskell-" + name),
            rules.metadata("x", f"https://example.org/{project}"), rules.metadata("x", f"git@example.org:{project}.git"),
            rules.path(f"x/vendor-copy/{name}/src/a.c"), rules.path(f"{owner}/{name}/a.c"),
        ]
        if not all(caught):
            sys.exit(f"excluded: {project} would slip through check {[bool(c) for c in caught].index(False)}")
    for name in PUBLISHED:
        if not rules.package(name):
            sys.exit(f"excluded: {name} would slip through")
    if rules.package("harmless") or rules.metadata("x", "https://example.org/a/b") or rules.path("a/src/b.c"):
        sys.exit("excluded: harmless names are refused")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    rules = Rules(load(sys.argv[2] if len(sys.argv) == 3 else None))
    prove(rules)
    with open(sys.argv[1], encoding="utf-8") as f:
        names = [p["name"] for packages in json.load(f).values() for p in packages]
    for name in names:
        problem = rules.package(name)
        if problem:
            sys.exit("excluded: " + problem)
    print(f"exclusions: {len(rules.projects)} projects, none among {len(names)} packages")


if __name__ == "__main__":
    main()
