"""A headless Chromium with a report in it, and what the tests do there: read what the view shows, use its controls, take
pictures. Chromium draws with SwiftShader, so that no graphics card is needed."""

import io
import json
import os
import re
import time

import numpy
from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
NO_WEBGL = ["--disable-gpu", "--disable-webgl", "--disable-3d-apis"]
OPENED_IN = 120

SET = """
const control = document.getElementById( arguments[0] );
if ( control.type === "checkbox" || control.type === "radio" )
{
	control.checked = arguments[1];
}
else
{
	control.value = arguments[1];
}
control.dispatchEvent( new Event( "input", { bubbles: true } ) );
"""

WATCH = """
window.clicked = null;
const canvas = document.getElementById( "view-canvas" );
canvas.scrollIntoView( { block: "center" } );
document.addEventListener( "pointerup", event =>
{
	const box = canvas.getBoundingClientRect();
	window.clicked = [ event.clientX - box.left, event.clientY - box.top ];
}, { once: true, capture: true } );
"""

# Two frames later what was asked for is drawn.
DRAWN = "const done = arguments[0]; requestAnimationFrame( () => requestAnimationFrame( () => setTimeout( done, 0 ) ) );"


# How the page writes exponents and signs.
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


def read_number(text):
    """What stands at the beginning of a text, as the page writes numbers."""
    digits, exponent = re.match(r"≤? ?(−?[0-9,.]+)(?:×10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?", text).groups()
    return float(digits.replace(",", "").translate(RAISED) + ("e" + exponent.translate(RAISED) if exponent else ""))


class Browser:
    def __init__(self, webgl=True, options=()):
        settings = webdriver.ChromeOptions()
        for option in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,720",
                       "--force-prefers-reduced-motion", *(WEBGL if webgl else NO_WEBGL), *options]:
            settings.add_argument(option)
        settings.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=settings, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(OPENED_IN)

    def close(self):
        self.driver.quit()

    def open(self, path, fragment=""):
        """Seconds until the view is ready, or has said why there is none."""
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        started = time.time()
        self.driver.get("file://" + path + fragment)
        while time.time() - started < OPENED_IN:
            if self.run("return !!window.bvReport && ( bvReport.ready || bvReport.message !== null )"):
                return time.time() - started
            time.sleep(0.02)
        raise TimeoutError(path + ": the view was not ready in %d s" % OPENED_IN)

    def open_player(self, path, name):
        """Opens a page of a sample that plays an animation, and waits until it does. `name` is the variable for scripts."""
        self.driver.get("file://" + os.path.abspath(path))
        until = time.time() + 60
        while not self.run("return %s.ready || %s.message !== null" % (name, name)) and time.time() < until:
            time.sleep(0.02)
        message = self.run("return %s.message" % name)
        assert message is None, message
        first = self.run("return %s.time" % name)
        until = time.time() + 20
        while self.run("return %s.time" % name) == first and time.time() < until:
            time.sleep(0.02)
        assert self.run("return %s.time" % name) != first, "the page plays"

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def get(self, what):
        return self.run("return bvReport." + what)

    def complaints(self):
        """What the page logged as a warning or an error."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]

    def requests(self):
        """Addresses that were asked for since the page was opened, but for the page's and those of its own data."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = message["params"]["request"]["url"]
                is_page = message["params"].get("type") == "Document" and address.startswith("file://")
                if not is_page and not address.startswith("data:"):
                    found.append(address)
        return found

    def set(self, control, value):
        self.run(SET, "view-" + control, value)

    def wait_for_frame(self):
        self.driver.execute_async_script(DRAWN)

    def canvas(self):
        return self.driver.find_element(By.ID, "view-canvas")

    def picture(self):
        """What is drawn on the canvas, rows of pixels of three bytes each; without the legend before it."""
        self.run("document.getElementById( 'view-canvas' ).scrollIntoView( { block: 'center' } );"
                 "document.getElementById( 'view-legend' ).style.visibility = 'hidden';")
        self.wait_for_frame()
        image = Image.open(io.BytesIO(self.canvas().screenshot_as_png))
        self.run("document.getElementById( 'view-legend' ).style.visibility = '';")
        return numpy.asarray(image.convert("RGB")).astype(int)

    def canvas_size(self):
        return self.run("const box = document.getElementById( 'view-canvas' ).getBoundingClientRect(); return [ box.width, box.height ];")

    def click(self, x, y):
        """Clicks near a pixel of the canvas, counted from its upper left corner.
        Returns where that was for the page, which depends on how the browser rounds."""
        self.run(WATCH)
        width, height = self.canvas_size()
        ActionChains(self.driver, duration=0).move_to_element_with_offset(
            self.canvas(), int(x - width / 2), int(y - height / 2)).click().perform()
        self.wait_for_frame()
        return self.run("return window.clicked")

    def press(self, *keys):
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def focus(self, control):
        self.run("document.getElementById( 'view-" + control + "' ).focus();")

    def make_dark(self, dark):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": "", "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)
