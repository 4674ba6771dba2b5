"""What is seen while a robot is compiled, and what Ctrl-C leaves behind."""

import os
import pty
import signal
import subprocess
import time
import unittest

from support import LoadTest


class Progress(LoadTest):
    def errors_of(self, code):
        other = self.start(code)
        return other.communicate()[1]

    def test_nothing_without_a_terminal(self):
        self.assertEqual(self.errors_of("featherline.load(robot)"), "")

    def test_lines_when_asked_for(self):
        lines = self.errors_of("featherline.load(robot, verbose=True)").splitlines()
        self.assertEqual(lines[0], "featherline: robot.urdf: generating")
        self.assertEqual(lines[1], "featherline: fake: compiling 4 files")
        self.assertRegex(lines[2], r"^featherline: fake: compiled in \d+\.\d s$")
        self.assertEqual(len(lines), 3)
        self.assertEqual(self.errors_of("featherline.load(robot, verbose=True)"), "")

    def on_terminal(self, code):
        reading, writing = pty.openpty()
        other = self.start(code, stdout=subprocess.DEVNULL, stderr=writing)
        os.close(writing)
        text = b""
        while True:
            try:
                part = os.read(reading, 4096)
            except OSError:  # how a terminal says that nobody writes any more
                break
            if not part:
                break
            text += part
        os.close(reading)
        self.assertEqual(other.wait(), 0)
        return text.decode()

    def test_one_line_on_a_terminal(self):
        text = self.on_terminal("featherline.load(robot)")
        self.assertNotIn("\n", text)
        steps = text.split("\r\x1b[K")
        self.assertEqual(steps[0], "")
        self.assertEqual(steps[1], "featherline: robot.urdf: generating")
        self.assertIn("featherline: fake: compiling, 3 of 4 files", steps)
        self.assertEqual(steps[-1], "")  # cleared
        self.assertEqual(self.on_terminal("featherline.load(robot)"), "")  # from the cache

    def test_quiet_on_a_terminal(self):
        self.assertEqual(self.on_terminal("featherline.load(robot, verbose=False)"), "")

    def test_line_is_cleared_before_an_error(self):
        self.write("robot.urdf", "<robot>wrong</robot>")
        text = self.on_terminal("""
try: featherline.load(robot)
except ValueError as error: import sys; print(error, file=sys.stderr)""")
        self.assertIn(f"\r\x1b[K{self.robot}:3: error", text)


class Interrupt(LoadTest):
    def test_ctrl_c(self):
        pids = self.path("pids")
        compiler = self.write("bin/endless", f"""#!/bin/sh
[ "$1" = --version ] && exec c++ --version
touch "$TMPDIR/left-over"
sleep 600 & echo $! >> {pids}
wait
""", 0o755)
        other = self.start(f"featherline.load(robot, compiler={compiler!r})")
        while not os.path.exists(pids) or os.path.getsize(pids) == 0:
            time.sleep(0.01)
        other.send_signal(signal.SIGINT)
        self.assertIn("KeyboardInterrupt", other.communicate()[1])
        self.assertEqual(self.entries(), [])
        with open(pids, encoding="utf-8") as file:
            for pid in file.read().split():
                self.assertFalse(self.runs_still(int(pid)))

    def runs_still(self, pid):
        """Whether the process still runs, a second later at most."""
        for _ in range(100):
            try:
                with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return False
            except FileNotFoundError:
                return False
            time.sleep(0.01)
        return True


if __name__ == "__main__":
    unittest.main()
