"""NAME.ptx of load(..., device="cuda"): what its kernels compute, what they touch, and that ptxas takes them."""

import itertools
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
from ptx_machine import Kernel

os.environ["FEATHERLINE_TEST_FAKE_NATIVE"] = "0"

import featherline  # noqa: E402

ROBOTS = os.path.join(os.environ["FEATHERLINE_SOURCE"], "robots")
TOLERANCE = {"float": 2e-4, "double": 1e-11}
#: Of a thread of sm_90, at most; what is not here has at most 255.
REGISTERS = {"arm6_rnea": 64, "arm6_aba": 96, "arm6_minv": 64, "quadruped_rnea": 128, "quadruped_aba": 128,
             "quadruped_minv": 128}


def find_ptxas():
    folder = os.path.join(os.environ.get("CUDA_PATH", "/usr/local/cuda"), "bin")
    return shutil.which("ptxas") or shutil.which("ptxas", path=folder)


@unittest.skipUnless(shutil.which("clang++"), "clang++ is not installed")
class Ptx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="featherline-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        options = {"device": "cuda", "scalar": ["float64", "float32"], "cache": cls.folder}
        arm = featherline.load(os.path.join(ROBOTS, "arm6.urdf"), functions=["rnea", "aba", "minv", "rnea_derivatives",
                                                                             "step"], **options)
        legs = featherline.load(os.path.join(ROBOTS, "quadruped.urdf"), base="floating",
                                functions=["rnea", "aba", "minv", "integrate"],
                                **options)
        cls.robots = (arm, legs)

    def kernels(self, by_element=(False, True)):
        """(function, scalar, kernel) of all."""
        for robot in self.robots:
            with open(os.path.join(robot.sources, f"{robot.name}.ptx"), encoding="utf-8") as file:
                ptx = file.read()
            for name in robot.functions:
                function = getattr(robot, name)
                for scalar in ("float", "double"):
                    for layout in by_element:
                        kernel = Kernel(ptx, f"{robot.name}_cuda_{'soa_' if layout else ''}{name}_{scalar}")
                        yield robot, function, scalar, layout, kernel

    @staticmethod
    def inputs(robot, function, count, scalar):
        """By name, as numpy has them."""
        random = np.random.default_rng(3)
        values = {}
        for name, is_output, _, sides in function._host._arrays:
            if not is_output:
                values[name] = random.uniform(-1, 1, (count, *sides)).astype("f4" if scalar == "float" else "f8")
        if "q" in values and robot.nq > robot.nv:
            values["q"][:, 3:7] /= np.linalg.norm(values["q"][:, 3:7], axis=1)[:, None]
        return values

    def run_kernel(self, robot, function, scalar, by_element, kernel, count):
        """Runs blocks until all states are done, and compares with the processor."""
        values = self.inputs(robot, function, count, scalar)
        want = function(**{name: value.astype("f8") for name, value in values.items()})
        want = want if isinstance(want, tuple) else (want,)
        memory, outputs = [], []
        for name, is_output, entries_first, sides in function._host._arrays:
            size = int(np.prod(sides))
            value = np.full((count, size), np.nan, "f4" if scalar == "float" else "f8")
            if not is_output:
                self.assertLess(len(sides), 2)  # so that it lies as it is
                value = values[name].reshape(count, size)
            elif name and function.__name__.endswith("_nonzeros"):
                value[:] = 0
            memory.append(np.ascontiguousarray(value.T if by_element else value))
            if is_output:
                outputs.append((memory[-1], sides))
        accesses, diverged = [], False
        for block in range(-(-count // kernel.states)):
            seen, split = kernel.run(memory, count, count, block)
            accesses, diverged = accesses + seen, diverged or split
        for (got, sides), value in zip(outputs, want):
            states = got.T if by_element else got
            states = states.reshape(count, *reversed(sides)).transpose(0, *range(len(sides), 0, -1))
            error = np.abs(states - value).max() / max(1, np.abs(value).max())
            self.assertLess(error, TOLERANCE[scalar], kernel.name)
        return accesses, diverged

    def test_values(self):
        """Of both layouts: a full warp, some threads of the next, and a second block."""
        for robot, function, scalar, by_element, kernel in self.kernels():
            if function.__name__.endswith("_derivatives_nonzeros"):
                continue
            for count in (13,) if kernel.threads > 1 else (37,) if robot.nv > 6 else (1, kernel.states + 5):
                with self.subTest(kernel=kernel.name, count=count):
                    self.run_kernel(robot, function, scalar, by_element, kernel, count)

    def test_threads_go_one_way(self):
        """By element there is one branch, for threads beyond the states, and neighbours touch neighbours."""
        for robot, function, scalar, _, kernel in self.kernels(by_element=(True,)):
            with self.subTest(kernel=kernel.name):
                branches = [guard for guard, code, _ in kernel.instructions if code.startswith("bra")]
                self.assertEqual(len(branches), 1)
                accesses, diverged = self.run_kernel(robot, function, scalar, True, kernel, kernel.states)
                self.assertFalse(diverged)
                for entries in accesses:  # of the same limb
                    np.testing.assert_array_equal(np.diff(entries.reshape(-1, kernel.threads), axis=0), 1)

    def test_layouts(self):
        """Kernels between the layouts move each number once, and neighbours touch neighbours on both sides."""
        robot = self.robots[0]
        with open(os.path.join(robot.sources, f"{robot.name}.ptx"), encoding="utf-8") as file:
            ptx = file.read()
        for to, scalar in (("rows", "float"), ("rows", "double"), ("elements", "float"), ("elements", "double")):
            kernel = Kernel(ptx, f"{robot.name}_cuda_to_{to}_{scalar}")
            for count, size, stride in ((1, 1, 1), (37, 5, 37), (128, 18, 128), (130, 32, 200), (96, 77, 96)):
                with self.subTest(kernel=kernel.name, count=count, size=size):
                    rows = np.arange(count * size, dtype="f4" if scalar == "float" else "f8").reshape(count, size)
                    elements = np.full((size, stride), -1, rows.dtype)
                    want = elements.copy()
                    elements[:, :count] = want[:, :count] = rows.T
                    result = np.full_like(elements if to == "elements" else rows, -1)
                    memory = [elements, result] if to == "rows" else [rows, result]
                    for place in itertools.product(range(-(-count // kernel.states)), range(2)):  # 77 numbers are 3 parts
                        accesses, _ = kernel.run(memory, count, stride, place[0], steps=size, part=(place[1], 2))
                        for touched in accesses if count % 32 == 0 else ():
                            jumps = (np.diff(touched.reshape(-1, 32), axis=1) != 1).sum(1).max()
                            self.assertLessEqual(jumps, 0 if size <= 32 else 31 // (size % 32) + 1)
                    np.testing.assert_array_equal(result, want if to == "elements" else rows)

    def test_products(self):
        """The last kernel of aba_derivatives in turn: matrices by element become -M^-1 times themselves."""
        source = os.path.join(self.folder, "products.cu")
        for nv, scalar in itertools.product((1, 7, 29), ("float", "double")):
            with open(source, "w", encoding="utf-8") as file:
                file.write("#include <featherline/cuda/device.hpp>\nFEATHERLINE_CUDA_KERNEL(products, "
                           f"(featherline::cuda::AccelerationProducts<{nv}>), true, {scalar})\n")
            ptx = subprocess.run(
                ["clang++", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-S", "-O3",
                 "-std=c++17", "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang", "+ptx70",
                 "-I", os.path.join(os.environ["FEATHERLINE_SOURCE"], "runtime"), source, "-o", "-"],
                stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertNotRegex(ptx, r"\.local|call")
            kernel, count, stride = Kernel(ptx, "products"), 37, 40
            random = np.random.default_rng(nv)
            memory = [random.uniform(-1, 1, (nv * nv, stride)).astype("f4" if scalar == "float" else "f8") for _ in range(3)]
            # As matrices: entry (i, j) of a column-major one is number j * nv + i.
            Minv, by_q, by_v = (x.reshape(nv, nv, stride).transpose(2, 1, 0).copy() for x in memory)
            Minv = Minv + Minv.transpose(0, 2, 1)
            memory[0] = Minv.transpose(2, 1, 0).reshape(nv * nv, stride).copy()
            untouched = [x[:, count:].copy() for x in memory]
            for block in range(-(-count // kernel.states)):
                accesses, _ = kernel.run(memory, count, stride, block)
                for touched in accesses if block == 0 else ():
                    np.testing.assert_array_equal(np.diff(touched.reshape(-1, kernel.states), axis=1), 1)
            for k, D in ((1, by_q), (2, by_v)):
                got = memory[k].reshape(nv, nv, stride).transpose(2, 1, 0)[:count]
                self.assertLess(np.abs(got + Minv[:count] @ D[:count]).max(), TOLERANCE[scalar] * nv, (nv, scalar))
            for x, kept in zip(memory, untouched):
                np.testing.assert_array_equal(x[:, count:], kept)

    def test_registers_alone(self):
        """No call, and no memory of a thread's own."""
        for *_, kernel in self.kernels():
            for code in kernel.opcodes():
                self.assertNotRegex(code, r"^call|\.local", kernel.name)

    def test_ptxas(self):
        ptxas = find_ptxas()
        if ptxas is None:
            self.skipTest("ptxas is not installed")
        for robot in self.robots:
            for machine in ("sm_80", "sm_90"):
                answer = subprocess.run([ptxas, "-v", f"-arch={machine}", os.path.join(robot.sources, f"{robot.name}.ptx"),
                                         "-o", os.path.join(self.folder, "code")], capture_output=True, text=True, check=False)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                found = re.findall(r"entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores"
                                   r".*?Used (\d+) registers", answer.stderr, re.S)
                self.assertGreaterEqual(len(found), 8)
                for kernel, stack, spilled, registers in found:
                    if kernel.endswith("_float") and machine == "sm_90":
                        name = kernel.replace("_cuda", "").replace("_soa", "").removesuffix("_float")
                        self.assertLessEqual(int(registers), REGISTERS.get(name, 255), kernel)
                    most = 64 if "double" in kernel else 0  # ptxas spills rather than use more than 96 registers
                    self.assertLessEqual(int(spilled), most, kernel)
                    self.assertLessEqual(int(stack), int(spilled) + 8, kernel)  # nothing but what is spilled

    def test_functions_of_the_processor(self):
        """They go on working; the error of an array on the GPU names the layer. No test has a driver."""
        arm = self.robots[0]
        self.assertEqual(arm.rnea(arm.neutral, [0] * 6, [0] * 6).shape, (6,))

        class OnDevice:
            __cuda_array_interface__ = {"shape": (6,), "typestr": "<f8", "data": (64, False), "version": 3}

        with self.assertRaises(featherline.DeviceError) as caught:
            arm.rnea(*([OnDevice()] * 3), out=type("Out", (), {"__cuda_array_interface__": {
                "shape": (6,), "typestr": "<f8", "data": (4096, False), "version": 3}})())
        self.assertRegex(str(caught.exception), "^(CUDA driver|featherline on the GPU): ")


if __name__ == "__main__":
    unittest.main()
