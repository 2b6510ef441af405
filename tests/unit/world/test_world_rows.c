// Sorting into rows: boxes that touch exactly where cells, parts and levels end, against a comparison of all pairs.

#include "worlds.h"

#include <math.h>

enum
{
	count = 1200,
};

// A scene: where boxes are, in 64ths of the shortest side.
typedef struct spot
{
	int32_t lower[3];
	int32_t side;
} spot;

typedef enum arrangement
{
	arranged_evenly,   // in a cube
	arranged_by_sizes, // sides of 1, 3, 9 and 27
	arranged_in_heaps, // three heaps far from each other along the first axis, so that parts are longer than boxes are apart
	arranged_with_few_far_away,
	arrangements,
} arrangement;

static int32_t draw_side( uint64_t* random, arrangement a )
{
	static const int32_t sides[4] = { 1, 3, 9, 27 };
	return 64 * ( a == arranged_by_sizes ? sides[draw_below( random, 4 ) & draw_below( random, 4 )] : 1 );
}

static spot draw_spot( uint64_t* random, arrangement a )
{
	const uint32_t edge = 64 * ( a == arranged_by_sizes ? 60 : a == arranged_in_heaps ? 10 : 20 );
	spot s;
	for ( int k = 0; k < 3; ++k )
	{
		s.lower[k] = (int32_t)draw_below( random, edge );
	}
	s.side = draw_side( random, a );
	if ( a == arranged_in_heaps )
	{
		s.lower[0] += (int32_t)draw_below( random, 3 ) << 27;
	}
	if ( a == arranged_with_few_far_away && draw_below( random, 100 ) == 0 )
	{
		s.lower[draw_below( random, 3 )] += (int32_t)( draw_below( random, 2 ) ? 1 << 26 : -( 1 << 26 ) );
	}
	return s;
}

// A box that touches another one with its sides, edges or corners, along at least one axis.
static spot beside( uint64_t* random, const spot* s, arrangement a )
{
	spot out = { .side = draw_side( random, a ) };
	uint32_t touching = 1 + draw_below( random, 7 ); // bits
	for ( int k = 0; k < 3; ++k )
	{
		int32_t first = s->lower[k] - out.side;
		int32_t last = s->lower[k] + s->side;
		uint32_t within = draw_below( random, (uint32_t)( last - first + 1 ) );
		int32_t end = draw_below( random, 2 ) ? last : first;
		out.lower[k] = touching >> k & 1 ? end : first + (int32_t)within;
	}
	return out;
}

// Boxes come in pairs that touch, at numbers that do not follow each other.
static void draw_spots( uint64_t* random, arrangement a, spot spots[count] )
{
	for ( uint32_t i = 0; i < count / 2; ++i )
	{
		spots[i] = draw_spot( random, a );
		spots[count - 1 - i] = beside( random, spots + i, a );
	}
}

// @param turn  the axis along which the first coordinate is
static bv_aabb box_of_spot( const spot* s, int turn, double unit )
{
	double lower[3];
	double upper[3];
	for ( int k = 0; k < 3; ++k )
	{
		lower[( k + turn ) % 3] = unit * s->lower[k];
		upper[( k + turn ) % 3] = unit * ( s->lower[k] + s->side );
	}
	return ( bv_aabb ){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

static bool spots_touch( const spot* a, const spot* b )
{
	bool touch = true;
	for ( int k = 0; k < 3; ++k )
	{
		touch = touch && a->lower[k] <= b->lower[k] + b->side && b->lower[k] <= a->lower[k] + a->side;
	}
	return touch;
}

static void check_pairs( const spot spots[count], const bvw_broadphase* world, bvw_pair* pairs,
                         uint32_t most )
{
	uint32_t found;
	assert_int_equal( bvw_broadphase_pairs( world, pairs, most, &found ), bv_ok );
	uint32_t k = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t j = i + 1; j < count; ++j )
		{
			if ( spots_touch( spots + i, spots + j ) )
			{
				assert_true( k < found );
				assert_int_equal( pairs[k].a, i );
				assert_int_equal( pairs[k].b, j );
				++k;
			}
		}
	}
	assert_int_equal( k, found );
	assert_true( k >= count / 2 );
}

// Powers of two keep bounds exact in binary32; other units do not, but order of bounds remains, because they are products of one number.
static void rows_find_boxes_that_touch_exactly( void** state )
{
	(void)state;
	// In one row, boxes of the first and the last arrangement would be compared with 60 others.
	const uint32_t most_tests[arrangements] = { 12, 100, 60, 12 };
	const double units[] = { 0x1p-6, 0x1p80, 1e-7 / 3 };
	static spot spots[count];
	bvw_broadphase_options o = { .objects = count, .pairs = 100000, .method = bvw_method_rows };
	size_t bytes = bvw_broadphase_bytes( &o );
	void* memory = malloc( bytes );
	bvw_pair* pairs = malloc( o.pairs * sizeof *pairs );
	uint64_t random = 45;
	for ( uint32_t round = 0; round < rounds( 36 ); ++round )
	{
		for ( int a = 0; a < arrangements; ++a )
		{
			draw_spots( &random, (arrangement)a, spots );
			bvw_broadphase* world;
			assert_int_equal( bvw_broadphase_begin( memory, bytes, &o, &world ), bv_ok );
			for ( uint32_t i = 0; i < count; ++i )
			{
				bvw_object object = { .box = box_of_spot( spots + i, (int)round % 3, units[round / 3 % 3] ) };
				assert_int_equal( bvw_broadphase_add( world, i, &object ), bv_ok );
			}
			bvw_changes changes;
			assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
			check_pairs( spots, world, pairs, o.pairs );
			assert_true( changes.tests <= most_tests[a] * (uint64_t)count );
		}
	}
	free( pairs );
	free( memory );
}

// As in two dimensions. A tenth of the boxes is finite.
static void rows_divide_boxes_that_are_infinite_along_an_axis( void** state )
{
	(void)state;
	static spot spots[count];
	bvw_broadphase_options o = { .objects = count, .pairs = 100000, .method = bvw_method_rows };
	size_t bytes = bvw_broadphase_bytes( &o );
	void* memory = malloc( bytes );
	uint64_t random = 46;
	for ( int turn = 0; turn < 3; ++turn )
	{
		bvw_broadphase* world;
		assert_int_equal( bvw_broadphase_begin( memory, bytes, &o, &world ), bv_ok );
		draw_spots( &random, arranged_evenly, spots );
		for ( uint32_t i = 0; i < count; ++i )
		{
			spots[i].lower[1] *= 8;
			spots[i].lower[2] *= 8;
			bvw_object object = { .box = box_of_spot( spots + i, turn, 1 ) };
			double* lower[3] = { &object.box.lower.x, &object.box.lower.y, &object.box.lower.z };
			double* upper[3] = { &object.box.upper.x, &object.box.upper.y, &object.box.upper.z };
			*lower[turn] = i % 10 ? -(double)INFINITY : *lower[turn];
			*upper[turn] = i % 10 ? (double)INFINITY : *upper[turn];
			assert_int_equal( bvw_broadphase_add( world, i, &object ), bv_ok );
		}
		bvw_changes changes;
		assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
		uint32_t touching = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			for ( uint32_t j = i + 1; j < count; ++j )
			{
				spot a = spots[i];
				spot b = spots[j];
				a.lower[0] = i % 10 || j % 10 ? b.lower[0] : a.lower[0];
				touching += spots_touch( &a, &b );
			}
		}
		assert_int_equal( changes.begun_count, touching );
		// All pairs would be 600 for each box.
		assert_true( changes.tests <= 40 * count );
	}
	free( memory );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rows_find_boxes_that_touch_exactly ),
		cmocka_unit_test( rows_divide_boxes_that_are_infinite_along_an_axis ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
