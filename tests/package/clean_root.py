#!/usr/bin/env python3
"""clean_root.py ROOT PACKAGE.deb

Makes ROOT a small Debian system, to install PACKAGE.deb into: the essential packages, and whatever PACKAGE.deb depends
on or recommends, with their own dependencies. All files are copied from this machine, whose dpkg knows which file
belongs to which package. So it needs no network, and nothing else of this machine is in ROOT.
"""
import os
import re
import shutil
import subprocess
import sys

DPKG = "/var/lib/dpkg"
NOT_NEEDED = re.compile(r"/usr/share/(doc|info|locale|man)/")


def read_stanza(text):
    return dict(re.findall(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)", text, re.MULTILINE))


def installed_packages():
    """Stanzas of dpkg's status by package, and the packages by what they are or provide."""
    stanzas, providers = {}, {}
    for text in open(f"{DPKG}/status", encoding="utf-8").read().split("\n\n"):
        fields = read_stanza(text)
        if not fields.get("Status", "").endswith(" installed"):
            continue
        name = fields["Package"]
        stanzas.setdefault(name, []).append((text, fields))
        provided = re.sub(r"\([^)]*\)", "", fields.get("Provides", ""))
        for word in [name, *provided.replace(",", " ").split()]:
            providers.setdefault(word, name)
    return stanzas, providers


def dependencies(fields, kinds):
    """Lists of alternatives, without versions: dpkg compares these when it installs."""
    text = ", ".join(fields[kind] for kind in kinds if fields.get(kind))
    for group in filter(None, (part.strip() for part in text.split(","))):
        yield [re.sub(r"[:(\[ ].*", "", word.strip()) for word in group.split("|")]


def closure(wanted, stanzas, providers):
    chosen, open_groups = set(), list(wanted)
    while open_groups:
        group = open_groups.pop()
        name = next((providers[word] for word in group if word in providers), None)
        if name is None:
            sys.exit(f"not installed here: {' | '.join(group)}")
        if name not in chosen:
            chosen.add(name)
            for _, fields in stanzas[name]:
                open_groups += dependencies(fields, ["Pre-Depends", "Depends"])
    return chosen


def lists_of(name):
    """The lists of the files of a package, for each of its architectures."""
    pattern = re.compile(re.escape(name) + r"(:[a-z0-9-]+)?\.list")
    return [file for file in lists_of.all if pattern.fullmatch(file)]


lists_of.all = os.listdir(f"{DPKG}/info")


def copy(root, path):
    """As it is here. Folders may be links (/bin is usr/bin): paths are resolved but for the last part."""
    folder, name = os.path.split(path)
    path = os.path.join(os.path.realpath(folder), name)
    target = root + path
    if NOT_NEEDED.match(path) or os.path.lexists(target) or not os.path.lexists(path):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(path) and not os.path.islink(path):
        os.makedirs(target, exist_ok=True)
    else:
        shutil.copy2(path, target, follow_symlinks=False)


def choose_alternatives(root):
    """Commands such as c++ are links that update-alternatives makes."""
    shutil.copytree(f"{DPKG}/alternatives", f"{root}{DPKG}/alternatives", dirs_exist_ok=True)
    os.makedirs(f"{root}/etc/alternatives", exist_ok=True)
    for name in os.listdir(f"{DPKG}/alternatives"):
        text = open(f"{DPKG}/alternatives/{name}", encoding="utf-8").read()
        if any(os.path.lexists(root + path) for path in re.findall(r"^/.*", text, re.MULTILINE)):
            subprocess.run(["update-alternatives", "--root", root, "--auto", name], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_root(root, package):
    stanzas, providers = installed_packages()
    control = read_stanza(subprocess.check_output(["dpkg-deb", "--field", package], text=True))
    wanted = list(dependencies(control, ["Depends", "Recommends"]))
    wanted += [[name] for name in stanzas if stanzas[name][0][1].get("Essential") == "yes"]
    chosen = sorted(closure(wanted, stanzas, providers))

    for link in ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]:
        copy(root, link)
    for folder in ["dev", "etc", "home", "proc", "tmp", f"{DPKG}/info", f"{DPKG}/updates"]:
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    for name in chosen:
        for file in lists_of(name):
            shutil.copy2(f"{DPKG}/info/{file}", f"{root}{DPKG}/info/{file}")
            for path in open(f"{DPKG}/info/{file}", encoding="utf-8").read().split("\n"):
                if path not in ("", "/."):
                    copy(root, path)
    with open(f"{root}{DPKG}/status", "w", encoding="utf-8") as status:
        status.write("".join(text.strip() + "\n\n" for name in chosen for text, _ in stanzas[name]))
    open(f"{root}/dev/null", "w", encoding="utf-8").close()  # a device may not be allowed in a container
    choose_alternatives(root)
    subprocess.run(["ldconfig", "-r", root], check=True)
    print(f"{root}: {len(chosen)} packages")


if __name__ == "__main__":
    make_root(os.path.abspath(sys.argv[1]), sys.argv[2])
