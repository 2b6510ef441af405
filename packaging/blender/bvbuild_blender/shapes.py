"""What is in a .bvh file, as objects in the collection "Collision", or as files with names of engines."""

import os
import tempfile

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper

from . import build, collect, files, programs, settings

COLLECTION = "Collision"
# Contents of the file that engines have names for.
NAMED = {"parts", "hull", "mesh"}


def content_of(s, naming="plain"):
    """What --export calls the shape of the settings. Only bodies have names for meshes as shapes."""
    if s.shape == "level":
        return "level=%d" % s.level
    return "body=mesh" if s.shape == "mesh" and naming != "plain" else s.shape


def read(object, content, naming="plain", folder=""):
    """The pieces of a content of an object's file, in Blender's axes."""
    path = build.file_of(object)
    with tempfile.TemporaryDirectory(prefix="bvbuild-") as work:
        out = os.path.join(work, "shapes.obj")
        programs.run("bvinspect", [path, "--export", "%s,%s" % (content, out), "--naming", naming], folder)
        pieces = files.read_obj(out)
    if object.bvbuild.axes == "Y":
        for piece in pieces:
            piece.positions = piece.positions @ files.TO_Y_UP
    return pieces


def color_of(index):
    """Colors that differ from those before: hues by the golden ratio."""
    hue = 6.0 * ((index * 0.6180339887498949 + 0.55) % 1.0)
    ramp = [min(max(abs((hue + shift) % 6.0 - 3.0) - 1.0, 0.0), 1.0) for shift in (0.0, 4.0, 2.0)]
    return tuple(0.25 + 0.65 * x for x in ramp) + (0.45,)


def material_of(index):
    """One material for each of a few colors, which are used in turn."""
    name = "bvbuild %d" % (index % 24)
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = color_of(index % 24)
        material.use_nodes = True
        shader = material.node_tree.nodes.get("Principled BSDF")
        if shader:
            shader.inputs["Base Color"].default_value = color_of(index % 24)[:3] + (1.0,)
            shader.inputs["Alpha"].default_value = color_of(index % 24)[3]
    return material


def mesh_of(piece):
    """A Blender mesh of a piece."""
    mesh = bpy.data.meshes.new(piece.name)
    mesh.from_pydata(piece.positions.tolist(), [], piece.polygons())
    mesh.update()
    return mesh


def collection_of(scene):
    collection = bpy.data.collections.get(COLLECTION)
    if collection is None:
        collection = bpy.data.collections.new(COLLECTION)
    if collection.name not in scene.collection.children:
        scene.collection.children.link(collection)
    layer = bpy.context.view_layer.layer_collection.children.get(COLLECTION)
    if layer:
        layer.exclude = False  # what is made is to be seen
    return collection


def remove(object):
    """Removes the objects that were made of an object's file."""
    for one in [one for one in object.children if collect.MADE in one]:
        mesh = one.data
        bpy.data.objects.remove(one, do_unlink=True)
        if mesh and mesh.users == 0:
            bpy.data.meshes.remove(mesh)


def make(context, object, content, naming, folder):
    """Makes objects of a content of an object's file, as its children."""
    pieces = read(object, content, naming, folder)
    # Names for engines come with the mesh itself, which is there as the object.
    shapes = [piece for piece in pieces if naming == "plain" or files.clean_name(piece.name) != files.clean_name(object.name)]
    remove(object)
    taken = [piece.name for piece in shapes if naming != "plain" and piece.name in bpy.data.objects]
    if taken:
        raise programs.Failure("there is another object with the name '%s': engines would take it for a shape, too" % taken[0])
    collection = collection_of(context.scene)
    made = []
    for index, piece in enumerate(shapes):
        name = piece.name if naming != "plain" else "%s %s" % (object.name, piece.name)
        mesh = mesh_of(piece)
        mesh.materials.append(material_of(index))
        one = bpy.data.objects.new(name, mesh)
        one.parent = object
        one[collect.MADE] = object.name
        one.color = color_of(index)
        one.show_wire = True
        collection.objects.link(one)
        made.append(one)
    return made


class BVBUILD_OT_shapes(bpy.types.Operator):
    bl_idname = "bvbuild.shapes"
    bl_label = "As Objects"
    bl_description = "Make objects of the shapes of the selected objects, as their children in the collection Collision. Those of an earlier time are replaced"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        s = context.scene.bvbuild
        folder = settings.folder_of_programs(context)
        naming = s.naming if s.shape in NAMED else "plain"
        objects = [one for one in context.selected_objects if build.is_built(one)]
        count = 0
        try:
            if not objects:
                raise programs.Failure("no selected object has been built")
            if s.naming != "plain" and naming == "plain":
                raise programs.Failure("engines have no names for %s: choose plain names" % s.shape)
            for one in objects:
                count += len(make(context, one, content_of(s, naming), naming, folder))
        except programs.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        self.report({"INFO"}, "%d objects in the collection %s" % (count, COLLECTION))
        return {"FINISHED"}


class BVBUILD_OT_remove(bpy.types.Operator):
    bl_idname = "bvbuild.remove"
    bl_label = "Remove"
    bl_description = "Remove the objects that were made of the selected objects"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        for one in list(context.selected_objects):
            try:
                remove(one)
            except ReferenceError:
                pass  # it was a child of one before
        return {"FINISHED"}


class BVBUILD_OT_keep(bpy.types.Operator):
    bl_idname = "bvbuild.keep"
    bl_label = "Keep"
    bl_description = "Make the selected shapes objects of your own: they are no longer replaced or removed, and Build uses them, by their collision names"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        kept = [one for one in context.selected_objects if collect.MADE in one]
        for one in kept:
            del one[collect.MADE]
        self.report({"INFO"}, "%d kept" % len(kept))
        return {"FINISHED"}


class BVBUILD_OT_export(bpy.types.Operator, ExportHelper):
    bl_idname = "bvbuild.export"
    bl_label = "Export Shapes"
    bl_description = "Write the shapes of the active object to a file for an engine, with the names that it expects"
    filename_ext = ".glb"
    filter_glob: StringProperty(default="*.glb;*.obj", options={"HIDDEN"})

    def execute(self, context):
        s = context.scene.bvbuild
        path = self.filepath
        try:
            if s.naming != "plain" and s.shape not in NAMED:
                raise programs.Failure("engines have no names for %s: choose plain names" % s.shape)
            file = build.file_of(context.active_object)
            programs.run("bvinspect", [file, "--export", "%s,%s" % (content_of(s, s.naming), path), "--naming", s.naming, "--force-output"],
                         settings.folder_of_programs(context))
        except programs.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        self.report({"INFO"}, "wrote %s" % path)
        return {"FINISHED"}


classes = (BVBUILD_OT_shapes, BVBUILD_OT_remove, BVBUILD_OT_keep, BVBUILD_OT_export)
register, unregister = bpy.utils.register_classes_factory(classes)
