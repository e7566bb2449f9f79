"""Makes the virtual environment of requirements.txt under FOLDER and prints its python.

    venv.py FOLDER

The folder's name carries the digest of requirements.txt, so a change of a pin makes a new one.
Runs with a bare python3; everything that it says goes to standard error.
"""

import hashlib
import os
import shutil
import subprocess
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.version_info < (3, 11):
        sys.exit("venv: python 3.11 or newer is needed")
    pins = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
    with open(pins, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()[:12]
    tag = f"py{sys.version_info.major}{sys.version_info.minor}-{digest}"
    home = os.path.join(os.path.abspath(sys.argv[1]), tag)
    python = os.path.join(home, "bin", "python")
    done = os.path.join(home, "complete")
    if not os.path.exists(done):
        shutil.rmtree(home, ignore_errors=True)
        print(f"venv: installing the pinned packages into {home}", file=sys.stderr)
        steps = [
            [sys.executable, "-m", "venv", home],
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--only-binary", ":all:", "-r", pins],
        ]
        for step in steps:
            if subprocess.run(step, stdout=sys.stderr).returncode != 0:
                sys.exit("venv: failed: " + " ".join(step))
        open(done, "w").close()
    print(python)


if __name__ == "__main__":
    main()
