// Invalid arguments change nothing, arrays that are too short lose nothing, and memory is as promised.

#include "clouds.h"

enum
{
	some = 40,
};

// A call and what it may change.
typedef struct call
{
	double at[3 * some];
	double radii[some];
	uint64_t memory[4096];
	uint64_t begin[some + 1];
	uint32_t neighbors[some * some];
	uint32_t order[some];
	bvw_particles particles;
	bvw_neighbors_options options;
	bvw_neighbors lists;
} call;

static void set_up( call* c )
{
	uint64_t random = 1;
	memset( c, 0x33, sizeof *c );
	for ( int i = 0; i < some; ++i )
	{
		c->radii[i] = 0.5 * draw_unit( &random );
		draw_particle( &random, cloud_uniform, 3, 1, c->at + 3 * i );
	}
	c->particles = ( bvw_particles ){ .positions = c->at, .radii = c->radii, .count = some };
	c->options = ( bvw_neighbors_options ){ .distance = 0.5, .order = c->order };
	c->lists = ( bvw_neighbors ){ .begin = c->begin, .neighbors = c->neighbors, .most = some * some };
}

static bv_status run( call* c, const bvw_particles* among )
{
	return bvw_neighbors_find( &c->particles, among, &c->options, c->memory, sizeof c->memory, &c->lists );
}

static void expect_rejected( call* c, const bvw_particles* among, const char* what )
{
	static call before;
	before = *c;
	bv_status status = run( c, among );
	if ( status != bv_error_argument || memcmp( &before, c, sizeof before ) != 0 )
	{
		fail_msg( "%s: status %d, or something changed", what, (int)status );
	}
}

static void options_out_of_range_are_rejected( void** state )
{
	(void)state;
	static call c;
	const bvw_neighbors_options invalid[] = {
		{ .distance = -1 },
		{ .distance = NAN },
		{ .distance = INFINITY },
		{ .distance = 1.5 * BV_MAX_LENGTH },
		{ .method = bvw_neighbors_methods },
		{ .method = (bvw_neighbors_method)-1 },
		{ .sort = bvw_neighbors_sorts },
		{ .sort = (bvw_neighbors_sort)-1 },
		{ .period = { -1, 0, 0 } },
		{ .period = { 0, NAN, 0 } },
		{ .period = { 0, 0, INFINITY } },
		{ .period = { 9, 9, 9 }, .method = bvw_neighbors_sweep },
	};
	for ( size_t i = 0; i < sizeof invalid / sizeof *invalid; ++i )
	{
		set_up( &c );
		c.options = invalid[i];
		assert_int_equal( bvw_neighbors_bytes( some, 0, &c.options ), 0 );
		expect_rejected( &c, NULL, "options" );
	}
	assert_int_equal( bvw_neighbors_bytes( BVW_MAX_PARTICLES + 1, 0, NULL ), 0 );
	assert_int_equal( bvw_neighbors_bytes( 1, BVW_MAX_PARTICLES + 1, NULL ), 0 );
}

static void pointers_and_strides_are_checked( void** state )
{
	(void)state;
	static call c;
	set_up( &c );
	assert_int_equal( bvw_neighbors_find( NULL, NULL, NULL, c.memory, sizeof c.memory, &c.lists ),
	                  bv_error_argument );
	assert_int_equal( bvw_neighbors_find( &c.particles, NULL, NULL, NULL, 0, &c.lists ), bv_error_argument );
	assert_int_equal( bvw_neighbors_find( &c.particles, NULL, NULL, (char*)c.memory + 4, 9000, &c.lists ),
	                  bv_error_argument );
	assert_int_equal( bvw_neighbors_find( &c.particles, NULL, NULL, c.memory, sizeof c.memory, NULL ),
	                  bv_error_argument );
	c.lists.begin = NULL;
	expect_rejected( &c, NULL, "no begin" );
	set_up( &c );
	c.lists.begin = (uint64_t*)(void*)( (char*)c.begin + 4 );
	expect_rejected( &c, NULL, "begin is not aligned" );
	set_up( &c );
	c.lists.neighbors = NULL;
	expect_rejected( &c, NULL, "no neighbors" );
	set_up( &c );
	c.particles.positions = NULL;
	expect_rejected( &c, NULL, "no positions" );
	set_up( &c );
	c.particles.positions = (double*)(void*)( (char*)c.at + 4 );
	expect_rejected( &c, NULL, "positions are not aligned" );
	set_up( &c );
	c.particles.stride = 28;
	expect_rejected( &c, NULL, "stride" );
	set_up( &c );
	c.particles.radii_stride = 4;
	expect_rejected( &c, NULL, "radii_stride" );
	set_up( &c );
	c.particles.count = BVW_MAX_PARTICLES + 1;
	expect_rejected( &c, NULL, "count" );
	set_up( &c );
	c.options.half = true;
	expect_rejected( &c, &c.particles, "half lists of two sets" );
}

static void numbers_out_of_range_are_rejected( void** state )
{
	(void)state;
	static call c;
	const double invalid[] = { NAN, INFINITY, -INFINITY, 1.0001 * BV_MAX_LENGTH, -1.0001 * BV_MAX_LENGTH };
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		for ( int i = 0; i < 5; ++i )
		{
			for ( int where = 0; where < 3 * some; where += i == 0 ? 1 : 7 )
			{
				set_up( &c );
				c.options.method = (bvw_neighbors_method)m;
				c.at[where] = invalid[i];
				expect_rejected( &c, NULL, "position" );
			}
			set_up( &c );
			c.options.method = (bvw_neighbors_method)m;
			c.radii[i] = i < 4 ? invalid[i] : -0x1p-1074;
			expect_rejected( &c, NULL, "radius" );
			bvw_particles among = c.particles;
			c.particles.radii = NULL;
			expect_rejected( &c, &among, "radius of the other set" );
		}
	}
	set_up( &c );
	c.options.period[1] = 1;
	expect_rejected( &c, NULL, "positions span more than a period" );
}

// The greatest numbers are valid.
static void numbers_at_the_limit_are_accepted( void** state )
{
	(void)state;
	static call c;
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		set_up( &c );
		c.particles.count = 2;
		c.options = ( bvw_neighbors_options ){ .distance = BV_MAX_LENGTH, .method = (bvw_neighbors_method)m };
		const double at[6] = { BV_MAX_LENGTH, 0, 0, -BV_MAX_LENGTH, 0, 0 };
		memcpy( c.at, at, sizeof at );
		c.radii[0] = 0.5 * BV_MAX_LENGTH;
		c.radii[1] = 0.5 * BV_MAX_LENGTH;
		assert_int_equal( run( &c, NULL ), bv_ok );
		assert_true( c.lists.count == 2 && c.neighbors[0] == 1 && c.neighbors[1] == 0 );
		c.radii[1] = nextafter( c.radii[1], 0 );
		assert_int_equal( run( &c, NULL ), bv_ok );
		assert_true( c.lists.count == 0 );
	}
}

static void short_arrays_lose_nothing( void** state )
{
	(void)state;
	static call c, whole;
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		set_up( &whole );
		whole.options.method = (bvw_neighbors_method)m;
		assert_int_equal( run( &whole, NULL ), bv_ok );
		assert_true( whole.lists.count > some && whole.begin[some] == whole.lists.count );
		for ( uint64_t most = 0; most <= whole.lists.count; most += most + 9 < whole.lists.count ? 9 : 1 )
		{
			set_up( &c );
			c.options.method = (bvw_neighbors_method)m;
			c.lists.most = most;
			c.lists.neighbors = most > 0 ? c.neighbors : NULL;
			bool fits = most == whole.lists.count;
			assert_int_equal( run( &c, NULL ), fits ? bv_ok : bv_error_memory );
			assert_true( c.lists.count == whole.lists.count && c.lists.tests == whole.lists.tests );
			assert_memory_equal( c.begin, whole.begin, sizeof c.begin );
			for ( uint64_t k = fits ? most : 0; k < some * some; ++k )
			{
				assert_int_equal( c.neighbors[k], 0x33333333 );
			}
			assert_true( !fits || memcmp( c.neighbors, whole.neighbors, most * sizeof *c.neighbors ) == 0 );
		}
	}
}

// Exactly what bvw_neighbors_bytes returns is used, at most 16 bytes for each particle and 8 kB.
static void memory_is_as_promised( void** state )
{
	(void)state;
	static call c;
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		set_up( &c );
		c.options.method = (bvw_neighbors_method)m;
		bvw_particles among = { .positions = c.at, .count = some };
		for ( int sets = 1; sets <= 2; ++sets )
		{
			size_t bytes = bvw_neighbors_bytes( some, sets == 2 ? some : 0, &c.options );
			char* memory = malloc( bytes + 8 );
			memset( memory, 0x55, bytes + 8 );
			bv_status status = bvw_neighbors_find( &c.particles, sets == 2 ? &among : NULL, &c.options,
			                                       memory, bytes - 1, &c.lists );
			assert_true( status == bv_error_memory && c.lists.count == 0 &&
			             c.begin[0] == 0x3333333333333333 * ( sets == 1 ) );
			for ( size_t i = 0; i < bytes + 8; ++i )
			{
				assert_int_equal( memory[i], 0x55 );
			}
			status = bvw_neighbors_find( &c.particles, sets == 2 ? &among : NULL, &c.options, memory, bytes,
			                             &c.lists );
			assert_true( status == bv_ok && c.lists.count > some );
			for ( size_t i = bytes; i < bytes + 8; ++i )
			{
				assert_int_equal( memory[i], 0x55 );
			}
			free( memory );
			memset( c.begin, 0, sizeof c.begin );
			c.lists.count = 0;
		}
		const uint32_t counts[] = { 0, 1, 1000, 1000000, BVW_MAX_PARTICLES };
		for ( int i = 0; i < 5 && sizeof( size_t ) == 8; ++i )
		{
			size_t bytes = bvw_neighbors_bytes( counts[i], 0, &c.options );
			assert_true( bytes > 0 && bytes <= 16 * (size_t)counts[i] + 8192 );
			bytes = bvw_neighbors_bytes( counts[i], counts[4 - i], &c.options );
			assert_true( bytes > 0 && bytes <= 16 * ( (size_t)counts[i] + counts[4 - i] ) + 8192 );
		}
	}
	// The bar of the project, of ten thousand particles and more.
	assert_true( bvw_neighbors_bytes( 10000, 0, NULL ) <= 160000 );
}

static void empty_sets_have_empty_lists( void** state )
{
	(void)state;
	static call c;
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		set_up( &c );
		c.options.method = (bvw_neighbors_method)m;
		bvw_particles none = { .count = 0 };
		assert_int_equal( run( &c, &none ), bv_ok );
		assert_true( c.lists.count == 0 && c.begin[0] == 0 && c.begin[some] == 0 );
		c.particles = none;
		assert_int_equal( run( &c, NULL ), bv_ok );
		assert_true( c.lists.count == 0 && c.begin[0] == 0 );
		bvw_particles all = { .positions = c.at, .count = some };
		assert_int_equal( run( &c, &all ), bv_ok );
		assert_true( c.lists.count == 0 && c.begin[0] == 0 );
	}
}

// Positions and radii in structures, 8-byte aligned, with others between them.
static void strides_are_followed( void** state )
{
	(void)state;
	static call c;
	struct
	{
		double mass, at[3], speed[3], radius;
	} body[some];
	set_up( &c );
	assert_int_equal( run( &c, NULL ), bv_ok );
	uint64_t count = c.lists.count;
	static uint32_t expected[some * some];
	memcpy( expected, c.neighbors, sizeof expected );
	for ( int i = 0; i < some; ++i )
	{
		body[i].radius = c.radii[i];
		body[i].mass = body[i].speed[0] = NAN;
		memcpy( body[i].at, c.at + 3 * i, sizeof body[i].at );
	}
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		set_up( &c );
		c.options.method = (bvw_neighbors_method)m;
		c.particles = ( bvw_particles ){ .positions = body[0].at,
			                             .radii = &body[0].radius,
			                             .count = some,
			                             .stride = sizeof *body,
			                             .radii_stride = sizeof *body };
		assert_int_equal( run( &c, NULL ), bv_ok );
		assert_true( c.lists.count == count &&
		             memcmp( c.neighbors, expected, count * sizeof *expected ) == 0 );
	}
}

static void methods_have_names_and_defaults( void** state )
{
	(void)state;
	bvw_neighbors_options none = { 0 };
	bvw_neighbors_options defaults = bvw_neighbors_options_default();
	assert_memory_equal( &none, &defaults, sizeof none );
	assert_string_equal( bvw_neighbors_method_name( bvw_neighbors_default ), "grid" );
	assert_string_equal( bvw_neighbors_method_name( bvw_neighbors_all_pairs ), "all-pairs" );
	assert_string_equal( bvw_neighbors_method_name( bvw_neighbors_sweep ), "sweep" );
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		assert_true( strlen( bvw_neighbors_method_help( (bvw_neighbors_method)m ) ) > 10 );
	}
	assert_null( bvw_neighbors_method_name( bvw_neighbors_methods ) );
	assert_null( bvw_neighbors_method_help( bvw_neighbors_methods ) );
	assert_null( bvw_neighbors_method_name( (bvw_neighbors_method)-1 ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( options_out_of_range_are_rejected ),
		cmocka_unit_test( pointers_and_strides_are_checked ),
		cmocka_unit_test( numbers_out_of_range_are_rejected ),
		cmocka_unit_test( numbers_at_the_limit_are_accepted ),
		cmocka_unit_test( short_arrays_lose_nothing ),
		cmocka_unit_test( memory_is_as_promised ),
		cmocka_unit_test( empty_sets_have_empty_lists ),
		cmocka_unit_test( strides_are_followed ),
		cmocka_unit_test( methods_have_names_and_defaults ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
