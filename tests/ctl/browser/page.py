# SPDX-License-Identifier: GPL-2.0
"""A headless Chromium for tests, and a function that runs tests as TAP.

Debian packages: chromium, chromium-driver, python3-selenium.
"""
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

FLAMECTL = os.environ.get("FLAMECTL", "./flamectl")
WAIT_SECONDS = 30


class Page:
    """One Chromium, and the file that is open in it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        options = Options()
        for flag in ("headless=new", "no-sandbox", "disable-gpu",
                     "disable-quic", "no-first-run", "disable-sync",
                     "disable-background-networking",
                     "disable-component-update",
                     f"user-data-dir={folder}/chromium"):
            options.add_argument("--" + flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"),
                                       options=options)
        self.driver.set_page_load_timeout(WAIT_SECONDS)
        self.driver.set_script_timeout(WAIT_SECONDS)

    def visit(self, path, fragment="", width=1200, scheme="light"):
        """Open a file in a window of this width, in a colour scheme."""
        self.resize(width)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.get("about:blank")
        self.driver.get(f"file://{path}{fragment}")

    def resize(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": False})

    def resize_open(self, width):
        """Resize the window, and wait until the handlers of the open file have run."""
        if self.run("return window.innerWidth") == width:
            return
        # innerWidth changes before "resize" is sent, so wait for a listener: the last one added
        # is called last
        self.run("window.addEventListener('resize', () => window.told = window.innerWidth)")
        self.resize(width)
        self.until(lambda: self.run("return window.told") == width)

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent",
                        selector)

    def search(self, text):
        box = self.find(".search")
        box.click()
        self.ctrl("a")
        self.keys(text or Keys.BACKSPACE)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def ctrl(self, key):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(
            Keys.CONTROL).perform()

    def until(self, condition):
        WebDriverWait(self.driver, WAIT_SECONDS).until(lambda _: condition())

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def watch(self):
        """Start to log the browser's requests."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.get_log("performance")      # drop the entries so far

    def requests(self):
        """Return the addresses that it requested since watch()."""
        self.driver.execute_cdp_cmd("Network.disable", {})
        return [json.loads(entry["message"])["message"]["params"]["request"]["url"]
                for entry in self.driver.get_log("performance")
                if '"Network.requestWillBeSent"' in entry["message"]]


def same(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


def near(found, expected):
    assert abs(found - expected) <= 0.011, f"found {found}, expected {expected}"


def run_tests(tests, make_page):
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = make_page(folder)
        try:
            for number, test in enumerate(tests, 1):
                result, trouble = "ok", ""
                try:
                    test(page)
                    same(page.errors(), [])
                except Exception:           # any exception fails only its own test
                    result, trouble = "not ok", traceback.format_exc()
                    failed += 1
                print(f"{result} {number} - {test.__name__.replace('_', ' ')}")
                for line in trouble.splitlines():
                    print("# " + line)
                sys.stdout.flush()
        finally:
            page.driver.quit()
    return 1 if failed else 0
