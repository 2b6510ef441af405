"""The panel in the sidebar of the 3D view."""

import bpy

from . import build

ICONS = {"bad": "ERROR", "note": "INFO", "good": "CHECKMARK"}


def wrap(text, width):
    """Lines that fit into a region, as labels do not wrap."""
    most = max(20, width // 8)
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


class BVBUILD_UL_findings(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        layout.label(text=item.text, icon=ICONS.get(item.severity, "INFO"))


class Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "bvbuild"


class BVBUILD_PT_build(Panel, bpy.types.Panel):
    bl_idname = "BVBUILD_PT_build"
    bl_label = "Build"

    def draw(self, context):
        s = context.scene.bvbuild
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(s, "folder")
        layout.prop(s, "preset")
        layout.prop(s, "axes", expand=True)
        layout.prop(s, "use_parts")
        if s.use_parts:
            column = layout.column(align=True)
            column.prop(s, "tolerance")
            column.prop(s, "max_parts")
            column.prop(s, "max_vertices")
        layout.prop(s, "use_proxy")
        if s.use_proxy:
            layout.prop(s, "proxy_tolerance")
        layout.prop(s, "keep_faces")
        layout.prop(s, "options")
        layout.operator("bvbuild.build", icon="MOD_BUILD")


class BVBUILD_PT_shapes(Panel, bpy.types.Panel):
    bl_idname = "BVBUILD_PT_shapes"
    bl_label = "Shapes"

    def draw(self, context):
        s = context.scene.bvbuild
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(s, "shape")
        if s.shape == "level":
            layout.prop(s, "level")
        row = layout.row(align=True)
        row.operator("bvbuild.overlay", icon="OVERLAY")
        row.operator("bvbuild.hide", text="", icon="X")
        layout.prop(s, "naming")
        row = layout.row(align=True)
        row.operator("bvbuild.shapes", icon="MESH_ICOSPHERE")
        row.operator("bvbuild.keep", text="", icon="PINNED")
        row.operator("bvbuild.remove", text="", icon="TRASH")
        layout.operator("bvbuild.export", icon="EXPORT")


class BVBUILD_PT_result(Panel, bpy.types.Panel):
    bl_idname = "BVBUILD_PT_result"
    bl_label = "Result"

    @classmethod
    def poll(cls, context):
        return context.active_object is not None and build.is_built(context.active_object)

    def draw(self, context):
        result = context.active_object.bvbuild
        layout = self.layout
        layout.label(text=bpy.path.basename(result.file), icon="FILE")
        layout.label(text=result.summary)
        layout.operator("bvbuild.report", icon="URL")
        layout.template_list("BVBUILD_UL_findings", "", result, "findings", result, "finding", rows=3)
        if 0 <= result.finding < len(result.findings):
            finding = result.findings[result.finding]
            box = layout.box().column()
            for line in wrap(finding.text, context.region.width):
                box.label(text=line)
            if finding.advice:
                for line in wrap("Advice: " + finding.advice, context.region.width):
                    box.label(text=line)
            row = layout.row()
            row.enabled = bool(finding.show)
            row.operator("bvbuild.select_finding", icon="RESTRICT_SELECT_OFF")


classes = (BVBUILD_UL_findings, BVBUILD_PT_build, BVBUILD_PT_shapes, BVBUILD_PT_result)
register, unregister = bpy.utils.register_classes_factory(classes)
