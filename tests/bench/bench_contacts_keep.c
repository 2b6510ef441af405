// Steps of bvworld/contacts.h: 10,000 bodies at rest, awake, partly awake and asleep.
//
//   bench_contacts_keep [--quick]
//
// Table: time of a step per pair, by scene and share of bodies that are awake; beside it bv_convex_manifold alone with the same
// placements and caches of its own. Bodies that are awake move by up to 1e-4 of their size at each step. Times are processor time of
// one thread, medians of steps without the first three. Fails if a step asleep takes more than 1 % of one awake.

#include "bvworld/contacts.h"
#include "tests/bench/measure.h"

#include <math.h>

enum
{
	bodies = 10001, // and the floor, which is the first
	most_pairs = 100000,
	warm = 3,
	most_steps = 41,
	sides = 16,
};

typedef struct stack
{
	const char* name;
	uint32_t layers;
	bool has_prisms;
} stack;

static const stack stacks[] = {
	{ "boxes on a floor", 1, false },
	{ "pile of boxes, 10 layers", 10, false },
	{ "pile of prisms of 32 corners", 10, true },
};

// S. Vigna's splitmix64.
static double draw( uint64_t* state )
{
	uint64_t z = *state += UINT64_C( 0x9e3779b97f4a7c15 );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-53;
}

static void require( bool good, const char* what )
{
	if ( !good )
	{
		fprintf( stderr, "bench_contacts_keep: %s\n", what );
		exit( 1 );
	}
}

static bv_vec3 prism_points[2 * sides];

static bv_convex prism( void )
{
	for ( int i = 0; i < 2 * sides; ++i )
	{
		double angle = 2 * 3.14159265358979 / sides * ( i / 2 );
		prism_points[i] = ( bv_vec3 ){ 0.5 * cos( angle ), 0.5 * sin( angle ), i % 2 ? 0.5 : -0.5 };
	}
	return bv_convex_points( prism_points, 2 * sides, 0 );
}

typedef struct scene
{
	bv_convex floor;
	bv_convex shape;
	bv_vec3 rest[bodies];
	bvw_body body[bodies];
	uint8_t awake[bodies];
	bvw_pair pair[most_pairs];
	uint32_t pairs;
	bv_convex_cache cache[most_pairs];
	uint64_t random;
} scene;

// Layers are shifted by half a body, so that each rests on four. They overlap by 0.001.
static void lay( scene* s, const stack* of )
{
	memset( s, 0, sizeof *s );
	s->floor = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	s->shape =
		of->has_prisms ? prism() : bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	s->body[0] = ( bvw_body ){ &s->floor, bv_transform_identity() };
	uint32_t in_layer = ( bodies - 1 ) / of->layers;
	uint32_t columns = (uint32_t)sqrt( in_layer );
	for ( uint32_t i = 1; i < bodies; ++i )
	{
		uint32_t layer = ( i - 1 ) / in_layer;
		uint32_t k = ( i - 1 ) % in_layer;
		double shift = layer % 2 * 0.55;
		s->rest[i] = ( bv_vec3 ){ 1.1 * ( k % columns ) + shift, 1.1 * ( k / columns ) + shift,
			                      0.499 + 0.999 * layer };
		s->body[i] =
			( bvw_body ){ &s->shape, bv_transform_translation( s->rest[i].x, s->rest[i].y, s->rest[i].z ) };
	}
}

static void find_pairs( scene* s )
{
	bvw_broadphase_options options = { .objects = bodies, .pairs = most_pairs, .method = bvw_method_sort };
	size_t bytes = bvw_broadphase_bytes( &options );
	bvw_broadphase* world = NULL;
	void* memory = malloc( bytes );
	require( bvw_broadphase_begin( memory, bytes, &options, &world ) == bv_ok, "no broad phase" );
	for ( uint32_t i = 0; i < bodies; ++i )
	{
		bv_vec3 c = s->rest[i];
		bvw_object object = { .box = { { c.x - 0.501, c.y - 0.501, c.z - 0.501 },
			                           { c.x + 0.501, c.y + 0.501, c.z + 0.501 } } };
		if ( i == 0 )
		{
			object.box = ( bv_aabb ){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, 0 } };
		}
		require( bvw_broadphase_add( world, i, &object ) == bv_ok, "an object is invalid" );
	}
	bvw_changes changes;
	require( bvw_broadphase_update( world, &changes ) == bv_ok, "too many pairs" );
	s->pairs = changes.begun_count;
	memcpy( s->pair, changes.begun, s->pairs * sizeof *s->pair );
	free( memory );
}

// @param one_in  of so many bodies one moves; 0 for none
static void move( scene* s, uint32_t one_in )
{
	for ( uint32_t i = 1; i < bodies; ++i )
	{
		s->awake[i] = one_in > 0 && i % one_in == 0;
		if ( s->awake[i] )
		{
			double x = s->rest[i].x + 1e-4 * draw( &s->random );
			double y = s->rest[i].y + 1e-4 * draw( &s->random );
			double z = s->rest[i].z + 1e-4 * draw( &s->random );
			s->body[i].placement.pose.translation = ( bv_vec3 ){ x, y, z };
		}
	}
}

static double time_queries( scene* s )
{
	double begin = core_now();
	uint64_t points = 0;
	for ( uint32_t i = 0; i < s->pairs; ++i )
	{
		const bvw_body* a = s->body + s->pair[i].a;
		const bvw_body* b = s->body + s->pair[i].b;
		bv_transform b_in_a = bv_transform_between( &a->placement, &b->placement );
		bv_manifold_options options = { .speculative = 0.01, .distance = { .cache = s->cache + i } };
		bv_manifold manifold;
		require( bv_convex_manifold( a->shape, b->shape, &b_in_a, &options, &manifold ) == bv_ok,
		         "a query failed" );
		points += manifold.count;
	}
	double time = core_now() - begin;
	require( points > 0, "no contacts" );
	return time;
}

typedef struct figures
{
	double all;     // all awake
	double queries; // bv_convex_manifold for all pairs
	double some;    // one of 100 bodies awake
	double none;
	uint32_t touching;
	uint32_t some_computed;
} figures;

static double time_step( scene* s, bvw_contacts* contacts, uint32_t one_in, bvw_contacts_report* report )
{
	move( s, one_in );
	bvw_contacts_step_input input = {
		.bodies = s->body, .body_count = bodies, .awake = s->awake, .speculative = 0.01
	};
	double begin = core_now();
	require( bvw_contacts_step( contacts, &input, report ) == bv_ok, "a step failed" );
	return core_now() - begin;
}

static figures measure( scene* s, int steps )
{
	bvw_contacts_options options = { .pairs = s->pairs };
	size_t bytes = bvw_contacts_bytes( &options );
	void* memory = malloc( bytes );
	bvw_contacts* contacts = NULL;
	require( bvw_contacts_begin( memory, bytes, &options, &contacts ) == bv_ok, "no memory" );
	bvw_changes changes = { .begun = s->pair, .begun_count = s->pairs };
	bvw_contacts_step_input input = {
		.changes = &changes, .bodies = s->body, .body_count = bodies, .speculative = 0.01
	};
	bvw_contacts_report report;
	require( bvw_contacts_step( contacts, &input, &report ) == bv_ok, "the first step failed" );
	double all[most_steps];
	double queries[most_steps];
	double some[most_steps];
	double none[most_steps];
	figures f = { .all = 0 };
	for ( int i = -warm; i < steps; ++i )
	{
		int k = i > 0 ? i : 0;
		all[k] = time_step( s, contacts, 1, &report );
		f.touching = report.touching_count;
		queries[k] = time_queries( s );
		some[k] = time_step( s, contacts, 100, &report );
		f.some_computed = report.computed;
		none[k] = time_step( s, contacts, 0, &report );
		require( report.computed == 0, "a pair asleep was computed" );
	}
	f.all = median( all, steps );
	f.queries = median( queries, steps );
	f.some = median( some, steps );
	f.none = median( none, steps );
	free( memory );
	return f;
}

int main( int argc, char** argv )
{
	int steps = argc > 1 && strcmp( argv[1], "--quick" ) == 0 ? 5 : most_steps;
	scene* s = malloc( sizeof *s );
	require( s != NULL, "no memory" );
	bool met = true;
	printf( "| scene | pairs | touching | awake, ms | ns per pair | bv_convex_manifold alone, ns | 1 %% of "
	        "bodies awake, ms | "
	        "pairs of these | asleep, ms | ns per pair | asleep / awake |\n" );
	printf( "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" );
	for ( size_t i = 0; i < sizeof stacks / sizeof *stacks; ++i )
	{
		lay( s, stacks + i );
		find_pairs( s );
		figures f = measure( s, steps );
		double each = 1e9 / s->pairs;
		printf( "| %s | %u | %u | %.2f | %.0f | %.0f | %.3f | %u | %.3f | %.2f | %.2f %% |\n", stacks[i].name,
		        s->pairs, f.touching, 1e3 * f.all, each * f.all, each * f.queries, 1e3 * f.some,
		        f.some_computed, 1e3 * f.none, each * f.none, 100 * f.none / f.all );
		met = met && f.none <= 0.01 * f.all;
	}
	printf( "\nA step asleep takes at most 1 %% of one awake: %s.\n", met ? "met" : "not met" );
	free( s );
	return met ? 0 : 1;
}
