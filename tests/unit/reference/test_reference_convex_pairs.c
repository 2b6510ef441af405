// The generator of convex pairs, judged by exact arithmetic: what its lattices make touch touches, and all kinds of
// contact are among the pairs.

#include "support.h"

#include "tests/reference/convex_exact.h"
#include "tests/reference/convex_pairs.h"

#include <stdio.h>

typedef struct judge
{
	convex_exact* memory;
	convex_pair* pair;
} judge;

static int setup( void** state )
{
	judge* j = calloc( 1, sizeof *j );
	j->memory = convex_exact_create();
	j->pair = malloc( sizeof *j->pair );
	*state = j;
	return 0;
}

static int teardown( void** state )
{
	judge* j = *state;
	convex_exact_destroy( j->memory );
	free( j->pair );
	free( j );
	return 0;
}

static convex_exact_result result_of( judge* j, uint64_t index )
{
	convex_pair* p = j->pair;
	convex_pair_make( index, p );
	convex_exact_result r;
	assert_true( convex_exact_compare( j->memory, &p->shape[0], NULL, &p->shape[1],
	                                   p->is_placed ? &p->placement : NULL, &r ) );
	return r;
}

// Touching pairs are made so by integers; a rounded coordinate would part them or make them overlap.
static void pairs_have_the_signs_that_they_are_made_with( void** state )
{
	judge* j = *state;
	uint64_t count = is_thorough() ? 400000 : 8000;
	uint64_t known = 0;
	for ( uint64_t i = 0; i < count; ++i )
	{
		convex_exact_result r = result_of( j, i );
		if ( r.sign < j->pair->sign[0] || r.sign > j->pair->sign[1] )
		{
			fail_msg( "pair %lu of kind %s has the sign %d", (unsigned long)i,
			          convex_pair_kind( j->pair->kind ), r.sign );
		}
		known += j->pair->sign[0] == j->pair->sign[1];
	}
	assert_true( known > count / 7 );
}

static void half_of_the_pairs_are_adversarial_and_of_all_signs( void** state )
{
	judge* j = *state;
	static uint32_t signs[64][3];
	uint32_t first_adversarial = convex_pair_kinds();
	for ( uint64_t i = 0; i < 8000; ++i )
	{
		convex_exact_result r = result_of( j, i );
		++signs[j->pair->kind][r.sign + 1];
		if ( i & 1 && j->pair->kind < first_adversarial )
		{
			first_adversarial = j->pair->kind;
		}
	}
	for ( uint32_t k = 0; k < convex_pair_kinds(); ++k )
	{
		bool is_contained = strcmp( convex_pair_kind( k ), "contained" ) == 0;
		assert_true( signs[k][0] >= 10 );
		assert_true( signs[k][2] >= 10 || is_contained );
		assert_true( signs[k][1] >= 5 || k < first_adversarial );
	}
	assert_int_equal( first_adversarial, 5 );
	assert_null( convex_pair_kind( convex_pair_kinds() ) );
}

static void pairs_depend_on_nothing_but_their_index( void** state )
{
	judge* j = *state;
	for ( uint64_t i = 0; i < 200; ++i )
	{
		convex_exact_result first = result_of( j, i );
		convex_pair_make( i + 77, j->pair );
		convex_exact_result second = result_of( j, i );
		assert_true( first.lower == second.lower && first.upper == second.upper &&
		             first.size == second.size );
	}
}

static void gaps_are_as_small_as_one_unit_and_shapes_have_up_to_1000_corners( void** state )
{
	judge* j = *state;
	uint32_t smallest[2] = { 0 };
	uint32_t largest = 0;
	uint32_t boxes = 0;
	uint32_t corners[4] = { 0 };
	uint32_t far = 0;
	double sizes[2] = { INFINITY, 0 };
	uint32_t graphs = 0;
	for ( uint64_t i = 0; i < 8000; ++i )
	{
		convex_exact_result r = result_of( j, i );
		double unit = nextafter( r.size, INFINITY ) - r.size;
		smallest[0] += r.sign < 0 && r.lower > -2 * unit;
		smallest[1] += r.sign > 0 && r.upper < 2 * unit;
		far += r.size > 5e5 && r.size < 2e6;
		sizes[0] = fmin( sizes[0], r.size > 0 ? r.size : INFINITY );
		sizes[1] = fmax( sizes[1], r.size );
		for ( int k = 0; k < 2; ++k )
		{
			const bv_convex* c = &j->pair->shape[k];
			boxes += c->kind == bv_convex_of_box;
			graphs += c->kind == bv_convex_of_graph;
			corners[c->kind == bv_convex_of_corners ? c->count : 0] += 1;
			largest = c->kind == bv_convex_of_points && c->count > largest ? c->count : largest;
		}
	}
	assert_true( smallest[0] >= 20 && smallest[1] >= 20 );
	assert_true( largest > 900 && boxes > 100 && far > 100 && graphs > 500 );
	assert_true( sizes[0] < 0x1p-140 && sizes[1] > 0x1p140 );
	assert_true( corners[1] > 20 && corners[2] > 20 && corners[3] > 20 );
}

// Euler: a triangulation of a sphere has 3 v - 6 edges. Each is there from both ends, and two neighbors in turn are joined.
// Triangles that are counterclockwise from outside enclose a volume above 0, except for rounding: flat shapes that were rotated
// with rounding are not quite flat.
static void graphs_are_triangulated_hulls( void** state )
{
	judge* j = *state;
	uint32_t graphs = 0;
	uint32_t solids = 0;
	for ( uint64_t i = 0; i < 3000; ++i )
	{
		convex_pair_make( i, j->pair );
		for ( int k = 0; k < 2; ++k )
		{
			const bv_convex* c = &j->pair->shape[k];
			if ( c->kind != bv_convex_of_graph )
			{
				continue;
			}
			++graphs;
			double volume = 0;
			double size = 0;
			assert_int_equal( c->first_neighbor[c->count], 6 * c->count - 12 );
			for ( uint32_t v = 0; v < c->count; ++v )
			{
				uint32_t first = c->first_neighbor[v];
				uint32_t degree = c->first_neighbor[v + 1] - first;
				for ( uint32_t n = 0; n < degree; ++n )
				{
					uint32_t to = c->neighbors[first + n];
					uint32_t turned = c->neighbors[first + ( n + 1 ) % degree];
					bv_vec3 p = bv_sub( c->points[v], c->points[0] );
					size = fmax( size, bv_length( p ) );
					volume += bv_dot( p, bv_cross( bv_sub( c->points[to], c->points[0] ),
					                               bv_sub( c->points[turned], c->points[0] ) ) );
					bool is_back = false;
					bool is_joined = false;
					for ( uint32_t m = c->first_neighbor[to]; m < c->first_neighbor[to + 1]; ++m )
					{
						is_back = is_back || c->neighbors[m] == v;
						is_joined = is_joined || c->neighbors[m] == turned;
					}
					assert_true( to != v && is_back && is_joined );
				}
			}
			assert_true( volume > -1e-12 * size * size * size );
			solids += volume > 1e-6 * size * size * size;
		}
	}
	assert_true( graphs > 200 && solids > graphs / 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( pairs_have_the_signs_that_they_are_made_with ),
		cmocka_unit_test( half_of_the_pairs_are_adversarial_and_of_all_signs ),
		cmocka_unit_test( pairs_depend_on_nothing_but_their_index ),
		cmocka_unit_test( graphs_are_triangulated_hulls ),
		cmocka_unit_test( gaps_are_as_small_as_one_unit_and_shapes_have_up_to_1000_corners ),
	};
	return cmocka_run_group_tests( tests, setup, teardown );
}
