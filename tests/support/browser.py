"""A real Chromium, driven over a pipe with the DevTools protocol: no driver, no port, no other package.

Protocol: messages are JSON, each ended by a NUL; the browser reads them from file descriptor 3 and writes to 4.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", "--window-size=1280,900",
)  # fmt: skip
AS_3_AND_4 = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Gives the two ends of the pipes the numbers that the browser looks for; a shell cannot name numbers above 9."""
WAIT_S = 60.0


def chromium() -> str:
    """Return the browser's path; skip the test if there is no browser."""
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    if found is None:
        pytest.skip(f"needs a browser: one of {', '.join(NAMES)} on the path")
    return found


class Browser:
    """A browser process. `page` opens a page; `close` ends the process."""

    def __init__(self, profile: Path) -> None:
        child_read, self._write = os.pipe()
        self._read, child_write = os.pipe()
        command = [chromium(), *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-Ic", AS_3_AND_4, str(child_read), str(child_write), *command],
            pass_fds=(child_read, child_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(child_read)
        os.close(child_write)
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result; keep the events that arrive before it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        os.write(self._write, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                assert "error" not in found, found
                return found["result"]
            self.events.append(found)

    def until(self, method: str) -> dict[str, Any]:
        """Wait for an event."""
        while True:
            known = next((event for event in self.events if event.get("method") == method), None)
            if known is not None:
                self.events.remove(known)
                return known
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        deadline = time.monotonic() + WAIT_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._read, 1 << 20) if ready else b""
            assert data, "the browser does not answer"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def page(self) -> "Page":
        """Open a new, empty page."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session)

    def close(self) -> None:
        """End the browser."""
        os.close(self._write)
        os.close(self._read)
        self._process.terminate()
        self._process.wait(WAIT_S)


class Page:
    """A page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command to this page."""
        return self._browser.call(method, self._session, **params)

    def open(self, address: str) -> None:
        """Go to an address and wait until it has loaded."""
        self._browser.events.clear()
        self.call("Page.navigate", url="about:blank")
        self._browser.until("Page.loadEventFired")
        self._browser.events.clear()
        self.call("Page.navigate", url=address)
        self._browser.until("Page.loadEventFired")

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression; a promise is awaited."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, text: str | None = None) -> None:
        """Press and release a key; `text` is what it types."""
        named = {"Enter": (13, "\r"), "Escape": (27, None)}
        code, typed = named.get(key, (ord(key[0].upper()), text if text is not None else key))
        down = {"type": "keyDown", "key": key, "windowsVirtualKeyCode": code} | ({"text": typed} if typed else {})
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that matches."""
        element = f"document.querySelector({json.dumps(selector)})"
        spot = self.run(
            f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'center'}});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)

    def picture(self, path: Path) -> Path:
        """Take a screenshot of the window."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
        return path

    def requests(self) -> list[str]:
        """Return the addresses that were requested since the page was opened."""
        self.run("1")
        return [
            e["params"]["request"]["url"]
            for e in self._browser.events
            if e.get("method") == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """Return errors and warnings of scripts, policy and network since the page was opened."""
        self.run("1")
        logs = [e["params"]["entry"]["text"] for e in self._browser.events if e.get("method") == "Log.entryAdded"]
        thrown = [str(e["params"]) for e in self._browser.events if e.get("method") == "Runtime.exceptionThrown"]
        return logs + thrown
