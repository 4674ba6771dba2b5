"""A generator and an extension that take no time, so that tests see what load() does with them.

The generator is a shell script. It appends its arguments to a file, so that tests can count its runs, and writes what
the tests need.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import warnings

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROBOTS = os.path.join(REPOSITORY, "robots")


def install_fake_native():
    """Puts a stand-in in the place of featherline._native. To be called before featherline is imported."""

    def attach(robot, library):
        try:
            robot.number = ctypes.c_int.in_dll(ctypes.CDLL(library), "featherline_number").value
        except OSError as error:
            raise ImportError(str(error)) from error
        robot.name, robot.nq, robot.nv = "fake", 1, 1

    native = types.ModuleType("featherline._native")
    native.attach = attach
    sys.modules["featherline._native"] = native


if os.environ.get("FEATHERLINE_TEST_FAKE_NATIVE", "1") == "1":
    install_fake_native()

import featherline  # noqa: E402

GENERATOR = r"""#!/bin/sh
[ "$1" = --version ] && { echo "featherline VERSION"; exit 0; }
here=$(dirname "$0")
echo "$@" >> "$here/runs"
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && out=$2
  [ "$1" = generate ] && robot=$2
  [ "$1" = --depfile ] && depfile=$2
  shift
done
[ -e "$here/slow" ] && sleep 0.3
text=$(cat)
part=$(dirname "$robot")/a\ part.xml
printf 'fake.json \\\nfake.hpp:' > "$depfile"
[ "$robot" = - ] || printf ' \\\n  %s' "$robot" >> "$depfile"
[ -e "$part" ] && { text=$text$(cat "$part"); printf ' \\\n  %s' "$(echo "$part" | sed 's/ /\\ /')" >> "$depfile"; }
case $text in *wrong*) echo "$robot:3: error: the robot is wrong; correct it" >&2; exit 1;; esac
[ "$robot" = - ] && robot="<stdin>"
case $text in *strange*) echo "$robot:7: warning: the robot is strange; mind it" >&2
                         echo "featherline: warning: a function is left out" >&2
                         echo "$robot:8: note: it has a gazebo" >&2;; esac
mkdir "$out"
echo '{"name": "fake"}' > "$out/fake.json"
cat > "$out/fake_python.cpp" <<END
extern "C" __attribute__((visibility("default"))) const int featherline_number;
const int featherline_number = ${#text};
END
for function in one two three; do echo "int $function() { return 1; }" > "$out/fake_$function.cpp"; done
echo "int wide() { return no such thing; }" > "$out/fake_batch_one_avx512.cpp"
echo "the report"
"""


class LoadTest(unittest.TestCase):
    """Every test has a generator, a cache and a robot of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="featherline-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.generator = self.write("tool/bin/featherline", GENERATOR.replace("VERSION", featherline.__version__))
        os.chmod(self.generator, 0o755)
        self.header = self.write("tool/include/featherline/version.hpp", "")
        self.robot = self.write("robot.urdf", "<robot/>")
        self.cache = os.path.join(self.folder, "cache")
        self.setenv("FEATHERLINE_EXECUTABLE", self.generator)
        self.setenv("FEATHERLINE_CACHE_DIR", self.cache)
        self.setenv("CXX", None)
        self.setenv("TMPDIR", self.make("tmp"))
        tempfile.tempdir = None  # so that $TMPDIR is read again
        self.addCleanup(setattr, tempfile, "tempdir", None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name):
        os.makedirs(self.path(name), exist_ok=True)
        return self.path(name)

    def write(self, name, text, mode=0o644):
        self.make(os.path.dirname(name))
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def setenv(self, name, value):
        old = os.environ.get(name)
        self.addCleanup(lambda: os.environ.__setitem__(name, old) if old is not None else os.environ.pop(name, None))
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

    def runs(self):
        """The arguments of the generator's runs."""
        with contextlib.suppress(FileNotFoundError), open(self.path("tool/bin/runs"), encoding="utf-8") as file:
            return file.read().splitlines()
        return []

    def entries(self):
        """What is in the cache, other than locks and notes."""
        if not os.path.isdir(self.cache):
            return []
        return sorted(name for name in os.listdir(self.cache) if os.path.isdir(os.path.join(self.cache, name))
                      and name != "locks")

    def load(self, *arguments, **options):
        """load() with this robot, if no other is named. A warning is an error."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return featherline.load(*(arguments or (self.robot,)), **options)

    def warnings_of(self, *arguments, **options):
        """The texts of the warnings of a load()."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            featherline.load(*(arguments or (self.robot,)), **options)
        for warning in caught:
            self.assertIs(warning.category, featherline.FeatherlineWarning)
        return [str(warning.message) for warning in caught]

    def start(self, code, **options):
        """Another Python with this cache and generator, which has `featherline` and the path `robot`."""
        program = f"import support, featherline\nrobot = {self.robot!r}\n{code}"
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([sys.executable, "-c", program], cwd=os.path.dirname(os.path.abspath(__file__)),
                                **{**pipes, **options})
