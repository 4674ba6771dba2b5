"""`cmake --install`: where the package goes, and that it works there."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest

SOURCE = os.environ["FEATHERLINE_SOURCE"]
BUILD = os.environ["FEATHERLINE_BUILD"]
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="featherline-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def install(self, *arguments, **environment):
        words = ["cmake", *arguments, "-P", os.path.join(BUILD, "cmake_install.cmake")]
        done = subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def check(self, packages):
        """Loads a robot with the package in this folder."""
        code = f"""
import featherline, sys
robot = featherline.load({os.path.join(SOURCE, "robots", "double_pendulum.urdf")!r}, functions="gravity")
assert robot.gravity(robot.neutral).shape == (2,)
print(featherline.__file__)
"""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FEATHERLINE_")}
        environment.update(PYTHONPATH=packages, FEATHERLINE_CACHE_DIR=os.path.join(self.folder, "cache"))
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout.strip(), os.path.join(packages, "featherline", "__init__.py"), done.stderr)

    def test_prefix(self):
        prefix = os.path.join(self.folder, "prefix")
        self.install(f"-DCMAKE_INSTALL_PREFIX={prefix}")
        self.check(os.path.join(prefix, "lib", VERSION, "site-packages"))
        moved = os.path.join(self.folder, "moved")
        os.rename(prefix, moved)  # paths are relative
        self.check(os.path.join(moved, "lib", VERSION, "site-packages"))

    def test_folder_of_the_user(self):
        self.install(f"-DCMAKE_INSTALL_PREFIX={self.folder}/prefix", f"-DFEATHERLINE_PYTHON_DIR={self.folder}/mine")
        self.check(os.path.join(self.folder, "mine"))

    @unittest.skipUnless("deb_system" in sysconfig.get_scheme_names(), "not Debian's Python")
    def test_folders_of_debian(self):
        for prefix, packages in (("/usr", "lib/python3/dist-packages"), ("/usr/local", f"lib/{VERSION}/dist-packages")):
            root = self.folder + prefix.replace("/", "_")
            self.addCleanup(shutil.rmtree, root, ignore_errors=True)
            self.install(f"-DCMAKE_INSTALL_PREFIX={prefix}", DESTDIR=root)
            self.assertIn(os.path.join(prefix, packages), sys.path)
            self.check(os.path.join(root + prefix, packages))


if __name__ == "__main__":
    unittest.main()
