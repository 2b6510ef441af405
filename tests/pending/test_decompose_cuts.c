// How many parts come out where that is known, and that holes stay holes.

#include "decomposed.h"

static bvb_decomposition within( fixture* f, const bvb_mesh* mesh, double tolerance, uint32_t max_parts )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.tolerance = tolerance;
	options.max_parts = max_parts;
	bvb_decomposition d = decompose( f, mesh, &options );
	print_message( "tolerance %g: %u parts, [%g, %g]\n", tolerance, d.part_count, d.concavity.lower,
	               d.concavity.upper );
	check_parts( f, mesh, &options, &d );
	check_cover( f, mesh, &d, 500 );
	check_concavity( mesh, &d, 500 );

	// With parts to spare it went on until all were near enough, or as near as binary32 corners can be.
	double least = 0x1p-21 * reach_of( mesh );
	assert_true( d.part_count == max_parts || d.concavity.upper <= fmax( tolerance, least ) );
	return d;
}

// As it is drawn, and in three random places.
static void check_count( fixture* f, const bvb_mesh* mesh, double tolerance, uint32_t fewest, uint32_t most )
{
	bvb_mesh at = *mesh;
	for ( int i = 0; i < 4; ++i )
	{
		bvb_decomposition d = within( f, &at, tolerance, 32 );
		assert_in_range( d.part_count, fewest, most );
		placement place = random_placement( f );
		at = record_at( f, combined( f, mesh, &( bvb_mesh ){ .vertex_count = 0 } ), &place );
	}
}

static void a_square_ring_is_four_parts( void** state )
{
	fixture* f = *state;
	bvb_mesh ring = square_ring( f );
	check_count( f, &ring, 0.01, 4, 4 );
}

// A room inside of a solid is not filled once there are parts for its walls.
static void a_cavity_is_not_filled( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = hollow_box( f );
	bvb_decomposition d = within( f, &mesh, 0, 16 );
	assert_true( d.concavity.upper < 0.5 );
	cover c = cover_create( f, &d );
	assert_true( distance_to_parts( &c, ( bv_vec3 ){ 2, 2, 2 } ) > 0.5 );
	cover_free( &c );

	// Six walls.
	check_count( f, &mesh, 0.01, 6, 12 );
}

// Of more parts none makes it worse.
static void more_parts_stand_off_less( void** state )
{
	fixture* f = *state;
	specimen specimens[specimens_most];
	uint32_t count = solid_specimens( f, specimens );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double first = within( f, &specimens[i].mesh, 0, 1 ).concavity.upper;
		double few = within( f, &specimens[i].mesh, 0, 6 ).concavity.upper;
		double many = within( f, &specimens[i].mesh, 0, 32 ).concavity.upper;
		double slack = 1e-4 * diagonal_of( &specimens[i].mesh );
		assert_true( few <= first + slack && many <= few + slack );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_square_ring_is_four_parts ),
		fixture_test( a_cavity_is_not_filled ),
		fixture_test( more_parts_stand_off_less ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
