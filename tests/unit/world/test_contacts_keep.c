// Points of former steps: which are kept, where they are, and whose data new points get. Sites of contact points are farther apart than
// the tolerance and have one identity each, so that a list of sites is a model of all that is kept.

#include "pushes.h"

#include "bvworld/contacts.h"

enum
{
	sites = 12,
};

static const double tolerance = 0.02;

typedef struct world
{
	double memory[1024];
	bvw_contacts* contacts;
} world;

static void begin( world* w, bool keep )
{
	const bvw_contacts_options options = { .pairs = 2, .tolerance = tolerance, .keep = keep };
	assert_true( bvw_contacts_bytes( &options ) <= sizeof w->memory );
	assert_int_equal( bvw_contacts_begin( w->memory, sizeof w->memory, &options, &w->contacts ), bv_ok );
}

static bv_vec3 site_at( uint32_t site )
{
	return bv_vec3_make( 0.1 * ( site % 4 ), 0.1 * ( site / 4 ), 0 );
}

// Points of some sites, of which b is above by a gap, where it is now.
static bv_manifold manifold_of( const uint32_t* site, uint32_t count, double gap )
{
	bv_manifold m = { .lower = gap, .upper = gap, .normal = { 0, 0, 1 }, .count = count };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_contact* c = m.contact + i;
		c->point[0] = site_at( site[i] );
		c->point[1] = bv_add( c->point[0], bv_vec3_make( 0, 0, gap ) );
		c->position = bv_add( c->point[0], bv_vec3_make( 0, 0, gap / 2 ) );
		c->separation = gap;
		c->identity = 100 + site[i];
	}
	return m;
}

static const bvw_contact_key key = { 0, 1, { 0, 0 } };

static bvw_contact_pair* update( world* w, const bv_manifold* m, const bv_transform* b_in_a,
                                 bvw_kept_points** kept )
{
	bvw_pair_result result;
	assert_int_equal( bvw_contacts_update_pair( w->contacts, &key, b_in_a, m, &result ), bv_ok );
	*kept = bvw_contacts_kept( w->contacts, result.index );
	return bvw_contacts_at( w->contacts, result.index );
}

static void points_are_kept_where_they_are_on_both_objects( void** state )
{
	(void)state;
	world w;
	bvw_kept_points* kept;
	begin( &w, true );
	bv_transform at = bv_transform_identity();
	bv_manifold m = manifold_of( ( uint32_t[] ){ 0, 1 }, 2, -0.001 );
	update( &w, &m, &at, &kept )->data[1][0] = 7;
	assert_int_equal( kept->count, 0 );
	// b turns about site 2, by 0.05: site 1 is 0.1 away from it, and 0.005 higher on b.
	at.pose.translation = bv_vec3_make( 0.2 - 0.2 * cos( 0.05 ), 0, 0.2 * sin( 0.05 ) );
	at.pose.rotation[0][0] = at.pose.rotation[2][2] = cos( 0.05 );
	at.pose.rotation[0][2] = sin( 0.05 );
	at.pose.rotation[2][0] = -sin( 0.05 );
	m = manifold_of( ( uint32_t[] ){ 2 }, 1, 0 );
	bvw_contact_pair* pair = update( &w, &m, &at, &kept );
	assert_int_equal( pair->ended_count, 2 );
	assert_int_equal( kept->count, 2 );
	const bvw_kept_point* p = kept->point + 1;
	assert_int_equal( p->at.identity, 101 );
	assert_true( p->data[0] == 7 );
	assert_true( fabs( p->at.point[0].x - 0.1 ) < 1e-15 && fabs( p->place.x - 0.1 ) < 1e-15 );
	assert_true( fabs( p->at.separation - ( 0.1 * sin( 0.05 ) - 0.001 * cos( 0.05 ) ) ) < 1e-15 );
	assert_true( fabs( p->at.position.z - p->at.separation / 2 ) < 1e-15 );
}

static void points_that_drift_or_part_are_not_kept( void** state )
{
	(void)state;
	static const struct
	{
		bv_vec3 moved;
		uint64_t count;
	} cases[] = { { { 0.019, 0, 0 }, 1 }, { { 0.021, 0, 0 }, 0 }, { { 0, -0.021, 0 }, 0 },
		          { { 0, 0, 0.019 }, 1 }, { { 0, 0, 0.021 }, 0 }, { { 0, 0, -0.5 }, 1 } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		world w;
		bvw_kept_points* kept;
		begin( &w, true );
		bv_transform at = bv_transform_identity();
		bv_manifold m = manifold_of( ( uint32_t[] ){ 0 }, 1, 0 );
		update( &w, &m, &at, &kept );
		at.pose.translation = cases[i].moved;
		m = manifold_of( ( uint32_t[] ){ 5 }, 1, 0 );
		update( &w, &m, &at, &kept );
		assert_int_equal( kept->count, cases[i].count );
		// And none remains without contacts.
		m.count = 0;
		bvw_pair_result result;
		assert_int_equal( bvw_contacts_update_pair( w.contacts, &key, &at, &m, &result ), bv_ok );
		assert_int_equal( result.event, bvw_contact_ended );
		m.count = 1;
		update( &w, &m, &at, &kept );
		assert_int_equal( kept->count, 0 );
	}
}

static void new_points_near_kept_ones_take_their_data( void** state )
{
	(void)state;
	world w;
	bvw_kept_points* kept;
	begin( &w, true );
	bv_transform at = bv_transform_identity();
	bv_manifold m = manifold_of( ( uint32_t[] ){ 0 }, 1, 0 );
	update( &w, &m, &at, &kept )->data[0][2] = 5;
	m = manifold_of( ( uint32_t[] ){ 6 }, 1, 0 );
	update( &w, &m, &at, &kept );
	assert_int_equal( kept->count, 1 );
	// The same place by another name.
	m = manifold_of( ( uint32_t[] ){ 6, 0 }, 2, 0 );
	m.contact[1].identity = 999;
	m.contact[1].point[0].x = m.contact[1].point[1].x = 0.015;
	bvw_contact_pair* pair = update( &w, &m, &at, &kept );
	assert_true( pair->data[1][2] == 5 );
	assert_int_equal( kept->count, 0 );
}

static void without_the_option_nothing_is_kept( void** state )
{
	(void)state;
	world w;
	bvw_kept_points* kept;
	begin( &w, false );
	bv_transform at = bv_transform_identity();
	bv_manifold m = manifold_of( ( uint32_t[] ){ 0 }, 1, 0 );
	update( &w, &m, &at, &kept );
	assert_null( kept );
	begin( &w, true );
	assert_null( bvw_contacts_kept( w.contacts, 0 ) );
	assert_null( bvw_contacts_kept( NULL, 0 ) );
}

// What the model knows of a site.
typedef struct site_state
{
	double data;
	bv_vec3 place;
} site_state;

static void lists_of_kept_points_are_those_of_the_model( void** state )
{
	(void)state;
	uint64_t kept_in_all = 0;
	for ( uint32_t scene = 0; scene < rounds( 50 ); ++scene )
	{
		uint64_t random = 700 + scene;
		world w;
		begin( &w, true );
		uint32_t old[BV_MANIFOLD_CONTACTS];
		uint32_t olds = 0;
		uint32_t list[BVW_KEPT_POINTS + BV_MANIFOLD_CONTACTS];
		uint32_t listed = 0;
		site_state site[sites];
		memset( site, 0, sizeof site );
		bv_transform at = bv_transform_identity();
		double next = 1;
		for ( int step = 0; step < 400; ++step )
		{
			// b drifts, and jumps back now and then.
			bv_vec3 way = bv_scale( 0.004, draw_vector( &random, 1 ) );
			at.pose.translation =
				draw_below( &random, 30 ) == 0 ? bv_vec3_make( 0, 0, 0 ) : bv_add( at.pose.translation, way );
			uint32_t now[BV_MANIFOLD_CONTACTS];
			uint32_t count = 0;
			bool is_in[sites] = { false };
			for ( uint32_t tries = draw_below( &random, 5 ); tries > 0; --tries )
			{
				uint32_t s = draw_below( &random, sites );
				now[count] = s;
				count += !is_in[s];
				is_in[s] = true;
			}
			bv_manifold m = manifold_of( now, count, 0.001 );
			bvw_kept_points* kept;
			bvw_contact_pair* pair = update( &w, &m, &at, &kept );

			// Kept points and former ones that the manifold does not have stay in this order while they are near.
			uint32_t candidate[BVW_KEPT_POINTS + BV_MANIFOLD_CONTACTS];
			uint32_t candidates = 0;
			bool was_known[sites] = { false };
			for ( uint32_t i = 0; i < listed + olds; ++i )
			{
				uint32_t s = i < listed ? list[i] : old[i - listed];
				was_known[s] = true;
				candidate[candidates] = s;
				candidates += !is_in[s];
			}
			listed = 0;
			for ( uint32_t i = 0; i < candidates && count > 0; ++i )
			{
				bv_vec3 p = bv_add( site[candidate[i]].place, at.pose.translation );
				bv_vec3 d = bv_sub( p, site_at( candidate[i] ) );
				bool is_near = d.z <= tolerance && sqrt( d.x * d.x + d.y * d.y ) <= tolerance;
				if ( is_near && listed < BVW_KEPT_POINTS )
				{
					list[listed++] = candidate[i];
				}
			}
			if ( count == 0 )
			{
				olds = 0;
				continue;
			}
			assert_int_equal( kept->count, listed );
			kept_in_all += listed;
			for ( uint32_t i = 0; i < listed; ++i )
			{
				assert_int_equal( kept->point[i].at.identity, 100 + list[i] );
				assert_true( kept->point[i].data[0] == site[list[i]].data );
				kept->point[i].data[0] = site[list[i]].data = ++next;
			}
			for ( uint32_t i = 0; i < count; ++i )
			{
				site_state* s = site + now[i];
				assert_true( pair->data[i][0] == ( was_known[now[i]] ? s->data : 0 ) );
				pair->data[i][0] = s->data = ++next;
				s->place = bv_sub( m.contact[i].point[1], at.pose.translation );
			}
			memcpy( old, now, sizeof old );
			olds = count;
		}
	}
	assert_true( kept_in_all > 1000 );
}

static void copies_have_kept_points_if_both_keep( void** state )
{
	(void)state;
	for ( int k = 0; k < 4; ++k )
	{
		world from;
		world to;
		bvw_kept_points* kept;
		begin( &from, k % 2 == 1 );
		bv_transform at = bv_transform_identity();
		bv_manifold m = manifold_of( ( uint32_t[] ){ 0 }, 1, 0 );
		update( &from, &m, &at, &kept );
		m = manifold_of( ( uint32_t[] ){ 6 }, 1, 0 );
		update( &from, &m, &at, &kept );
		const bvw_contacts_options options = { .pairs = 2, .tolerance = tolerance, .keep = k / 2 == 1 };
		assert_int_equal(
			bvw_contacts_copy( from.contacts, to.memory, sizeof to.memory, &options, &to.contacts ), bv_ok );
		bvw_kept_points* copied = bvw_contacts_kept( to.contacts, 0 );
		assert_true( ( copied != NULL ) == ( k / 2 == 1 ) );
		assert_true( !copied || copied->count == ( k == 3 ? 1 : 0 ) );
		assert_true( k != 3 || memcmp( copied, kept, sizeof *kept ) == 0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( points_are_kept_where_they_are_on_both_objects ),
		cmocka_unit_test( points_that_drift_or_part_are_not_kept ),
		cmocka_unit_test( new_points_near_kept_ones_take_their_data ),
		cmocka_unit_test( without_the_option_nothing_is_kept ),
		cmocka_unit_test( lists_of_kept_points_are_those_of_the_model ),
		cmocka_unit_test( copies_have_kept_points_if_both_keep ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
