// Sort and sweep: at each update all objects are sorted along an axis, and each is compared with those that begin before it ends.
//
// The axis is the one along which centers vary most. Lower ends are sorted by a radix sort; ties keep the order of numbers.
// Boxes are copied in that order as binary32, rounded outward, one array for each bound, so that compilers make vectors of the
// comparisons. What touches so is compared exactly.
//
// Based on: D. Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992, section 7.1; arrays of bounds as in P. Terdiman,
// "Sweep-and-prune", 2007.

#include "world/broadphase/query.h"

#include "world/broadphase/order.h"

#include "runtime/math/round.h"

#include <math.h>
#include <string.h>

enum
{
	together = 8, // boxes that are compared at a time; as many at the end of the arrays touch nothing
	bounds = 6,   // lower ones along the sorted axis and the two others, then upper ones
};

typedef struct sort_key
{
	uint32_t key;
	uint32_t number;
} sort_key;

// Length of an array of bounds.
static uint64_t padded( const bvw_broadphase_options* options )
{
	return ( options->objects + (uint64_t)together + 1 ) & ~(uint64_t)1;
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return padded( options ) * ( 2 * sizeof( sort_key ) + bounds * sizeof( float ) );
}

static void bounds_of( const bv_aabb* box, int axis, double out[bounds] )
{
	double lower[3] = { box->lower.x, box->lower.y, box->lower.z };
	double upper[3] = { box->upper.x, box->upper.y, box->upper.z };
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = lower[( axis + k ) % 3];
		out[3 + k] = upper[( axis + k ) % 3];
	}
}

// The axis of the greatest variance of those lower ends that are finite and not so large that squares overflow.
static int best_axis( const bvw_broadphase* world )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	double sum[3] = { 0, 0, 0 };
	double squares[3] = { 0, 0, 0 };
	double count[3] = { 0, 0, 0 };
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		double bound[bounds];
		bounds_of( &objects[i].box, 0, bound );
		for ( int k = 0; k < 3 && ( objects[i].state & bvwphase_is_live ); ++k )
		{
			if ( fabs( bound[k] ) < 1e100 )
			{
				sum[k] += bound[k];
				squares[k] += bound[k] * bound[k];
				count[k] += 1;
			}
		}
	}
	int best = 0;
	double most = -1;
	for ( int k = 0; k < 3; ++k )
	{
		double n = count[k] > 0 ? count[k] : 1;
		double variance = squares[k] / n - ( sum[k] / n ) * ( sum[k] / n );
		best = variance > most ? k : best;
		most = variance > most ? variance : most;
	}
	return best;
}

// Unsigned numbers in the order of the binary32 ones.
static uint32_t key_of( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	return bits & UINT32_C( 0x80000000 ) ? ~bits : bits | UINT32_C( 0x80000000 );
}

// @return the sorted array: one of the two
static sort_key* sort_keys( sort_key* from, sort_key* to, uint32_t count )
{
	for ( uint32_t shift = 0; shift < 32; shift += bvwphase_digit_bits )
	{
		uint32_t place[bvwphase_digits] = { 0 };
		for ( uint32_t i = 0; i < count; ++i )
		{
			++place[from[i].key >> shift & ( bvwphase_digits - 1 )];
		}
		bvwphase_make_places( place, bvwphase_digits );
		for ( uint32_t i = 0; i < count; ++i )
		{
			to[place[from[i].key >> shift & ( bvwphase_digits - 1 )]++] = from[i];
		}
		sort_key* swap = from;
		from = to;
		to = swap;
	}
	return from;
}

// The arrays of an update.
typedef struct sweep_arrays
{
	const sort_key* sorted;
	float* bound[bounds];
	uint32_t count;
} sweep_arrays;

static void set_up( const bvw_broadphase* world, sweep_arrays* out )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint64_t length = padded( &world->options );
	sort_key* keys = bvwphase_at( world, world->method_at );
	float* first = (float*)( keys + 2 * length );
	int axis = best_axis( world );
	out->count = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			double bound[bounds];
			bounds_of( &objects[i].box, axis, bound );
			keys[out->count++] = ( sort_key ){ key_of( bvmath_float_down( bound[0] ) ), i };
		}
	}
	out->sorted = sort_keys( keys, keys + length, out->count );
	for ( int k = 0; k < bounds; ++k )
	{
		out->bound[k] = first + (uint64_t)k * length;
	}
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		double bound[bounds];
		bounds_of( &objects[out->sorted[i].number].box, axis, bound );
		for ( int k = 0; k < 3; ++k )
		{
			out->bound[k][i] = bvmath_float_down( bound[k] );
			out->bound[3 + k][i] = bvmath_float_up( bound[3 + k] );
		}
	}
	// Behind the last one, nothing is below any upper bound.
	for ( uint32_t i = out->count; i < out->count + together; ++i )
	{
		for ( int k = 0; k < bounds; ++k )
		{
			out->bound[k][i] = NAN;
		}
	}
}

// Reports the objects behind an object that touch it.
static bool report_behind( bvw_broadphase* world, const sweep_arrays* s, uint32_t i )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t number = s->sorted[i].number;
	bool is_changed = ( objects[number].state & bvwphase_is_changed ) != 0;
	float lower_y = s->bound[1][i];
	float lower_z = s->bound[2][i];
	float upper_x = s->bound[3][i];
	float upper_y = s->bound[4][i];
	float upper_z = s->bound[5][i];
	for ( uint32_t j = i + 1; s->bound[0][j] <= upper_x; j += together )
	{
		const float* x = s->bound[0] + j;
		const float* y0 = s->bound[1] + j;
		const float* z0 = s->bound[2] + j;
		const float* y1 = s->bound[4] + j;
		const float* z1 = s->bound[5] + j;
		uint32_t touches[together];
		uint32_t any = 0;
		for ( int k = 0; k < together; ++k )
		{
			touches[k] = (uint32_t)( x[k] <= upper_x ) & (uint32_t)( y0[k] <= upper_y ) &
			             (uint32_t)( y1[k] >= lower_y ) & (uint32_t)( z0[k] <= upper_z ) &
			             (uint32_t)( z1[k] >= lower_z );
			any |= touches[k];
		}
		world->tests += together;
		for ( int k = 0; any && k < together; ++k )
		{
			uint32_t other = touches[k] ? s->sorted[j + (uint32_t)k].number : number;
			if ( touches[k] && ( is_changed || ( objects[other].state & bvwphase_is_changed ) ) &&
			     !bvwphase_report( world, number, other ) )
			{
				return false;
			}
		}
	}
	return true;
}

static bool find( bvw_broadphase* world )
{
	if ( world->changed_count == 0 )
	{
		return true;
	}
	sweep_arrays s;
	set_up( world, &s );
	bool is_done = true;
	for ( uint32_t i = 0; i < s.count && is_done; ++i )
	{
		is_done = report_behind( world, &s, i );
	}
	return is_done;
}

const bvwphase_method bvwphase_sort = {
	.name = "sort",
	.help = "objects sorted along an axis at each update, and swept",
	.bytes = bytes,
	.find = find,
	.finds_known = true,
	.overlap = bvwphase_look_at_all,
};
