"""featherline.torch with the real generator and the real extension, where PyTorch is installed."""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import featherline
import numpy as np

try:
    import torch
except ImportError:
    torch = None

SOURCE = os.environ["FEATHERLINE_SOURCE"]
SECOND = ["rnea_vector_hessian", "mass_matrix_vector_derivative", "aba_vector_hessian", "minv_vector_derivative"]
#: A floating base, a planar and a spherical joint, and a revolute one.
FREE_JOINTS = os.path.join(SOURCE, "tests", "casadi", "free_joints.urdf")
PLANAR = os.path.join(SOURCE, "robots", "planar3.urdf")


@unittest.skipUnless(torch, "python3-torch is not installed")
class Torch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="featherline-test-")
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)
        torch.manual_seed(1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", featherline.FeatherlineWarning)  # an inertia of the robot
            cls.free = featherline.torch.load(FREE_JOINTS, cache=cls.cache, base="floating", scalar="float64", batch=False,
                                              functions=["rnea", "bias", "gravity", "aba", "aza", "mass_matrix", "step",
                                                         "integrate", "difference", "frame_poses", "frame_velocities",
                                                         "frame_accelerations", "potential_energy",
                                                         "forward_kinematics", *SECOND])
        cls.planar = featherline.torch.load(PLANAR, cache=cls.cache, functions=["rnea", "aba", "step", "mass_matrix"])

    def states(self, robot, *lead, dtype=None):
        """Quaternions are not of unit length."""
        sizes = (robot.nq, robot.nv, robot.nv)
        return [torch.randn(*lead, n, dtype=dtype or torch.float64).requires_grad_() for n in sizes]

    def unit(self, q):
        """The numpy array that the functions of numpy take."""
        with torch.no_grad():
            return self.free.rnea.positions.unit(q).numpy()

    def test_values(self):
        q, v, a = self.states(self.free, 4)
        np.testing.assert_array_equal(self.free.rnea(q, v, a).detach(), self.free.plain.rnea(self.unit(q), v.detach(), a.detach()))
        p, R = self.free.frame_poses(q)
        np.testing.assert_array_equal(R.detach(), self.free.plain.frame_poses(self.unit(q)).R)
        self.assertEqual(self.free.potential_energy(q[0]).shape, ())
        self.assertEqual(self.free.frame_poses(q=q)._fields, ("p", "R"))

    def test_link_of_the_call(self):
        q, link = self.states(self.free)[0], self.free.link_names[-1]
        with self.assertRaisesRegex(RuntimeError, "frame_poses"):
            self.free.forward_kinematics(q, link)
        unit = torch.as_tensor(self.unit(q))
        p, R = self.free.forward_kinematics(unit, link)
        np.testing.assert_array_equal(R, self.free.plain.forward_kinematics(unit.numpy(), link)[1])
        self.assertIsInstance(p, torch.Tensor)

    def test_rollout(self):
        robot = featherline.torch.load(PLANAR, cache=self.cache, scalar="float64", batch=False, verify=False,
                                       functions=["rollout"])
        tau = torch.ones(4, 3, dtype=torch.float64)
        q_all, _ = robot.rollout(torch.zeros(3, dtype=torch.float64), torch.zeros(3, dtype=torch.float64), tau, 1e-3)
        self.assertEqual(q_all.shape, (4, 3))
        with self.assertRaisesRegex(RuntimeError, "step has some"):
            robot.rollout(tau[0], tau[0], tau.requires_grad_(), 1e-3)

    def test_many_threads(self):
        before = torch.get_num_threads()
        self.addCleanup(torch.set_num_threads, before)
        q, v, a = (x.detach() for x in self.states(self.planar, 5000))
        for threads in (1, 2, 7):
            torch.set_num_threads(threads)
            np.testing.assert_array_equal(self.planar.rnea(q, v, a), self.planar.plain.rnea(q, v, a))

    def test_compiled_positions(self):
        """They are those of PyTorch, which gradcheck sees."""
        positions = self.free.rnea.positions
        for lead in ((), (5,), (0,)):
            for dtype in (torch.float64, torch.float32):
                q, w = (x.detach() for x in self.states(self.free, *lead, dtype=dtype)[:2])
                for function, given in ((positions.unit, (q,)), (positions.by_coordinates, (q, w))):
                    with torch.no_grad():
                        compiled = function(*given)
                    torch.testing.assert_close(compiled, function(*given), rtol=1e-5 if dtype == torch.float32 else 1e-13,
                                               atol=1e-5 if dtype == torch.float32 else 1e-13)
        table, native = positions._table, featherline.robot._native
        q = np.zeros((2, self.free.nq))
        for pieces, given, out in ((table, q, q[:1].copy()), (table, q, q.astype(np.float32)), (table, q[:, ::2], q), (table, 1, q),
                                   (table + 4, q, q.copy()), (table.astype(float), q, q), (-table, q, q), (table[:, :3].copy(), q, q)):
            with self.assertRaisesRegex(ValueError, "no positions of a robot"):
                native.unit_positions(pieces, given, out)
            with self.assertRaisesRegex(ValueError, "no positions of a robot"):
                native.derivatives_by_coordinates(pieces, given, np.zeros((2, self.free.nv)), out)

    def test_first_derivatives(self):
        check = torch.autograd.gradcheck
        for lead in ((), (2,)):
            q, v, a = self.states(self.free, *lead)
            dt = torch.tensor(0.1, dtype=torch.float64)
            for name in ("rnea", "aba", "bias", "gravity", "aza", "integrate", "frame_velocities", "frame_accelerations",
                         "potential_energy"):
                function = getattr(self.free, name)
                self.assertTrue(check(function, (q, v, a)[: len(function.inputs)]), name)
            self.assertTrue(check(lambda q: tuple(self.free.frame_poses(q)), (q,)))
            self.assertTrue(check(lambda q, v, a: tuple(self.free.step(q, v, a, dt)), (q, v, a)))

    def test_second_derivatives(self):
        for lead in ((), (2,)):
            q, v, a = self.states(self.free, *lead)
            for function, inputs in ((self.free.rnea, (q, v, a)), (self.free.aba, (q, v, a)), (self.free.bias, (q, v))):
                self.assertTrue(torch.autograd.gradgradcheck(function, inputs), function)
            w = torch.randn(*lead, self.free.nv, dtype=torch.float64, requires_grad=True)
            for product in (self.free.rnea_vjp, self.free.aba_vjp):
                self.assertTrue(torch.autograd.gradcheck(lambda *x: tuple(product(*x)), (q, v, a, w)))

    def test_parameters(self):
        """As many as joints: an array in the place of another one would not be noticed by its shape."""
        robot = featherline.torch.load(PLANAR, cache=self.cache, scalar="float64", batch=False, verify=False,
                                       functions=["rnea", "aba", "bias", "gravity", *SECOND],
                                       parameters=["damping", "inertia:link3"])
        q, v, a = self.states(robot, 2)
        self.assertEqual(robot.differentiable["aba"], ("q", "v", "tau", "p"))
        p = (robot.parameter_defaults * 1.1 + 0.01).requires_grad_()
        for name in ("rnea", "aba", "bias", "gravity"):
            function = getattr(robot, name)
            given = [{"q": q, "v": v, "p": p}.get(key, a) for key in function.inputs]
            self.assertTrue(torch.autograd.gradcheck(function, given), name)
            constant = [x.detach() for x in given[:-1]]
            self.assertTrue(torch.autograd.gradcheck(lambda p: function(*constant, p), (p,)), name)
            if name != "gravity":
                self.assertTrue(torch.autograd.gradgradcheck(lambda *x: function(*x, p.detach()), given[:-1]), name)
        w = torch.randn(2, robot.nv, dtype=torch.float64, requires_grad=True)
        for product in (robot.rnea_vjp, robot.aba_vjp):
            self.assertTrue(torch.autograd.gradcheck(lambda *x: tuple(product(*x, p.detach())), (q, v, a, w)))
        for differentiated in ((q, p), (p,)):
            first = torch.autograd.grad(robot.aba(q, v, a, p).pow(2).sum(), differentiated, create_graph=True)
            with self.assertRaisesRegex(RuntimeError, "aba of planar3 has no second derivatives by p. Detach p"):
                first[0].sum().backward()

    def test_parameters_of_constraints(self):
        """rnea does not depend on them, so it has no derivatives by them to add."""
        more = featherline.torch_rules.more_functions
        for parameters in (None, [], "anchors", "anchors, stabilisation", ["anchors", "stabilisation"], 5):
            self.assertEqual(more(["rnea", "step"], parameters), ["step_vjp"], parameters)
        for parameters in ("anchors,damping", ["anchors", "payload:link3"], ["gravity"]):
            self.assertEqual(more("bias, rnea,aba", parameters),
                             ["rnea_parameter_derivatives", "aba_parameter_derivatives"], parameters)
        self.assertEqual(more(["rnea,aba", "rnea_parameter_derivatives"], "rest"), ["aba_parameter_derivatives"])
        for functions in (None, 5, {"aba": 1}, [5], "dynamics", ["all"]):
            self.assertEqual(more(functions, ["damping"]), [], functions)
        robot = featherline.torch.load(PLANAR, cache=self.cache, scalar="float64", batch=False, verify=False,
                                       functions=["rnea", "constrained_dynamics", "constrained_inverse_dynamics"],
                                       contacts=["link3"],
                                       parameters=iter(["anchors", "stabilisation"]),
                                       accept=["dependent-constraints"])
        self.assertIn("p", robot.constrained_dynamics.inputs)
        self.assertEqual(robot.differentiable["rnea"], ("q", "v", "a"))
        q, v, a = self.states(robot)
        robot.rnea(q, v, a).sum().backward()
        state = [x.detach() for x in (q, v, a)]
        active = torch.tensor([0.5], dtype=torch.float64)
        robot.constrained_inverse_dynamics(*state, active)  # there it weighs
        for wrong in (-0.5, float("nan")):
            with self.assertRaisesRegex(ValueError, "a positive weight"):
                robot.constrained_inverse_dynamics(*state, torch.full_like(active, wrong))
        with self.assertRaisesRegex(ValueError, "expected 1, or 0"):
            robot.constrained_dynamics(*state, active, robot.parameter_defaults)

    def test_parameters_of_groups(self):
        """A group alone has no derivatives by p; the error says which function holds them."""
        options = dict(cache=self.cache, scalar="float64", batch=False, verify=False, parameters=["damping"])
        for functions in (["dynamics"], None):
            robot = featherline.torch.load(PLANAR, functions=functions, **options)
            q, v, a = self.states(robot)
            p = robot.parameter_defaults.clone().requires_grad_()
            for name, holder in (("rnea", "rnea"), ("bias", "rnea"), ("aba", "aba")):
                function = getattr(robot, name)
                given = [{"q": q, "v": v, "p": p}.get(key, a) for key in function.inputs]
                words = (rf"{name} of planar3 has no derivatives by p here: load\(..., "
                         rf"functions=\[..., '{holder}_parameter_derivatives'\]\)")
                with self.assertRaisesRegex(RuntimeError, words):
                    function(*given).sum().backward()
                function(*given[:-1], p.detach()).sum().backward()
        robot = featherline.torch.load(PLANAR, functions=["dynamics", "sensitivities"], **options)
        self.assertEqual(robot.differentiable["aba"], ("q", "v", "tau", "p"))
        self.assertTrue(torch.autograd.gradcheck(lambda p: robot.aba(q.detach(), v.detach(), a.detach(), p), (p,)))

    def test_springs(self):
        """Those of rnea are not those of gravity, whatever the defaults are."""
        robot = featherline.torch.load(PLANAR, cache=self.cache, scalar="float64", batch=False, verify=False,
                                       functions=["rnea", "gravity"], parameters=["stiffness"])
        self.assertEqual(list(robot.differentiable), ["rnea"])

    def test_along_the_tangent(self):
        q0, v, a = self.states(self.free)
        dq = torch.zeros(self.free.nv, dtype=torch.float64, requires_grad=True)
        w = torch.randn(self.free.nv, dtype=torch.float64)
        (found,) = torch.autograd.grad(self.free.rnea(self.free.integrate(q0, dq), v, a), dq, w)
        expected = self.free.plain.rnea_vjp(self.unit(q0), v.detach(), a.detach(), w).wq
        np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())

    def test_leading_dimensions(self):
        q, v, a = self.states(self.planar, 2, 3, 5)
        tau = self.planar.rnea(q, v, a)
        self.assertEqual(tau.shape, (2, 3, 5, 3))
        np.testing.assert_allclose(tau[1, 2, 4].detach(), self.planar.rnea(q[1, 2, 4], v[1, 2, 4], a[1, 2, 4]).detach(), rtol=1e-12)
        np.testing.assert_allclose(self.planar.rnea(q[0, 0, 0], v[:, :1], a).detach(),
                                   self.planar.rnea(q[0, 0, 0].expand_as(q), v[:, :1].expand_as(v), a).detach(), rtol=1e-12)
        self.assertEqual(self.planar.rnea(q[:0], v[0], a[0]).shape, (0, 3, 5, 3))
        self.assertEqual(self.planar.mass_matrix(q).shape, (2, 3, 5, 3, 3))
        self.assertTrue(torch.autograd.gradcheck(self.planar.rnea, (q[0, 0, 0], v[0, :2, :2], a[1, 0, :2])))

    def test_float32(self):
        both = []
        for dtype in (torch.float64, torch.float32):
            q, v, tau = (torch.full((8, 3), value, dtype=dtype, requires_grad=True) for value in (0.3, -0.5, 0.1))
            a = self.planar.aba(q, v, tau)
            both.append((a, *torch.autograd.grad(a.sum(), (q, v, tau))))
            self.assertTrue(all(x.dtype == dtype for x in both[-1]))
        for wide, narrow in zip(*both):
            torch.testing.assert_close(wide.float(), narrow, rtol=1e-3, atol=1e-3)
        q = torch.zeros(2, 3, requires_grad=True)
        following, _ = self.planar.step(q, q, q, 0.01)
        following.sum().backward()
        self.assertEqual(q.grad.shape, q.shape)

    def test_derivatives_that_do_not_exist(self):
        q, v, a = self.states(self.free, 2)

        def refuses(words, f):
            with self.assertRaisesRegex(RuntimeError, words):
                f()

        refuses("mass_matrix of free_joints has no derivatives here; functions that have some: rnea, bias",
                lambda: self.free.mass_matrix(q).sum().backward())
        dt = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
        refuses("step of free_joints has no derivative by dt; it has those by q, v, tau. Detach dt",
                lambda: self.free.step(q, v, a, dt).v_next.sum().backward())

        def second(f, *x):
            first = torch.autograd.grad(f(*x).pow(2).sum(), x, create_graph=True)
            return torch.autograd.grad(sum(y.pow(2).sum() for y in first), x, create_graph=True)

        refuses("aba of planar3 has no second derivatives here: load.*'aba_vector_hessian', 'minv_vector_derivative'",
                lambda: second(self.planar.aba, *self.states(self.planar, 2)))
        refuses("frame_velocities of free_joints has no second derivatives; rnea, bias and aba have them",
                lambda: second(self.free.frame_velocities, q, v))
        refuses("rnea of free_joints has no third derivatives",
                lambda: sum(x.sum() for x in second(self.free.rnea, q, v, a)).backward())
        with torch.no_grad():  # nobody asks for any
            self.free.mass_matrix(q)

    def test_ends_after_an_error(self):
        program = """if True:
            import pickle, sys, torch
            robot = pickle.load(sys.stdin.buffer)
            x = [torch.ones(n, dtype=torch.float64, requires_grad=True) for n in (robot.nq, robot.nv, robot.nv)]
            y = robot.rnea(*x).pow(2).sum()
            for _ in range(2):
                y = sum(z.pow(2).sum() for z in torch.autograd.grad(y, x, create_graph=True))
            try:
                y.backward()
            except RuntimeError as error:
                print(error)"""
        ended = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(self.free), timeout=60, capture_output=True)
        self.assertEqual((ended.returncode, ended.stdout), (0, b"rnea of free_joints has no third derivatives\n"))

    def test_wrong_arguments(self):
        q, v, a = self.states(self.planar, 2)
        for given, words in (((q, v, a.detach().numpy()), "a is a ndarray; expected a tensor"),
                             ((q, v, 1.0), "a is a float; expected a tensor"),
                             ((q, v[:, :2], a), r"v has shape \(2, 2\); expected \(..., 3\)"),
                             ((q, v[0, 0], a), r"v has shape \(\); expected \(..., 3\)"),
                             ((q, v, torch.zeros(3, 3, dtype=torch.float64)), r"leading dimensions do not fit: \(2,\) of q"),
                             ((q, v.float(), a), "v has torch.float32; expected .*, the same for all arguments"),
                             ((q.half(), v.half(), a.half()), "q has torch.float16; expected torch.float64 or torch.float32"),
                             ((q, v, torch.zeros(2, 3, dtype=torch.int64)), "a has torch.int64"),
                             ((q, v, a.to_sparse()), "a has layout torch.sparse_coo; expected a dense tensor"),
                             ((q, v, torch.zeros(2, 3, device="meta")), "a is on device meta; expected memory of the proc")):
            with self.assertRaisesRegex(ValueError, "^rnea: " + words):
                self.planar.rnea(*given)
        for call, words in ((lambda: self.planar.rnea(q, v), "a is missing; expected q, v, a"),
                            (lambda: self.planar.rnea(q, v, a, a), "4 arguments are given"),
                            (lambda: self.planar.rnea(q, v, a, q=q), "q is given twice"),
                            (lambda: self.planar.rnea(q, v, x=a), "x is no argument")):
            with self.assertRaisesRegex(TypeError, "^rnea: " + words):
                call()
        zero = self.free.neutral * 0.0
        with self.assertRaisesRegex(ValueError, "potential_energy: q.*quaternion of joint .* has norm -?nan; expected 1"):
            self.free.potential_energy(zero)
        with self.assertRaisesRegex(ValueError, r"q has torch.float32; expected torch.float64.*; load\(..., scalar="):
            self.free.potential_energy(zero.float())
        with self.assertRaisesRegex(AttributeError, "not generated: name it in load"):
            _ = self.planar.minv_vector_derivative

    def test_copies(self):
        copy = pickle.loads(pickle.dumps(self.planar))
        q, v, a = self.states(self.planar)
        torch.testing.assert_close(copy.rnea(q, v, a), self.planar.rnea(q, v, a))


class WithoutTorch(unittest.TestCase):
    @unittest.skipIf(torch, "python3-torch is installed")
    def test_error(self):
        with self.assertRaisesRegex(ImportError, "featherline.torch needs PyTorch.*install python3-torch"):
            _ = featherline.torch

    def test_unknown_attribute(self):
        with self.assertRaisesRegex(AttributeError, "has no attribute 'tensorflow'"):
            _ = featherline.tensorflow


if __name__ == "__main__":
    unittest.main()
