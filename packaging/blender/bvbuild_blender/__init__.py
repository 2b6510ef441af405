"""Collision shapes for the selected objects, by the program bvbuild.

The panel is in the sidebar of the 3D view (N), tab bvbuild. See docs/blender.md.

    programs.py    finds and runs bvbuild and bvinspect; no Blender in it
    files.py       writes meshes as OBJ for them, reads what they export; no Blender in it
    collect.py     what the selected objects look like: modifiers, instances, collision names
    build.py       builds, and keeps what is known about the results
    shapes.py      results as objects in a collection
    overlay.py     results drawn over the 3D view
    findings.py    what the report says, and the faces that it is about
    settings.py    preferences and properties
    panel.py       the panel
"""

bl_info = {
    "name": "bvbuild: collision shapes",
    "author": "bvbuild contributors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > bvbuild",
    "description": "Convex parts, hulls and proxy meshes within a certified distance, as .bvh files and as objects with names of engines",
    "category": "Mesh",
}

from . import build, findings, overlay, panel, settings, shapes

modules = (settings, build, shapes, overlay, findings, panel)


def register():
    for module in modules:
        module.register()


def unregister():
    for module in reversed(modules):
        module.unregister()
