"""What the selected objects look like, as meshes in the coordinates of the object that they belong to.

Modifiers are applied; an object that instances a collection, or points, is the meshes of its instances. Curves, texts and
surfaces are their meshes.
"""

import numpy

from . import files

# Objects that have a mesh of their own once they are evaluated.
MESHES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}


class Source:
    """An object with its meshes. `owners` has the Blender object of each piece, null for instances."""

    def __init__(self, object):
        self.object = object
        self.pieces = []
        self.owners = []


def _copy(evaluated, matrix, name):
    """The evaluated mesh of an object, moved by a matrix; null without faces."""
    mesh = evaluated.to_mesh()
    if mesh is None:
        return None
    try:
        if not mesh.polygons:
            return None
        positions = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
        corners = numpy.empty(len(mesh.loops), dtype=numpy.int32)
        sizes = numpy.empty(len(mesh.polygons), dtype=numpy.int32)
        mesh.vertices.foreach_get("co", positions)
        mesh.loops.foreach_get("vertex_index", corners)
        mesh.polygons.foreach_get("loop_total", sizes)
        piece = files.Piece(name, positions, corners, sizes)
    finally:
        evaluated.to_mesh_clear()
    if matrix is not None:
        m = numpy.array(matrix)
        piece.positions = piece.positions @ m[:3, :3].T + m[:3, 3]
        if numpy.linalg.det(m[:3, :3]) < 0.0:
            _turn(piece)
    return piece


def _turn(piece):
    """Reverses the polygons of a mirrored mesh, whose outside would be its inside."""
    ends = numpy.cumsum(piece.sizes)
    starts = ends - piece.sizes
    index = numpy.arange(len(piece.corners))
    which = numpy.repeat(numpy.arange(len(piece.sizes)), piece.sizes)
    piece.corners = piece.corners[starts[which] + ends[which] - 1 - index]


def source_of(object, depsgraph, others=()):
    """The meshes of an object, then those of `others`, all in the coordinates of the object."""
    source = Source(object)
    inverse = object.matrix_world.inverted_safe()
    for one in (object, *others):
        if one.type in MESHES:
            piece = _copy(one.evaluated_get(depsgraph), None if one == object else inverse @ one.matrix_world, one.name)
            if piece is not None:
                source.pieces.append(piece)
                source.owners.append(one)
    for instance in depsgraph.object_instances:
        if not instance.is_instance or instance.parent is None or instance.parent.original != object:
            continue
        original = instance.instance_object or instance.object
        if original.type in MESHES:
            piece = _copy(original, inverse @ instance.matrix_world, original.name)
            if piece is not None:
                source.pieces.append(piece)
                source.owners.append(None)
    return source


# The property of objects that the add-on has made.
MADE = "bvbuild_of"


def candidates(context):
    """The selected objects that may have a shape: not those that the add-on has made."""
    return [one for one in context.selected_objects if MADE not in one and
            (one.type in MESHES or (one.type == "EMPTY" and one.instance_type == "COLLECTION") or one.instance_type in {"VERTS", "FACES"})]


def group(objects, stands_for):
    """Objects with collision names go with the object that they stand for, if that is there, too.

    `stands_for` has the name of that object, or null, for each object's name. Returns pairs of an object and the others.
    """
    by_name = {files.clean_name(one.name): one for one in objects}
    groups = {one.name: [] for one in objects}
    own = []
    for one in objects:
        target, seen = one, set()
        while target is not None and target.name not in seen:
            seen.add(target.name)
            last, target = target, by_name.get(stands_for.get(files.clean_name(target.name)) or "")
        if last != one:
            groups[last.name].append(one)
        else:
            own.append(one)
    return [(one, groups[one.name]) for one in own]


def evaluated_faces_are_own(object, depsgraph):
    """Whether the evaluated mesh has the polygons of the object's own mesh, so that faces can be selected in that."""
    if object.type != "MESH":
        return False
    evaluated = object.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        if mesh is None or len(mesh.polygons) != len(object.data.polygons) or len(mesh.loops) != len(object.data.loops):
            return False
        corners = [numpy.empty(len(mesh.loops), dtype=numpy.int32) for _ in range(2)]
        mesh.loops.foreach_get("vertex_index", corners[0])
        object.data.loops.foreach_get("vertex_index", corners[1])
        return bool(numpy.array_equal(*corners))
    finally:
        evaluated.to_mesh_clear()


def depsgraph_of(context):
    """The evaluated scene, up to date also in edit mode."""
    for one in context.objects_in_mode_unique_data if context.mode == "EDIT_MESH" else ():
        one.update_from_editmode()
    return context.evaluated_depsgraph_get()


def pieces_of(source):
    """What is kept of the pieces of a source: see settings.Result.pieces."""
    return [[None if owner == source.object else owner.name if owner else "", len(piece.sizes)]
            for owner, piece in zip(source.owners, source.pieces)]


def has_faces(source):
    return any(len(piece.sizes) for piece in source.pieces)
