"""The npm package in headless Chromium, in a page and in a worker: answers have the bits that a native program prints.

    test_browser.py BUILD NATIVE FILE.bvh...
"""

import functools
import http.server
import os
import shutil
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "browser"))
from browser import Browser


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def first_difference(a, b):
    for number, (x, y) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
        if x != y:
            return "line %d: %s | %s" % (number, x[:200], y[:200])
    return "%d and %d lines" % (a.count("\n"), b.count("\n"))


def main():
    build, native, files = sys.argv[1], open(sys.argv[2]).read(), sys.argv[3:]
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(build, "npm"), os.path.join(folder, "npm"))
        for name in ("page.html", "answers.mjs", "worker.mjs"):
            shutil.copy(os.path.join(here, name), folder)
        os.mkdir(os.path.join(folder, "files"))
        for path in files:
            shutil.copy(path, os.path.join(folder, "files"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser()
        try:
            browser.driver.get("http://127.0.0.1:%d/page.html" % server.server_port)
            names = ["files/" + os.path.basename(path) for path in files]
            for where in ("page", "worker"):
                answer = browser.driver.execute_async_script(
                    "const done = arguments[2]; answersOf( arguments[0], arguments[1] ).then( done, e => done( 'error: ' + e.stack ) );",
                    names, where == "worker")
                assert answer == native, "in a %s of Chromium: %s" % (where, first_difference(answer, native))
                print("test_browser: %d answers in a %s of Chromium have the bits of native ones" % (answer.count("\n"), where))
            complaints = [each for each in browser.complaints() if "favicon" not in each]
            assert not complaints, complaints
        finally:
            browser.close()
            server.shutdown()


main()
