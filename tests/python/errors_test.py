"""What a user reads when something is wrong."""

import os
import pickle
import shutil
import subprocess
import sys
import unittest

from support import LoadTest, featherline


class BadInput(LoadTest):
    def refused(self, kind, *arguments, **options):
        with self.assertRaises(kind) as caught:
            self.load(*arguments, **options)
        self.assertEqual(self.entries(), [])  # nothing is left behind
        return caught.exception

    def test_the_robot_is_wrong(self):
        self.write("robot.urdf", "<robot>wrong</robot>")
        error = self.refused(featherline.GenerateError)
        self.assertEqual(str(error), f"{self.robot}:3: error: the robot is wrong; correct it")
        self.assertEqual(error.exit_code, 1)
        self.assertIsInstance(error, ValueError)
        copy = pickle.loads(pickle.dumps(error))  # as between processes
        self.assertEqual((str(copy), copy.exit_code), (str(error), 1))

    def test_no_such_file(self):
        self.assertIn("nowhere.urdf", str(self.refused(FileNotFoundError, "nowhere.urdf")))
        self.refused(IsADirectoryError, self.folder)
        self.refused(FileNotFoundError, self.robot, joint_order="nowhere.txt")

    def test_no_robot(self):
        self.assertIn("path or the text", str(self.refused(TypeError, 3)))

    def test_unknown_keyword(self):
        self.assertIn("did you mean frames", str(self.refused(TypeError, frame="hand")))
        self.assertIn("it has base, mimic", str(self.refused(TypeError, xyz=1)))

    def test_wrong_types(self):
        for options in ({"base": 3}, {"functions": 3}, {"functions": b"rnea"}, {"functions": [1]}, {"batch": "yes"},
                        {"gravity": 9.81}, {"gravity": [0, 0, "down"]}, {"joint_order": 3}, {"max_code": []}):
            ((keyword, _),) = options.items()
            self.assertIn(f"{keyword} must be", str(self.refused(TypeError, **options)))

    def test_wrong_values(self):
        self.assertIn("functions is empty", str(self.refused(ValueError, functions=[])))
        for scalar in ("float", "float16", int, []):
            self.assertIn("'float64', 'float32' or [", str(self.refused(ValueError, scalar=scalar)))


class NoCompiler(LoadTest):
    def test_no_compiler_in_path(self):
        self.setenv("PATH", self.make("empty"))
        with self.assertRaises(featherline.CompilerNotFound) as caught:
            self.load()
        self.assertIn("sudo apt install g++", str(caught.exception))

    def test_no_such_compiler(self):
        with self.assertRaises(featherline.CompilerNotFound) as caught:
            self.load(compiler="nowhere++")
        self.assertIn("'nowhere++', named by compiler", str(caught.exception))
        self.setenv("CXX", "elsewhere++ -O2")
        with self.assertRaises(featherline.CompilerNotFound) as caught:
            self.load()
        self.assertIn("'elsewhere++ -O2', named by $CXX", str(caught.exception))

    def test_no_compiler_at_all(self):
        with self.assertRaises(featherline.CompilerNotFound) as caught:
            self.load(compiler="false")
        self.assertIn("'false' --version ended with 1", str(caught.exception))


class CompilerFails(LoadTest):
    def fails(self, script):
        compiler = self.write("bin/failing", f"""#!/bin/sh
[ "$1" = --version ] && exec c++ --version
case "$*" in *fake_two.cpp*) {script};; esac
exec c++ "$@"
""", 0o755)
        with self.assertRaises(featherline.CompileError) as caught:
            self.load(compiler=compiler)
        return str(caught.exception)

    def test_log_is_kept(self):
        text = self.fails("seq 100 >&2; exit 7")
        self.assertIn("ended with 7 at fake_two.cpp", text)
        self.assertNotIn("  80\n", text)
        self.assertIn("  81\n", text)
        self.assertIn("  100\n", text)
        (kept,) = self.entries()
        folder = os.path.join(self.cache, kept)
        self.assertIn(folder + ";", text)
        with open(os.path.join(folder, "compiler.log"), encoding="utf-8") as file:
            log = file.read()
        self.assertIn("-std=c++17", log)
        self.assertIn("\n1\n2\n3\n", log)
        self.assertTrue(os.path.exists(os.path.join(folder, "sources", "fake_two.cpp")))

    def test_once_repaired_nothing_is_kept(self):
        self.fails('if [ -e "$0.repaired" ]; then exec c++ "$@"; fi; exit 1')
        self.write("bin/failing.repaired", "")
        self.load(compiler=self.path("bin/failing"))
        self.assertEqual([name for name in self.entries() if "." in name], [])

    def test_killed(self):
        text = self.fails("kill -9 $$")
        self.assertIn("was stopped by signal 9; perhaps the memory was not enough", text)
        self.assertIn("(empty)", text)

    def test_real_compiler(self):
        with open(self.generator, "a", encoding="utf-8") as file:
            file.write('echo "int three() { return no_such_thing; }" > "$out/fake_three.cpp"\n')
        with self.assertRaises(featherline.CompileError) as caught:
            self.load()
        self.assertIn("no_such_thing", str(caught.exception))
        self.assertIn("fake_three.cpp", str(caught.exception))


class Installation(LoadTest):
    def wrong(self):
        with self.assertRaises(featherline.InstallationError) as caught:
            self.load()
        return str(caught.exception)

    def test_generator_is_missing(self):
        self.setenv("FEATHERLINE_EXECUTABLE", self.path("nowhere"))
        self.assertIn("there is no generator at", self.wrong())
        self.assertIn("correct $FEATHERLINE_EXECUTABLE", self.wrong())

    def test_generator_is_of_another_version(self):
        self.write("tool/bin/featherline", '#!/bin/sh\necho "featherline 9.9.9"\n', 0o755)
        text = self.wrong()
        self.assertIn("version 9.9.9", text)
        self.assertIn(f"version {featherline.__version__}", text)

    def test_generator_is_something_else(self):
        self.write("tool/bin/featherline", "#!/bin/sh\necho hello\n", 0o755)
        self.assertIn("it said: hello", self.wrong())
        self.write("tool/bin/featherline", "\x7fELF", 0o755)
        self.assertIn("cannot be run", self.wrong())


    def test_as_a_program(self):
        def says(*arguments):
            program = f"import support, sys; sys.argv[1:] = {arguments!r}; from featherline.__main__ import main; main()"
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            return done.stderr

        self.assertRegex(says("--cmake"), "^featherline: there is no CMake package in .*; run cmake --install")
        self.setenv("FEATHERLINE_EXECUTABLE", self.path("nowhere"))
        self.assertRegex(says("check"), "^featherline: there is no generator at")


class Import(unittest.TestCase):
    """`import featherline` where its compiled part is not what it should be."""

    def error(self, native):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.dirname(featherline.__file__), os.path.join(folder, "featherline"),
                            ignore=shutil.ignore_patterns("_native*", "__pycache__"))
            for name, text in native.items():
                with open(os.path.join(folder, "featherline", name), "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([sys.executable, "-c", "import featherline"], capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": folder}, check=False)
        self.assertEqual(done.returncode, 1)
        return done.stderr.strip().splitlines()[-1]

    def test_missing(self):
        self.assertIn("_native is missing", self.error({}))

    def test_built_for_another_python(self):
        text = self.error({"_native.cpython-36m-x86_64-linux-gnu.so": ""})
        this = f"{sys.version_info[0]}.{sys.version_info[1]}"
        self.assertIn(f"built for Python 3.6, and this is Python {this}", text)
        self.assertIn("pip install", text)

    def test_damaged(self):
        import sysconfig

        self.assertIn("cannot be loaded", self.error({"_native" + sysconfig.get_config_var("EXT_SUFFIX"): "x"}))

    def test_no_numpy(self):
        other = os.path.realpath("/bin/sh")  # any file that is there
        text = self.error({"_native.py": "import numpy_of_another_world", "_configuration.py": f"PYTHON = {other!r}"})
        self.assertIn(f"featherline needs numpy, and {sys.executable} does not have it", text)
        self.assertIn(f"run {other}, which it was built for, or install numpy", text)


if __name__ == "__main__":
    unittest.main()
