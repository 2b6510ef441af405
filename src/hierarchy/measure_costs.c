// What tests of volumes and triangles cost on this machine.
//
// Pairs of small clouds of points, as far apart as they are large or so, are given volumes of every type. Of each two types as
// many pairs are timed that overlap as ones that do not, in the way a query meets them: both are decoded, the second is
// placed, and they are compared. A triangle of the one and a box of the other likewise, either of them placed.

#include "base/core/overlap_triangle.h"
#include "base/core/overlap_volumes.h"
#include "base/core/packed_volume.h"
#include "base/core/triangle.h"
#include "base/core/vec.h"
#include "base/offline/clock.h"
#include "base/offline/error.h"
#include "bvbuild/hierarchy.h"
#include "fit/volume.h"

#include <math.h>

enum
{
	clouds = 1024,
	cloud_faces = 4,
	poses = 8,
	chosen = 64, // pairs of each kind that overlap, and as many that do not
	rounds = 25,
	repeats = 4, // of all pairs in a round
};

// A pair of clouds, the second one to be moved.
typedef struct cloud_pair
{
	bv_vec3 triangle[2][3];
	uint32_t packed[2][bv_volume_types][bv_packed_most / 4];
	int pose;
} cloud_pair;

typedef struct bench
{
	uint64_t random;
	bv_placement placement[poses];
	cloud_pair pair[clouds];
	const cloud_pair* order[2 * chosen];
} bench;

// Marsaglia's xorshift64. In [-1, 1).
static double random_number( bench* b )
{
	b->random ^= b->random << 13;
	b->random ^= b->random >> 7;
	b->random ^= b->random << 17;
	return (double)( b->random >> 11 ) * 0x1p-52 - 1;
}

static bv_vec3 random_vector( bench* b )
{
	double x = random_number( b );
	double y = random_number( b );
	return ( bv_vec3 ){ x, y, random_number( b ) };
}

static bv_vec3 unit( bv_vec3 v )
{
	return bv_scale( 1 / sqrt( bv_dot( v, v ) ), v );
}

static bv_pose random_pose( bench* b )
{
	bv_vec3 x = unit( random_vector( b ) );
	bv_vec3 z = unit( bv_cross( x, random_vector( b ) ) );
	bv_vec3 y = bv_cross( z, x );
	return ( bv_pose ){
		.rotation = { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } },
		.translation = random_vector( b ),
	};
}

// Faces in a bent strip, as those of a node are, with volumes of all types.
static void make_cloud( bench* b, bv_vec3 center, cloud_pair* out, int which )
{
	bv_vec3 step = bv_scale( 0.4, random_vector( b ) );
	bv_vec3 side = bv_scale( 0.4, random_vector( b ) );
	bvb_face face[cloud_faces];
	uint32_t order[cloud_faces];
	bv_vec3 corners[3 * cloud_faces];
	bv_vec3 last[3] = { center, bv_add( center, side ), bv_add( center, step ) };
	for ( int i = 0; i < cloud_faces; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			last[k] = ( bv_vec3 ){ (float)last[k].x, (float)last[k].y, (float)last[k].z };
		}
		face[i] = bvb_face_of( last );
		order[i] = (uint32_t)i;
		bv_vec3 bend = bv_scale( 0.1, random_vector( b ) );
		bv_vec3 next = bv_add( bv_add( last[1], step ), bend );
		last[0] = last[1];
		last[1] = last[2];
		last[2] = next;
	}
	for ( int k = 0; k < 3; ++k )
	{
		out->triangle[which][k] = face[0].corner[k];
	}
	bvb_face_list list = { face, order, cloud_faces, corners, bvb_node_box_find( "dito" ) };
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		bv_volume volume = bvb_volume_fit_type( (bv_volume_type)type, &list );
		bv_volume_pack( &volume, out->packed[which][type] );
	}
}

static void make_pair( bench* b, int index )
{
	cloud_pair* p = b->pair + index;
	p->pose = index % poses;
	const bv_pose* pose = &b->placement[p->pose].pose;
	bv_vec3 center = random_vector( b );
	make_cloud( b, center, p, 1 );
	bv_vec3 moved = bv_add( bv_rotate( pose, center ), pose->translation );
	make_cloud( b, bv_add( moved, random_vector( b ) ), p, 0 );
}

static bool volumes_overlap( const bench* b, const cloud_pair* p, int first, int second )
{
	bv_volume volume_a;
	bv_volume_unpack_to( (bv_volume_type)first, p->packed[0][first], &volume_a );
	bv_volume volume_b;
	bv_volume_unpack_to( (bv_volume_type)second, p->packed[1][second], &volume_b );
	bv_placed_volume placed;
	bv_volume_place( &volume_b, &b->placement[p->pose], &placed );
	return bv_volumes_overlap( &volume_a, &placed );
}

// The second of a pair.
static void move_triangle( const bench* b, const cloud_pair* p, bv_vec3 moved[3] )
{
	const bv_pose* pose = &b->placement[p->pose].pose;
	for ( int k = 0; k < 3; ++k )
	{
		moved[k] = bv_add( bv_rotate( pose, p->triangle[1][k] ), pose->translation );
	}
}

static bool triangles_meet( const bench* b, const cloud_pair* p, int first, int second )
{
	(void)first, (void)second;
	bv_vec3 moved[3];
	move_triangle( b, p, moved );
	return bv_triangles_intersect_within( p->triangle[0], moved, 0x1p-50 );
}

static bool triangle_meets_placed_box( const bench* b, const cloud_pair* p, int first, int type )
{
	(void)first;
	bv_volume volume;
	bv_volume_unpack_to( (bv_volume_type)type, p->packed[1][type], &volume );
	bv_placed_volume placed;
	bv_volume_place( &volume, &b->placement[p->pose], &placed );
	return bv_triangle_overlaps_box( p->triangle[0], &placed.box.box, placed.box.slack );
}

static bool moved_triangle_meets_box( const bench* b, const cloud_pair* p, int type, int second )
{
	(void)second;
	bv_vec3 moved[3];
	move_triangle( b, p, moved );
	bv_volume volume;
	bv_volume_unpack_to( (bv_volume_type)type, p->packed[0][type], &volume );
	bv_obb box = type == bv_volume_aabb ? bv_aabb_turned( &volume.aabb ) : volume.obb;
	return bv_triangle_overlaps_box( moved, &box, 0x1p-50 );
}

typedef bool pair_test( const bench* b, const cloud_pair* p, int first, int second );

// One of each in turn, as far as there are enough. Returns how many.
static int choose_pairs( bench* b, pair_test* test, int first, int second )
{
	int count[2] = { 0, 0 };
	for ( int i = 0; i < clouds; ++i )
	{
		int meets = test( b, b->pair + i, first, second );
		if ( count[meets] < chosen )
		{
			b->order[2 * count[meets]++ + meets] = b->pair + i;
		}
	}
	return 2 * ( count[0] < count[1] ? count[0] : count[1] );
}

// Returns how many overlap.
static int test_pairs( const bench* b, pair_test* test, int first, int second, int count )
{
	int met = 0;
	for ( int i = 0; i < repeats * count; ++i )
	{
		met += test( b, b->order[i % count], first, second );
	}
	return met;
}

// Nanoseconds a test. That half of the pairs overlap is known; asking for it keeps compilers from leaving the tests out.
static double time_pairs( bench* b, pair_test* test, int first, int second )
{
	int count = choose_pairs( b, test, first, second );
	double least = INFINITY;
	for ( int round = 0; round < rounds; ++round )
	{
		double start = bvb_cpu_clock();
		int met = test_pairs( b, test, first, second, count );
		double taken = bvb_cpu_clock() - start;
		least = 2 * met == repeats * count ? bv_min( least, taken ) : least;
	}
	return 1e9 * least / ( repeats * count );
}

static double time_triangle_and_box( bench* b, bv_volume_type type )
{
	double there = time_pairs( b, triangle_meets_placed_box, 0, (int)type );
	return ( there + time_pairs( b, moved_triangle_meets_box, (int)type, 0 ) ) / 2;
}

bv_status bvb_costs_measure( bv_costs* out, bvb_error* error )
{
	bvb_arena* arena = bvb_arena_create();
	bench* b = arena ? bvb_arena_allocate( arena, 1, sizeof *b ) : NULL;
	if ( !b )
	{
		bvb_arena_destroy( arena );
		return bvb_fail_memory( error );
	}
	b->random = 88172645463325252u;
	for ( int i = 0; i < poses; ++i )
	{
		bv_pose pose = random_pose( b );
		uint32_t all = ( 1u << bv_volume_types ) - 1;
		bv_placement_begin( &pose, all, all, b->placement + i );
	}
	for ( int i = 0; i < clouds; ++i )
	{
		make_pair( b, i );
	}
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k <= i; ++k )
		{
			double there = time_pairs( b, volumes_overlap, i, k );
			double back = i == k ? there : time_pairs( b, volumes_overlap, k, i );
			out->volumes[i][k] = out->volumes[k][i] = ( there + back ) / 2;
		}
	}
	out->triangles = time_pairs( b, triangles_meet, 0, 0 );
	out->triangle_obb = time_triangle_and_box( b, bv_volume_obb );
	out->triangle_aabb = time_triangle_and_box( b, bv_volume_aabb );
	bvb_arena_destroy( arena );
	return bv_ok;
}
