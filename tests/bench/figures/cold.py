"""Single calls: warm, prepared and out of cold caches, beside Pinocchio's."""
import matplotlib.pyplot as plt

from draw import caption, data, figure

ROBOTS = {"ur5": "UR5, arm", "hyq": "HyQ, quadruped", "talos_reduced": "Talos, humanoid"}
FUNCTIONS = ["rnea", "aba", "minv", "rnea_derivatives", "aba_derivatives", "frame_jacobians", "constrained_dynamics",
             "constrained_dynamics_derivatives"]
# side and kind of call: label, marker, colour
CALLS = {("Featherline", "warm"): ("warm", "|", "#d95f02"),
         ("Featherline", "prepared"): ("prepared", "D", "#d95f02"),
         ("Featherline", "cold"): ("cold", "o", "#d95f02"),
         ("Pinocchio", "warm"): ("Pinocchio, warm", "|", "#5f86b0"),
         ("Pinocchio", "cold"): ("Pinocchio, cold", "s", "#5f86b0")}


def draw_calls(axes, rows, side, kind):
    label, marker, colour = CALLS[side, kind]
    found = [(y, row[side][kind]) for y, (_, row) in enumerate(rows) if kind in row.get(side, {})]
    if not found:
        return
    axes.plot([us[0] / 1000 for _, us in found], [y for y, _ in found], linestyle="", marker=marker, markersize=5,
              color=colour, label=label, markerfacecolor="none" if kind == "prepared" else colour)
    for y, us in found:
        if kind != "warm":
            axes.plot([us[0] / 1000, us[2] / 1000], [y, y], color=colour, linewidth=0.8)


@figure
def cold():
    source = data("cold")
    robots = {name: title for name, title in ROBOTS.items() if name in source["robots"]}
    rows = {name: [(f, source["robots"][name][f]) for f in FUNCTIONS if f in source["robots"][name]] for name in robots}
    plot, all_axes = plt.subplots(len(robots), 1, figsize=(7.6, 0.7 + 0.26 * sum(map(len, rows.values()))), sharex=True,
                                  squeeze=False, height_ratios=[len(rows[name]) for name in robots])
    for axes, (name, title) in zip(all_axes[:, 0], robots.items()):
        for side, kind in CALLS:
            draw_calls(axes, rows[name], side, kind)
        axes.set_yticks(range(len(rows[name])), [f for f, _ in rows[name]])
        axes.set_ylim(len(rows[name]) - 0.4, -0.6)
        axes.set_xscale("log")
        axes.set_title(title, loc="left")
    all_axes[-1, 0].set_xlabel("µs a call")
    all_axes[0, 0].legend(loc="lower right", ncols=1)
    caption(plot, "Single calls, medians; lines reach to the 99.9th percentile. Cold: code, tables, inputs and outputs are "
                  "in main memory. Prepared: NAME::prepare::F was called 20 µs before.", source)
    return plot
