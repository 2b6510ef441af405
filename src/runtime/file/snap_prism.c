// Prisms that the file can hold. See snap.c: axes and center are put on their grids first, extents are
// measured from there and rounded up.
//
// A prism with a larger half height about the same center has its base lower down, and its legs may have to
// stand farther apart there: by no more than twice, since a leg's line goes through the prism's height in the
// middle of that.

#include "runtime/file/snap.h"

#include "runtime/math/vec.h"
#include "runtime/volume/packed_obb.h"

#include <math.h>
#include <string.h>

enum
{
	more_heights = 6, // codes that are tried beyond the least
};

static const double least_slope =
	0x1p-10; // of the half base over the height, and of the height over the half base

// The third axis goes nearest to the prism's, and of the four right angles about it the second axis to the
// tip.
void bvfile_snap_prism_turn( bv_prism* prism )
{
	bv_obb* box = &prism->box;
	bv_vec3 turned[3];
	float rotation[4];
	float cycled[4];
	bvfile_snap_turn( box->axis, turned, rotation );
	bvfile_rotation_cycled( rotation, bvfile_snap_cycles( turned, box->axis[2] ), cycled );
	bv_obb best = *box;
	double most = -INFINITY;
	for ( uint32_t i = 0; i < 4; ++i )
	{
		bvvol_packed_obb packed = { .center = { 0 } };
		bvfile_rotation_quartered( cycled, i, packed.rotation );
		bv_obb tried = bvvol_obb_unpack( &packed );
		double with = bv_dot( tried.axis[1], box->axis[1] );
		best = with > most ? tried : best;
		most = bvmath_max( most, with );
	}
	best.center = box->center;
	memcpy( best.half_extents, box->half_extents, sizeof best.half_extents );
	*box = best;
}

double bvfile_snap_prism_recenter( bv_prism* prism, const bvvol_point_list* points )
{
	bv_obb* box = &prism->box;
	const double* h = box->half_extents;
	double slope = h[1] > 0 ? h[0] / ( 2 * h[1] ) : 1 / least_slope;
	slope = bvmath_max( least_slope, bvmath_min( slope, 1 / least_slope ) );
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < points->count; ++i )
	{
		bv_vec3 p = bv_sub( points->at( points->context, i ), box->center );
		double side = bv_dot( box->axis[0], p );
		double inwards = slope * bv_dot( box->axis[1], p );
		double along[3] = { 0, bv_dot( box->axis[1], p ), bv_dot( box->axis[2], p ) };
		lower[0] = bvmath_min( lower[0], side - inwards );
		upper[0] = bvmath_max( upper[0], side + inwards );
		for ( int k = 1; k < 3; ++k )
		{
			lower[k] = bvmath_min( lower[k], along[k] );
			upper[k] = bvmath_max( upper[k], along[k] );
		}
	}
	double width = bvmath_max( ( upper[0] - lower[0] ) - 2 * slope * lower[1], 0 );
	double half_height = bvmath_max( width / ( 4 * slope ), ( upper[1] - lower[1] ) / 2 );
	const double middle[3] = { ( lower[0] + upper[0] ) / 2, lower[1] + half_height,
		                       ( lower[2] + upper[2] ) / 2 };
	for ( int k = 0; k < 3; ++k )
	{
		box->center = bv_add( box->center, bv_scale( middle[k], box->axis[k] ) );
	}
	return half_height;
}

void bvfile_snap_prism_place( bv_prism* prism, const bvvol_point_list* points, const bvfile_node_frame* frame,
                              double half_height, double extents[3] )
{
	const bv_vec3 c = prism->box.center;
	prism->box.center = frame ? bvfile_snap_center( c, frame )
	                          : ( bv_vec3 ){ (float)c.x + 0.0f, (float)c.y + 0.0f, (float)c.z + 0.0f };
	bvvol_prism_extents( &prism->box, points, half_height, extents );
}

void bvfile_snap_prism( bv_prism* prism, const bvvol_point_list* points, const bvfile_node_frame* frame,
                        double extents[3] )
{
	double half_height = bvfile_snap_prism_recenter( prism, points );
	bvfile_snap_prism_place( prism, points, frame, half_height, extents );
}

// Where other children need larger units, twice the extents have codes anyway.
double bvfile_snap_prism_largest( const bv_prism* prism, const bvvol_point_list* points,
                                  const double extents[3] )
{
	double largest = bvmath_max( extents[0], bvmath_max( extents[1], extents[2] ) );
	double unit = 4 * largest / ( bvfile_snap_extent_range * bvfile_snap_extent_range );
	double height = ( extents[1] + 2 * sqrt( extents[1] * unit ) + unit ) * ( 1 + 0x1p-40 );
	return bvmath_max( largest, bvvol_prism_half_base( &prism->box, points, height ) * ( 1 + 0x1p-40 ) );
}

void bvfile_snap_prism_extents( bv_prism* prism, const bvvol_point_list* points, const double extents[3],
                                double unit )
{
	double* h = prism->box.half_extents;
	double most = unit * ( bvfile_snap_extent_range * bvfile_snap_extent_range );
	double least = INFINITY;
	double code = sqrt( bvfile_snap_extent( extents[1], unit ) / unit );
	for ( int i = 0; i <= more_heights; ++i, code += 1 )
	{
		double height = unit * ( code * code );
		double base = bvfile_snap_extent( bvvol_prism_half_base( &prism->box, points, height ), unit );
		double cost = bvvol_prism_cost( base, height );
		if ( height <= most && base <= most && cost < least )
		{
			least = cost;
			h[0] = base;
			h[1] = height;
		}
	}
	h[2] = bvfile_snap_extent( extents[2], unit );
}
