"""Arguments by DLPack and by the buffer protocol, with the real generator and the real extension."""

import array
import gc
import os
import shutil
import tempfile
import unittest

import dlpack_producer
import featherline
import numpy as np
from dlpack_producer import Producer

try:
    import torch
except ImportError:
    torch = None

ROBOT = os.path.join(os.environ["FEATHERLINE_SOURCE"], "robots", "planar3.urdf")


class Dlpack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="featherline-test-")
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)
        cls.robot = featherline.load(ROBOT, cache=cls.cache, scalar=["float64", "float32"],
                                     functions=["rnea", "mass_matrix", "kinetic_energy"])
        random = np.random.default_rng(3)
        cls.state = random.uniform(-1.0, 1.0, (3, 3))
        cls.states = random.uniform(-1.0, 1.0, (3, 20, 3))

    def tearDown(self):
        gc.collect()
        self.assertEqual(dlpack_producer.alive, {})  # every tensor was deleted, once

    def test_equal_to_numpy(self):
        for states in (self.state, self.states):
            for wrap in (Producer, lambda x: Producer(x, strides=False), lambda x: Producer(x, device=(3, 0)),
                         lambda x: Producer(x[..., None], rank=x.ndim)):
                given = [wrap(np.ascontiguousarray(x)) for x in states]
                np.testing.assert_array_equal(self.robot.rnea(*given), self.robot.rnea(*states))

    def test_types_and_layouts(self):
        q, v, a = self.states
        tau = self.robot.rnea(q, v, a)
        np.testing.assert_array_equal(self.robot.rnea(Producer(np.asfortranarray(q)), Producer(v), a), tau)
        np.testing.assert_array_equal(self.robot.rnea(Producer(np.repeat(q, 2, axis=1)[:, ::2]), v, a), tau)
        np.testing.assert_array_equal(self.robot.rnea(Producer(q[::-1].copy()[::-1]), v, a), tau)
        bytes_before = np.concatenate([np.zeros(2), q.ravel()])
        inside = Producer(bytes_before[: q.size].reshape(q.shape), byte_offset=16)
        np.testing.assert_array_equal(self.robot.rnea(inside, v, a), tau)
        whole = np.array([1, 2, 3])
        for dtype in (np.int64, np.uint8, np.int16, np.float16):
            np.testing.assert_array_equal(self.robot.rnea(Producer(whole.astype(dtype)), v[0], a[0]),
                                          self.robot.rnea(whole, v[0], a[0]))
        self.assertEqual(self.robot.rnea(*(Producer(np.zeros((0, 3))) for _ in range(3))).shape, (0, 3))
        self.assertEqual(self.robot.rnea(*(Producer(np.zeros((0, 3)), data=None) for _ in range(3))).shape, (0, 3))

    def test_float32_is_chosen_by_arrays_of_any_kind(self):
        q, v, a = self.state.astype(np.float32)
        tau = self.robot.rnea(q, v, a)
        self.assertEqual(tau.dtype, np.float32)
        for wrap in (Producer, memoryview, lambda x: array.array("f", x)):
            given = self.robot.rnea(wrap(q), wrap(v), wrap(a))
            self.assertEqual(given.dtype, np.float32)
            np.testing.assert_array_equal(given, tau)
        self.assertEqual(self.robot.rnea(Producer(q), v, a.astype(float)).dtype, np.float64)
        self.assertEqual(self.robot.rnea(Producer(q), v, [0, 0, 0]).dtype, np.float32)

    def test_out(self):
        tau = self.robot.rnea(*self.states)
        for wrap in (Producer, memoryview):
            memory = np.zeros((20, 3))
            out = wrap(memory)
            self.assertIs(self.robot.rnea(*self.states, out=out), out)
            np.testing.assert_array_equal(memory, tau)
            M = np.zeros((3, 3), order="F")
            self.robot.mass_matrix(self.state[0], out=wrap(M))
            np.testing.assert_array_equal(M, self.robot.mass_matrix(self.state[0]))
        numbers = array.array("d", [0.0] * 3)
        self.assertIs(self.robot.rnea(*self.state, out=numbers), numbers)
        np.testing.assert_array_equal(numbers, self.robot.rnea(*self.state))
        energy = np.zeros(())
        self.robot.kinetic_energy(*self.state[:2], out=Producer(energy))
        self.assertEqual(energy, self.robot.kinetic_energy(*self.state[:2]))

    def test_wrong_out(self):
        q, v, a = (np.ascontiguousarray(x) for x in self.states)
        for out, words in ((Producer(np.zeros((20, 4))), r"has shape \(20, 4\)"),
                           (Producer(np.zeros((20, 3), np.float32)), "has float32"),
                           (Producer(np.zeros((20, 6))[:, ::2]), "has gaps"),
                           (memoryview(np.zeros((20, 3))).toreadonly(), "cannot be written to"),
                           (Producer(np.zeros((20, 3)), device=(2, 0)), "is on device cuda:0"),
                           (b"bytes", "is a bytes")):
            with self.assertRaisesRegex(ValueError, "rnea: (out for )?tau " + words):
                self.robot.rnea(q, v, a, out=out)
        with self.assertRaisesRegex(ValueError, "rnea: v and out for tau share memory"):
            self.robot.rnea(q, v, a, out=Producer(v))
        with self.assertRaisesRegex(ValueError, "rnea: v and out for tau share memory"):
            self.robot.rnea(q, Producer(v), a, out=memoryview(v))

    def test_wrong_arguments(self):
        q, v, a = self.state

        class Broken(Producer):
            def __dlpack__(self, stream=None):
                raise BufferError("it requires grad")

        class NotACapsule(Producer):
            def __dlpack__(self, stream=None):
                return 3

        for wrong, words in ((Producer(q, device=(2, 1)), "q is on device cuda:1; expected memory of the processor"),
                             (Producer(q, device=(99, 0)), "q is on device number 99:0"),
                             (Producer(q, device_type=10), "q is on device rocm:0"),
                             (Producer(q, device=3), "q, of type Producer, makes no array"),
                             (Producer(q, device=("cpu", 0)), "q, of type Producer, makes no array"),
                             (Producer(q[:2]), r"q has shape \(2,\); expected \(3,\)"),
                             (Producer(q, rank=-1), "q has -1 dimensions"),
                             (Producer(q, rank=99), "q has 99 dimensions"),
                             (Producer(q, lanes=2), "2 lanes"),
                             (Producer(q, code=4, bits=16), "code 4, 16 bits"),
                             (Producer(q.astype(complex)), "code 5, 128 bits"),
                             (Producer(q, data=None), "without memory"),
                             (Producer(q, name=b"dltensor_versioned"), "q, of type Producer, makes no array"),
                             (Broken(q), "makes no array of numbers .it requires grad."),
                             (NotACapsule(q), "makes no array"),
                             (b"123", "q has |S3"),
                             (memoryview(b"12"), r"q has shape \(2,\)")):
            with self.assertRaisesRegex(ValueError, "^rnea: .*" + words):
                self.robot.rnea(wrong, v, a)

    @unittest.skipUnless(torch, "python3-torch is not installed")
    def test_torch(self):
        q, v, a = (torch.tensor(x) for x in self.states)
        tau = self.robot.rnea(q, v, a)
        np.testing.assert_array_equal(tau, self.robot.rnea(*self.states))
        self.assertEqual(torch.from_dlpack(tau).data_ptr(), tau.ctypes.data)
        out = torch.zeros(20, 3, dtype=torch.float64)
        self.assertIs(self.robot.rnea(q, v, a, out=out), out)
        np.testing.assert_array_equal(out, tau)
        self.assertEqual(self.robot.rnea(q.float(), v.float(), a.float()).dtype, np.float32)
        with self.assertRaisesRegex(ValueError, "rnea: q, of type Tensor, makes no array of numbers .*require.? grad"):
            self.robot.rnea(q.requires_grad_(), v, a)


if __name__ == "__main__":
    unittest.main()
