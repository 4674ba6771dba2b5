"""Prints the Markdown tables of README.md, the guide and RESULTS.md from data/peers.json and data/cold.json."""
import math

from draw import data

VELOCITIES = {"ur5": 6, "panda": 9, "baxter": 19, "hyq": 18, "solo12": 18, "simple_humanoid": 35, "talos_reduced": 38}
OF_README = ["ur5", "panda", "hyq", "talos_reduced"]
MAIN = ["rnea", "mass_matrix", "aba", "minv", "rnea_derivatives", "aba_derivatives"]
ORDER = [*MAIN, "rnea_second_derivatives", "rnea_second_derivatives_nonzeros", "bias", "gravity", "forward_kinematics",
         "frame_jacobian", "link_poses", "frame_poses", "frame_velocities", "frame_accelerations", "frame_jacobians",
         "constrained_dynamics", "constrained_dynamics_derivatives", "impulse_dynamics"]  # then the others


def digits(x):
    """Three digits, as people write them."""
    if x >= 100:
        return f"{x:,.0f}"
    return f"{x:.1f}" if x >= 1 else f"{x:.2f}"


def ratio(x):
    return f"{x:.1f}" if x < 20 else f"{x:.0f}"


def in_order(names, order):
    return sorted(set(names), key=lambda name: (order.index(name) if name in order else len(order), name))


def table(head, rows):
    """The first column is left, the others right."""
    print("| " + " | ".join(head) + " |\n| --- |" + " --: |" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def by_robot(title, robots, functions, cell):
    """A row for each function, a column for each robot; no rows without cells."""
    of_peers = data("peers")["robots"]
    robots = [r for r in robots if r in of_peers]
    rows = [[f"`{f}`", *(cell(of_peers[r].get(f, {})) for r in robots)] for f in functions]
    table([title, *(f"{r} ({VELOCITIES[r]})" for r in robots)], [row for row in rows if any(row[1:])])


def times_as_long(row, names):
    ratios = [ratio(row[name] / row["Featherline"]) for name in names if name in row]
    return f"{digits(row['Featherline'])} ({'; '.join(ratios)})" if ratios else ""


def mean_ratio(name):
    """Number and geometric mean over all robots and functions, each in one form."""
    logs = [math.log(row[name] / row["Featherline"]) for functions in data("peers")["robots"].values()
            for f, row in functions.items() if name in row and not f.endswith("_nonzeros")]
    return len(logs), math.exp(sum(logs) / len(logs)) if logs else math.nan


def loops():
    source = data("peers")
    print(f"{source['machine']}; {source['compiler']}; {source['date']}; {source['versions']}\n\n## README\n")
    by_robot("", OF_README, MAIN, lambda row: times_as_long(row, ["Pinocchio", "CppADCodeGen"]))
    print("## speed.md\n")
    functions = in_order((f for of_robot in source["robots"].values() for f in of_robot), ORDER)
    for name in ("Pinocchio", "CppADCodeGen", "CasADi", "MuJoCo", "KDL"):
        count, mean = mean_ratio(name)
        if count:
            print(f"{name}: {count} ratios without _nonzeros, geometric mean {mean:.1f}\n")
            by_robot(f"ns (× {name})", VELOCITIES, functions, lambda row: times_as_long(row, [name]))


def median_us(figures):
    return figures[0] / 1000


def cold_row(robot, function, row):
    ours, peer = row["Featherline"], row.get("Pinocchio")
    warm, plain = median_us(ours["warm"]), median_us(ours["all"]["plain"])
    prepared = median_us(ours["all"]["prepared"]) if "prepared" in ours["all"] else math.nan
    theirs = [""] * 4
    if peer:
        peer_cold = median_us(peer["all"]["plain"])
        theirs = [digits(peer_cold), ratio(median_us(peer["warm"]) / warm), ratio(peer_cold / plain),
                  ratio(peer_cold / prepared)]
    lines = [" / ".join(digits(ns / 1000) for ns in ours["lines"].get(kind, [])) for kind in ("plain", "prepared")]
    return [robot, f"`{function}`", digits(warm), digits(plain), digits(prepared), ratio(prepared / warm), *theirs, *lines]


def cold():
    source = data("cold")
    print(f"{source['machine']}; {source['compiler']}; {source['date']}; {source['versions']}\n\n## in_a_control_loop.md\n")
    table(["µs", "", "warm", "cold", "prepared", "prepared / warm", "Pinocchio, cold", "× warm", "× cold", "× prepared",
           "cold lines: median / 99 % / 99.9 %", "prepared lines"],
          [cold_row(robot, f, source["robots"][robot][f])
           for robot in in_order(source["robots"], list(VELOCITIES)) for f in in_order(source["robots"][robot], ORDER)])


def print_tables():
    loops()
    cold()
