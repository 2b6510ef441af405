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
#define BVH_VERSION_MAJOR 0
#define BVH_VERSION_MINOR 6

// Made of the numbers, so that it can't tell another version than they do.
#define BVH_TEXT_OF( number ) #number
#define BVH_TEXT( number )    BVH_TEXT_OF( number )
#define BVH_VERSION_TEXT      BVH_TEXT( BVH_VERSION_MAJOR ) "." BVH_TEXT( BVH_VERSION_MINOR )

enum
{
	bvh_magic_bytes = 8,
	bvh_byte_order = 0x01020304,
	bvh_alignment = 64,
	bvh_quantised_bits = 21,
	bvh_edge_bits = 3,
	bvh_root_floats = 26, ///< of the largest volume
};

/// Sections in the order in which every file has them. Those from bvh_section_required on may be missing.
typedef enum bvh_section
{
	bvh_section_origin,
	bvh_section_mesh,
	bvh_section_positions,
	bvh_section_triangles,
	bvh_section_bounds,
	bvh_section_hull,
	bvh_section_nodes,
	bvh_section_edges,
	bvh_section_source,
	bvh_section_errors,
	bvh_section_primitives,
	bvh_section_count,
	bvh_section_required = bvh_section_edges,
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
	char name[4];
	uint32_t version;
	uint64_t offset; ///< from the file's first byte, a multiple of 64
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

/// Mass properties in MESH.
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
	uint8_t has_mass[3]; ///< by bv_mass_of
	uint8_t reserved[5]; ///< 0
	uint64_t removed_degenerate;
	uint64_t removed_duplicate;
	uint64_t removed_non_finite;
	uint64_t unused_vertices;
	uint64_t merged_vertices;
	double largest_displacement;
	bvh_mass mass[3]; ///< by bv_mass_of
	double grid_origin[3];
	double grid_step;
} bvh_mesh;

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
	uint32_t kind;
	uint32_t vertices;
	uint32_t faces;
	uint32_t reserved; ///< 0
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
	bvh_error_bits = 4,   ///< of the fraction
	bvh_error_bias = 18,  ///< value = (16 + fraction) * 2^(exponent - this)
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

_Static_assert( sizeof( bvh_header ) == 64, "a header is 64 bytes" );
_Static_assert( sizeof( bvh_entry ) == 32, "a table entry is 32 bytes" );
_Static_assert( sizeof( bvh_origin ) == 32, "the origin's head is 32 bytes" );
_Static_assert( sizeof( bvh_mesh ) == 448, "the mesh section is 448 bytes" );
_Static_assert( sizeof( bvh_bounds ) == 256, "the bounds are 256 bytes" );
_Static_assert( sizeof( bvh_hull ) == 24, "the hull's head is 24 bytes" );
_Static_assert( sizeof( bvh_hierarchy ) == 608, "the nodes' head is 608 bytes" );
_Static_assert( sizeof( bvh_errors ) == 120, "the errors' head is 120 bytes" );
_Static_assert( sizeof( bv_level_errors ) == 128, "a level's errors are 16 numbers" );
_Static_assert( sizeof( bvh_primitives ) == 320, "the primitives are 320 bytes" );

/// Where everything is in a checked file.
typedef struct bvh_view
{
	const bvh_header* header;
	const bvh_entry* table;
	const bvh_origin* origin;
	const bvh_mesh* mesh;
	const void* positions; ///< float[3] or, when mesh->quantised, uint64_t a vertex
	const uint32_t ( *triangles )[3];
	const bvh_bounds* bounds;
	const bvh_hull* hull;
	const uint32_t* hull_vertices;
	const uint32_t ( *hull_faces )[3];
	const bvh_hierarchy* hierarchy;
	const uint32_t* nodes; ///< words of the inner nodes
} bvh_view;

/// @param file  checked by bv_file_open
static inline bvh_view bvh_view_of( const bv_file* file )
{
	const char* base = (const char*)file;
	bvh_view v;
	v.header = (const bvh_header*)base;
	v.table = (const bvh_entry*)( v.header + 1 );
	v.origin = (const bvh_origin*)( base + v.table[bvh_section_origin].offset );
	v.mesh = (const bvh_mesh*)( base + v.table[bvh_section_mesh].offset );
	v.positions = base + v.table[bvh_section_positions].offset;
	v.triangles = ( const uint32_t( * )[3] )( base + v.table[bvh_section_triangles].offset );
	v.bounds = (const bvh_bounds*)( base + v.table[bvh_section_bounds].offset );
	v.hull = (const bvh_hull*)( base + v.table[bvh_section_hull].offset );
	v.hull_vertices = (const uint32_t*)( v.hull + 1 );
	v.hull_faces = ( const uint32_t( * )[3] )( v.hull_vertices + v.hull->vertices );
	v.hierarchy = (const bvh_hierarchy*)( base + v.table[bvh_section_nodes].offset );
	v.nodes = (const uint32_t*)( v.hierarchy + 1 );
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

/// @return the four characters of a section's name
static inline const char* bvh_section_name( bvh_section section )
{
	static const char* const names[bvh_section_count] = { "ORGN", "MESH", "POSN", "TRIS", "BNDS", "HULL",
		                                                  "NODE", "EDGE", "SRCE", "ERRS", "PRIM" };
	return names[section];
}

/// @return the section, or null when the file does not have it
static inline const char* bvh_optional( const bvh_view* view, bvh_section section, uint64_t* bytes )
{
	for ( uint32_t i = bvh_section_required; i < view->header->section_count; ++i )
	{
		if ( memcmp( view->table[i].name, bvh_section_name( section ), 4 ) == 0 )
		{
			*bytes = view->table[i].bytes;
			return (const char*)view->header + view->table[i].offset;
		}
	}
	return NULL;
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

/// The corners of a triangle.
/// @param index  below view->mesh->triangles
static inline void bvh_triangle( const bvh_view* view, uint32_t index, uint32_t corner[3] )
{
	memcpy( corner, view->triangles[index], 3 * sizeof *corner );
}

/// Decodes a vertex with the arithmetic that the specification fixes.
/// @param index  below view->mesh->vertices
static inline bv_vec3 bvh_position( const bvh_view* view, uint32_t index )
{
	if ( view->mesh->quantised )
	{
		const double* origin = view->mesh->grid_origin;
		double step = view->mesh->grid_step;
		uint64_t code = ( (const uint64_t*)view->positions )[index];
		uint64_t mask = ( UINT64_C( 1 ) << bvh_quantised_bits ) - 1;
		return ( bv_vec3 ){ origin[0] + step * (double)( code & mask ),
			                origin[1] + step * (double)( code >> bvh_quantised_bits & mask ),
			                origin[2] + step * (double)( code >> ( 2 * bvh_quantised_bits ) & mask ) };
	}
	const float* p = (const float*)view->positions + 3 * (size_t)index;
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}
