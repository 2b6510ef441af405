// What the pieces of the 3D view's data have in common: where they are written, the coordinates that they are in, and how arrays
// of numbers stand in JSON.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"
#include "formats/output.h"

/// The view's data while it is written. The view's coordinates are the mesh's less `center`, divided by `scale`: the cube of side 2
/// around the origin holds all that is drawn but for volumes.
typedef struct view_data
{
	bvb_output* page;       ///< where all is added
	const bv_file* file;    ///< whose geometry it is
	const bvb_output* body; ///< the page so far, whose links lead into the view; null for none
	bvb_arena* arena;       ///< for what is needed meanwhile
	bvb_error* error;       ///< what is wrong
	bv_vec3 center;         ///< mesh units
	double scale;           ///< mesh units, above 0
	bool more;              ///< a key has been written in the object that is open, so that a comma follows
} view_data;

/// @return the point in the view's coordinates
bv_vec3 view_point( const view_data* v, bv_vec3 point );

/// Puts a point on the grid of 65,536 steps over the cube: coordinate i of the view is out[i] / 32767.5 - 1.
void view_grid_point( const view_data* v, bv_vec3 point, uint16_t out[3] );

/// Puts a point in the view's coordinates into binary32.
void view_float_point( const view_data* v, bv_vec3 point, float out[3] );

/// Begins a member of the object that is open: the comma, the key and the colon.
void view_key( view_data* v, const char* key );

/// Opens an object or an array.
/// @param key      null in an array
/// @param bracket  '{' or '['
void view_open( view_data* v, const char* key, char bracket );

/// Closes what was opened last.
/// @param bracket  '}' or ']'
void view_close( view_data* v, char bracket );

/// Adds a whole number.
void view_count( view_data* v, const char* key, uint64_t value );

/// Adds a number, or null where it is none.
void view_number( view_data* v, const char* key, double value );

/// Adds a text without anything that could end a script: `<`, `>` and `&` are escaped.
void view_text( view_data* v, const char* key, const char* text, size_t length );

/// Adds true or false.
void view_bool( view_data* v, const char* key, bool value );

/// Adds null.
void view_null( view_data* v, const char* key );

/// Adds an array of numbers as {"type":"base64"}, the bytes in little-endian order as they are in memory.
/// @param type   "u8", "u16", "u32", "f32" or "f64"
/// @param bytes  how many bytes there are
void view_array( view_data* v, const char* key, const char* type, const void* data, size_t bytes );

/// Adds corners of triangles, in two bytes each where that is enough.
/// @param limit  all of them are below
/// @return bv_ok; bv_error_memory
bv_status view_corners( view_data* v, const char* key, const uint32_t* corners, size_t count,
                        uint32_t limit );

/// Adds "mesh": the triangles, thinned where there are too many, and where they come from; null without any.
/// @return bv_ok; bv_error_memory
bv_status view_put_mesh( view_data* v );

/// Adds "edges": those at which the mesh is open, flipped or not manifold.
/// @return bv_ok; bv_error_memory
bv_status view_put_edges( view_data* v );

/// Adds "hull", null without any.
/// @return bv_ok; bv_error_memory
bv_status view_put_hull( view_data* v );

/// Adds "parts", null without any.
/// @return bv_ok; bv_error_memory
bv_status view_put_parts( view_data* v );

/// Adds "primitive", the one that is nearest to the mesh; null without any.
void view_put_primitive( view_data* v );

/// Adds "tree": nodes and their volumes, those of the largest errors where there are too many; null without any.
/// @return bv_ok; bv_error_memory
bv_status view_put_tree( view_data* v );
