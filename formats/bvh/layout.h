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
#define BVH_VERSION_MINOR 0

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
	bvh_quantised_bits = 21,
	bvh_cluster_triangles = 64,
	bvh_short_vertices = 1 << 16, ///< a mesh of no more has indices of two bytes
	bvh_edge_bits = 3,
	bvh_root_floats = 26, ///< of the largest volume
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
	uint8_t quantised;
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

/// NODE: this head, then the inner nodes depth first, then BV_LANES_SLACK zeros.
typedef struct bvh_hierarchy
{
	uint32_t nodes;
	uint32_t leaves;
	uint32_t depth;
	uint32_t of_type[bv_volume_types]; ///< how many nodes have such a volume
	uint32_t node_words;               ///< words of 4 bytes of all inner nodes
	uint32_t root_triangles;           ///< 0 unless the root is a leaf
	uint32_t root_type;                ///< of its volume
	uint32_t reserved;                 ///< 0
	float root[bvh_root_floats];       ///< the root's volume, the rest 0
	bv_node_grid grid;                 ///< of the inner nodes' frames
	bv_costs costs;                    ///< that the builder went by
} bvh_hierarchy;

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

/// HTOP: this head, then the polygons, the half-edges, the ends of each vertex's neighbours, the neighbours, and the loose
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

_Static_assert( sizeof( bvh_node_quality ) == 12, "a node's quality is 12 bytes" );
_Static_assert( sizeof( bv_packed_obb ) == 40, "a box is 40 bytes" );
_Static_assert( sizeof( bvh_edge ) == 20, "an edge is 20 bytes" );
_Static_assert( sizeof( bvh_polygon ) == 40, "a polygon is 40 bytes" );
_Static_assert( sizeof( bvh_header ) == 64, "a header is 64 bytes" );
_Static_assert( sizeof( bvh_entry ) == 32, "a table entry is 32 bytes" );
_Static_assert( sizeof( bvh_origin ) == 32, "the origin's head is 32 bytes" );
_Static_assert( sizeof( bvh_mesh ) == 144, "the mesh section is 144 bytes" );
_Static_assert( sizeof( bvh_masses ) == 320, "the masses are 320 bytes" );
_Static_assert( sizeof( bvh_triangles ) == 16, "the triangles' head is 16 bytes" );
_Static_assert( sizeof( bvh_cluster ) == 8, "a cluster is 8 bytes" );
_Static_assert( sizeof( bvh_bounds ) == 256, "the bounds are 256 bytes" );
_Static_assert( sizeof( bvh_hull ) == 24, "the hull's head is 24 bytes" );
_Static_assert( sizeof( bvh_hierarchy ) == 608, "the nodes' head is 608 bytes" );
_Static_assert( sizeof( bvh_errors ) == 120, "the errors' head is 120 bytes" );
_Static_assert( sizeof( bv_level_errors ) == 128, "a level's errors are 16 numbers" );
_Static_assert( sizeof( bvh_primitives ) == 320, "the primitives are 320 bytes" );

/// What holds of a section whatever is in it.
typedef struct bvh_section_rule
{
	char name[5];     ///< four characters
	uint16_t version; ///< the newest that this reader knows
	uint16_t flags;   ///< of its entry, in a file that is written
	bool everywhere;  ///< every file has it
	uint32_t needs;   ///< bit 1 << bvh_section of each other section without which it may not be
} bvh_section_rule;

/// @param section  below bvh_section_count
static inline const bvh_section_rule* bvh_rule_of( bvh_section section )
{
	static const bvh_section_rule rules[bvh_section_count] = {
		[bvh_section_origin] = { "ORGN", 1, 0, true, 0 },
		[bvh_section_mesh] = { "MESH", 1, bvh_required, true, 0 },
		[bvh_section_positions] = { "POSN", 1, bvh_required, false, 1u << bvh_section_triangles },
		[bvh_section_triangles] = { "TRIS", 1, bvh_required, false, 1u << bvh_section_positions },
		[bvh_section_bounds] = { "BNDS", 1, 0, false, 0 },
		[bvh_section_hull] = { "HULL", 1, bvh_required, false, 0 },
		[bvh_section_nodes] = { "NODE", 1, bvh_required, false, 1u << bvh_section_triangles },
		[bvh_section_edges] = { "EDGE", 1, 0, false, 1u << bvh_section_triangles },
		[bvh_section_source] = { "SRCE", 1, 0, false, 1u << bvh_section_triangles },
		[bvh_section_errors] = { "ERRS", 1, 0, false, 1u << bvh_section_nodes },
		[bvh_section_primitives] = { "PRIM", 1, 0, false, 0 },
		[bvh_section_adjacency] = { "ADJC", 1, 0, false, 1u << bvh_section_triangles },
		[bvh_section_radius] = { "RADI", 1, 0, false, 1u << bvh_section_nodes },
		[bvh_section_node_quality] = { "NQAL", 1, 0, false, 1u << bvh_section_nodes },
		[bvh_section_node_faces] = { "NFAC", 1, 0, false, 1u << bvh_section_nodes },
		[bvh_section_hull_topology] = { "HTOP", 1, 0, false, 1u << bvh_section_hull },
		[bvh_section_mass] = { "MASS", 1, 0, false, 0 },
	};
	return rules + section;
}

/// @return the four characters of a section's name
static inline const char* bvh_section_name( bvh_section section )
{
	return bvh_rule_of( section )->name;
}

/// @param header  of a file whose section table is checked
/// @return the entry of a section, or null when the file does not have it in a version that is known
static inline const bvh_entry* bvh_entry_of( const bvh_header* header, bvh_section section )
{
	const bvh_section_rule* rule = bvh_rule_of( section );
	const bvh_entry* table = (const bvh_entry*)( header + 1 );
	for ( uint32_t i = 0; i < header->section_count; ++i )
	{
		if ( memcmp( table[i].name, rule->name, sizeof table[i].name ) == 0 )
		{
			return table[i].version <= rule->version ? table + i : NULL;
		}
	}
	return NULL;
}

/// @return a section, or null when the file does not have it
static inline const char* bvh_find( const bvh_header* header, bvh_section section )
{
	const bvh_entry* entry = bvh_entry_of( header, section );
	return entry ? (const char*)header + entry->offset : NULL;
}

/// TRIS taken apart.
typedef struct bvh_triangles_view
{
	const bvh_triangles* head; ///< null when the file has no triangles, and nothing else is defined then
	const bvh_cluster* clusters;
	const void* references; ///< uint16_t or, when head->width is 4, uint32_t
	const uint8_t* codes;   ///< three a triangle
} bvh_triangles_view;

/// @param section  null is allowed
static inline bvh_triangles_view bvh_triangles_view_of( const char* section )
{
	bvh_triangles_view v = { .head = (const bvh_triangles*)section };
	if ( section )
	{
		v.clusters = (const bvh_cluster*)( v.head + 1 );
		v.references = v.clusters + v.head->clusters;
		v.codes = (const uint8_t*)v.references + v.head->width * (size_t)v.head->references;
	}
	return v;
}

/// Where what queries need is in a checked file. Null is what the file does not have.
typedef struct bvh_view
{
	const bvh_header* header;
	const bvh_mesh* mesh;           ///< never null
	const void* positions;          ///< float[3] or, when mesh->quantised, uint64_t a vertex
	bvh_triangles_view triangles;   ///< its head is null or not as positions are
	const bvh_hierarchy* hierarchy; ///< null unless there are triangles
	const uint32_t* nodes;          ///< words of the inner nodes; null with hierarchy
} bvh_view;

/// @param file  checked by bv_file_open
static inline bvh_view bvh_view_of( const bv_file* file )
{
	const bvh_header* header = (const bvh_header*)file;
	bvh_view v = { .header = header };
	v.mesh = (const bvh_mesh*)bvh_find( header, bvh_section_mesh );
	v.positions = bvh_find( header, bvh_section_positions );
	v.triangles = bvh_triangles_view_of( bvh_find( header, bvh_section_triangles ) );
	v.hierarchy = (const bvh_hierarchy*)bvh_find( header, bvh_section_nodes );
	v.nodes = v.hierarchy ? (const uint32_t*)( v.hierarchy + 1 ) : NULL;
	return v;
}

/// @param place  of an inner node, in words: a link, or 0 for the root
static inline const bv_packed_node* bvh_node_at( const bvh_view* view, uint32_t place )
{
	return (const bv_packed_node*)( view->nodes + place );
}

/// @return the root's volume, decoded
static inline bv_volume bvh_root_volume( const bvh_view* view )
{
	return bv_volume_unpack( (bv_volume_type)view->hierarchy->root_type, view->hierarchy->root );
}

/// @return the section, or null when the file does not have it
static inline const char* bvh_optional( const bvh_view* view, bvh_section section, uint64_t* bytes )
{
	const bvh_entry* entry = bvh_entry_of( view->header, section );
	*bytes = entry ? entry->bytes : 0;
	return entry ? (const char*)view->header + entry->offset : NULL;
}

/// @param section  NQAL
static inline const bvh_node_quality* bvh_node_qualities( const char* section )
{
	return (const bvh_node_quality*)( section + sizeof( bvh_qualities ) );
}

/// NFAC taken apart.
typedef struct bvh_faces_view
{
	const bvh_faces* head;
	const bv_packed_obb* boxes; ///< by number
	const uint8_t* two;         ///< by number
} bvh_faces_view;

static inline bvh_faces_view bvh_faces_view_of( const char* section, uint32_t nodes )
{
	bvh_faces_view v;
	v.head = (const bvh_faces*)section;
	v.boxes = (const bv_packed_obb*)( v.head + 1 );
	v.two = (const uint8_t*)( v.boxes + nodes );
	return v;
}

/// @return whether a box is so thin along its third axis that two of its faces may stand for what is in it
static inline bool bvh_is_thin( const bv_packed_obb* box, double share )
{
	const float* h = box->half_extents;
	return 2 * (double)h[2] < share * ( ( (double)h[0] + h[1] ) + h[2] );
}

/// SRCE taken apart.
typedef struct bvh_source_view
{
	const bvh_source* head;
	const uint32_t* name_ends; ///< in the text, one a name, ascending
	const uint32_t ( *combinations )[3];
	const uint32_t* faces;
	const uint32_t* combination;
	const char* text;
} bvh_source_view;

static inline bvh_source_view bvh_source_view_of( const char* section, uint32_t triangles )
{
	bvh_source_view v;
	v.head = (const bvh_source*)section;
	v.name_ends = (const uint32_t*)( v.head + 1 );
	v.combinations = ( const uint32_t( * )[3] )( v.name_ends + v.head->names );
	v.faces = (const uint32_t*)( v.combinations + v.head->combinations );
	v.combination = v.faces + triangles;
	v.text = (const char*)( v.combination + triangles );
	return v;
}

/// ERRS taken apart.
typedef struct bvh_errors_view
{
	const bvh_errors* head;
	const bv_level_errors* levels;
	const uint8_t ( *nodes )[2]; ///< surface, solid; by number
} bvh_errors_view;

static inline bvh_errors_view bvh_errors_view_of( const char* section )
{
	bvh_errors_view v;
	v.head = (const bvh_errors*)section;
	v.levels = (const bv_level_errors*)( v.head + 1 );
	v.nodes = ( const uint8_t( * )[2] )( v.levels + v.head->levels );
	return v;
}

/// @return what errors of a volume are in units of: the sum of its half lengths (bv_volume_half_lengths), which half its
///         diameter does not exceed
double bvh_size_of( const bv_volume* volume );

/// @param size  bvh_size_of the volume
static inline double bvh_error_value( uint8_t code, double size )
{
	int fraction = ( 1 << bvh_error_bits ) + ( code & ( ( 1 << bvh_error_bits ) - 1 ) );
	return code ? size * ( fraction * bv_power_of_two( ( code >> bvh_error_bits ) - bvh_error_bias ) ) : 0;
}

/// The vertices of a triangle.
/// @param index  below the mesh's triangles
static inline void bvh_triangle( const bvh_view* view, uint32_t index, uint32_t corner[3] )
{
	const bvh_triangles_view* v = &view->triangles;
	const uint8_t* code = v->codes + 3 * (size_t)index;
	uint32_t k = index / bvh_cluster_triangles;
	uint32_t first = v->clusters[k].first_reference;
	uint32_t end = k + 1 < v->head->clusters ? v->clusters[k + 1].first_reference : v->head->references;
	uint32_t old = end - first;
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = code[i] >= old        ? v->clusters[k].first_new + ( code[i] - old )
		            : v->head->width == 2 ? ( (const uint16_t*)v->references )[first + code[i]]
		                                  : ( (const uint32_t*)v->references )[first + code[i]];
	}
}

/// Decodes a position with the arithmetic that the specification fixes.
/// @param positions  of the mesh or of the hull
static inline bv_vec3 bvh_position_of( const bvh_mesh* mesh, const void* positions, uint32_t index )
{
	if ( mesh->quantised )
	{
		const double* origin = mesh->grid_origin;
		double step = mesh->grid_step;
		uint64_t code = ( (const uint64_t*)positions )[index];
		uint64_t mask = ( UINT64_C( 1 ) << bvh_quantised_bits ) - 1;
		return ( bv_vec3 ){ origin[0] + step * (double)( code & mask ),
			                origin[1] + step * (double)( code >> bvh_quantised_bits & mask ),
			                origin[2] + step * (double)( code >> ( 2 * bvh_quantised_bits ) & mask ) };
	}
	const float* p = (const float*)positions + 3 * (size_t)index;
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

/// @return the position of a vertex
/// @param index  below view->mesh->vertices
static inline bv_vec3 bvh_position( const bvh_view* view, uint32_t index )
{
	return bvh_position_of( view->mesh, view->positions, index );
}

/// @return bytes of a stored position
static inline uint32_t bvh_position_bytes( const bvh_mesh* mesh )
{
	return mesh->quantised ? sizeof( uint64_t ) : 3 * sizeof( float );
}

/// @return bytes of an index of one of so many things
static inline uint32_t bvh_index_bytes( uint32_t count )
{
	return count <= 1u << 8 ? 1 : count <= 1u << 16 ? 2 : 4;
}

/// @return an index of so many bytes
static inline uint32_t bvh_index_at( const void* indices, uint32_t width, size_t at )
{
	return width == 1   ? ( (const uint8_t*)indices )[at]
	       : width == 2 ? ( (const uint16_t*)indices )[at]
	                    : ( (const uint32_t*)indices )[at];
}

/// HULL taken apart.
typedef struct bvh_hull_view
{
	const bvh_hull* head;  ///< null when the file has no hull, and nothing else is defined then
	const void* vertices;  ///< positions or indices of the mesh's
	uint32_t vertex_bytes; ///< of one
	const void* faces;     ///< three indices each
	uint32_t face_bytes;   ///< of an index
} bvh_hull_view;

/// @param section  null is allowed
static inline bvh_hull_view bvh_hull_view_of( const char* section, const bvh_mesh* mesh )
{
	bvh_hull_view v = { .head = (const bvh_hull*)section };
	if ( section )
	{
		uint32_t short_or_long = mesh->vertices <= bvh_short_vertices ? 2 : 4;
		v.vertices = v.head + 1;
		v.vertex_bytes = v.head->own ? bvh_position_bytes( mesh ) : short_or_long;
		v.faces = (const char*)v.vertices + v.vertex_bytes * (size_t)v.head->vertices;
		v.face_bytes = bvh_index_bytes( v.head->vertices );
	}
	return v;
}

/// HTOP taken apart.
typedef struct bvh_hull_topology_view
{
	const bvh_hull_topology* head;
	const bvh_polygon* polygons;
	const bvh_half_edge* half_edges;
	const uint32_t* first_neighbor; ///< one more than the hull has vertices
	const uint32_t* neighbors;
	const uint32_t* loose;
} bvh_hull_topology_view;

/// @param vertices  of the hull
static inline bvh_hull_topology_view bvh_hull_topology_view_of( const char* section, uint32_t vertices )
{
	bvh_hull_topology_view v;
	v.head = (const bvh_hull_topology*)section;
	v.polygons = (const bvh_polygon*)( v.head + 1 );
	v.half_edges = (const bvh_half_edge*)( v.polygons + v.head->polygons );
	v.first_neighbor = (const uint32_t*)( v.half_edges + v.head->half_edges );
	v.neighbors = v.first_neighbor + vertices + 1;
	v.loose = v.neighbors + v.head->neighbors;
	return v;
}
