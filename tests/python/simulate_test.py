"""simulate() with the real generator and the real extension: logs, grounds, and what is refused."""

import contextlib
import io
import os
import shutil
import tempfile
import unittest
import unittest.mock
import warnings

import featherline
import numpy as np

SOURCE = os.environ["FEATHERLINE_SOURCE"]
BALL = os.path.join(SOURCE, "tests", "simulation", "robots", "ball.urdf")
RADIUS = 0.1


class Simulate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="featherline-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        functions = ["contact_step", "forward_kinematics", "frame_jacobian", "integrate", "kinetic_energy", "potential_energy"]
        cls.ball = cls.load(BALL, base="floating", functions=functions, contacts=[f"ball:sphere={RADIUS}"])
        cls.arm = cls.load(os.path.join(SOURCE, "robots", "planar3.urdf"), functions=["step", "kinetic_energy"])

    @classmethod
    def load(cls, urdf, **options):
        return featherline.load(urdf, cache=os.path.join(cls.folder, "cache"), **options)

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def drop(self, ground=None, height=0.5, duration=1.0, **options):
        q0 = np.array(self.ball.neutral)
        q0[2] = RADIUS + height
        return featherline.simulate(self.ball, q0, np.zeros(6), duration, 1e-3, ground=ground, **options)

    def test_without_contacts_it_steps(self):
        q, v, dt = np.array([0.1, -0.4, 0.3]), np.zeros(3), 1e-3
        log = featherline.simulate(self.arm, q, v, 0.01, dt, controller=lambda t, q, v: [t, -q[0], v[1]])
        self.assertEqual((log.t.shape, log.q.shape, log.v.shape, log.tau.shape), ((11,), (11, 3), (11, 3), (10, 3)))
        self.assertEqual((log.impulses.shape, log.status.shape, log.contact_names), ((10, 0, 3), (10, 0), []))
        for k in range(10):
            tau = np.array([k * dt, -q[0], v[1]])
            np.testing.assert_array_equal(log.tau[k], tau)
            q, v = self.arm.step(q, v, tau, dt)
            np.testing.assert_array_equal(log.q[k + 1], q)
            np.testing.assert_array_equal(log.v[k + 1], v)

    def test_inputs_that_stay(self):
        """Payload and placements, in the step, where contacts are, and in the energy."""
        arm = self.load(os.path.join(SOURCE, "robots", "planar3.urdf"), contacts=["tool:point"], verify=False,
                        contact_joints=["limits"], accept=["dependent-constraints"],
                        functions=["contact_step", "forward_kinematics", "kinetic_energy", "potential_energy"],
                        parameters=["payload:tool", "placement:joint3"])
        p = np.array(arm.parameter_defaults)
        p[:1] = 2.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", featherline.FeatherlineWarning)
            log = featherline.simulate(arm, [0.1, 0.2, 0.3], np.zeros(3), 0.05, 1e-3, ground=-9.0, p=p)
        other = featherline.simulate(arm, [0.1, 0.2, 0.3], np.zeros(3), 0.05, 1e-3, ground=-9.0, p=arm.parameter_defaults)
        self.assertGreater(np.abs(log.energy().potential - other.energy().potential).max(), 1e-3)
        np.testing.assert_allclose(log.energy().total, log.energy().total[0], atol=5e-2)

    def test_what_would_be_left_out_is_refused(self):
        arm = os.path.join(SOURCE, "robots", "planar3.urdf")
        held = self.load(arm, functions=["step", "delassus"], contacts=["tool:point"], verify=False, accept=["dependent-constraints"])
        single = self.load(arm, functions=["step"], scalar="float32", verify=False)
        for robot, options, error, says in (
                (held, {}, ValueError, "has constraints, which step leaves out"),
                (single, {}, ValueError, 'scalar="float64"'),
                (self.arm, {"creeep": False}, TypeError, "did you mean creep"),
                (self.arm, {"creep": "no"}, ValueError, "creep is 'no'; it must be True or False"),
                (self.arm, {"controller": np.zeros(3)}, ValueError, "must be a function")):
            with self.assertRaisesRegex(error, says):
                featherline.simulate(robot, [0.1, 0.2, 0.3], np.zeros(3), 0.01, 1e-3, **options)

    def test_a_ball_comes_to_rest_where_the_ground_is(self):
        slope = featherline.Plane((0.0, 0.0, -1.0), (0.0, 0.6, 0.8))
        for ground, lowest in ((None, 0.0), (-0.25, -0.25), (lambda p: (p[:, 2] - 0.1, np.tile([0.0, 0.0, 1.0], (1, 1))), 0.1),
                               (featherline.HeightMap([-1.0, 1.0], [-1.0, 1.0], np.full((2, 2), 0.2)), 0.2)):
            log = self.drop(ground)
            self.assertAlmostEqual(log.q[-1, 2], RADIUS + lowest, 9)
            self.assertEqual(log.status[-1, 4], 1.0)
            np.testing.assert_allclose(log.impulses[-1, 0], [0.0, 0.0, 3.0 * 9.81e-3], atol=1e-9)
        log = self.drop(slope, height=2.0, friction=0.0)
        self.assertAlmostEqual((log.q[-1, :3] - slope.point) @ slope.normal, RADIUS, 9)
        self.assertGreater(log.q[-1, 1], 0.3)  # it went down

    def test_a_height_map_is_bilinear_with_its_normals(self):
        x, y = np.array([0.0, 1.0, 3.0]), np.array([-1.0, 1.0])
        ground = featherline.HeightMap(x, y, 0.5 * x[:, None] + 0.25 * y)
        points = np.array([[0.5, 0.5, 1.0], [2.0, -0.5, 0.0], [9.0, 0.0, 2.0]])
        gaps, normals = ground(points)
        slope = np.array([-0.5, -0.25, 1.0]) / np.linalg.norm([-0.5, -0.25, 1.0])
        np.testing.assert_allclose(normals[:2], [slope, slope], atol=1e-12)
        np.testing.assert_allclose(gaps[:2], [(1.0 - 0.375) * slope[2], (0.0 - 0.875) * slope[2]], atol=1e-12)
        flat = np.array([0.0, -0.25, 1.0]) / np.linalg.norm([-0.25, 1.0])  # outside along x
        np.testing.assert_allclose(normals[2], flat, atol=1e-12)
        np.testing.assert_allclose(gaps[2], 0.5 * flat[2], atol=1e-12)

    def test_points_that_stick_do_not_creep(self):
        feet = [f"{a}_{b}_foot" for a in ("front", "rear") for b in ("left", "right")]
        functions = ["contact_step", "forward_kinematics", "frame_jacobian", "integrate"]
        robot = self.load(os.path.join(SOURCE, "robots", "quadruped.urdf"), base="floating", functions=functions,
                          contacts=[feet[0], feet[1], f"{feet[2]}:sphere=0.02", f"{feet[3]}:sphere=0.02"])
        stance = np.tile([0.0, 0.8, -1.6], 4)

        def sway(t, q, v):
            wanted = stance + 0.2 * np.sin(6.0 * t) * np.tile([0.3, 1.0, -1.0], 4)
            return np.concatenate([np.zeros(6), 120.0 * (wanted - q[7:]) - 0.8 * v[6:]])

        q0 = np.concatenate([[0.0, 0.0, 0.3], [0.0, 0.0, 0.0, 1.0], stance])
        lowest = min(robot.forward_kinematics(q0, foot)[1][2] - r for foot, r in zip(feet, (0.0, 0.0, 0.02, 0.02)))
        q0[2] -= lowest
        crept = {}
        for creep in (True, None):
            log = featherline.simulate(robot, q0, np.zeros(18), 1.5, 1e-3, sway, friction=2.0, creep=creep)
            self.assertTrue((log.status[500:, 4:] == 1.0).all())
            ways = [np.ptp([robot.forward_kinematics(q, foot)[1][:2] for q in log.q[500:]], axis=0) for foot in feet[:2]]
            crept[creep] = np.max(ways)
            heights = [robot.forward_kinematics(q, foot)[1][2] for q in log.q[500:] for foot in feet[:2]]
            self.assertLess(np.abs(heights).max(), 1e-6)
        self.assertGreater(crept[True], 1e-6)
        self.assertLess(crept[None], 1e-10)

    def test_points_of_one_body_that_depend_on_each_other_do_not_creep(self):
        corners = [f"{side}{end}=ball@{x},{y},{-RADIUS}" for side, x in (("l", -0.1), ("r", 0.1)) for end, y in (("f", 0.1), ("b", -0.1))]
        block = self.load(BALL, base="floating", contacts=corners,
                          functions=["contact_step", "forward_kinematics", "frame_jacobian", "integrate"])
        q0 = np.array(block.neutral)
        q0[2] = RADIUS
        log = featherline.simulate(block, q0, np.zeros(6), 0.1, 1e-3, lambda t, q, v: np.array([0.1, 0.05, 0, 0, 0, 0]), friction=1.0)
        self.assertTrue((log.status[:, 4:] == 1.0).all())
        self.assertLess(np.abs(log.q[-1] - q0).max(), 1e-12)

    def test_a_ball_that_rolls_comes_as_far_as_it_turns(self):
        q0, v0 = np.array(self.ball.neutral), np.array([0.7, 0.0, 0.0, 0.0, 7.0, 0.0])
        q0[2] = RADIUS
        beside = {}
        for creep in (True, False):
            log = featherline.simulate(self.ball, q0, v0, 0.3, 1e-3, creep=creep)
            angles = 2.0 * np.unwrap(np.arctan2(log.q[:, 4], log.q[:, 6]), period=np.pi)
            beside[creep] = np.abs(log.q[:, 0] - RADIUS * angles).max()
        self.assertGreater(beside[True], 1e-7)
        self.assertLess(beside[False], 1e-10)
        with unittest.mock.patch.object(self.ball, "functions", ["contact_step", "forward_kinematics", "integrate"]):
            with self.assertRaisesRegex(ValueError, "creep=False needs frame_jacobian, which ball was loaded without"):
                self.drop(creep=False)
            self.drop(duration=0.01)  # the default, with which it creeps

    def test_derivatives_of_a_step_are_its_differences(self):
        robot = self.load(os.path.join(SOURCE, "robots", "arm6.urdf"), contacts=["tool"], parameters=["gravity"],
                          functions=["contact_step", "contact_step_derivatives", "contact_step_parameter_derivatives",
                                     "contact_step_sensitivities"])
        q, v, tau = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 6))
        p, contact, dt = np.array(robot.parameter_defaults), np.array([[-1e-3, 0.1, 0.2, 1.0, 0.5, 0.0]]).T, 1e-3
        state = {"q": q, "v": v, "tau": tau, "p": p, "dt": dt, "contact": contact}
        self.assertEqual(robot.contact_step(**state)[3][4], 2.0)  # it slides

        def difference(name, k, h):
            ends = []
            for sign in (-1.0, 1.0):
                moved = dict(state, **{name: state[name].copy()})
                moved[name].flat[k] += sign * h
                ends.append(np.concatenate(robot.contact_step(**moved)[:2]))
            return (ends[1] - ends[0]) / (2.0 * h)

        A, B = robot.contact_step_derivatives(**state)
        by_gap, by_friction, _ = robot.contact_step_parameter_derivatives(**state)
        dx_dp = robot.contact_step_sensitivities(**state)
        self.assertEqual((A.shape, B.shape, by_gap.shape, dx_dp.shape), ((12, 12), (12, 6), (12, 1), (12, 3)))
        for column, name, k, h in ((A[:, 8], "v", 2, 1e-4), (B[:, 2], "tau", 2, 1e-2), (by_gap[:, 0], "contact", 0, 1e-7),
                                   (by_friction[:, 0], "contact", 4, 1e-4), (dx_dp[:, 2], "p", 2, 1e-2)):
            np.testing.assert_allclose(column, difference(name, k, h), rtol=0.0, atol=1e-6 * np.abs(column).max())
        many = {name: np.stack([x, x]) for name, x in state.items() if name != "dt"}
        np.testing.assert_array_equal(robot.contact_step_derivatives(**many, dt=dt)[0][1], A)
        np.testing.assert_array_equal(robot.contact_step_sensitivities(**many, dt=dt)[0], dx_dp)

    def test_bounces_and_energy(self):
        log = self.drop(restitution=0.5)
        energy = log.energy()
        np.testing.assert_allclose(energy.total, energy.kinetic + energy.potential)
        self.assertLess(np.diff(energy.total).max(), 1e-3)
        self.assertAlmostEqual(energy.total[0], 3.0 * 9.81 * (0.5 + RADIUS), 9)
        self.assertGreater(log.v[:, 2].max(), 1.5)

    def test_a_file_holds_every_digit(self):
        log, path = self.drop(duration=0.4), self.path("log.csv")
        log.save_csv(path)
        again = featherline.Log.load_csv(path, self.ball)
        for name in ("t", "q", "v", "tau", "impulses", "status"):
            np.testing.assert_array_equal(getattr(again, name), getattr(log, name))
        self.assertEqual((again.columns, again.contact_names), (log.columns, ["ball"]))
        np.testing.assert_array_equal(again.energy().total, log.energy().total)
        self.assertEqual(log.columns[:3], ["t", "q:root_joint[0]", "q:root_joint[1]"])
        self.assertIn("400 steps", repr(again))
        with self.assertRaisesRegex(ValueError, r"does not know its robot; Log.load_csv\(path, robot\)"):
            featherline.Log.load_csv(path).energy()
        with self.assertRaisesRegex(ValueError, r"log.csv:1: the columns are not those of planar3"):
            featherline.Log.load_csv(path, self.arm)

    def test_files_that_are_no_logs_are_refused(self):
        for text, message in (("", ":1: this is no log"), ("a,b\n1,2\n3,4\n", ":1: this is no log"),
                              ("t,q:a,v:a,tau:a\n0,1,2,3\n", ":1: this is no log"),
                              ("t,v:a,q:a,tau:a\n0,1,2,3\n1,1,2,\n", ":1: this is no log"),
                              ("t,q:a,v:a,tau:a\n0,1,x,3\n1,1,2,\n", ":2: the line must have 4 numbers"),
                              ("t,q:a,v:a,tau:a\n0,1,2,3\n1,1,\n", ":3: the line must have 4 numbers"),
                              ("t,q:a,v:a,tau:a\n0,1,2,\n1,1,2,\n", ":2: the line must have 4 numbers")):
            with self.assertRaisesRegex(ValueError, message):
                featherline.Log.load_csv(self.path("bad.csv", text))

    def refused(self, message, robot=None, q0=(0.0, 0.0, 0.0), v0=(0.0, 0.0, 0.0), duration=0.01, dt=1e-3, **options):
        with self.assertRaisesRegex(ValueError, message):
            featherline.simulate(robot or self.arm, q0, v0, duration, dt, **options)

    def test_wrong_arguments_are_refused(self):
        self.refused(r"q0 has the shape \(2,\); it must be \(3,\)", q0=[0.0, 0.0])
        self.refused(r"v0 has the shape \(1, 3\); it must be \(3,\)", v0=[[0.0, 0.0, 0.0]])
        self.refused("q0 has entries that are not finite", q0=[0.0, np.nan, 0.0])
        self.refused("dt is 0; it must be above 0 and finite", dt=0)
        self.refused("dt is -0.001; it must be above 0", dt=-1e-3)
        self.refused("duration is nan; it must be above 0", duration=np.nan)
        self.refused("duration is 0.0001, shorter than half a step", duration=1e-4)
        self.refused(r'a ground needs contact_step, which planar3 was loaded without; load\(..., functions=\["contact_step", '
                     r'"forward_kinematics"\], contacts=\[LINK, ...\]\)', ground=0.0)
        with self.assertRaisesRegex(TypeError, "the robot must be one that load"):
            featherline.simulate("arm.urdf", [0.0], [0.0], 1.0, 0.1)
        for friction in (-0.1, np.nan, [0.5, 0.5]):
            with self.assertRaisesRegex(ValueError, "friction"):
                self.drop(friction=friction)
        with self.assertRaisesRegex(ValueError, "restitution is 1.5; it must be from 0 to 1"):
            self.drop(restitution=1.5)

    def test_missing_functions_are_named(self):
        still = self.load(os.path.join(SOURCE, "robots", "planar3.urdf"), functions=["rnea"])
        self.refused(r'it needs step or contact_step, which planar3 was loaded without; load\(..., functions=\["step"\]\)', still)
        ball = self.load(BALL, base="floating", functions=["contact_step"], contacts=["ball"])
        self.refused("it needs forward_kinematics to know where contacts are", ball)
        log = featherline.simulate(self.arm, [0.0] * 3, [0.0] * 3, 0.01, 1e-3)
        with self.assertRaisesRegex(ValueError, "planar3 was loaded without potential_energy"):
            log.energy()

    def test_controllers_that_return_what_they_must_not_are_refused_with_the_time(self):
        self.refused(r"controller returned \[1.0\] at t = 0; it must return 3 torques", controller=lambda t, q, v: [1.0])
        self.refused("controller returned None at t = 0", controller=lambda t, q, v: None)
        self.refused(r"controller returned an array of shape \(3, 1\) at t = 0", controller=lambda t, q, v: np.zeros((3, 1)))
        self.refused(r"controller returned nan as tau\[1\] at t = 0.004",
                     controller=lambda t, q, v: [0.0, np.nan if t > 0.0035 else 0.0, 0.0])

        def write(t, q, v):
            q[:], v[:] = 7.0, 7.0
            return np.zeros(3)

        log = featherline.simulate(self.arm, [0.0] * 3, [0.0] * 3, 0.002, 1e-3, controller=write)
        self.assertLess(np.abs(log.q).max(), 1.0)

    def test_grounds_that_return_what_they_must_not_are_refused_with_the_time(self):
        up = np.array([[0.0, 0.0, 1.0]])
        for ground, message in ((lambda p: p[:, 2], "ground returned .* at t = 0; it must return distances and normals"),
                                (lambda p: (p, up), r"distances of the shape \(1, 3\) at t = 0; it must return \(1,\)"),
                                (lambda p: (p[:, 2], up[0]), r"normals of the shape \(3,\)"),
                                (lambda p: (p[:, 2] * np.nan, up), "distances that are not finite numbers at t = 0"),
                                (lambda p: (p[:, 2], 0.0 * up), "a normal of zero for point 0 at t = 0"),
                                ("flat", "ground must be a height, Plane, HeightMap")):
            with self.assertRaisesRegex(ValueError, message):
                self.drop(ground)
        for arguments in (([0.0], [0.0, 1.0], [[0.0, 0.0]]), ([0.0, 1.0], [1.0, 0.0], np.zeros((2, 2))),
                          ([0.0, 1.0], [0.0, 1.0], np.zeros((3, 2))), ([0.0, 1.0], [0.0, 1.0], [[0.0, np.nan]] * 2)):
            with self.assertRaises(ValueError):
                featherline.HeightMap(*arguments)
        with self.assertRaisesRegex(ValueError, "normal is zero"):
            featherline.Plane((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def test_a_state_that_grows_without_bound_is_told_with_what_came_before(self):
        with self.assertRaisesRegex(FloatingPointError, "not a finite number at t = ") as caught:
            featherline.simulate(self.arm, [0.1] * 3, [0.0] * 3, 1.0, 1e-3, controller=lambda t, q, v: 1e9 * v + 1.0)
        log = caught.exception.log
        self.assertTrue(np.isfinite(log.v).all())
        self.assertEqual(len(log.t), len(log.tau) + 1)

    def test_points_below_the_ground_at_the_start(self):
        with self.assertWarnsRegex(featherline.FeatherlineWarning, r"1 of 1 contacts begin below the ground, ball by 0.02 m; .* 20 m/s"):
            log = self.drop(height=-0.02, duration=0.01)
        self.assertAlmostEqual(log.v[1, 2], 20.0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.drop(height=-5e-5, duration=0.01)

    def test_a_bar_on_terminals_alone(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        for stream, options, shown in ((io.StringIO(), {}, False), (Terminal(), {}, True), (Terminal(), {"progress": False}, False)):
            with contextlib.redirect_stderr(stream):
                self.drop(duration=0.01, **options)
            self.assertEqual("simulating [" in stream.getvalue(), shown)
            self.assertTrue(not shown or stream.getvalue().endswith("\r\x1b[K"))

    def test_a_picture_or_a_clear_error(self):
        log = self.drop(duration=0.1)
        with unittest.mock.patch.dict("sys.modules", {"matplotlib": None}):
            with self.assertRaisesRegex(ImportError, "matplotlib is missing; install it"):
                log.plot()
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure = log.plot()
        self.assertEqual([axis.get_ylabel() for axis in figure.axes], ["energy [J]", "force of the ground [N]"])
        self.assertEqual([len(axis.lines) for axis in figure.axes], [3, 1])
        figure.savefig(self.path("plot.png"))


if __name__ == "__main__":
    unittest.main()
