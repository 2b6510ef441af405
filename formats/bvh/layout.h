// The bytes of a .bvh file as C structs. README.md beside this file is the specification; this header is
// private to the reader, the writer and the queries, so that the layout can change under the public API.

#pragma once

#include "base/core/packed_node.h"
#include "base/core/packed_volume.h"
#include "bv/file.h"

#include <stdint.h>
#include <string.h>

#define BVH_MAGIC \
	"\x89"        \
	"BVH\r\n\x1a\n"
#define BVH_VERSION_MAJOR 1

// Made of the numbers, so that it can't tell another version than they do.
#define BVH_TEXT_OF( number ) #number
#define BVH_TEXT( number )    BVH_TEXT_OF( number )
#define BVH_VERSION_TEXT      BVH_TEXT( BVH_VERSION_MAJOR ) ".x"

enum
{
	bvh_magic_bytes = 8,
	bvh_byte_order = 0x01020304,
	bvh_alignment = 64,
	bvh_max_sections = 64,
	bvh_required = 1, ///< flag of a table entry: who does not know the section must refuse the file
	bvh_quantized_bits = 21,
	bvh_cluster_triangles = 64,
	bvh_short_vertices = 1 << 16, ///< a mesh of no more has indices of two bytes
	bvh_edge_bits = 3,
	bvh_root_floats = 26,    ///< of the largest volume
	bvh_max_parts = 4096,    ///< of a decomposition
	bvh_minor_of_prisms = 3, ///< the first minor version of the format that has version 2 of NODE
	bvh_first_types = 7,     ///< of volumes, that version 1 of NODE knows; prisms come behind them
};

/// Sections that this version knows, in the order in which they are written and checked.
typedef enum bvh_section
{
	bvh_section_origin,
	bvh_section_mesh,
	bvh_section_positions,
	bvh_section_triangles,
	bvh_section_bounds,
	bvh_section_hull,
	bvh_section_mass,
	bvh_section_nodes,
	bvh_section_edges,
	bvh_section_source,
	bvh_section_errors,
	bvh_section_primitives,
	bvh_section_adjacency,
	bvh_section_hull_topology,
	bvh_section_radius,
	bvh_section_node_quality,
	bvh_section_node_faces,
	bvh_section_parts,
	bvh_section_part_triangles,
	bvh_section_body,
	bvh_section_proxy,
	bvh_section_count,
} bvh_section;

/// The first 64 bytes of a file; the section table follows.
typedef struct bvh_header
{
	uint8_t magic[bvh_magic_bytes];
	uint64_t hash; ///< XXH3-64 of all that follows up to the end of the section table
	uint32_t byte_order;
	uint16_t version_major;
	uint16_t version_minor;
	uint64_t file_bytes;
	uint32_t section_count;
	uint32_t reserved[7]; ///< 0
} bvh_header;

/// One entry of the section table.
typedef struct bvh_entry
{
	char name[4];     ///< visible ASCII
	uint16_t version; ///< of the section, from 1
	uint16_t flags;   ///< bvh_required or 0
	uint64_t offset;  ///< from the file's first byte, a multiple of 64
	uint64_t bytes;
	uint64_t hash; ///< XXH3-64 of the section's bytes
} bvh_entry;

/// ORGN: this head, then the four texts one after another.
typedef struct bvh_origin
{
	uint8_t source_hash[16];
	uint32_t tool_bytes;
	uint32_t name_bytes;
	uint32_t format_bytes;
	uint32_t parameter_bytes;
} bvh_origin;

/// Mass properties of a body in MASS.
typedef struct bvh_mass
{
	double mass;
	double center_of_mass[3];
	double inertia[3][3];
} bvh_mass;

/// MESH
typedef struct bvh_mesh
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
} bvh_mesh;

/// MASS
typedef struct bvh_masses
{
	uint8_t has[3];      ///< by bv_mass_of
	uint8_t reserved[5]; ///< 0
	bvh_mass mass[3];    ///< by bv_mass_of
} bvh_masses;

/// BODY
typedef struct bvh_moving_body
{
	uint8_t of;          ///< bv_mass_of
	uint8_t from_mass;   ///< 1 if the mass was given, 0 if the density was
	uint8_t reserved[6]; ///< 0
	double density;
	bvh_mass mass; ///< with that density
} bvh_moving_body;

/// TRIS: this head, then the clusters, then the references of all clusters, then three codes a triangle.
typedef struct bvh_triangles
{
	uint32_t clusters;
	uint32_t references;
	uint8_t width;       ///< bytes of a reference, 2 or 4
	uint8_t reserved[7]; ///< 0
} bvh_triangles;

/// Triangles one after another. A code is an index into the list of their vertices: first those that clusters before
/// this one have as well, which are references, then the others, whose numbers are consecutive.
typedef struct bvh_cluster
{
	uint32_t first_new;       ///< vertex, the least that no cluster before this one has
	uint32_t first_reference; ///< of this cluster's
} bvh_cluster;

/// BNDS
typedef struct bvh_bounds
{
	float aabb_lower[3];
	float aabb_upper[3];
	float sphere_center[3];
	float sphere_radius;
	bv_packed_obb obb;
	float kdop_lower[BV_KDOP_DIRECTIONS]; ///< 26 planes
	float kdop_upper[BV_KDOP_DIRECTIONS];
	float capsule_ends[2][3];
	float capsule_radius;
	bv_packed_obb rss; ///< its third half extent is the radius
	uint32_t reserved;
} bvh_bounds;

/// HULL: this head, then the vertices, then the faces.
typedef struct bvh_hull
{
	uint8_t kind;
	uint8_t own;         ///< 1 if its vertices are positions, 0 if they are indices of the mesh's
	uint8_t reserved[2]; ///< 0
	uint32_t vertices;
	uint32_t faces;
	uint32_t reserved_2; ///< 0
	double volume;
} bvh_hull;

/// Costs between the types that version 1 of NODE knows, and of other steps.
typedef struct bvh_costs
{
	double volumes[bvh_first_types][bvh_first_types];
	double triangles;
	double opening;
	double leaf;
} bvh_costs;

/// NODE: this head, then bvh_prism_costs in version 2, then the inner nodes depth first, then BV_LANES_SLACK zeros.
typedef struct bvh_hierarchy
{
	uint32_t nodes;
	uint32_t leaves;
	uint32_t depth;
	uint32_t of_type[bvh_first_types]; ///< how many nodes have such a volume
	uint32_t node_words;               ///< words of 4 bytes of all inner nodes
	uint32_t root_triangles;           ///< 0 unless the root is a leaf
	uint32_t root_type;                ///< of its volume
	uint32_t prisms;                   ///< how many nodes have one: 0 in version 1, above 0 in version 2
	float root[bvh_root_floats];       ///< the root's volume, the rest 0
	bv_node_grid grid;                 ///< of the inner nodes' frames
	bvh_costs costs;                   ///< that the builder went by
} bvh_hierarchy;

/// What it costs to compare a prism with a volume of each type.
typedef struct bvh_prism_costs
{
	double volumes[bv_volume_types];
} bvh_prism_costs;

/// SRCE: this head, then the names' ends, the combinations, each triangle's face, each triangle's combination,
/// and the names one after another.
typedef struct bvh_source
{
	uint32_t names;
	uint32_t combinations;
	uint32_t text_bytes;
	uint32_t reserved; ///< 0
} bvh_source;

/// In place of a name's number: there is none.
#define BVH_NO_NAME 0xffffffffu

/// ERRS: this head, then the levels' errors, then two codes a node, by number: surface and solid. The public structs of intervals
/// are stored as they are: they consist of binary64 numbers only.
typedef struct bvh_errors
{
	double relative;
	double floor;
	bv_interval surface; ///< of the root
	bv_interval solid;   ///< of the root
	bv_errors_of all;
	uint32_t levels;
	uint32_t nodes;
} bvh_errors;

/// A node's error in units of its size (bvh_size_of): 0, or 16 to 31 sixteenths times a power of two. The largest code is
/// nearly four sizes, more than the diameter.
enum
{
	bvh_error_bits = 4,  ///< of the fraction
	bvh_error_bias = 18, ///< value = (16 + fraction) * 2^(exponent - this)
	bvh_error_codes = 256,
};

/// PRIM
typedef struct bvh_primitives
{
	double tolerance;
	uint32_t best;
	uint32_t reserved; ///< 0
	bv_packed_obb box;
	float sphere_center[3];
	float sphere_radius;
	float capsule_ends[2][3];
	float capsule_radius;
	float cylinder_ends[2][3];
	float cylinder_radius;
	bv_interval intervals[bv_primitive_kinds][3]; ///< from_surface, from_mesh, error
} bvh_primitives;

/// ADJC: as many as MESH counts.
typedef struct bvh_edge
{
	uint32_t vertex[2];
	uint32_t triangle[2];
	uint32_t kind;
} bvh_edge;

/// HTOP: this head, then the polygons, the half-edges, the ends of each vertex's neighbors, the neighbors, and the loose
/// vertices.
typedef struct bvh_hull_topology
{
	uint32_t polygons;
	uint32_t half_edges;
	uint32_t neighbors;
	uint32_t loose;
} bvh_hull_topology;

/// A polygon in HTOP.
typedef struct bvh_polygon
{
	double normal[3];
	double offset;
	uint32_t first_edge;
	uint32_t edge_count;
} bvh_polygon;

/// A half-edge in HTOP.
typedef struct bvh_half_edge
{
	uint32_t origin;
	uint32_t twin;
	uint32_t next;
	uint32_t polygon;
} bvh_half_edge;

/// NQAL: this head, then a bvh_node_quality for each node, by number.
typedef struct bvh_qualities
{
	double unit; ///< the root's surface area
} bvh_qualities;

/// A node in NQAL.
typedef struct bvh_node_quality
{
	float quality; ///< surface area of the volume, in units
	float worst;   ///< the largest quality of its children
	float cost;    ///< of opening it, as costs are in NODE
} bvh_node_quality;

/// NFAC: this head, then a box for each node, by number, then a byte for each: 1 if two faces of the box stand for the
/// triangles, else 0.
typedef struct bvh_faces
{
	double share; ///< of the box's size, which the distance of two faces is below
} bvh_faces;

/// PART: this head, then the parts, the nodes of the hierarchy over them, all parts' corners (three binary32 numbers each), all
/// parts' neighbors (four bytes each), and all parts' faces (three bytes each, numbers of the part's corners).
///
/// A part of n corners has 2 n - 4 faces, and n parts have 2 n - 1 nodes.
typedef struct bvh_parts
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
} bvh_parts;

/// A part in PART.
typedef struct bvh_part
{
	bvh_mass mass;
	bv_interval concavity;
	float lower[3];          ///< of its box
	float upper[3];          ///< of its box
	uint32_t first_vertex;   ///< how many corners the parts before it have
	uint32_t first_neighbor; ///< how many neighbors the parts before it have
} bvh_part;

/// A node over parts in PART.
typedef struct bvh_part_node
{
	float lower[3]; ///< of its box
	float upper[3]; ///< of its box
	uint32_t next;  ///< behind its subtree
	uint32_t part;  ///< of a leaf; else BVH_NO_PART
} bvh_part_node;

/// In place of a part's number: there is none.
#define BVH_NO_PART 0xffffffffu

/// PRXY: this head, then the vertices (three binary64 numbers each), then the triangles (three vertices of four bytes each).
typedef struct bvh_proxy
{
	uint32_t vertices;
	uint32_t triangles;
	uint32_t enclosed; ///< triangles of the mesh
	uint32_t reserved; ///< 0
	double tolerance;
	bv_interval from_proxy;
	bv_interval from_mesh;
} bvh_proxy;

_Static_assert( sizeof( bvh_proxy ) == 56, "the proxy's head is 56 bytes" );
_Static_assert( sizeof( bvh_parts ) == 48, "the parts' head is 48 bytes" );
_Static_assert( sizeof( bvh_part ) == 152, "a part is 152 bytes" );
_Static_assert( sizeof( bvh_part_node ) == 32, "a node over parts is 32 bytes" );
_Static_assert( sizeof( bvh_node_quality ) == 12, "a node's quality is 12 bytes" );
_Static_assert( sizeof( bv_packed_obb ) == 40, "a box is 40 bytes" );
_Static_assert( sizeof( bvh_edge ) == 20, "an edge is 20 bytes" );
_Static_assert( sizeof( bvh_polygon ) == 40, "a polygon is 40 bytes" );
_Static_assert( sizeof( bvh_header ) == 64, "a header is 64 bytes" );
_Static_assert( sizeof( bvh_entry ) == 32, "a table entry is 32 bytes" );
_Static_assert( sizeof( bvh_origin ) == 32, "the origin's head is 32 bytes" );
_Static_assert( sizeof( bvh_mesh ) == 144, "the mesh section is 144 bytes" );
_Static_assert( sizeof( bvh_masses ) == 320, "the masses are 320 bytes" );
_Static_assert( sizeof( bvh_moving_body ) == 120, "the body is 120 bytes" );
_Static_assert( sizeof( bvh_triangles ) == 16, "the triangles' head is 16 bytes" );
_Static_assert( sizeof( bvh_cluster ) == 8, "a cluster is 8 bytes" );
_Static_assert( sizeof( bvh_bounds ) == 256, "the bounds are 256 bytes" );
_Static_assert( sizeof( bvh_hull ) == 24, "the hull's head is 24 bytes" );
_Static_assert( sizeof( bvh_hierarchy ) == 608, "the nodes' head is 608 bytes" );
_Static_assert( sizeof( bvh_prism_costs ) == 64, "the costs of prisms are 64 bytes" );
_Static_assert( sizeof( bvh_errors ) == 120, "the errors' head is 120 bytes" );
_Static_assert( sizeof( bv_level_errors ) == 128, "a level's errors are 16 numbers" );
_Static_assert( sizeof( bvh_primitives ) == 320, "the primitives are 320 bytes" );
