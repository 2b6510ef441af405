// A scene while it is read: arrays that grow, names that get numbers, polygons that are cut at the end.
//
// A reader adds vertices, then faces in the source's order, and says when object, group or material changes.
// Faces may come before the vertices they refer to. What is wrong is reported with the file's name; the
// reader adds line or byte.

#pragma once

#include "bvbuild/import.h"
#include "offline/import/notes.h"

enum
{
	/// Of one face: enough for any real model, and ear clipping takes the square of it.
	bvimport_face_corner_limit = 16384,
};

/// Distinct names in the order of their first use.
typedef struct bvimport_names
{
	char** name;       ///< terminated, each allocated
	uint32_t count;    ///< length of name
	uint32_t capacity; ///< room in name
	uint32_t* slots;   ///< hash table of index + 1, 0 is free
	uint32_t mask;     ///< slots less one; a power of two less one
} bvimport_names;

/// A face that is no triangle. Its corners are kept in the places of its triangles.
typedef struct bvimport_polygon
{
	uint32_t first;   ///< triangle
	uint32_t corners; ///< below 3: the face has no triangles and only takes a number
} bvimport_polygon;

/// All zero but for `file` and `error` in the beginning. The arrays are realloc's.
typedef struct bvimport_builder
{
	const char* file; ///< its name, for messages
	bvb_error* error; ///< receives what is wrong

	bv_vec3* positions;         ///< as they come
	uint32_t position_count;    ///< length of positions
	uint32_t position_capacity; ///< room in positions
	bvb_triangle* triangles;    ///< as they come; corners of polygons until they are cut
	uint32_t triangle_count;    ///< length of triangles
	uint32_t triangle_capacity; ///< room in triangles
	bvimport_polygon* polygons; ///< faces that are no triangles, in order
	uint32_t polygon_count;     ///< length of polygons
	uint32_t polygon_capacity;  ///< room in polygons
	bvb_segment* segments;      ///< as they come
	uint32_t segment_count;     ///< length of segments
	uint32_t segment_capacity;  ///< room in segments
	bvimport_names objects;     ///< of all segments
	bvimport_names groups;      ///< of all segments
	bvimport_names materials;   ///< of all segments
	bvb_segment current;        ///< of the next face, but for its first triangle
	bool changed;               ///< the next face begins a segment
} bvimport_builder;

/// What a face belongs to.
typedef enum bvimport_builder_kind
{
	bvimport_builder_object,
	bvimport_builder_group,
	bvimport_builder_material,
} bvimport_builder_kind;

/// Starts a scene without a name for anything.
/// @param file   kept
/// @param error  kept
void bvimport_builder_begin( bvimport_builder* b, const char* file, bvb_error* error );

/// Forgets vertices, faces, segments and names, and keeps the memory.
void bvimport_builder_restart( bvimport_builder* b );

/// Makes room for so many more vertices, which a file announces; a file may lie, so nothing is touched yet.
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_reserve_vertices( bvimport_builder* b, uint64_t count );

/// Makes room for so many more triangles.
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_reserve_triangles( bvimport_builder* b, uint64_t count );

/// Adds a face of any number of corners. Fewer than 3 give no triangle and only take the face's number.
/// @param corner  vertex numbers, to be checked by the reader: at the latest before bvimport_builder_finish
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_add_face( bvimport_builder* b, const uint32_t* corner, uint32_t count );

/// Adds so many triangles that the caller writes before bvimport_builder_finish, behind those that are there.
/// There must be room.
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_claim_triangles( bvimport_builder* b, uint32_t count );

/// Adds polygons of another builder.
/// @param base  how many triangles are in front of that builder's
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_append_polygons( bvimport_builder* b, const bvimport_builder* other,
                                            uint32_t base );

/// Says what the next faces belong to, by name.
/// @param name  `length` bytes; null for nothing
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_set( bvimport_builder* b, bvimport_builder_kind kind, const char* name,
                                size_t length );

/// Begins an object of its own, whatever other objects have its name.
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvimport_builder_begin_object( bvimport_builder* b, const char* name, size_t length );

/// Gives each segment its group's name as the object's: for a source that knows groups only.
/// @return bv_ok; bv_error_memory
bv_status bvimport_builder_take_groups_for_objects( bvimport_builder* b );

/// Cuts the polygons and hands the scene over: `out` receives mesh, faces, segments and names. The builder is
/// empty after it.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_limit when the polygons would take too long to cut; bv_error_memory
bv_status bvimport_builder_finish( bvimport_builder* b, bvb_arena* arena, bvb_scene* out );

/// Says that a file has no faces, but what else: the first loss, or else "no faces (3 points, 1 lines)".
/// @return bv_error_input
bv_status bvimport_builder_fail_empty( const bvimport_builder* b, uint64_t points, uint64_t lines,
                                       const bvimport_notes* notes );

/// Frees what the builder holds.
void bvimport_builder_end( bvimport_builder* b );

/// Adds a vertex.
/// @return bv_ok; bv_error_limit; bv_error_memory
static inline bv_status bvimport_builder_add_vertex( bvimport_builder* b, bv_vec3 position )
{
	if ( b->position_count == b->position_capacity )
	{
		bv_status status = bvimport_builder_reserve_vertices( b, 1 );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	b->positions[b->position_count++] = position;
	return bv_ok;
}

/// Adds a triangle.
/// @return bv_ok; bv_error_limit; bv_error_memory
static inline bv_status bvimport_builder_add_triangle( bvimport_builder* b, bvb_triangle triangle )
{
	if ( b->triangle_count < b->triangle_capacity && !b->changed )
	{
		b->triangles[b->triangle_count++] = triangle;
		return bv_ok;
	}
	return bvimport_builder_add_face( b, triangle.corner, 3 );
}
