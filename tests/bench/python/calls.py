"""Times of the package featherline beside C++: calls, batches, and load(). Prints markdown.

    scripts/bench --python
    PYTHONPATH=build/release/python /usr/bin/python3 tests/bench/python/calls.py [--rounds N] ROBOT.urdf[:floating] ...

Python and C++ run in turn, with the same compiler and flags. The figures are the best of all rounds.
"""

import argparse
import glob
import os
import resource
import subprocess
import sys
import tempfile
import time
import timeit
import warnings

import featherline
import numpy as np
from featherline.build import needed_files
from featherline.compiler import find_compiler, flags_for
from featherline.tools import find_tools

FUNCTIONS = ["rnea", "mass_matrix", "aba", "rnea_derivatives"]
BATCH = 10000


def best_time(statement, names, calls):
    """The best of 10 runs of `calls` calls [ns a call]."""
    return min(timeit.repeat(statement, globals=names, number=calls, repeat=10)) / calls * 1e9


def build_program(urdf, base, folder):
    """The C++ program that calls the same emitted code."""
    tools, compiler = find_tools(), find_compiler()
    subprocess.run([tools.executable, "generate", urdf, "-o", folder, "--base", base, "--batch", "--quiet",
                    "--functions", ",".join(FUNCTIONS)], check=True, stderr=subprocess.DEVNULL)
    (header,) = glob.glob(os.path.join(folder, "*_eigen.hpp"))
    name = os.path.basename(header)[:-len("_eigen.hpp")]
    program = os.path.join(folder, "calls")
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([*compiler.command(flags_for(compiler)), "-I", folder, "-I", tools.headers,
                    f'-DFEATHERLINE_HEADER="{name}.hpp"', f"-DFEATHERLINE_ROBOT={name}", os.path.join(here, "calls.cpp"),
                    *needed_files(folder), "-o", program], check=True)
    return program


def keep_best(best, key, value):
    best[key] = min(best.get(key, value), value)


def keep_best_of_python(best, name, function, states):
    """One column after the other, so that each call finds its arrays in the cache."""
    for column, arguments, count in (("", [x[0].copy() for x in states], 1), (" batch", states, BATCH)):
        names = {"f": function, "out": function(*arguments), **dict(zip("qva", arguments))}
        call = ", ".join("qva"[:len(states)])
        for statement, end in ((f"f({call})", ""), (f"f({call}, out=out)", " out")):
            time_of_call = best_time(statement, names, max(1, 2000 // count)) / count
            keep_best(best, (name, "Python" + column + end), time_of_call)


def measure(urdf, base, rounds):
    """The best times by (function, column)."""
    warnings.simplefilter("ignore", featherline.FeatherlineWarning)
    robot = featherline.load(urdf, base=base, functions=[*FUNCTIONS, "integrate"], batch=True)
    random = np.random.default_rng(1)
    q = robot.integrate(np.tile(robot.neutral, (BATCH, 1)), random.uniform(-3, 3, (BATCH, robot.nv)))
    v, a = random.uniform(-10, 10, (2, BATCH, robot.nv))
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        program = build_program(urdf, base, folder)
        state = os.path.join(folder, "state")
        np.concatenate([x.ravel() for x in (q, v, a)]).tofile(state)
        for _ in range(rounds):
            answer = subprocess.run([program, state], check=True, capture_output=True, text=True).stdout
            for name, scalar, many in (line.split() for line in answer.splitlines()):
                keep_best(best, (name, "C++"), float(scalar))
                keep_best(best, (name, "C++ batch"), float(many))
            for name in FUNCTIONS:
                keep_best_of_python(best, name, getattr(robot, name), (q,) if name == "mass_matrix" else (q, v, a))
    return robot, best


def print_calls(urdf, base, rounds):
    robot, best = measure(urdf, base, rounds)
    for name in FUNCTIONS:
        t = {column: value for (function, column), value in best.items() if function == name}
        print(f"| {robot.name} ({robot.nv}) `{name}` | {t['C++']:.0f} | {t['Python']:.0f} | {t['Python out']:.0f} "
              f"| {t['C++ batch']:.1f} | {t['Python batch']:.1f} | {t['Python batch out']:.1f} "
              f"| {t['Python batch out'] / t['C++ batch']:.2f} |")
    sys.stdout.flush()


def time_of_load(urdf, cache):
    """(wall, CPU) seconds of a Python process that loads the robot and calls it once."""
    begin, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import sys, featherline; r = featherline.load(sys.argv[1]); "
                    "r.rnea(r.neutral, [0] * r.nv, [0] * r.nv)", urdf], check=True, stderr=subprocess.DEVNULL,
                   env={**os.environ, "FEATHERLINE_CACHE_DIR": cache})
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begin, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def print_load(urdf, rounds):
    with tempfile.TemporaryDirectory() as cache:
        first = time_of_load(urdf, cache)
        second = [min(column) for column in zip(*(time_of_load(urdf, cache) for _ in range(rounds)))]
    print(f"| {os.path.basename(urdf)} | {first[0]:.1f} ({first[1]:.1f}) | {second[0]:.2f} ({second[1]:.2f}) |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("robots", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| robot, function | C++ ns | Python ns | with `out=` | C++ batch, ns a state | Python | with `out=` | ratio |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    for word in options.robots:
        urdf, _, base = word.partition(":")
        print_calls(urdf, base or "fixed", options.rounds)
    print("\n| `load()` in a new process, seconds (CPU) | first time | later |\n| --- | --: | --: |")
    for word in options.robots:
        print_load(word.partition(":")[0], options.rounds)


main()
