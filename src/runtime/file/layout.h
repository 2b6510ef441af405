// The bytes of a .bvh file as C structs. formats/bvh/README.md is the specification; this header is
// private to the reader, the writer and the queries, so that the layout can change under the public API.

#pragma once

#include "bv/inspect.h"
#include "runtime/file/node.h"
#include "runtime/volume/kinds.h"

#include <stdint.h>
#include <string.h>

#define BVFILE_MAGIC \
	"\x89"           \
	"BVH\r\n\x1a\n"
#define BVFILE_VERSION_MAJOR 1

// Made of the numbers, so that it can't tell another version than they do.
#define BVFILE_TEXT_OF( number ) #number
#define BVFILE_TEXT( number )    BVFILE_TEXT_OF( number )
#define BVFILE_VERSION_TEXT      BVFILE_TEXT( BVFILE_VERSION_MAJOR ) ".x"

enum
{
	bvfile_magic_bytes = 8,
	bvfile_byte_order = 0x01020304,
	bvfile_alignment = 64,
	bvfile_max_sections = 64,
	bvfile_required = 1, ///< flag of a table entry: who does not know the section must refuse the file
	bvfile_quantized_bits = 21,
	bvfile_cluster_triangles = 64,
	bvfile_short_vertices = 1 << 16, ///< a mesh of no more has indices of two bytes
	bvfile_edge_bits = 3,
	bvfile_root_floats = 26,    ///< of the largest volume
	bvfile_max_parts = 4096,    ///< of a decomposition
	bvfile_minor_of_prisms = 3, ///< the first minor version of the format that has version 2 of NODE
	bvfile_minor_of_offset = 4, ///< the first that has version 2 of MESH
	bvfile_first_types = 7,     ///< of volumes, that version 1 of NODE knows
	bvfile_second_types = 8,    ///< that version 2 knows: prisms as well
};

/// The set of one section, for the last column of BVFILE_SECTIONS.
#define BVFILE_SET_OF( section ) ( 1u << bvfile_section_##section )

/// The sections that this version knows, a row each, in the order in which they are written and checked.
/// formats/bvh/sections.h has a row for each as well, of what only writers and reports need. A section's
/// check is bvfile_check_SECTION. A row has:
///
/// - the section, as in bvfile_section_SECTION, and the four characters of its name
/// - its newest version, and the flags of its entry in a file that is written
/// - the first minor version of the format that has it, and whether every file has it
/// - the sections without which it may not be
// clang-format off
#define BVFILE_SECTIONS( ROW )                                                                                       \
	ROW( origin,         "ORGN", 1, 0,               0, true,  0 )                                                   \
	ROW( mesh,           "MESH", 2, bvfile_required, 0, true,  0 )                                                   \
	ROW( positions,      "POSN", 1, bvfile_required, 0, false, BVFILE_SET_OF( triangles ) )                          \
	ROW( triangles,      "TRIS", 1, bvfile_required, 0, false, BVFILE_SET_OF( positions ) )                          \
	ROW( bounds,         "BNDS", 1, 0,               0, false, 0 )                                                   \
	ROW( hull,           "HULL", 1, bvfile_required, 0, false, 0 )                                                   \
	ROW( mass,           "MASS", 1, 0,               0, false, 0 )                                                   \
	ROW( nodes,          "NODE", 2, bvfile_required, 0, false, BVFILE_SET_OF( triangles ) )                          \
	ROW( edges,          "EDGE", 1, 0,               0, false, BVFILE_SET_OF( triangles ) )                          \
	ROW( source,         "SRCE", 1, 0,               0, false, BVFILE_SET_OF( triangles ) )                          \
	ROW( errors,         "ERRS", 1, 0,               0, false, BVFILE_SET_OF( nodes ) )                              \
	ROW( primitives,     "PRIM", 1, 0,               0, false, 0 )                                                   \
	ROW( adjacency,      "ADJC", 1, 0,               0, false, BVFILE_SET_OF( triangles ) )                          \
	ROW( hull_topology,  "HTOP", 1, 0,               0, false, BVFILE_SET_OF( hull ) )                               \
	ROW( radius,         "RADI", 1, 0,               0, false, BVFILE_SET_OF( nodes ) )                              \
	ROW( node_quality,   "NQAL", 1, 0,               0, false, BVFILE_SET_OF( nodes ) )                              \
	ROW( node_faces,     "NFAC", 1, 0,               0, false, BVFILE_SET_OF( nodes ) )                              \
	ROW( parts,          "PART", 1, 0,               1, false, 0 )                                                   \
	ROW( part_triangles, "PTRI", 1, 0,               1, false, BVFILE_SET_OF( parts ) | BVFILE_SET_OF( triangles ) ) \
	ROW( body,           "BODY", 1, 0,               2, false, 0 )                                                   \
	ROW( proxy,          "PRXY", 1, 0,               2, false, 0 )                                                   \
	ROW( clip,           "CLIP", 1, 0,               5, false, BVFILE_SET_OF( nodes ) )
// clang-format on

/// A section of this version, by its place in BVFILE_SECTIONS.
typedef enum bvfile_section
{
#define BVFILE_ROW( section, ... ) bvfile_section_##section,
	BVFILE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW
	bvfile_section_count,
} bvfile_section;

/// The first 64 bytes of a file; the section table follows.
typedef struct bvfile_header
{
	uint8_t magic[bvfile_magic_bytes];
	uint64_t hash; ///< XXH3-64 of all that follows up to the end of the section table
	uint32_t byte_order;
	uint16_t version_major;
	uint16_t version_minor;
	uint64_t file_bytes;
	uint32_t section_count;
	uint32_t reserved[7]; ///< 0
} bvfile_header;

/// One entry of the section table.
typedef struct bvfile_entry
{
	char name[4];     ///< visible ASCII
	uint16_t version; ///< of the section, from 1
	uint16_t flags;   ///< bvfile_required or 0
	uint64_t offset;  ///< from the file's first byte, a multiple of 64
	uint64_t bytes;
	uint64_t hash; ///< XXH3-64 of the section's bytes
} bvfile_entry;

/// ORGN: this head, then the four texts one after another.
typedef struct bvfile_origin
{
	uint8_t source_hash[16];
	uint32_t tool_bytes;
	uint32_t name_bytes;
	uint32_t format_bytes;
	uint32_t parameter_bytes;
} bvfile_origin;

/// Mass properties of a body in MASS.
typedef struct bvfile_mass
{
	double mass;
	double center_of_mass[3];
	double inertia[3][3];
} bvfile_mass;

/// MESH
typedef struct bvfile_mesh
{
	uint32_t vertices;
	uint32_t triangles;
	uint32_t edges;
	uint32_t components;
	uint32_t double_sided;
	uint32_t edges_of_kind[bv_edge_kinds];
	uint8_t closed;
	uint8_t manifold;
	uint8_t oriented;
	uint8_t quantized;
	uint8_t reserved[8]; ///< 0
	uint64_t removed_degenerate;
	uint64_t removed_duplicate;
	uint64_t removed_non_finite;
	uint64_t unused_vertices;
	uint64_t merged_vertices;
	double largest_displacement;
	double area;
	double grid_origin[3];
	double grid_step;
} bvfile_mesh;

/// A bv_vec3 follows bvfile_mesh in version 2 of MESH: the offset, which all positions in the file are relative
/// to.
_Static_assert( sizeof( bv_vec3 ) == 3 * sizeof( double ), "an offset is stored as a vector" );

/// MASS
typedef struct bvfile_masses
{
	uint8_t has[3];      ///< by bv_mass_of
	uint8_t reserved[5]; ///< 0
	bvfile_mass mass[3]; ///< by bv_mass_of
} bvfile_masses;

/// BODY
typedef struct bvfile_moving_body
{
	uint8_t of;          ///< bv_mass_of
	uint8_t from_mass;   ///< 1 if the mass was given, 0 if the density was
	uint8_t reserved[6]; ///< 0
	double density;
	bvfile_mass mass; ///< with that density
} bvfile_moving_body;

/// TRIS: this head, then the clusters, then the references of all clusters, then three codes a triangle.
typedef struct bvfile_triangles
{
	uint32_t clusters;
	uint32_t references;
	uint8_t width;       ///< bytes of a reference, 2 or 4
	uint8_t reserved[7]; ///< 0
} bvfile_triangles;

/// Triangles one after another. A code is an index into the list of their vertices: first those that clusters
/// before this one have as well, which are references, then the others, whose numbers are consecutive.
typedef struct bvfile_cluster
{
	uint32_t first_new;       ///< vertex, the least that no cluster before this one has
	uint32_t first_reference; ///< of this cluster's
} bvfile_cluster;

/// BNDS
typedef struct bvfile_bounds
{
	float aabb_lower[3];
	float aabb_upper[3];
	float sphere_center[3];
	float sphere_radius;
	bvvol_packed_obb obb;
	float kdop_lower[BV_KDOP_DIRECTIONS]; ///< 26 planes
	float kdop_upper[BV_KDOP_DIRECTIONS];
	float capsule_ends[2][3];
	float capsule_radius;
	bvvol_packed_obb rss; ///< its third half extent is the radius
	uint32_t reserved;
} bvfile_bounds;

/// HULL: this head, then the vertices, then the faces.
typedef struct bvfile_hull
{
	uint8_t kind;
	uint8_t own;         ///< 1 if its vertices are positions, 0 if they are indices of the mesh's
	uint8_t reserved[2]; ///< 0
	uint32_t vertices;
	uint32_t faces;
	uint32_t reserved_2; ///< 0
	double volume;
} bvfile_hull;

/// Costs between the types that version 1 of NODE knows, and of other steps.
typedef struct bvfile_costs
{
	double volumes[bvfile_first_types][bvfile_first_types];
	double triangles;
	double opening;
	double leaf;
} bvfile_costs;

/// NODE: this head, then bvfile_prism_costs in version 2, then the inner nodes depth first, then
/// BVFILE_LANES_SLACK zeros.
typedef struct bvfile_hierarchy
{
	uint32_t nodes;
	uint32_t leaves;
	uint32_t depth;
	uint32_t of_type[bvfile_first_types]; ///< how many nodes have such a volume
	uint32_t node_words;                  ///< words of 4 bytes of all inner nodes
	uint32_t root_triangles;              ///< 0 unless the root is a leaf
	uint32_t root_type;                   ///< of its volume
	uint32_t prisms;                      ///< how many nodes have one: 0 in version 1, above 0 in version 2
	float root[bvfile_root_floats];       ///< the root's volume, the rest 0
	bvfile_node_grid grid;                ///< of the inner nodes' frames
	bvfile_costs costs;                   ///< that the builder went by
} bvfile_hierarchy;

/// What it costs to compare a prism with a volume of each type.
typedef struct bvfile_prism_costs
{
	double volumes[bvfile_second_types];
} bvfile_prism_costs;

/// SRCE: this head, then the names' ends, the combinations, each triangle's face, each triangle's
/// combination, and the names one after another.
typedef struct bvfile_source
{
	uint32_t names;
	uint32_t combinations;
	uint32_t text_bytes;
	uint32_t reserved; ///< 0
} bvfile_source;

/// In place of a name's number: there is none.
#define BVFILE_NO_NAME 0xffffffffu

/// ERRS: this head, then the levels' errors, then two codes a node, by number: surface and solid. The public
/// structs of intervals are stored as they are: they consist of binary64 numbers only.
typedef struct bvfile_errors
{
	double relative;
	double floor;
	bv_interval surface; ///< of the root
	bv_interval solid;   ///< of the root
	bv_errors_of all;
	uint32_t levels;
	uint32_t nodes;
} bvfile_errors;

/// A node's error in units of its size (bvfile_size_of): 0, or 16 to 31 sixteenths times a power of two. The
/// largest code is nearly four sizes, more than the diameter.
enum
{
	bvfile_error_bits = 4,  ///< of the fraction
	bvfile_error_bias = 18, ///< value = (16 + fraction) * 2^(exponent - this)
	bvfile_error_codes = 256,
};

/// PRIM
typedef struct bvfile_primitives
{
	double tolerance;
	uint32_t best;
	uint32_t reserved; ///< 0
	bvvol_packed_obb box;
	float sphere_center[3];
	float sphere_radius;
	float capsule_ends[2][3];
	float capsule_radius;
	float cylinder_ends[2][3];
	float cylinder_radius;
	bv_interval intervals[bv_primitive_kinds][3]; ///< from_surface, from_mesh, error
} bvfile_primitives;

/// ADJC: as many as MESH counts.
typedef struct bvfile_edge
{
	uint32_t vertex[2];
	uint32_t triangle[2];
	uint32_t kind;
} bvfile_edge;

/// HTOP: this head, then the polygons, the half-edges, the ends of each vertex's neighbors, the neighbors,
/// and the loose vertices.
typedef struct bvfile_hull_topology
{
	uint32_t polygons;
	uint32_t half_edges;
	uint32_t neighbors;
	uint32_t loose;
} bvfile_hull_topology;

/// A polygon in HTOP.
typedef struct bvfile_polygon
{
	double normal[3];
	double offset;
	uint32_t first_edge;
	uint32_t edge_count;
} bvfile_polygon;

/// A half-edge in HTOP.
typedef struct bvfile_half_edge
{
	uint32_t origin;
	uint32_t twin;
	uint32_t next;
	uint32_t polygon;
} bvfile_half_edge;

/// NQAL: this head, then a bvfile_node_quality for each node, by number.
typedef struct bvfile_qualities
{
	double unit; ///< the root's surface area
} bvfile_qualities;

/// A node in NQAL.
typedef struct bvfile_node_quality
{
	float quality; ///< surface area of the volume, in units
	float worst;   ///< the largest quality of its children
	float cost;    ///< of opening it, as costs are in NODE
} bvfile_node_quality;

/// NFAC: this head, then a box for each node, by number, then a byte for each: 1 if two faces of the box
/// stand for the triangles, else 0.
typedef struct bvfile_faces
{
	double share; ///< of the box's size, which the distance of two faces is below
} bvfile_faces;

/// PART: this head, then the parts, the nodes of the hierarchy over them, all parts' corners (three binary32
/// numbers each), all parts' neighbors (four bytes each), and all parts' faces (three bytes each, numbers of
/// the part's corners).
///
/// A part of n corners has 2 n - 4 faces, and n parts have 2 n - 1 nodes.
typedef struct bvfile_parts
{
	uint32_t parts;
	uint32_t vertices;  ///< corners of all parts together
	uint32_t neighbors; ///< of all parts together
	uint8_t solid;
	uint8_t out_of_time;
	uint8_t reserved[2]; ///< 0
	double tolerance;
	double uncovered;
	bv_interval concavity; ///< of the whole
} bvfile_parts;

/// A part in PART.
typedef struct bvfile_part
{
	bvfile_mass mass;
	bv_interval concavity;
	float lower[3];          ///< of its box
	float upper[3];          ///< of its box
	uint32_t first_vertex;   ///< how many corners the parts before it have
	uint32_t first_neighbor; ///< how many neighbors the parts before it have
} bvfile_part;

/// A node over parts in PART.
typedef struct bvfile_part_node
{
	float lower[3]; ///< of its box
	float upper[3]; ///< of its box
	uint32_t next;  ///< behind its subtree
	uint32_t part;  ///< of a leaf; else BVFILE_NO_PART
} bvfile_part_node;

/// In place of a part's number: there is none.
#define BVFILE_NO_PART 0xffffffffu

/// PRXY: this head, then the vertices (three binary64 numbers each), then the triangles (three vertices of
/// four bytes each).
typedef struct bvfile_proxy
{
	uint32_t vertices;
	uint32_t triangles;
	uint32_t enclosed; ///< triangles of the mesh
	uint32_t reserved; ///< 0
	double tolerance;
	bv_interval from_proxy;
	bv_interval from_mesh;
} bvfile_proxy;

/// CLIP: this head, then the candidates, the samples, the boxes, the frames if there are any, and the name.
///
/// There is a box for each node over the whole clip, by number, and if there are several segments one for each node and
/// segment. Frames have a position for each vertex, by sample. Boxes and positions are in steps of a grid.
typedef struct bvfile_clip
{
	double start;
	double end;
	double origin[3]; ///< of the grid
	double step;
	uint32_t samples;
	uint32_t segments;
	uint32_t record;     ///< sample
	uint32_t candidates; ///< hierarchies that were tried
	uint32_t chosen;     ///< candidate
	uint32_t name_bytes;
	uint8_t moves;       ///< 0 if all vertices stay where they are
	uint8_t has_frames;  ///< 1 if positions at all samples follow the boxes
	uint8_t reserved[6]; ///< 0
} bvfile_clip;

/// A hierarchy that was tried, in CLIP.
typedef struct bvfile_clip_candidate
{
	double cost; ///< sum over all samples
	uint32_t sample;
	uint32_t nodes;
} bvfile_clip_candidate;

/// A sample in CLIP.
typedef struct bvfile_clip_sample
{
	double cost;
	double rebuilt; ///< 0 if no hierarchy was built for it
} bvfile_clip_sample;

/// A box in CLIP.
typedef struct bvfile_clip_box
{
	uint16_t lower[3];
	uint16_t upper[3];
	float error;
} bvfile_clip_box;

enum
{
	bvfile_max_clip_samples = 4096,
	bvfile_max_clip_candidates = 5,
};

_Static_assert( sizeof( bvfile_clip ) == 80, "the clip's head is 80 bytes" );
_Static_assert( sizeof( bvfile_clip_candidate ) == 16, "a candidate is 16 bytes" );
_Static_assert( sizeof( bvfile_clip_box ) == 16, "a box of a clip is 16 bytes" );
_Static_assert( sizeof( bvfile_proxy ) == 56, "the proxy's head is 56 bytes" );
_Static_assert( sizeof( bvfile_parts ) == 48, "the parts' head is 48 bytes" );
_Static_assert( sizeof( bvfile_part ) == 152, "a part is 152 bytes" );
_Static_assert( sizeof( bvfile_part_node ) == 32, "a node over parts is 32 bytes" );
_Static_assert( sizeof( bvfile_node_quality ) == 12, "a node's quality is 12 bytes" );
_Static_assert( sizeof( bvvol_packed_obb ) == 40, "a box is 40 bytes" );
_Static_assert( sizeof( bvfile_edge ) == 20, "an edge is 20 bytes" );
_Static_assert( sizeof( bvfile_polygon ) == 40, "a polygon is 40 bytes" );
_Static_assert( sizeof( bvfile_header ) == 64, "a header is 64 bytes" );
_Static_assert( sizeof( bvfile_entry ) == 32, "a table entry is 32 bytes" );
_Static_assert( sizeof( bvfile_origin ) == 32, "the origin's head is 32 bytes" );
_Static_assert( sizeof( bvfile_mesh ) == 144, "the mesh section is 144 bytes" );
_Static_assert( sizeof( bvfile_masses ) == 320, "the masses are 320 bytes" );
_Static_assert( sizeof( bvfile_moving_body ) == 120, "the body is 120 bytes" );
_Static_assert( sizeof( bvfile_triangles ) == 16, "the triangles' head is 16 bytes" );
_Static_assert( sizeof( bvfile_cluster ) == 8, "a cluster is 8 bytes" );
_Static_assert( sizeof( bvfile_bounds ) == 256, "the bounds are 256 bytes" );
_Static_assert( sizeof( bvfile_hull ) == 24, "the hull's head is 24 bytes" );
_Static_assert( sizeof( bvfile_hierarchy ) == 608, "the nodes' head is 608 bytes" );
_Static_assert( (int)bvfile_second_types == (int)bv_volume_types, "NODE has a version for each type" );
_Static_assert( sizeof( bvfile_prism_costs ) == 64, "the costs of prisms are 64 bytes" );
_Static_assert( sizeof( bvfile_errors ) == 120, "the errors' head is 120 bytes" );
_Static_assert( sizeof( bv_level_errors ) == 128, "a level's errors are 16 numbers" );
_Static_assert( sizeof( bvfile_primitives ) == 320, "the primitives are 320 bytes" );
