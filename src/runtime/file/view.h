// A checked .bvh file taken apart: where its sections are, what is in them, and how stored numbers decode.
// layout.h has their bytes. Private, as that is.

#pragma once

#include "runtime/file/layout.h"

/// What holds of a section whatever is in it.
typedef struct bvfile_section_rule
{
	char name[5];     ///< four characters
	uint16_t version; ///< the newest that this reader knows
	uint16_t flags;   ///< of its entry, in a file that is written
	uint16_t minor;   ///< the first minor version of the format that has it
	bool everywhere;  ///< every file has it
	uint32_t needs;   ///< bit 1 << bvfile_section of each other section without which it may not be
} bvfile_section_rule;

/// @param section  below bvfile_section_count
static inline const bvfile_section_rule* bvfile_rule_of( bvfile_section section )
{
#define BVFILE_ROW( section, ... ) [bvfile_section_##section] = { __VA_ARGS__ },
	static const bvfile_section_rule rules[bvfile_section_count] = { BVFILE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	return rules + section;
}

/// @return the four characters of a section's name
static inline const char* bvfile_section_name( bvfile_section section )
{
	return bvfile_rule_of( section )->name;
}

/// @param header  of a file whose section table is checked
/// @return the entry of a section, or null when the file does not have it in a version that is known
static inline const bvfile_entry* bvfile_entry_of( const bvfile_header* header, bvfile_section section )
{
	const bvfile_section_rule* rule = bvfile_rule_of( section );
	const bvfile_entry* table = (const bvfile_entry*)( header + 1 );
	// Sections are written in the order of their numbers, so that this one is at its number unless one before
	// it is missing.
	uint32_t i = (uint32_t)section;
	if ( i >= header->section_count || memcmp( table[i].name, rule->name, sizeof table[i].name ) != 0 )
	{
		for ( i = 0; i < header->section_count; ++i )
		{
			if ( memcmp( table[i].name, rule->name, sizeof table[i].name ) == 0 )
			{
				break;
			}
		}
	}
	return i < header->section_count && table[i].version <= rule->version ? table + i : NULL;
}

/// @return a section, or null when the file does not have it
static inline const char* bvfile_find( const bvfile_header* header, bvfile_section section )
{
	const bvfile_entry* entry = bvfile_entry_of( header, section );
	return entry ? (const char*)header + entry->offset : NULL;
}

/// TRIS taken apart.
typedef struct bvfile_triangles_view
{
	const bvfile_triangles* head; ///< null when the file has no triangles, and nothing else is defined then
	const bvfile_cluster* clusters;
	const void* references; ///< uint16_t or, when head->width is 4, uint32_t
	const uint8_t* codes;   ///< three a triangle
} bvfile_triangles_view;

/// @param section  null is allowed
static inline bvfile_triangles_view bvfile_triangles_view_of( const char* section )
{
	bvfile_triangles_view v = { .head = (const bvfile_triangles*)section };
	if ( section )
	{
		v.clusters = (const bvfile_cluster*)( v.head + 1 );
		v.references = v.clusters + v.head->clusters;
		v.codes = (const uint8_t*)v.references + v.head->width * (size_t)v.head->references;
	}
	return v;
}

/// Where what queries need is in a checked file. Null is what the file does not have.
typedef struct bvfile_view
{
	const bvfile_header* header;
	const bvfile_mesh* mesh;           ///< never null
	const bv_vec3* offset;             ///< null unless positions are relative to one
	const void* positions;             ///< float[3] or, when mesh->quantized, uint64_t a vertex
	bvfile_triangles_view triangles;   ///< its head is null or not as positions are
	const bvfile_hierarchy* hierarchy; ///< null unless there are triangles
	const uint32_t* nodes;             ///< words of the inner nodes; null with hierarchy
} bvfile_view;

/// @param header  of a file whose section table is checked
/// @return the point that positions are relative to; null if that is (0, 0, 0)
static inline const bv_vec3* bvfile_offset_of( const bvfile_header* header )
{
	const bvfile_entry* entry = bvfile_entry_of( header, bvfile_section_mesh );
	bool has = entry && entry->version > 1;
	return has ? (const bv_vec3*)( (const char*)header + entry->offset + sizeof( bvfile_mesh ) ) : NULL;
}

/// @return the position plus the offset, if there is one
static inline bv_vec3 bvfile_with_offset( bv_vec3 position, const bv_vec3* offset )
{
	return offset ? bv_add( position, *offset ) : position;
}

/// @return what a comparison of a prism costs; null where there is none
static inline const bvfile_prism_costs* bvfile_prism_costs_of( const bvfile_hierarchy* head )
{
	return head->prisms > 0 ? (const bvfile_prism_costs*)( head + 1 ) : NULL;
}

/// @return the words of the inner nodes
static inline const uint32_t* bvfile_node_words( const bvfile_hierarchy* head )
{
	return (const uint32_t*)( (const char*)( head + 1 ) +
	                          ( head->prisms > 0 ? sizeof( bvfile_prism_costs ) : 0 ) );
}

/// @return how many nodes have a volume of a type
static inline uint32_t bvfile_count_of_type( const bvfile_hierarchy* head, uint32_t type )
{
	return type < bvfile_first_types ? head->of_type[type] : head->prisms;
}

/// A query of a few nanoseconds begins with this.
/// @param file  checked by bv_file_open
static inline bvfile_view bvfile_view_of( const bv_file* file )
{
	const bvfile_header* header = (const bvfile_header*)file;
	bvfile_view v = { .header = header };
	v.mesh = (const bvfile_mesh*)bvfile_find( header, bvfile_section_mesh );
	v.offset = bvfile_offset_of( header );
	v.positions = bvfile_find( header, bvfile_section_positions );
	v.triangles = bvfile_triangles_view_of( bvfile_find( header, bvfile_section_triangles ) );
	v.hierarchy = (const bvfile_hierarchy*)bvfile_find( header, bvfile_section_nodes );
	v.nodes = v.hierarchy ? bvfile_node_words( v.hierarchy ) : NULL;
	return v;
}

/// @param place  of an inner node, in words: a link, or 0 for the root
static inline const bvfile_packed_node* bvfile_node_at( const bvfile_view* view, uint32_t place )
{
	return (const bvfile_packed_node*)( view->nodes + place );
}

/// @return the root's volume, decoded
static inline bv_volume bvfile_root_volume( const bvfile_view* view )
{
	return bvvol_unpack( (bv_volume_type)view->hierarchy->root_type, view->hierarchy->root );
}

/// @param section  NQAL
static inline const bvfile_node_quality* bvfile_node_qualities( const char* section )
{
	return (const bvfile_node_quality*)( section + sizeof( bvfile_qualities ) );
}

/// NFAC taken apart.
typedef struct bvfile_faces_view
{
	const bvfile_faces* head;
	const bvvol_packed_obb* boxes; ///< by number
	const uint8_t* two;            ///< by number
} bvfile_faces_view;

static inline bvfile_faces_view bvfile_faces_view_of( const char* section, uint32_t nodes )
{
	bvfile_faces_view v;
	v.head = (const bvfile_faces*)section;
	v.boxes = (const bvvol_packed_obb*)( v.head + 1 );
	v.two = (const uint8_t*)( v.boxes + nodes );
	return v;
}

/// @return whether a box is so thin along its third axis that two of its faces may stand for what is in it
static inline bool bvfile_is_thin( const bvvol_packed_obb* box, double share )
{
	const float* h = box->half_extents;
	return 2 * (double)h[2] < share * ( ( (double)h[0] + h[1] ) + h[2] );
}

/// SRCE taken apart.
typedef struct bvfile_source_view
{
	const bvfile_source* head;
	const uint32_t* name_ends; ///< in the text, one a name, ascending
	const uint32_t ( *combinations )[3];
	const uint32_t* faces;
	const uint32_t* combination;
	const char* text;
} bvfile_source_view;

static inline bvfile_source_view bvfile_source_view_of( const char* section, uint32_t triangles )
{
	bvfile_source_view v;
	v.head = (const bvfile_source*)section;
	v.name_ends = (const uint32_t*)( v.head + 1 );
	v.combinations = ( const uint32_t( * )[3] )( v.name_ends + v.head->names );
	v.faces = (const uint32_t*)( v.combinations + v.head->combinations );
	v.combination = v.faces + triangles;
	v.text = (const char*)( v.combination + triangles );
	return v;
}

/// ERRS taken apart.
typedef struct bvfile_errors_view
{
	const bvfile_errors* head;
	const bv_level_errors* levels;
	const uint8_t ( *nodes )[2]; ///< surface, solid; by number
} bvfile_errors_view;

static inline bvfile_errors_view bvfile_errors_view_of( const char* section )
{
	bvfile_errors_view v;
	v.head = (const bvfile_errors*)section;
	v.levels = (const bv_level_errors*)( v.head + 1 );
	v.nodes = ( const uint8_t( * )[2] )( v.levels + v.head->levels );
	return v;
}

/// @return what errors of a volume are in units of: the sum of its half lengths (bvvol_half_lengths), which
///         half its diameter does not exceed
double bvfile_size_of( const bv_volume* volume );

/// @param size  bvfile_size_of the volume
static inline double bvfile_error_value( uint8_t code, double size )
{
	int fraction = ( 1 << bvfile_error_bits ) + ( code & ( ( 1 << bvfile_error_bits ) - 1 ) );
	return code ? size *
	                  ( fraction * bvfile_power_of_two( ( code >> bvfile_error_bits ) - bvfile_error_bias ) )
	            : 0;
}

/// @param error  at most the value of the largest code
/// @param size   bvfile_size_of the volume
/// @return the least code whose value is not below the error
uint8_t bvfile_error_code( double error, double size );

/// The vertices of a triangle.
/// @param index  below the mesh's triangles
static inline void bvfile_triangle( const bvfile_view* view, uint32_t index, uint32_t corner[3] )
{
	const bvfile_triangles_view* v = &view->triangles;
	const uint8_t* code = v->codes + 3 * (size_t)index;
	uint32_t k = index / bvfile_cluster_triangles;
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
static inline bv_vec3 bvfile_position_of( const bvfile_mesh* mesh, const void* positions, uint32_t index )
{
	if ( mesh->quantized )
	{
		const double* origin = mesh->grid_origin;
		double step = mesh->grid_step;
		uint64_t code = ( (const uint64_t*)positions )[index];
		uint64_t mask = ( UINT64_C( 1 ) << bvfile_quantized_bits ) - 1;
		return ( bv_vec3 ){ origin[0] + step * (double)( code & mask ),
			                origin[1] + step * (double)( code >> bvfile_quantized_bits & mask ),
			                origin[2] + step * (double)( code >> ( 2 * bvfile_quantized_bits ) & mask ) };
	}
	const float* p = (const float*)positions + 3 * (size_t)index;
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

/// @return the position of a vertex
/// @param index  below view->mesh->vertices
static inline bv_vec3 bvfile_position( const bvfile_view* view, uint32_t index )
{
	return bvfile_position_of( view->mesh, view->positions, index );
}

/// @return bytes of a stored position
static inline uint32_t bvfile_position_bytes( const bvfile_mesh* mesh )
{
	return mesh->quantized ? sizeof( uint64_t ) : 3 * sizeof( float );
}

/// @return bytes of an index of one of so many things
static inline uint32_t bvfile_index_bytes( uint32_t count )
{
	return count <= 1u << 8 ? 1 : count <= 1u << 16 ? 2 : 4;
}

/// @return an index of so many bytes
static inline uint32_t bvfile_index_at( const void* indices, uint32_t width, size_t at )
{
	return width == 1   ? ( (const uint8_t*)indices )[at]
	       : width == 2 ? ( (const uint16_t*)indices )[at]
	                    : ( (const uint32_t*)indices )[at];
}

/// HULL taken apart.
typedef struct bvfile_hull_view
{
	const bvfile_hull* head; ///< null when the file has no hull, and nothing else is defined then
	const void* vertices;    ///< positions or indices of the mesh's
	uint32_t vertex_bytes;   ///< of one
	const void* faces;       ///< three indices each
	uint32_t face_bytes;     ///< of an index
} bvfile_hull_view;

/// @param section  null is allowed
static inline bvfile_hull_view bvfile_hull_view_of( const char* section, const bvfile_mesh* mesh )
{
	bvfile_hull_view v = { .head = (const bvfile_hull*)section };
	if ( section )
	{
		uint32_t short_or_long = mesh->vertices <= bvfile_short_vertices ? 2 : 4;
		v.vertices = v.head + 1;
		v.vertex_bytes = v.head->own ? bvfile_position_bytes( mesh ) : short_or_long;
		v.faces = (const char*)v.vertices + v.vertex_bytes * (size_t)v.head->vertices;
		v.face_bytes = bvfile_index_bytes( v.head->vertices );
	}
	return v;
}

/// HTOP taken apart.
typedef struct bvfile_hull_topology_view
{
	const bvfile_hull_topology* head;
	const bvfile_polygon* polygons;
	const bvfile_half_edge* half_edges;
	const uint32_t* first_neighbor; ///< one more than the hull has vertices
	const uint32_t* neighbors;
	const uint32_t* loose;
} bvfile_hull_topology_view;

/// @param vertices  of the hull
static inline bvfile_hull_topology_view bvfile_hull_topology_view_of( const char* section, uint32_t vertices )
{
	bvfile_hull_topology_view v;
	v.head = (const bvfile_hull_topology*)section;
	v.polygons = (const bvfile_polygon*)( v.head + 1 );
	v.half_edges = (const bvfile_half_edge*)( v.polygons + v.head->polygons );
	v.first_neighbor = (const uint32_t*)( v.half_edges + v.head->half_edges );
	v.neighbors = v.first_neighbor + vertices + 1;
	v.loose = v.neighbors + v.head->neighbors;
	return v;
}

/// PART taken apart.
typedef struct bvfile_parts_view
{
	const bvfile_parts* head; ///< null when the file has no parts, and nothing else is defined then
	const bvfile_part* parts;
	const bvfile_part_node* nodes; ///< bvfile_part_nodes of them
	const float ( *positions )[3]; ///< of all parts one after another
	const uint32_t* neighbors;     ///< of all parts one after another
	const uint8_t ( *faces )[3];   ///< of all parts one after another
} bvfile_parts_view;

/// @return how many nodes the hierarchy over so many parts has
static inline uint32_t bvfile_part_nodes( uint32_t parts )
{
	return 2 * parts - 1;
}

/// @return how many faces so many parts have that have so many corners together
static inline uint64_t bvfile_part_faces( uint32_t parts, uint32_t vertices )
{
	return 2 * (uint64_t)vertices - 4 * (uint64_t)parts;
}

/// @param section  null is allowed
static inline bvfile_parts_view bvfile_parts_view_of( const char* section )
{
	bvfile_parts_view v = { .head = (const bvfile_parts*)section };
	if ( section )
	{
		v.parts = (const bvfile_part*)( v.head + 1 );
		v.nodes = (const bvfile_part_node*)( v.parts + v.head->parts );
		v.positions = ( const float( * )[3] )( v.nodes + bvfile_part_nodes( v.head->parts ) );
		v.neighbors = (const uint32_t*)( v.positions + v.head->vertices );
		v.faces = ( const uint8_t( * )[3] )( v.neighbors + v.head->neighbors );
	}
	return v;
}

/// Where a part's corners, faces and neighbors end: where those of the next one begin.
typedef struct bvfile_part_ends
{
	uint32_t vertex;
	uint32_t neighbor;
} bvfile_part_ends;

/// @param part  below the number of parts
static inline bvfile_part_ends bvfile_part_ends_of( const bvfile_parts_view* v, uint32_t part )
{
	bvfile_part_ends ends = { v->head->vertices, v->head->neighbors };
	if ( part + 1 < v->head->parts )
	{
		ends = ( bvfile_part_ends ){ v->parts[part + 1].first_vertex, v->parts[part + 1].first_neighbor };
	}
	return ends;
}

/// @return the number of a part's first face among all
static inline uint64_t bvfile_first_part_face( const bvfile_parts_view* v, uint32_t part )
{
	return bvfile_part_faces( part, v->parts[part].first_vertex );
}

/// PTRI: how many triangles the parts up to and without each have, one number more than there are parts, then
/// the triangles of all parts one after another.
typedef struct bvfile_part_triangles_view
{
	const uint32_t* first; ///< null when the file does not have it
	const uint32_t* triangles;
} bvfile_part_triangles_view;

/// @param section  null is allowed
static inline bvfile_part_triangles_view bvfile_part_triangles_view_of( const char* section, uint32_t parts )
{
	bvfile_part_triangles_view v = { .first = (const uint32_t*)section };
	v.triangles = section ? v.first + parts + 1 : NULL;
	return v;
}

/// PRXY taken apart.
typedef struct bvfile_proxy_view
{
	const bvfile_proxy* head; ///< null when the file does not have it, and nothing else is defined then
	const double ( *positions )[3];
	const uint32_t ( *triangles )[3];
} bvfile_proxy_view;

/// @param section  null is allowed
static inline bvfile_proxy_view bvfile_proxy_view_of( const char* section )
{
	bvfile_proxy_view v = { .head = (const bvfile_proxy*)section };
	if ( section )
	{
		v.positions = ( const double( * )[3] )( v.head + 1 );
		v.triangles = ( const uint32_t( * )[3] )( v.positions + v.head->vertices );
	}
	return v;
}

/// CLIP taken apart.
typedef struct bvfile_clip_view
{
	const bvfile_clip* head; ///< null when the file does not have it, and nothing else is defined then
	const bvfile_clip_candidate* candidates;
	const bvfile_clip_sample* samples;
	const bvfile_clip_box* boxes;  ///< of the whole clip, then of each segment; by node
	const uint16_t ( *frames )[3]; ///< by sample, then by vertex; of no use without frames
	const char* name;
} bvfile_clip_view;

/// @return how many boxes each node has
static inline uint32_t bvfile_clip_sets( const bvfile_clip* head )
{
	return head->segments > 1 ? 1 + head->segments : 1;
}

/// @param section   null is allowed
/// @param nodes     of the hierarchy
/// @param vertices  of the mesh
static inline bvfile_clip_view bvfile_clip_view_of( const char* section, uint32_t nodes, uint32_t vertices )
{
	bvfile_clip_view v = { .head = (const bvfile_clip*)section };
	if ( section )
	{
		size_t frames = v.head->has_frames ? (size_t)v.head->samples * vertices : 0;
		v.candidates = (const bvfile_clip_candidate*)( v.head + 1 );
		v.samples = (const bvfile_clip_sample*)( v.candidates + v.head->candidates );
		v.boxes = (const bvfile_clip_box*)( v.samples + v.head->samples );
		v.frames = ( const uint16_t( * )[3] )( v.boxes + (size_t)bvfile_clip_sets( v.head ) * nodes );
		v.name = (const char*)( v.frames + frames );
	}
	return v;
}

/// @return a point of a clip's grid
static inline bv_vec3 bvfile_clip_point( const bvfile_clip* head, const uint16_t code[3] )
{
	return ( bv_vec3 ){ head->origin[0] + head->step * code[0], head->origin[1] + head->step * code[1],
		                head->origin[2] + head->step * code[2] };
}
