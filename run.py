"""Start or test Signet on a machine with only Python and git: `python3 run.py play`, `python3 run.py test`.

Makes `.venv` beside this file, installs the pinned packages by their hashes and then the project, and runs the real
command. Uses only the standard library, and only syntax that an old Python can read, to say that it is too old.
"""

import hashlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.environ.get("SIGNET_VENV") or os.path.join(HERE, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
PIP = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]


def install(pins):
    """Brings the environment to these pins; does nothing if it has them already."""
    if not os.path.exists(PYTHON):
        print("Making %s ..." % VENV, flush=True)
        if subprocess.call([sys.executable, "-m", "venv", VENV]):
            sys.exit("Python could not make a virtual environment. On Debian and Ubuntu: apt install python3-venv.")
    wanted = hashlib.sha256(sys.version.encode())
    for name in (pins, "pyproject.toml"):
        with open(os.path.join(HERE, name), "rb") as file:
            wanted.update(file.read())
    stamp = os.path.join(VENV, os.path.basename(pins) + ".installed")
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == wanted.hexdigest():
                return
    print("Installing Signet's packages ...", flush=True)
    # Two steps, as pip takes no hash for a folder: everything else comes first, then the folder without dependencies.
    steps = [["--require-hashes", "-r", os.path.join(HERE, pins)], ["--no-deps", "--no-build-isolation", "-e", HERE]]
    for step in steps:
        if subprocess.call(PIP + step):
            sys.exit("The installation failed: see above. The first run needs a network connection.")
    with open(stamp, "w") as file:
        file.write(wanted.hexdigest())


def main(what="", *rest):
    """Installs what is missing, then runs the real command in place of this one."""
    if sys.version_info < (3, 11):
        sys.exit("Signet needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])
    if what in ("test", "check"):  # the same: the tests check format, lint and types as well
        install("requirements/test.txt")
        os.chdir(HERE)
        # All of them: two at a time, file by file. Selected ones: in one process, where a failure is easier to read.
        some = any(word.startswith(("tests", "-n", "-k", "-x", "--pdb")) for word in rest)
        two = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
        command = [PYTHON, "-m", "pytest", *([] if some else two), *rest]
    elif what == "texts":
        install("requirements/test.txt")
        command = [PYTHON, os.path.join(HERE, "tools", "texts.py"), *rest]
    elif what == "bench":
        install("requirements/bench.txt")
        os.chdir(HERE)
        command = [PYTHON, "-m", "benchmarks", *rest]
    elif what == "play":
        install("requirements/play.txt")
        command = [PYTHON, "-m", "app.cli", "play", *rest]
    else:
        sys.exit("Use `python3 run.py play` to start Signet, or `python3 run.py test` to run all its tests.")
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
