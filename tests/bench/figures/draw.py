"""Draws data/*.json as SVG. Markers, line styles and grey tell curves apart; colours only help."""
import json
import re
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
# The text stays text, and nothing in the file depends on the day it is drawn.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "featherline", "font.size": 9, "font.family": "sans-serif",
                     "font.sans-serif": ["DejaVu Sans", "sans-serif"],
                     "axes.grid": True, "grid.linewidth": 0.3, "lines.markersize": 5, "lines.linewidth": 1.1,
                     "legend.fontsize": 7.5, "legend.framealpha": 0.9, "axes.titlesize": 9.5})

# Colour and marker of each method; the line style is left to what else a figure distinguishes.
STYLE = {"RNEACR": ("#d95f02", "s"), "IDSVA": ("#1b5e9e", "o"), "IDSVA-body": ("#66a61e", "D"),
         "ABACR": ("#a6761d", "v"), "FDCR": ("#d95f02", "s"), "FDSVA": ("#1b5e9e", "o"), "DMM": ("#444444", "x"),
         "AZA": ("#c51b7d", "^"), "M_inverse": ("#7570b3", "P"), "emitted": ("#000000", "*")}
BRANCHING_LINE = {1: "-", 2: "--", 5: ":"}
ALL_LINKS = "number of links N"
FIGURES = {}


def figure(draw):
    FIGURES[draw.__name__] = draw
    return draw


def data(part):
    return json.loads((HERE / "data" / f"{part}.json").read_text())


def series(values, method, branching):
    """Links and values of "method/branching/links", ascending."""
    found = sorted((int(m[1]), y) for name, y in values.items()
                   if (m := re.fullmatch(rf"{re.escape(method)}/{branching}/(\d+)", name)))
    return [n for n, _ in found], [y for _, y in found]


def with_fdsva(us):
    """FDSVA takes the faster of DMM and AZA, as the paper's does."""
    faster = {}
    for name, y in us.items():
        if name.startswith("FDSVA-"):
            key = "FDSVA" + name[len("FDSVA-DMM"):]
            faster[key] = min(y, faster.get(key, y))
    return {**us, **faster}


def curve(axes, values, method, branching=1, label=None, **options):
    color, marker = STYLE[method.split("/")[0]]
    options = {"color": color, "marker": marker, "linestyle": BRANCHING_LINE[branching], "label": label, **options}
    axes.plot(*series(values, method, branching), **options)


def ratio(axes, values, upper, lower, branching=1, label=None, **options):
    n, y = series(values, upper, branching)
    below = dict(zip(*series(values, lower, branching)))
    common = [k for k in n if k in below]
    axes.plot(common, [dict(zip(n, y))[k] / below[k] for k in common],
              **{"linestyle": BRANCHING_LINE[branching], "label": label, **options})


def panels(rows, columns, width=7.6, height=3.1):
    figure, axes = plt.subplots(rows, columns, figsize=(width, height * rows), squeeze=False)
    return figure, [a for row in axes for a in row]


def axes_names(axes, x, y, title=None, logarithmic="y"):
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title:
        axes.set_title(title)
    if "x" in logarithmic:
        axes.set_xscale("log")
    if "y" in logarithmic:
        axes.set_yscale("log")
    axes.minorticks_off()


def links_axis(axes, ticks=(2, 5, 10, 20, 50, 100, 200, 500)):
    axes.set_xscale("log")
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.minorticks_off()


def caption(figure, text, *sources):
    """What it shows, the command, the machine."""
    made = []
    for source in sources:
        line = f"{source['command']}: {source['compiler']}, {source['machine']}, {source['date']}."
        made += [line] if line not in made else []
    lines = textwrap.wrap(text, int(17 * figure.get_figwidth())) + [w for line in made for w in textwrap.wrap(line, int(17 * figure.get_figwidth()))]
    height = figure.get_figheight()
    below = (0.145 * len(lines) + 0.06) / height
    figure.tight_layout(rect=(0, below, 1, 1))
    figure.text(0.01, 0.05 / height, "\n".join(lines), fontsize=7.5, va="bottom", linespacing=1.35)


def bars_of_robots(axes, robots, columns):
    """One group for each robot, one marker for each of columns: {label: (values by robot, marker, colour)}."""
    for k, (label, (values, marker, color)) in enumerate(columns.items()):
        shift = 0.6 * (k / max(1, len(columns) - 1) - 0.5)
        known = [i for i, robot in enumerate(robots) if values.get(robot)]
        axes.plot([i + shift for i in known], [values[robots[i]] for i in known], linestyle="", marker=marker,
                  color=color, label=label, markerfacecolor=color if not label.endswith("clang++") else "none")
    axes.set_xticks(range(len(robots)), [r.replace("_", "\n") for r in robots], fontsize=7)
    axes.set_xlim(-0.6, len(robots) - 0.4)
    for i in range(1, len(robots)):
        axes.axvline(i - 0.5, color="0.8", linewidth=0.6)
    axes.grid(axis="x", visible=False)


def shrink(svg):
    """Hundredths of a point are enough, and most line breaks and rotations by nothing are not needed."""
    text = re.sub(r' transform="rotate\(-0[^"]*"', "", svg.read_text())
    text = re.sub(r' id="(line2d|text|[xy]tick|matplotlib\.axis|patch|axes|legend|figure)_\d+"', "", text)
    number = lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip(".")
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"-?\d+\.\d{3,}", number, tag[0]), text)  # text stays as it is
    text = re.sub(r"\n(?=[LQCMz\"])", " ", text)
    svg.write_text(re.sub(r"\n +", "\n", text))


def draw(chosen, png):
    import beside_peers, cold, figures  # noqa: E401, F401  they register their figures

    for name, make in FIGURES.items():
        if chosen and name not in chosen:
            continue
        try:
            result = make()
        except FileNotFoundError as missing:
            print(f"{name}: no {Path(missing.filename).name}; measure it first")
            continue
        result.savefig(HERE / f"{name}.svg", metadata={"Date": None})
        shrink(HERE / f"{name}.svg")
        if png:
            Path(png).mkdir(parents=True, exist_ok=True)
            result.savefig(Path(png) / f"{name}.png", dpi=110)
        plt.close(result)
        print(f"{name}.svg: {(HERE / (name + '.svg')).stat().st_size / 1000:.0f} kB")
