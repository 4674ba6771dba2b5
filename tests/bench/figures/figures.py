"""The figures, one function each; its name is that of the file."""
import math
import re

from draw import (ALL_LINKS, BRANCHING_LINE, HERE, STYLE, axes_names, bars_of_robots, caption, curve,
                  data, figure, links_axis, panels, ratio, series, with_fdsva)

US = "time of a call [us]"
LINES = "Branching 1 is solid, 2 dashed, 5 dotted."


def emitted_on_trees(function, kind="paper"):
    """Microseconds by "emitted/branching/links"."""
    found = {}
    for name, ns in data("trees")["ns"].items():
        tree, branching, links = name.split("_")
        if tree == kind and function in ns:
            found[f"emitted/{branching}/{links}"] = ns[function] / 1000
    return found


@figure
def paper_001_chains():
    source, trees = data("generic"), data("trees")
    us = with_fdsva(source["us"])
    plot, (inverse, forward, of_inverse, of_forward) = panels(2, 2)
    for axes, methods, function in [(inverse, ["RNEACR", "IDSVA"], "rnea_derivatives"),
                                    (forward, ["ABACR", "FDCR", "FDSVA"], "aba_derivatives")]:
        for method in methods:
            curve(axes, us, method, label=method)
        curve(axes, emitted_on_trees(function), "emitted", label="emitted code")
        links_axis(axes)
        axes.legend(loc="upper left")
    axes_names(inverse, ALL_LINKS, US, "derivatives of inverse dynamics")
    axes_names(forward, ALL_LINKS, US, "derivatives of forward dynamics")
    ratio(of_inverse, us, "RNEACR", "IDSVA", label="RNEACR / IDSVA", color=STYLE["RNEACR"][0], marker="s")
    ratio(of_forward, us, "FDCR", "FDSVA", label="FDCR / FDSVA", color=STYLE["FDCR"][0], marker="s")
    ratio(of_forward, us, "ABACR", "FDSVA", label="ABACR / FDSVA", color=STYLE["ABACR"][0], marker="v")
    for axes in (of_inverse, of_forward):
        axes_names(axes, ALL_LINKS, "times as long [1]", logarithmic="")
        links_axis(axes)
        axes.set_ylim(bottom=0)
        axes.axhline(1, color="0.5", linewidth=0.8)
        axes.legend()
    caption(plot, "Serial chains of revolute joints, paper 001 fig. 4 and 7 and paper 000 fig. 2: first-order "
                  "derivatives by generic algorithms over Eigen and by emitted code.", source, trees)
    return plot


@figure
def paper_001_frames():
    source = data("generic")
    plot, (time, speedup) = panels(1, 2)
    for branching in (1, 2, 5):
        for method, name in [("IDSVA-body", "body frames"), ("IDSVA", "ground frame")]:
            curve(time, source["us"], method, branching, name if branching == 1 else None)
        ratio(speedup, source["us"], "IDSVA-body", "IDSVA", branching, f"branching {branching}", color="black",
              marker="so^"[(1, 2, 5).index(branching)])
    speedup.axhspan(1.3, 1.9, color="0.85", label="paper 001: 1.3 to 1.9")
    axes_names(time, ALL_LINKS, US)
    axes_names(speedup, ALL_LINKS, "body frames / ground frame [1]")
    speedup.set_yticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    for axes in (time, speedup):
        links_axis(axes)
        axes.legend()
    caption(plot, "IDSVA with every link in its own frame and with all in the ground's, paper 001 fig. 3 and paper 000 "
                  "fig. 3. " + LINES, source)
    return plot


@figure
def paper_001_parts_of_fdsva():
    source = data("generic")
    us = with_fdsva(source["us"])
    plot, all_axes = panels(1, 3, 9.6, 3.3)
    names = {"FDSVA": "FDSVA, all", "IDSVA": "IDSVA", "M_inverse": "inverse of M", "DMM": "products by DMM",
             "AZA": "products by AZA"}
    for axes, branching in zip(all_axes, (1, 2, 5)):
        for method, name in names.items():
            curve(axes, us, method, branching, name, linestyle="-" if method != "FDSVA" else "--",
                  markerfacecolor="none" if method == "FDSVA" else None)
        axes_names(axes, ALL_LINKS, US, f"branching {branching}")
        links_axis(axes, (2, 10, 50, 200, 500))
    all_axes[0].legend()
    caption(plot, "What the derivatives of forward dynamics by FDSVA are made of, paper 001 fig. 2 and 6. FDSVA takes "
                  "the faster product; forward dynamics itself is included.", source)
    return plot


@figure
def paper_000_trees():
    source = data("generic")
    us = with_fdsva(source["us"])
    plot, (inverse, of_inverse, forward, of_forward) = panels(2, 2)
    for axes, speedup, slow, fast, what in [(inverse, of_inverse, "RNEACR", "IDSVA", "inverse"),
                                            (forward, of_forward, "FDCR", "FDSVA", "forward")]:
        for branching in BRANCHING_LINE:
            for method in (slow, fast):
                curve(axes, us, method, branching, method if branching == 1 else None)
            ratio(speedup, us, slow, fast, branching, f"branching {branching}", color="black",
                  marker="so^"[(1, 2, 5).index(branching)])
        axes_names(axes, ALL_LINKS, US, f"derivatives of {what} dynamics")
        axes_names(speedup, ALL_LINKS, f"{slow} / {fast} [1]")
        speedup.axhline(1, color="0.5", linewidth=0.8)
        ticks = [0.8, 1, 2, 5, 10, 20, 30] if slow == "RNEACR" else [0.8, 1, 1.5, 2, 2.5]
        speedup.set_yticks(ticks, [str(t) for t in ticks])
        for a in (axes, speedup):
            links_axis(a)
            a.legend()
    caption(plot, "Trees of branching 1, 2 and 5, paper 000 fig. 4 and 6, with RNEACR where the paper has Pinocchio's "
                  "older algorithm. " + LINES, source)
    return plot


def crossover(us, branching):
    """First N where AZA takes less time than DMM, between the measured ones by their logarithms; None if none does."""
    n, dmm = series(us, "DMM", branching)
    aza = series(us, "AZA", branching)[1]
    gap = [math.log(d / a) for d, a in zip(dmm, aza)]
    for k in range(len(n)):
        if gap[k] > 0:
            if k == 0:
                return n[0]
            part = gap[k - 1] / (gap[k - 1] - gap[k])
            return round(math.exp(math.log(n[k - 1]) + part * math.log(n[k] / n[k - 1])))
    return None


@figure
def paper_000_crossover():
    source = data("compilers")
    plot, (chains, trees) = panels(1, 2, height=3.6)
    looks = {"SSE2": (":", "o"), "AVX2": ("--", "s"), "native": ("-", "^")}
    for variant in source["variants"]:
        line, marker = looks[variant["vectors"]]
        gcc = variant["compiler"].startswith("g++")
        options = {"linestyle": line, "marker": marker, "color": "#1b5e9e" if gcc else "#d95f02",
                   "markerfacecolor": None if gcc else "none"}
        at = crossover(variant["us"], 1)
        ratio(chains, variant["us"], "DMM", "AZA", 1,
              f"{variant['compiler'].split()[0]} {variant['vectors']}: {'N = ' + str(at) if at else 'none'}", **options)
    native = next(v for v in source["variants"] if v["vectors"] == "SSE2")
    for branching in BRANCHING_LINE:
        for method in ("DMM", "AZA"):
            curve(trees, native["us"], method, branching, method if branching == 1 else None)
    axes_names(chains, ALL_LINKS, "DMM / AZA [1]", "chains: AZA is faster above the line")
    chains.axhline(1, color="black", linewidth=0.8)
    axes_names(trees, ALL_LINKS, US, f"both, {native['compiler']} -O2")
    for axes in (chains, trees):
        links_axis(axes, (10, 20, 50, 100, 200, 500, 1000))
    chains.set_ylim(bottom=1e-3)
    chains.legend(loc="lower center", ncol=2, fontsize=7)
    trees.legend()
    caption(plot, "The two products with the inverse of M, N x 2N numbers, by a dense product (DMM) and by articulated "
                  "bodies column by column (AZA): paper 000 fig. 7 and Table III, paper 001 fig. 2. In the legend the "
                  "N from which AZA is faster, none if it is not up to 1000. Native: all that the machine has. " + LINES,
            {**source, "compiler": " and ".join(dict.fromkeys(v["compiler"] for v in source["variants"])) + " -O2"})
    return plot


def of_methods(values, method, robots):
    return {r: values.get(f"{method}/{r}") for r in robots}


def pinocchio(function):
    """Microseconds by robot, of the table in RESULTS.md that is measured beside Pinocchio; none if it is not there."""
    section = re.search(r"^## Beside Pinocchio.*?(?=^## |\Z)", (HERE.parent / "RESULTS.md").read_text(), re.M | re.S)
    rows = re.findall(r"^\| (\w+) \| (\w+) \| [\d,.]+ \| ([\d,.]+) \|", section[0] if section else "", re.M)
    if not rows:
        raise SystemExit("RESULTS.md has no table beside Pinocchio that can be read")
    return {robot: float(ns.replace(",", "")) / 1000 for robot, name, ns in rows if name == function}


def emitted_on_robots(function):
    return {robot: min(c[1] for c in functions[function]) / 1000
            for robot, functions in data("emitted")["robots"].items() if function in functions}


@figure
def papers_000_002_robots():
    source, ours = data("robots"), data("emitted")
    robots = ["ur5", "baxter", "hyq", "simple_humanoid", "talos_reduced"]
    plot, all_axes = panels(1, 3, 10.2, 4.0)
    for axes, title, methods, function in [(all_axes[0], "inverse dynamics", ["RNEA"], "rnea"),
                                           (all_axes[1], "its derivatives", ["RNEACR", "IDSVA"], "rnea_derivatives"),
                                           (all_axes[2], "its second derivatives", ["IDSVA-SO"],
                                            "rnea_second_derivatives")]:
        columns = {}
        for method in methods:
            for by in source["by_compiler"]:
                compiler = by["compiler"].split()[0]
                marker, color = ("s", "#d95f02") if method == "RNEACR" else ("o", "#1b5e9e")
                columns[f"{method}, {compiler}"] = (of_methods(by["us"], method, robots), marker, color)
        columns["Pinocchio (RESULTS.md)"] = (pinocchio(function), "^", "#66a61e")
        columns["emitted code"] = (emitted_on_robots(function), "*", "black")
        bars_of_robots(axes, robots, columns)
        axes_names(axes, "robot", US, title)
        axes.legend(fontsize=6.5, loc="lower center", bbox_to_anchor=(0.5, 1.09), ncol=2)
    caption(plot, "Robots, paper 000 fig. 5, paper 001 fig. 5 and paper 002 fig. 4: generic algorithms, Pinocchio and "
                  "emitted code. ur5 and baxter stand on the ground, the others float. Emitted second derivatives clear their "
                  "tensors in each call, the others write to cleared ones.", source, ours)
    return plot


@figure
def paper_002_second_order():
    source = data("second_order")
    us = {re.sub(r"/tree_(\d+)_", r"/\1/", name): ns / 1000 for name, ns in source["ns"].items()}
    plot, (time, speedup) = panels(1, 2, height=3.6)
    looks = {"complex": ("complex step over emitted derivatives", STYLE["RNEACR"]),
             "generic": ("IDSVA SO", STYLE["IDSVA"]), "rnea_second_derivatives": ("emitted code", STYLE["emitted"])}
    for branching, line in BRANCHING_LINE.items():
        def first(name):
            return name if branching == 1 else None

        for method, (name, (color, marker)) in looks.items():
            time.plot(*series(us, method, branching), color=color, marker=marker, linestyle=line, label=first(name))
        ratio(speedup, us, "complex", "generic", branching, first("complex step / IDSVA SO"),
              color=STYLE["RNEACR"][0], marker="s")
        ratio(speedup, us, "generic", "rnea_second_derivatives", branching, first("IDSVA SO / emitted"),
              color="black", marker="o", markerfacecolor="none")
    axes_names(time, ALL_LINKS, US)
    axes_names(speedup, ALL_LINKS, "times as long [1]")
    speedup.axhline(1, color="0.5", linewidth=0.8)
    for axes in (time, speedup):
        links_axis(axes, (5, 10, 20, 50))
        axes.legend()
    caption(plot, "All four second-order tensors of inverse dynamics on trees of skew axes, paper 002 fig. 3. Complex "
                  "step is over emitted first derivatives; the paper's other rival, CasADi, is not here. " + LINES, source)
    return plot


@figure
def accuracy():
    source = data("accuracy")
    plot, (terms, whole) = panels(1, 2, height=3.4)
    for k, axes in ((1, terms), (2, whole)):
        values = {name: errors[k] for name, errors in source["errors"].items()}
        values.update({name.replace("-DMM", ""): y for name, y in values.items() if "-DMM" in name})
        for method in ("RNEACR", "IDSVA", "IDSVA-body"):
            curve(axes, values, method, 1, method, linestyle=":", markerfacecolor="none")
        for method in ("ABACR", "FDCR", "FDSVA"):
            curve(axes, values, method, 1, method, markersize=7 if method == "FDCR" else 5)
        links_axis(axes, (2, 5, 10, 20, 50, 100))
        axes.legend(ncol=2)
    axes_names(terms, ALL_LINKS, "rms of relative errors [1]", "term by term, of entries above 1e-6 of the largest")
    axes_names(whole, ALL_LINKS, "rms error / rms value [1]", "of the whole matrices")
    all_terms = {method: source["errors"][f"{method}/1/100"][0] for method in ("ABACR", "FDCR")}
    caption(plot, "Errors against complex step on chains, the worse of the derivatives by q and by v, median of 9 "
                  "states: paper 001 section VI.B, paper 000 section V.A. Dotted: inverse dynamics; solid: forward. Term "
                  "by term over all entries, as the papers take it, ABACR is at "
                  f"{all_terms['ABACR']:.0e} and FDCR at {all_terms['FDCR']:.0e} for N = 100.", source)
    return plot


FUNCTION_LOOK = {"rnea": ("o", "#1b5e9e"), "mass_matrix": ("x", "#444444"), "aba": ("s", "#d95f02"),
                 "minv": ("D", "#66a61e"), "rnea_derivatives": ("^", "#7570b3"),
                 "aba_derivatives": ("v", "#c51b7d"), "rnea_second_derivatives": ("P", "#a6761d")}


@figure
def time_and_code():
    source = data("emitted")
    plot, (axes,) = panels(1, 1, height=4.4)
    for function, (marker, color) in FUNCTION_LOOK.items():
        rows = [c for functions in source["robots"].values() for c in functions.get(function, [])]
        axes.plot([c[2] for c in rows if not c[3]], [c[1] for c in rows if not c[3]], linestyle="", marker=marker,
                  markerfacecolor="none", markeredgewidth=0.7, color=color, markersize=4)
        axes.plot([c[2] for c in rows if c[3]], [c[1] for c in rows if c[3]], linestyle="", marker=marker, color=color,
                  label=function, markersize=6)
    axes.axvline(32768, color="black", linestyle="--", linewidth=1)
    axes.text(34500, 0.02, "instruction cache, 32 KB", fontsize=8, transform=axes.get_xaxis_transform())
    axes_names(axes, "bytes of machine code and tables [B]", "time of a call [ns]", logarithmic="xy")
    axes.legend()
    caption(plot, "Time of a call against its code, all formulations of seven functions of " +
            ", ".join(source["robots"]) + ". Filled: the fastest of a function, which tune chooses; of the humanoids' two largest functions only the "
            "formulation that is chosen without tune was compiled.", source)
    return plot


@figure
def emitted_and_generic():
    generic, on_trees, robots, ours = data("generic"), data("trees"), data("robots"), data("emitted")
    us = with_fdsva(generic["us"])
    skew = {re.sub(r"/tree_(\d+)_", r"/\1/", k): y for k, y in robots["by_compiler"][0]["us"].items()}
    plot, (trees, on_robots) = panels(1, 2, height=3.6)
    for branching in BRANCHING_LINE:
        for values, method, function, kind, name, marker, color in [
                (us, "IDSVA", "rnea_derivatives", "paper", "IDSVA, parallel axes", "o", "#1b5e9e"),
                (skew, "IDSVA", "rnea_derivatives", "tree", "IDSVA, skew axes", "s", "#d95f02"),
                (us, "FDSVA", "aba_derivatives", "paper", "FDSVA, parallel axes", "v", "#66a61e")]:
            both = {**values, **emitted_on_trees(function, kind)}
            ratio(trees, both, method, "emitted", branching, name if branching == 1 else None, marker=marker,
                  color=color)
    axes_names(trees, ALL_LINKS, "generic / emitted [1]", "trees")
    links_axis(trees, (2, 5, 10, 20, 50))
    names = list(robots_of(robots))
    columns = {}
    for label, method, function, marker, color in [
            ("RNEA", "RNEA", "rnea", "o", "#1b5e9e"), ("IDSVA", "IDSVA", "rnea_derivatives", "s", "#d95f02"),
            ("IDSVA SO", "IDSVA-SO", "rnea_second_derivatives", "v", "#66a61e")]:
        times, emitted = of_methods(robots["by_compiler"][0]["us"], method, names), emitted_on_robots(function)
        columns[label] = ({r: times[r] / emitted[r] for r in names if times[r] and r in emitted}, marker, color)
    bars_of_robots(on_robots, names, columns)
    axes_names(on_robots, "robot", "generic / emitted [1]", "robots")
    for axes in (trees, on_robots):
        axes.axhline(1, color="0.5", linewidth=0.8)
        axes.legend()
    caption(plot, "How many times longer the generic algorithm takes than emitted code (the fastest formulation). " + LINES,
            generic, on_trees, robots, ours)
    return plot


def robots_of(source):
    return dict.fromkeys(name.split("/")[1] for name in source["by_compiler"][0]["us"] if "/tree_" not in name)


@figure
def batch():
    source = data("batch")
    count = {"cache": 96, "threads": 20000}
    functions = ["rnea", "aba", "rnea_derivatives", "aba_derivatives"]
    ways = {"plain": "scalar\ncall", "native": "scalar,\nnative", "baseline": "batch\nSSE2", "AVX2": "batch\nAVX2",
            "AVX-512": "batch\nAVX-512", "1 threads": "20,000,\n1 thread", "2 threads": "20,000,\n2 threads"}
    plot, all_axes = panels(1, 2, 9.4, 3.6)
    for axes, robot in zip(all_axes, ["ur5", "hyq"]):
        for function, marker in zip(functions, "os^v"):
            color = FUNCTION_LOOK[function][1]
            found = []
            for k, way in enumerate(ways):
                name = f"{robot}/{function}/{way}" + ("/real_time" if "threads" in way else "")
                if name in source["ns"]:
                    states = count["threads" if "threads" in way else "cache"]
                    found.append((k, 1e3 * states / source["ns"][name]))
            axes.plot([k for k, _ in found], [y for _, y in found], marker=marker, color=color, label=function)
        axes_names(axes, "instruction set and threads", "million states a second [1/us]", robot)
        axes.set_xticks(range(len(ways)), list(ways.values()), fontsize=7)
        axes.axvline(4.5, color="0.5", linewidth=0.8)
    all_axes[0].legend()
    caption(plot, "Throughput of batches. Left of the line 96 states, which stay in the cache; right of it 20,000 "
                  "states by AVX-512, elapsed time. 'scalar, native' is compiled with -march=native, all else for "
                  "plain x86-64.", source)
    return plot


@figure
def paper_004_accelerations():
    source = data("simulations")
    plot, all_axes = panels(2, 2)
    robot = next(r for r in source["robots"] if r["robot"].startswith("non-holonomic"))
    for axes, wave, which in zip(all_axes, robot["waveforms"], ["least alike", "in the middle", "most alike"]):
        seconds = [k * robot["step"] for k in range(len(wave["reference"]))]
        axes.plot(seconds, wave["measured"], color="0.65", linewidth=2.5, label="differentiated velocities")
        axes.plot(seconds, wave["reference"], color="black", linewidth=0.9, linestyle="--", label="reference solver")
        axes_names(axes, "time [s]", "acceleration [rad/s^2]",
                   f"{which}: coordinate {wave['coordinate'] + 1}, CMC = {wave['correlation']:.4f}", logarithmic="")
    all_axes[0].legend(loc="upper right")
    names = [r["robot"] for r in source["robots"]]
    table_2 = [(0.9044, 0.9893, 0.9993), (0.9934, 0.9973, 0.9999), (0.8860, 0.9839, 0.9999)]
    for k, (ours, paper) in enumerate(zip([r["methods"][0]["measured"] for r in source["robots"]], table_2)):
        for shift, values, marker, color, label in [
                (-0.12, (ours["min"], ours["mean"], ours["max"]), "o", "black", "ours, any formulation"),
                (0.12, paper, "s", "#d95f02", "paper 004, Gauss")]:
            all_axes[3].plot([k + shift] * 3, values, marker=marker, color=color, label=label if k == 0 else None)
    all_axes[3].set_xticks(range(3), [n.replace(" mobile", "\nmobile").replace("arm with", "arm with\n")
                                      for n in names], fontsize=7)
    axes_names(all_axes[3], "robot", "CMC [1]", "least, mean, greatest", logarithmic="")
    all_axes[3].legend(loc="center")
    caption(plot, "Paper 004, fig. 3 and table 2: accelerations of the non-holonomic mobile manipulator, and of three "
                  "robots the coefficient of multiple correlation with rounded, filtered and differentiated velocities. "
                  "The filter starts at rest, hence the spike. Every formulation agrees with the reference solver; "
                  "the largest error is "
                  f"{max(m['error'] for r in source['robots'] for m in r['methods']):.0e}.", source)
    return plot
