"""Shapes of .bvh files drawn over the 3D view, without objects."""

import bpy
import gpu
import numpy
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from . import build, programs, settings, shapes

# What is drawn, by name of the object: (faces, edges, color) of each piece.
_shown = {}
_handler = None


def _shader():
    try:
        return gpu.shader.from_builtin("UNIFORM_COLOR")
    except ValueError:
        return gpu.shader.from_builtin("3D_UNIFORM_COLOR")  # until Blender 3.6


def _triangles(piece):
    """Fans of the polygons, which are convex or triangles."""
    out = []
    for polygon in piece.polygons():
        out += [(polygon[0], polygon[i], polygon[i + 1]) for i in range(1, len(polygon) - 1)]
    return out


def _edges(piece):
    """Each edge once."""
    edges = set()
    for polygon in piece.polygons():
        edges.update(tuple(sorted(pair)) for pair in zip(polygon, polygon[1:] + polygon[:1]))
    return sorted(edges)


def _draw():
    shader = _shader()
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.matrix.push_projection()
    # Nearer by a little, so that shapes win where they lie in the surface of the mesh.
    gpu.matrix.load_projection_matrix(Matrix.Translation((0.0, 0.0, -2e-4)) @ gpu.matrix.get_projection_matrix())
    for name, batches in _shown.items():
        object = bpy.data.objects.get(name)
        if object is None or not object.visible_get():
            continue
        gpu.matrix.push()
        gpu.matrix.multiply_matrix(object.matrix_world)
        shader.bind()
        for faces, edges, color in batches:
            gpu.state.depth_mask_set(False)
            shader.uniform_float("color", color)
            faces.draw(shader)
            shader.uniform_float("color", color[:3] + (1.0,))
            edges.draw(shader)
        gpu.matrix.pop()
    gpu.matrix.pop_projection()
    gpu.state.depth_mask_set(True)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def show(object, content, folder):
    """Draws a content of an object's file."""
    global _handler
    shader = _shader()
    batches = []
    for index, piece in enumerate(shapes.read(object, content, "plain", folder)):
        positions = piece.positions.astype(numpy.float32)
        batches.append((batch_for_shader(shader, "TRIS", {"pos": positions}, indices=_triangles(piece)),
                        batch_for_shader(shader, "LINES", {"pos": positions}, indices=_edges(piece)),
                        shapes.color_of(index)))
    _shown[object.name] = batches
    if _handler is None:
        _handler = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")


def hide():
    """Draws nothing any more."""
    global _handler
    _shown.clear()
    if _handler is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handler, "WINDOW")
        _handler = None


def _redraw(context):
    for area in context.screen.areas if context.screen else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()


class BVBUILD_OT_overlay(bpy.types.Operator):
    bl_idname = "bvbuild.overlay"
    bl_label = "As Overlay"
    bl_description = "Draw the shapes of the selected objects over the 3D view"

    @classmethod
    def poll(cls, context):
        return not bpy.app.background

    def execute(self, context):
        objects = [one for one in context.selected_objects if build.is_built(one)]
        hide()
        try:
            if not objects:
                raise programs.Failure("no selected object has been built")
            for one in objects:
                show(one, shapes.content_of(context.scene.bvbuild), settings.folder_of_programs(context))
        except programs.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        _redraw(context)
        return {"FINISHED"}


class BVBUILD_OT_hide(bpy.types.Operator):
    bl_idname = "bvbuild.hide"
    bl_label = "Hide"
    bl_description = "Draw no shapes over the 3D view"

    def execute(self, context):
        hide()
        _redraw(context)
        return {"FINISHED"}


classes = (BVBUILD_OT_overlay, BVBUILD_OT_hide)


def register():
    for one in classes:
        bpy.utils.register_class(one)


def unregister():
    hide()
    for one in reversed(classes):
        bpy.utils.unregister_class(one)
