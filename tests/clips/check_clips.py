#!/usr/bin/python3
"""Compares clips of .bvh files with animations evaluated by evaluate.py, which shares no code with the library.

    check_clips.py DUMP SOURCE CLIP FILE.bvh [scale=S] [up=z] [times=N] [quick]

DUMP is dump_clip.c, built. At all samples, at N random times and at keys, each triangle must be in the boxes of its leaf: of the
whole clip and of the segment. Boxes of inner nodes enclose those of children. Then how tight boxes are: their surface area, summed over
all leaves, by that of the smallest boxes around the same triangles at these times. Errors: random points of boxes must not be farther
from all triangles, at all those times, than the error by more than what was between times.
"""

import math
import random
import subprocess
import sys

from evaluate import Scene


def parse(text):
    clip, triangles, nodes = None, [], []
    for line in text.splitlines():
        word = line.split(" ")
        if word[0] == "clip":
            clip = {"start": float(word[1]), "end": float(word[2]), "samples": int(word[3]), "segments": int(word[4]),
                    "record": int(word[5]), "moves": word[6] == "1", "step": float(word[7]), "name": " ".join(word[8:])}
        elif word[0] == "triangle":
            p = list(map(float, word[2:]))
            triangles.append({"face": int(word[1]), "points": [p[i:i + 3] for i in (0, 3, 6)], "frames": []})
        elif word[0] == "frame":
            p = list(map(float, word[1:]))
            triangles[-1]["frames"].append([p[i:i + 3] for i in (0, 3, 6)])
        elif word[0] == "node":
            nodes.append({"index": int(word[1]), "children": int(word[2]), "first": int(word[3]), "count": int(word[4]), "boxes": []})
        elif word[0] == "box":
            nodes[-1]["boxes"].append(list(map(float, word[1:])))
    return clip, triangles, nodes


def area(box):
    x, y, z = (max(box[3 + k] - box[k], 0) for k in range(3))
    return 2 * (x * y + y * z + z * x)


def nearest(p, t):
    """The distance of a point from a triangle (Ericson 2005, 5.1.5)."""
    def sub(a, b): return [a[k] - b[k] for k in range(3)]
    def dot(a, b): return sum(a[k] * b[k] for k in range(3))
    a, b, c = t
    best = math.inf
    u, v, w = sub(b, a), sub(c, a), sub(p, a)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    d = uu * vv - uv * uv
    if d > 1e-300:
        s, r = (vv * uw - uv * vw) / d, (uu * vw - uv * uw) / d
        if s >= 0 and r >= 0 and s + r <= 1:
            q = [w[k] - s * u[k] - r * v[k] for k in range(3)]
            best = math.sqrt(dot(q, q))
    for x, y in ((a, b), (b, c), (c, a)):
        e, f = sub(y, x), sub(p, x)
        n = dot(e, e)
        s = min(max(dot(e, f) / n, 0), 1) if n > 0 else 0
        q = [f[k] - s * e[k] for k in range(3)]
        best = min(best, math.sqrt(dot(q, q)))
    return best


def main():
    dump, source, name, path = sys.argv[1:5]
    options = dict(o.split("=") if "=" in o else (o, "1") for o in sys.argv[5:])
    scale = float(options.get("scale", 1))
    count = int(options.get("times", 12))
    text = subprocess.run([dump, path], capture_output=True, text=True, check=True).stdout
    clip, triangles, nodes = parse(text)
    scene = Scene(source)
    scene.play(name)
    assert (clip["start"], clip["end"]) == (scene.start, scene.end), (clip, scene.start, scene.end)
    start, end, segments = clip["start"], clip["end"], clip["segments"]

    def place(p):
        p = (p[0], p[2], -p[1]) if options.get("up") == "z" else p
        return [scale * x for x in p]

    def pose(t):
        return [[place(p) for p in corners] for corners in scene.triangles(t)]


    def sample_time(i):
        n = clip["samples"]
        return end if i == n - 1 else start + (end - start) * i / max(n - 1, 1)

    faults = []
    record = pose(sample_time(clip["record"]))
    size = max(max(abs(x) for p in t for x in p) for t in record) + clip["step"]
    slack = 1e-6 * size
    for t in triangles:
        for p, q in zip(t["points"], record[t["face"]]):
            if max(abs(a - b) for a, b in zip(p, q)) > slack:
                faults.append(f"face {t['face']} is at {p} instead of {q}")
                break

    random.seed(7)
    samples = [sample_time(i) for i in range(clip["samples"])]
    times = [random.uniform(start, end) for _ in range(count)]
    for s in range(segments + 1):
        times.append(min(start + (end - start) * s / segments, end))
    if "quick" not in options:
        times += sorted({k for keys, _, _ in scene.channels.values() for k in keys})[:60]
    leaves = [n for n in nodes if n["children"] == 0]
    tight = {}
    violations = checked = 0
    swept = {}
    for number, t in enumerate(samples + times):
        now = pose(t)
        inside = [s for s in range(segments) if start + (end - start) * s / segments <= t <= (end if s + 1 == segments else
                  start + (end - start) * (s + 1) / segments)] + [segments]
        for leaf in leaves:
            for i in range(leaf["first"], leaf["first"] + leaf["count"]):
                corners = now[triangles[i]["face"]]
                swept.setdefault(leaf["index"], []).append((t, corners))
                if number < len(samples) and triangles[i]["frames"]:
                    stored = triangles[i]["frames"][number]
                    if max(abs(a - b) for p, q in zip(stored, corners) for a, b in zip(p, q)) > clip["step"] * 0.51 + slack:
                        faults.append(f"sample {number} of face {triangles[i]['face']} is at {stored}, not at {corners}")
                for s in inside:
                    box = leaf["boxes"][s]
                    known = tight.setdefault((leaf["index"], s), [math.inf] * 3 + [-math.inf] * 3)
                    for p in corners:
                        checked += 1
                        for k in range(3):
                            known[k] = min(known[k], p[k])
                            known[3 + k] = max(known[3 + k], p[k])
                            violations += p[k] < box[k] or p[k] > box[3 + k]
    if violations:
        faults.append(f"{violations} coordinates are outside of their boxes")

    # Each box and the smallest that the grid allows around what was seen.
    grid = clip["step"]
    ratio = {}
    for s in (segments, 0):
        own = sum(area(leaf["boxes"][s]) for leaf in leaves)
        least = sum(area([x - grid if k < 3 else x + grid for k, x in enumerate(tight[leaf["index"], s])]) for leaf in leaves)
        ratio[s] = own / least if least > 0 else 1

    far = 0
    for leaf in random.sample(leaves, min(len(leaves), 4 if "quick" in options else 12)):
        for s in (segments, random.randrange(segments)):
            low = start + (end - start) * s / segments if s < segments else start
            high = start + (end - start) * (s + 1) / segments if s < segments else end
            seen = [c for t, c in swept[leaf["index"]] if low <= t <= high]
            box = leaf["boxes"][s]
            for _ in range(20):
                p = [random.choice((box[k], box[3 + k], random.uniform(box[k], box[3 + k]))) for k in range(3)]
                d = min(nearest(p, c) for c in seen)
                if d > box[6] + 2 * grid:
                    faults.append(f"node {leaf['index']}: a point of the box is {d} away, more than {box[6]}")
                far = max(far, d / box[6] if box[6] > 0 else 0)
    print(f"{source.split('/')[-1]} {clip['name'] or name}: {len(triangles)} triangles, {len(nodes)} nodes, {clip['samples']} samples, "
          f"{segments} segments, {checked} corners, {violations} violations, area {ratio[segments]:.3f}, of a segment {ratio[0]:.3f}, "
          f"largest distance by error {far:.2f}")
    most = float(options.get("tight", 1.15))
    if ratio[segments] > most:
        faults.append(f"boxes have {ratio[segments]:.3f} times the area of tight ones")
    for f in faults[:5]:
        print("FAULT:", f)
    sys.exit(1 if faults else 0)


main()
