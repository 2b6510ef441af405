"""Opens samples/javascript/page.html in headless Chromium: check_page.py FOLDER [PICTURE]

The folder has the page, its modules and meshes. What the pointer picks by the files must be what THREE.Raycaster finds in plain meshes of
the same geometry, at many places; the page must say so, and the console must be empty.
"""

import functools
import http.server
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from browser import Browser

# Plain meshes in the same places: three.js tests all of their triangles.
PICK = """
const [ x, y ] = arguments;
const { THREE, camera, objects, pointer } = window;
const canvas = document.querySelector( "canvas" );
canvas.dispatchEvent( new PointerEvent( "pointermove", { clientX: x * innerWidth, clientY: y * innerHeight } ) );
const raycaster = new THREE.Raycaster();
raycaster.setFromCamera( pointer, camera );
const plain = objects.map( each =>
{
	const mesh = new THREE.Mesh( each.geometry, each.material );
	mesh.name = each.name;
	mesh.matrixWorld.copy( each.matrixWorld );
	return mesh;
} );
const hit = raycaster.intersectObjects( plain )[0];
return [ document.getElementById( "text" ).textContent, hit ? [ hit.object.name, hit.faceIndex, hit.distance ] : null ];
"""


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    folder, picture = sys.argv[1], sys.argv[2:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser()
    try:
        driver = browser.driver
        driver.set_window_size(900, 600)
        driver.get("http://127.0.0.1:%d/page.html" % server.server_port)
        driver.set_script_timeout(60)
        driver.execute_async_script(
            "const done = arguments[0]; ( function wait() { window.objects || document.getElementById( 'text' ).textContent.includes( '(npm' )"
            " ? done() : setTimeout( wait, 50 ) } )();")
        found = {"yard": 0, "horseshoe": 0, None: 0}
        for row in range(8):
            for column in range(10):
                text, hit = driver.execute_script(PICK, (column + 0.37) / 10, (row + 0.61) / 8)
                first, *rest = text.split("\n")
                assert first == "13 convex parts, 406.0 kg; 4608 triangles of ground", text
                found[hit and hit[0]] += 1
                assert rest == (["%s: triangle %d at %.3f m" % tuple(hit)] if hit else []), (text, hit)
        assert min(found.values()) >= 2, found
        if picture:
            driver.execute_script(PICK, 0.37, 0.48)
            driver.save_screenshot(picture[0])
        complaints = browser.complaints()
        assert not complaints, complaints
        print("check_page: %d picks are those of three.js" % sum(found.values()))
    finally:
        browser.close()
        server.shutdown()


main()
