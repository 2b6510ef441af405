"""samples/web in headless Chromium, from the file system: drops meshes, points at them, collides, opens the report, saves the file.

    test_page.py BUILD PAGE.html MESH [PICTURE.png]    the mesh is an .obj file; with PICTURE, pictures are written
"""

import base64
import os
import subprocess
import sys
import tempfile
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "browser"))
from browser import Browser

DROP = """
const bytes = Uint8Array.from( atob( arguments[1] ), letter => letter.charCodeAt( 0 ) );
const data = new DataTransfer();
data.items.add( new File( [ bytes ], arguments[0] ) );
document.body.dispatchEvent( new DragEvent( 'drop', { dataTransfer: data, bubbles: true, cancelable: true } ) );
"""


class Page:
    def __init__(self, path, downloads):
        self.browser = Browser()
        self.driver = self.browser.driver
        self.driver.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": downloads})
        self.driver.get("file://" + os.path.abspath(path))
        self.wait("sample.state === 'waiting'")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition, seconds=120):
        until = time.time() + seconds
        while not self.run("return !!window.sample && ( %s )" % condition):
            assert time.time() < until, "%s: %s" % (condition, self.run("return JSON.stringify( [ sample.state, sample.error ] )"))
            time.sleep(0.02)

    def drop(self, name, data):
        self.run("sample.state = 'dropped'")
        self.run(DROP, name, base64.b64encode(data).decode())
        self.wait("sample.state === 'ready' || sample.state === 'failed'")

    def click(self, name):
        self.driver.find_element(By.ID, name).click()

    def point(self, x, y):
        """Moves the pointer to a place in the view, as fractions from its middle, and waits for the answer."""
        canvas = self.driver.find_element(By.ID, "view")
        size = canvas.size
        self.run("sample.found = 'asked'")
        ActionChains(self.driver, duration=0).move_to_element_with_offset(canvas, int(x * size["width"]), int(y * size["height"])).perform()
        self.wait("sample.found !== 'asked'")
        return self.run("return sample.found")

    def picture(self, path):
        time.sleep(0.3)
        self.driver.save_screenshot(path)


def text(page, name):
    return page.driver.find_element(By.ID, name).text


def main():
    build, path, mesh = sys.argv[1:4]
    pictures = sys.argv[4] if len(sys.argv) > 4 else None
    with tempfile.TemporaryDirectory() as folder:
        page = Page(path, folder)
        try:
            # A mesh is built to the bytes that bvbuild writes.
            data = open(mesh, "rb").read()
            name = os.path.basename(mesh)
            page.drop(name, data)
            assert page.run("return sample.state") == "ready", page.run("return sample.error")
            seconds = page.run("return sample.milliseconds") / 1000
            native = os.path.join(folder, "native.bvh")
            subprocess.run([os.path.join(build, "bvbuild"), "--quiet", mesh, "-o", native], check=True)
            page.click("save")
            saved = os.path.join(folder, os.path.splitext(name)[0] + ".bvh")
            until = time.time() + 20
            while not os.path.exists(saved) and time.time() < until:
                time.sleep(0.05)
            assert open(saved, "rb").read() == open(native, "rb").read(), "the saved file is that of bvbuild"

            # The pointer in the middle hits the mesh, beside it nothing.
            hit = page.point(0, 0)
            assert hit and abs(sum(n * n for n in hit["normal"]) - 1) < 1e-9, hit
            shown = text(page, "found")
            assert "{:,}".format(hit["triangle"]) in shown, shown
            if pictures:
                page.picture(pictures.replace(".png", "-pick.png"))
            assert page.point(-0.48, -0.48) is None
            assert "hits nothing" in text(page, "found")

            # A second mesh collides in the middle, and is apart in the corner.
            page.click("collide")
            met = page.point(0, 0)
            assert met["pairs"] > 0 and met["distance"] == 0, met
            assert "{:,} pairs".format(met["pairs"]) in text(page, "found"), text(page, "found")
            if pictures:
                page.picture(pictures.replace(".png", "-collide.png"))
            apart = page.point(-0.42, -0.42)
            assert apart["pairs"] == 0 and apart["distance"] > 0, apart
            assert "Apart by" in text(page, "found")
            if pictures:
                page.picture(pictures.replace(".png", "-apart.png"))

            # The report opens in a window of its own.
            page.wait("!document.getElementById( 'report' ).disabled")
            page.click("report")
            until = time.time() + 30
            while len(page.driver.window_handles) < 2 and time.time() < until:
                time.sleep(0.05)
            first, second = page.driver.window_handles
            page.driver.switch_to.window(second)
            until = time.time() + 60
            while not page.run("return !!window.bvReport && ( bvReport.ready || bvReport.message !== null )") and time.time() < until:
                time.sleep(0.05)
            assert page.run("return bvReport.ready") and name in page.run("return document.body.textContent"), "the report shows its mesh"
            page.driver.close()
            page.driver.switch_to.window(first)

            # Parts; meshes that are broken or of unknown formats; the built-in example.
            page.run("document.getElementById( 'parts' ).value = '5%'")
            page.click("pick")
            page.click("example")
            page.wait("sample.state === 'ready' && sample.file.info.sourceName === 'knot.obj' && sample.file.info.parts > 3")
            if pictures:
                page.picture(pictures.replace(".png", "-parts.png"))
            page.run("document.getElementById( 'parts' ).value = ''")
            page.drop("broken.obj", b"v 1 2 3\nf 1 2 9\n")
            assert page.run("return sample.state") == "failed" and "broken.obj:2" in text(page, "message"), text(page, "message")
            page.drop("text.docx", b"x")
            assert "text.docx" in text(page, "message"), text(page, "message")
            page.drop("again.obj", data)
            assert page.run("return sample.state") == "ready"

            complaints = page.browser.complaints()
            assert not complaints, complaints
            requests = page.run("return performance.getEntriesByType( 'resource' ).map( r => r.name ).filter( n => !/^(blob|data):/.test( n ) )")
            assert not requests, requests
            print("test_page: %s built in %.2f s, %d triangles met, no message of the browser" % (name, seconds, met["pairs"]))
        finally:
            page.browser.close()


main()
