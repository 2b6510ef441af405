// Whether there is an inside is asked of the generalized winding number (Jacobson, Kavan, Sorkine-Hornung
// 2013): next to a closed surface it is a whole number, 1 at least behind it and 0 or more in front; next to
// a sheet or an open box it is not.

#include "offline/decompose/shape.h"

#include "offline/base/error.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <math.h>

static void find_frame( const bvb_mesh* mesh, bvdecomp_unit_frame* out )
{
	bv_aabb box = bvmath_box_of_points( mesh->positions, mesh->vertex_count );

	// Scaled, so that squares stay in range.
	bv_vec3 size = bv_sub( box.upper, box.lower );
	double longest = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	bv_vec3 part = bv_scale( 1 / longest, size );
	out->size = longest * sqrt( bv_dot( part, part ) );
	out->center = bv_add( bv_scale( 0.5, box.lower ), bv_scale( 0.5, box.upper ) );
}

static bool move_to_unit( bvdecomp_shape* shape, bvb_arena* arena )
{
	shape->unit = shape->mesh;
	shape->unit.positions =
		bvb_arena_allocate( arena, shape->mesh.vertex_count, sizeof *shape->unit.positions );
	for ( uint32_t i = 0; shape->unit.positions && i < shape->mesh.vertex_count; ++i )
	{
		bv_vec3 p = bv_sub( shape->mesh.positions[i], shape->frame.center );
		double size = shape->frame.size;
		shape->unit.positions[i] = ( bv_vec3 ){ p.x / size, p.y / size, p.z / size };
	}
	return shape->unit.positions;
}

// How much of the surface has an inside behind it.
static double find_solid_share( bvdecomp_shape* shape, uint64_t most_work )
{
	// If it ends early, it has been everywhere: the step has no divisor with the number of samples in common.
	enum
	{
		most_samples = 600,
		step = 377,
	};
	// Of what an opening may take away from the winding number next to the surface: more of it next to a
	// bucket's rim.
	static const double part = 0.125;
	uint64_t work = 0;
	double all = 0;
	double behind = 0;
	uint32_t count = shape->unit.triangle_count;
	uint32_t samples = count < most_samples ? count : most_samples;
	for ( uint32_t i = 0; i < samples && work < most_work; ++i )
	{
		uint32_t at = samples == most_samples ? step * i % most_samples : i;
		const uint32_t* c = shape->unit.triangles[(uint64_t)at * count / samples].corner;
		bv_vec3 a = shape->unit.positions[c[0]];
		bv_vec3 u = bv_sub( shape->unit.positions[c[1]], a );
		bv_vec3 v = bv_sub( shape->unit.positions[c[2]], a );
		bv_vec3 normal = bv_cross( u, v );
		double area = sqrt( bv_dot( normal, normal ) );
		if ( !( area > 0 ) )
		{
			continue;
		}
		bv_vec3 middle = bv_add( a, bv_scale( 1.0 / 3, bv_add( u, v ) ) );
		double number[2];
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 p = bv_add( middle, bv_scale( ( k == 0 ? 0x1p-16 : -0x1p-16 ) / area, normal ) );
			number[k] =
				bvb_winding_estimate( shape->inside, bvdecomp_point_in_mesh( &shape->frame, p ), &work );
			shape->samples += 1;
		}
		bool whole =
			fabs( number[0] - rint( number[0] ) ) < part && fabs( number[1] - rint( number[1] ) ) < part;
		all += area;
		behind += whole && number[0] > -part && number[1] > 1 - part ? area : 0;
	}
	shape->work = (double)work / bvmath_max( shape->samples, 1 );
	return all > 0 ? behind / all : 0;
}

bv_status bvdecomp_shape_create( const bvb_mesh* mesh, bvb_decompose_mode mode, uint64_t most_work,
                                 bvb_arena* arena, bvdecomp_shape* out, bvb_error* error )
{
	*out = ( bvdecomp_shape ){ .mesh = *mesh, .triangle_count = mesh->triangle_count };
	find_frame( mesh, &out->frame );
	bv_status status = bvb_mesh_face_outwards( &out->mesh, arena, error );
	if ( status == bv_ok && !move_to_unit( out, arena ) )
	{
		status = bvbase_fail_memory( error );
	}
	if ( status != bv_ok || mode == bvb_decompose_surface )
	{
		return status;
	}
	status = bvb_winding_create( &out->mesh, arena, &out->inside, error );
	if ( status == bv_ok && find_solid_share( out, most_work ) < 0.9 && mode == bvb_decompose_automatic )
	{
		out->inside = NULL;
	}
	return status;
}

bv_vec3 bvdecomp_point_in_mesh( const bvdecomp_unit_frame* frame, bv_vec3 point )
{
	return bv_add( bv_scale( frame->size, point ), frame->center );
}

bool bvdecomp_is_rough( const bvdecomp_shape* shape )
{
	static const double much_work = 1 << 10;
	return shape->work > much_work;
}

bool bvdecomp_is_inside( const bvdecomp_shape* shape, bv_vec3 point )
{
	bv_vec3 p = bvdecomp_point_in_mesh( &shape->frame, point );
	return bvdecomp_is_rough( shape ) ? bvb_winding_estimate( shape->inside, p, NULL ) > 0.5
	                                  : bvb_winding_is_inside( shape->inside, p );
}
