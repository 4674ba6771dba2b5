"""Every command `featherline ...` of the README and of runtime/guide runs as it stands there, from the root of the
sources. Commands for files that are not here (legs.urdf) and those that compile (tune, check) are counted only.

commands.py FEATHERLINE ROOT"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

featherline, root = sys.argv[1], pathlib.Path(sys.argv[2])
pages = [root / "README.md", *sorted((root / "runtime" / "guide").glob("*.md"))]


def commands(page):
    """The lines of code blocks that begin with the tool's name; a backslash joins a line with the next."""
    for block in re.findall(r"^```(?:sh)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if re.match(r"(\$ )?featherline ", line):
                yield shlex.split(line.removeprefix("$ "), comments=True)[1:]


def is_run(arguments):
    if arguments[0] in ("tune", "check") or "--choices" in arguments:
        return False
    if "ptx" in arguments and shutil.which("clang++") is None:
        return False
    return all((root / word).exists() for word in arguments if word.endswith((".urdf", ".xml", ".xacro")))


failed, ran, left = 0, 0, 0
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "robots").symlink_to(root / "robots")
    for page in pages:
        for arguments in commands(page):
            if not is_run(arguments):
                left += 1
                continue
            result = subprocess.run([featherline, *arguments], cwd=folder, text=True, capture_output=True)
            ran += 1
            if result.returncode != 0:
                failed += 1
                print(f"{page.name}: featherline {shlex.join(arguments)}\n{result.stderr}")
            subprocess.run(["rm", "-rf", pathlib.Path(folder) / "out"], check=True)
print(f"{ran} commands ran, {failed} failed; {left} were left out")
sys.exit(failed > 0 or ran < 8)
