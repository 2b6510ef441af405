"""Reads exported bodies as other programs would, and compares them with what bvinspect --json says of the file they come from.

    python3 read_bodies.py [REPORT.json SHAPE FILE.glb FILE.urdf]...

One call reads many bodies, because loading scipy takes 0.4 s. SHAPE is what the body is expected to collide as: parts, hull, mesh, box,
sphere, capsule or cylinder. Volumes of hulls are computed from their corners (scipy), places of primitives by the transformations that
glTF and URDF define, inertias by rotating the principal ones back.
"""

import json
import math
import os
import struct
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
from scipy.spatial import ConvexHull

# Of the body that is being read.
report = {}
body = {}
shape = ""
name = ""
failures = 0


def expect(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("read_bodies:", name, "as", shape + ":", *what)


def near(a, b, within=1e-9):
    a = np.asarray(a, dtype=float)
    b = np.asarray(b, dtype=float)
    return a.shape == b.shape and np.abs(a - b).max() <= within * max(1e-30, np.abs(b).max())


def keys(item, needed, allowed=()):
    expect(set(needed) <= set(item) <= set(needed) | set(allowed), "keys", sorted(item), "where", sorted(needed), "belong")


def rotation_of(q):
    x, y, z, w = q
    expect(abs(x * x + y * y + z * z + w * w - 1) < 1e-12, "a quaternion is not of unit length")
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def turn_about(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    i, k = (axis + 1) % 3, (axis + 2) % 3
    r = np.eye(3)
    r[i, i] = r[k, k] = c
    r[k, i] = s
    r[i, k] = -s
    return r


def ends_are(got, wanted):
    return any(near(got[::step], wanted, 1e-6) for step in (1, -1))


def corners_of(center, rotation, half):
    return sorted(
        tuple(np.round(center + rotation @ (np.array([x, y, z]) * half), 5))
        for x in (-1, 1)
        for y in (-1, 1)
        for z in (-1, 1)
    )


def same_box(center, rotation, half):
    wanted = report["recognised"]["box"]
    a = corners_of(np.array(center), rotation, np.array(half))
    b = corners_of(np.array(wanted["center"]), np.array(wanted["axes"]).T, np.array(wanted["half_extents"]))
    return np.abs(np.array(a) - np.array(b)).max() < 1e-4


def volumes_wanted():
    if shape == "parts":
        return [part["volume"] for part in report["decomposition"]["hulls"]]
    return [report["hull"]["volume"]]


def read_glb(path):
    data = open(path, "rb").read()
    magic, version, length, size, kind = struct.unpack_from("<4sIIII", data)
    expect((magic, version, length, kind) == (b"glTF", 2, len(data), 0x4E4F534A), "the container's head")
    text = json.loads(data[20 : 20 + size])
    rest = data[20 + size :]
    if rest:
        size, kind = struct.unpack_from("<II", rest)
        expect(kind == 0x004E4942 and size == len(rest) - 8, "the binary chunk")
    return text, rest[8:]


def points_of(text, binary, mesh):
    (primitive,) = text["meshes"][mesh]["primitives"]
    points = []
    for accessor, form in ((primitive["attributes"]["POSITION"], None), (primitive["indices"], {5123: "<u2", 5125: "<u4"})):
        a = text["accessors"][accessor]
        view = text["bufferViews"][a["bufferView"]]
        raw = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        points.append(np.frombuffer(raw, "<f4").reshape(-1, 3).astype(float) if form is None else np.frombuffer(raw, form[a["componentType"]]).reshape(-1, 3))
    return points


def volume_of_mesh(points, faces):
    a, b, c = (points[faces[:, k]] - points.mean(axis=0) for k in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


def check_motion(node):
    if body["mass"] is None:
        expect("extensions" not in node, "a body without a mass moves")
        return
    motion = node["extensions"]["KHR_physics_rigid_bodies"]["motion"]
    keys(motion, ("mass", "centerOfMass", "inertiaDiagonal", "inertiaOrientation"))
    expect(motion["mass"] == body["mass"] > 0, "the mass is", motion["mass"])
    expect(near(motion["centerOfMass"], body["center_of_mass"]), "the centre of mass is", motion["centerOfMass"])
    expect(min(motion["inertiaDiagonal"]) > 0, "a moment is not positive")
    r = rotation_of(motion["inertiaOrientation"])
    expect(near(r @ np.diag(motion["inertiaDiagonal"]) @ r.T, body["inertia"]), "the inertia is another")


def check_primitive_of_gltf(node, text):
    geometry = node["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]
    keys(geometry, ("shape",))
    item = text["extensions"]["KHR_implicit_shapes"]["shapes"][geometry["shape"]]
    keys(item, ("type", shape))
    expect(item["type"] == shape, "the shape is a", item["type"])
    r = rotation_of(node["rotation"])
    at = np.array(node["translation"])
    wanted = report["recognised"][shape]
    sizes = item[shape]
    if shape == "box":
        keys(sizes, ("size",))
        expect(same_box(at, r, np.array(sizes["size"]) / 2), "the box is elsewhere")
    elif shape == "sphere":
        keys(sizes, ("radius",))
        expect(near(at, wanted["center"]) and sizes["radius"] == wanted["radius"], "the ball is elsewhere")
    else:
        keys(sizes, ("height", "radiusBottom", "radiusTop"))
        expect(sizes["radiusBottom"] == sizes["radiusTop"] == wanted["radius"], "the radius is another")
        ends = [list(at + r @ [0, sign * sizes["height"] / 2, 0]) for sign in (-1, 1)]
        expect(ends_are(ends, wanted["ends"]), "the ends are elsewhere", ends, wanted["ends"])


def check_gltf(path):
    text, binary = read_glb(path)
    names = ["KHR_physics_rigid_bodies"]
    if shape not in ("parts", "hull", "mesh"):
        names.insert(0, "KHR_implicit_shapes")
    expect(text["extensionsUsed"] == names and "extensionsRequired" not in text, "the extensions are", text["extensionsUsed"])
    (root,) = text["scenes"][0]["nodes"]
    node = text["nodes"][root]
    check_motion(node)
    if "mesh" in node:
        points, faces = points_of(text, binary, node["mesh"])
        expect(len(faces) == report["mesh"]["triangles"] and len(points) == report["mesh"]["vertices"], "the mesh is another")
        wanted = report["mesh"]["volume"]
        expect(wanted is None or near(volume_of_mesh(points, faces), wanted, 1e-5), "the mesh has another volume")
    colliders = [text["nodes"][child] for child in node["children"]]
    if shape not in ("parts", "hull", "mesh"):
        expect(len(colliders) == 1, "a primitive is", len(colliders))
        check_primitive_of_gltf(colliders[0], text)
        return
    if shape == "mesh":
        (only,) = colliders
        expect(only["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"] == {"mesh": node["mesh"]}, "it collides as another mesh")
        return
    expect(len(colliders) == len(volumes_wanted()), "there are", len(colliders), "colliders")
    for collider, wanted in zip(colliders, volumes_wanted()):
        keys(collider, ("name", "extensions"))
        keys(collider["extensions"], ("KHR_physics_rigid_bodies",))
        keys(collider["extensions"]["KHR_physics_rigid_bodies"], ("collider",))
        keys(collider["extensions"]["KHR_physics_rigid_bodies"]["collider"], ("geometry",))
        geometry = collider["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]
        keys(geometry, ("mesh", "convexHull"))
        expect(geometry["convexHull"] is True, "a part is not convex")
        points, _ = points_of(text, binary, geometry["mesh"])
        expect(near(ConvexHull(points).volume, wanted, 1e-5), "a part has another volume", collider["name"])


def read_obj(path):
    points, faces = [], []
    for line in open(path):
        word, *rest = line.split() or [""]
        if word == "v":
            points.append([float(x) for x in rest])
        elif word == "f":
            faces.append([int(x) - 1 for x in rest])
    return np.array(points), np.array(faces)


def place_of(element):
    origin = element.find("origin")
    if origin is None:
        return np.zeros(3), np.eye(3)
    roll, pitch, yaw = map(float, origin.get("rpy").split())
    r = turn_about(2, yaw) @ turn_about(1, pitch) @ turn_about(0, roll)
    return np.array([float(x) for x in origin.get("xyz").split()]), r


def check_inertial(link):
    inertial = link.find("inertial")
    if body["mass"] is None:
        expect(inertial is None, "a body without a mass has one")
        return
    at, r = place_of(inertial)
    i = {name: float(value) for name, value in inertial.find("inertia").attrib.items()}
    tensor = [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]
    expect(float(inertial.find("mass").get("value")) == body["mass"], "URDF: the mass is another")
    expect(near(at, body["center_of_mass"]) and near(r, np.eye(3)), "URDF: the centre of mass is elsewhere")
    expect(near(tensor, body["inertia"]), "URDF: the inertia is another")


def check_primitive_of_urdf(collisions):
    places = [place_of(c) for c in collisions]
    geometries = [c.find("geometry")[0] for c in collisions]
    tags = [g.tag for g in geometries]
    wanted = report["recognised"][shape]
    expect(tags == {"capsule": ["cylinder", "sphere", "sphere"]}.get(shape, [shape]), "URDF: it is made of", tags)
    if shape == "box":
        size = np.array([float(x) for x in geometries[0].get("size").split()])
        expect(same_box(places[0][0], places[0][1], size / 2), "URDF: the box is elsewhere")
    for geometry in geometries:
        expect(shape == "box" or float(geometry.get("radius")) == wanted["radius"], "URDF: the radius is another")
    if shape == "sphere":
        expect(near(places[0][0], wanted["center"]), "URDF: the ball is elsewhere")
    if shape in ("capsule", "cylinder"):
        at, r = places[0]
        ends = [list(at + r @ [0, 0, sign * float(geometries[0].get("length")) / 2]) for sign in (-1, 1)]
        expect(ends_are(ends, wanted["ends"]), "URDF: the ends are elsewhere", ends, wanted["ends"])
        balls = [list(place[0]) for place in places[1:]]
        expect(not balls or near(balls, wanted["ends"]), "URDF: the balls are elsewhere")


def check_urdf(path):
    robot = ElementTree.parse(path).getroot()
    expect(robot.tag == "robot" and robot.get("name") == os.path.basename(path)[: -len(".urdf")], "URDF: the robot is", robot.get("name"))
    (link,) = robot.findall("link")
    check_inertial(link)
    collisions = link.findall("collision")
    meshes = [c.find("geometry/mesh") for c in collisions]
    if shape not in ("parts", "hull", "mesh"):
        check_primitive_of_urdf(collisions)
        return
    wanted = volumes_wanted() if shape != "mesh" else [None]
    expect(len(meshes) == len(wanted), "URDF: there are", len(meshes), "collisions")
    for mesh, volume in zip(meshes, wanted):
        points, faces = read_obj(os.path.join(os.path.dirname(path), mesh.get("filename")))
        if volume is None:
            a, b, c = (points[faces[:, k]] for k in range(3))
            area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
            expect(near(area, report["mesh"]["area"], 1e-9), "URDF: another area in", mesh.get("filename"))
        else:
            expect(near(volume_of_mesh(points, faces), volume, 1e-9), "URDF: another volume in", mesh.get("filename"))


for name, shape, gltf, urdf in zip(*(sys.argv[first::4] for first in range(1, 5)), strict=True):
    report = json.load(open(name))
    body = report["body"]
    check_gltf(gltf)
    check_urdf(urdf)
sys.exit(failures > 0)
