// What the pieces of the 3D view's data have in common: where they are written, the coordinates that they are
// in, and how arrays of numbers stand in JSON.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/base.h"
#include "offline/export/output.h"

/// The view's data while it is written. The view's coordinates are the mesh's less `center`, divided by
/// `scale`: the cube of side 2 around the origin holds all that is drawn but for volumes.
typedef struct bvhtml_view_data
{
	bvexport_output* page;       ///< where all is added
	const bv_file* file;         ///< whose geometry it is
	const bvexport_output* body; ///< the page so far, whose links lead into the view; null for none
	bvb_arena* arena;            ///< for what is needed meanwhile
	bvb_error* error;            ///< what is wrong
	bv_vec3 center;              ///< mesh units
	double scale;                ///< mesh units, above 0
	bool whole;                  ///< the mesh was written, with all of its vertices
	bool more; ///< a key has been written in the object that is open, so that a comma follows
} bvhtml_view_data;

/// @return the point in the view's coordinates
bv_vec3 bvhtml_view_point( const bvhtml_view_data* v, bv_vec3 point );

/// Puts a point on the grid of 65,536 steps over the cube: coordinate i of the view is out[i] / 32767.5 - 1.
void bvhtml_view_grid_point( const bvhtml_view_data* v, bv_vec3 point, uint16_t out[3] );

/// Puts a point in the view's coordinates into binary32.
void bvhtml_view_float_point( const bvhtml_view_data* v, bv_vec3 point, float out[3] );

/// Opens an object or an array.
/// @param key      null in an array
/// @param bracket  '{' or '['
void bvhtml_view_open( bvhtml_view_data* v, const char* key, char bracket );

/// Closes what was opened last.
/// @param bracket  '}' or ']'
void bvhtml_view_close( bvhtml_view_data* v, char bracket );

/// Adds a whole number.
void bvhtml_view_count( bvhtml_view_data* v, const char* key, uint64_t value );

/// Adds a number, or null where it is none.
void bvhtml_view_number( bvhtml_view_data* v, const char* key, double value );

/// Adds a text without anything that could end a script: `<`, `>` and `&` are escaped.
void bvhtml_view_text( bvhtml_view_data* v, const char* key, const char* text, size_t length );

/// Adds true or false.
void bvhtml_view_bool( bvhtml_view_data* v, const char* key, bool value );

/// Adds null.
void bvhtml_view_null( bvhtml_view_data* v, const char* key );

/// Adds an array of numbers as {"type":"base64"}, the bytes in little-endian order as they are in memory.
/// @param type   "u8", "u16", "u32", "f32" or "f64"
/// @param bytes  how many bytes there are
void bvhtml_view_array( bvhtml_view_data* v, const char* key, const char* type, const void* data,
                        size_t bytes );

/// Adds corners of triangles, in two bytes each where that is enough.
/// @param limit  all of them are below
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_corners( bvhtml_view_data* v, const char* key, const uint32_t* corners, size_t count,
                               uint32_t limit );

/// Adds "mesh": the triangles, thinned where there are too many, and where they come from; null without any.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_mesh( bvhtml_view_data* v );

/// Adds "clip": positions of all vertices at the samples, as they are in the mesh; null without any, or if the mesh was
/// thinned. After bvhtml_view_put_mesh.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_clip( bvhtml_view_data* v );

/// Adds "edges": those at which the mesh is open, flipped or not manifold.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_edges( bvhtml_view_data* v );

/// Finds the edges of a body: the sides of triangles that are not inside of a plane face.
/// @param out  receives a number per face: bit k is set if the side from corner k to the next one is an edge
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_find_outline( const bvhtml_view_data* v, const bv_vec3* positions,
                                    const uint32_t* corners, uint32_t faces, uint8_t* out );

/// Adds "hull", null without any.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_hull( bvhtml_view_data* v );

/// Adds "parts", null without any.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_parts( bvhtml_view_data* v );

/// Adds "proxy", the proxy mesh, thinned if it has too many triangles; null without any.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_proxy( bvhtml_view_data* v );

/// Adds "primitive", the one that is nearest to the mesh; null without any.
void bvhtml_view_put_primitive( bvhtml_view_data* v );

/// Adds "tree": nodes and their volumes, those of the largest errors where there are too many; null without
/// any.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_view_put_tree( bvhtml_view_data* v );
