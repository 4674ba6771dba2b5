#!/usr/bin/env python3
"""Bad robots as changes of good ones.

A case says how a robot of robots/ is changed, and what has to be said about the result. A change begins with @@. Its
lines begin with a space (kept), - (taken out) or + (put in); what is kept or taken out stands in the robot once. A case
without changes has a robot of its own. Files whose bytes matter lie beside the cases, NAME.urdf with NAME.txt.

    cases.py unpack FOLDER    writes NAME.urdf and NAME.txt of every case into FOLDER, and nothing else stays there
    cases.py take FOLDER      takes what has to be said from FOLDER/NAME.txt
"""
import pathlib
import shutil
import sys

FOLDER = pathlib.Path(__file__).parent
CASES = FOLDER / "cases"
ROBOT, CASE, SAYS = "## robot ", "## case ", "## says\n"


def fail(text):
    sys.exit("cases.py: " + text)


def applied(robot, changes, where):
    """The lines of the robot with all changes applied."""
    result = list(robot)
    for change in changes:
        if any(line[0] not in " -+" for line in change):
            fail(f"{where}: a line of a change begins with a space, - or +")
        old = [line[1:] for line in change if line[0] in " -"]
        new = [line[1:] for line in change if line[0] in " +"]
        places = [k for k in range(len(result) - len(old) + 1) if result[k:k + len(old)] == old]
        if len(places) != 1:
            fail(f"{where}: a change fits {len(places)} places of the robot; it has to fit one:\n" + "".join(change))
        result[places[0]:places[0] + len(old)] = new
    return result


def sections(file):
    """Pairs of a heading and its lines."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("## "):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
        else:
            fail(f"{file}: the first line must be a heading")
    return found


def split_changes(lines):
    changes = []
    for line in lines:
        if line == "@@\n":
            changes.append([])
        else:
            changes[-1].append(line)
    return changes


def cases(file):
    """Name, text of the robot, and what has to be said, of every case of a file."""
    robot, name, text = [], None, None
    for heading, lines in sections(file):
        if heading.startswith(ROBOT):
            robot = (FOLDER / "robots" / heading[len(ROBOT):].strip()).read_text().splitlines(keepends=True)
        elif heading.startswith(CASE):
            name = heading[len(CASE):].strip()
            text = applied(robot, split_changes(lines), f"{file}: {name}") if lines[:1] == ["@@\n"] else lines
        elif heading == SAYS:
            yield name, "".join(text), "".join(lines)
        else:
            fail(f"{file}: {heading.strip()} is not a heading; write ## robot FILE, ## case NAME or ## says")


def unpack(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in sorted(CASES.iterdir()):
        if file.suffix != ".cases":
            shutil.copyfile(file, folder / file.name)
            continue
        for name, text, says in cases(file):
            input = folder / name
            if input.exists():
                fail(f"{file}: there are two cases {name}")
            input.write_bytes(text.encode())
            input.with_suffix(".txt").write_bytes(says.encode())


def take(folder):
    for file in sorted(CASES.iterdir()):
        if file.suffix == ".txt":
            shutil.copyfile(folder / file.name, file)
        if file.suffix != ".cases":
            continue
        text, name = "", None
        for heading, lines in sections(file):
            if heading.startswith(CASE):
                name = heading[len(CASE):].strip()
            says = (folder / name).with_suffix(".txt").read_text(encoding="utf-8") if heading == SAYS else None
            text += heading + ("".join(lines) if says is None else says)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    commands = {"unpack": unpack, "take": take}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        fail("write unpack FOLDER or take FOLDER")
    commands[sys.argv[1]](pathlib.Path(sys.argv[2]))
