# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, by the W3C's WebDriver protocol and the standard library alone."""

import base64
import json
import os
import re
import subprocess
import urllib.error
import urllib.request


class Browser:
    """One window. Use it in a `with`."""

    def __enter__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.address = f"http://127.0.0.1:{found[1]}"
                break
        else:
            raise RuntimeError("chromedriver does not start")
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                     "--force-color-profile=srgb", "--window-size=1280,900"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"args": arguments, "perfLoggingPrefs": {"enableNetwork": True}}
        session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = f"/session/{session['sessionId']}"
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, path):
        self.log("performance"), self.log("browser")  # what was before
        self.ask("POST", f"{self.session}/url", {"url": path.as_uri()})

    def log(self, kind):
        return self.ask("POST", f"{self.session}/se/log", {"type": kind})

    def complaints(self):
        """What the console has to say: errors, warnings, violations of the content policy."""
        return [entry["message"] for entry in self.log("browser")]

    def fetched(self):
        """Every address that was asked for."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def run(self, script, *arguments):
        """What a function body returns in the page."""
        return self.ask("POST", f"{self.session}/execute/sync",
                        {"script": script, "args": list(arguments)})

    def tool(self, command, **parameters):
        """A command of the developer tools."""
        return self.ask("POST", f"{self.session}/goog/cdp/execute",
                        {"cmd": command, "params": parameters})

    def find(self, selector):
        element = self.ask("POST", f"{self.session}/element",
                           {"using": "css selector", "value": selector})
        return next(iter(element.values()))

    def point_at(self, selector, *then):
        """Moves a mouse there."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        origin = {"element-6066-11e4-a52e-4f735466cecf": self.find(selector)}
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}
        self.ask("POST", f"{self.session}/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
             "actions": [move, *then]}]})

    def click(self, selector):
        self.point_at(selector, {"type": "pointerDown", "button": 0},
                      {"type": "pointerUp", "button": 0})

    def press(self, key):
        self.ask("POST", f"{self.session}/actions", {"actions": [
            {"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": key},
                                                      {"type": "keyUp", "value": key}]}]})

    def screen(self, width=1280, height=900, is_phone=False):
        self.tool("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)

    def media(self, name="", dark=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tool("Emulation.setEmulatedMedia", media=name, features=[scheme])

    def picture(self, path, whole=True):
        shot = self.tool("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
