// RADI: how far from the origin each node's volume reaches, written and verified by the same bound.

#include "formats/bvh/node_sections.h"
#include "formats/bvh/write.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>

// Of a box the farthest corner, of all eight.
static double farthest_corner( bv_vec3 center, const bv_vec3* axis, const double* half, int dimensions )
{
	double most = 0;
	for ( int corner = 0; corner < 1 << dimensions; ++corner )
	{
		bv_vec3 p = center;
		for ( int i = 0; i < dimensions; ++i )
		{
			p = bv_add( p, bv_scale( corner >> i & 1 ? half[i] : -half[i], axis[i] ) );
		}
		most = bvmath_max( most, bv_dot( p, p ) );
	}
	return sqrt( most );
}

static double farthest_between( const double lower[3], const double upper[3] )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double most = bvmath_max( fabs( lower[i] ), fabs( upper[i] ) );
		sum += most * most;
	}
	return sqrt( sum );
}

// Its six corners.
static double farthest_of_prism( const bv_obb* box )
{
	const double* h = box->half_extents;
	bv_vec3 base = bv_sub( box->center, bv_scale( h[1], box->axis[1] ) );
	bv_vec3 tip = bv_add( box->center, bv_scale( h[1], box->axis[1] ) );
	const bv_vec3 ways[2] = { box->axis[0], box->axis[2] };
	return bvmath_max( farthest_corner( base, ways, ( double[2] ){ h[0], h[2] }, 2 ),
	                   farthest_corner( tip, ways + 1, h + 2, 1 ) );
}

// Of a k-DOP that of its first three pairs of planes, which are a box.
static double farthest( const bv_volume* volume )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	if ( kind->planes > 0 )
	{
		bv_volume copy = *volume;
		bvvol_bounds bounds = kind->bounds( &copy );
		return farthest_between( bounds.lower, bounds.upper );
	}
	if ( kind->tapered )
	{
		return farthest_of_prism( &volume->prism.box );
	}
	bvvol_rounded v = bvvol_volume_rounded( volume );
	return farthest_corner( v.center, v.axis, v.half_extents, kind->extents ) + v.radius;
}

// The farthest corner is not nearer than the center, nor than any half extent. Each of its coordinates is a
// sum of four numbers of such sizes, and errs by less than 2^-50 of their sum, which is at most five times
// the distance; squares, sums and root add 2^-51 of it. All in all it is less than 2^-46.
double bvfmt_radius_bound( const bv_volume* volume )
{
	return farthest( volume ) * ( 1 + 0x1p-46 );
}

static bool write_radius( void* context, const bv_node_info* node )
{
	float* radius = context;
	radius[node->index] = bvmath_float_up( bvfmt_radius_bound( &node->volume ) );
	return true;
}

uint64_t bvfmt_size_radius( const bvfmt_writing* w )
{
	return bvfmt_wants( w, bvb_section_radius ) ? sizeof( float ) * (uint64_t)bvfmt_node_count( w ) : 0;
}

bv_status bvfmt_write_radius( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	bvfile_local_visit_nodes( w->file, write_radius, out );
	return bv_ok;
}
