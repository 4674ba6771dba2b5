"""from_python.py LIBRARY MANIFEST: calls the C interface by ctypes; prints lines like main.c's.

Sizes come from the library and the manifest, as a user without the header would get them.
"""
import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
manifest = json.load(open(sys.argv[2]))
library.arm_joint_name.restype = library.arm_link_name.restype = ctypes.c_char_p

nv = library.arm_get_nv()
assert library.arm_get_nq() == manifest["nq"] and nv == manifest["nv"]
q, v, a = [0.3, -0.8, 1.1], [1.0, -0.5, 0.25], [0.7, 2.0, -3.0]

# Arguments in, sizes of the arrays out.
dense = {
    "rnea": ((q, v, a), (nv,)),
    "bias": ((q, v), (nv,)),
    "gravity": ((q,), (nv,)),
    "aba": ((q, v, a), (nv,)),
    "aza": ((q, a), (nv,)),
    "mass_matrix": ((q,), (nv * nv,)),
    "coriolis_matrix": ((q, v), (nv * nv,)),
    "minv": ((q,), (nv * nv,)),
    "rnea_derivatives": ((q, v, a), 2 * (nv * nv,)),
    "aba_derivatives": ((q, v, a), 3 * (nv * nv,)),
    "rnea_second_derivatives": ((q, v, a), 4 * (nv**3,)),
}


def call(function, inputs, sizes, scalar, between=(), behind=()):
    arrays = [(scalar * len(x))(*x) for x in inputs]
    outputs = [(scalar * size)() for size in sizes]
    getattr(library, "arm_" + function)(*arrays, *between, *outputs, *behind)
    return [number for output in outputs for number in output]


def print_line(function, numbers, digits):
    print(function, *(f"{number:.{digits}g}" for number in numbers))


numbers = ("lower", "upper", "velocity", "effort", "acceleration", "deceleration", "jerk")


class Joint(ctypes.Structure):
    _fields_ = [("type", ctypes.c_char_p), *((name, ctypes.c_int) for name in ("idx_q", "nq", "idx_v", "nv")),
                *((name, ctypes.c_double) for name in numbers)]


joints = (Joint * library.arm_get_num_joints()).in_dll(library, "arm_joint_info")
for i, joint in enumerate(joints):
    print("joint", i, library.arm_joint_name(i).decode(), joint.type.decode(), joint.idx_q, joint.nq, joint.idx_v,
          joint.nv, *(f"{getattr(joint, name):.17g}" for name in numbers))
for i in range(library.arm_get_num_links()):
    print("link", i, library.arm_link_name(i).decode())
assert library.arm_link_name(-1) is None

tool = [link["name"] for link in manifest["links"]].index("tool")
for suffix, scalar, digits in (("", ctypes.c_double, 17), ("_float", ctypes.c_float, 9)):
    for function, (inputs, sizes) in dense.items():
        print_line(function + suffix, call(function + suffix, inputs, sizes, scalar), digits)
    print_line("forward_kinematics" + suffix,
               call("forward_kinematics" + suffix, (q,), (9, 3), scalar, between=(tool,)), digits)
    print_line("frame_jacobian" + suffix,
               call("frame_jacobian" + suffix, (q,), (6 * nv,), scalar, between=(tool,), behind=(1,)), digits)
