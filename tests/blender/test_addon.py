"""Tests of the add-on, installed from its zip, in Blender: blender -b --factory-startup --python-exit-code 1 --python tests/blender/test_addon.py -- BUILD SCRATCH ZIP

Meshes are compared with those that Blender's own glTF exporter writes and bvbuild reads; faces with those that bmesh finds.
"""

import csv
import json
import os
import subprocess
import sys

import bmesh
import bpy
import numpy

build, scratch, archive = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.preferences.addon_install(filepath=archive)
bpy.ops.preferences.addon_enable(module="bvbuild_blender")
from bvbuild_blender import build as builder, files  # noqa: E402

checks = 0


def check(what, holds):
    global checks
    checks += 1
    if not holds:
        raise AssertionError(what)


def tool(name, *arguments):
    return subprocess.run([os.path.join(build, name), *arguments], check=True, capture_output=True, text=True).stdout


def report_of(path):
    return json.loads(tool("bvinspect", path, "--json"))


def settings(**values):
    s = bpy.context.scene.bvbuild
    s.property_unset("preset")
    for key in ("axes", "use_parts", "tolerance", "max_parts", "max_vertices", "use_proxy", "proxy_tolerance", "keep_faces", "options",
                "shape", "level", "naming"):
        s.property_unset(key)
    s.folder = os.path.join(scratch, "collision")
    for key, value in values.items():
        setattr(s, key, value)
    return s


def clear():
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one, do_unlink=True)
    for collection in list(bpy.data.collections):
        bpy.data.collections.remove(collection)
    for mesh in list(bpy.data.meshes):
        bpy.data.meshes.remove(mesh)


def add(name, positions, polygons, location=(0, 0, 0)):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(positions, [], polygons)
    mesh.update()
    one = bpy.data.objects.new(name, mesh)
    one.location = location
    bpy.context.scene.collection.objects.link(one)
    bpy.context.view_layer.update()
    return one


BOX = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def box(name, size, location=(0, 0, 0)):
    x, y, z = size
    return add(name, [(x * (i & 1), y * (i >> 1 & 1), z * (i >> 2)) for i in range(8)], BOX, location)


def ell(name):
    """An L of two boxes: not convex, so that it has parts."""
    outline = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]
    positions = [(x, y, z) for z in (0, 1) for x, y in outline]
    sides = [(i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    return add(name, positions, [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11), *sides], (1, 2, 3))


def choose(*objects):
    for one in bpy.context.selected_objects:
        one.select_set(False)
    for one in objects:
        one.select_set(True)
    bpy.context.view_layer.objects.active = objects[0] if objects else None


def fails(operator, message, **arguments):
    """The operator says that; in the background, what operators report is an exception."""
    try:
        operator(**arguments)
    except RuntimeError as error:
        check("'%s' says '%s'" % (error, message), message in str(error))
        return
    check("%s fails" % message, False)


def export_gltf(path, **arguments):
    bpy.ops.export_scene.gltf(filepath=path, use_selection=True, export_apply=True, export_format="GLB", **arguments)


def vertices_of(path):
    """The distinct positions of the mesh of record, sorted."""
    out = path + ".obj"
    tool("bvinspect", path, "--export", "mesh," + out, "--force-output")
    return numpy.unique(numpy.concatenate([piece.positions for piece in files.read_obj(out)]), axis=0)


def same_as_exported(name, axes):
    """The file of an object and the one that the command line makes of Blender's own export have equal meshes."""
    glb, mine, theirs = (os.path.join(scratch, *parts) for parts in ((name + ".glb",), ("collision", name + ".bvh"), (name + "-gltf.bvh",)))
    export_gltf(glb, export_yup=axes == "Y")
    tool("bvbuild", "-q", glb, "-o", theirs)
    ours, other = report_of(mine)["mesh"], report_of(theirs)["mesh"]
    for key in ("triangles", "vertices", "edges", "closed", "components"):
        check("%s: %s: %s and %s" % (name, key, ours[key], other[key]), ours[key] == other[key])
    a, b = vertices_of(mine), vertices_of(theirs)
    check("%s: as many positions" % name, a.shape == b.shape)
    distances = numpy.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))
    check("%s: positions differ by rounding only" % name, max(distances.min(axis=0).max(), distances.min(axis=1).max()) < 1e-6 * numpy.abs(a).max())


# -- scenes


def modifiers_are_applied():
    for axes in ("Y", "Z"):
        clear()
        settings(axes=axes, tolerance=2)
        one = box("crate", (1, 2, 3))
        mirror = one.modifiers.new("mirror", "MIRROR")
        mirror.use_axis[0] = True
        mirror.use_clip = mirror.use_mirror_merge = True
        one.modifiers.new("round", "SUBSURF").levels = 2
        choose(one)
        check("it builds", bpy.ops.bvbuild.build() == {"FINISHED"})
        check("it says what was built", "triangles" in one.bvbuild.summary and "parts" in one.bvbuild.summary)
        same_as_exported("crate", axes)


def instances_are_included():
    clear()
    settings(use_parts=False)
    group = bpy.data.collections.new("bricks")
    for location in ((0, 0, 0), (3, 0, 0)):
        brick = box("brick", (2, 1, 1), location)
        bpy.context.scene.collection.objects.unlink(brick)
        group.objects.link(brick)
    wall = bpy.data.objects.new("wall", None)
    wall.instance_type = "COLLECTION"
    wall.instance_collection = group
    bpy.context.scene.collection.objects.link(wall)
    bpy.context.view_layer.update()
    choose(wall)
    bpy.ops.bvbuild.build()
    report = report_of(wall.bvbuild.file)["mesh"]
    check("both bricks are there", report["triangles"] == 24 and report["components"] == 2)
    check("each has its volume", abs(report["volume"] - 4) < 1e-9)
    same_as_exported("wall", "Y")
    # Instances are in the coordinates of the object, wherever that is; mirrored ones face outward.
    before = open(wall.bvbuild.file, "rb").read()
    wall.location = (5, 6, 7)
    wall.rotation_euler = (0.3, 0.2, 0.1)
    bpy.context.view_layer.update()
    bpy.ops.bvbuild.build()
    moved = report_of(wall.bvbuild.file)["mesh"]
    check("an object that moves keeps its file's mesh", abs(moved["volume"] - 4) < 1e-5)
    wall.location = wall.rotation_euler = (0, 0, 0)
    bpy.context.view_layer.update()
    bpy.ops.bvbuild.build()
    check("the same bytes again", open(wall.bvbuild.file, "rb").read() == before)
    bpy.data.objects["brick"].scale = (-1, 1, 1)
    bpy.context.view_layer.update()
    bpy.ops.bvbuild.build()
    # Another object with the same instances, which is not selected, adds nothing.
    other = bpy.data.objects.new("other wall", None)
    other.instance_type = "COLLECTION"
    other.instance_collection = group
    bpy.context.scene.collection.objects.link(other)
    bpy.context.view_layer.update()
    bpy.ops.bvbuild.build()
    check("instances of others are not", report_of(wall.bvbuild.file)["mesh"]["components"] == 2)
    check("a mirrored instance faces outward", abs(report_of(wall.bvbuild.file)["mesh"]["volume"] - 4) < 1e-9)


def collision_names_are_used():
    clear()
    settings(use_parts=False)
    rock = box("ROCK", (1, 1, 1))
    rock.modifiers.new("round", "SUBSURF").levels = 3
    hull = ell("UCX_ROCK_00")
    other = box("PEBBLE", (1, 1, 1), (9, 0, 0))
    choose(rock, hull, other)
    check("it builds", bpy.ops.bvbuild.build() == {"FINISHED"})
    check("the shape has no file of its own", not hull.bvbuild.file and rock.bvbuild.file and other.bvbuild.file)
    report = report_of(rock.bvbuild.file)["mesh"]
    # The hull of an L of two boxes, 4 x 1 and 1 x 3: 4 + 2 + the triangle between, 3 * 2 / 2.
    check("the hull of the shape is used instead of the rock: %g" % report["volume"], abs(report["volume"] - 9) < 1e-6)
    position = vertices_of(rock.bvbuild.file).min(axis=0)
    check("it is where it is in the scene", numpy.allclose(position, (1, 3, -5)))
    # A shape of a shape belongs to the same object.
    box("UCX_UCX_ROCK_00_00", (1, 1, 1))
    chain = bpy.data.objects["UCX_UCX_ROCK_00_00"]
    choose(rock, hull, chain)
    bpy.ops.bvbuild.build()
    check("no object is left out", any("UCX_UCX_ROCK_00_00" == name for name, _ in json.loads(rock.bvbuild.pieces)))
    settings(use_parts=False, options="--proxies ignore")
    choose(rock, hull)
    bpy.ops.bvbuild.build()
    check("--proxies ignore takes both", report_of(rock.bvbuild.file)["mesh"]["components"] == 2)


def parts_make_a_round_trip():
    for naming, pattern in (("unreal", "UCX_gate_%02d"), ("godot", "gate%d-convcolonly"), ("unity", "gate%d_collider")):
        clear()
        settings(tolerance=1, naming=naming)
        gate = ell("gate")
        choose(gate)
        bpy.ops.bvbuild.build()
        bpy.ops.bvbuild.shapes()
        made = [one for one in gate.children]
        parts = report_of(gate.bvbuild.file)["decomposition"]["parts"]
        check("%s: one object per part" % naming, len(made) == parts and parts >= 2)
        check("%s: names: %s" % (naming, sorted(one.name for one in made)), all("gate" in one.name for one in made))
        if naming == "unreal":
            check("numbers follow each other", sorted(one.name for one in made) == [pattern % i for i in range(parts)])
        check("they are in the collection", all(one.name in bpy.data.collections["Collision"].objects for one in made))

        # Expected: the corners that bvinspect exports, turned to Blender's axes by hand.
        out = os.path.join(scratch, "parts.obj")
        tool("bvinspect", gate.bvbuild.file, "--export", "parts," + out, "--force-output")
        expected = sorted(sorted((x, -z, y) for x, y, z in piece.positions.tolist()) for piece in files.read_obj(out))
        got = sorted(sorted(tuple(vertex.co) for vertex in one.data.vertices) for one in made)
        check("%s: corners are equal" % naming, numpy.allclose(expected, got, atol=1e-6))

        check("%s: they are where the object is" % naming, all(one.matrix_world == gate.matrix_world for one in made))

        # Shapes of the add-on are no input, until they are kept; then they are used for the gate, as what they were.
        before = {one.name for one in made}
        choose(gate, *made)
        first = open(gate.bvbuild.file, "rb").read()
        bpy.ops.bvbuild.build()
        check("%s: shapes are left out" % naming, open(gate.bvbuild.file, "rb").read() == first)
        bpy.ops.bvbuild.keep()
        bpy.ops.bvbuild.build()
        rows = list(csv.DictReader(tool("bvinspect", gate.bvbuild.file, "--triangles", "node:0").splitlines()))
        check("%s: the shapes are read back, each by its name" % naming, {row["object"] for row in rows} == {one.name for one in made})
        triangles = sum(len(polygon.vertices) - 2 for one in made for polygon in one.data.polygons)
        check("%s: with all their triangles" % naming, len(rows) == triangles)
        check("%s: names are kept" % naming, {one.name for one in gate.children} == before)
        choose(gate)
        bpy.ops.bvbuild.remove()
        check("%s: what was kept is not removed" % naming, {one.name for one in gate.children} == before)
        bpy.ops.bvbuild.build()
        fails(bpy.ops.bvbuild.shapes, "another object with the name '%s'" % min(before))


def shapes_of_all_kinds_are_shown():
    clear()
    settings(tolerance=1, use_proxy=True)
    one = ell("gate")
    choose(one)
    bpy.ops.bvbuild.build()
    volumes = {}
    for shape in ("hull", "parts", "proxy", "level", "bounds", "mesh"):
        s = settings(tolerance=1, use_proxy=True, shape=shape, level=1)
        bpy.ops.bvbuild.shapes()
        check("%s has objects" % shape, len(one.children) > 0)
        corners = numpy.array([vertex.co for child in one.children for vertex in child.data.vertices])
        volumes[shape] = corners.max(axis=0) - corners.min(axis=0)
        s.naming = "unreal"
        if shape in ("proxy", "level", "bounds"):
            fails(bpy.ops.bvbuild.shapes, "engines have no names for %s" % shape)
    check("the hull has the size of the mesh", numpy.allclose(volumes["hull"], (4, 3, 1), atol=1e-6))
    check("so has the mesh", numpy.allclose(volumes["mesh"], (4, 3, 1), atol=1e-6))
    check("the proxy encloses it", (volumes["proxy"] >= numpy.array((4, 3, 1)) - 1e-6).all())
    # Removed and replaced.
    bpy.ops.bvbuild.remove()
    check("they are removed", not one.children)
    settings(shape="mesh", naming="godot")
    bpy.ops.bvbuild.shapes()
    check("the mesh as a shape is one object: %s" % [child.name for child in one.children], [child.name for child in one.children] == ["gate-colonly"])
    settings(shape="mesh", naming="unreal")
    fails(bpy.ops.bvbuild.shapes, "unreal has no names for shapes that are not convex")
    settings(shape="parts", naming="unreal")
    path = os.path.join(scratch, "gate-shapes.glb")
    check("it exports", bpy.ops.bvbuild.export(filepath=path) == {"FINISHED"})
    listed = tool("bvbuild", path, "--list-objects")
    check("the engine's names are in the file: %s" % listed, "\tconvex\tUCX_gate_00\tgate" in listed)

    # A copy of the object has its properties, but has not been built.
    copy = one.copy()
    bpy.context.scene.collection.objects.link(copy)
    choose(copy)
    fails(bpy.ops.bvbuild.shapes, "no selected object has been built")
    # An object that is called otherwise since then has.
    one.name = "portal"
    choose(one)
    settings(shape="hull")
    check("a new name does not matter", bpy.ops.bvbuild.shapes() == {"FINISHED"})


def limits_of_parts_are_passed_on():
    clear()
    settings(tolerance=0.2, max_vertices=9, max_parts=40)
    bpy.ops.mesh.primitive_torus_add()
    ring = bpy.context.active_object
    choose(ring)
    bpy.ops.bvbuild.build()
    bpy.ops.bvbuild.shapes()
    counts = [len(child.data.vertices) for child in ring.children]
    check("at most 40 parts of at most 9 corners: %s" % counts, 1 < len(counts) <= 40 and max(counts) == 9)


def faces_of_findings_are_selected():
    clear()
    settings(use_parts=False)
    one = ell("gate")
    mesh = bmesh.new()
    mesh.from_mesh(one.data)
    mesh.faces.ensure_lookup_table()
    bmesh.ops.delete(mesh, geom=[mesh.faces[3]], context="FACES_ONLY")
    mesh.faces.index_update()
    expected = sorted({face.index for edge in mesh.edges if len(edge.link_faces) == 1 for face in edge.link_faces})
    mesh.to_mesh(one.data)
    mesh.free()
    choose(one)
    bpy.ops.bvbuild.build()
    keys = [finding.key for finding in one.bvbuild.findings]
    check("the opening is found: %s" % keys, "mesh.open" in keys)
    one.bvbuild.finding = keys.index("mesh.open")
    bystander = box("bystander", (1, 1, 1))
    bystander.select_set(True)
    one.data.polygons[expected[0]].hide = True
    check("it selects", bpy.ops.bvbuild.select_finding() == {"FINISHED"})
    check("others are no longer selected", not bystander.select_get())
    check("edit mode", bpy.context.mode == "EDIT_MESH")
    bpy.ops.object.mode_set(mode="OBJECT")
    selected = [polygon.index for polygon in one.data.polygons if polygon.select]
    check("the faces beside the opening: %s, %s" % (selected, expected), selected == expected)

    # Faces that a modifier makes become an object.
    one.modifiers.new("mirror", "MIRROR").use_axis[2] = True
    choose(one)
    bpy.ops.bvbuild.build()
    one.bvbuild.finding = [finding.key for finding in one.bvbuild.findings].index("mesh.open")
    one.name = "arch"
    bpy.context.scene.collection.children.link(bpy.data.collections.new("Collision"))
    bpy.context.view_layer.layer_collection.children["Collision"].exclude = True
    for _ in range(2):
        bpy.ops.bvbuild.select_finding()
        check("one object of the faces", sum(child.name.startswith("arch finding") for child in one.children) == 1)
    check("it is selected", all(child.select_get() for child in one.children))
    choose(one)
    one.data.vertices[0].co.x += 1
    bpy.ops.object.modifier_remove(modifier="mirror")
    fails(bpy.ops.bvbuild.select_finding, "has changed since the build")
    settings(tolerance=0.5, max_parts=3)
    bpy.ops.bvbuild.build()
    places = [finding.show for finding in one.bvbuild.findings]
    one.bvbuild.finding = next(i for i, place in enumerate(places) if place.startswith("part:"))
    check("a part has faces", bpy.ops.bvbuild.select_finding() == {"FINISHED"})
    bpy.ops.object.mode_set(mode="OBJECT")
    check("some of them are selected", 0 < sum(polygon.select for polygon in one.data.polygons) < len(one.data.polygons))
    settings(use_parts=False, keep_faces=False)
    bpy.ops.bvbuild.build()
    one.bvbuild.finding = [finding.key for finding in one.bvbuild.findings].index("mesh.open")
    fails(bpy.ops.bvbuild.select_finding, "build with Keep faces")


def faces_of_edit_mode_count():
    clear()
    settings(use_parts=False)
    one = box("crate", (1, 1, 1))
    choose(one)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(2, 2, 2), center_override=(0, 0, 0))
    bpy.ops.bvbuild.build()
    bpy.ops.object.mode_set(mode="OBJECT")
    check("edit mode's mesh is built", abs(report_of(one.bvbuild.file)["mesh"]["volume"] - 8) < 1e-6)


def names_are_made_safe():
    clear()
    settings(use_parts=False)
    one = box("a/b: \u00fcber", (1, 1, 1))
    choose(one)
    bpy.ops.bvbuild.build()
    check("the file has a safe name", os.path.basename(one.bvbuild.file) == "a_b_ \u00fcber.bvh")
    lines = box("two\nlines", (1, 1, 1))
    choose(lines)
    bpy.ops.bvbuild.build()
    check("a name has one line", list(csv.DictReader(tool("bvinspect", lines.bvbuild.file, "--triangles", "node:0").splitlines()))[0]["object"] == "two lines")
    two = box("a:b: \u00fcber", (1, 1, 1))
    choose(one, two)
    fails(bpy.ops.bvbuild.build, "would both be written to")


def mistakes_are_said():
    clear()
    s = settings()
    choose()
    fails(bpy.ops.bvbuild.build, "no selected object has faces")
    one = box("crate", (1, 1, 1))
    choose(one)
    fails(bpy.ops.bvbuild.shapes, "no selected object has been built")
    fails(bpy.ops.bvbuild.report, "crate has not been built", open=False)
    s.options = "--wled 1"
    fails(bpy.ops.bvbuild.build, "did you mean --weld?")
    s.options = "--weld 'x"
    fails(bpy.ops.bvbuild.build, "Options:")
    s.options = "--decompose-mode inside"
    fails(bpy.ops.bvbuild.build, "--decompose-mode takes")
    for option in ("--units mm", "--scale=2", "--normalize"):
        s.options = option
        fails(bpy.ops.bvbuild.build, "would move shapes away")
    for option in ("-o %s/elsewhere.bvh" % scratch, "--help"):
        s.options = option
        fails(bpy.ops.bvbuild.build, "crate: bvbuild has not written")
    s.options = ""
    s.folder = "//collision"
    fails(bpy.ops.bvbuild.build, "save the .blend file first")
    s.folder = "/proc/nowhere"
    fails(bpy.ops.bvbuild.build, "/proc/nowhere")
    s = settings(use_parts=False)
    flat = add("line", [(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)])
    choose(flat, one)
    try:
        bpy.ops.bvbuild.build()
    except RuntimeError as error:
        check("the line is the only failure: %s" % error, str(error).strip().endswith("Error: line: no triangle has an area"))
    check("the other one is built", one.bvbuild.file and not flat.bvbuild.file)
    choose(one)
    check("the report is written", bpy.ops.bvbuild.report(open=False) == {"FINISHED"} and
          os.path.getsize(os.path.join(scratch, "collision", "crate.html")) > 10000)
    os.remove(one.bvbuild.file)
    fails(bpy.ops.bvbuild.shapes, "the file is gone; build again")
    preferences = bpy.context.preferences.addons["bvbuild_blender"].preferences
    preferences.folder = "/nowhere"
    fails(bpy.ops.bvbuild.build, "there is no program bvbuild in /nowhere")
    preferences.folder = build
    files_left = os.listdir(os.path.join(scratch, "collision"))
    check("nothing is left behind: %s" % files_left, not any(name.endswith(".bvtmp") or name.endswith(".obj") and "bvh" not in name for name in files_left))


def objects_may_vanish_while_they_are_built():
    clear()
    settings(use_parts=False)
    one, two = box("first", (1, 1, 1)), box("second", (1, 1, 1))
    choose(one, two)
    job = builder.Job(bpy.context)
    for number, process in enumerate(job.steps()):
        process.process.wait()
        if number == 0:
            bpy.data.objects.remove(bpy.data.objects["first"])
    check("it is said: %s" % job.failures, job.failures == ["first: the object is gone"])
    check("the other one is built", len(job.built) == 1 and two.bvbuild.file)


def a_build_can_be_stopped():
    """What modal operators do: a generator that is closed ends the program."""
    clear()
    settings(preset="best", tolerance=0.01, max_parts=4096)
    bpy.ops.mesh.primitive_monkey_add()
    monkey = bpy.context.active_object
    monkey.modifiers.new("round", "SUBSURF").levels = 3
    choose(monkey)
    job = builder.Job(bpy.context)
    steps = job.steps()
    process = next(steps)
    check("it runs", not process.poll())
    steps.close()
    check("it has ended", process.process.poll() is not None)
    check("nothing is written", not os.path.exists(os.path.join(scratch, "collision", "Suzanne.bvh")))


bpy.context.preferences.addons["bvbuild_blender"].preferences.folder = build
os.makedirs(os.path.join(scratch, "collision"), exist_ok=True)
for test in (modifiers_are_applied, instances_are_included, collision_names_are_used, parts_make_a_round_trip,
             shapes_of_all_kinds_are_shown, faces_of_findings_are_selected, faces_of_edit_mode_count, names_are_made_safe,
             limits_of_parts_are_passed_on, mistakes_are_said, objects_may_vanish_while_they_are_built, a_build_can_be_stopped):
    test()
    print("ok", test.__name__)
bpy.ops.preferences.addon_disable(module="bvbuild_blender")
print("blender: %d checks" % checks)
