"""Builds: the same bytes as the command line makes, from files, bytes and arrays; options, messages, errors, progress."""

import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest

import numpy as np
from common import Case, box, bumpy_ball, run, write_obj

import bvbuild


class Bytes(Case):

    def compare(self, arguments, **options):
        path, out = self.path("mesh.obj"), self.path("by_tool.bvh")
        run("bvbuild", "-q", path, "-o", out, *arguments)
        built = bvbuild.build(path, **options)
        self.assertEqual(built.tobytes(), pathlib.Path(out).read_bytes(), options)
        return built

    def test_equal_options_give_equal_bytes(self):
        write_obj(self.path("mesh.obj"), *bumpy_ball(self.random, rings=4))
        self.compare([])
        self.compare(["--decompose", "2%", "--max-parts", "5"], decompose="2%", max_parts=5)
        self.compare(["--decompose"], decompose=True)
        self.compare(["--decompose=0.25"], decompose=0.25)
        self.compare(["--positions", "quantized", "--volume", "aabb"], positions="quantized", volume="aabb")
        self.compare(["--sections", "edges,-hull,radius"], sections=["edges", "-hull", "radius"])
        self.compare(["--density", "7850", "--units", "mm"], density=np.float32(7850), units="mm", mass=None, normalize=False)
        self.compare(["--simplify", "5%", "--preset", "fast"], simplify="5%", preset="fast")
        self.compare(["--normalize"], normalize=True, threads=1)
        self.compare(["--leaf-triangles", "3"], leaf_triangles=np.int64(3))

    def test_every_preset_and_mesh_of_the_samples(self):
        run("make_samples", self.folder)
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".obj") and name != "broken.obj":
                os.replace(self.path(name), self.path("mesh.obj"))
                self.compare(["--preset", "fast"], preset="fast")

    def test_arrays_are_the_mesh_of_a_file(self):
        vertices, triangles = bumpy_ball(self.random, rings=4)
        write_obj(self.path("mesh.obj"), vertices, triangles)
        by_file = bvbuild.build(self.path("mesh.obj"), decompose="3%")
        layouts = [(vertices, triangles), (vertices.tolist(), triangles.tolist()), (vertices.astype(np.float32), triangles.astype(np.int16)),
                   (np.asfortranarray(vertices), triangles[::-1][::-1]), (vertices.astype(">f8"), triangles.astype(np.uint64))]
        names = [s.name for s in by_file.sections if s.name != "ORGN"]
        for v, t in layouts:
            built = bvbuild.build(v, t, decompose="3%")
            self.assertEqual([s for s in built.sections if s.name in names], [s for s in by_file.sections if s.name in names])
            np.testing.assert_array_equal(built.mesh.vertices, by_file.mesh.vertices)
            np.testing.assert_array_equal(built.mesh.triangles, by_file.mesh.triangles)
            report, expected = built.report, by_file.report
            for key in ("mesh", "body", "bounds", "hull", "recognised", "decomposition", "hierarchy"):
                self.assertEqual(report[key], expected[key], key)
        self.assertEqual((built.name, bvbuild.build(vertices, triangles, name="ball").origin.source_name), ("mesh", "ball"))

    def test_bytes_of_a_mesh_file(self):
        write_obj(self.path("mesh.obj"), *box())
        data = pathlib.Path(self.path("mesh.obj")).read_bytes()
        by_file = bvbuild.build(self.path("mesh.obj"))
        for source in (data, bytearray(data), memoryview(data)):
            self.assertEqual(bvbuild.build(source, format="obj", name="mesh.obj").tobytes(), by_file.tobytes())


class Results(Case):

    def test_saved_files_are_those_in_memory(self):
        built = bvbuild.build(*bumpy_ball(self.random, rings=4), decompose="5%")
        path = pathlib.Path(self.path("saved.bvh"))
        built.save(path)
        self.assertEqual(path.read_bytes(), built.tobytes())
        with bvbuild.open(path) as opened:
            opened.save(self.path("again.bvh"))
            opened.verify()
            self.assertEqual(opened.report, json.loads(run("bvinspect", "--json", path)))
            opened.html(self.path("opened.html"))
        self.assertEqual(path.read_bytes(), pathlib.Path(self.path("again.bvh")).read_bytes())
        run("bvinspect", "-q", "--verify", path)
        self.assertIn("time", built.report)
        self.assertEqual({k: v for k, v in built.report.items() if k not in ("time", "memory")}, bvbuild.open(path).report)
        built.html(self.path("page.html"))
        self.assertIn("<html", pathlib.Path(self.path("page.html")).read_text("utf-8"))
        hits = built.cast_rays([[0, 0, 5]], [[0, 0, -1]])
        self.assertTrue(hits.found[0])
        self.assertGreater(len(built.parts), 0)

    def test_other_files_are_not_replaced(self):
        """By the same marks as those of the command line, which judges the same files."""
        write_obj(self.path("rock.obj"), *box())
        built = bvbuild.build(self.path("rock.obj"))
        built.save(self.path("good.bvh"))
        built.html(self.path("good.html"))
        good, page = (pathlib.Path(self.path(name)).read_bytes() for name in ("good.bvh", "good.html"))
        kinds = {"mesh": pathlib.Path(self.path("rock.obj")).read_bytes(), "text": b"notes\n", "bvh": good, "damaged": good[:50], "page": page,
                 "other page": b"<!DOCTYPE html><p>mine", "empty": b"", "binary": b"\0" * 5000, "late": page[:15] + b" " * 4096 + page[15:]}
        with bvbuild.open(good) as opened:
            for owner in (built, opened):
                for save, replaced, tool in ((owner.save, {"bvh", "damaged", "empty"}, lambda path: ["bvbuild", "-q", self.path("rock.obj"), "-o", path]),
                                             (owner.html, {"page", "empty"}, lambda path: ["bvinspect", "-q", self.path("good.bvh"), "--html", path])):
                    suffix = ".bvh" if save == owner.save else ".html"
                    for kind, content in kinds.items():
                        path = pathlib.Path(self.path("there" + suffix))
                        path.write_bytes(content)
                        if kind in replaced:
                            save(path)
                        else:
                            with self.assertRaisesRegex(FileExistsError, r"exists and is not a .*force=True.*there") as caught:
                                save(path)
                            self.assertEqual((caught.exception.filename, path.read_bytes()), (str(path), content))
                        path.write_bytes(content)
                        if owner is built:
                            done = subprocess.run([os.path.join(os.environ["BUILD"], tool(path)[0]), *map(str, tool(path)[1:])], capture_output=True)
                            self.assertEqual(done.returncode == 0, kind in replaced, (kind, tool(path), done.stderr))
                        save(path, force=True)
                        self.assertEqual(path.read_bytes()[:4], (good if suffix == ".bvh" else page)[:4])
        with self.assertRaisesRegex(TypeError, "force must be True or False"):
            built.save(self.path("good.bvh"), force="yes")

    def test_warnings_and_gates(self):
        vertices, triangles = box()
        inside_out = bvbuild.build(vertices, triangles[:, ::-1])
        self.assertIn("problem", [w.kind for w in inside_out.warnings])
        self.assertTrue(inside_out.passes)
        self.assertEqual(bvbuild.build(vertices, triangles).warnings, [])
        failed = bvbuild.build(vertices, triangles, gate=["mesh.closed", "mesh.triangles < 5"])
        self.assertEqual((failed.passes, [w.kind for w in failed.warnings]), (False, ["gate"]))
        with self.assertRaisesRegex(bvbuild.GateFailed, "mesh.triangles"):
            failed.save(self.path("failed.bvh"))
        self.assertFalse(os.path.exists(self.path("failed.bvh")))
        self.assertFalse(bvbuild.build(vertices, triangles[:, ::-1], strict=True).passes)

    def test_options_are_listed(self):
        listed = bvbuild.build_options()
        self.assertTrue({"decompose", "max_parts", "units", "density", "preset", "sections"} <= set(listed))
        page = run("bvbuild", "--help=all").decode()
        for name, (_value, text) in listed.items():
            self.assertIn("--" + name.replace("_", "-"), page)
            self.assertGreater(len(text), 5)

    def test_threads_build_at_the_same_time(self):
        vertices, triangles = bumpy_ball(self.random, rings=4)
        expected = bvbuild.build(vertices, triangles).tobytes()
        results = []
        threads = [threading.Thread(target=lambda: results.append(bvbuild.build(vertices, triangles).tobytes())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [expected] * 4)


class Environment(Case):

    def test_openmp_waits_asleep_and_has_enough_stack(self):
        program = """
import os, bvbuild, sys
sys.path.insert(0, "tests/python")
from common import box
before = dict(os.environ)
bvbuild.build(*box(), decompose="1%")
print(dict(os.environ) == before)
"""
        for stack in (None, "64k", "x", "8m"):
            environment = {**os.environ, **({"OMP_STACKSIZE": stack} if stack else {})}
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**environment, "OMP_DISPLAY_ENV": "true"})
            self.assertEqual((done.stdout, done.returncode), ("True\n", 0), done.stderr)
            self.assertIn("OMP_WAIT_POLICY = 'PASSIVE'", done.stderr)
            self.assertIn("OMP_STACKSIZE = '" + ("8388608" if stack == "8m" else "0"), done.stderr)


class Progress(Case):

    def test_stages_are_reported_in_order(self):
        seen = []
        bvbuild.build(*bumpy_ball(self.random, rings=4), decompose="3%", progress=lambda stage, done: seen.append((stage, done)))
        stages = list(dict.fromkeys(stage for stage, _ in seen))
        self.assertTrue({"hierarchy", "hull", "hausdorff", "decompose"} <= set(stages), stages)
        for stage in stages:
            values = [done for s, done in seen if s == stage and done is not None]
            self.assertEqual(values, sorted(values))
            self.assertTrue(all(0 <= v <= 1 for v in values))
        self.assertEqual([s for s, _ in seen], sorted((s for s, _ in seen), key=stages.index))

    def test_progress_does_not_change_the_result(self):
        mesh = bumpy_ball(self.random, rings=4)
        self.assertEqual(bvbuild.build(*mesh, decompose="3%", progress=lambda stage, done: None).tobytes(), bvbuild.build(*mesh, decompose="3%").tobytes())

    def test_exceptions_end_the_build(self):
        def raises(stage, done):
            if stage == "decompose":
                raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            bvbuild.build(*bumpy_ball(self.random, rings=4), decompose="3%", progress=raises)

    def test_interrupts_arrive(self):
        program = """
import os, signal, bvbuild, numpy, sys
sys.path.insert(0, "tests/python")
from common import bumpy_ball
mesh = bumpy_ball(numpy.random.default_rng(1), rings=6)
def once(stage, done):
    if stage == "hull":
        os.kill(os.getpid(), signal.SIGINT)
try:
    bvbuild.build(*mesh, decompose="1%", progress=once)
except KeyboardInterrupt:
    print("interrupted")
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
        self.assertEqual((done.stdout, done.returncode), ("interrupted\n", 0), done.stderr)


class Wrong(Case):

    def check(self, kind, pattern, *arguments, **options):
        with self.assertRaisesRegex(kind, pattern):
            bvbuild.build(*arguments, **options)

    def test_arrays(self):
        v, t = box()
        bad = v.copy()
        bad[3, 1] = np.nan
        self.check(ValueError, r"vertices\[3\] must be finite, not \[", bad, t)
        self.assertEqual(len(bvbuild.build(bad, t, drop_non_finite=True).mesh.vertices), 7)
        self.check(ValueError, r"triangles\[2\] is \[4, 5, 8\], but there are 8 vertices", v, np.where(np.arange(36).reshape(12, 3) == 8, 8, t))
        self.check(ValueError, r"triangles\[0\] is \[-1", v, t - 1)
        self.check(TypeError, "array of integers, not of float64", v, t.astype(float))
        self.check(ValueError, r"triangles must have the shape \(M, 3\), not \(36,\)", v, t.ravel())
        self.check(ValueError, r"vertices must have the shape \(N, 3\)", v[0], t)
        self.check(ValueError, r"shape \(N, 3\)", v[:, :2], t)
        self.check(TypeError, "real numbers", v.astype(str), t)
        self.check(bvbuild.InputError, "no triangles", v, np.empty((0, 3), int))
        self.check(bvbuild.InputError, ".", np.zeros((3, 3)), [[0, 1, 2]])
        self.check((bvbuild.Error, ValueError), ".", v * 1e300, t)
        self.check(TypeError, "build needs vertices and triangles, a path, or bytes", v)
        self.check(TypeError, "need a format", b"v 0 0 0")
        self.check(TypeError, "for bytes and arrays", "a.obj", name="b")

    def test_files(self):
        self.check(bvbuild.InputError, "nothing.obj", self.path("nothing.obj"))
        self.check(bvbuild.Unsupported, "mesh.xyz|format|extension", self.touched("mesh.xyz", b"1 2 3\n"))
        self.check(bvbuild.InputError, "bad.obj", self.touched("bad.obj", b"f 1 2 3\n"))
        self.check(ValueError, "path", "a\0b.obj")
        self.check(ValueError, "path", "")
        built = bvbuild.build(*box())
        for wrong, kind in ((self.path("no/folder/a.bvh"), bvbuild.OutputError), (self.folder, bvbuild.OutputError), (3, TypeError), ("a\0", ValueError)):
            with self.assertRaises(kind):
                built.save(wrong)

    def touched(self, name, data):
        pathlib.Path(self.path(name)).write_bytes(data)
        return self.path(name)

    def test_options(self):
        mesh = box()
        self.check(TypeError, r"^build: unknown option 'max_part' \(did you mean 'max_parts'\?\)$", *mesh, max_part=3)
        self.check(TypeError, r"^build: unknown option 'foo' \(bvbuild.build_options\(\) lists all\)$", *mesh, foo=1)
        self.check(bvbuild.ArgumentError, "^max_parts takes a whole number", *mesh, decompose=True, max_parts=0)
        self.check(bvbuild.ArgumentError, "^max_parts takes a whole number", *mesh, decompose=True, max_parts="many")
        self.check(bvbuild.ArgumentError, r"^unknown section 'x' \(one of mesh, tree, hull, .*proxy\)$", *mesh, sections=["edges", "x"])
        self.check(bvbuild.ArgumentError, r"^unknown volume 'x' \(one of obb, .*prism\)$", *mesh, volume="x")
        for name in bvbuild.build_options():  # no message has names of the command line
            self.check((bvbuild.Error, TypeError), r"^((?!--)(?!docs/).)*$", *mesh, **{name: "zz"})
        self.check(bvbuild.ArgumentError, "density.*mass|mass.*density", *mesh, density=1, mass=1)
        self.check(bvbuild.ArgumentError, ".", *mesh, decompose="-1%")
        self.check(bvbuild.ArgumentError, ".", *mesh, density=float("nan"))
        self.check(TypeError, "density must be", *mesh, density=object())
        self.check(ValueError, "NUL", *mesh, units="m\0")
        self.check(ValueError, "threads must be from 0 to 1024", *mesh, threads=-1)
        self.check(TypeError, "progress must be a function", *mesh, progress=3)

    def test_objects(self):
        data = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\no right\nf 1 2 4\nf 2 3 4\n"
        path = self.touched("two.obj", data)
        self.assertEqual(len(bvbuild.build(path, object="left").mesh.triangles), 2)
        for source, more in ((path, {}), (data, {"format": "obj"})):
            self.check(bvbuild.InputError, r"no object matches 'up' \(its objects are 'left', 'right'\)$", source, object=["left", "up"], **more)
        self.check(bvbuild.InputError, r"no object matches 'up' \(it has no objects with names\)$", *box(), object="up")
        many = data + b"".join(b"o more%d\nf 1 2 3\n" % i for i in range(30))
        self.check(bvbuild.InputError, r"'right', 'more0', .*'more17' and 12 more\)$", many, object="up", format="obj")

    def test_random_options(self):
        """No option takes a value that ends the process."""
        values = ["", "0", "-1", "1e999", "nan", "99999999999999999999", "%", "none", "all", ",", "x" * 5000, "\u00e9", True, 3, 0.5, ["a", "b"], []]
        counts = {"built": 0, "errors": 0}
        for name in bvbuild.build_options():
            for value in values:
                try:
                    bvbuild.build(*box(), **{name: value})
                    counts["built"] += 1
                except (bvbuild.Error, TypeError, ValueError):
                    counts["errors"] += 1
        self.assertTrue(counts["built"] > 30 and counts["errors"] > 300, counts)


if __name__ == "__main__":
    unittest.main(verbosity=2)
