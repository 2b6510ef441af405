"""The add-on in a window: blender --factory-startup --python tests/blender/test_window.py -- BUILD SCRATCH [MESH]

The build runs while Blender goes on, shapes are drawn over the view, and a picture of the window is SCRATCH/window.png. The test looks
for the colors of the shapes in it, and that they are gone once they are hidden. Ends with exit code 1 on failure.
"""

import os
import sys
import traceback

import bpy
import numpy

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
arguments = sys.argv[sys.argv.index("--") + 1:]
build, scratch = arguments[:2]
sys.path.insert(0, os.path.join(root, "packaging", "blender"))
import bvbuild_blender.panel  # noqa: E402

# The tab that is open at the start: which one is open cannot be set before Blender 4.2.
bvbuild_blender.panel.Panel.bl_category = "Item"
bpy.context.preferences.view.show_splash = False
bpy.ops.preferences.addon_enable(module="bvbuild_blender")
bpy.context.preferences.addons["bvbuild_blender"].preferences.folder = build


def scene():
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one, do_unlink=True)
    if len(arguments) > 2:
        bpy.ops.import_scene.obj(filepath=arguments[2])
        thing = bpy.context.selected_objects[0]
    else:
        bpy.ops.mesh.primitive_torus_add(major_segments=48, minor_segments=16)
        thing = bpy.context.active_object
    bpy.context.view_layer.objects.active = thing
    settings = bpy.context.scene.bvbuild
    settings.folder = os.path.join(scratch, "collision")
    settings.tolerance = 2
    return thing


def view():
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    return bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region), area


def bright_share(name):
    """The share of pixels with the strong colors that only shapes have."""
    path = os.path.join(scratch, name)
    bpy.ops.screen.screenshot(filepath=path)
    image = bpy.data.images.load(path)
    pixels = numpy.array(image.pixels[:], dtype=numpy.float32).reshape(-1, 4)[:, :3]
    bpy.data.images.remove(image)
    return float(((pixels.max(axis=1) - pixels.min(axis=1)) > 0.35).mean())


def steps():
    """What happens one after another; yields how many seconds to wait."""
    thing = scene()
    override, area = view()
    with override:
        area.spaces[0].show_region_ui = True
        bpy.ops.view3d.view_axis(type="FRONT")
        bpy.ops.view3d.view_orbit(angle=0.5, type="ORBITRIGHT")
        bpy.ops.view3d.view_orbit(angle=-0.4, type="ORBITUP")
        bpy.ops.view3d.view_selected()
        yield 1.0
        before = bright_share("before.png")
        assert bpy.ops.bvbuild.build("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
        assert not thing.bvbuild.file, "Blender goes on while the program runs"
    for _ in range(600):
        if thing.bvbuild.file:
            break
        yield 0.1
    assert thing.bvbuild.file, "the build ends"
    yield 0.5
    override, area = view()
    with override:
        assert bpy.ops.bvbuild.overlay() == {"FINISHED"}
        yield 1.0
    override, area = view()
    with override:
        shown = bright_share("window.png")
        assert shown > before + 0.01, "shapes are drawn: %g, %g" % (before, shown)
        bpy.ops.bvbuild.hide()
        yield 1.0
    override, area = view()
    with override:
        hidden = bright_share("after.png")
        assert abs(hidden - before) < 0.002, "shapes are hidden: %g, %g" % (before, hidden)
    print("blender: a window, %.3f of it shapes" % shown, flush=True)


running = steps()


def next_step():
    try:
        return next(running)
    except StopIteration:
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)


bpy.app.timers.register(next_step, first_interval=2.0)
