// What is exported of a mesh as a body: what collides, what it weighs, and its triangles to look at. See
// export.h.

#include "offline/export/export.h"

#include "offline/base/error.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <string.h>

static bool is_positive( double a, double b, double c )
{
	return (float)a > 0 && (float)b > 0 && (float)c > 0;
}

// Engines take no box without a thickness and no capsule without a length; the latter is a ball.
static bool make_solid( bv_primitive* p )
{
	const bv_vec3* ends = p->kind == bv_primitive_capsule ? p->capsule.ends : p->cylinder.ends;
	double length = bvmath_norm1( bv_sub( ends[1], ends[0] ) );
	const double* h = p->box.half_extents;
	switch ( p->kind )
	{
	case bv_primitive_box: return is_positive( h[0], h[1], h[2] );
	case bv_primitive_sphere: return is_positive( p->sphere.radius, 1, 1 );
	case bv_primitive_capsule:
		if ( !is_positive( length, 1, 1 ) )
		{
			p->kind = bv_primitive_sphere;
			p->sphere = ( bv_sphere ){ ends[0], p->capsule.radius };
		}
		return is_positive( p->capsule.radius, 1, 1 );
	default: return is_positive( p->cylinder.radius, length, 1 );
	}
}

static bool get_primitive( const bv_file* file, bv_primitive* out )
{
	bv_recognized recognized;
	return bv_file_get_recognized( file, &recognized ) && recognized.best != bv_primitive_kinds &&
	       bvfile_local_primitive( file, recognized.best, out ) && make_solid( out );
}

static bvexport_shape choose( const bv_file* file )
{
	bv_primitive primitive;
	return get_primitive( file, &primitive )             ? bvexport_shape_primitive
	       : bv_file_get_decomposition( file ).parts > 0 ? bvexport_shape_parts
	       : bv_file_get_hull( file ).faces > 0          ? bvexport_shape_hull
	                                                     : bvexport_shape_mesh;
}

static bv_status gather_primitive( const bv_file* file, bvb_arena* arena, bvb_export* out, bvb_error* error )
{
	bv_primitive* primitive = bvb_arena_allocate( arena, 1, sizeof *primitive );
	if ( !primitive )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvexport_gather_primitive( file, NULL, arena, out, error );
	if ( status == bv_ok && !get_primitive( file, primitive ) )
	{
		status = bvbase_fail( error, bv_error_input, "its primitive has no volume" );
	}
	if ( status == bv_ok )
	{
		out->objects->primitive = primitive;
	}
	return status;
}

static bv_status gather_colliders( const bv_file* file, bvexport_shape shape, bvb_arena* arena,
                                   bvb_export* out, bvb_error* error )
{
	bvb_collider collider = shape == bvexport_shape_primitive ? bvb_collider_primitive
	                        : shape == bvexport_shape_mesh    ? bvb_collider_mesh
	                                                          : bvb_collider_convex;
	bv_status status = shape == bvexport_shape_primitive ? gather_primitive( file, arena, out, error )
	                   : shape == bvexport_shape_parts
	                       ? bvexport_gather_parts( file, NULL, arena, out, error )
	                   : shape == bvexport_shape_hull ? bvexport_gather_hull( file, NULL, arena, out, error )
	                                                  : bvexport_gather_mesh( file, NULL, arena, out, error );
	for ( uint32_t i = 0; status == bv_ok && i < out->object_count; ++i )
	{
		bvexport_collide( out->objects + i, collider );
	}
	return status;
}

// The triangles behind what collides, gray.
static bv_status add_mesh( const bv_file* file, bvb_arena* arena, bvb_export* out, bvb_error* error )
{
	bvb_export mesh;
	bvb_export all;
	bv_status status = bvexport_gather_mesh( file, NULL, arena, &mesh, error );
	if ( status == bv_ok && !bvexport_make_objects( out->object_count + 1, arena, &all ) )
	{
		status = bvbase_fail_memory( error );
	}
	if ( status == bv_ok )
	{
		memcpy( all.objects, out->objects, out->object_count * sizeof *all.objects );
		all.objects[out->object_count] = mesh.objects[0];
		memset( all.objects[out->object_count].color, 0xc0, sizeof all.objects->color );
		*out = all;
	}
	return status;
}

bv_status bvexport_gather_body( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                bvb_export* out, bvb_error* error )
{
	bv_body moved;
	bvexport_shape shape = value->shape == bvexport_shape_best ? choose( file ) : value->shape;
	bvb_export_body* body = bvb_arena_allocate( arena, 1, sizeof *body );
	bv_status status =
		body ? gather_colliders( file, shape, arena, out, error ) : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		body->colliders = out->object_count;
		body->has_mass = bvfile_local_body( file, &moved );
		body->mass = body->has_mass ? moved.mass : ( bv_mass ){ 0 };
	}
	if ( status == bv_ok && shape != bvexport_shape_mesh && bv_file_get_mesh( file ).has_triangles )
	{
		status = add_mesh( file, arena, out, error );
	}
	if ( status != bv_ok )
	{
		*out = ( bvb_export ){ 0 };
		return status;
	}
	out->body = body;
	return bv_ok;
}
