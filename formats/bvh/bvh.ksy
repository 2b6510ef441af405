# The .bvh file, version 1.4, for Kaitai Struct 0.11. README.md beside this file is the normative text. This file describes
# what Kaitai can express: the layout of every section, the conditions on single fields, and the decoding of nodes,
# positions and triangles. It does not describe the conditions between distant fields (hashes, uniqueness, order, counters),
# nor that every number must be finite. tests/kaitai/read.js checks some of these.
#
# The arithmetic is that of README.md if the target language computes value instances in binary64 and in the order of the
# parentheses.
meta:
  id: bvh
  title: Bounding volume hierarchy of a triangle mesh
  file-extension: bvh
  license: MIT
  ks-version: 0.11
  encoding: UTF-8
  endian: le
  bit-endian: le
doc-ref: README.md

seq:
  - id: header
    type: header
  - id: entries
    type: entry
    size: 32
    repeat: expr
    repeat-expr: header.num_sections

instances:
  # The sections that others need. `index` is their index in the table, -1 if they are missing.
  find_mesh:
    pos: 0
    type: find("MESH", 2, 0)
  find_positions:
    pos: 0
    type: find("POSN", 1, 0)
  find_triangles:
    pos: 0
    type: find("TRIS", 1, 0)
  find_nodes:
    pos: 0
    type: find("NODE", 2, 0)
  find_hull:
    pos: 0
    type: find("HULL", 1, 0)
  find_parts:
    pos: 0
    type: find("PART", 1, 0)
  mesh:
    value: entries[find_mesh.index].body.as<mesh>
    if: find_mesh.index >= 0
  positions:
    value: entries[find_positions.index].body.as<positions>
    if: find_positions.index >= 0
  triangles:
    value: entries[find_triangles.index].body.as<triangles>
    if: find_triangles.index >= 0
  nodes:
    value: entries[find_nodes.index].body.as<nodes>
    if: find_nodes.index >= 0
  hull:
    value: entries[find_hull.index].body.as<hull>
    if: find_hull.index >= 0
  parts:
    value: entries[find_parts.index].body.as<parts>
    if: find_parts.index >= 0

types:
  # The first entry, from index `first` on, with this name and a version of at most `newest`, the newest known one.
  find:
    params:
      - id: name
        type: str
      - id: newest
        type: u2
      - id: first
        type: s4
    instances:
      here:
        value: _root.entries[first].name == name and _root.entries[first].version <= newest
      rest:
        pos: 0
        type: find(name, newest, first + 1)
        if: not here and first + 1 < _root.header.num_sections
      index:
        value: 'here ? first : (first + 1 < _root.header.num_sections ? rest.index.as<s4> : -1)'

  header:
    seq:
      - id: magic
        contents: [0x89, 0x42, 0x56, 0x48, 0x0d, 0x0a, 0x1a, 0x0a]
      - id: hash
        size: 8
        doc: XXH3-64, little-endian, of the bytes from offset 16 to the end of the section table
      - id: byte_order
        type: u4
        valid: 0x01020304
      - id: version_major
        type: u2
        valid: 1
      - id: version_minor
        type: u2
      - id: file_size
        type: u8
        valid: _io.size
      - id: num_sections
        type: u4
        valid:
          min: 1
          max: 64
      - id: reserved
        type: u4
        valid: 0
        repeat: expr
        repeat-expr: 7

  entry:
    seq:
      - id: name
        type: str
        size: 4
        encoding: ASCII
      - id: version
        type: u2
        valid:
          min: 1
      - id: flags
        type: u2
        valid:
          max: 1
      - id: offset
        type: u8
        valid:
          expr: _ % 64 == 0
      - id: size
        type: u8
        valid:
          min: 1
      - id: hash
        size: 8
        doc: XXH3-64, little-endian, of the section
    instances:
      characters:
        pos: 0
        type: u1
        valid:
          min: 0x21
          max: 0x7e
        repeat: expr
        repeat-expr: 4
      required:
        value: flags == 1
      body:
        io: _root._io
        pos: offset
        size: size
        type:
          switch-on: name + version.to_s
          cases:
            '"ORGN1"': origin
            '"MESH1"': mesh(1)
            '"MESH2"': mesh(2)
            '"POSN1"': positions
            '"TRIS1"': triangles
            '"BNDS1"': bounds
            '"HULL1"': hull
            '"NODE1"': nodes(1)
            '"NODE2"': nodes(2)
            '"EDGE1"': edges
            '"SRCE1"': source
            '"ERRS1"': errors
            '"PRIM1"': primitives
            '"MASS1"': masses
            '"ADJC1"': adjacency
            '"HTOP1"': hull_topology
            '"RADI1"': radii
            '"NQAL1"': node_qualities
            '"NFAC1"': node_faces
            '"PART1"': parts
            '"PTRI1"': part_triangles
            '"BODY1"': moving_body
            '"PRXY1"': proxy
            '"CLIP1"': clip
        doc: the raw bytes of an unknown section; a reader ignores it, or rejects the file if it is required

  # Types that several sections use

  vector_f4:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4

  vector_f8:
    seq:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: z
        type: f8

  interval:
    seq:
      - id: lower
        type: f8
        valid:
          min: 0
      - id: upper
        type: f8
        valid:
          min: lower

  # An oriented box, or a rectangle swept sphere, whose radius is the third half extent.
  box:
    seq:
      - id: center
        type: vector_f4
      - id: half
        type: f4
        valid:
          min: 0
        repeat: expr
        repeat-expr: 3
      - id: quaternion
        type: vector_f4
      - id: quaternion_w
        type: f4
    instances:
      rotation:
        pos: 0
        size: 0
        type: rotation(quaternion.x, quaternion.y, quaternion.z, quaternion_w)
        valid:
          expr: _.squared_length >= 0.5 and _.squared_length <= 2

  aligned_box:
    seq:
      - id: lower
        type: vector_f4
      - id: upper
        type: vector_f4
        valid:
          expr: lower.x <= _.x and lower.y <= _.y and lower.z <= _.z

  ball:
    seq:
      - id: center
        type: vector_f4
      - id: radius
        type: f4
        valid:
          min: 0

  # A capsule: all points whose distance from a segment is at most the radius. Or a cylinder: the segment joins the centers
  # of its discs.
  thick_segment:
    seq:
      - id: ends
        type: vector_f4
        repeat: expr
        repeat-expr: 2
      - id: radius
        type: f4
        valid:
          min: 0

  # Lower bounds, then upper bounds, along the directions of a k-DOP with 2 * num_bounds planes.
  kdop:
    params:
      - id: num_bounds
        type: u1
    seq:
      - id: lower
        type: f4
        repeat: expr
        repeat-expr: num_bounds
      - id: upper
        type: f4
        valid:
          expr: lower[_index] <= _
        repeat: expr
        repeat-expr: num_bounds

  # Direction i of a k-DOP with 2 * num_bounds planes, one of the 13 directions in README.md.
  direction:
    params:
      - id: num_bounds
        type: u1
      - id: i
        type: u1
    instances:
      number:
        value: 'num_bounds == 9 and i >= 3 ? i + 4 : i'
      x:
        value: '[1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0].as<s1[]>[number]'
      y:
        value: '[0, 1, 0, 1, 1, -1, -1, 1, 0, 1, -1, 0, 1].as<s1[]>[number]'
      z:
        value: '[0, 0, 1, 1, -1, 1, -1, 0, 1, 1, 0, -1, -1].as<s1[]>[number]'
      plus:
        value: '(x > 0 ? 1 : 0) + (y > 0 ? 1 : 0) + (z > 0 ? 1 : 0)'
      minus:
        value: '(x < 0 ? 1 : 0) + (y < 0 ? 1 : 0) + (z < 0 ? 1 : 0)'

  # "Decoding a rotation" in README.md: the axes of a frame from a quaternion of any length.
  rotation:
    params:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: z
        type: f8
      - id: w
        type: f8
    instances:
      squared_length:
        value: (x * x + y * y) + (z * z + w * w)
      s:
        value: 2.0 / squared_length
      axis_0:
        value: '[1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)]'
      axis_1:
        value: '[s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)]'
      axis_2:
        value: '[s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)]'

  # The exact value of factor * 2^exponent, for exponents 0 to 255.
  scaled:
    params:
      - id: factor
        type: f8
      - id: exponent
        type: u1
    instances:
      value:
        value: >-
          factor
          * ((exponent & 1) != 0 ? 2.0 : 1.0)
          * ((exponent & 2) != 0 ? 4.0 : 1.0)
          * ((exponent & 4) != 0 ? 16.0 : 1.0)
          * ((exponent & 8) != 0 ? 256.0 : 1.0)
          * ((exponent & 16) != 0 ? 65536.0 : 1.0)
          * ((exponent & 32) != 0 ? 4294967296.0 : 1.0)
          * ((exponent & 64) != 0 ? 18446744073709551616.0 : 1.0)
          * ((exponent & 128) != 0 ? 340282366920938463463374607431768211456.0 : 1.0)

  # Sections

  origin:
    seq:
      - id: source_hash
        size: 16
      - id: len_tool
        type: u4
      - id: len_name
        type: u4
      - id: len_format
        type: u4
      - id: len_parameters
        type: u4
      - id: tool
        type: str
        size: len_tool
      - id: name
        type: str
        size: len_name
      - id: format
        type: str
        size: len_format
      - id: parameters
        type: str
        size: len_parameters
      - id: end
        type: end

  # The end of a section. No bytes must remain.
  end:
    seq:
      - id: rest
        size-eos: true
        valid:
          expr: _.length == 0

  mesh:
    params:
      - id: section_version
        type: u2
    seq:
      - id: num_vertices
        type: u4
        valid:
          min: 1
      - id: num_triangles
        type: u4
        valid:
          min: 1
          max: 0x7fffffff
      - id: num_edges
        type: u4
      - id: num_components
        type: u4
      - id: num_double_sided
        type: u4
      - id: edges_of_kind
        type: u4
        repeat: expr
        repeat-expr: 6
      - id: closed
        type: u1
        valid:
          max: 1
      - id: manifold
        type: u1
        valid:
          max: 1
      - id: oriented
        type: u1
        valid:
          max: 1
      - id: quantised
        type: u1
        valid:
          max: 1
      - id: reserved
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 8
      - id: removed_degenerate
        type: u8
      - id: removed_duplicates
        type: u8
      - id: removed_not_finite
        type: u8
      - id: unused_vertices
        type: u8
      - id: merged_vertices
        type: u8
      - id: largest_displacement
        type: f8
      - id: area
        type: f8
      - id: grid_origin
        type: vector_f8
      - id: grid_step
        type: f8
        valid:
          expr: 'quantised == 1 ? _ > 0 and _ <= 1329227995784915872903807060280344576.0 : _ == 0'
      - id: offset
        type: mesh_offset
        if: section_version == 2
        valid:
          expr: _.x != 0 or _.y != 0 or _.z != 0
        doc: the point that all positions in the file are relative to
      - id: end
        type: end

  mesh_offset:
    seq:
      - id: x
        type: f8
        valid:
          min: -2658455991569831745807614120560689152.0
          max: 2658455991569831745807614120560689152.0
      - id: y
        type: f8
        valid:
          min: -2658455991569831745807614120560689152.0
          max: 2658455991569831745807614120560689152.0
      - id: z
        type: f8
        valid:
          min: -2658455991569831745807614120560689152.0
          max: 2658455991569831745807614120560689152.0

  positions:
    seq:
      - id: items
        type:
          switch-on: _root.mesh.quantised
          cases:
            0: vector_f4
            1: grid_position
        repeat: expr
        repeat-expr: _root.mesh.num_vertices
      - id: end
        type: end

  grid_position:
    seq:
      - id: i
        type: b21
      - id: j
        type: b21
      - id: k
        type: b21
      - id: reserved
        type: b1
        valid: false
    instances:
      x:
        value: _root.mesh.grid_origin.x + _root.mesh.grid_step * i
      y:
        value: _root.mesh.grid_origin.y + _root.mesh.grid_step * j
      z:
        value: _root.mesh.grid_origin.z + _root.mesh.grid_step * k

  triangles:
    seq:
      - id: num_clusters
        type: u4
        valid: (_root.mesh.num_triangles + 63) / 64
      - id: num_references
        type: u4
      - id: width
        type: u1
        valid: '_root.mesh.num_vertices <= 65536 ? 2 : 4'
      - id: reserved
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 7
      - id: clusters
        type: cluster(_index)
        repeat: expr
        repeat-expr: num_clusters
      - id: references
        type:
          switch-on: width
          cases:
            2: u2
            4: u4
        repeat: expr
        repeat-expr: num_references
      - id: items
        type: triangle(_index)
        repeat: expr
        repeat-expr: _root.mesh.num_triangles
      - id: end
        type: end

  cluster:
    params:
      - id: index
        type: u4
    seq:
      - id: first_new
        type: u4
      - id: first_reference
        type: u4
    instances:
      is_last:
        value: index + 1 == _parent.as<triangles>.num_clusters
      num_old:
        value: '(is_last ? _parent.as<triangles>.num_references : _parent.as<triangles>.clusters[index + 1].first_reference) - first_reference'
      num_new:
        value: '(is_last ? _root.mesh.num_vertices : _parent.as<triangles>.clusters[index + 1].first_new) - first_new'

  triangle:
    params:
      - id: index
        type: u4
    seq:
      - id: codes
        type: u1
        repeat: expr
        repeat-expr: 3
    instances:
      cluster:
        value: _parent.as<triangles>.clusters[index / 64]
      vertex_0:
        value: 'codes[0] < cluster.num_old ? _parent.as<triangles>.references[cluster.first_reference + codes[0]] : cluster.first_new + (codes[0] - cluster.num_old)'
      vertex_1:
        value: 'codes[1] < cluster.num_old ? _parent.as<triangles>.references[cluster.first_reference + codes[1]] : cluster.first_new + (codes[1] - cluster.num_old)'
      vertex_2:
        value: 'codes[2] < cluster.num_old ? _parent.as<triangles>.references[cluster.first_reference + codes[2]] : cluster.first_new + (codes[2] - cluster.num_old)'

  bounds:
    seq:
      - id: aabb
        type: aligned_box
      - id: sphere
        type: ball
      - id: obb
        type: box
        size: 40
      - id: kdop
        type: kdop(13)
      - id: capsule
        type: thick_segment
      - id: rss
        type: box
        size: 40
      - id: reserved
        type: u4
        valid: 0
      - id: end
        type: end

  hull:
    seq:
      - id: kind
        type: u1
        enum: hull_kind
        valid:
          in-enum: true
      - id: own
        type: u1
        valid:
          max: 1
      - id: reserved_2
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 2
      - id: num_vertices
        type: u4
        valid:
          min: 'kind == hull_kind::point ? 1 : kind == hull_kind::segment ? 2 : kind == hull_kind::polygon ? 3 : 4'
      - id: num_faces
        type: u4
        valid:
          min: 'kind == hull_kind::polyhedron ? 4 : 0'
      - id: reserved_12
        type: u4
        valid: 0
      - id: volume
        type: f8
        valid:
          expr: kind == hull_kind::polyhedron or _ == 0
      - id: vertices
        type:
          switch-on: 'own == 0 ? (_root.mesh.num_vertices <= 65536 ? 2 : 4) : _root.mesh.quantised == 1 ? 8 : 12'
          cases:
            2: index_u2
            4: index_u4
            8: grid_position
            12: vector_f4
        repeat: expr
        repeat-expr: num_vertices
      - id: faces
        type:
          switch-on: 'num_vertices <= 256 ? 1 : num_vertices <= 65536 ? 2 : 4'
          cases:
            1: face_u1
            2: face_u2
            4: face_u4
        repeat: expr
        repeat-expr: num_faces
      - id: end
        type: end

  # The index of a mesh vertex.
  index_u2:
    seq:
      - id: vertex
        type: u2
  index_u4:
    seq:
      - id: vertex
        type: u4

  # Indices into the hull's list of vertices.
  face_u1:
    seq:
      - id: corners
        type: u1
        repeat: expr
        repeat-expr: 3
  face_u2:
    seq:
      - id: corners
        type: u2
        repeat: expr
        repeat-expr: 3
  face_u4:
    seq:
      - id: corners
        type: u4
        repeat: expr
        repeat-expr: 3

  edges:
    seq:
      - id: items
        type: triangle_edges
        repeat: expr
        repeat-expr: _root.mesh.num_triangles
      - id: end
        type: end

  triangle_edges:
    seq:
      - id: kinds
        type: b3
        enum: edge_kind
        valid:
          in-enum: true
        repeat: expr
        repeat-expr: 3
      - id: reserved
        type: b7
        valid: 0

  source:
    seq:
      - id: num_names
        type: u4
      - id: num_combinations
        type: u4
      - id: len_text
        type: u4
      - id: reserved
        type: u4
        valid: 0
      - id: name_ends
        type: u4
        repeat: expr
        repeat-expr: num_names
      - id: combinations
        type: combination
        repeat: expr
        repeat-expr: num_combinations
      - id: faces
        type: u4
        repeat: expr
        repeat-expr: _root.mesh.num_triangles
      - id: combination_of_triangle
        type: u4
        valid:
          expr: _ < num_combinations
        repeat: expr
        repeat-expr: _root.mesh.num_triangles
      - id: names
        type: str
        size: 'name_ends[_index] - (_index == 0 ? 0 : name_ends[_index - 1])'
        repeat: expr
        repeat-expr: num_names
      - id: end
        type: end

  # Indices of names, 0xffffffff if absent.
  combination:
    seq:
      - id: object
        type: u4
      - id: group
        type: u4
      - id: material
        type: u4

  errors:
    seq:
      - id: relative
        type: f8
        valid:
          min: 0.000001
          max: 1
      - id: floor
        type: f8
        valid:
          min: 0.000000001
          max: 1
      - id: root_surface
        type: interval
      - id: root_solid
        type: interval
      - id: all
        type: error_summary
      - id: num_levels
        type: u4
        valid: _root.nodes.depth + 1
      - id: num_nodes
        type: u4
        valid: _root.nodes.num_nodes
      - id: levels
        type: level_errors
        repeat: expr
        repeat-expr: num_levels
      - id: nodes
        type: node_errors
        repeat: expr
        repeat-expr: num_nodes
      - id: end
        type: end

  error_summary:
    seq:
      - id: surface_mean
        type: interval
      - id: surface_max
        type: interval
      - id: solid_mean
        type: interval
      - id: solid_max
        type: interval

  level_errors:
    seq:
      - id: nodes
        type: error_summary
      - id: cut
        type: error_summary

  node_errors:
    seq:
      - id: surface
        type: error_code
      - id: solid
        type: error_code

  # The upper bound is the size of the node's volume times `factor`.
  error_code:
    seq:
      - id: f
        type: b4
      - id: k
        type: b4
    instances:
      power:
        pos: 0
        size: 0
        type: scaled(0.000003814697265625, k)
        doc: 2^(k - 18)
      factor:
        value: 'f == 0 and k == 0 ? 0.0 : (16 + f) * power.value'

  primitives:
    seq:
      - id: tolerance
        type: f8
        valid:
          expr: _ > 0
      - id: best
        type: u4
        enum: primitive_kind
        valid:
          in-enum: true
      - id: reserved
        type: u4
        valid: 0
      - id: box
        type: box
        size: 40
      - id: sphere
        type: ball
      - id: capsule
        type: thick_segment
      - id: cylinder
        type: thick_segment
      - id: errors
        type: primitive_errors
        repeat: expr
        repeat-expr: 4
      - id: end
        type: end

  primitive_errors:
    seq:
      - id: from_surface
        type: interval
      - id: from_mesh
        type: interval
      - id: error
        type: interval

  masses:
    seq:
      - id: has_solid
        type: u1
        valid:
          max: 1
      - id: has_surface
        type: u1
        valid:
          max: 1
      - id: has_hull
        type: u1
        valid:
          max: 1
      - id: reserved
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 5
      - id: solid
        type: body
      - id: surface
        type: body
      - id: hull
        type: body
      - id: end
        type: end

  body:
    seq:
      - id: mass
        type: f8
      - id: center_of_mass
        type: vector_f8
      - id: inertia
        type: vector_f8
        repeat: expr
        repeat-expr: 3

  # A density needs a volume, which the surface does not have: `from_mass` must be 1 for the surface.
  moving_body:
    seq:
      - id: of
        type: u1
        valid:
          max: 2
      - id: from_mass
        type: u1
        valid:
          min: 'of == 1 ? 1 : 0'
          max: 1
      - id: reserved
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 6
      - id: density
        type: f8
        valid:
          expr: _ > 0
      - id: body
        type: body
        valid:
          expr: _.mass > 0 and _.inertia[0].x >= 0 and _.inertia[1].y >= 0 and _.inertia[2].z >= 0
      - id: end
        type: end

  adjacency:
    seq:
      - id: items
        type: edge
        repeat: expr
        repeat-expr: _root.mesh.num_edges
      - id: end
        type: end

  # The second triangle of a boundary edge or a non-manifold edge is 0xffffffff.
  edge:
    seq:
      - id: vertices
        type: u4
        valid:
          expr: _ < _root.mesh.num_vertices
        repeat: expr
        repeat-expr: 2
      - id: triangles
        type: u4
        repeat: expr
        repeat-expr: 2
      - id: kind
        type: u4
        enum: edge_kind
        valid:
          in-enum: true

  hull_topology:
    seq:
      - id: num_polygons
        type: u4
        valid:
          min: 1
      - id: num_half_edges
        type: u4
      - id: num_neighbours
        type: u4
      - id: num_loose
        type: u4
      - id: polygons
        type: polygon
        repeat: expr
        repeat-expr: num_polygons
      - id: half_edges
        type: half_edge
        repeat: expr
        repeat-expr: num_half_edges
      - id: first_neighbours
        type: u4
        repeat: expr
        repeat-expr: _root.hull.num_vertices + 1
      - id: neighbours
        type: u4
        valid:
          expr: _ < _root.hull.num_vertices
        repeat: expr
        repeat-expr: num_neighbours
      - id: loose
        type: u4
        valid:
          expr: _ < _root.hull.num_vertices
        repeat: expr
        repeat-expr: num_loose
      - id: end
        type: end

  polygon:
    seq:
      - id: normal
        type: vector_f8
      - id: offset
        type: f8
      - id: first_half_edge
        type: u4
      - id: num_half_edges
        type: u4
        valid:
          min: 3

  half_edge:
    seq:
      - id: origin
        type: u4
        valid:
          expr: _ < _root.hull.num_vertices
      - id: twin
        type: u4
      - id: next
        type: u4
      - id: polygon
        type: u4

  radii:
    seq:
      - id: items
        type: f4
        valid:
          min: 0
        repeat: expr
        repeat-expr: _root.nodes.num_nodes
      - id: end
        type: end

  node_qualities:
    seq:
      - id: unit
        type: f8
        valid:
          min: 0
      - id: items
        type: node_quality
        repeat: expr
        repeat-expr: _root.nodes.num_nodes
      - id: end
        type: end

  node_quality:
    seq:
      - id: quality
        type: f4
        valid:
          min: 0
      - id: worst
        type: f4
        valid:
          min: 0
      - id: cost
        type: f4
        valid:
          min: 0

  node_faces:
    seq:
      - id: share
        type: f8
        valid:
          expr: _ > 0 and _ <= 1
      - id: boxes
        type: box
        repeat: expr
        repeat-expr: _root.nodes.num_nodes
      - id: two
        type: u1
        valid:
          max: 1
        repeat: expr
        repeat-expr: _root.nodes.num_nodes
      - id: end
        type: end

  # The vertices of part i begin at index items[i].first_vertex, its neighbors at index items[i].first_neighbour, and its faces
  # at index 2 * items[i].first_vertex - 4 * i.
  parts:
    seq:
      - id: num_parts
        type: u4
        valid:
          min: 1
          max: 4096
      - id: num_vertices
        type: u4
        valid:
          min: 4 * num_parts
          max: 255 * num_parts
      - id: num_neighbours
        type: u4
        valid:
          max: num_parts * (num_parts - 1)
      - id: solid
        type: u1
        valid:
          max: 1
      - id: out_of_time
        type: u1
        valid:
          max: 1
      - id: reserved
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 2
      - id: tolerance
        type: f8
        valid:
          min: 0
      - id: uncovered
        type: f8
        valid:
          min: 0
      - id: concavity
        type: interval
      - id: items
        type: part
        repeat: expr
        repeat-expr: num_parts
      - id: nodes
        type: part_node(2 * num_parts - 1)
        repeat: expr
        repeat-expr: 2 * num_parts - 1
      - id: vertices
        type: vector_f4
        repeat: expr
        repeat-expr: num_vertices
      - id: neighbours
        type: u4
        valid:
          expr: _ < num_parts
        repeat: expr
        repeat-expr: num_neighbours
      - id: faces
        type: part_face
        repeat: expr
        repeat-expr: 2 * num_vertices - 4 * num_parts
      - id: end
        type: end

  part:
    seq:
      - id: mass
        type: body
        valid:
          expr: _.mass > 0
      - id: concavity
        type: interval
      - id: box
        type: aligned_box
      - id: first_vertex
        type: u4
      - id: first_neighbour
        type: u4

  # The part of an inner node is 0xffffffff.
  part_node:
    params:
      - id: num_nodes
        type: u4
    seq:
      - id: box
        type: aligned_box
      - id: next
        type: u4
        valid:
          min: 1
          max: num_nodes
      - id: part
        type: u4

  part_face:
    seq:
      - id: vertices
        type: u1
        repeat: expr
        repeat-expr: 3

  part_triangles:
    seq:
      - id: first_triangles
        type: u4
        repeat: expr
        repeat-expr: _root.parts.num_parts + 1
      - id: triangles
        type: u4
        valid:
          expr: _ < _root.mesh.num_triangles
        repeat: expr
        repeat-expr: first_triangles[_root.parts.num_parts]
      - id: end
        type: end

  # Vertices must be numbered by first use.
  proxy:
    seq:
      - id: num_vertices
        type: u4
        valid:
          min: 3
      - id: num_triangles
        type: u4
        valid:
          min: 1
          max: _root.mesh.num_triangles
      - id: num_enclosed
        type: u4
        valid:
          max: _root.mesh.num_triangles
      - id: reserved
        type: u4
        valid: 0
      - id: tolerance
        type: f8
        valid:
          min: 0
      - id: from_proxy
        type: interval
      - id: from_mesh
        type: interval
      - id: vertices
        type: vector_f8
        repeat: expr
        repeat-expr: num_vertices
      - id: triangles
        type: proxy_triangle(num_vertices)
        repeat: expr
        repeat-expr: num_triangles
      - id: end
        type: end

  proxy_triangle:
    params:
      - id: num_vertices
        type: u4
    seq:
      - id: vertices
        type: u4
        valid:
          expr: _ < num_vertices
        repeat: expr
        repeat-expr: 3

  # The clip

  clip:
    seq:
      - id: start
        type: f8
        valid:
          min: 0
      - id: end_time
        type: f8
        valid:
          min: start
      - id: origin
        type: vector_f8
      - id: step
        type: f8
        valid:
          expr: _ > 0
      - id: num_samples
        type: u4
        valid:
          min: 1
          max: 4096
      - id: num_segments
        type: u4
        valid:
          min: 1
          max: num_samples
      - id: record
        type: u4
        valid:
          expr: _ < num_samples
      - id: num_candidates
        type: u4
        valid:
          min: 1
          max: 5
      - id: chosen
        type: u4
        valid:
          expr: _ < num_candidates
      - id: len_name
        type: u4
      - id: moves
        type: u1
        valid:
          max: 1
      - id: has_frames
        type: u1
        valid:
          max: 1
      - id: reserved
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 6
      - id: candidates
        type: clip_candidate
        repeat: expr
        repeat-expr: num_candidates
      - id: samples
        type: clip_sample
        repeat: expr
        repeat-expr: num_samples
      - id: boxes
        type: clip_box
        repeat: expr
        repeat-expr: _root.nodes.num_nodes * num_sets
      - id: frames
        type: clip_point
        repeat: expr
        repeat-expr: has_frames * num_samples * _root.mesh.num_vertices
      - id: name
        type: str
        size: len_name
      - id: end
        type: end
    instances:
      num_sets:
        value: 'num_segments > 1 ? 1 + num_segments : 1'

  clip_candidate:
    seq:
      - id: cost
        type: f8
        valid:
          min: 0
      - id: sample
        type: u4
      - id: num_nodes
        type: u4
        valid:
          min: 1

  clip_sample:
    seq:
      - id: cost
        type: f8
        valid:
          min: 0
      - id: rebuilt
        type: f8
        valid:
          min: 0

  clip_point:
    seq:
      - id: x
        type: u2
      - id: y
        type: u2
      - id: z
        type: u2

  clip_box:
    seq:
      - id: lower
        type: clip_point
      - id: upper
        type: clip_point
      - id: error
        type: f4
        valid:
          min: 0

  # The hierarchy

  nodes:
    params:
      - id: section_version
        type: u2
    seq:
      - id: num_nodes
        type: u4
        valid:
          min: 1
      - id: num_leaves
        type: u4
      - id: depth
        type: u4
        valid:
          max: 64
      - id: num_of_type
        type: u4
        repeat: expr
        repeat-expr: 7
      - id: num_words
        type: u4
      - id: num_root_triangles
        type: u4
      - id: root_type
        type: u4
        enum: volume_type
        valid:
          in-enum: true
      - id: num_prisms
        type: u4
        valid:
          expr: (_ > 0) == (section_version == 2)
      - id: root
        type: root_volume(root_type)
        size: 104
      - id: grid_origin
        type: vector_f8
      - id: grid_step
        type: f8
        valid:
          min: 0
          max: 1298074214633706907132624082305024.0
      - id: costs
        type: f8
        valid:
          expr: _ > 0
        repeat: expr
        repeat-expr: 49
      - id: triangle_cost
        type: f8
        valid:
          expr: _ > 0
      - id: opening_cost
        type: f8
        valid:
          expr: _ > 0
      - id: leaf_cost
        type: f8
        valid:
          expr: _ > 0
      - id: prism_costs
        type: f8
        valid:
          expr: _ > 0
        repeat: expr
        repeat-expr: 'section_version == 2 ? 8 : 0'
      - id: inner
        type: inner_nodes
        size: num_words * 4
      - id: slack
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: 32
      - id: end
        type: end

  root_volume:
    params:
      - id: volume_type
        type: u4
        enum: volume_type
    seq:
      - id: volume
        type:
          switch-on: volume_type
          cases:
            volume_type::obb: box_of_root
            volume_type::aabb: aligned_box
            volume_type::sphere: ball
            volume_type::rss: box_of_root
            volume_type::kdop14: kdop(7)
            volume_type::kdop18: kdop(9)
            volume_type::kdop26: kdop(13)
            volume_type::prism: box_of_root
      - id: reserved
        type: f4
        valid: 0
        repeat: eos

  box_of_root:
    seq:
      - id: box
        type: box
        size: 40

  inner_nodes:
    seq:
      - id: items
        type: inner_node
        repeat: eos

  inner_node:
    seq:
      - id: first_child
        type: u4
      - id: first_triangle
        type: u4
      - id: origin_codes
        type: u2
        repeat: expr
        repeat-expr: 3
      - id: exponents
        type: u1
        repeat: expr
        repeat-expr: 3
      - id: extent
        type: u1
      - id: num_children
        type: u1
        valid:
          min: 2
          max: 8
      - id: num_links
        type: u1
      - id: children
        type: child(_index)
        repeat: expr
        repeat-expr: num_children
      - id: padding
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: (4 - num_children % 4) % 4
      - id: links
        type: u4
        repeat: expr
        repeat-expr: num_links
      - id: groups
        type: 'group(_index == 0 ? 0 : groups[_index - 1].end_child)'
        repeat: until
        repeat-until: _.end_child == num_children
    instances:
      header:
        value: _parent.as<inner_nodes>._parent.as<nodes>
      origin_x:
        value: header.grid_origin.x + header.grid_step * origin_codes[0]
      origin_y:
        value: header.grid_origin.y + header.grid_step * origin_codes[1]
      origin_z:
        value: header.grid_origin.z + header.grid_step * origin_codes[2]
      step_x:
        pos: 0
        size: 0
        type: scaled(7.174648137343064e-43, exponents[0])
        doc: 2^(e - 140)
      step_y:
        pos: 0
        size: 0
        type: scaled(7.174648137343064e-43, exponents[1])
      step_z:
        pos: 0
        size: 0
        type: scaled(7.174648137343064e-43, exponents[2])
      unit:
        pos: 0
        size: 0
        type: scaled(2.802596928649634e-45, extent)
        doc: 2^(E - 148)
      greatest_step:
        value: >-
          step_x.value >= step_y.value ?
          (step_x.value >= step_z.value ? step_x.value : step_z.value) :
          (step_y.value >= step_z.value ? step_y.value : step_z.value)

  child:
    params:
      - id: index
        type: u1
    seq:
      - id: code
        type: b5
      - id: volume_type
        type: b3
        enum: volume_type
        valid:
          in-enum: true
    instances:
      node:
        value: _parent.as<inner_node>
      number:
        value: node.first_child + index
      is_inner:
        value: code == 0
      has_link:
        value: code == 0 or code == 31
      first_link:
        value: 'index == 0 ? 0 : node.children[index - 1].end_link.as<u1>'
      end_link:
        value: 'first_link + (has_link ? 1 : 0)'
      place:
        value: node.links[first_link]
        if: is_inner
        doc: of an inner node, in words from the first inner node
      num_triangles:
        value: 'code == 31 ? node.links[first_link] : code'
        if: not is_inner
        doc: of a leaf
      end_of_type:
        value: 'index + 1 < node.num_children and node.children[index + 1].volume_type == volume_type ? node.children[index + 1].end_of_type.as<u1> : index + 1'
        doc: index of the next child with a volume of another type; num_children if there is no such child

  # The volumes of all children of one type. `first` is the index of the first of these children.
  group:
    params:
      - id: first
        type: u1
    seq:
      - id: volumes
        type:
          switch-on: volume_type
          cases:
            volume_type::obb: box_group(num_volumes, 0)
            volume_type::aabb: aligned_box_group(num_volumes)
            volume_type::sphere: ball_group(num_volumes)
            volume_type::rss: box_group(num_volumes, 0)
            volume_type::prism: box_group(num_volumes, 3)
            volume_type::kdop14: kdop_group(num_volumes, 7)
            volume_type::kdop18: kdop_group(num_volumes, 9)
            volume_type::kdop26: kdop_group(num_volumes, 13)
      - id: padding
        type: u1
        valid: 0
        repeat: expr
        repeat-expr: (4 - (num_volumes * bytes_each) % 4) % 4
    instances:
      node:
        value: _parent.as<inner_node>
      volume_type:
        value: node.children[first].volume_type
      end_child:
        value: node.children[first].end_of_type
      num_volumes:
        value: end_child - first
      bytes_each:
        value: '[11, 6, 5, 11, 14, 18, 26, 11].as<u1[]>[volume_type.to_i]'

  packed_center:
    params:
      - id: most_quarters
        type: u1
    seq:
      - id: x
        type: b10
      - id: y
        type: b10
      - id: z
        type: b10
      - id: quarters
        type: b2
        valid:
          expr: _ <= most_quarters

  packed_rotation:
    seq:
      - id: code_a
        type: b10
      - id: code_b
        type: b10
      - id: code_c
        type: b10
      - id: turns
        type: b2
        valid:
          max: 2
    instances:
      a:
        value: code_a - 512.0
      b:
        value: code_b - 512.0
      c:
        value: code_c - 512.0
      turned_0:
        pos: 0
        size: 0
        type: quaternion(a, b, c, 1233.0)
      turned_1:
        pos: 0
        size: 0
        type: turned(turned_0.x, turned_0.y, turned_0.z, turned_0.w)
      turned_2:
        pos: 0
        size: 0
        type: turned(turned_1.x, turned_1.y, turned_1.z, turned_1.w)
      x:
        value: 'turns == 0 ? turned_0.x : turns == 1 ? turned_1.x : turned_2.x'
      y:
        value: 'turns == 0 ? turned_0.y : turns == 1 ? turned_1.y : turned_2.y'
      z:
        value: 'turns == 0 ? turned_0.z : turns == 1 ? turned_1.z : turned_2.z'
      w:
        value: 'turns == 0 ? turned_0.w : turns == 1 ? turned_1.w : turned_2.w'
      frame:
        pos: 0
        size: 0
        type: rotation(x, y, z, w)

  quaternion:
    params:
      - id: x
        type: f8
      - id: y
        type: f8
      - id: z
        type: f8
      - id: w
        type: f8

  # A quaternion after one more turn, which moves each axis to the next.
  turned:
    params:
      - id: qx
        type: f8
      - id: qy
        type: f8
      - id: qz
        type: f8
      - id: qw
        type: f8
    instances:
      x:
        value: qw + qx + qy - qz
      y:
        value: qw + qy + qz - qx
      z:
        value: qw + qz + qx - qy
      w:
        value: qw - qx - qy - qz

  # A quaternion after one more quarter of a turn about the third axis, which makes the second axis the first.
  quartered:
    params:
      - id: qx
        type: f8
      - id: qy
        type: f8
      - id: qz
        type: f8
      - id: qw
        type: f8
    instances:
      x:
        value: qx + qy
      y:
        value: qy - qx
      z:
        value: qz + qw
      w:
        value: qw - qz

  # Oriented boxes, the boxes of prisms, or rectangle swept spheres, whose radius is half_2.
  box_group:
    params:
      - id: num_volumes
        type: u1
      - id: most_quarters
        type: u1
    seq:
      - id: centers
        type: packed_center(most_quarters)
        repeat: expr
        repeat-expr: num_volumes
      - id: rotations
        type: packed_rotation
        repeat: expr
        repeat-expr: num_volumes
      - id: halves_0
        type: u1
        repeat: expr
        repeat-expr: num_volumes
      - id: halves_1
        type: u1
        repeat: expr
        repeat-expr: num_volumes
      - id: halves_2
        type: u1
        repeat: expr
        repeat-expr: num_volumes
    instances:
      node:
        value: _parent.as<group>.node
      decoded:
        pos: 0
        size: 0
        type: decoded_box(_index)
        repeat: expr
        repeat-expr: num_volumes

  decoded_box:
    params:
      - id: i
        type: u1
    instances:
      group:
        value: _parent.as<box_group>
      node:
        value: group.node
      center_x:
        value: node.origin_x + node.step_x.value * group.centers[i].x
      center_y:
        value: node.origin_y + node.step_y.value * group.centers[i].y
      center_z:
        value: node.origin_z + node.step_z.value * group.centers[i].z
      half_0:
        value: node.unit.value * (group.halves_0[i] * group.halves_0[i])
      half_1:
        value: node.unit.value * (group.halves_1[i] * group.halves_1[i])
      half_2:
        value: node.unit.value * (group.halves_2[i] * group.halves_2[i])
      quarters:
        value: group.centers[i].quarters
      quartered_1:
        pos: 0
        size: 0
        type: quartered(group.rotations[i].x, group.rotations[i].y, group.rotations[i].z, group.rotations[i].w)
      quartered_2:
        pos: 0
        size: 0
        type: quartered(quartered_1.x, quartered_1.y, quartered_1.z, quartered_1.w)
      quartered_3:
        pos: 0
        size: 0
        type: quartered(quartered_2.x, quartered_2.y, quartered_2.z, quartered_2.w)
      x:
        value: 'quarters == 0 ? group.rotations[i].x : quarters == 1 ? quartered_1.x : quarters == 2 ? quartered_2.x : quartered_3.x'
      y:
        value: 'quarters == 0 ? group.rotations[i].y : quarters == 1 ? quartered_1.y : quarters == 2 ? quartered_2.y : quartered_3.y'
      z:
        value: 'quarters == 0 ? group.rotations[i].z : quarters == 1 ? quartered_1.z : quarters == 2 ? quartered_2.z : quartered_3.z'
      w:
        value: 'quarters == 0 ? group.rotations[i].w : quarters == 1 ? quartered_1.w : quarters == 2 ? quartered_2.w : quartered_3.w'
      frame:
        pos: 0
        size: 0
        type: rotation(x, y, z, w)

  aligned_box_group:
    params:
      - id: num_volumes
        type: u1
    seq:
      - id: lower
        type: u1
        repeat: expr
        repeat-expr: 3 * num_volumes
      - id: upper
        type: u1
        valid:
          min: lower[_index]
        repeat: expr
        repeat-expr: 3 * num_volumes
    instances:
      node:
        value: _parent.as<group>.node
      decoded:
        pos: 0
        size: 0
        type: decoded_aligned_box(_index)
        repeat: expr
        repeat-expr: num_volumes

  decoded_aligned_box:
    params:
      - id: i
        type: u1
    instances:
      group:
        value: _parent.as<aligned_box_group>
      node:
        value: group.node
      m:
        value: group.num_volumes
      lower_x:
        value: node.origin_x + node.step_x.value * (4 * group.lower[i])
      lower_y:
        value: node.origin_y + node.step_y.value * (4 * group.lower[m + i])
      lower_z:
        value: node.origin_z + node.step_z.value * (4 * group.lower[2 * m + i])
      upper_x:
        value: node.origin_x + node.step_x.value * (4 * group.upper[i])
      upper_y:
        value: node.origin_y + node.step_y.value * (4 * group.upper[m + i])
      upper_z:
        value: node.origin_z + node.step_z.value * (4 * group.upper[2 * m + i])

  ball_group:
    params:
      - id: num_volumes
        type: u1
    seq:
      - id: centers
        type: packed_center(0)
        repeat: expr
        repeat-expr: num_volumes
      - id: radii
        type: u1
        repeat: expr
        repeat-expr: num_volumes
    instances:
      node:
        value: _parent.as<group>.node
      decoded:
        pos: 0
        size: 0
        type: decoded_ball(_index)
        repeat: expr
        repeat-expr: num_volumes

  decoded_ball:
    params:
      - id: i
        type: u1
    instances:
      group:
        value: _parent.as<ball_group>
      node:
        value: group.node
      center_x:
        value: node.origin_x + node.step_x.value * group.centers[i].x
      center_y:
        value: node.origin_y + node.step_y.value * group.centers[i].y
      center_z:
        value: node.origin_z + node.step_z.value * group.centers[i].z
      radius:
        value: node.unit.value * (group.radii[i] * group.radii[i])

  kdop_group:
    params:
      - id: num_volumes
        type: u1
      - id: num_bounds
        type: u1
    seq:
      - id: lower
        type: u1
        repeat: expr
        repeat-expr: num_bounds * num_volumes
      - id: upper
        type: u1
        valid:
          min: lower[_index]
        repeat: expr
        repeat-expr: num_bounds * num_volumes
    instances:
      node:
        value: _parent.as<group>.node
      decoded:
        pos: 0
        size: 0
        type: decoded_kdop(_index)
        repeat: expr
        repeat-expr: num_volumes

  decoded_kdop:
    params:
      - id: i
        type: u1
    instances:
      group:
        value: _parent.as<kdop_group>
      bounds:
        pos: 0
        size: 0
        type: decoded_bound(group.num_bounds, _index, group.lower[_index * group.num_volumes + i], group.upper[_index * group.num_volumes + i])
        repeat: expr
        repeat-expr: group.num_bounds

  decoded_bound:
    params:
      - id: num_bounds
        type: u1
      - id: i
        type: u1
      - id: code_lower
        type: u1
      - id: code_upper
        type: u1
    instances:
      node:
        value: _parent.as<decoded_kdop>.group.node
      d:
        pos: 0
        size: 0
        type: direction(num_bounds, i)
      s:
        value: node.greatest_step
      base:
        value: ((d.x * node.origin_x + d.y * node.origin_y) + d.z * node.origin_z) - d.minus * (1020 * s)
      lower:
        value: base + (d.plus + d.minus) * (4 * s) * code_lower
      upper:
        value: base + (d.plus + d.minus) * (4 * s) * code_upper

enums:
  hull_kind:
    0: point
    1: segment
    2: polygon
    3: polyhedron
  edge_kind:
    0: convex
    1: concave
    2: flat
    3: boundary
    4: flipped
    5: non_manifold
  primitive_kind:
    0: box
    1: sphere
    2: capsule
    3: cylinder
    4: none
  volume_type:
    0: obb
    1: aabb
    2: sphere
    3: rss
    4: kdop14
    5: kdop18
    6: kdop26
    7: prism
