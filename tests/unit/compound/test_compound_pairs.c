// Contacts of compounds without the test of ghosts: those of all pairs of leaves, one by one.

#include "compounds.h"

typedef struct leaf_pair
{
	bv_compound_leaf leaf[2];
	bv_transform b_in_a; // of the leaves
	bv_manifold manifold;
} leaf_pair;

// By the definitions in bv/compound.h, with the transforms of bv/base.h.
static void compute( const bv_compound* a, const bv_compound* b, const bv_transform* at, uint32_t i,
                     uint32_t k, double speculative, leaf_pair* out )
{
	assert_true( bv_compound_get_leaf( a, i, out->leaf ) && bv_compound_get_leaf( b, k, out->leaf + 1 ) );
	bv_transform of_b = bv_transform_compose( at, &out->leaf[1].placement );
	out->b_in_a = bv_transform_between( &out->leaf[0].placement, &of_b );
	bv_manifold_options options = { .speculative = speculative / out->leaf[0].placement.scale };
	assert_int_equal( bv_convex_manifold( &out->leaf[0].shape, &out->leaf[1].shape, &out->b_in_a, &options,
	                                      &out->manifold ),
	                  bv_ok );
}

static bool is_near( bv_vec3 a, bv_vec3 b, double error )
{
	return length( minus( a, b ) ) <= error;
}

// Manifolds of curved shapes are found by iteration, from other numbers where the transform is computed in another order.
static void check_pair( const bv_compound_contact* c, const leaf_pair* p )
{
	const bv_transform* t = &p->leaf[0].placement;
	const bv_manifold* m = &p->manifold;
	double error = 1e-6;
	assert_true( fabs( c->manifold.lower - t->scale * m->lower ) < error );
	assert_true( fabs( c->manifold.upper - t->scale * m->upper ) < error );
	assert_true( is_near( c->manifold.normal, bv_transform_direction( t, m->normal ), 1e-4 ) );
	assert_int_equal( c->manifold.count, m->count );
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bv_contact* x = c->manifold.contact + i;
		const bv_contact* y = m->contact + i;
		assert_true( fabs( x->separation - t->scale * y->separation ) < error );
		assert_true( is_near( x->point[0], placed( t, y->point[0] ), 1e-4 ) );
		assert_true( is_near( x->point[1], placed( t, y->point[1] ), 1e-4 ) );
		assert_true( is_near( x->position, placed( t, y->position ), 1e-4 ) );
		assert_true( x->identity == y->identity );
	}
}

// @return pairs with contacts
static uint32_t check_all( const bv_compound* a, const bv_compound* b, const bv_transform* at,
                           double speculative, const bv_compound_contact* contacts, uint32_t count )
{
	uint32_t found = 0;
	for ( uint32_t i = 0; i < a->leaves; ++i )
	{
		for ( uint32_t k = 0; k < b->leaves; ++k )
		{
			leaf_pair p;
			compute( a, b, at, i, k, speculative, &p );
			if ( p.manifold.count > 0 )
			{
				assert_true( found < count );
				assert_int_equal( contacts[found].leaf_a, i );
				assert_int_equal( contacts[found].leaf_b, k );
				check_pair( contacts + found, &p );
				++found;
			}
		}
	}
	assert_int_equal( found, count );
	return found;
}

static void trees_find_the_contacts_of_all_pairs( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 2000 : 120;
	uint64_t all = 0;
	uint64_t near = 0;
	uint64_t touching = 0;
	for ( int round = 0; round < rounds; ++round )
	{
		bv_compound a = random_compound( f, round % 4 );
		bv_compound b = random_compound( f, round / 4 % 4 );
		bv_transform at = random_place( f, 1 );
		bv_compound_contacts_options o = { .no_ghost_test = true, .speculative = round % 3 * 0.1 };
		bv_compound_room room = room_for( f, &a, &b );
		bv_compound_contacts_result r = find_contacts( &a, &b, &at, &o, &room );
		assert_int_equal( r.dropped + r.ghosts + r.turned, 0 );
		touching += check_all( &a, &b, &at, o.speculative, room.contacts, r.count );
		all += (uint64_t)a.leaves * b.leaves;
		near += r.pairs;
	}
	assert_true( touching > 300 && near < all / 2 && touching <= near );
}

// The same leaves, one by one in a union of one level.
static bv_compound flattened( fixture* f, const bv_compound* c )
{
	bv_compound* members = bvb_arena_allocate( f->arena, c->leaves, sizeof *members );
	bv_transform* places = bvb_arena_allocate( f->arena, c->leaves, sizeof *places );
	bv_convex* shapes = bvb_arena_allocate( f->arena, c->leaves, sizeof *shapes );
	for ( uint32_t i = 0; i < c->leaves; ++i )
	{
		bv_compound_leaf leaf;
		assert_true( bv_compound_get_leaf( c, i, &leaf ) );
		shapes[i] = leaf.shape;
		places[i] = leaf.placement;
		members[i] = bv_compound_of_shape( shapes + i );
	}
	return join( f, members, places, c->leaves );
}

static void check_same( const bv_compound_contact* x, const bv_compound_contact* y, double error )
{
	assert_int_equal( x->leaf_a, y->leaf_a );
	assert_int_equal( x->leaf_b, y->leaf_b );
	assert_int_equal( x->manifold.count, y->manifold.count );
	assert_true( is_near( x->manifold.normal, y->manifold.normal, error ) );
	for ( uint32_t k = 0; k < x->manifold.count; ++k )
	{
		assert_true( is_near( x->manifold.contact[k].position, y->manifold.contact[k].position, error ) );
	}
}

static void nesting_changes_nothing( void** state )
{
	fixture* f = *state;
	uint32_t touching = 0;
	for ( int round = 0; round < 60; ++round )
	{
		bv_compound a = random_compound( f, 4 );
		bv_compound b = random_compound( f, 1 );
		bv_compound flat = flattened( f, &a );
		bv_transform at = random_place( f, 1 );
		bv_compound_room room[2] = { room_for( f, &a, &b ), room_for( f, &flat, &b ) };
		bv_compound_contacts_options o = { .speculative = 0.05, .no_ghost_test = round % 2 == 0 };
		bv_compound_contacts_result r[2] = { find_contacts( &a, &b, &at, &o, room ),
			                                 find_contacts( &flat, &b, &at, &o, room + 1 ) };
		assert_int_equal( flat.leaves, a.leaves );
		assert_int_equal( r[0].count, r[1].count );
		for ( uint32_t i = 0; i < r[0].count; ++i )
		{
			check_same( room[0].contacts + i, room[1].contacts + i, 1e-9 );
		}
		touching += r[0].count;
	}
	assert_true( touching > 50 );
}

// Twenty unions in each other, each of which turns its member by 18 degrees, scales it by 2 or 1/2, and shifts it.
static void twenty_unions_place_as_their_product( void** state )
{
	fixture* f = *state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0.1, 0.2, 0.3 ), bv_vec3_make( 0.5, 0.4, 0.3 ) );
	bv_compound c = bv_compound_of_shape( &box );
	long double x[3] = { 0.6L, 0.6L, 0.6L }; // a corner
	const double pi = 3.14159265358979323846;
	for ( int i = 0; i < 20; ++i )
	{
		bv_transform t;
		assert_int_equal( bv_transform_from_axis_angle( bv_vec3_make( 0, 0, 1 ), pi / 10,
		                                                bv_vec3_make( 0.1, 0, -0.2 ), &t ),
		                  bv_ok );
		t.scale = i % 2 ? 2 : 0.5;
		c = join( f, &c, &t, 1 );
		long double turned[2] = { cosl( pi / 10 ) * x[0] - sinl( pi / 10 ) * x[1],
			                      sinl( pi / 10 ) * x[0] + cosl( pi / 10 ) * x[1] };
		x[0] = t.scale * turned[0] + 0.1L;
		x[1] = t.scale * turned[1];
		x[2] = t.scale * x[2] - 0.2L;
	}
	bv_compound_leaf leaf;
	assert_true( c.leaves == 1 && bv_compound_get_leaf( &c, 0, &leaf ) );
	bv_vec3 corner = placed( &leaf.placement, bv_vec3_make( 0.6, 0.6, 0.6 ) );
	assert_true( is_near( corner, bv_vec3_make( (double)x[0], (double)x[1], (double)x[2] ), 1e-12 ) );

	// A ball whose surface is at the corner, from above.
	bv_convex ball = bv_convex_sphere( plus( corner, 0.2499, bv_vec3_make( 0, 0, 1 ) ), 0.25 );
	bv_compound other = bv_compound_of_shape( &ball );
	bv_compound_room room = room_for( f, &c, &other );
	bv_compound_contacts_result r = find_contacts( &c, &other, NULL, NULL, &room );
	assert_int_equal( r.count, 1 );
	assert_true( fabs( room.contacts[0].manifold.contact[0].separation + 1e-4 ) < 1e-9 );
}

static void exchanging_the_compounds_mirrors_the_result( void** state )
{
	fixture* f = *state;
	uint32_t touching = 0;
	for ( int round = 0; round < 60; ++round )
	{
		bv_compound a = random_compound( f, 2 );
		bv_compound b = random_compound( f, 2 );
		bv_transform at = random_place( f, 1.5 );
		bv_transform back = bv_transform_inverse( &at );
		bv_compound_room room[2] = { room_for( f, &a, &b ), room_for( f, &b, &a ) };
		bv_compound_contacts_options o = { .speculative = 0.05, .no_ghost_test = true };
		bv_compound_contacts_result r = find_contacts( &a, &b, &at, &o, room );
		o.speculative /= at.scale;
		assert_int_equal( find_contacts( &b, &a, &back, &o, room + 1 ).count, r.count );
		for ( uint32_t i = 0; i < r.count; ++i )
		{
			const bv_compound_contact* x = room[0].contacts + i;
			uint32_t k = 0;
			while ( k < r.count &&
			        ( room[1].contacts[k].leaf_a != x->leaf_b || room[1].contacts[k].leaf_b != x->leaf_a ) )
			{
				++k;
			}
			assert_true( k < r.count );
			const bv_manifold* m = &room[1].contacts[k].manifold;
			assert_true( fabs( at.scale * m->upper - x->manifold.upper ) < 1e-5 );
		}
		touching += r.count;
	}
	assert_true( touching > 50 );
}

// Each leaf is that of the member with the number that it has there, all the way down.
static void check_leaves( const bv_compound* c, const bv_compound* members, const bv_transform* places,
                          uint32_t count )
{
	uint32_t leaf = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < members[i].leaves; ++k, ++leaf )
		{
			bv_compound_leaf got;
			bv_compound_leaf own;
			assert_true( bv_compound_get_leaf( c, leaf, &got ) );
			assert_true( bv_compound_get_leaf( members + i, k, &own ) );
			assert_int_equal( got.member, i );
			assert_int_equal( got.leaf, k );
			assert_true( got.file == own.file && got.part == own.part );
			assert_int_equal( got.shape.kind, own.shape.kind );
			bv_vec3 p = { 0.3, -0.7, 0.9 };
			bv_vec3 expected = placed( places + i, placed( &own.placement, p ) );
			assert_true( is_near( placed( &got.placement, p ), expected, 1e-13 ) );
		}
	}
	assert_int_equal( leaf, c->leaves );
	bv_compound_leaf unchanged = { .member = 1234 };
	assert_false( bv_compound_get_leaf( c, leaf, &unchanged ) );
	assert_int_equal( unchanged.member, 1234 );
}

static void leaves_are_numbered_by_members( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 40; ++round )
	{
		bv_compound members[5];
		bv_transform places[5];
		for ( int i = 0; i < 5; ++i )
		{
			members[i] = random_compound( f, i % 3 );
			places[i] = random_place( f, 1 );
		}
		bv_compound c = join( f, members, places, 5 );
		check_leaves( &c, members, places, 5 );
	}
}

static void one_leaf_has_the_manifold_of_the_pair( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 200; ++i )
	{
		const bv_convex* shape[2] = { random_shape( f ), random_shape( f ) };
		bv_compound c[2] = { bv_compound_of_shape( shape[0] ), bv_compound_of_shape( shape[1] ) };
		bv_transform at = random_place( f, 0.5 );
		bv_manifold m;
		assert_int_equal( bv_convex_manifold( shape[0], shape[1], &at, NULL, &m ), bv_ok );
		bv_compound_room room = room_for( f, c, c + 1 );
		bv_compound_contacts_result r = find_contacts( c, c + 1, &at, NULL, &room );
		assert_int_equal( r.count, m.count > 0 );
		for ( uint32_t k = 0; k < m.count; ++k )
		{
			assert_memory_equal( room.contacts[0].manifold.contact + k, m.contact + k, sizeof *m.contact );
		}
	}
}

static void a_thousand_equal_leaves_are_a_thousand_pairs( void** state )
{
	fixture* f = *state;
	enum
	{
		count = 1000,
	};
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_compound members[count];
	for ( int i = 0; i < count; ++i )
	{
		members[i] = bv_compound_of_shape( &box );
	}
	bv_compound a = join( f, members, NULL, count );
	bv_transform at = bv_transform_translation( 0.25, 0, 1.99 );
	for ( int ghosts = 0; ghosts < 2; ++ghosts )
	{
		bv_compound_room room = room_for( f, &a, members );
		bv_compound_contacts_options o = { .no_ghost_test = ghosts };
		bv_compound_contacts_result r = find_contacts( &a, members, &at, &o, &room );
		assert_int_equal( r.count, count );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_int_equal( room.contacts[i].leaf_a, i );
			assert_true( room.contacts[i].manifold.normal.z > 1 - 1e-12 );
		}
		// Both trees are balanced: no more than a test for each node.
		assert_int_equal( r.volume_tests, 2 * count - 1 );
	}
}

static void half_spaces_touch_what_reaches_them( void** state )
{
	fixture* f = *state;
	bv_convex ground = bv_convex_half_space( bv_vec3_make( 0, 0, 2 ), 1 ); // z <= 1/2
	bv_compound floor = bv_compound_of_shape( &ground );
	uint32_t near = 0;
	uint32_t touching = 0;
	uint32_t all = 0;
	for ( int round = 0; round < 60; ++round )
	{
		bv_compound b = random_compound( f, 2 );
		bv_compound a = round % 2 ? join( f, ( bv_compound[] ){ floor, floor }, NULL, 2 ) : floor;
		bv_transform at = random_place( f, 1 );
		bv_compound_contacts_options o = { .no_ghost_test = round % 4 < 2 };
		bv_compound_room room = room_for( f, &a, &b );
		bv_compound_contacts_result r = find_contacts( &a, &b, &at, &o, &room );
		if ( o.no_ghost_test )
		{
			touching += check_all( &a, &b, &at, 0, room.contacts, r.count );
			near += r.pairs;
			all += a.leaves * b.leaves;
		}
		for ( uint32_t i = 0; i < r.count; ++i )
		{
			assert_true( room.contacts[i].manifold.normal.z > 1 - 1e-12 );
		}
	}
	assert_true( touching > 20 && near < all );
}

static void a_full_array_keeps_the_deepest( void** state )
{
	fixture* f = *state;
	enum
	{
		count = 20,
	};
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), 0.5 );
	bv_compound members[count];
	bv_transform places[count];
	for ( int i = 0; i < count; ++i )
	{
		members[i] = bv_compound_of_shape( &ball );
		places[i] = bv_transform_translation( 2.0 * i, 0, -0.01 * ( i * 7 % count ) );
	}
	bv_compound a = join( f, members, places, count );
	bv_convex ground = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), -0.5 );
	bv_compound b = bv_compound_of_shape( &ground );
	bv_compound_room room = room_for( f, &a, &b );
	for ( uint32_t capacity = 1; capacity <= count; ++capacity )
	{
		room.capacity = capacity;
		bv_compound_contacts_result r = find_contacts( &a, &b, NULL, NULL, &room );
		assert_int_equal( r.count, capacity );
		assert_int_equal( r.dropped, count - capacity );
		for ( uint32_t i = 0; i < capacity; ++i )
		{
			uint32_t rank = count - 1 - room.contacts[i].leaf_a * 7 % count;
			assert_true( rank < capacity );
			assert_true( i == 0 || room.contacts[i].leaf_a > room.contacts[i - 1].leaf_a );
		}
	}
}

typedef struct cache_calls
{
	bv_convex_cache cache[64];
	uint32_t leaf_a[64];
	uint32_t count;
} cache_calls;

static bv_convex_cache* give_cache( void* context, uint32_t leaf_a, uint32_t leaf_b )
{
	cache_calls* calls = context;
	assert_int_equal( leaf_b, 0 );
	assert_true( calls->count < 64 );
	calls->leaf_a[calls->count] = leaf_a;
	return calls->cache + calls->count++;
}

static void caches_make_the_second_query_shorter( void** state )
{
	fixture* f = *state;
	bv_vec3 points[2][40];
	bv_convex hull[2];
	for ( int i = 0; i < 2; ++i )
	{
		for ( int k = 0; k < 40; ++k )
		{
			bv_vec3 p = random_around( f );
			points[i][k] = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( p ), p );
		}
		hull[i] = bv_convex_points( points[i], 40, 0 );
	}
	bv_compound member = bv_compound_of_shape( hull );
	bv_compound members[4] = { member, member, member, member };
	bv_transform places[4];
	for ( int i = 0; i < 4; ++i )
	{
		places[i] = bv_transform_translation( 0.2 * i, 0, 0 );
	}
	bv_compound a = join( f, members, places, 4 );
	bv_compound b = bv_compound_of_shape( hull + 1 );
	cache_calls calls = { .count = 0 };
	bv_compound_contacts_options o = { .no_ghost_test = true, .cache = give_cache, .context = &calls };
	bv_transform at = bv_transform_translation( 0.3, 0, 1.8 );
	bv_compound_room room = room_for( f, &a, &b );
	uint64_t supports[2];
	for ( int i = 0; i < 2; ++i )
	{
		calls.count = 0;
		bv_compound_contacts_result r = find_contacts( &a, &b, &at, &o, &room );
		assert_int_equal( calls.count, r.pairs );
		supports[i] = r.supports;
	}
	assert_true( supports[1] < supports[0] );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( trees_find_the_contacts_of_all_pairs ),
		fixture_test( nesting_changes_nothing ),
		fixture_test( twenty_unions_place_as_their_product ),
		fixture_test( exchanging_the_compounds_mirrors_the_result ),
		fixture_test( leaves_are_numbered_by_members ),
		fixture_test( one_leaf_has_the_manifold_of_the_pair ),
		fixture_test( a_thousand_equal_leaves_are_a_thousand_pairs ),
		fixture_test( half_spaces_touch_what_reaches_them ),
		fixture_test( a_full_array_keeps_the_deepest ),
		fixture_test( caches_make_the_second_query_shorter ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
