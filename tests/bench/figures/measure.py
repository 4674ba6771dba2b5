"""Runs the programs that measure and keeps what they print, small, in data/*.json."""
import datetime
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build"
ALGORITHMS = "aba aba_chain_rule idsva model rnea".split()

BRANCHINGS = "1,2,5"
LINKS = "2,5,10,20,50,100,200,500"
LINKS_OF_PRODUCTS = "10,20,30,50,70,100,150,200,300,500,1000"
ROBOTS = {"ur5": "fixed", "baxter": "fixed", "hyq": "floating", "simple_humanoid": "floating",
          "talos_reduced": "floating"}
ROBOTS_OF_TUNE = {**ROBOTS, "panda": "fixed"}
# The other formulations of these functions compile for half an hour, with gigabytes of memory.
LARGE = {"aba_derivatives": "panels and dense kernels in limb lanes", "rnea_second_derivatives": "panels"}
ONLY = {"simple_humanoid": LARGE, "talos_reduced": LARGE}
FUNCTIONS = "rnea,aba,minv,mass_matrix,rnea_derivatives,aba_derivatives,rnea_second_derivatives"
GENERATED = "rnea,bias,gravity,mass_matrix,aba,minv,rnea_derivatives,aba_derivatives"  # by CppADCodeGen
FLAGS = {"-O2": "SSE2", "-O2 -march=x86-64-v3": "AVX2", "-O2 -march=native": "native"}
COMPILERS = ["g++", "clang++"]
QUICK = False


def run(command, **options):
    print("+", " ".join(map(str, command)), flush=True)
    return subprocess.run([str(c) for c in command], check=True, text=True, cwd=ROOT, **options)


def output(command):
    return run(command, stdout=subprocess.PIPE).stdout


def pinned(command):
    """On the last core: interrupts and other work prefer the first."""
    return ["taskset", "-c", str(os.cpu_count() - 1), *command] if shutil.which("taskset") else command


def compilers():
    return [c for c in COMPILERS if shutil.which(c)]


def version(compiler):
    return f"{compiler} {output([compiler, '-dumpfullversion', '-dumpversion']).split()[0]}"


def machine():
    processor = output([ROOT / "scripts" / "processor"]).strip()
    widest = "AVX-512" if "avx512f" in Path("/proc/cpuinfo").read_text() else "no AVX-512"
    return f"{processor}, {os.cpu_count()} cores, {widest}"


def save(part, compiler, command, results):
    """Each file says how it came about; `command` is what can be typed to get the same."""
    data = {"machine": machine(), "compiler": compiler, "date": datetime.date.today().isoformat(),
            "command": command, **results}
    text = json.dumps(data, indent=1)
    text = re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda m: "[" + " ".join(m[1].split()) + "]", text)
    (HERE / "data" / f"{part}.json").write_text(text + "\n")


def preset(compiler="g++"):
    folder = BUILD / ("bench" if compiler == "g++" else "figures-" + compiler)
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run(["cmake", "--preset", "bench", "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}", "-DFEATHERLINE_BENCH_ROBOTS=",
         "-DFEATHERLINE_BENCH_FUNCTIONS=", *launcher],
        stdout=subprocess.DEVNULL)
    return folder


def build(folder, target):
    run(["ninja", "-C", folder, target], stdout=subprocess.DEVNULL)


def program(name, sources, compiler, flags):
    """generic/NAME.cpp and the algorithms it times, by this compiler with these flags and nothing else."""
    folder = BUILD / "figures" / (compiler + flags.replace(" ", ""))
    folder.mkdir(parents=True, exist_ok=True)
    newest = max(f.stat().st_mtime for f in (HERE.parent / "generic").glob("*.[ch]pp"))
    objects = []
    for source in [*sources, name]:
        objects.append(folder / f"{source}.o")
        if objects[-1].exists() and objects[-1].stat().st_mtime > newest:
            continue
        run([compiler, "-std=c++20", *flags.split(), "-Itests/bench", "-Igenerator", "-Iruntime", "-isystem",
             "/usr/include/eigen3", "-c", f"tests/bench/generic/{source}.cpp", "-o", objects[-1]])
    run([compiler, *objects, "-o", folder / name])
    return folder / name


def seconds(usual):
    return usual / 10 if QUICK else usual


def generic():
    """the generic algorithms on the trees of paper 001"""
    methods = "RNEACR,IDSVA,IDSVA-body,ABACR,FDCR,FDSVA-DMM,FDSVA-AZA,DMM,AZA,M_inverse"
    times = program("times", ALGORITHMS, "g++", "-O3 -march=native")
    us = json.loads(output(pinned([times, seconds(0.2), methods, BRANCHINGS, LINKS])))
    save("generic", version("g++") + " -O3 -march=native", "figures/make --measure generic", {"us": us})


def compilers_and_flags():
    """AZA and DMM by compiler and flags"""
    variants = []
    for compiler in compilers():
        for flags, vectors in FLAGS.items():
            crossover = program("crossover", ["articulated", "model"], compiler, flags)
            us = json.loads(output(pinned([crossover, seconds(0.1), BRANCHINGS, LINKS_OF_PRODUCTS])))
            variants.append({"compiler": version(compiler), "flags": flags, "vectors": vectors, "us": us})
    save("compilers", "see variants", "figures/make --measure compilers", {"variants": variants})


def accuracy():
    """errors against complex step"""
    folder = preset()
    build(folder, "featherline_generic_accuracy")
    errors = json.loads(output([folder / "tests/bench/generic/featherline_generic_accuracy", 9, BRANCHINGS, "2,5,10,20,50,100"]))
    save("accuracy", version("g++") + " -O3 -march=native", "figures/make --measure accuracy", {"errors": errors})


def robot_arguments(robots):
    return [word for name, base in robots.items() for word in (base, f"../shared/robots/{name}.urdf")]


def robots():
    """the generic algorithms on robots and on trees of skew axes"""
    results = []
    for compiler in compilers():
        folder = preset(compiler)
        build(folder, "featherline_generic_robot_times")
        times = folder / "tests/bench/generic/featherline_generic_robot_times"
        trees = [w for name in skew_trees() for w in ("fixed", tree_file(folder, name))]
        us = json.loads(output(pinned([times, seconds(0.3), *robot_arguments(ROBOTS), *trees])))
        results.append({"compiler": version(compiler), "us": us})
    save("robots", "-O3 -march=native", "figures/make --measure robots", {"by_compiler": results})


def skew_trees():
    return [f"tree_{b}_{n}" for b in (1, 2, 5) for n in (5, 10, 20, 50)]


def tree_file(folder, name):
    """The preset `bench` writes them when it is configured."""
    below = "second_order/robots" if name.startswith("tree") else "robots"
    return folder / "tests/bench" / below / f"{name}.urdf"


def tune(urdf, base, functions):
    """[formulation, ns, bytes of code, whether chosen] of each function."""
    only = [word for function, name in ONLY.get(Path(urdf).stem, {}).items()
            for word in ("--formulation", f"{function}={name}")]
    out = BUILD / "figures" / f"{Path(urdf).stem}.json"
    out.parent.mkdir(exist_ok=True)
    run([BUILD / "bench/generator/featherline", "tune", urdf, "--base", base, "--mimic", "independent", "--functions",
         functions, *only, "-o", out, "--quiet", "--force"], stderr=subprocess.DEVNULL)
    return candidates(out)


def candidates(file):
    functions = json.loads(Path(file).read_text())["functions"]
    return {name: [[c["name"], c["ns"], c["bytes"], int(c["name"] == f["chosen"])] for c in f["candidates"]]
            for name, f in functions.items()}


def emitted():
    """emitted functions of robots: time and bytes of every formulation"""
    build(preset(), "featherline")
    found = {name: tune(f"../shared/robots/{name}.urdf", base, FUNCTIONS) for name, base in ROBOTS_OF_TUNE.items()}
    save("emitted", version("c++") + " -O2 -march=native", "figures/make --measure emitted", {"robots": found})


def trees():
    """emitted derivatives of the trees of paper 001 and of trees of skew axes"""
    folder = preset()
    build(folder, "featherline")
    found = {}
    for branching in (1, 2, 5):
        for n in (2, 5, 10, 20, 50):
            functions = "rnea_derivatives,aba_derivatives" if n <= 20 else "rnea_derivatives"
            name = f"paper_{branching}_{n}"
            found[name] = tune(tree_file(folder, name), "fixed", functions)
    for name in skew_trees():
        found[name] = tune(tree_file(folder, name), "fixed", "rnea_derivatives")
    fastest = {name: {f: min(c[1] for c in all_of) for f, all_of in functions.items()}
               for name, functions in found.items()}
    save("trees", version("c++") + " -O2 -march=native", "figures/make --measure trees", {"ns": fastest})


def google_benchmark(arguments):
    """Best of all repetitions in ns, by name."""
    out = BUILD / "figures" / "benchmark.json"
    out.parent.mkdir(exist_ok=True)
    repetitions = [] if not QUICK else ["--quick"]
    run(["scripts/bench", *arguments, *repetitions, "--", f"--benchmark_out={out}", "--benchmark_out_format=json"],
        stdout=subprocess.DEVNULL)
    best = {}
    for b in json.loads(out.read_text())["benchmarks"]:
        if b["run_type"] == "iteration":
            ns = b["real_time" if b["name"].endswith("real_time") else "cpu_time"]
            best[b["run_name"]] = min(ns, best.get(b["run_name"], ns))
    return {name: float(f"{ns:.4g}") for name, ns in best.items()}


def second_order():
    """second-order tensors on trees of skew axes, complex step among them"""
    command = ["--second-order", "--robots", ",".join(skew_trees())]
    save("second_order", version("g++") + " -march=native", "figures/make --measure second_order",
         {"ns": google_benchmark(command)})


def batch():
    """batches by instruction set and threads"""
    command = ["--batch", "--robots", "ur5,hyq"]
    save("batch", version("g++"), "figures/make --measure batch", {"ns": google_benchmark(command)})


def simulations():
    """accelerations of the three robots of paper 004, simulated"""
    folder = preset()
    build(folder, "featherline_bench_simulations_run")
    robots = json.loads(output([folder / "tests/bench/simulations/simulations", "robots", seconds(4)]))
    save("simulations", version("g++"), "figures/make --measure simulations", {"robots": robots})


def c_compilers():
    """$CC, or else both."""
    return [os.environ["CC"]] if "CC" in os.environ else [c for c in ("clang", "gcc") if shutil.which(c)]


def scripts_bench(c, *arguments):
    """The peers are compiled by the last compiler, the C that they generate by `c`."""
    run(["scripts/bench", "--build", BUILD / f"bench_{c}", "--compiler", compilers()[-1], *arguments],
        stdout=subprocess.DEVNULL, env={**os.environ, "CC": c})


def how_compiled():
    return f"Featherline -O2, the better of {' and '.join(version(c) for c in compilers())}"


def beside():
    """every function beside the peers, in a loop: the table of the README and its picture"""
    out = BUILD / "figures" / "beside.json"
    out.parent.mkdir(exist_ok=True)
    out.unlink(missing_ok=True)  # else the least of both runs
    for i, c in enumerate(c_compilers()):
        scripts_bench(c, "--beside", *(["--functions", GENERATED] if i > 0 else []), "--", "--json", out)
    save("peers", f"{how_compiled()}; Pinocchio {version(compilers()[-1])} -O3; CppADCodeGen's C -O3, by "
         f"{' or '.join(c_compilers())}; all -march=native", "figures/make --measure beside", json.loads(out.read_text()))


def cold():
    """single calls out of cold caches"""
    out = BUILD / "figures" / "cold.json"
    out.parent.mkdir(exist_ok=True)
    scripts_bench(c_compilers()[0], "--cold", "--", "--json", out)
    save("cold", f"{how_compiled()}; the peers {version(compilers()[-1])} -O3; all -march=native",
         "figures/make --measure cold", json.loads(out.read_text()))


PARTS = {"generic": generic, "compilers": compilers_and_flags, "accuracy": accuracy, "robots": robots,
         "emitted": emitted, "trees": trees, "second_order": second_order, "batch": batch,
         "simulations": simulations, "beside": beside, "cold": cold}


def measure(parts, chosen_compilers, quick):
    global COMPILERS, QUICK
    COMPILERS, QUICK = chosen_compilers, quick
    (HERE / "data").mkdir(exist_ok=True)
    for part in parts:
        PARTS[part]()
