#!/usr/bin/python3
"""Bounds the stack that each function of libbv's and libbvworld's public headers can take, from the compiler's own figures.

    tests/stack.py [--most BYTES] [--all] [-O LEVEL]...

Both are compiled with -fstack-usage -fcallgraph-info=su (gcc 10 or later), at -O2 and -O3 unless levels
are given. From each public function the graph of calls is walked to the deepest sum of frames, the return
addresses included. A call through a pointer can reach every function of its group below. Callbacks of the
caller, and memcpy and the like, count as nothing.

Fails if a query takes more than --most bytes (16384), on recursion, on a frame of unknown size, on a call
through a pointer that no group has, and on a function whose address is taken and that is in no group.
Functions that open and visit files may take as much, too. --all prints every function, not only the ten that take most.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ("-std=c17 -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -fno-trapping-math -Iinclude -Isrc -I. "
         "-fstack-usage -fcallgraph-info=su").split()
SOURCES = ("src/runtime/*/*.c", "src/world/*/*.c")

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What a call through a pointer looks like in the source; the functions that it can reach, as `file:function`; and the public
# functions that this holds for, where it differs.
CALLERS = r"callback\(|c->support\(|tasks->finish\(|budget->now\("
GROUPS = [
    (r"checks\[i\]\(", r"src/runtime/file/(check|read)\w*\.c:bvfile_check_\w+"),
    (r"levels\[i( - 1)?\]\(\)", r"src/runtime/tree/lanes\w*\.c:bvtree_lanes_\w+"),
    (r"d->leaf\(|descent\.leaf\(", r"src/runtime/tree/ray\.c:look_at_leaf\w*", r"bv_mesh_cast_ray\w*"),
    (r"d->leaf\(|descent\.leaf\(", r"src/runtime/tree/cast\.c:look_at_leaf\w*", r"bv_mesh_cast_convex"),
    (r"d->node\(", r"src/runtime/tree/sweep\.c:visit_node"),
    (r"ways_of\[", r"src/runtime/volume/kdop\.c:ways_of_\w+"),
    (r"tests\[bvvol_kind_of", r"src/runtime/volume/pairs\.c:(?!bvvol)\w+"),
    (r"bvtree_cast_each_ray \)\(", r"src/runtime/tree/\w+\.c:bvtree_cast_(each_ray|rays_in_turns)"),
    (r"see_aabb \)\(", r"src/runtime/tree/pair_search\.c:see_(obb|aabb)"),
    (r"kinds\[shape->kind\]\(", r"src/runtime/convex/shape\.c:prepare_\w+"),
    (r"hull\.support\(|hull->support\(|support\( out,", r"src/runtime/convex/shape\.c:\w+_support"),
    (r"!callback\( context, &(root|info) \)", r"src/runtime/file/offset\.c:visit_moved", r"bv_file_visit_nodes"),
    (r" : find\(", r"src/runtime/convex/cast\w*\.c:bvconvex_cast_(default|gjk|balls|advancement|swept|sampled)", r"bv_\w+"),
    (r" : find\(", r"src/runtime/convex/cast\.c:bvconvex_cast_default", r"bvw_\w+"),
    (r"method->takes\(", r"src/runtime/convex/\w+\.c:bvconvex_(cast_takes_balls|pair_is_bounded|has_closed_form|topology_is_known)"),
    (r"(pair|search)(->search\.|->)support\[", r"src/runtime/convex/(pair|epa|hull_gap|proof)\.c:((body|graph|columns|box|moved|moving|shape|hull|triangle|round)_support|support_of_\w+)"),
    (r"body->support\(", r"src/runtime/convex/pair\.c:(body|graph|columns|box)_support"),
    (r"s->guess\(", r"src/runtime/convex/shell\.c:guess_sphere"),
    (r"m->support\(", r"src/runtime/convex/(pair|proof)\.c:((body|graph|columns|box|round)_support|support_of_\w+)"),
    (r"worth\(", r"src/runtime/convex/epa\.c:from_\w+"),
    (r"solve\(", r"src/runtime/convex/(gjk|simplex)\.c:bvconvex_\w+_solve"),
    (r"method->distance\(", r"src/runtime/convex/\w+\.c:bvconvex_\w+_distance", r"(?!bvw_contacts|bv_compound_contacts)\w+"),
    (r"method->distance\(", r"src/runtime/convex/closed\.c:bvconvex_closed_distance", r"bvw_contacts_\w*|bv_compound_contacts"),
    (r"\)\( &cores, out \)", r"src/runtime/convex/closed\w+\.c:bvconvex_closed_\w+"),
    (r"method->overlap\(", r"src/runtime/convex/\w+\.c:bvconvex_\w+_overlap"),
    (r"finders\[o\.finder\]\(", r"src/runtime/motion/\w+\.c:bvmotion_find_(certified|linear|regula_falsi|quadratic|sampled|sampled_regula_falsi)"),
    (r"window\( context,", r"src/runtime/motion/sweep\.c:look_at_pair", r"bv_sweep_convexes"),
    (r"window\( context,", r"src/runtime/motion/sweep_windows\.c:bvmotion_look_in_windows", r"bv_sweep_(convex_)?mesh(es)?|bv_mesh_depth"),
    (r"callback\( ?(options|q->options\.|options->|q->options->)?context", r"src/runtime/motion/sweep_(windows|mixed)\.c:add_\w+_\w+", r"bv_sweep_(convex_)?mesh(es)?|bv_sweep_run|bv_mesh_depth"),
    (r"callback\( q->options\.context", r"src/runtime/tree/contacts\.c:gather_triangle", r"bv_mesh(es)?_contacts_convex"),
    (r"callback\( ?(options|q->options\.|options->|q->options->)?context", r"src/runtime/tree/contacts_gather\.c:gather_pair", r"bv_mesh(es)?_contacts_mesh"),
    (r"callback\( options->context", r"src/runtime/depth/judge\.c:add_push", r"bv_mesh_depth"),
    (r"callback\( q->options\.context", r"src/runtime/depth/solid\.c:add_crossing", r"bv_mesh_depth"),
    (r"cache_callback\( q->context", r"src/world/contacts/compounds\.c:give_cache", r"bvw_contacts_update_compounds"),
    # Tasks of updates by several threads, each of which has a stack of its own.
    (r"task\( data, 0 \)|tasks->start\(", r"src/world/broadphase/(rows\w*|phase)\.c:(forget_changes|copy_boxes|copy_row|choose_levels|number_rows|sort_groups|fill_columns|count_digits|move_records|find_share)", r"bvw_broadphase_\w+"),
    (r"task\( data, 0 \)|tasks->start\(", r"src/world/contacts/step\.c:compute_share", r"bvw_contacts_step\w*"),
    (r"task\( data, 0 \)|tasks->start\(", r"src/world/deform/fit\.c:(check|store|box|fit)_share", r"bvw_deform_\w+"),
    (r"points->at\(", r"src/runtime/tree/refit_points\.c:(point|corner)_at", r"bvw_deform_\w+"),
    (r"compare_(all|with)\( world", r"src/world/broadphase/(uniform|levels)\.c:compare_(all_cells|with_cells)", r"bvw_\w+"),
    (r"bvwnear_methods\[\S+\]->bytes\(", r"src/world/particles/\w+\.c:bytes", r"bvw_neighbors_\w+"),
    (r"method->prepare\(", r"src/world/particles/\w+\.c:prepare", r"bvw_neighbors_\w+"),
    (r"method->visit\(", r"src/world/particles/\w+\.c:visit", r"bvw_neighbors_\w+"),
    (r"lanes->compare\(", r"src/world/particles/lanes_kernels\.h:lanes_compare", r"bvw_neighbors_\w+"),
    (r"lanes->compare_any\(", r"src/world/particles/lanes_kernels\.h:lanes_compare_any", r"bvw_neighbors_\w+"),
    (r"lanes->list\(", r"src/world/particles/lanes_kernels\.h:lanes_list", r"bvw_neighbors_\w+"),
    (r"lanes->sort\(", r"src/world/particles/lanes_kernels\.h:lanes_sort", r"bvw_neighbors_\w+"),
    (r"levels\[i( - 1)?\]\(\)", r"src/world/particles/lanes\w*\.c:bvwnear_lanes_\w+", r"bvw_neighbors_\w+"),
    (r"options->callback\( c->options->context", r"src/world/scene/ray\.c:meets", r"bvw_scene_cast_ray"),
    (r"options->callback\( c->options->context", r"src/world/scene/cast\.c:comes_later", r"bvw_scene_cast_convex"),
    (r"goes_on = leaves\(", r"src/world/deform_contact/self\.c:test_leaves", r"bvw_deform_self_collide"),
    (r"goes_on = leaves\(", r"src/world/deform_contact/sweep\.c:test_leaves", r"bvw_deform_(self_)?sweep"),
    (r"q->meets\(", r"src/runtime/tree/overlap\.c:meets_\w+"),
]


def rows_of_broad_phases(table, operations):
    """For each member of a struct that is a function, a pattern for those in all rows of this type; None if there are none."""
    reached = {operation: set() for operation in operations.split()}
    for source in glob.glob(os.path.join(ROOT, "src/world/broadphase/*.c")):
        with open(source, encoding="utf-8") as text:
            rows = re.findall(rf"^const {table} \w+ = \{{(.*?)^\}};", text.read(), re.M | re.S)
        for row in rows:
            for member, function in re.findall(r"\.(\w+) = (\w+)", row):
                if member in reached and function != "NULL":
                    # Shared ones are in a file of their own.
                    file = r"\w+\.c" if function.startswith("bvwphase_") else re.escape(os.path.basename(source))
                    reached[member].add(f"src/world/broadphase/{file}:{function}")
    return [(operation, "|".join(sorted(places)) or None) for operation, places in reached.items()]


# Methods of broad phases, and their ways to keep pairs.
for table, operations, row in [
        ("bvwphase_method", "bytes begin add move remove find find_on overlap cast is_near", r"(?:method|method_of\( \w+ \)|bvwphase_methods\[\S+\])"),
        ("bvwphase_keeper", "bytes begin prepare keep room take finish fail drop has list list_dropped restore data ended_data",
         r"(?:keeper|source|target|bvwphase_keeper_of\( \w+ \)|bvwphase_keepers\[\S+\])")]:
    for member, places in rows_of_broad_phases(table, operations):
        site = rf"{row}->{member}\("
        if places:
            GROUPS += [(site, places, r"bvw_\w+")]
        else:
            CALLERS += "|" + site
# Volume types: a call reaches what the rows of all types have.
GROUPS += [(rf"\)?->{operation}\(", rf"src/runtime/volume/kind_\w+\.c:(?:\w+_)?{operation}\d*", r"bvw?_\w+")
           for operation in "join part begin bounds rounded scaled center half_lengths encloses".split()]
# Kinds of motions: likewise.
GROUPS += [(rf"->{operation}\(", rf"src/runtime/motion/\w+\.c:\w+_{operation}", r"bv_\w+") for operation in "is_valid at reach speed rates".split()]
# Kernels: a call reaches what the table of any level has under this name.
with open(os.path.join(ROOT, "src/runtime/tree/lanes_kernels.h"), encoding="utf-8") as table:
    GROUPS += [(rf"lanes->{field}\b", rf"src/runtime/tree/lanes\w*\.h:{function}")
               for field, function in re.findall(r"\t\.(\w+) = (lanes_\w+)", table.read())]


def compile_all(level, folder):
    """Compiles each source, and returns the texts of the graphs and of the assembler."""
    sources = sorted(source for pattern in SOURCES for source in glob.glob(pattern))

    # A compiler cache keeps no graphs.
    uncached = dict(os.environ, CCACHE_DISABLE="1")

    def compile_one(source):
        out = os.path.join(folder, source.replace("/", "_"))
        subprocess.run(["gcc", *FLAGS, level, "-S", source, "-o", out + ".s"], check=True, env=uncached)
        return [open(out + suffix, encoding="utf-8").read() for suffix in (".ci", ".s")]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(zip(*pool.map(compile_one, sources)))


def address_taken(texts):
    """Returns all names that instructions other than calls and jumps, or data, refer to."""
    names = set()
    for text in texts:
        for line in text.splitlines():
            if re.match(r"\t(\.quad|\.long|lea|mov)\w*\s", line):
                names.update(re.sub(r"\..*", "", name) for name in re.findall(r"[a-zA-Z_]\w+(?:\.\w+)*", line))
    return names


class Graph:
    def __init__(self, texts):
        self.frame, self.calls, self.sites, self.bad = {}, {}, {}, []
        root = os.getcwd() + "/"
        for text in texts:
            for line in text.splitlines():
                node = re.match(r'node: \{ title: "([^"]*)" label: "([^"]*)"', line)
                edge = re.match(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")?', line)
                if node:
                    title, label = node.groups()
                    size = re.search(r"\\n(\d+) bytes \(([^)]*)\)", label)
                    if size:
                        place = label.split("\\n")[1].replace(root, "").split(":")[0]
                        self.frame[title] = (int(size.group(1)), place, size.group(2))
                elif edge:
                    source, target, label = edge.groups()
                    if target == "__indirect_call":
                        self.sites.setdefault(source, []).append((label or "").replace(root, ""))
                    else:
                        self.calls.setdefault(source, set()).add(target)

    @staticmethod
    def name(title):
        """Of a static function, without its file and what the compiler appends."""
        return re.sub(r"\.(part|constprop|isra|cold)\.?\d*.*$", "", title.split(":")[-1])

    def link(self, taken):
        """Finds what calls through pointers reach: for each function pairs of a pattern of public ones and others."""
        self.reached = {}
        grouped = set()
        groups = []
        for expression, pattern, *roots in GROUPS:
            found = [t for t, (_, place, _) in self.frame.items()
                     if self.name(t) in taken and re.fullmatch(pattern, place + ":" + self.name(t))]
            grouped.update(self.name(t) for t in found)
            groups.append((expression, found, roots[0] if roots else ".*"))
        for source, sites in self.sites.items():
            for site in sites:
                file, line, _ = site.split(":")
                with open(file, encoding="utf-8") as lines:
                    text = lines.read().splitlines()
                # A call on two lines begins above.
                here = " ".join(text[int(line) - 2:int(line)]) if text[int(line) - 1].lstrip()[0] in ":?" else text[int(line) - 1]
                fitting = [(roots, target) for e, found, roots in groups if re.search(e, here) for target in found]
                self.reached.setdefault(source, set()).update(fitting)
                if not fitting and not re.search(CALLERS, here):
                    self.bad.append(f"{site}: a call through a pointer that no group has: {here.strip()}")
        for title in self.frame:
            if self.name(title) in taken and self.name(title) not in grouped:
                self.bad.append(f"{title}: its address is taken, and it is in no group")

    def depth(self, root):
        """Returns bytes, and the functions of the deepest path."""
        deepest = {}

        def walk(title, path):
            if title in path:
                self.bad.append("recursion: " + " ".join(path + (title,)))
                return 0, []
            if title not in deepest:
                size, _, kind = self.frame[title]
                if kind not in ("static", "dynamic,bounded"):
                    self.bad.append(f"{title}: its frame is {kind}")
                targets = self.calls.get(title, set()) | {
                    target for roots, target in self.reached.get(title, ()) if re.fullmatch(roots, root)}
                below = [walk(target, path + (title,)) for target in sorted(targets) if target in self.frame]
                most = max(below, default=(-8, []))
                deepest[title] = (size + 8 + most[0], [title.split("/")[-1]] + most[1])
            return deepest[title]

        return walk(root, ())


def public_functions():
    names = []
    for header in sorted(glob.glob("include/bv/*.h") + glob.glob("include/bvworld/*.h")):
        text = re.sub(r"//.*", "", open(header, encoding="utf-8").read())
        names += re.findall(r"^(?!typedef)[a-z]\w*[\w\s\*]*?\b(bvw?_\w+)\(", text, re.M)
    return sorted(set(names))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=16384)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-O", action="append", dest="levels")
    options = parser.parse_args()
    os.chdir(ROOT)
    failed = False
    for level in ["-O" + level for level in options.levels or ["2", "3"]]:
        with tempfile.TemporaryDirectory() as folder:
            graphs, texts = compile_all(level, folder)
        graph = Graph(graphs)
        graph.link(address_taken(texts))
        rows = [(*graph.depth(name), name) for name in public_functions() if name in graph.frame]
        rows.sort(key=lambda row: (-row[0], row[2]))
        if len(rows) < 50:
            graph.bad.append(f"only {len(rows)} public functions have a frame")
        for bytes_, path, name in rows if options.all else rows[:10]:
            print(f"{level} {name:32} {bytes_:6}  {' '.join(path[1:])}")
        graph.bad += [f"{name}: {bytes_} bytes of stack, at most {options.most} are allowed"
                      for bytes_, _, name in rows if bytes_ > options.most]
        for line in sorted(set(graph.bad)):
            print(f"tests/stack.py: {level} {line}", file=sys.stderr)
        failed = failed or bool(graph.bad)
    sys.exit(failed)


if __name__ == "__main__":
    main()
