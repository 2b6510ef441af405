"""Preferences of the add-on, and properties of scenes and objects."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

PRESETS = (
    ("fast", "Fast", "Shortest build, boxes, no certified distances"),
    ("balanced", "Balanced", "The default"),
    ("best", "Best", "Fastest queries, tighter, a longer build"),
)
AXES = (
    ("Y", "Y up", "As Blender's exporters of OBJ and glTF turn meshes: for engines"),
    ("Z", "Z up", "Blender's own axes"),
)
SHAPES = (
    ("parts", "Parts", "The convex parts"),
    ("hull", "Hull", "The convex hull"),
    ("proxy", "Proxy mesh", "The simplified mesh"),
    ("level", "Level", "The bounding volumes of one level of the hierarchy"),
    ("bounds", "Bounds", "The bounding volumes of the whole mesh"),
    ("mesh", "Mesh", "The mesh of record: welded, cleaned, rounded"),
)
NAMINGS = (
    ("plain", "Plain", "part_0, part_1 and so on"),
    ("unreal", "Unreal", "UCX_NAME_00"),
    ("godot", "Godot", "NAME-convcolonly"),
    ("unity", "Unity", "NAME_collider"),
)


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    folder: StringProperty(name="Folder of the programs", subtype="DIR_PATH",
                           description="Where bvbuild and bvinspect are; empty to find them on PATH")

    def draw(self, context):
        self.layout.prop(self, "folder")


class Settings(bpy.types.PropertyGroup):
    """What a scene's objects are built with."""

    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//collision/",
                           description="Where .bvh files are written; // is the folder of the .blend file")
    preset: EnumProperty(name="Preset", items=PRESETS, default="balanced", description="Speed of the build against tightness")
    axes: EnumProperty(name="Axes", items=AXES, default="Y", description="Axes of the files. What is shown in Blender has Blender's axes")
    use_parts: BoolProperty(name="Convex parts", default=True, description="Cover the mesh with convex parts (--decompose)")
    tolerance: FloatProperty(name="Stand-off", subtype="PERCENTAGE", default=1.0, min=0.0, max=100.0, precision=2,
                             description="How far parts may stand off the mesh, in percent of the diagonal of its box; 0: as close as the number allows")
    max_parts: IntProperty(name="Most parts", default=64, min=1, max=4096, description="More parts than this are not made (--max-parts)")
    max_vertices: IntProperty(name="Corners", default=64, min=4, max=255, description="Most corners of a part: the limit that your engine has (--max-part-vertices)")
    use_proxy: BoolProperty(name="Proxy mesh", default=False, description="Add a mesh with few triangles (--simplify)")
    proxy_tolerance: FloatProperty(name="Distance", subtype="PERCENTAGE", default=1.0, min=0.0, max=100.0, precision=2,
                                   description="Largest distance of the proxy mesh from the mesh, in percent of the diagonal of its box")
    keep_faces: BoolProperty(name="Keep faces", default=True,
                             description="Store the face of each triangle, so that faces of findings can be selected; 8 bytes per triangle")
    options: StringProperty(name="Options", description="Options of bvbuild as on its command line, such as --positions quantized")
    shape: EnumProperty(name="Show", items=SHAPES, default="parts", description="What is shown")
    level: IntProperty(name="Level", default=3, min=0, max=64, description="Level of the hierarchy; the root is level 0")
    naming: EnumProperty(name="Names", items=NAMINGS, default="plain", description="How parts, hulls and meshes are named, so that engines take them for shapes")


class Finding(bpy.types.PropertyGroup):
    """A sentence of the report."""

    severity: StringProperty()
    key: StringProperty()
    text: StringProperty()
    advice: StringProperty()
    show: StringProperty()


class Result(bpy.types.PropertyGroup):
    """What was built of an object."""

    file: StringProperty(name="File", subtype="FILE_PATH")
    axes: StringProperty()
    summary: StringProperty()
    object: StringProperty()  # its name then: copies of the object have this, too
    pieces: StringProperty()  # JSON: a list of [name of another object, "" for instances, null for the object itself; number of faces]
    findings: CollectionProperty(type=Finding)
    finding: IntProperty()


classes = (Preferences, Settings, Finding, Result)


def folder_of_programs(context):
    addon = context.preferences.addons.get(__package__)
    return addon.preferences.folder if addon else ""


def register():
    for one in classes:
        bpy.utils.register_class(one)
    bpy.types.Scene.bvbuild = PointerProperty(type=Settings)
    bpy.types.Object.bvbuild = PointerProperty(type=Result)


def unregister():
    del bpy.types.Object.bvbuild
    del bpy.types.Scene.bvbuild
    for one in reversed(classes):
        bpy.utils.unregister_class(one)
