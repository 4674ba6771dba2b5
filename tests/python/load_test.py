"""load() with the real generator and the real extension."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import featherline
import numpy as np

ROBOTS = os.path.join(os.environ["FEATHERLINE_SOURCE"], "robots")


def robot_file(name):
    return os.path.join(ROBOTS, f"{name}.urdf")


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="featherline-test-")
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)

    def load(self, urdf, **options):
        return featherline.load(urdf, cache=self.cache, **options)

    def test_default_functions(self):
        robot = self.load(robot_file("planar3"))
        self.assertEqual((robot.name, robot.nq, robot.nv), ("planar3", 3, 3))
        q, v, a = np.array([0.1, -0.4, 0.3]), np.array([1.0, 2.0, -1.0]), np.array([0.5, 0.0, 1.0])
        tau = robot.rnea(q, v, a)
        np.testing.assert_allclose(robot.mass_matrix(q) @ a + robot.bias(q, v), tau, rtol=1e-12)
        np.testing.assert_allclose(robot.aba(q, v, tau), a, atol=1e-10)
        self.assertIn("rnea", robot.report)
        self.assertTrue(os.path.exists(os.path.join(robot.sources, "planar3.pyi")))

    def test_mjcf_has_the_values_of_mujoco(self):
        models = os.path.join(os.environ["FEATHERLINE_SOURCE"], "tests", "unit", "mjcf", "models")
        robot = self.load(os.path.join(models, "tendons.xml"), functions=["rnea", "mass_matrix", "aba"])
        with open(os.path.join(models, "tendons.json")) as file:
            mujoco = json.load(file)
        self.assertEqual((robot.name, robot.nq, robot.nv), ("tendons", mujoco["nq"], mujoco["nv"]))
        self.assertEqual(list(robot.joint_names[1:]), mujoco["joints"]["name"][1:])
        for state in mujoco["states"]:
            square = lambda name: np.reshape(state[name], (robot.nv, robot.nv))
            qpos, qvel, qacc, tau = (np.array(state[name]) for name in ("qpos", "qvel", "qacc", "tau"))
            q = np.concatenate([qpos[:3], qpos[4:7], qpos[3:4], qpos[7:]])
            x, w = qpos[4:7], qpos[3]
            skew = lambda n: np.cross(np.eye(3), n)
            T = np.eye(robot.nv)  # velocities of the base are linear in the axes of the world there, in its own here
            T[:3, :3] = np.eye(3) + 2.0 * (w * skew(x) + skew(x) @ skew(x))
            v, a = T.T @ qvel, T.T @ qacc
            a[:3] -= np.cross(v[3:6], v[:3])
            M = square("M") + square("extra_armature_M") + np.diag(mujoco["dofs"]["armature"])
            np.testing.assert_allclose(robot.mass_matrix(q), T.T @ M @ T, atol=1e-12)
            np.testing.assert_allclose(robot.rnea(q, v, a), T.T @ tau, atol=1e-11)
            np.testing.assert_allclose(robot.aba(q, v, T.T @ tau), a, atol=1e-8)

    def test_library_for_casadi(self):
        library = featherline.casadi_library(robot_file("planar3"), cache=self.cache, functions=["rnea"])
        external = ctypes.CDLL(library)
        inputs = np.array([[0.1, -0.4, 0.3], [1.0, 2.0, -1.0], [0.5, 0.0, 1.0]])
        tau, w = np.empty(3), np.empty(1000)
        pointers = ctypes.c_void_p * 3
        arg, res = pointers(*(x.ctypes.data for x in inputs)), pointers(tau.ctypes.data)
        self.assertEqual(external.planar3_rnea(arg, res, None, w.ctypes.data_as(ctypes.c_void_p), 0), 0)
        np.testing.assert_allclose(tau, self.load(robot_file("planar3")).rnea(*inputs), rtol=1e-12)
        self.assertTrue(hasattr(external, "jac_planar3_rnea") and hasattr(external, "adj1_planar3_rnea"))
        tangent = ctypes.CDLL(featherline.casadi_library(robot_file("planar3"), cache=self.cache, functions=["rnea"],
                                                         tangent=True))
        self.assertTrue(hasattr(tangent, "jac_planar3_rnea"))

    def test_prepare_changes_nothing(self):
        robot = self.load(robot_file("planar3"))
        q, v, out = np.zeros(3), np.ones(3), np.full(3, 7.0)
        self.assertIsNone(robot.prepare.rnea(q, v, a=v, out=out))
        np.testing.assert_array_equal(out, 7.0)
        self.assertIsNone(robot.prepare.aba_derivatives(q, v, v))
        self.assertEqual(set(vars(robot.prepare)), set(robot.functions))
        with self.assertRaisesRegex(ValueError, "rnea: q"):
            robot.prepare.rnea(q[:2], v, v)
        with self.assertRaisesRegex(ValueError, "rnea: v and out for tau share memory"):
            robot.prepare.rnea(q, v, np.ones(3), out=v)
        for count in (0, 1, 4):
            states = np.zeros((count, 3))
            with self.assertRaisesRegex(ValueError, "rnea: prepare takes one state: .* of %d states" % count):
                robot.prepare.rnea(states, states, states)
        self.assertIn("into the caches", robot.prepare.rnea.__doc__)

    def test_batch_equals_single_states(self):
        robot = self.load(robot_file("planar3"), functions=["rnea", "mass_matrix"], batch=True)
        random = np.random.default_rng(1)
        q, v, a = random.uniform(-1.0, 1.0, (3, 37, robot.nv))
        singly = np.array([robot.rnea(*state) for state in zip(q, v, a)])
        np.testing.assert_allclose(robot.rnea(q, v, a), singly, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(robot.mass_matrix(q)[5], robot.mass_matrix(q[5]), rtol=1e-12)

    def test_rollouts(self):
        for batch in (False, True):
            robot = self.load(robot_file("planar3"), functions=["step", "rollout", "rollout_end"], batch=batch)
            random = np.random.default_rng(1)
            q, v = random.uniform(-1.0, 1.0, (2, 5, robot.nv))
            tau = random.uniform(-1.0, 1.0, (5, 4, robot.nv))
            all_q, all_v = robot.rollout(q, v, tau, 0.01)
            self.assertEqual(all_q.shape, (5, 4, robot.nq))
            for k in range(5):
                state = q[k], v[k]
                one = robot.rollout(*state, tau[k], 0.01)
                for n in range(4):
                    state = robot.step(*state, tau[k, n], 0.01)
                    np.testing.assert_allclose(one.q_all[n], state.q_next, rtol=1e-12, atol=1e-14)
                    np.testing.assert_allclose(all_v[k, n], state.v_next, rtol=1e-12, atol=1e-14)
            self.assertEqual(robot.rollout(q[0], v[0], np.zeros((0, robot.nv)), 0.01).q_all.shape, (0, robot.nq))
            end_q, end_v = robot.rollout_end(q, v, tau, 0.01)
            np.testing.assert_array_equal(end_q, all_q[:, -1])
            np.testing.assert_array_equal(end_v, all_v[:, -1])
            one = robot.rollout_end(q[0], v[0], tau[0], 0.01)
            np.testing.assert_allclose(one.q_next, end_q[0], rtol=1e-12, atol=1e-14)
            none = robot.rollout_end(q, v, np.zeros((5, 0, robot.nv)), 0.01)
            np.testing.assert_array_equal(none.q_next, q)
            np.testing.assert_array_equal(none.v_next, v)
        out = np.zeros((4, 3)), np.zeros((3, 3))
        with self.assertRaisesRegex(ValueError, r"rollout: out for v_all has shape \(3, 3\); expected .* shape \(4, 3\)"):
            robot.rollout(q[0], v[0], tau[0], 0.01, out=out)
        for wrong in (tau[0, 0], tau[0, :, :2], tau[None]):
            with self.assertRaisesRegex(ValueError, r"rollout: tau has shape .*; expected \(\w, 3\), or \(count, \w, 3\)"):
                robot.rollout(q[0], v[0], wrong, 0.01)
            with self.assertRaisesRegex(ValueError, r"rollout_end: tau has shape .*; expected \(\w, 3\), or"):
                robot.rollout_end(q[0], v[0], wrong, 0.01)

    def test_threads(self):
        for batch in (False, True):
            robot = self.load(robot_file("planar3"), functions=["rnea_derivatives"], batch=batch)
            q, v, a = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 1000, robot.nv))
            alone = robot.rnea_derivatives(q, v, a)
            for threads in (1, 2, 7, 16, np.int64(3), 10**9):
                for one, other in zip(alone, robot.rnea_derivatives(q, v, a, threads=threads)):
                    np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)
            for wrong in (0, -1, 1.5, True, "2", None):
                with self.assertRaisesRegex(ValueError, "rnea_derivatives: threads is .*; expected a whole number, 1 or more"):
                    robot.rnea_derivatives(q, v, a, threads=wrong)

    def test_threads_run_side_by_side(self):
        robot = self.load(robot_file("planar3"), functions=["rnea_derivatives"], batch=True)
        states = np.zeros((3, 1000000, robot.nv))
        call = threading.Thread(target=lambda: robot.rnea_derivatives(*states, threads=4))
        before, most = len(os.listdir("/proc/self/task")), 0
        call.start()
        while call.is_alive():
            most = max(most, len(os.listdir("/proc/self/task")))
        self.assertGreater(most, before + 1)

    def test_scalars(self):
        robot = self.load(robot_file("planar3"), functions="gravity", scalar=("float64", "float32"))
        q = np.array([0.1, -0.4, 0.3])
        single = robot.gravity(q.astype(np.float32))
        self.assertEqual(single.dtype, np.float32)
        np.testing.assert_allclose(single, robot.gravity(q), rtol=1e-5)
        only = self.load(robot_file("planar3"), functions="gravity", scalar="float32")
        self.assertEqual(only.gravity(q.astype(np.float32)).dtype, np.float32)

    def test_constants_fit_functions_of_one_scalar(self):
        robot = self.load(robot_file("planar3"), functions="gravity", scalar="float32", parameters=["gravity"])
        self.assertEqual(robot.gravity(robot.neutral, robot.parameter_defaults).dtype, np.float32)

    def test_mechanism(self):
        """Joints that follow from an eliminated loop, and those that have no motor."""
        leg = self.load(robot_file("parallelogram_leg"), base="floating", eliminate=["pin"], contacts=["foot"],
                        functions=["spanning_position", "constrained_inverse_dynamics"], verify=False)
        q_all = leg.spanning_position(leg.neutral)
        self.assertEqual(q_all.shape, (leg.nq_all,))
        self.assertEqual(leg.nq_all - leg.nq, leg.nv_all - leg.nv)
        self.assertGreater(leg.nq_all, leg.nq)
        self.assertLess(set(leg.joint_names), set(leg.all_joint_names))
        self.assertEqual(leg.actuated, (False,) * 6 + (True,) * (leg.nv - 6))
        self.assertGreater(leg.moment_length, 0)
        arm = self.load(robot_file("planar3"), functions="gravity")
        self.assertEqual((arm.nq_all, arm.nv_all, arm.all_joint_names), (arm.nq, arm.nv, arm.joint_names))
        self.assertEqual((arm.actuated, arm.moment_length), ((), 0))

    def test_options_that_the_generator_takes(self):
        """All keywords at once, by pairs that go together."""
        arm = robot_file("planar3")
        with open(arm, "rb") as file:
            text = file.read()
        names = self.load(arm, functions="gravity").joint_names
        for options in (
            {"base": "floating", "functions": ["frame_poses"], "frames": ["tip=tool@0,0,0.1"], "frame_axes": "local"},
            {"functions": ["constrained_dynamics"], "contacts": ["tool:point"], "stabilisation": (0, 20),
             "parameters": ["gravity", "payload:tool", "stabilisation"]},
            {"functions": ["rnea"], "external_forces": ["tool"], "gravity": (0, 0, -1.6), "joint_order": list(names),
             "mimic": "independent", "joint_dynamics": "urdf", "snap_angles": 1e-9, "allow": ["unphysical-inertia"],
             "formulation": {"rnea": "link frames"}, "lanes": "off", "max_code": "1M", "max_stack": 100000,
             "max_image": "2M", "verify": False, "name": "moon"},
            {"functions": ["gravity"], "optimise_for": "size", "werror": True},
        ):
            with self.subTest(**options), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                robot = self.load(text, **options)
                self.assertEqual(robot.name, options.get("name", "planar3"))

    def test_robots_of_one_name(self):
        with open(robot_file("double_pendulum"), encoding="utf-8") as file:
            text = file.read()
        light = self.load(text, functions="gravity")
        upside_down = self.load(text, functions="gravity", gravity=(0, 0, 9.81))
        self.assertEqual(light.name, upside_down.name)
        q = np.array([0.3, 0.4])
        np.testing.assert_allclose(light.gravity(q), -upside_down.gravity(q), rtol=1e-12)
        self.assertGreater(np.abs(light.gravity(q)).max(), 0.1)

    def test_many_threads(self):
        results = []

        def work():
            robot = self.load(robot_file("planar3"), functions="bias")
            results.append(robot.bias(robot.neutral, np.ones(robot.nv)))

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 6)
        for result in results:
            np.testing.assert_array_equal(result, results[0])

    def test_names_that_are_not_there(self):
        robot = self.load(robot_file("planar3"), functions=["rnea", "mass_matrix"])
        for name, message in (("crba", r"planar3 has no 'crba'; here it is mass_matrix\(\)"),
                              ("aba", r'not generated: name it in load\(\.\.\., functions=\["aba", '),
                              ("computeMinverse", r"here it is minv, and it was not generated"),
                              ("rneaa", r"did you mean rnea\?"), ("x", r"its functions are rnea, mass_matrix")):
            with self.assertRaisesRegex(AttributeError, message):
                getattr(robot, name)
        self.assertFalse(hasattr(robot, "_repr_html_"))
        code = f"import featherline.robot as f; f.attach({os.path.dirname(robot.library)!r}).rneaa"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        self.assertTrue(done.stderr.endswith("planar3 has no 'rneaa'; did you mean rnea?\n"), done.stderr)

    def test_results_have_names(self):
        robot = self.load(robot_file("planar3"), functions=["aba_derivatives"])
        results = robot.aba_derivatives(np.zeros(3), np.zeros(3), np.ones(3))
        self.assertEqual(results._fields, ("da_dq", "da_dv", "da_dtau"))
        da_dq, _, da_dtau = results
        self.assertIs(results.da_dq, da_dq)
        self.assertIs(results._asdict()["da_dtau"], da_dtau)
        self.assertEqual(type(results).__name__, "aba_derivatives_result")
        self.assertEqual([name for name in dir(results) if name.startswith("n_")], [])  # Python offers what is there
        self.assertEqual(robot.joints[0]._fields[:3], ("name", "type", "idx_q"))
        self.assertIn("without a limit", type(robot.joints[0]).lower.__doc__)

    def test_arguments_with_code_of_their_own(self):
        robot = self.load(robot_file("planar3"), functions=["gravity", "forward_kinematics"])

        class Argument:
            def __init__(self, error):
                self.error = error

            def __array__(self, *_):
                raise self.error

            def __index__(self):
                raise self.error

        fault = RuntimeError("no data yet")
        with self.assertRaisesRegex(ValueError, "gravity: q, of type Argument, makes no array") as caught:
            robot.gravity(Argument(fault))
        self.assertIs(caught.exception.__cause__, fault)
        for stop in (KeyboardInterrupt, MemoryError):
            with self.assertRaises(stop):
                robot.gravity(Argument(stop()))
        with self.assertRaises(KeyboardInterrupt):
            robot.forward_kinematics(robot.neutral, Argument(KeyboardInterrupt()))

    def test_counts_that_differ(self):
        robot = self.load(robot_file("planar3"), functions="rnea")
        with self.assertRaisesRegex(ValueError, "v has count 1, but q has count 2"):
            robot.rnea(np.zeros((2, 3)), np.zeros((1, 3)), np.zeros(3))

    def test_errors_of_the_generator(self):
        with self.assertRaisesRegex(featherline.GenerateError, r'--functions: "rneaa" is not a function; did you mean "rnea"'):
            self.load(robot_file("planar3"), functions=["rneaa"])
        with self.assertRaisesRegex(featherline.GenerateError, r"<stdin>:1: error: "):
            self.load("<robot><link/></robot>")

    def test_not_a_robot_library(self):
        from featherline import _native

        with self.assertRaises(ImportError):
            _native.attach(featherline.Robot(), _native.__file__)


if __name__ == "__main__":
    unittest.main()
