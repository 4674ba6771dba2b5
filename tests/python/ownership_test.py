"""What other users could have written is not loaded, and what others are doing is left alone."""

import errno
import fcntl
import os
import stat
import tempfile
import time
import unittest
from unittest import mock

from support import LoadTest, featherline

ownership = featherline.ownership

as_root = unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
NOBODY = 65534


class OtherUsers(LoadTest):
    def refused(self, place, *words):
        """load() warns, names the place and the words, and keeps the robot elsewhere."""
        (warning,) = self.warnings_of()
        for word in (f"the cache folder {self.cache} cannot be used", f"code into {place}, of owner ",
                     "set FEATHERLINE_CACHE_DIR to choose", self.path("tmp"), *words):
            self.assertIn(word, warning)
        self.assertEqual(len(self.runs()), 2)  # what is there already is not taken
        with self.assertRaises(PermissionError) as caught:
            featherline.clear_cache()
        self.assertIn(place, str(caught.exception))

    def test_folder_that_others_can_write_to(self):
        self.load()
        for mode in (0o777, 0o1777, 0o702):
            os.chmod(self.cache, mode)
            self.refused(self.cache, f"mode {mode:04o}", f"chmod go-w {self.cache}")
        os.chmod(self.cache, 0o755)
        self.load()
        self.assertEqual(len(self.runs()), 2)

    def test_level_above_that_others_can_write_to(self):
        self.cache = self.path("a/b/cache")
        self.setenv("FEATHERLINE_CACHE_DIR", self.cache)
        self.load()
        os.chmod(self.path("a"), 0o1777)  # as /tmp
        self.load()
        os.chmod(self.path("a"), 0o777)
        self.refused(self.path("a"), "mode 0777")

    def test_group(self):
        self.load()
        os.chmod(self.cache, 0o775)
        with mock.patch.object(ownership, "_is_own_group", return_value=True):
            self.load()
        with mock.patch.object(ownership, "_is_own_group", return_value=False):
            self.refused(self.cache, "mode 0775")

    @as_root
    def test_group_of_others(self):
        self.load()
        os.chmod(self.cache, 0o775)  # a group of root alone
        self.load()
        os.chown(self.cache, 0, NOBODY)
        self.refused(self.cache)

    @as_root
    def test_folder_of_another(self):
        self.load()
        os.chown(self.cache, NOBODY, NOBODY)
        self.refused(self.cache, "of owner nobody and mode 0700")

    @as_root
    def test_level_above_of_another(self):
        self.cache = self.path("a/cache")
        self.setenv("FEATHERLINE_CACHE_DIR", self.cache)
        self.load()
        os.chown(self.path("a"), NOBODY, NOBODY)
        self.refused(self.path("a"))

    def test_link_to_such_a_folder(self):
        self.load()
        os.rename(self.cache, self.path("target"))
        os.symlink(self.path("target"), self.cache)
        self.load()
        os.chmod(self.path("target"), 0o777)
        self.refused(self.path("target"))

    def made_again(self, spoil):
        library = self.load().library
        spoil(library)
        (warning,) = self.warnings_of()
        self.assertIn(f"the cache entry {os.path.dirname(library)} is damaged, or others could write to it", warning)
        self.assertEqual(len(self.runs()), 2)
        self.load()

    def test_entries_that_others_can_write_to(self):
        for part in ("", "robot.so", "entry.json"):
            with self.subTest(part=part):
                self.made_again(lambda library: os.chmod(os.path.join(os.path.dirname(library), part), 0o777))
                os.unlink(self.path("tool/bin/runs"))
                featherline.clear_cache()

    @as_root
    def test_entries_of_others(self):
        for part in ("", "robot.so", "entry.json"):
            with self.subTest(part=part):
                self.made_again(lambda library: os.chown(os.path.join(os.path.dirname(library), part), NOBODY, NOBODY))
                os.unlink(self.path("tool/bin/runs"))
                featherline.clear_cache()

    def test_library_that_is_a_link(self):
        def link(library):
            os.rename(library, self.path("robot.so"))
            os.symlink(self.path("robot.so"), library)

        self.made_again(link)

    def test_every_level_is_made_for_this_user_alone(self):
        self.cache = self.path("a/b/cache")
        self.setenv("FEATHERLINE_CACHE_DIR", self.cache)
        self.addCleanup(os.umask, os.umask(0))
        library = self.load().library
        for level in (self.path("a"), self.path("a/b"), self.cache, os.path.dirname(library)):
            self.assertEqual(stat.S_IMODE(os.stat(level).st_mode), 0o700, level)
        self.load()
        self.assertEqual(len(self.runs()), 1)

    def test_no_private_folder_anywhere(self):
        self.load()
        os.chmod(self.cache, 0o777)
        os.chmod(self.path("tmp"), 0o777)
        with self.assertRaises(OSError) as caught:
            featherline.load(self.robot)
        for text in (self.cache, self.path("tmp"), "set FEATHERLINE_CACHE_DIR"):
            self.assertIn(text, str(caught.exception))
        self.assertEqual(os.listdir(self.path("tmp")), [])


class TemporaryFiles(LoadTest):
    def test_planted_links(self):
        victim = self.write("victim", "my thesis")
        os.mkdir(self.cache, 0o700)
        os.symlink(victim, os.path.join(self.cache, f"generators.json.{os.getpid()}"))
        self.load()
        with open(victim, encoding="utf-8") as file:
            self.assertEqual(file.read(), "my thesis")

    def test_left_by_a_kill(self):
        """What a killed process was writing goes when anybody compiles, however young it is."""
        entry = os.path.dirname(self.load().library)
        for end in ("abc.building", "0123456789abcdef.removed"):
            os.mkdir(f"{entry}.{end}")
        note = self.write("cache/generators.json.x1y2z3", "{")
        os.utime(note, (1e9, 1e9))
        self.load(base="floating")
        self.assertEqual([name for name in os.listdir(self.cache) if name.endswith((".building", ".removed"))], [])
        self.assertFalse(os.path.exists(note))


class NoLocks(LoadTest):
    """A file system without locks, as some network drives are."""

    def setUp(self):
        super().setUp()
        refuse = mock.patch.object(fcntl, "flock", side_effect=OSError(errno.ENOLCK, "No locks available"))
        refuse.start()
        self.addCleanup(refuse.stop)

    def test_build_in_progress_stays(self):
        entry = os.path.dirname(self.load().library)
        building = tempfile.mkdtemp(prefix=f"{os.path.basename(entry)}.", suffix=".building", dir=self.cache)
        self.assertEqual(featherline.clear_cache(), [entry])
        self.assertTrue(os.path.isdir(building))
        yesterday = time.time() - 2 * 86400
        os.utime(building, (yesterday, yesterday))
        self.assertEqual(featherline.clear_cache(), [building])

    def test_load(self):
        self.load()
        self.load()
        self.assertEqual(len(self.runs()), 1)


if __name__ == "__main__":
    unittest.main()
