"""What the cache takes for the same robot, and what it does when something goes wrong."""

import copy
import os
import pickle
import signal
import threading
import time
import unittest
from pathlib import Path

from support import LoadTest, featherline


class SameRobot(LoadTest):
    def test_second_load_generates_nothing(self):
        first, second = self.load(), self.load()
        self.assertEqual(len(self.runs()), 1)
        self.assertEqual(first.library, second.library)
        self.assertEqual(first.number, len("<robot/>"))
        self.assertEqual(repr(first), "<featherline.Robot fake: nq = 1, nv = 1>")
        self.assertTrue(os.path.exists(os.path.join(first.sources, "fake.json")))
        self.assertEqual(first.report, "the report\n")

    def test_time_stamps_and_names_do_not_matter(self):
        self.load()
        os.utime(self.robot, (1, 1))
        self.load()
        self.load(self.write("other/name.urdf", "<robot/>"))
        self.load("<robot/>")
        self.load(b"<robot/>")
        self.assertEqual(len(self.runs()), 1)

    def test_content_matters(self):
        self.load()
        self.write("robot.urdf", "<robot>  </robot>")
        self.assertEqual(self.load().number, len("<robot>  </robot>"))
        self.assertEqual(len(self.runs()), 2)

    def test_options_matter(self):
        for options in ({}, {"base": "floating"}, {"functions": ["rnea"]}, {"functions": ["rnea", "aba"]},
                        {"batch": True}, {"name": "other"}):
            self.load(**options)
        self.assertEqual(len(self.entries()), 6)
        self.load(base="fixed", batch=False)
        self.assertEqual(len(self.entries()), 6)

    def test_content_of_included_files_matters(self):
        part = self.write("a part.xml", "<part/>")
        number = self.load().number
        self.load()
        self.assertEqual(len(self.runs()), 1)
        self.write("a part.xml", "<longer-part/>")
        self.assertEqual(self.load().number, number + len("longer-"))
        self.write("a part.xml", "<part/>")
        self.assertEqual(self.load().number, number)
        self.assertEqual(len(self.runs()), 2)
        self.write("elsewhere/a part.xml", "<longer-part/>")
        self.load(self.write("elsewhere/robot.urdf", "<robot/>"))
        self.assertEqual(len(self.runs()), 2)  # what the files hold counts, not where they are
        os.unlink(part)
        self.assertEqual(self.load().number, len("<robot/>"))
        self.assertEqual(len(self.runs()), 3)

    def test_included_file_that_changes_while_it_is_read(self):
        self.write("a part.xml", "<part/>")
        self.write("tool/bin/slow", "")
        change = threading.Timer(0.15, self.write, ("a part.xml", "<new-part/>"))
        change.start()
        self.assertEqual(self.load().number, len("<robot/><new-part/>"))
        change.join()
        self.assertEqual(len(self.entries()), 1)

    def test_content_of_option_files_matters(self):
        order = self.write("order.txt", "a\nb\n")
        self.load(joint_order=order)
        self.load(joint_order=self.write("same.txt", "a\nb\n"))
        self.load(joint_order=["a", "b"])
        self.assertEqual(len(self.runs()), 1)
        self.write("order.txt", "b\na\n")
        self.load(joint_order=order)
        self.assertEqual(len(self.runs()), 2)

    def test_generator_headers_and_compiler_matter(self):
        self.load()
        with open(self.generator, "a", encoding="utf-8") as file:
            file.write("# changed\n")
        self.load()
        self.write("tool/include/featherline/version.hpp", "// changed\n")
        self.load()
        self.load(compiler="c++ -DSOMETHING")
        wrapper = self.write("bin/my-compiler", '#!/bin/sh\nexec c++ "$@"\n', 0o755)
        self.load(compiler=wrapper)
        self.assertEqual(len(self.entries()), 5)

    def test_language_does_not_matter(self):
        compiler = self.write("bin/polyglot", '#!/bin/sh\n[ "$1" = --version ] && exec echo "1.0 $LC_ALL"\nexec c++ "$@"\n', 0o755)
        for language in ("C", "de_DE.UTF-8"):
            self.setenv("LC_ALL", language)
            self.load(compiler=compiler)
        self.assertEqual(len(self.entries()), 1)

    def test_robot_that_changes_while_it_is_read(self):
        self.write("tool/bin/slow", "")
        change = threading.Timer(0.15, self.write, ("robot.urdf", "<robot>new</robot>"))
        change.start()
        self.assertEqual(self.load().number, len("<robot>new</robot>"))
        change.join()
        self.assertEqual(len(self.entries()), 1)


class AtOnce(LoadTest):
    def test_processes_build_once(self):
        self.write("tool/bin/slow", "")
        others = [self.start("print(featherline.load(robot).number)") for _ in range(4)]
        for other in others:
            self.assertEqual(other.communicate(), (f"{len('<robot/>')}\n", ""))
        self.assertEqual(len(self.runs()), 1)
        self.assertEqual(len(self.entries()), 1)

    def test_threads_build_once(self):
        self.write("tool/bin/slow", "")
        robots = []
        threads = [threading.Thread(target=lambda: robots.append(self.load())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([robot.number for robot in robots], [len("<robot/>")] * 4)
        self.assertEqual(len(self.runs()), 1)

    def test_robots_of_one_name_stay_apart(self):
        small = self.load("<robot/>")
        large = self.load("<robot>      </robot>")
        self.assertNotEqual(small.number, large.number)
        self.assertEqual(small.number, self.load("<robot/>").number)


class Damage(LoadTest):
    def damaged(self, damage):
        library = self.load().library
        damage(library)
        (warning,) = self.warnings_of()
        self.assertIn(os.path.dirname(library), warning)
        self.assertIn("damaged", warning)
        self.assertEqual(len(self.runs()), 2)
        self.load()
        self.assertEqual(len(self.runs()), 2)
        self.assertEqual(len(self.entries()), 1)

    def test_truncated_library(self):
        def truncate(library):
            content = Path(library).read_bytes()
            os.unlink(library)  # it is loaded
            Path(library).write_bytes(content[: len(content) // 2])

        self.damaged(truncate)

    def test_missing_library(self):
        self.damaged(os.unlink)

    def test_other_content(self):
        def change(library):
            content = bytearray(Path(library).read_bytes())
            content[-1] ^= 1
            os.unlink(library)
            Path(library).write_bytes(content)

        self.damaged(change)

    def test_truncated_facts(self):
        self.damaged(lambda library: Path(library).with_name("entry.json").write_text('{"sha'))

    def test_facts_of_another_kind(self):
        self.damaged(lambda library: Path(library).with_name("entry.json").write_text("[]"))

    def test_truncated_notes_about_generators(self):
        self.load()
        for text in ("", "[1]", '{"%s": 3}' % self.generator):
            with open(os.path.join(self.cache, "generators.json"), "w", encoding="utf-8") as file:
                file.write(text)
            self.load()
        self.assertEqual(len(self.runs()), 1)

    def test_killed_while_it_compiles(self):
        compiler = self.write("bin/slow-compiler", '#!/bin/sh\n[ "$1" = --version ] || sleep 0.5\nexec c++ "$@"\n', 0o755)
        other = self.start(f"featherline.load(robot, compiler={compiler!r})")
        while not any(name.endswith(".building") for name in self.entries()):
            time.sleep(0.01)
        time.sleep(0.2)
        other.send_signal(signal.SIGKILL)
        other.communicate()
        self.assertEqual(len(self.entries()), 1)
        self.load(compiler=compiler)
        self.assertEqual([name for name in self.entries() if "." in name], [])
        self.assertEqual(len(self.runs()), 2)


class OtherFolder(LoadTest):
    def test_unwritable_folder(self):
        for folder in ("/proc/featherline", os.path.join(self.robot, "cache")):  # below a file
            self.setenv("FEATHERLINE_CACHE_DIR", folder)
            (warning,) = self.warnings_of()
            self.assertIn(folder, warning)
            self.assertIn("FEATHERLINE_CACHE_DIR", warning)
            self.assertIn(self.path("tmp"), warning)
        self.assertEqual(len(self.runs()), 1)  # the second time it is there

    def test_folder_for_reading_only(self):
        code = """
import os, warnings
if os.geteuid() == 0: os.setegid(65534), os.seteuid(65534)
warnings.simplefilter('error')
print(featherline.load(robot).number)
try: featherline.load(robot, base='floating')
except featherline.FeatherlineWarning as warning: print('warned', 'FEATHERLINE_CACHE_DIR' in str(warning))
"""
        self.load()
        os.chmod(self.folder, 0o755)
        os.chmod(self.path("tmp"), 0o1777)
        for directory, _, names in os.walk(self.cache):
            os.chmod(directory, 0o555)
            for name in names:
                os.chmod(os.path.join(directory, name), 0o444)
        output = self.start(code).communicate()
        for directory, _, _ in os.walk(self.cache):
            os.chmod(directory, 0o755)
        self.assertEqual(output, (f"{len('<robot/>')}\nwarned True\n", ""))

    def test_disk_full(self):
        compiler = self.write("bin/full", f"""#!/bin/sh
case "$*" in *{self.cache}*) echo "fatal error: No space left on device" >&2; exit 1;; esac
exec c++ "$@"
""", 0o755)
        (warning,) = self.warnings_of(compiler=compiler)
        self.assertIn("No space left on device", warning)
        self.assertIn(self.cache, warning)
        self.assertEqual(self.entries(), [])

    def test_disk_full_everywhere(self):
        compiler = self.write("bin/full", """#!/bin/sh
[ "$1" = --version ] && exec c++ --version
echo "fatal error: No space left on device" >&2; exit 1
""", 0o755)
        with self.assertWarns(featherline.FeatherlineWarning), self.assertRaises(OSError) as caught:
            featherline.load(self.robot, compiler=compiler)
        self.assertIn("No space left on device", str(caught.exception))
        self.assertIn("FEATHERLINE_CACHE_DIR", str(caught.exception))

    def test_temporary_folder_of_another_user(self):
        self.setenv("FEATHERLINE_CACHE_DIR", "/proc/featherline")
        usual = self.path(f"tmp/featherline-{os.getuid()}")
        os.mkdir(usual)
        os.chmod(usual, 0o777)
        (warning,) = self.warnings_of()
        self.assertNotIn(usual + " ", warning)
        self.assertEqual(os.listdir(usual), [])

    def test_choice(self):
        self.load(cache=self.path("chosen"))
        self.assertEqual(self.entries(), [])
        self.assertTrue(os.path.isdir(self.path("chosen")))
        self.setenv("FEATHERLINE_CACHE_DIR", None)
        self.setenv("XDG_CACHE_HOME", self.path("xdg"))
        self.assertTrue(self.load().library.startswith(self.path("xdg/featherline/")))
        self.setenv("XDG_CACHE_HOME", None)
        self.setenv("HOME", self.path("home"))
        self.assertTrue(self.load().library.startswith(self.path("home/.cache/featherline/")))
        self.setenv("HOME", "~")  # what os.path.expanduser() gives where neither $HOME nor the system knows a home
        self.assertTrue(self.load().library.startswith(self.path("tmp/")))


class Clearing(LoadTest):
    def test_clear_cache(self):
        robot = self.load()
        self.load(base="floating")
        self.assertEqual(len(featherline.clear_cache()), 2)
        self.assertEqual(self.entries(), [])
        self.assertEqual(os.listdir(os.path.join(self.cache, "locks")), [])
        self.assertEqual(robot.number, len("<robot/>"))
        self.assertEqual(featherline.clear_cache(), [])
        self.assertEqual(featherline.clear_cache(cache=self.path("nowhere")), [])

    def test_recent_robots_stay(self):
        old = self.load().library
        os.utime(os.path.join(os.path.dirname(old), "entry.json"), (1e9, 1e9))
        self.load(base="floating")  # a new robot is when old ones are looked for
        self.assertEqual(len(self.entries()), 1)
        self.assertFalse(os.path.exists(old))
        self.assertEqual(featherline.clear_cache(unused_days=1), [])

    def test_foreign_files_stay(self):
        self.load()
        mine = self.write("cache/mine/thesis.txt", "years of work")
        featherline.clear_cache()
        self.assertTrue(os.path.exists(mine))


class Copies(LoadTest):
    def test_robots_go_to_other_processes(self):
        robot = pickle.loads(pickle.dumps(self.load()))
        self.assertEqual((robot.number, robot.report), (len("<robot/>"), "the report\n"))
        self.assertEqual(copy.copy(robot).number, robot.number)


class Warnings(LoadTest):
    def test_warnings_come_from_the_cache_too(self):
        self.write("robot.urdf", "<robot>strange</robot>")
        other = self.write("other.urdf", "<robot>strange</robot>")
        for robot, name in ((self.robot, self.robot), (self.robot, self.robot), (other, other),
                            ("<robot>strange</robot>", "<stdin>")):
            self.assertEqual(self.warnings_of(robot), [f"{name}:7: warning: the robot is strange; mind it",
                                                       "featherline: warning: a function is left out"])
        self.assertEqual(len(self.runs()), 1)

    def test_warnings_name_the_line_of_the_caller(self):
        self.write("robot.urdf", "<robot>strange</robot>")
        with self.assertWarns(featherline.FeatherlineWarning) as caught:
            featherline.load(self.robot)
        self.assertEqual(caught.filename, os.path.abspath(__file__))


if __name__ == "__main__":
    unittest.main()
