"""Robots in other processes and on other machines, which have another cache and none of the files."""

import copy
import os
import pickle
import shutil
import subprocess
import sys
import unittest

from support import LoadTest, featherline
from featherline import pickling


class Robots(LoadTest):
    def setUp(self):
        super().setUp()
        pickling._arrived.clear()

    def elsewhere(self, robot, before=""):
        """What another machine says of the robot: it has no files of it, and another cache."""
        data = pickle.dumps(robot)
        shutil.rmtree(self.cache)
        for name in ("robot.urdf", "a part.xml", "damping.txt"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        self.setenv("FEATHERLINE_CACHE_DIR", self.path("other cache"))
        other = self.start(f"import pickle\n{before}\nr = pickle.loads({data!r})\nprint(r.number, r.library)")
        out, log = other.communicate()
        return out, log

    def test_is_built_elsewhere(self):
        robot = self.load()
        out, log = self.elsewhere(robot)
        self.assertIn(f"{robot.number} {self.path('other cache')}/{os.path.basename(os.path.dirname(robot.library))}/", out, log)
        self.assertEqual(len(self.runs()), 2)

    def test_same_machine_builds_nothing(self):
        robot = self.load(cache=self.path("own cache"))
        self.assertEqual(pickle.loads(pickle.dumps(robot)).library, robot.library)
        self.assertEqual(copy.deepcopy(robot).number, robot.number)
        self.assertEqual(len(self.runs()), 1)

    def test_one_robot_a_process(self):
        data = pickle.dumps(self.load())
        first = pickle.loads(data)
        self.assertIs(pickle.loads(data), first)
        self.assertIs(pickle.loads(pickle.dumps(first)), first)
        del first
        self.assertEqual(len(pickling._arrived), 0)

    def test_text(self):
        out, log = self.elsewhere(self.load("<robot>long text</robot>"))
        self.assertIn(f"{len('<robot>long text</robot>')} ", out, log)

    def test_included_files(self):
        self.write("a part.xml", "part")
        out, log = self.elsewhere(self.load())
        self.assertIn(f"{len('<robot/>part')} ", out, log)

    def test_included_files_that_changed(self):
        self.write("a part.xml", "part")
        robot = self.load()
        self.write("a part.xml", "another")
        with self.assertRaisesRegex(pickle.PicklingError, "robot.urdf includes files that changed.*a part.xml; load it again"):
            pickle.dumps(robot)
        os.unlink(self.path("a part.xml"))
        with self.assertRaisesRegex(pickle.PicklingError, "or are gone: a part.xml"):
            pickle.dumps(robot)

    def test_files_above_the_robot(self):
        state = pickling.state_of(self.load()._origin)._replace(key="other")
        robot = pickling.restore(*state._replace(files={"../meshes/a.stl": b"x"}))
        self.assertEqual(robot.number, len("<robot/>"))
        with self.assertRaisesRegex(featherline.InstallationError, "has a file outside of its folder: /etc/x"):
            pickling.restore(*state._replace(key="third", files={"/etc/x": b"x"}))

    def test_files_of_options(self):
        damping = self.write("damping.txt", "joint 1 2 3")
        out, log = self.elsewhere(self.load(joint_dynamics=damping, joint_order=["one", "two"], gravity=[0, 0, -1]))
        self.assertIn("8 ", out, log)
        first, second = ([word.split("=")[0] for word in run.split() if word.startswith("--")] for run in self.runs())
        self.assertEqual(first, second)
        self.assertIn("--joint-dynamics", second)
        self.assertIn("--joint-order", second)

    def test_warnings_are_not_repeated(self):
        with self.assertWarns(featherline.FeatherlineWarning):
            robot = featherline.load(self.write("robot.urdf", "<robot>strange</robot>"))
        out, log = self.elsewhere(robot, "import warnings; warnings.simplefilter('error')")
        self.assertIn(f"{robot.number} ", out, log)

    def test_other_version(self):
        state = pickling.state_of(self.load()._origin)._replace(version="0.0.7")
        with self.assertRaisesRegex(featherline.InstallationError, "pickled by featherline 0.0.7, and here is .*: install the"):
            pickling.restore(*state, "a field of that version")

    def test_compiler_that_is_not_there(self):
        state = pickling.state_of(self.load()._origin)._replace(key="other", compiler="/no/such/compiler")
        self.assertEqual(pickling.restore(*state).number, len("<robot/>"))


#: With the real extension, which this process has a stand-in for.
FUNCTIONS = r"""
import pickle, featherline, numpy as np
robot = featherline.load(ROBOT, functions=["rnea", "rnea_derivatives"])
send = {"robot": robot, "rnea": robot.rnea, "prepare": robot.prepare.rnea, "joint": robot.joints[0],
        "result": robot.rnea_derivatives([0.1, 0.2, 0.3], [1, 2, 3], [3, 2, 1])}
back = pickle.loads(pickle.dumps(send))
assert back["rnea"]([0, 1, 2], [1, 1, 1], [0, 0, 0]).tolist() == robot.rnea([0, 1, 2], [1, 1, 1], [0, 0, 0]).tolist()
assert back["rnea"].__name__ == "rnea" and back["prepare"]([0] * 3, [0] * 3, [0] * 3) is None
assert repr(back["prepare"]) == repr(robot.prepare.rnea) and back["joint"] == robot.joints[0]
assert back["result"]._fields == ("dtau_dq", "dtau_dv") and type(back["result"]).__name__ == "rnea_derivatives_result"
again = pickle.loads(pickle.dumps(back["result"]))
assert all(np.array_equal(x, y) for x, y in zip(again, send["result"])) and type(again) is type(back["result"])
"""


class Functions(LoadTest):
    def test_functions_and_results(self):
        code = FUNCTIONS.replace("ROBOT", repr(os.path.join(os.environ["FEATHERLINE_SOURCE"], "robots", "planar3.urdf")))
        environment = {name: value for name, value in os.environ.items() if name != "FEATHERLINE_EXECUTABLE"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
