// What the parts of the export share: values, names and colors of objects, and the functions that gather them.

#pragma once

#include "bvbuild/export.h"

/// What a body collides as.
typedef enum bvb_export_shape
{
	bvb_export_shape_best = 0,  ///< the first of the others that the file has
	bvb_export_shape_primitive, ///< what the mesh was recognized as
	bvb_export_shape_parts,     ///< the convex parts
	bvb_export_shape_hull,      ///< the convex hull
	bvb_export_shape_mesh,      ///< the triangles
} bvb_export_shape;

/// What stands behind an equals sign.
typedef struct bvb_export_value
{
	uint32_t level;         ///< of the hierarchy
	double error;           ///< mesh units or percent, not negative
	bool percent;           ///< of the diameter of the root's volume
	bvb_export_shape shape; ///< of a body
} bvb_export_value;

/// Gathers one thing that can be exported.
/// @return as bvb_export_gather
typedef bv_status bvb_export_gather_function( const bv_file* file, const bvb_export_value* value,
                                              bvb_arena* arena, bvb_export* out, bvb_error* error );

/// The triangles as one object.
bvb_export_gather_function bvb_gather_mesh;

/// The hull as one object. A flat one is a polygon, whose corners are in order.
bvb_export_gather_function bvb_gather_hull;

/// An object for each convex part.
bvb_export_gather_function bvb_gather_parts;
bvb_export_gather_function bvb_gather_proxy;

/// Volumes of the nodes at a level and of the leaves above it.
bvb_export_gather_function bvb_gather_level;

/// Volumes of the highest nodes whose solid error is no greater than a bound, and of leaves.
bvb_export_gather_function bvb_gather_cut;

/// Volumes around the whole mesh.
bvb_export_gather_function bvb_gather_bounds;

/// What the mesh was recognized as.
bvb_export_gather_function bvb_gather_primitive;

/// The body: what collides, and the triangles to look at.
bvb_export_gather_function bvb_gather_body;

/// @return whether there was memory
bool bvb_export_make_objects( uint32_t count, bvb_arena* arena, bvb_export* out );

/// Gives an object its color.
/// @param hue  0 red, 1/3 green, 2/3 blue, 1 red again
void bvb_export_paint( bvb_export_object* object, double hue );

/// Gives an object its name, and a color that is its own as far as possible.
/// @param index  among the objects
void bvb_export_name_object( bvb_export_object* object, uint32_t index, const char* name );
