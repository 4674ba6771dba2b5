"""Keywords become flags of the generator."""

import inspect
import os
import re
import subprocess
import unittest

import numpy

from support import LoadTest, featherline

#: Flags that make no sense from Python, and why.
WITHOUT_KEYWORD = {
    "help": "for people",
    "jobs": "all cores; a robot is the same with any number, and is kept under its options",
    "diagnostics": "the messages are what a user reads",
    "c-api": "Python does not call it",
    "casadi": "casadi_library() sets it",
    "cuda": "load(..., device=\"cuda\") sets it",
    "python": "always set",
    "target": "set with scalar: the host",
    "flash-wait-states": "for microcontrollers",
    "depfile": "for build systems",
    "shards": "for build systems",
    "dump-after": "for people",
    "force": "the folder is new",
    "no-report": "the report is kept",
    "quiet": "the report is kept, and warnings are Python's",
}


class Flags(LoadTest):
    def flags(self, **options):
        self.load(**options)
        line = self.runs()[-1]
        featherline.clear_cache()
        return re.sub(r" ?generate \S+ -o \S+ --python --depfile \S+ --base=fixed ?", "", line)

    def test_flags(self):
        for options, flags in (
            ({}, ""),
            ({"functions": "rnea,aba"}, "--functions=rnea,aba"),
            ({"functions": ["rnea", "aba"]}, "--functions=rnea --functions=aba"),
            ({"functions": ("all",)}, "--functions=all"),
            ({"external_forces": ["a,b", "c"]}, "--external-forces=a\\,b --external-forces=c"),
            ({"external_forces": "a\\,b,c"}, "--external-forces=a\\,b,c"),
            ({"external_forces": []}, ""),
            ({"parameters": ["gravity", "payload:hand"]}, "--parameters=gravity --parameters=payload:hand"),
            ({"frames": ["hand", "t=hand@0,0,0.1:point"]}, "--frames=hand --frames=t=hand@0,0,0.1:point"),
            ({"frame_axes": "local"}, "--frame-axes=local"),
            ({"frame_parts": ["poses", "velocities"]}, "--frame-parts=poses --frame-parts=velocities"),
            ({"contacts": ["foot:weld"]}, "--contacts=foot:weld"),
            ({"stabilisation": (100, 20.5)}, "--stabilisation=100,20.5"),
            ({"gravity": numpy.array([0, 1e-3, -9.81])}, "--gravity=0,0.001,-9.81"),
            ({"gravity": "0,0,0"}, "--gravity=0,0,0"),
            ({"scalar": "float64"}, "--scalar=double --target=x86-64"),
            ({"scalar": "float32"}, "--scalar=float --target=x86-64"),
            ({"scalar": ["float64", "float32"]}, "--scalar=double,float --target=x86-64"),
            ({"scalar": "float64,float32"}, "--scalar=double,float --target=x86-64"),
            ({"scalar": numpy.float32}, "--scalar=float --target=x86-64"),
            ({"scalar": numpy.dtype("float32")}, "--scalar=float --target=x86-64"),
            ({"scalar": (numpy.float32, float)}, "--scalar=float,double --target=x86-64"),
            ({"batch": True}, "--batch"),
            ({"batch": False}, ""),
            ({"verify": False}, "--no-verify"),
            ({"werror": True}, "--werror"),
            ({"formulation": {"aba": "articulated bodies"}}, "--formulation=aba=articulated bodies"),
            ({"formulation": "rnea=DeNOC"}, "--formulation=rnea=DeNOC"),
            ({"snap_angles": 1e-6}, "--snap-angles=1e-06"),
            ({"max_stack": "2k", "max_code": 20000}, "--max-code=20000 --max-stack=2k"),
            ({"xacro_args": "a:=1 b:=2"}, "--xacro-args=a:=1 b:=2"),
            ({"joint_dynamics": "urdf"}, "--joint-dynamics=urdf"),
            ({"allow": ["unphysical-inertia", "unknown-attribute"]}, "--allow=unphysical-inertia --allow=unknown-attribute"),
            ({"lock": {"a,b=c": 0.5, "planar": (0, 1, -0.25), "whole": numpy.float64(2)}},
             "--lock=a\\,b\\=c=0.5 --lock=planar=0:1:-0.25 --lock=whole=2"),
            ({"lock": ["a=1", "b=2"]}, "--lock=a=1 --lock=b=2"),
            ({"lock": "a=1,b=2"}, "--lock=a=1,b=2"),
            ({"lock": {}}, ""),
            ({"lock_all_but": ["a,b", "c"]}, "--lock-all-but=a\\,b --lock-all-but=c"),
            ({"accept": ["commas", "zero-moment"]}, "--accept=commas --accept=zero-moment"),
            ({"allow": "unphysical-inertia", "mimic": "independent"},
             "--mimic=independent --allow=unphysical-inertia"),
        ):
            with self.subTest(**options):
                self.assertEqual(self.flags(**options), flags)

    def test_files(self):
        file = self.write("a file.txt", "content")
        for keyword in ("joint_order", "joint_dynamics", "choices"):
            flag = keyword.replace("_", "-")
            self.assertEqual(self.flags(**{keyword: file}), f"--{flag}={file}")

    def test_names_of_joints_become_a_file(self):
        with open(self.generator, "a", encoding="utf-8") as script:
            script.write('cat "$(dirname "$out")"/joint-order_*.txt > "$here/order"\n')
        self.load(joint_order=["elbow", "shoulder"])
        with open(self.path("tool/bin/order"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "elbow\nshoulder\n")

    def test_path_that_looks_like_a_flag(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, os.path.dirname(os.path.abspath(__file__)))
        self.write("-o.urdf", "<robot/>")
        self.load("-o.urdf")
        self.assertIn("generate ./-o.urdf", self.runs()[0])

    def test_text_of_a_robot(self):
        for text in ("<robot>text</robot>", "\n  <robot>text</robot>", "\ufeff<robot>text</robot>"):
            self.assertEqual(self.load(text).number, len(text.encode()))
            self.assertIn("generate - ", self.runs()[-1])

    def test_wide_vectors_are_not_compiled(self):
        self.load(batch=True)  # the generator writes a file for AVX-512 that no compiler takes


class AllFlags(unittest.TestCase):
    def test_every_flag_has_a_keyword(self):
        generator = os.path.join(os.environ["FEATHERLINE_BUILD"], "generator", "featherline")
        text = subprocess.run([generator, "generate", "--help"], capture_output=True, text=True, check=True).stdout
        flags = set(re.findall(r"^  (?:-\w,)?--([a-z-]+)", text, re.MULTILINE))
        self.assertGreater(len(flags), 20)
        keywords = {name.replace("_", "-") for name in inspect.signature(featherline.load).parameters}
        self.assertIn("    lock_all_but: Locks all other joints that move", featherline.load.__doc__)
        keywords = keywords - {"verify"} | {"no-verify"}
        self.assertEqual(sorted(flags - keywords - set(WITHOUT_KEYWORD)), [])
        own = {"urdf", "compiler", "cache", "verbose", "device"}
        self.assertEqual(sorted(keywords - flags - own), [])


if __name__ == "__main__":
    unittest.main()
