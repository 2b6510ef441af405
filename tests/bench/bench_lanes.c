// The cost of comparing in lanes: nanoseconds per group of eight, for each kernel and each level of the
// instruction set.
//
//   bench_lanes
//
// Random boxes of nodes and one close to them, and random triangles of leaves. The lines above the table
// show how many lanes are separated by an axis of a box, only by a product of edges, or not at all. All
// groups differ. Exit code 1: levels differ.

#include "tests/bench/measure.h"

#include "runtime/math/vec.h"
#include "runtime/tree/lanes.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/packed_obb.h"

#include "tests/reference/random.h"

#include <math.h>

enum
{
	cases = 4096,
	repeats = 25,
	group_bytes = 8 * 11,
};

typedef struct box_case
{
	bvtree_lane_group group;
	bvtree_lane_box box;
	uint8_t data[group_bytes + BVFILE_LANES_SLACK];
} box_case;

// The same decoded, for comparing one by one.
typedef struct decoded_case
{
	bv_obb box[8];
	bvvol_rounded placed;
} decoded_case;

typedef struct triangle_case
{
	bvtree_lane_triangles a;
	bvtree_lane_triangles b;
} triangle_case;

static double random_within( uint64_t* state, double lower, double upper )
{
	return lower + ( upper - lower ) * ( next_random( state ) * 0x1p-31 );
}

static bvtree_lane_box random_box( uint64_t* state, double least, double most )
{
	bvtree_lane_box box = { .slack = 0 };
	bv_vec3 x = random_direction( state );
	bv_vec3 y = bv_cross( x, random_direction( state ) );
	y = bv_scale( 1 / sqrt( bv_dot( y, y ) ), y );
	bv_vec3 axis[3] = { x, y, bv_cross( x, y ) };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			box.axis[i][k] = (float)bvmath_component( axis[i], k );
		}
		box.half[i] = (float)random_within( state, least, most );
		box.center[i] = (float)random_within( state, -0.2, 1.2 );
	}
	return box;
}

// Children of a node that is about 1 across: flat ones, as of a surface, of an eighth to half of it.
static void fill_obb( uint64_t* state, box_case* c )
{
	c->group = ( bvtree_lane_group ){ c->data, 8, { 0x1p-10f, 0x1p-10f, 0x1p-10f }, 0x1p-18f };
	c->box = random_box( state, 0.02, 0.25 );
	for ( int i = 0; i < 64; ++i )
	{
		c->data[i] = (uint8_t)next_random( state );
	}
	for ( int i = 64; i < group_bytes; ++i )
	{
		c->data[i] = (uint8_t)random_within( state, i < 80 ? 120 : 40, i < 80 ? 250 : 120 );
	}
}

static void fill_aabb( uint64_t* state, box_case* c )
{
	c->group = ( bvtree_lane_group ){ c->data, 8, { 0x1p-10f, 0x1p-10f, 0x1p-10f }, 0 };
	c->box = random_box( state, 0.02, 0.25 );
	for ( int i = 0; i < 24; ++i )
	{
		double lower = random_within( state, 0, 200 );
		c->data[i] = (uint8_t)lower;
		c->data[24 + i] = (uint8_t)fmin( 255, lower + random_within( state, 10, 100 ) );
	}
}

static void fill_triangles( uint64_t* state, triangle_case* c )
{
	for ( int lane = 0; lane < 8; ++lane )
	{
		double at[2][3];
		for ( int i = 0; i < 6; ++i )
		{
			at[i / 3][i % 3] = random_within( state, 0, 0.7 );
		}
		for ( int i = 0; i < 9; ++i )
		{
			c->a.corner[i / 3][i % 3][lane] = (float)( at[0][i % 3] + random_within( state, 0, 0.6 ) );
			c->b.corner[i / 3][i % 3][lane] = (float)( at[1][i % 3] + random_within( state, 0, 0.6 ) );
		}
	}
}

// What is timed: returns something of each result, for the levels to agree on.
typedef uint64_t task( const bvtree_lanes* level, const void* all, int index );

static uint64_t sum_of( const float number[8], uint32_t lanes )
{
	uint64_t sum = 0;
	for ( int i = 0; i < 8; ++i )
	{
		uint32_t bits;
		memcpy( &bits, &number[i], sizeof bits );
		sum += lanes >> i & 1 ? bits : 0;
	}
	return sum;
}

static uint64_t run_obb( const bvtree_lanes* level, const void* all, int index )
{
	const box_case* c = (const box_case*)all + index;
	float size[8];
	return level->obb( &c->group, &c->box, size );
}

static uint64_t run_aabb( const bvtree_lanes* level, const void* all, int index )
{
	const box_case* c = (const box_case*)all + index;
	float size[8];
	return level->aabb( &c->group, &c->box, size );
}

static uint64_t run_obb_gap( const bvtree_lanes* level, const void* all, int index )
{
	const box_case* c = (const box_case*)all + index;
	float gap[8];
	level->obb_gap( &c->group, &c->box, gap );
	return sum_of( gap, 255 );
}

static uint64_t run_aabb_gap( const bvtree_lanes* level, const void* all, int index )
{
	const box_case* c = (const box_case*)all + index;
	float gap[8];
	level->aabb_gap( &c->group, &c->box, gap );
	return sum_of( gap, 255 );
}

static uint64_t run_triangles( const bvtree_lanes* level, const void* all, int index )
{
	const triangle_case* c = (const triangle_case*)all + index;
	uint32_t certain;
	return level->triangles( &c->a, &c->b, 8, 1e-7f, &certain );
}

// What comparing one by one in binary64 takes, of boxes that are decoded already.
static double time_binary64( const decoded_case* all )
{
	double best = HUGE_VAL;
	static volatile uint32_t kept;
	for ( int r = 0; r < repeats; ++r )
	{
		uint32_t sum = 0;
		double start = core_now();
		for ( int i = 0; i < cases; ++i )
		{
			for ( int lane = 0; lane < 8; ++lane )
			{
				sum += bvvol_obb_overlaps_placed( &all[i].box[lane], &all[i].placed );
			}
		}
		best = fmin( best, core_now() - start );
		kept = sum;
	}
	(void)kept;
	return best / cases * 1e9;
}

static void time_task( const char* name, task* run, const void* all )
{
	printf( "| %s |", name );
	uint64_t expected = 0;
	const bvtree_lanes* level;
	for ( uint32_t index = 0; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
	{
		double best = HUGE_VAL;
		uint64_t sum = 0;
		for ( int r = 0; r < repeats; ++r )
		{
			sum = 0;
			double start = core_now();
			for ( int i = 0; i < cases; ++i )
			{
				sum = sum * 31 + run( level, all, i );
			}
			best = fmin( best, core_now() - start );
		}
		printf( " %.1f |", best / cases * 1e9 );
		if ( index > 0 && sum != expected )
		{
			fprintf( stderr, "%s: %s differs\n", name, level->name );
			exit( 1 );
		}
		expected = sum;
	}
	printf( "\n" );
}

// Whether an axis of one of both separates them, in binary64.
static bool faces_separate( const bvtree_lane_box* a, const bv_obb* b )
{
	bv_vec3 center = { a->center[0], a->center[1], a->center[2] };
	bv_vec3 t = bv_sub( b->center, center );
	for ( int k = 0; k < 6; ++k )
	{
		const float* f = a->axis[k % 3];
		bv_vec3 d = k < 3 ? ( bv_vec3 ){ f[0], f[1], f[2] } : b->axis[k % 3];
		double radius = 0;
		for ( int i = 0; i < 3; ++i )
		{
			const float* g = a->axis[i];
			radius += a->half[i] * fabs( bv_dot( d, ( bv_vec3 ){ g[0], g[1], g[2] } ) );
			radius += b->half_extents[i] * fabs( bv_dot( d, b->axis[i] ) );
		}
		if ( fabs( bv_dot( d, t ) ) > radius )
		{
			return true;
		}
	}
	return false;
}

static bv_obb obb_of( const box_case* c, int lane )
{
	const uint8_t* p = c->data;
	uint32_t center = 0;
	uint32_t rotation = 0;
	bvvol_packed_obb packed;
	for ( int b = 0; b < 4; ++b )
	{
		center |= (uint32_t)p[4 * lane + b] << 8 * b;
		rotation |= (uint32_t)p[32 + 4 * lane + b] << 8 * b;
	}
	for ( int i = 0; i < 3; ++i )
	{
		float q = p[64 + 8 * i + lane];
		packed.center[i] = c->group.step[i] * (float)( center >> 10 * i & 1023 );
		packed.rotation[i] = (float)( rotation >> 10 * i & 1023 ) - bvfile_rotation_bias;
		packed.half_extents[i] = c->group.extent * ( q * q );
	}
	packed.rotation[3] = bvfile_rotation_w;
	return bvvol_obb_unpack( &packed );
}

static bv_obb aabb_of( const box_case* c, int lane )
{
	bvvol_packed_obb packed = { .rotation = { 0, 0, 0, 1 } };
	for ( int i = 0; i < 3; ++i )
	{
		float lower = c->data[8 * i + lane];
		float upper = c->data[24 + 8 * i + lane];
		packed.center[i] = 2 * c->group.step[i] * ( lower + upper );
		packed.half_extents[i] = 2 * c->group.step[i] * ( upper - lower );
	}
	return bvvol_obb_unpack( &packed );
}

static void decode( const box_case* c, decoded_case* out )
{
	bv_obb box = { .center = { c->box.center[0], c->box.center[1], c->box.center[2] } };
	for ( int i = 0; i < 3; ++i )
	{
		const float* axis = c->box.axis[i];
		box.axis[i] = ( bv_vec3 ){ axis[0], axis[1], axis[2] };
		box.half_extents[i] = c->box.half[i];
	}
	bv_pose here = bv_pose_identity();
	bvvol_obb_place_to( &box, &here, 0, &out->placed );
	for ( int lane = 0; lane < 8; ++lane )
	{
		out->box[lane] = obb_of( c, lane );
	}
}

// What there is to be found.
static void print_mix( const char* name, const box_case* all, bv_obb ( *box_of )( const box_case*, int ),
                       task* run )
{
	int by_face = 0;
	int near = 0;
	int whole = 0;
	for ( int i = 0; i < cases; ++i )
	{
		int faces = 0;
		uint64_t left = run( bvtree_lanes_best(), all, i );
		for ( int lane = 0; lane < 8; ++lane )
		{
			bv_obb box = box_of( &all[i], lane );
			faces += faces_separate( &all[i].box, &box );
			near += left >> lane & 1;
		}
		by_face += faces;
		whole += faces == 8;
	}
	double lanes = 8.0 * cases;
	printf( "%s: of lanes %.0f %% apart along an axis, %.0f %% along a product only, %.0f %% not; %.0f %% of "
	        "groups by axes alone\n",
	        name, 100 * by_face / lanes, 100 * ( lanes - by_face - near ) / lanes, 100 * near / lanes,
	        100.0 * whole / cases );
}

static void print_triangle_mix( const triangle_case* all )
{
	int pairs = 0;
	for ( int i = 0; i < cases; ++i )
	{
		for ( int lane = 0; lane < 8; ++lane )
		{
			pairs += run_triangles( bvtree_lanes_best(), all, i ) >> lane & 1;
		}
	}
	printf( "triangles: %.0f %% not apart\n", 100.0 * pairs / ( 8 * cases ) );
}

int main( void )
{
	static box_case obbs[cases];
	static box_case aabbs[cases];
	static triangle_case triangles[cases];
	static decoded_case decoded[cases];
	uint64_t state = 1;
	for ( int i = 0; i < cases; ++i )
	{
		fill_obb( &state, &obbs[i] );
		fill_aabb( &state, &aabbs[i] );
		fill_triangles( &state, &triangles[i] );
		decode( &obbs[i], &decoded[i] );
	}
	print_mix( "oriented boxes", obbs, obb_of, run_obb );
	print_mix( "aligned boxes", aabbs, aabb_of, run_aabb );
	print_triangle_mix( triangles );

	printf( "\n| ns a group of 8 |" );
	for ( uint32_t i = 0; bvtree_lanes_level( i ); ++i )
	{
		printf( " %s |", bvtree_lanes_level( i )->name );
	}
	printf( "\n| --- |" );
	for ( uint32_t i = 0; bvtree_lanes_level( i ); ++i )
	{
		printf( " --- |" );
	}
	printf( "\n" );
	time_task( "box, oriented boxes", run_obb, obbs );
	time_task( "box, aligned boxes", run_aabb, aabbs );
	time_task( "box, oriented boxes, gap", run_obb_gap, obbs );
	time_task( "box, aligned boxes, gap", run_aabb_gap, aabbs );
	time_task( "pairs of triangles", run_triangles, triangles );
	printf( "\noriented boxes one by one in binary64, decoded before: %.1f\n", time_binary64( decoded ) );
	return 0;
}
