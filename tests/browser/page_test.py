"""The page of `featherline inspect --format=html` in chromium.
usage: page_test.py FEATHERLINE LINK_POSES [--screenshots FOLDER]    (from the repository's root)

For several robots: moves the sliders to random values, reads where the page says the links are, and compares that with
the reference solver. No page may write an error to the console or ask for a file. --screenshots also takes pictures."""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import chromium

POSITION_SHOWN = 1e-6  # six decimals are shown
POSITION = 1e-9        # of the numbers behind them; q is given with twelve decimals
STATES = 4

ROBOTS = [  # file, flags, base, mimic
    ("robots/arm6.urdf", [], "fixed", "coupled"),
    ("robots/stanford_arm.urdf", [], "fixed", "coupled"),
    ("robots/quadruped.urdf", ["--base", "floating"], "floating", "coupled"),
    ("robots/mobile_manipulator.urdf", [], "fixed", "coupled"),
    ("robots/mobile_manipulator.urdf", ["--mimic", "independent"], "fixed", "independent"),
    ("robots/humanoid.urdf", ["--base", "floating", "--functions", "rnea"], "floating", "coupled"),
    ("tests/browser/every_joint.urdf", [], "fixed", "coupled"),
    ("tests/browser/linkages.urdf", [], "fixed", "coupled"),
    ("tests/browser/every_joint.urdf", ["--base", "floating", "--functions", "gravity"], "floating", "coupled"),
]

# Moves every slider to the share of its range, as a user does, and returns what the page then shows.
MOVE = """((shares) => {
  document.querySelectorAll('#sliders input[type=range]').forEach((slider, k) => {
    slider.value = Number(slider.min) + shares[k] * (Number(slider.max) - Number(slider.min));
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  const tip = document.getElementById('tip');
  const both = (x) => [Number(x.value), Number(x.textContent)];
  const numbers = (id) => [...document.querySelectorAll(`#${id} data`)].map(both);
  const links = [...tip.options].filter((option) => option.value.startsWith('links')).map((option) => {
    tip.value = option.value;
    tip.dispatchEvent(new Event('input', {bubbles: true}));
    return {name: option.textContent, position: numbers('position'), quaternion: numbers('quaternion')};
  });
  return {
    q: document.getElementById('q').value, links, centre: numbers('centre'),
    sliders: [...document.querySelectorAll('#sliders input[type=range]')].map((slider) => slider.valueAsNumber),
  };
})(%s)"""

checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit("page_test.py: " + what)


def near(found, expected, tolerance, what):
    check(len(found) == len(expected), "%s: %d numbers instead of %d" % (what, len(found), len(expected)))
    error = max(abs(f - e) for f, e in zip(found, expected))
    check(error <= tolerance, "%s: %s instead of %s" % (what, found, expected))


def rotation(x, y, z, w):
    return [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]


def write_page(featherline, robot, flags, file):
    command = [featherline, "inspect", robot, "--format=html", *flags]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == 0, " ".join(command) + ": " + done.stderr.decode())
    with open(file, "wb") as out:
        out.write(done.stdout)


def check_sliders(scene, shown, what):
    """Entries of q are the sliders' values; quaternions are the sliders' rotation vectors."""
    q = [float(x) for x in shown["q"].split(",")]
    turns = {}
    for slider, value in zip(scene["sliders"], shown["sliders"]):
        if "turn" in slider:
            turns.setdefault(slider["q"], []).append(value)
        else:
            near([q[slider["q"]]], [value], 1e-11, what + ", q")
    for first, turn in turns.items():
        angle = sum(x * x for x in turn) ** 0.5
        x, y, z, w = q[first:first + 4]
        near([x * x + y * y + z * z + w * w], [1.0], 1e-10, what + ", length of a quaternion")
        near([2 * w * w - 1], [math.cos(angle)], 1e-10, what + ", angle of a quaternion")
        check(angle < 1e-6 or sum(a * b for a, b in zip(turn, (x, y, z))) * math.sin(angle / 2) > 0,
              what + ", axis of a quaternion")
    return q


def compare(shown, numbers, what):
    for k, link in enumerate(shown["links"]):
        pose, name = numbers[12 * k:12 * k + 12], "%s, link %s" % (what, link["name"])
        near([x[0] for x in link["position"]], pose[:3], POSITION, name)
        near([x[1] for x in link["position"]], pose[:3], POSITION_SHOWN, name + " as shown")
        near(rotation(*[x[0] for x in link["quaternion"]]), pose[3:], POSITION, name + ", rotation")
    near([x[0] for x in shown["centre"]], numbers[12 * len(shown["links"]):], POSITION, what + ", centre of mass")


def check_robot(page, link_poses, robot, base, mimic, what):
    scene = json.loads(page.run("document.getElementById('robot').textContent"))
    choose = random.Random(1)
    shown = []
    for state in range(STATES):
        shares = [choose.random() for _ in scene["sliders"]]
        shown.append(page.run(MOVE % json.dumps(shares)))
    qs = [check_sliders(scene, s, what) for s in shown]
    lines = "".join(" ".join(repr(x) for x in q) + "\n" for q in qs)
    answer = subprocess.run([link_poses, robot, base, mimic], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    for s, line in zip(shown, answer.stdout.decode().splitlines()):
        check(len(s["links"]) == len(scene["links"]), what + ": a link cannot be chosen as tip")
        compare(s, [float(x) for x in line.split()], what)


def check_q_field(page, what):
    """A configuration that is typed moves the sliders; a wrong one is refused and changes nothing."""
    before = page.run(MOVE % json.dumps([0.3] * 100))
    page.run("document.getElementById('start').click()")
    page.run("q = document.getElementById('q'); q.value = %s; q.dispatchEvent(new Event('change'))"
             % json.dumps(before["q"]))
    after = page.run("[...document.querySelectorAll('#position data')].map((x) => Number(x.value))")
    near(after, [x[0] for x in before["links"][-1]["position"]], POSITION, what + ": q typed")
    page.run("q.value = '1'; q.dispatchEvent(new Event('change'))")
    check("numbers" in page.run("document.getElementById('q-help').textContent"), what + ": a wrong q is not refused")
    page.run("document.getElementById('q').value = %s" % json.dumps(before["q"]))


def check_view(page, what):
    """Keys and the pointer turn the drawing."""
    frame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(%s))))"
    bones = frame % "[...document.querySelectorAll('.bone')].map((x) => x.getAttribute('d')).join()"
    page.run("document.getElementById('view').focus()")
    last = page.run(bones)
    for key in ("ArrowLeft", "ArrowUp", "+"):
        page.press(key)
        now = page.run(bones)
        check(now != last, "%s: the key %s does nothing" % (what, key))
        last = now
    box = page.run("(({x, y}) => [x, y])(document.getElementById('view').getBoundingClientRect())")
    page.drag(box[0] + 200, box[1] + 200, box[0] + 260, box[1] + 230)
    check(page.run(bones) != last, what + ": dragging does nothing")
    check("NaN" not in page.run("document.getElementById('view').outerHTML"), what + ": NaN in the drawing")


def check_inertias(featherline, page, folder):
    """Ellipsoids that are larger than the robot are hidden until they are asked for, and then fit into the picture."""
    with open("robots/arm6.urdf") as text:
        heavy = re.sub(r"<inertia [^>]*/>", '<inertia ixx="50" ixy="0" ixz="0" iyy="50" iyz="0" izz="50"/>', text.read())
    robot, file = os.path.join(folder, "heavy.urdf"), os.path.join(folder, "heavy.html")
    with open(robot, "w") as out:
        out.write(heavy)
    visible = """[...document.querySelectorAll('#view .inertia')].filter(
      (x) => getComputedStyle(x).display !== 'none').map((x) => Number(x.getAttribute('rx')))"""
    for name, huge in (("robots/arm6.urdf", 0), (robot, 6)):
        write_page(featherline, name, [], file)
        page.open(file)
        check(page.run("document.getElementById('huge').hidden") == (huge == 0), name + ": the box for large inertias")
        check(len(page.run(visible)) == 6 - huge, name + ": inertias are not as they should be at first")
        page.run("document.getElementById('show-huge').click()")
        check(len(page.run(visible)) == 6, name + ": inertias are missing")
    check(max(page.run("new Promise((done) => requestAnimationFrame(() => done(%s)))" % visible)) < 300,
          "shown ellipsoids do not fit")


def write_trajectory(featherline, robot, flags, file, times):
    """A trajectory in which the first joint alone moves: its first coordinate is the time."""
    tree = json.loads(subprocess.run([featherline, "inspect", robot, "--format=json", *flags], stdout=subprocess.PIPE,
                                     check=True).stdout)
    names, q = [], []
    for body in tree["bodies"]:
        joint = body["joint"]
        size = 0 if "mimics" in joint else joint["nq"]
        names += ['"q:%s%s"' % (joint["name"].replace('"', '""'), "" if size == 1 else "[%d]" % k) for k in range(size)]
        q += [0.0] * 6 + [1.0] if size == 7 else [0.0] * size
    with open(file, "w") as out:
        out.write(",".join(["t", "v:unused", *names]) + "\n")
        for t in times:
            out.write(",".join(repr(x) for x in [t, 7.0, t, *q[1:]]) + "\n")


def check_player(featherline, page, folder, pictures):
    """A trajectory begins at its first state, goes where the slider is put, and plays to its end at the chosen speed."""
    file, log = os.path.join(folder, "played.html"), os.path.join(folder, "log.csv")
    first = "Number(document.getElementById('q').value.split(',')[0])"
    button = "document.getElementById('play')"
    frame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(%s))))"
    for robot, flags in (("robots/arm6.urdf", []), ("robots/quadruped.urdf", ["--base", "floating"])):
        what = robot + " with a trajectory"
        write_trajectory(featherline, robot, flags, log, [0.05 * k for k in range(41)])
        write_page(featherline, robot, [*flags, "--trajectory", log, "--functions", "gravity"], file)
        page.open(file)
        check(not page.run("document.getElementById('player').hidden"), what + ": there is no player")
        near([page.run(first)], [0.0], 1e-9, what + ", first state")
        page.run("(() => { const s = document.getElementById('time'); s.value = 0.62; "
                 "s.dispatchEvent(new Event('input', {bubbles: true})); })()")
        near([page.run(first)], [0.6], 1e-6, what + ", the last state before 0.62 s")
        check(page.run("document.getElementById('time-shown').textContent") == "0.62 of 2.00 s", what + ": time shown")
        page.run("document.getElementById('speed').value = '5'; %s.click()" % button)
        check(page.run(button + ".textContent") == "pause", what + ": it does not play")
        if pictures:
            page.screenshot(os.path.join(pictures, os.path.basename(robot)[:-5] + "_played.png"))
        page.run("new Promise((done) => { const wait = () => { if (%s.textContent === 'play') done(); "
                 "else setTimeout(wait, 20); }; wait(); })" % button)
        near([page.run(first)], [2.0], 1e-6, what + ", last state")
        check("NaN" not in page.run(frame % "document.getElementById('view').outerHTML"), what + ": NaN in the drawing")
        page.run("%s.click(); %s" % (button, frame % "0"))
        page.run(button + ".click()")
        check(page.run(first) < 1.5, what + ": it does not begin anew")
        check_labels(page, what)
    check(page.problems == [], "%s" % page.problems)


def check_labels(page, what):
    unnamed = page.run("""[...document.querySelectorAll('input, select, button, [tabindex], [role=img], [role=group]')].filter(
      (x) => !x.ariaLabel && !(x.labels && x.labels.length) && !x.textContent.trim()).map((x) => x.outerHTML)""")
    check(unnamed == [], "%s: controls without a label: %s" % (what, unnamed))
    twice = page.run("""(() => { const ids = [...document.querySelectorAll('[id]')].map((x) => x.id);
      return ids.filter((id, k) => ids.indexOf(id) !== k); })()""")
    check(twice == [], "%s: ids that stand twice: %s" % (what, twice))
    wide = page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(wide <= 0, "%s: the page is %d pixels too wide" % (what, wide))


def check_escaping(page, what):
    check(page.run("document.getElementById('hostile') === null && document.images.length === 0"),
          what + ": a name became an element")
    name = "</script><b id='hostile'>robot</b>"
    check(page.run("document.querySelector('h1').textContent") == name, what + ": the robot's name is not shown")
    check(page.run("document.title").startswith(name), what + ": the title is not the robot's name")
    check(page.run("document.scripts.length") == 3, what + ": there are other scripts than ours")


def take_pictures(page, folder, name):
    for width in (1280, 400):
        for dark in (False, True):
            page.resize(width, 900, dark)
            page.screenshot(os.path.join(folder, "%s_%d_%s.png" % (name, width, "dark" if dark else "light")))
    page.resize(800, 1100, False, "print")
    page.screenshot(os.path.join(folder, name + "_print.png"))


def main():
    featherline, link_poses = (os.path.abspath(path) for path in sys.argv[1:3])
    pictures = sys.argv[4] if sys.argv[3:4] == ["--screenshots"] else None
    if chromium.program() is None:
        print("skipped: browser_page needs chromium; apt-get install --no-install-recommends chromium")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder, chromium.Page() as page:
        file = os.path.join(folder, "page.html")
        for robot, flags, base, mimic in ROBOTS:
            what = " ".join([robot, *flags])
            write_page(featherline, robot, flags, file)
            page.resize(1280, 900)
            page.open(file)
            check_robot(page, link_poses, robot, base, mimic, what)
            check_q_field(page, what)
            check_view(page, what)
            for width in (1280, 400):
                page.resize(width, 900)
                check_labels(page, "%s at %d pixels" % (what, width))
            if "every_joint" in robot:
                check_escaping(page, what)
            if pictures:
                page.run("document.getElementById('fit').click()")
                take_pictures(page, pictures, os.path.basename(robot)[:-5] + "_" + base)
            check(page.problems == [], "%s: %s" % (what, page.problems))
        check_inertias(featherline, page, folder)
        check_player(featherline, page, folder, pictures)
        page.run("setTimeout(() => { throw new Error('seen'); }); console.error('seen')")
        page.run("new Promise((done) => setTimeout(done, 50))")
        check(len(page.problems) == 2, "an exception and an error of the console are not noticed")
    print("%d checks of %d pages" % (checks, len(ROBOTS)))


main()
