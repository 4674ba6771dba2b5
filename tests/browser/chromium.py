"""Drives Debian's chromium over the pipe of the DevTools protocol, with Python's standard library alone."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

LONGEST_ANSWER = 300  # seconds, on a machine that is busy with other tests


def program():
    """The path of chromium, or nothing."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Page:
    """One page in a browser of its own. `problems` are errors and warnings of the console, exceptions that nobody
    caught, and requests to anything but the page's file."""

    def __init__(self):
        self.problems = []
        self._folder = tempfile.mkdtemp(prefix="featherline-chromium-")
        commands_out, self._commands = os.pipe()
        self._answers, answers_in = os.pipe()
        flags = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage",
                 "--disable-background-networking", "--hide-scrollbars", "--force-color-profile=srgb",
                 "--remote-debugging-pipe", "--user-data-dir=" + self._folder]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        # chromium reads from 3 and writes to 4.
        shell = 'exec 3<&%d 4>&%d; exec "$@"' % (commands_out, answers_in)
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "bash", program(), *flags, "about:blank"], pass_fds=(commands_out, answers_in),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(commands_out)
        os.close(answers_in)
        self._rest, self._next, self._session, self._events = b"", 0, None, []
        target = next(t for t in self._targets() if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def _targets(self):
        for _ in range(100):
            targets = self.call("Target.getTargets")["targetInfos"]
            if any(t["type"] == "page" for t in targets):
                return targets
            time.sleep(0.1)
        raise RuntimeError("chromium opened no page")

    def _receive(self):
        end = time.monotonic() + LONGEST_ANSWER
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._answers, 1 << 20) if ready else b""
            if not data:
                raise RuntimeError("chromium does not answer")
            self._rest += data
        text, self._rest = self._rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self._next += 1
        message = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._next:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self._hear(answer)

    def _hear(self, event):
        method, parameters = event.get("method", ""), event.get("params", {})
        self._events.append(method)
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append("console: " + json.dumps(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.problems.append("request: " + url)

    def open(self, path):
        self._events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while "Page.loadEventFired" not in self._events:
            self._hear(self._receive())

    def run(self, expression):
        """The value of an expression in the page; it may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def drag(self, x, y, to_x, to_y):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1, clickCount=1)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=to_x, y=to_y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, button="left", clickCount=1)

    def resize(self, width, height, dark=False, media="screen"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def screenshot(self, file, whole=True):
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
