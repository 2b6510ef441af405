"""What the report says about an object, and the faces that it is about."""

import csv
import io
import json
import pathlib

import bmesh
import bpy
import numpy

from . import build, collect, programs, settings, shapes


# The property of objects that show the faces of a finding.
FINDING = "bvbuild_finding"


def find_faces(object, place, folder):
    """Faces of a place, by piece of the object's source: a list of (index of the piece, faces of the piece)."""
    text, _ = programs.run("bvinspect", [build.file_of(object), "--triangles", place], folder)
    rows = list(csv.DictReader(io.StringIO(text)))
    if rows and not rows[0]["face"]:
        raise programs.Failure("the file does not say which faces its triangles are of: build with Keep faces")
    faces = numpy.unique(numpy.array([int(row["face"]) for row in rows], dtype=numpy.int64))
    out, first = [], 0
    for index, (_, count) in enumerate(json.loads(object.bvbuild.pieces)):
        own = faces[(faces >= first) & (faces < first + count)] - first
        if len(own):
            out.append((index, own))
        first += count
    return out


def _select(context, object, faces):
    """Selects faces of the object's own mesh, in edit mode."""
    bpy.ops.object.mode_set(mode="OBJECT")
    for one in context.selected_objects:
        one.select_set(False)
    object.select_set(True)
    context.view_layer.objects.active = object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    bpy.ops.mesh.reveal(select=False)
    mesh = bmesh.from_edit_mesh(object.data)
    chosen = set(faces.tolist())
    for face in mesh.faces:
        face.select_set(False)
    for face in mesh.faces:
        if face.index in chosen:
            face.select_set(True)
    mesh.select_flush_mode()
    bmesh.update_edit_mesh(object.data, loop_triangles=False, destructive=False)


def _show(context, object, piece, faces):
    """Makes an object of faces that the object's own mesh does not have: of modifiers and instances."""
    one = bpy.data.objects.new("%s finding" % object.name, shapes.mesh_of(piece.of_faces(faces)))
    one.parent = object
    one[collect.MADE] = object.name
    one[FINDING] = True
    one.color = (1.0, 0.1, 0.1, 1.0)
    one.show_in_front = True
    shapes.collection_of(context.scene).objects.link(one)
    one.select_set(True)
    return one


def select(context, object, place, folder):
    """Selects the faces of a place. Returns how many there are."""
    found = find_faces(object, place, folder)
    if not found:
        return 0
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    pieces = json.loads(object.bvbuild.pieces)
    others = [bpy.data.objects.get(name) for name, _ in pieces if name]
    if any(other is None for other in others):
        raise programs.Failure("an object is gone that %s was built with; build again" % object.name)
    depsgraph = collect.depsgraph_of(context)
    source = collect.source_of(object, depsgraph, others)
    if collect.pieces_of(source) != pieces:
        raise programs.Failure("%s has changed since the build; build again" % object.name)
    own = [faces for index, faces in found if source.owners[index] == object]
    rest = [(index, faces) for index, faces in found if source.owners[index] != object]
    if own and not rest and collect.evaluated_faces_are_own(object, depsgraph):
        _select(context, object, own[0])
    else:
        for one in [one for one in object.children if FINDING in one]:
            bpy.data.objects.remove(one, do_unlink=True)
        for index, faces in found:
            _show(context, object, source.pieces[index], faces)
    return sum(len(faces) for _, faces in found)


class BVBUILD_OT_select(bpy.types.Operator):
    bl_idname = "bvbuild.select_finding"
    bl_label = "Select These Faces"
    bl_description = "Select the faces that the finding is about. Faces that modifiers or instances make become an object of their own"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        object = context.active_object
        try:
            result = object.bvbuild
            if not 0 <= result.finding < len(result.findings):
                raise programs.Failure("no finding is chosen")
            place = result.findings[result.finding].show
            if not place:
                raise programs.Failure("this finding is not about some of the faces")
            count = select(context, object, place, settings.folder_of_programs(context))
        except programs.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        self.report({"INFO"}, "%d face%s" % (count, "" if count == 1 else "s"))
        return {"FINISHED"}


class BVBUILD_OT_report(bpy.types.Operator):
    bl_idname = "bvbuild.report"
    bl_label = "Open Report"
    bl_description = "Write the report of the active object beside its file and open it in a browser"

    open: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    def execute(self, context):
        try:
            path = build.file_of(context.active_object)
            page = path[:-len(".bvh")] + ".html"
            programs.run("bvinspect", [path, "--html", page], settings.folder_of_programs(context))
        except programs.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        if self.open:
            bpy.ops.wm.url_open(url=pathlib.Path(page).as_uri())
        return {"FINISHED"}


classes = (BVBUILD_OT_select, BVBUILD_OT_report)
register, unregister = bpy.utils.register_classes_factory(classes)
