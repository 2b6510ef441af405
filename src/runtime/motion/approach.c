// How two moving objects approach each other in a span of time. See approach.h.
//
// Let h be the longest time from the time of reference to any other one, and f a time from there, divided by h. A point x of an
// object is at x + f h ( v + cross( w, x - p ) ) + e then, where v and w are the rates of the object at the time of reference, p is
// the place of the pivot, and e is as long as what the rates leave out (kinds.h) and the rounding errors of poses. Let points a
// of the first object and b of the second one touch. With both of these terms as A( a ) and B( b ),
//
//     a - b = f ( B( b ) - A( a ) ) + e = f ( B( b ) - A( b ) ) + f h cross( wa, b - a ) + e,
//
// and the second term is no longer than h |wa| times the reach. The same holds with B and A at a, and wb.

#include "runtime/motion/approach.h"

#include "runtime/math/range.h"
#include "runtime/motion/sequence.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/walk.h"
#include "runtime/volume/bound.h"

#include <math.h>

// Displacements of an object in the world.
typedef struct object_way
{
	bv_vec3 velocity; // at the center of the approach
	bv_vec3 spin;
	double rest;
	bool is_known;
} object_way;

static bv_status single_reach( const bvmotion_shapes* shapes, int i, double time, double* reach )
{
	bvmotion_span now;
	bv_status status = bvmotion_span_begin( shapes->motion[i], time, time, time, &now );
	*reach =
		status == bv_ok ? bvmotion_span_reach( &now, shapes->ball[i].center, shapes->ball[i].radius ) : 0;
	return status;
}

bool bvmotion_root_box( const bv_file* file, bvvol_rounded* out )
{
	bvfile_view view;
	bvvol_bound bound;
	if ( !bvtree_walk_begin( file, &view ) )
	{
		return false;
	}
	bv_volume root = bvfile_root_volume( &view );
	bvvol_bound_of( &root, &bound );
	*out = bound.box;
	if ( view.offset )
	{
		out->center = bv_add( out->center, *view.offset );
		out->slack += 0x1p-50 * ( bvmath_norm1( out->center ) + bvmath_norm1( *view.offset ) );
	}
	return true;
}

bool bvmotion_mesh_ball( const bv_file* file, bv_sphere* out )
{
	bvvol_rounded box;
	if ( !file || !bvmotion_root_box( file, &box ) )
	{
		return false;
	}
	const double* half = box.half_extents;
	double square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
	out->center = box.center;
	out->radius = ( sqrt( square ) + ( box.radius + box.slack ) ) * ( 1 + 0x1p-44 );
	return true;
}

// How far points of an object are from the axis of its turn, or from the pivot if that is not known. The distance is greatest at a
// corner of a box.
BVSIMD_NOINLINE double arm_of( const bvmotion_bound* bound, const bv_file* file )
{
	bvvol_rounded box;
	double arm = 0;
	bvmotion_root_box( file, &box );
	for ( int k = 0; k < 8; ++k )
	{
		bv_vec3 at = bv_sub( box.center, bound->pivot );
		for ( int i = 0; i < 3; ++i )
		{
			at = bv_add( at,
			             bv_scale( k >> i & 1 ? box.half_extents[i] : -box.half_extents[i], box.axis[i] ) );
		}
		at = bvmotion_scaled( bound->scale, bound->mirror, at );
		double size = 0x1p-45 * bvmath_norm1( at );
		arm = bvmath_max( arm, bvmath_is_zero( bound->axis )
		                           ? bvmath_length_up( at )
		                           : bvmath_length_up( bv_cross( bound->axis, at ) ) + size );
	}
	return ( arm + bound->scale * ( box.radius + box.slack ) ) * ( 1 + 0x1p-45 );
}

static object_way way_of( const bvmotion_shapes* shapes, int i, const bv_file* file,
                          const bvmotion_span* span, double from, double to, double reference,
                          bv_vec3 center )
{
	const bv_motion* motion = shapes->motion[i];
	double until = 1;
	double rounding;
	bvmotion_rates rates;
	bvmotion_rates_at( motion, reference, &until, &rates );
	object_way out = { .is_known = !bvmotion_has_joint( motion, from, reference ) && to <= until &&
		                           single_reach( shapes, i, reference, &rounding ) == bv_ok };
	if ( !out.is_known )
	{
		return out;
	}
	double h = bvmath_max( reference - from, to - reference );
	bv_vec3 arm = bv_sub( center, bv_transform_point( &span->at, rates.pivot ) );
	double size = bvmath_norm1( center ) + bvmath_norm1( arm );
	out.velocity = bv_scale( h, bv_add( rates.velocity, bv_cross( rates.spin, arm ) ) );
	out.spin = bv_scale( h, rates.spin );
	out.rest = h * rates.speed + 0.5 * h * h * rates.bend;
	double bend = h * rates.turn + 0.5 * h * h * rates.curl;
	out.rest += bend > 0 ? bend * arm_of( &span->bound, file ) : 0;
	out.rest += rounding + 0x1p-46 * ( bvmath_norm1( out.velocity ) + bvmath_norm1( out.spin ) * size );
	return out;
}

void bvmotion_approach( const bvmotion_shapes* shapes, const bv_file* const file[2],
                        const bvmotion_span span[2], double from, double to, double reference, double reach,
                        bvtree_approach* out )
{
	double scale = span[0].at.scale;
	bv_vec3 center = bv_transform_point( &span[0].at, shapes->ball[0].center );
	object_way way[2];
	for ( int i = 0; i < 2; ++i )
	{
		way[i] = way_of( shapes, i, file[i], span + i, from, to, reference, center );
	}
	double spin = bvmath_max( bvmath_length_up( way[0].spin ), bvmath_length_up( way[1].spin ) );
	bvtree_approach world = {
		.reach = scale * reach,
		.rest = ( ( way[0].rest + way[1].rest ) + ( shapes->separation + spin * scale * reach ) ) *
		        ( 1 + 0x1p-40 ),
		.is_directed = true,
		.until = 1,
		.center = center,
		.velocity = bv_sub( way[1].velocity, way[0].velocity ),
		.spin = bv_sub( way[1].spin, way[0].spin ),
	};
	bool is_better = way[0].is_known && way[1].is_known && world.rest < world.reach &&
	                 bvmath_is_in_range( world.velocity ) && bvmath_is_in_range( world.spin );
	*out = is_better ? bvtree_approach_in( &world, &span[0].at ) : bvtree_approach_within( reach );
	out->reach = reach;
}
