// What the parts of the export share: values, names and colors of objects, and the functions that gather
// them.

#pragma once

#include "bvbuild/export.h"

/// What a body collides as.
typedef enum bvexport_shape
{
	bvexport_shape_best = 0,  ///< the first of the others that the file has
	bvexport_shape_primitive, ///< what the mesh was recognized as
	bvexport_shape_parts,     ///< the convex parts
	bvexport_shape_hull,      ///< the convex hull
	bvexport_shape_mesh,      ///< the triangles
} bvexport_shape;

/// What stands behind an equals sign.
typedef struct bvexport_value
{
	uint32_t level;       ///< of the hierarchy
	double error;         ///< mesh units or percent, not negative
	bool percent;         ///< of the diameter of the root's volume
	bvexport_shape shape; ///< of a body
} bvexport_value;

/// Gathers one thing that can be exported.
/// @return as bvb_export_gather
typedef bv_status bvexport_gather_function( const bv_file* file, const bvexport_value* value,
                                            bvb_arena* arena, bvb_export* out, bvb_error* error );

/// The triangles as one object.
bvexport_gather_function bvexport_gather_mesh;

/// The hull as one object. A flat one is a polygon, whose corners are in order.
bvexport_gather_function bvexport_gather_hull;

/// An object for each convex part.
bvexport_gather_function bvexport_gather_parts;
bvexport_gather_function bvexport_gather_proxy;

/// Volumes of the nodes at a level and of the leaves above it.
bvexport_gather_function bvexport_gather_level;

/// Volumes of the highest nodes whose solid error is no greater than a bound, and of leaves.
bvexport_gather_function bvexport_gather_cut;

/// Volumes around the whole mesh.
bvexport_gather_function bvexport_gather_bounds;

/// What the mesh was recognized as.
bvexport_gather_function bvexport_gather_primitive;

/// The body: what collides, and the triangles to look at.
bvexport_gather_function bvexport_gather_body;

/// @return whether there was memory
bool bvexport_make_objects( uint32_t count, bvb_arena* arena, bvb_export* out );

/// Gives an object its color.
/// @param hue  0 red, 1/3 green, 2/3 blue, 1 red again
void bvexport_paint( bvb_export_object* object, double hue );

/// Gives an object its name, and a color that is its own as far as possible.
/// @param index  among the objects
void bvexport_name_object( bvb_export_object* object, uint32_t index, const char* name );

/// Makes an object a collision shape, for which engines have names.
void bvexport_collide( bvb_export_object* object, bvb_collider collider );
