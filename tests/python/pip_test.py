"""`pip install .` into an environment of its own, without a network, and the package as a user has it then."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["FEATHERLINE_SOURCE"]
BUILD = os.environ["FEATHERLINE_BUILD"]

USE = """
import featherline, numpy, sys
robot = featherline.load(sys.argv[1])
tau = robot.rnea(robot.neutral, numpy.zeros(robot.nv), numpy.zeros(robot.nv))
assert tau.shape == (6,) and abs(tau[1]) > 1.0, tau
print(featherline.__file__)
"""


class Pip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="featherline-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.venv = os.path.join(cls.folder, "venv")
        try:
            cls.run_program(sys.executable, "-m", "venv", "--system-site-packages", cls.venv)
        except AssertionError as error:
            raise unittest.SkipTest(f"there is no venv module with pip: {error}") from None
        cls.other = os.path.join(cls.folder, "other")  # as new; to make a second one takes seconds
        shutil.copytree(cls.venv, cls.other, symlinks=True)
        cls.python = os.path.join(cls.venv, "bin", "python")
        cls.run_program(cls.python, "-m", "pip", "install", "--no-index", SOURCE, f"--config-settings=build-dir={BUILD}")

    @classmethod
    def run_program(cls, *words, **environment):
        """What it prints. It sees nothing of this build but the cache of the compiler."""
        clean = {name: value for name, value in os.environ.items()
                 if name != "PYTHONPATH" and not name.startswith("FEATHERLINE_")}
        clean["FEATHERLINE_CACHE_DIR"] = os.path.join(cls.folder, "cache")
        done = subprocess.run(words, cwd=cls.folder, env={**clean, **environment}, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def test_load(self):
        arm = os.path.join(SOURCE, "robots", "arm6.urdf")
        self.assertTrue(self.run_program(self.python, "-c", USE, arm).startswith(self.venv))

    def test_programs(self):
        for words in ([os.path.join(self.venv, "bin", "featherline")], [self.python, "-m", "featherline"]):
            self.assertRegex(self.run_program(*words, "--version"), r"^featherline \d+\.\d+\.\d+\n$")

    def test_check_finds_the_headers(self):
        """`featherline check` compiles, with the headers of the wheel."""
        robot = os.path.join(SOURCE, "robots", "double_pendulum.urdf")
        program = os.path.join(self.venv, "bin", "featherline")
        self.assertIn("rnea", self.run_program(program, "check", robot, "--functions", "rnea"))

    def test_cmake_package(self):
        folder = self.run_program(self.python, "-m", "featherline", "--cmake").strip()
        self.assertTrue(os.path.exists(os.path.join(folder, "FeatherlineConfig.cmake")), folder)

    def test_metadata(self):
        lines = self.run_program(self.python, "-m", "pip", "show", "featherline").splitlines()
        self.assertIn("Requires: numpy", lines)
        self.assertIn("License: BSD-2-Clause", lines)

    def test_uninstall(self):
        target = os.path.join(self.folder, "wheels")
        self.run_program(self.python, "-m", "pip", "wheel", "--no-index", "--no-deps", SOURCE, "-w", target,
                         FEATHERLINE_BUILD_DIR=BUILD)
        (wheel,) = glob.glob(os.path.join(target, "*.whl"))
        tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        self.assertIn(f"-{tag}-{tag}-linux_", wheel)
        python = os.path.join(self.other, "bin", "python")
        self.run_program(python, "-m", "pip", "install", "--no-index", wheel)
        self.run_program(python, "-m", "pip", "uninstall", "-y", "featherline")
        left = glob.glob(os.path.join(self.other, "lib", "*", "site-packages", "featherline*"))
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
