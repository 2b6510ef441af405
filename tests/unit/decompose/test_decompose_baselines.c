// The decomposers of the literature on shapes where it is known what their rules come to. That they cover, keep to caps and do the
// same with any number of threads is tested with all others.

#include "decomposed.h"

static const char* const methods[] = { "obb-tree", "box-merge", "notch" };

enum
{
	method_count = sizeof methods / sizeof *methods,
};

static bvb_decomposition by_method( fixture* f, const bvb_mesh* mesh, const char* method, double tolerance,
                                    uint32_t max_parts )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	options.threads = 1;
	options.method = method;
	options.tolerance = tolerance;
	options.max_parts = max_parts;
	bvb_decomposition d = decompose( f, mesh, &options );
	print_message( "%s, tolerance %g: %u of %u parts, [%g, %g]\n", method, tolerance, d.part_count, max_parts,
	               d.concavity.lower, d.concavity.upper );
	assert_true( d.solid );
	check_parts( f, mesh, &options, &d );
	check_cover( f, mesh, &d, 200 );
	return d;
}

static double volume_of_parts( const bvb_decomposition* d )
{
	double sum = 0;
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		sum += d->parts[i].mass.mass;
	}
	return sum;
}

static double volume_of( const bvb_mesh* mesh )
{
	bv_mass mass;
	assert_true( bvb_mass_of_solid( mesh, &mass ) );
	return mass.mass;
}

// Unit cubes at the points of a grid, a side apart.
static bvb_mesh cubes_apart( fixture* f, int x, int y, int z )
{
	cubes c = { 0 };
	for ( int i = 0; i < x * y * z; ++i )
	{
		int lower[3] = { 2 * ( i % x ), 2 * ( i / x % y ), 2 * ( i / x / y ) };
		int upper[3] = { lower[0] + 1, lower[1] + 1, lower[2] + 1 };
		fill_cubes( &c, lower, upper, true );
	}
	bvb_mesh m = surface_of_cubes( f, &c );
	return record_of( f, &m );
}

// There is nothing that stands off less. Planes normal to the hull's faces need not pass between cubes.
static void convex_pieces_are_merged_whole( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = cubes_apart( f, 4, 1, 1 );
	for ( int m = 0; m < 2; ++m )
	{
		bvb_decomposition d = by_method( f, &mesh, methods[m], 0, 4 );
		assert_int_equal( d.part_count, 4 );
		assert_true( fabs( volume_of_parts( &d ) - 4 ) < 1e-5 );
		assert_true( d.concavity.upper < 1e-5 );
	}
}

// Then parts have to be merged that no part is near.
static void fewer_parts_than_pieces_are_possible( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = cubes_apart( f, 3, 2, 2 );
	for ( int m = 0; m < method_count; ++m )
	{
		for ( uint32_t most = 2; most <= 5; ++most )
		{
			assert_int_equal( by_method( f, &mesh, methods[m], 0, most ).part_count, most );
		}
	}
}

// The deepest point seen from the face over its notch is on the inner edge: whichever plane through that edge it is, both sides
// are convex. Walls of different length: a plane through the corner behind that edge, which is deeper but hidden, would miss it.
static void a_notch_is_cut_through_its_edge( void** state )
{
	fixture* f = *state;
	const char* rows[] = { "x...", "x...", "xxxx" };
	bvb_mesh l = drawn( f, rows, 3 );
	for ( int i = 0; i < 4; ++i )
	{
		bvb_decomposition d = by_method( f, &l, "notch", 0.02, 16 );
		assert_int_equal( d.part_count, 2 );
		assert_true( fabs( volume_of_parts( &d ) / volume_of( &l ) - 1 ) < 1e-5 );
		placement place = random_placement( f );
		l = record_at( f, drawn( f, rows, 3 ), &place );
	}
}

// Of cells in halves of halves of this shape's box there are boxes enough in it, however these come to lie.
static void aligned_boxes_are_found( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = drawn( f, ( const char*[] ){ "x.", "xx" }, 2 );
	bvb_decomposition d = by_method( f, &mesh, "box-merge", 0, 8 );
	assert_true( d.concavity.upper < 1e-4 );
}

// Below the number that is allowed nothing gets worse than the tolerance, up to a step of the search's grid of distances: less than
// a fiftieth of the diagonal.
static void boxes_are_merged_on_within_the_tolerance( void** state )
{
	fixture* f = *state;
	placement place = random_placement( f );
	bvb_mesh mesh = record_at( f, letter_u( f ), &place );
	double diagonal = diagonal_of( &mesh );
	double allowed = by_method( f, &mesh, "box-merge", 0, 64 ).concavity.upper;
	uint32_t before = 2;
	for ( double tolerance = 0.07 * diagonal; tolerance > 0.02 * diagonal; tolerance *= 0.6 )
	{
		bvb_decomposition d = by_method( f, &mesh, "box-merge", tolerance, 64 );
		assert_true( d.concavity.lower <= fmax( tolerance, allowed ) + 0.02 * diagonal );
		assert_true( d.part_count >= before && d.part_count < 64 );
		before = d.part_count;
	}
}

// With parts to spare none exceeds its share of the shape by more than the threshold that belongs to the tolerance, the volume of a
// ball whose radius is the tolerance over 0.3, and what its small parts lack: of 256 those that the inner edge runs through.
static void parts_are_nearly_convex_in_volume( void** state )
{
	fixture* f = *state;
	bvb_mesh l = letter_l( f );
	uint32_t before = 0;
	for ( double tolerance = 0.2; tolerance > 0.02; tolerance *= 0.5 )
	{
		bvb_decomposition d = by_method( f, &l, "obb-tree", tolerance, 64 );
		double radius = tolerance / 0.3;
		double threshold = 4 * pi / 3 * radius * radius * radius;
		double excess = volume_of_parts( &d ) - volume_of( &l );
		print_message( "%g of %u times %g\n", excess, d.part_count, threshold );
		assert_true( excess > -1e-5 );
		assert_true( excess <= d.part_count * threshold + 0.01 * volume_of( &l ) );
		assert_true( d.part_count >= before && d.part_count > 1 && d.part_count < 64 );
		before = d.part_count;
	}
	assert_true( before > 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( convex_pieces_are_merged_whole ),
		fixture_test( fewer_parts_than_pieces_are_possible ),
		fixture_test( a_notch_is_cut_through_its_edge ),
		fixture_test( aligned_boxes_are_found ),
		fixture_test( boxes_are_merged_on_within_the_tolerance ),
		fixture_test( parts_are_nearly_convex_in_volume ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
