"""write_formats.py MESH.obj FOLDER: writes the triangles of an OBJ file in each format that holds triangles.

Positions become binary32 first, which STL and glTF hold, and text gets 17 digits, which name them exactly; so all files
hold the same mesh. Written from the formats' descriptions, without a line of the project.
"""

import base64
import json
import struct
import sys


def read_obj(path):
    positions, triangles = [], []
    for line in open(path):
        words = line.split()
        if words and words[0] == "v":
            positions.append(struct.unpack("<3f", struct.pack("<3f", *map(float, words[1:4]))))
        elif words and words[0] == "f":
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            triangles += [(corners[0], corners[i - 1], corners[i]) for i in range(2, len(corners))]
    return positions, triangles


def text(position):
    return " ".join("%.17g" % x for x in position)


def write_obj(file, positions, triangles):
    file.write("".join("v %s\n" % text(p) for p in positions).encode())
    file.write("".join("f %d %d %d\n" % tuple(c + 1 for c in t) for t in triangles).encode())


def write_off(file, positions, triangles):
    file.write(("OFF\n%d %d 0\n" % (len(positions), len(triangles))).encode())
    file.write("".join("%s\n" % text(p) for p in positions).encode())
    file.write("".join("3 %d %d %d\n" % t for t in triangles).encode())


def write_stl(file, positions, triangles):
    file.write(b"solid in name only".ljust(80) + struct.pack("<I", len(triangles)))
    for t in triangles:
        file.write(struct.pack("<12fH", 0, 0, 0, *positions[t[0]], *positions[t[1]], *positions[t[2]], 0))


def write_ascii_stl(file, positions, triangles):
    file.write(b"solid mesh\n")
    for t in triangles:
        corners = "".join("  vertex %s\n" % text(positions[c]) for c in t)
        file.write(("facet normal 0 0 0\n outer loop\n%s endloop\nendfacet\n" % corners).encode())
    file.write(b"endsolid mesh\n")


def ply_header(kind, positions, triangles):
    return (
        "ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
        "element face %d\nproperty list uchar int vertex_indices\nend_header\n" % (kind, len(positions), len(triangles))
    ).encode()


def write_ascii_ply(file, positions, triangles):
    file.write(ply_header("ascii", positions, triangles))
    file.write("".join("%s\n" % text(p) for p in positions).encode())
    file.write("".join("3 %d %d %d\n" % t for t in triangles).encode())


def binary_ply(kind, order):
    def write(file, positions, triangles):
        file.write(ply_header(kind, positions, triangles))
        for p in positions:
            file.write(struct.pack(order + "3f", *p))
        for t in triangles:
            file.write(struct.pack(order + "B3i", 3, *t))

    return write


def write_gltf(file, positions, triangles):
    vertices = b"".join(struct.pack("<3f", *p) for p in positions)
    indices = b"".join(struct.pack("<3I", *t) for t in triangles)
    data = base64.b64encode(vertices + indices).decode()
    bounds = [[f(p[k] for p in positions) for k in range(3)] for f in (min, max)]
    json_text = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "mesh"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(vertices) + len(indices), "uri": "data:application/octet-stream;base64," + data}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(vertices), "target": 34962},
            {"buffer": 0, "byteOffset": len(vertices), "byteLength": len(indices), "target": 34963},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(positions), "type": "VEC3", "min": bounds[0], "max": bounds[1]},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(triangles), "type": "SCALAR"},
        ],
    }
    file.write(json.dumps(json_text).encode())


writers = {
    "copy.obj": write_obj,
    "mesh.off": write_off,
    "mesh.stl": write_stl,
    "ascii.stl": write_ascii_stl,
    "ascii.ply": write_ascii_ply,
    "little.ply": binary_ply("binary_little_endian", "<"),
    "big.ply": binary_ply("binary_big_endian", ">"),
    "mesh.gltf": write_gltf,
}
mesh = read_obj(sys.argv[1])
for name, write in writers.items():
    with open(sys.argv[2] + "/" + name, "wb") as out:
        write(out, *mesh)
