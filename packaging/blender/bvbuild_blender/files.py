"""Meshes as the programs read and write them: Wavefront OBJ."""

import numpy

# From Blender's axes (z up) to those of OBJ and glTF (y up), as Blender's own exporters turn them.
TO_Y_UP = numpy.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)))


class Piece:
    """A named mesh: positions, and polygons one after another."""

    def __init__(self, name, positions, corners, sizes):
        self.name = name
        self.positions = numpy.asarray(positions, dtype=numpy.float64).reshape(-1, 3)
        self.corners = numpy.asarray(corners, dtype=numpy.int64)
        self.sizes = numpy.asarray(sizes, dtype=numpy.int64)

    def polygons(self):
        """The polygons as lists of vertices."""
        ends = numpy.cumsum(self.sizes)
        return [part.tolist() for part in numpy.split(self.corners, ends[:-1])] if len(self.sizes) else []

    def of_faces(self, faces):
        """A mesh of some of the polygons, with their vertices only."""
        starts = numpy.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[faces]
        corners = [self.corners[starts[face]:starts[face] + self.sizes[face]] for face in faces]
        used, renamed = numpy.unique(numpy.concatenate(corners), return_inverse=True)
        return Piece(self.name, self.positions[used], renamed.reshape(-1), sizes)


def clean_name(name):
    """A name on one line: OBJ has no way to quote."""
    return " ".join(name.split()) or "object"


def write_obj(path, pieces):
    """Writes pieces as objects. Positions keep all their digits: 17 are enough for a binary64 number."""
    first = 1
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for piece in pieces:
            file.write("o %s\n" % clean_name(piece.name))
            file.writelines("v %.17g %.17g %.17g\n" % tuple(position) for position in piece.positions.tolist())
            file.writelines("f %s\n" % " ".join(str(corner + first) for corner in polygon) for polygon in piece.polygons())
            first += len(piece.positions)


def read_obj(path):
    """The objects of an OBJ file that bvinspect wrote: a list of pieces, each with its own vertices."""
    pieces, positions = [], []
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            word, _, rest = line.rstrip("\r\n").partition(" ")
            if word == "o":
                pieces.append((rest, [], [], []))
            elif word == "v":
                positions.append([float(x) for x in rest.split()[:3]])
            elif word == "f":
                if not pieces:
                    pieces.append(("mesh", [], [], []))
                polygon = [int(corner.split("/")[0]) - 1 for corner in rest.split()]
                pieces[-1][2].extend(polygon)
                pieces[-1][3].append(len(polygon))
    out = []
    everything = numpy.array(positions, dtype=numpy.float64).reshape(-1, 3)
    for name, _, corners, sizes in pieces:
        if sizes:
            used, renamed = numpy.unique(numpy.array(corners), return_inverse=True)
            out.append(Piece(name, everything[used], renamed.reshape(-1), sizes))
    return out
