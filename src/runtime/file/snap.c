// The grids that volumes are rounded to: frames of nodes, turns, centers, extents. See snap.h.

#include "runtime/file/snap.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	origin_range = 65535, // of the codes of frames' origins
	float_bits = 23,      // of binary32 behind the first
	sum_bits = 2,         // by which a sum of three coordinates is larger
};

// Of a number above 0, and how far it is above that power of two.
static int exponent_of( double x, uint64_t* above )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	*above = bits & ( ( UINT64_C( 1 ) << 52 ) - 1 );
	return (int)( bits >> 52 ) - 1023;
}

int bvfile_snap_exponent( double size, double count, int least )
{
	uint64_t above_size;
	uint64_t above_count;
	if ( !( size > 0 ) )
	{
		return least;
	}
	int exponent = exponent_of( size, &above_size ) - exponent_of( count, &above_count );
	exponent += above_size > above_count;
	return exponent > least ? exponent : least;
}

int bvfile_snap_finest( const bvfile_snap_range* all, bool sums )
{
	double largest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		largest = bvmath_max( largest, bvmath_max( fabs( all->lower[i] ), fabs( all->upper[i] ) ) );
	}
	int exponent = bvfile_exponent_above( largest ) - ( float_bits - ( sums ? sum_bits : 0 ) );
	return largest > 0 && exponent > -bvfile_step_bias ? exponent : -bvfile_step_bias;
}

bvfile_node_grid bvfile_snap_grid( const bvfile_snap_range* all, int finest, uint32_t spare )
{
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		size = bvmath_max( size, all->upper[i] - all->lower[i] );
	}
	// One step is left for the origin, which is a multiple of the step.
	int exponent = bvfile_snap_exponent( size, origin_range - 1 - spare, finest );
	bvfile_node_grid grid = { .step = bvfile_power_of_two( exponent ) };
	double unit = grid.step * ( 1 + spare );
	for ( int i = 0; i < 3; ++i )
	{
		grid.origin[i] = bvmath_floor( all->lower[i] / unit ) * unit + 0.0;
	}
	return grid;
}

void bvfile_snap_make_frame( const bvfile_node_grid* grid, const bvfile_snap_range* children, int finest,
                             bvfile_frame_codes* out )
{
	for ( int i = 0; i < 3; ++i )
	{
		// Integers, because compilers make branches of conditional differences of doubles, and these are random.
		int32_t code = (int32_t)( ( children->lower[i] - grid->origin[i] ) / grid->step );

		// Differences are rounded where a coordinate is tiny.
		code -= grid->origin[i] + grid->step * code > children->lower[i];
		out->origin[i] = (uint16_t)code;
		double origin = grid->origin[i] + grid->step * code;
		int exponent = bvfile_snap_exponent( children->upper[i] - origin, bvfile_code_range, finest );
		exponent += origin + bvfile_code_range * bvfile_power_of_two( exponent ) < children->upper[i];
		out->exponent[i] = (uint8_t)( exponent + bvfile_step_bias );
	}
}

double bvfile_snap_unit( double largest, bvfile_frame_codes* out )
{
	int exponent = bvfile_snap_exponent( largest, bvfile_snap_extent_range * bvfile_snap_extent_range,
	                                     -bvfile_extent_bias );
	out->extent = (uint8_t)( exponent + bvfile_extent_bias );
	return bvfile_power_of_two( exponent );
}

bvfile_node_frame bvfile_snap_frame_of( const bvfile_frame_codes* codes, const bvfile_node_grid* grid )
{
	bvfile_packed_node node = { .extent = codes->extent };
	memcpy( node.origin, codes->origin, sizeof node.origin );
	memcpy( node.exponent, codes->exponent, sizeof node.exponent );
	return bvfile_node_frame_of( &node, grid );
}

// A box's frame is as good with its axes exchanged or reversed. Of all these it takes the one that is turned
// least: no part of that quaternion is above (sqrt(2) - 1) times the fourth.
static void least_turn( const bv_vec3 axis[3], bv_vec3 out[3] )
{
	static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
		                              { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
	double most = -INFINITY;
	for ( int k = 0; k < 6; ++k )
	{
		const int* order = orders[k];
		double sign[3];
		double determinant = k < 3 ? 1 : -1;
		double trace = 0;
		int weakest = 0;
		for ( int i = 0; i < 3; ++i )
		{
			double on = bvmath_component( axis[order[i]], i );
			sign[i] = on < 0 ? -1 : 1;
			determinant *= sign[i];
			trace += fabs( on );
			weakest = fabs( on ) < fabs( bvmath_component( axis[order[weakest]], weakest ) ) ? i : weakest;
		}
		if ( determinant < 0 )
		{
			trace -= 2 * fabs( bvmath_component( axis[order[weakest]], weakest ) );
			sign[weakest] = -sign[weakest];
		}
		if ( trace > most )
		{
			most = trace;
			for ( int i = 0; i < 3; ++i )
			{
				out[i] = bv_scale( sign[i], axis[order[i]] );
			}
		}
	}
}

// The stored rotation that is nearest to a frame turned least.
static void round_rotation( const bv_vec3 a[3], float out[4] )
{
	double scale = bvfile_rotation_w / ( 1 + ( a[0].x + a[1].y ) + a[2].z );
	const double part[3] = { a[1].z - a[2].y, a[2].x - a[0].z, a[0].y - a[1].x };
	for ( int i = 0; i < 3; ++i )
	{
		double code = bvmath_floor( part[i] * scale + 0.5 );
		out[i] =
			(float)bvmath_max( -bvfile_rotation_bias + 1, bvmath_min( code, bvfile_rotation_bias - 1 ) ) +
			0.0f;
	}
	out[3] = bvfile_rotation_w;
}

void bvfile_snap_turn( const bv_vec3 axis[3], bv_vec3 turned[3], float rotation[4] )
{
	least_turn( axis, turned );
	round_rotation( turned, rotation );
}

uint32_t bvfile_snap_cycles( const bv_vec3 turned[3], bv_vec3 third )
{
	uint32_t turns = 0;
	double most = -1;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		double with = fabs( bv_dot( turned[( 2 + i ) % 3], third ) );
		turns = with > most ? i : turns;
		most = bvmath_max( most, with );
	}
	return turns;
}

void bvfile_snap_axes( const bvvol_kind* kind, const bv_vec3 axis[3], float rotation[4] )
{
	bv_vec3 turned[3];
	float snapped[4];
	bvfile_snap_turn( axis, turned, snapped );
	uint32_t turns = 0;
	if ( kind->turns > 0 )
	{
		turns = ( bvfile_snap_cycles( turned, axis[kind->kept] ) + 2 - kind->kept ) % 3;
	}
	bvfile_rotation_cycled( snapped, turns, rotation );
}

// The frame begins below all coordinates, so that cutting off is rounding down.
static double round_coordinate( double x, const bvfile_node_frame* frame, int axis )
{
	double code = bvmath_min( ( x - frame->origin[axis] ) / frame->step[axis] + 0.5, bvfile_code_range );
	return frame->origin[axis] + frame->step[axis] * (int32_t)bvmath_max( 0, code );
}

bv_vec3 bvfile_snap_center( bv_vec3 p, const bvfile_node_frame* frame )
{
	return ( bv_vec3 ){ round_coordinate( p.x, frame, 0 ), round_coordinate( p.y, frame, 1 ),
		                round_coordinate( p.z, frame, 2 ) };
}

// The least code whose value is enough.
double bvfile_snap_extent( double extent, double unit )
{
	double root = sqrt( extent / unit );
	double code = (int32_t)root;
	code += code < root;
	code = code > 0 && ( code - 1 ) * ( code - 1 ) * unit >= extent ? code - 1 : code;
	code = code * code * unit < extent ? code + 1 : code;
	return unit * ( code * code );
}

// The quotient may be rounded across a whole number, the products and sums are exact.
double bvfile_snap_bound( double x, const bvfile_slab_scale* scale, bool up )
{
	double code = bvmath_floor( ( x - scale->lowest ) / scale->unit + 0.5 );
	code -= !up && scale->lowest + scale->unit * code > x;
	code += up && scale->lowest + scale->unit * code < x;
	return scale->lowest + scale->unit * bvmath_max( 0, bvmath_min( code, bvfile_snap_extent_range ) );
}
