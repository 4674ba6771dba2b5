"""Whose files may be loaded: code that another user can write would run as this one.

A path is safe if nobody but this user and root can change any level of it, as ssh asks of its keys. What is checked from
the root downwards stays as it was found: only these two could change it.
"""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat


def private_folder(folder: str, make: bool = True) -> str:
    """The folder without links, made for this user alone at every level that is missing.

    Raises:
        PermissionError: Others could put files there; the message names the level, its owner, its mode and the remedy.
        OSError: It cannot be made; without `make`, it is not there.
    """
    folder = os.path.realpath(folder)
    place = os.sep
    for name in folder.split(os.sep):
        place = os.path.join(place, name)
        try:
            status = os.lstat(place)
        except FileNotFoundError:
            if not make:
                raise
            try:
                os.mkdir(place, 0o700)
            except FileExistsError:  # another process was faster
                pass
            status = os.lstat(place)
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, f"{place} is not a folder")
        # Where the sticky bit is set, as in /tmp, nobody can replace what belongs to others.
        is_sticky = status.st_mode & stat.S_ISVTX and place != folder
        if not _is_ours(status) or (_others_write(status) and not is_sticky):
            raise PermissionError(errno.EPERM, _fault(place, status))
    return folder


def is_private(path: str) -> bool:
    """Whether this is a file or folder, not a link, that others cannot change. The folder that it is in must be private."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return not stat.S_ISLNK(status.st_mode) and _is_ours(status) and not _others_write(status)


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid in (os.geteuid(), 0)


def _others_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid):
        return True
    return bool(status.st_mode & stat.S_IWOTH)


def _is_own_group(group: int) -> bool:
    """Whether nobody else is in it: many systems give every user a group of the same name."""
    try:
        user, facts = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return group == user.pw_gid and facts.gr_name == user.pw_name and set(facts.gr_mem) <= {user.pw_name}


def _fault(place: str, status: os.stat_result) -> str:
    try:
        owner = pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        owner = str(status.st_uid)
    remedy = f"; chmod go-w {place} mends it" if status.st_uid == os.geteuid() else ""
    return (f"others could put code into {place}, of owner {owner} and mode {stat.S_IMODE(status.st_mode):04o}, "
            f"that would run as you{remedy}")
