"""Checks an animation in binary glTF: check_glb.py FILE.glb SECONDS_OF_CONTACT

Header and chunks; every view in the buffer, every accessor in its view; extremes as stated; indices in range; finite numbers;
keys that ascend; unit quaternions; as many values as keys. The marker has no size until the contact, and has one from then on.
"""

import json
import math
import struct
import sys

WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
KIND = {5126: "f", 5125: "I"}


def main(path, contact):
    with open(path, "rb") as file:
        data = file.read()
    magic, version, total, length, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, total, kind) == (b"glTF", 2, len(data), b"JSON") and length % 4 == 0, "header"
    text = json.loads(data[20:20 + length].decode("ascii"))
    size, kind = struct.unpack_from("<I4s", data, 20 + length)
    assert kind == b"BIN\0" and size % 4 == 0 and 28 + length + size == len(data), "binary chunk"
    assert text["asset"]["version"] == "2.0" and [b["byteLength"] for b in text["buffers"]] == [size], "buffer"
    binary = data[28 + length:]

    arrays = []
    for accessor in text["accessors"]:
        view = text["bufferViews"][accessor["bufferView"]]
        width = WIDTH[accessor["type"]]
        count = accessor["count"] * width
        offset = accessor.get("byteOffset", 0)
        assert accessor["count"] > 0 and offset % 4 == 0 and offset + 4 * count <= view["byteLength"], "accessor out of its view"
        assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= size, "view out of the buffer"
        values = struct.unpack_from("<%d%s" % (count, KIND[accessor["componentType"]]), binary, view["byteOffset"] + offset)
        assert all(map(math.isfinite, values)), "not finite"
        rows = [values[i:i + width] for i in range(0, count, width)]
        for name, extreme in (("min", min), ("max", max)):
            if name in accessor:
                assert all(struct.pack("<f", stated) == struct.pack("<f", extreme(column))
                           for stated, column in zip(accessor[name], zip(*rows))), name
        arrays.append(rows)

    for mesh in text["meshes"]:
        for primitive in mesh["primitives"]:
            position, index = primitive["attributes"]["POSITION"], primitive["indices"]
            assert {"min", "max"} <= text["accessors"][position].keys() and text["accessors"][index]["componentType"] == 5125
            assert len(arrays[index]) % 3 == 0 and max(arrays[index])[0] < len(arrays[position]), "index out of range"
            assert 0 <= primitive["material"] < len(text["materials"]), "material"
    nodes = text["nodes"]
    assert text["scenes"][text["scene"]]["nodes"] == [0] and nodes[0]["children"] == [1, 2, 3], "scene"
    assert [node.get("mesh") for node in nodes] == [None, 0, 1, 2], "meshes of nodes"
    for node in nodes:
        assert abs(math.hypot(*node["rotation"]) - 1) < 1e-6, "rotation of a node"

    (animation,) = text["animations"]
    seen = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        keys, values = arrays[sampler["input"]], arrays[sampler["output"]]
        assert {"min", "max"} <= text["accessors"][sampler["input"]].keys() and len(keys) == len(values), "keys"
        assert keys[0] == (0,) and all(a < b for a, b in zip(keys, keys[1:])), "keys do not ascend from 0"
        target = channel["target"]["node"], channel["target"]["path"]
        assert target not in seen, "two channels of one target"
        seen[target] = keys, values
        if target[1] == "rotation":
            assert all(abs(math.hypot(*q) - 1) < 1e-6 for q in values), "not a rotation"
            # The shorter way from key to key is the way that the object goes, 10 degrees each.
            assert all(sum(a * b for a, b in zip(p, q)) > math.cos(math.radians(5.01)) for p, q in zip(values, values[1:])), "steps"
    assert set(seen) == {(node, path) for node in (1, 2) for path in ("translation", "rotation")} | {(3, "scale")}, "channels"
    for target, (keys, values) in seen.items():
        if target[0] < 3:
            assert abs(keys[-1][0] - contact) < 1e-5 * contact, "the motion does not end at the contact"
            stated = nodes[target[0]][target[1]]
            assert all(abs(a - b) < 1e-6 for a, b in zip(stated, values[0])), "the node is elsewhere at the start"
    keys, values = seen[3, "scale"]
    assert abs(keys[1][0] - contact) < 1e-5 * contact and values[0] == (0, 0, 0) and min(values[1] + values[2]) > 0, "marker"
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
