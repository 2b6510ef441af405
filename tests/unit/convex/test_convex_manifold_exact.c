// Contact points of polytopes that rest on each other, against contact polygons in rational arithmetic.

#include "support.h"

#include "bv/contact.h"

#include "tests/hull_graph.h"
#include "tests/reference/convex_contacts.h"
#include "tests/reference/convex_pairs.h"
#include "tests/reference/convex_rests.h"

#include <inttypes.h>

typedef struct tally
{
	uint64_t pairs;
	uint64_t wrong;
	uint64_t contacts;
	uint64_t witnesses; // contacts that are no corner
	double slab;
	double surface;
	double deepest;
	double place;
	double area;
	double free_area;
	uint64_t free_below; // pairs with less than 95 % of any four corners
} tally;

static void count_faults( const contact_faults* f, tally* t )
{
	++t->pairs;
	t->slab = fmax( t->slab, f->slab );
	t->surface = fmax( t->surface, f->surface );
	t->deepest = fmax( t->deepest, f->deepest );
	t->place = fmax( t->place, f->place );
	t->area = f->is_witness ? t->area : fmin( t->area, f->area );
	t->free_area = fmin( t->free_area, f->free_area );
	t->free_below += f->free_area < 0.95;
	t->witnesses += f->is_witness;
	t->wrong += f->wrong != NULL;
}

static void judge( convex_exact* memory, const bv_convex shape[2], const bv_transform* at, double speculative,
                   uint64_t index, tally* t )
{
	bv_manifold m;
	bv_manifold_options options = { .speculative = speculative };
	assert_int_equal( bv_convex_manifold( shape, shape + 1, at, &options, &m ), bv_ok );
	contact_faults faults;
	assert_true( contact_faults_find( memory, shape, shape + 1, at, speculative, &m, &faults ) );
	count_faults( &faults, t );
	t->contacts += m.count;
	if ( faults.wrong )
	{
		print_error( "pair %" PRIu64 ": %s\n", index, faults.wrong );
	}
}

static void print_tally( const tally* t )
{
	print_message( "%" PRIu64 " pairs, %" PRIu64
	               " contacts; slab %.2g, surface %.2g, deepest %.2g, place %.2g, area %.4f, of any four "
	               "%.4f, %" PRIu64 " pairs below 95 %%; %" PRIu64 " deepest points that are no corners\n",
	               t->pairs, t->contacts, t->slab, t->surface, t->deepest, t->place, t->area, t->free_area,
	               t->free_below, t->witnesses );
}

static void contacts_of_resting_polytopes_are_corners_of_the_exact_polygon( void** state )
{
	(void)state;
	convex_exact* memory = convex_exact_create();
	convex_rest* rest = malloc( sizeof *rest );
	assert_true( memory && rest );
	tally t = { .area = 1, .free_area = 1 };
	uint64_t count = is_thorough() ? 100000 : 2000;
	for ( uint64_t i = 0; i < count; ++i )
	{
		convex_rest_make( i, rest );
		bv_convex shape[2] = { rest->shape[0], rest->shape[1] };
		bvb_arena* arena = bvb_arena_create();
		for ( int which = 0; which < 2 && i / 8 % 3 == 0; ++which )
		{
			bv_convex graph;
			bool is_polyhedron = graph_of_hull( arena, shape[which].points, shape[which].count, &graph );
			shape[which] = is_polyhedron ? graph : shape[which];
		}
		double speculative = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.02 * rest->size : 2 * rest->size;
		judge( memory, shape, &rest->placement, speculative, i, &t );
		bvb_arena_destroy( arena );
	}
	print_tally( &t );
	assert_int_equal( t.wrong, 0 );
	free( rest );
	convex_exact_destroy( memory );
}

// The pairs of the oracle of distances, as far as their shapes have few corners: half of them touch exactly in corners, edges or
// faces of a lattice, or nearly so.
static void contacts_of_adversarial_polytopes_are_corners_of_the_exact_polygon( void** state )
{
	(void)state;
	convex_exact* memory = convex_exact_create();
	convex_pair* pair = malloc( sizeof *pair );
	assert_true( memory && pair );
	tally t = { .area = 1, .free_area = 1 };
	uint64_t count = is_thorough() ? 100000 : 2000;
	for ( uint64_t i = 0; i < count; ++i )
	{
		convex_pair_make( i, pair );
		if ( pair->shape[0].count <= contact_corners_most && pair->shape[1].count <= contact_corners_most )
		{
			judge( memory, pair->shape, pair->is_placed ? &pair->placement : NULL, i % 2 ? 0 : 1, i, &t );
		}
	}
	print_tally( &t );
	assert_int_equal( t.wrong, 0 );
	free( pair );
	convex_exact_destroy( memory );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( contacts_of_resting_polytopes_are_corners_of_the_exact_polygon ),
		cmocka_unit_test( contacts_of_adversarial_polytopes_are_corners_of_the_exact_polygon ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
