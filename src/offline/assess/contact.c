// What queries take near contact: K of J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, measured on
// motion that is made up. A copy of the mesh comes in by conservative advancement (B. Mirtich, "Impulse-based
// dynamic simulation of rigid body systems", 1996).

#include "bv/inspect.h"
#include "bvbuild/assess.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/random.h"
#include "offline/base/threads.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"
#include "runtime/tree/levels.h"

#include <math.h>

// All lengths are in halves of the diagonal of the mesh's box.
static const double start = 2.05;
static const double touching = 1e-5;

// Distances may be too great by so much, which makes them found much sooner.
static const double slack = 0.1;

enum
{
	most_steps = 1000, // of an approach
	most_tries = 8,    // of a draw
	parallel_triangles = 512,
};

double bvb_contact_offset( uint32_t index )
{
	static const double offsets[BVB_CONTACT_OFFSETS] = { 0.01, 0.001, -0.01 };
	return index < BVB_CONTACT_OFFSETS ? offsets[index] : 0;
}

// What all draws share.
typedef struct scene
{
	const bv_file* file;
	uint64_t most_tests;
	bv_vec3 center; // of the mesh's box
	double half;    // of its diagonal
} scene;

typedef struct steps
{
	bv_test_counts counts;
	bv_collide_result result;
} steps;

typedef enum fate
{
	fate_touched = 0,
	fate_passed,
	fate_given_up,
} fate;

// One rotation and direction, and what came of them.
typedef struct draw
{
	bv_pose pose; // all but the translation
	bv_vec3 direction;
	uint64_t tests; // so far
	uint32_t passed;
	fate fate;
	steps at[BVB_CONTACT_OFFSETS];
} draw;

// In [-1, 1).
static double random_number( uint64_t* state )
{
	return (double)( (int64_t)bvbase_random( state ) >> 11 ) * 0x1p-52;
}

// Uniform on the unit sphere of as many dimensions: a point of the ball, divided by its length (Marsaglia
// 1972).
static void random_direction( uint64_t* state, double* x, int dimensions )
{
	for ( ;; )
	{
		double square = 0;
		for ( int i = 0; i < dimensions; ++i )
		{
			x[i] = random_number( state );
			square += x[i] * x[i];
		}
		if ( square > 1e-4 && square <= 1 )
		{
			double length = sqrt( square );
			for ( int i = 0; i < dimensions; ++i )
			{
				x[i] /= length;
			}
			return;
		}
	}
}

static void begin_try( uint64_t* state, draw* d )
{
	double q[4];
	double along[3];
	random_direction( state, q, 4 );
	random_direction( state, along, 3 );
	double w = q[0];
	double x = q[1];
	double y = q[2];
	double z = q[3];
	const double rows[3][3] = {
		{ 1 - 2 * ( y * y + z * z ), 2 * ( x * y - w * z ), 2 * ( x * z + w * y ) },
		{ 2 * ( x * y + w * z ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - w * x ) },
		{ 2 * ( x * z - w * y ), 2 * ( y * z + w * x ), 1 - 2 * ( x * x + y * y ) },
	};
	for ( int i = 0; i < 9; ++i )
	{
		d->pose.rotation[i / 3][i % 3] = rows[i / 3][i % 3];
	}
	d->direction = ( bv_vec3 ){ along[0], along[1], along[2] };
}

// The copy's center is so far along the direction from the other one's.
static bv_transform place( const scene* s, const draw* d, double way )
{
	const double( *r )[3] = d->pose.rotation;
	bv_vec3 c = s->center;
	bv_vec3 turned = { ( r[0][0] * c.x + r[0][1] * c.y ) + r[0][2] * c.z,
		               ( r[1][0] * c.x + r[1][1] * c.y ) + r[1][2] * c.z,
		               ( r[2][0] * c.x + r[2][1] * c.y ) + r[2][2] * c.z };
	bv_pose pose = d->pose;
	pose.translation = bv_add( bv_sub( c, turned ), bv_scale( way * s->half, d->direction ) );
	return bv_transform_of_pose( &pose );
}

// What is left of a draw's tests; never 0, which would be no limit.
static uint64_t tests_left( const scene* s, const draw* d )
{
	return s->most_tests == 0 ? 0 : s->most_tests > d->tests ? s->most_tests - d->tests : 1;
}

static fate approach( const scene* s, draw* d, double* way )
{
	double scratch[BV_DISTANCE_SCRATCH_AMPLE / sizeof( double )];
	bv_distance_options options = { .relative = slack, .scratch = scratch, .scratch_bytes = sizeof scratch };
	*way = start;
	for ( int i = 0; i < most_steps; ++i )
	{
		bv_distance_result result;
		bv_transform transform = place( s, d, *way );
		options.most_tests = tests_left( s, d );
		if ( bvtree_distance_in( bvtree_lanes_best(), s->file, s->file, &transform, &options, &result ) !=
		     bv_ok )
		{
			return fate_given_up;
		}
		uint64_t tests = result.volume_tests + result.triangle_tests;
		d->tests += tests;
		if ( options.most_tests > 0 && tests > options.most_tests )
		{
			return fate_given_up;
		}
		if ( result.distance < touching * s->half )
		{
			return fate_touched;
		}
		*way -= result.distance / ( ( 1 + slack ) * s->half );
		if ( *way < -start )
		{
			return fate_passed;
		}
	}
	return fate_given_up;
}

// Returns false after too many tests.
static bool query( const scene* s, draw* d, double way, steps* out )
{
	bv_collide_options options = bv_collide_options_default();
	options.counts = &out->counts;
	options.most_tests = tests_left( s, d );
	bv_transform transform = place( s, d, way );
	if ( bvtree_collide_in( bvtree_lanes_best(), s->file, s->file, &transform, &options, &out->result ) !=
	     bv_ok )
	{
		return false;
	}
	uint64_t tests = out->result.volume_tests + out->result.triangle_tests;
	d->tests += tests;
	return options.most_tests == 0 || tests <= options.most_tests;
}

static void make( const scene* s, uint64_t state, draw* d )
{
	double way = 0;
	for ( int i = 0; i < most_tries; ++i )
	{
		begin_try( &state, d );
		d->fate = approach( s, d, &way );
		if ( d->fate != fate_passed )
		{
			break;
		}
		d->passed += 1;
	}
	for ( uint32_t i = 0; i < BVB_CONTACT_OFFSETS && d->fate == fate_touched; ++i )
	{
		if ( !query( s, d, way + bvb_contact_offset( i ), &d->at[i] ) )
		{
			d->fate = fate_given_up;
		}
	}
}

static void add( bvb_contact_cost* to, const steps* from )
{
	to->poses += 1;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			to->volumes[i][k] += (double)from->counts.volumes[i][k];
		}
	}
	to->volume_tests += (double)from->result.volume_tests;
	to->openings += (double)from->counts.openings;
	to->leaves += (double)from->counts.leaves;
	to->triangle_tests += (double)from->result.triangle_tests;
	to->pairs += (double)from->result.pairs;
}

static void divide( bvb_contact_cost* of, const bv_costs* costs )
{
	double count = of->poses > 0 ? (double)of->poses : 1;
	of->volume_tests /= count;
	of->openings /= count;
	of->leaves /= count;
	of->triangle_tests /= count;
	of->pairs /= count;
	of->cost =
		( of->openings * costs->opening + of->leaves * costs->leaf ) + of->triangle_tests * costs->triangles;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			of->volumes[i][k] /= count;
			of->cost += of->volumes[i][k] * costs->volumes[i][k];
		}
	}
}

static void sum_up( const draw* draws, uint32_t count, const bv_costs* costs, bvb_contact* out )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		const draw* d = draws + i;
		out->passed += d->passed;
		out->given_up += d->fate == fate_given_up;
		out->draws += d->fate == fate_touched;
		for ( int k = 0; k < BVB_CONTACT_OFFSETS && d->fate == fate_touched; ++k )
		{
			add( &out->at[k], &d->at[k] );
			add( &out->all, &d->at[k] );
		}
	}
	divide( &out->all, costs );
	for ( int k = 0; k < BVB_CONTACT_OFFSETS; ++k )
	{
		divide( &out->at[k], costs );
	}
}

static scene scene_of( const bv_file* file, uint64_t most_tests )
{
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	bv_vec3 lower = bvfile_local_vertex( file, 0 );
	bv_vec3 upper = lower;
	for ( uint32_t i = 1; i < vertices; ++i )
	{
		bv_vec3 p = bvfile_local_vertex( file, i );
		lower = bvmath_least( lower, p );
		upper = bvmath_greatest( upper, p );
	}
	bv_vec3 diagonal = bv_sub( upper, lower );
	return ( scene ){
		.file = file,
		.most_tests = most_tests,
		.center = bv_scale( 0.5, bv_add( lower, upper ) ),
		.half = sqrt( bv_dot( diagonal, diagonal ) ) / 2,
	};
}

bvb_contact_options bvb_contact_options_default( void )
{
	return ( bvb_contact_options ){ .draws = 32, .seed = 1, .most_tests = 400000 };
}

bv_status bvb_assess_contact( const bv_file* file, const bvb_contact_options* options, bvb_arena* arena,
                              bvb_contact* out, bvb_error* error )
{
	bvb_contact_options o = options ? *options : bvb_contact_options_default();
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	*out = ( bvb_contact ){ 0 };
	if ( info.nodes == 0 || !bv_file_get_mesh( file ).has_triangles )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy" );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	draw* draws = scratch ? bvb_arena_allocate( scratch, o.draws, sizeof *draws ) : NULL;
	if ( !draws )
	{
		bvb_arena_destroy( scratch );
		return bvbase_fail_memory( error );
	}
	scene s = scene_of( file, o.most_tests );
	int team =
		bvbase_thread_team_for( arena, o.threads, bv_file_get_mesh( file ).triangles, parallel_triangles );
#pragma omp parallel for num_threads( team ) schedule( dynamic, 1 )
	for ( uint32_t i = 0; i < o.draws; ++i )
	{
		make( &s, bvbase_mix( o.seed ) + bvbase_mix( i ), draws + i );
	}
	sum_up( draws, o.draws, &info.costs, out );
	bvb_arena_destroy( scratch );
	return bv_ok;
}
