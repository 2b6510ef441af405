"""Builds selected objects, one .bvh file each, and keeps what is known about the results."""

import json
import os
import re
import shlex
import shutil
import tempfile

import bpy

from . import collect, files, programs, settings


# Options that change coordinates: what is shown in Blender would be elsewhere.
MOVING = {"--units", "--up", "--scale", "--normalize", "--normalise"}


def file_name(name):
    """A file name that every system allows."""
    clean = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", name).strip(" .")
    return clean or "object"


def options_of(s):
    """Options of bvbuild for the settings of a scene."""
    options = ["--preset", s.preset]
    if s.use_parts:
        options += ["--decompose=%g%%" % s.tolerance if s.tolerance > 0 else "--decompose=0",
                    "--max-parts", str(s.max_parts), "--max-part-vertices", str(s.max_vertices)]
    if s.use_proxy:
        options += ["--simplify", "%g%%" % s.proxy_tolerance]
    if s.keep_faces:
        options += ["--sections", "source,part-triangles" if s.use_parts else "source"]
    try:
        more = shlex.split(s.options)
    except ValueError as error:
        raise programs.Failure("Options: %s" % error) from error
    for option in more:
        if option.partition("=")[0] in MOVING:
            raise programs.Failure("Options: %s would move shapes away from the object; change the object instead" % option)
    return options + more


def output_folder(s):
    if s.folder.startswith("//") and not bpy.data.filepath:
        raise programs.Failure("save the .blend file first, or choose a folder that does not begin with //")
    folder = bpy.path.abspath(s.folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise programs.Failure("%s: %s" % (folder, error.strerror)) from error
    return folder


def stands_for(objects, work, folder):
    """The object that each collision name stands for: bvbuild knows the names of engines."""
    path = os.path.join(work, "names.obj")
    triangle = ((0, 0, 0), (1, 0, 0), (0, 1, 0))
    files.write_obj(path, [files.Piece(one.name, triangle, (0, 1, 2), (3,)) for one in objects])
    table, _ = programs.run("bvbuild", [path, "--list-objects"], folder)
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    return {row[2]: row[3] for row in rows if len(row) == 4 and row[3]}


def object_of(name):
    one = bpy.data.objects.get(name)
    if one is None:
        raise programs.Failure("the object is gone")
    return one


def state_of(path):
    """What changes when a file is replaced; null without a file."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size


class Job:
    """One build of the selected objects. `steps` yields a running program whenever one is to be waited for."""

    def __init__(self, context):
        self.context = context
        self.settings = context.scene.bvbuild
        self.programs = settings.folder_of_programs(context)
        self.process = None
        self.built = []  # the number of bad findings of each object that was built
        self.failures = []
        self.now = ""

    def steps(self):
        objects = collect.candidates(self.context)
        if not objects:
            raise programs.Failure("no selected object has faces")
        options = options_of(self.settings)
        out = output_folder(self.settings)
        self.check_names(objects)
        work = None
        try:
            work = tempfile.mkdtemp(prefix="bvbuild-")
            groups = collect.group(objects, stands_for(objects, work, self.programs))
            # Objects can be deleted while a program runs: only their names stay.
            groups = [(one.name, [other.name for other in others]) for one, others in groups]
            for number, (name, others) in enumerate(groups, 1):
                self.now = "%s (%d of %d)" % (name, number, len(groups))
                try:
                    yield from self.build(name, others, options, out, work)
                except (programs.Failure, OSError) as failure:
                    # The folder of the moment says nothing to anybody.
                    self.failures.append("%s: %s" % (name, str(failure).replace(os.path.join(work, file_name(name) + ".obj: "), "")))
        except OSError as error:
            raise programs.Failure(str(error)) from error
        finally:
            if self.process:
                self.process.stop()
            if work:
                shutil.rmtree(work, ignore_errors=True)

    def check_names(self, objects):
        """Two objects must not write one file."""
        seen = {}
        for one in objects:
            name = file_name(one.name).lower()
            if name in seen:
                raise programs.Failure("'%s' and '%s' would both be written to %s.bvh" % (seen[name], one.name, name))
            seen[name] = one.name

    def run(self, name, arguments):
        self.process = programs.Process(name, arguments, self.programs)
        yield self.process
        process, self.process = self.process, None
        return process.result()

    def build(self, name, others, options, out, work):
        source = collect.source_of(object_of(name), collect.depsgraph_of(self.context), [object_of(other) for other in others])
        if not collect.has_faces(source):
            raise programs.Failure("has no faces")
        axes = self.settings.axes
        if axes == "Y":
            for piece in source.pieces:
                piece.positions = piece.positions @ files.TO_Y_UP.T
        pieces = json.dumps(collect.pieces_of(source))
        path = os.path.join(work, file_name(name) + ".obj")
        target = os.path.join(out, file_name(name) + ".bvh")
        files.write_obj(path, source.pieces)
        del source
        before = state_of(target)
        yield from self.run("bvbuild", [path, "-o", target, "--force", "--progress", "never", *options])
        os.remove(path)
        if state_of(target) == before:
            raise programs.Failure("bvbuild has not written %s: see Options" % target)
        text, _ = yield from self.run("bvinspect", [target, "--json"])
        self.note(object_of(name), target, axes, pieces, json.loads(text))

    def note(self, one, target, axes, pieces, report):
        result = one.bvbuild
        result.file = target
        result.axes = axes
        result.object = one.name
        result.pieces = pieces
        parts = (report["decomposition"] or {}).get("parts") or 0
        result.summary = "%d triangles%s, %d bytes" % (report["mesh"]["triangles"], ", %d parts" % parts if parts else "",
                                                       report["file"]["bytes"])
        result.findings.clear()
        for finding in report["findings"]:
            item = result.findings.add()
            for key in ("severity", "key", "text", "advice", "show"):
                setattr(item, key, finding.get(key) or "")
        self.built.append(sum(finding.severity == "bad" for finding in result.findings))


class BVBUILD_OT_build(bpy.types.Operator):
    bl_idname = "bvbuild.build"
    bl_label = "Build"
    bl_description = "Write a .bvh file for each selected object: modifiers are applied, instances are included, and objects with collision names such as UCX_ are used for the objects that they are named after"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context):
        return context.mode in {"OBJECT", "EDIT_MESH"}

    def begin(self, context):
        self.job = Job(context)
        self.steps = self.job.steps()

    def finish(self):
        for failure in self.job.failures:
            self.report({"ERROR"}, failure)
        if self.job.built:
            bad = sum(self.job.built)
            self.report({"WARNING"} if bad else {"INFO"}, "%d built%s" % (len(self.job.built), ", %d bad findings" % bad if bad else ""))
        return {"FINISHED"} if self.job.built else {"CANCELLED"}

    def fail(self, failure):
        self.report({"ERROR"}, str(failure))
        return {"CANCELLED"}

    def execute(self, context):
        self.begin(context)
        try:
            for process in self.steps:
                process.process.wait()
        except programs.Failure as failure:
            return self.fail(failure)
        return self.finish()

    def invoke(self, context, event):
        self.begin(context)
        self.waiting = None
        self.timer = context.window_manager.event_timer_add(0.1, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def end(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        for area in context.screen.areas:
            area.tag_redraw()

    def modal(self, context, event):
        if event.type == "ESC":
            self.steps.close()
            self.end(context)
            self.report({"WARNING"}, "stopped; %d built" % len(self.job.built))
            return {"CANCELLED"}
        if event.type != "TIMER" or (self.waiting and not self.waiting.poll()):
            return {"PASS_THROUGH"}
        running = False
        try:
            self.waiting = next(self.steps)
            context.workspace.status_text_set("bvbuild: %s. Esc stops." % self.job.now)
            running = True
            return {"PASS_THROUGH"}
        except StopIteration:
            return self.finish()
        except programs.Failure as failure:
            return self.fail(failure)
        finally:
            if not running:
                self.end(context)


def is_built(object):
    """Whether an object has been built. A copy of one that was has the properties, but not the file."""
    if not object.bvbuild.file:
        return False
    original = bpy.data.objects.get(object.bvbuild.object)
    return original is None or original == object or original.bvbuild.file != object.bvbuild.file


def file_of(object):
    """The .bvh file of an object, which must be there."""
    path = object.bvbuild.file if object and is_built(object) else ""
    if not path:
        raise programs.Failure("%s has not been built" % (object.name if object else "no active object: it"))
    if not os.path.exists(bpy.path.abspath(path)):
        raise programs.Failure("%s: the file is gone; build again" % path)
    return bpy.path.abspath(path)


register, unregister = bpy.utils.register_classes_factory((BVBUILD_OT_build,))
