"""Arrays on the GPU, without one: the driver is tests/cuda_driver/fake_driver.cpp, and a small array type stands for CuPy's."""

import collections
import ctypes
import inspect
import json
import os
import re
import shutil
import tempfile
import types
import unittest

os.environ["FEATHERLINE_TEST_FAKE_NATIVE"] = "0"

import featherline  # noqa: E402
from featherline import device  # noqa: E402

# Under its own name it is the driver for all who look for libcuda.so.1 from now on.
driver = ctypes.CDLL(os.path.join(os.environ["FEATHERLINE_BUILD"], "tests", "cuda_driver", "fake", "libcuda.so.1"))
driver.fake_cuda_allocate.restype = ctypes.c_void_p
driver.fake_cuda_allocate.argtypes = [ctypes.c_size_t, ctypes.c_int]
driver.fake_cuda_log.restype = ctypes.c_char_p
driver.fake_cuda_fail.argtypes = [ctypes.c_char_p, ctypes.c_int]

SIZES = {"<f4": 4, "<f8": 8, "<i4": 4}


class Array:
    """As CuPy's: sides, strides in numbers, a stream."""

    def __init__(self, shape, strides=None, typestr="<f4", stream=None, where=0, address=None, read_only=False, mask=None):
        count = 1
        for side in shape:
            count *= side
        self.shape, self.typestr, self.device = tuple(shape), typestr, where
        self.address = address or driver.fake_cuda_allocate(max(count, 1) * SIZES[typestr], where)
        self.strides, self.stream, self.read_only, self.mask = strides, stream, read_only, mask

    @property
    def dtype(self):
        return self.typestr

    @property
    def __cuda_array_interface__(self):
        item = SIZES[self.typestr]
        return {"shape": self.shape, "typestr": self.typestr, "data": (self.address, self.read_only), "version": 3,
                "strides": None if self.strides is None else tuple(item * stride for stride in self.strides),
                "stream": self.stream, "mask": self.mask}

    def __array_namespace__(self):
        return types.SimpleNamespace(
            empty=lambda shape, dtype, device: Array(shape, typestr=dtype, where=device, stream=self.stream),
            permute_dims=lambda x, order: Array([x.shape[side] for side in order],
                                                tuple(device._rows(x.shape)[side] for side in order), x.typestr, x.stream,
                                                x.device, x.address))


class Nameless(Array):
    """Of a library that has no namespace."""

    __array_namespace__ = None


class ByDlpack:
    """An array that has DLPack alone."""

    def __init__(self, shape):
        self.array = Array(shape)
        sides = (ctypes.c_int64 * len(shape))(*shape)
        from featherline.device_arrays import _Tensor

        self.sides = sides
        self.tensor = _Tensor(self.array.address - 4, 2, 0, len(shape), 2, 32, 1, sides, None, 4)
        self.streams = []

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def host_function(name, inputs, outputs):
    """Stands for a function of the processor: rows as Function._arrays has them."""

    def host(*values, **named):
        return ("host", values, named)

    host.__name__ = name
    host._results_type = collections.namedtuple(f"{name}_result", [row[0] for row in outputs])
    host.__text_signature__ = "(" + ", ".join(row[0] for row in inputs) + ", *, out=None, threads=1)"
    host.__signature__ = inspect.Signature([inspect.Parameter(row[0], inspect.Parameter.POSITIONAL_OR_KEYWORD)
                                            for row in inputs])
    host._arrays = tuple([(n, False, first, sides) for n, first, sides in inputs]
                         + [(n, True, first, sides) for n, first, sides in outputs])
    return host


Q, V, A, TAU = ("q", False, (3,)), ("v", False, (2,)), ("a", False, (2,)), ("tau", False, (2,))
MATRIX = ("M", False, (2, 2))
FORCES = ("f", True, (4, 3, 3))


def ptx_of(kernels):
    text = ".version 7.5\n.target sm_80\n.visible .global .align 1 .b8 robot_1[1];\n"
    for name in kernels:
        text += f".visible .global .align 4 .u32 {name}_threads = 1;\n"
    for name, count in kernels.items():
        text += (f".visible .entry {name}(\n\t.param .align 8 .b8 {name}_param_0[{8 * (count + 3)}]\n)\n"
                 ".maxntid 128, 1, 1\n{\n\tret;\n}\n")
    return text


class Device(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as file:
            names = {"rnea": 4, "mass": 2, "both": 3, "poses": 2, "rollout": 6, "rollout_end": 6}
            file.write(ptx_of({f"arm_cuda_{layout}{name}_{scalar}": count for name, count in names.items()
                               for scalar in ("float", "double") for layout in ("", "soa_")}
                              | {f"arm_cuda_to_{to}_float": 2 for to in ("rows", "elements")}))
        cls.addClassCleanup(os.unlink, file.name)
        cls.kernels = device.Kernels(file.name, "arm", "robot_1")

    def setUp(self):
        driver.fake_cuda_reset()
        self.rnea = self.function("rnea", [Q, V, A], [TAU])

    def function(self, name, inputs, outputs):
        return device.Function(host_function(name, inputs, outputs), self.kernels, {})

    def launches(self):
        return [line for line in driver.fake_cuda_log().decode().splitlines() if not line.startswith("module")]

    def refused(self, text, call, *values, error=ValueError, **named):
        driver.fake_cuda_reset()
        with self.assertRaises(error) as caught:
            call(*values, **named)
        self.assertIn(text, str(caught.exception))
        self.assertEqual(self.launches(), [])
        return str(caught.exception)

    def test_many_states(self):
        q, v, a = Array((300, 3)), Array((300, 2)), Array((300, 2))
        tau = self.rnea(q, v, a=a)
        self.assertEqual((tau.shape, tau.strides, tau.typestr), ((300, 2), None, "<f4"))
        self.assertEqual(self.launches(), [f"arm_cuda_rnea_float on 0: 3 x 128, 300 states, 300 apart, 1 steps, stream 0: {q.address} {v.address} "
                                           f"{a.address} {tau.address}"])

    def test_one_state_in_double(self):
        tau = self.rnea(*(Array((n,), typestr="<f8", where=1) for n in (3, 2, 2)))
        self.assertEqual((tau.shape, tau.device), ((2,), 1))
        self.assertIn("arm_cuda_rnea_double on 1: 1 x 128, 1 states", self.launches()[0])

    def test_no_states(self):
        tau = self.rnea(Array((0, 3)), Array((0, 2)), Array((0, 2)))
        self.assertEqual((tau.shape, self.launches()), ((0, 2), []))

    def test_by_element(self):
        def transposed(n):
            return Array((5, n), (1, 5))

        tau = self.rnea(transposed(3), transposed(2), transposed(2))
        self.assertEqual((tau.shape, tau.strides), ((5, 2), (1, 5)))
        self.assertIn("arm_cuda_soa_rnea_float on 0: 1 x 128, 5 states", self.launches()[0])
        wrong = self.refused("v has the strides (2, 1), in numbers; expected (1, 5)", self.rnea, transposed(3), Array((5, 2)),
                             transposed(2))
        self.assertIn("Nothing is copied", wrong)
        self.refused("q has the strides (8, 1), in numbers; expected (3, 1)", self.rnea, Array((5, 3), (8, 1)), Array((5, 2)),
                     Array((5, 2)))

    def test_layout_of_matrices(self):
        mass = self.function("mass", [Q], [MATRIX])
        self.assertEqual(mass(Array((5, 3))).strides, (4, 1, 2))
        self.assertEqual(mass(Array((5, 3), (1, 5))).strides, (1, 5, 10))
        self.assertEqual(mass(Array((3,))).strides, (1, 2))
        poses = self.function("poses", [Q], [FORCES])
        self.assertEqual(poses(Array((5, 3))).strides, (36, 9, 1, 3))
        self.assertEqual(poses(Array((5, 3), (1, 5))).strides, (1, 45, 5, 15))
        out = Array((5, 2, 2), (4, 2, 1))
        self.refused("M has the strides (4, 2, 1), in numbers; expected (4, 1, 2)", mass, Array((5, 3)), out=out)

    def test_rows_by_way_of_elements(self):
        """Where the manifest predicts that rows are slow, and they are more than the cache holds: 1,000 states at a time."""
        slow = {"float": {"predicted_ns": 1.0, "predicted_ns_in_rows": 2.0},
                "double": {"predicted_ns": 1.0, "predicted_ns_in_rows": 1.0}}
        mass = device.Function(host_function("mass", [Q], [MATRIX]), self.kernels, slow)
        bytes_of_state = 4 * (3 + 4)
        for name, value in (("_cached_bytes", 1000 * bytes_of_state), ("_most_bytes", 1000 * bytes_of_state)):
            self.addCleanup(setattr, device, name, getattr(device, name))
            setattr(device, name, value)
        q, out = Array((1001, 3)), Array((1001, 2, 2), (4, 1, 2))
        self.assertIs(mass(q, out=out), out)
        launches = [re.fullmatch(r"(\w+) on 0: [\dx ]+, (\d+) states, (\d+) apart, (\d+) steps, stream 0: (\d+) (\d+)", line)
                    for line in self.launches()]
        columns_of_q, columns_of_m = int(launches[0][6]), int(launches[1][6])
        wanted = []
        for first, count in ((0, 1000), (1000, 1)):
            wanted += [("arm_cuda_to_elements_float", count, 3, q.address + 12 * first, columns_of_q),
                       ("arm_cuda_soa_mass_float", count, 1, columns_of_q, columns_of_m),
                       ("arm_cuda_to_rows_float", count, 4, columns_of_m, out.address + 16 * first)]
        self.assertEqual([(one[1], int(one[2]), int(one[4]), int(one[5]), int(one[6])) for one in launches], wanted)
        driver.fake_cuda_reset()
        for few in (Array((1000, 3)), Array((1001, 3), typestr="<f8"), Array((1001, 3), (1, 1001))):
            mass(few)
        self.assertEqual([line.split()[0] for line in self.launches()],
                         ["arm_cuda_mass_float", "arm_cuda_mass_double", "arm_cuda_soa_mass_float"])

    def test_several_kernels_in_turn(self):
        """By element, in the scalars of which the manifest says so."""
        in_turn = [{"kernel": "mass", "inputs": ["q"], "outputs": ["M"]},
                   {"kernel": "both", "inputs": ["v", "M"], "outputs": ["tau"]}]
        function = device.Function(host_function("derivatives", [Q, V], [TAU, MATRIX]), self.kernels,
                                   {"float": {"in_turn": in_turn}})
        q, v, M = Array((3, 5)), Array((2, 5)), Array((2, 2, 5))
        tau = Array((2, 5))
        by_element = [Array(x.shape[::-1], tuple(device._rows(x.shape))[::-1], address=x.address) for x in (q, v, tau, M)]
        function(*by_element[:2], out=tuple(by_element[2:]))
        seen = [re.fullmatch(r"(\w+) on 0: .*, 5 states, 5 apart, 1 steps, stream 0: ([\d ]+)", line).groups()
                for line in self.launches()]
        self.assertEqual(seen, [("arm_cuda_soa_mass_float", f"{q.address} {M.address}"),
                                ("arm_cuda_soa_both_float", f"{v.address} {M.address} {tau.address}")])

    def test_kernels_of_a_folder(self):
        """A robot gets functions of the device where its sources have a NAME.ptx, by what the manifest says."""
        with tempfile.TemporaryDirectory() as folder:
            host = host_function("rnea", [Q, V, A], [TAU])
            robot = types.SimpleNamespace(name="arm", sources=folder, functions=["rnea", "rnea_nonzeros", "contact_step"], rnea=host,
                                          rnea_nonzeros=host_function("rnea_nonzeros", [Q], [TAU]),
                                          contact_step=host_function("contact_step", [Q, V], [A]))
            device.add_kernels(robot)
            self.assertIs(robot.rnea, host)
            shutil.copy(self.kernels._ptx, os.path.join(folder, "arm.ptx"))
            with open(os.path.join(folder, "arm.json"), "w", encoding="utf-8") as file:
                json.dump({"ptx": {"robot": "robot_1"}, "functions": {"rnea": {"device": {}}, "contact_step": {}}}, file)
            device.add_kernels(robot)
            tau = robot.rnea(Array((5, 3)), Array((5, 2)), Array((5, 2)))
        self.assertEqual(tau.shape, (5, 2))
        self.assertEqual(robot.rnea([1.0], 2, 3)[0], "host")
        self.assertIn("arm_cuda_rnea_float on 0: 1 x 128, 5 states", self.launches()[0])
        self.refused("give arrays that have them as out=", robot.rnea_nonzeros, Array((5, 3)))
        self.refused("contact_step: it has no kernel", robot.contact_step, Array((3,)), Array((2,)))

    def test_rollout(self):
        rollout = self.function("rollout", [Q, V, ("tau", True, (-1, 2)), ("dt", False, ())],
                                [("q_all", True, (-1, 3)), ("v_all", True, (-1, 2))])
        q_all, v_all = rollout(Array((5, 3)), Array((5, 2)), Array((5, 20, 2)), Array((5,)))
        self.assertEqual((q_all.shape, v_all.shape, q_all.strides), ((5, 20, 3), (5, 20, 2), None))
        self.assertIn("arm_cuda_rollout_float on 0: 1 x 128, 5 states, 5 apart, 20 steps", self.launches()[0])
        q_all, v_all = rollout(Array((3,)), Array((2,)), Array((7, 2)), Array(()))
        self.assertEqual((q_all.shape, v_all.shape), ((7, 3), (7, 2)))
        self.assertIn("1 states, 1 apart, 7 steps", self.launches()[1])
        q_all, v_all = rollout(Array((5, 3), (1, 5)), Array((5, 2), (1, 5)), Array((5, 20, 2), (1, 10, 5)), Array((5,)))
        self.assertEqual((q_all.strides, v_all.strides), ((1, 15, 5), (1, 10, 5)))
        self.assertIn("arm_cuda_soa_rollout_float on 0: 1 x 128, 5 states, 5 apart, 20 steps", self.launches()[2])
        none, _ = rollout(Array((5, 3)), Array((5, 2)), Array((5, 0, 2)), Array((5,)))
        self.assertEqual((none.shape, len(self.launches())), ((5, 0, 3), 3))
        self.refused("tau has the shape (4, 20, 2); expected (20, 2), or (count, 20, 2)", rollout, Array((5, 3)), Array((5, 2)),
                     Array((4, 20, 2)), Array((5,)))
        self.refused("dt is a number, and other arguments are on the GPU, where each state has its own; give an array of the "
                     "shape (count,) there", rollout, Array((5, 3)), Array((5, 2)), Array((5, 20, 2)), 1e-3)
        self.refused("tau has the shape (2,); expected", rollout, Array((5, 3)), Array((5, 2)), Array((2,)), Array((5,)))
        self.refused("out for v_all is float32 of the shape (5, 19, 2)", rollout, Array((5, 3)), Array((5, 2)),
                     Array((5, 20, 2)), Array((5,)), out=(Array((5, 20, 3)), Array((5, 19, 2))))

    def test_end_of_rollout(self):
        end = self.function("rollout_end", [Q, V, ("tau", True, (-1, 2)), ("dt", False, ())],
                            [("q_next", True, (3,)), ("v_next", True, (2,))])
        q, v, tau, dt = Array((5, 3)), Array((5, 2)), Array((5, 20, 2)), Array((5,))
        q_next, v_next = end(q, v, tau, dt)
        self.assertEqual((q_next.shape, v_next.shape), ((5, 3), (5, 2)))
        self.assertIn("arm_cuda_rollout_end_float on 0: 1 x 128, 5 states, 5 apart, 20 steps", self.launches()[0])
        none = Array((5, 0, 2))
        none.address = 0  # of no numbers
        end(q, v, none, dt)
        self.assertIn("5 states, 5 apart, 0 steps", self.launches()[1])
        self.assertIn(f" {q.address} {v.address} {q.address} {dt.address} ", self.launches()[1])
        self.assertEqual((end(Array((0, 3)), Array((0, 2)), Array((0, 20, 2)), Array((0,)))[0].shape, len(self.launches())),
                         ((0, 3), 2))
        self.refused("tau has the shape (4, 20, 2); expected (20, 2), or (count, 20, 2)", end, q, v, Array((4, 20, 2)), dt)

    def test_out(self):
        q, v, a, out = Array((5, 3)), Array((5, 2)), Array((5, 2)), Array((5, 2))
        self.assertIs(self.rnea(q, v, a, out=out), out)
        self.assertTrue(self.launches()[0].endswith(str(out.address)))
        self.refused("out for tau is float32 of the shape (4, 2); expected float32 of the shape (5, 2)", self.rnea, q, v, a,
                     out=Array((4, 2)))
        self.refused("out for tau is float64 of", self.rnea, q, v, a, out=Array((5, 2), typestr="<f8"))
        self.refused("out for tau is read-only", self.rnea, q, v, a, out=Array((5, 2), read_only=True))
        self.refused("a and out for tau share memory", self.rnea, q, v, a, out=a)
        self.refused("tau is builtins.list, which is not on the GPU", self.rnea, q, v, a, out=[1.0, 2.0])

    def test_results_are_permuted_when_they_are_there(self):
        """Libraries without strides copy: what they copied before a kernel ran would be nothing."""
        seen = []

        class Copying(Array):
            def __array_namespace__(self):
                return types.SimpleNamespace(
                    empty=lambda shape, dtype, device: Copying(shape, typestr=dtype),
                    permute_dims=lambda x, order: seen.append((driver.fake_cuda_log().count(b"arm_cuda_mass"), order)) or "new")

        self.assertEqual(self.function("mass", [Q], [MATRIX])(Copying((5, 3))), "new")
        self.assertEqual(seen, [(1, (0, 2, 1))])

    def test_a_call_like_one_before(self):
        q, v = Array((5, 3)), Array((5, 2))
        for _ in range(2):
            self.rnea(q, v, v)
        self.assertEqual(self.launches()[0].rsplit(" ", 1)[0], self.launches()[1].rsplit(" ", 1)[0])
        self.refused("v has the strides", self.rnea, q, Array((5, 2), (1, 5)), v)
        self.refused("v and out for tau share memory", self.rnea, q, v, v, out=v)
        self.rnea(Array((6, 3)), Array((6, 2)), Array((6, 2)))
        self.assertIn(" 6 states,", self.launches()[-1])

    def test_leaves_zeros(self):
        nonzeros = self.function("mass_nonzeros", [Q], [MATRIX])
        self.refused("it leaves zeros as they are; give arrays that have them as out=, or call mass", nonzeros, Array((5, 3)))

    def test_several_results(self):
        both = self.function("both", [Q], [("da_dq", False, (2, 2)), ("lambda_", False, (2,))])
        result = both(Array((5, 3)))
        self.assertEqual((result._fields, result.da_dq.shape), (("da_dq", "lambda_"), (5, 2, 2)))
        given = Array((5, 2))
        self.assertIs(both(Array((5, 3)), out=(None, given)).lambda_, given)
        self.refused("out is a list; expected a tuple of 2 arrays", both, Array((5, 3)), out=[given])

    def test_arrays_of_the_processor_stay_there(self):
        self.assertEqual(self.rnea([1.0], 2, a=3, threads=4), ("host", ([1.0], 2), {"a": 3, "threads": 4}))
        self.assertEqual(self.rnea([1.0], 2, 3, out=5), ("host", ([1.0], 2, 3), {"out": 5}))
        self.refused("v is builtins.list, which is not on the GPU", self.rnea, Array((3,)), [1.0, 2.0], Array((2,)))

    def test_shapes_and_types(self):
        q, v = Array((5, 3)), Array((5, 2))
        self.refused("a has the shape (4, 2); expected (2,), or (count, 2) for many states, with the same count as q", self.rnea,
                     q, v, Array((4, 2)))
        self.refused("a has the shape (2,)", self.rnea, q, v, Array((2,)))
        self.refused("q has the shape (5, 4)", self.rnea, Array((5, 4)), v, v)
        self.refused("a is float64, and q is float32", self.rnea, q, v, Array((5, 2), typestr="<f8"))
        self.refused("v has the type <i4; expected float32 or float64", self.rnea, q, Array((5, 2), typestr="<i4"), v)
        self.refused("v has a mask", self.rnea, q, Array((5, 2), mask=v), v)

    def test_arguments(self):
        q, v = Array((5, 3)), Array((5, 2))
        self.refused("a is missing", self.rnea, q, v, error=TypeError)
        self.refused("does not take these arguments", self.rnea, q, v, v, v, error=TypeError)
        self.refused("does not take these arguments", self.rnea, q, v, v, q=q, error=TypeError)
        self.refused("threads are those of the processor", self.rnea, q, v, v, threads=2)
        linked = device.Function(host_function("frame_jacobian", [Q, ("link", False, ())], [MATRIX]), self.kernels, None)
        self.refused("functions that take a link have no kernel", linked, Array((3,)))
        contact_step = device.Function(host_function("contact_step", [Q, V], [A]), self.kernels, None)
        self.refused("contact_step: it has no kernel, since it calls routines", contact_step, Array((3,)), Array((2,)))

    def test_streams(self):
        q, v = Array((5, 3), stream=7), Array((5, 2), stream=9)
        self.rnea(q, v, Array((5, 2)))
        self.assertEqual(self.launches()[:2], ["event on 9", "7 waits"])
        self.assertIn("stream 7:", self.launches()[2])
        driver.fake_cuda_reset()
        self.rnea(Array((5, 3)), Array((5, 2), stream=1), Array((5, 2)))
        self.assertEqual(len(self.launches()), 1)

    def test_dlpack(self):
        q, v, a = ByDlpack((5, 3)), ByDlpack((5, 2)), ByDlpack((5, 2))
        out = Array((5, 2))
        self.assertIs(self.rnea(q, v, a, out=out), out)
        self.assertEqual(self.launches(), [f"arm_cuda_rnea_float on 0: 1 x 128, 5 states, 5 apart, 1 steps, stream 0: {q.array.address} "
                                           f"{v.array.address} {a.array.address} {out.address}"])
        self.assertEqual(q.streams, [1])

    def test_library_without_a_namespace(self):
        self.refused("nobody knows how to make arrays like", self.rnea, Nameless((3,)), Array((2,)), Array((2,)),
                     error=TypeError)

    def test_errors_of_the_layers(self):
        arrays = [Array((5, n)) for n in (3, 2, 2)]
        with self.assertRaises(featherline.DeviceError) as caught:
            self.rnea(arrays[0], arrays[1], Array((5, 2), where=1))
        self.assertIn("featherline on the GPU: a is on device 1, and q on device 0", str(caught.exception))
        driver.fake_cuda_fail(b"cuLaunchKernel", 700)
        with self.assertRaises(featherline.DeviceError) as caught:
            self.rnea(*arrays)
        self.assertIn("CUDA driver: CUDA_ERROR_ILLEGAL_ADDRESS", str(caught.exception))
        self.assertEqual(self.rnea([1.0], 2, 3)[0], "host")

    def test_ptx_of_another_robot(self):
        other = device.Function(host_function("rnea", [Q, V, A], [TAU]),
                                device.Kernels(self.kernels._ptx, "arm", "robot_2"), {})
        with self.assertRaises(featherline.DeviceError) as caught:
            other(*(Array((5, n)) for n in (3, 2, 2)))
        self.assertIn("of another robot", str(caught.exception))

    def test_description(self):
        self.assertEqual(self.rnea.__name__, "rnea")
        self.assertIn("and on the GPU>", repr(self.rnea))
        with self.assertRaises(ValueError) as caught:
            featherline.load("arm.urdf", device="gpu")
        self.assertIn("expected \"cuda\", or None", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
