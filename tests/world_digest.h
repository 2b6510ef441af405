// Digests of the pairs and queries of broad phases, by each method, which must be the same from each compiler and on each machine. The
// numbers of tests are in them, too.

#pragma once

#include "bvworld/bvworld.h"

#include "tests/convex_digest.h"

enum
{
	digest_objects = 300,
	digest_updates = 60,
	digest_moves = 40, // by update
};

// Boxes of sizes from 1/8 to 8. Every 50th object is a half-space.
static bv_aabb digest_box( uint64_t* seed, int index )
{
	bv_vec3 at = { 0, 0, 0 };
	double half = 0.0625;
	at.x = 20 * random_coordinate( seed );
	at.y = 20 * random_coordinate( seed );
	at.z = 20 * random_coordinate( seed );
	for ( int i = index % 7; i > 0; --i )
	{
		half *= 2;
	}
	bv_aabb box = { { at.x - half, at.y - half, at.z - half }, { at.x + half, at.y + half, at.z + half } };
	if ( index % 50 == 49 )
	{
		box.lower = ( bv_vec3 ){ -INFINITY, -INFINITY, -INFINITY };
		box.upper = ( bv_vec3 ){ INFINITY, INFINITY, at.z - 20 };
	}
	return box;
}

static void digest_world_pairs( digest* d, const bvw_pair* pairs, uint32_t count )
{
	digest_bits( d, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		digest_bits( d, (uint64_t)pairs[i].a << 32 | pairs[i].b );
	}
}

// Moves most of the objects, removes some, and adds others.
static void digest_world_changes( digest* d, bvw_broadphase* world, uint64_t* seed, int step )
{
	for ( int i = 0; i < digest_moves; ++i )
	{
		uint32_t number = (uint32_t)( ( step * 101 + i * 7 ) % digest_objects );
		bvw_object o = { .category = UINT64_C( 1 ) << number % 3, .mask = number % 11 == 0 ? 1 : 0 };
		o.group = number % 13 == 0 ? 1 : 0;
		o.box = digest_box( seed, (int)number );
		bv_status status = bvw_broadphase_move( world, number, &o.box );
		if ( status != bv_ok )
		{
			d->refused += bvw_broadphase_add( world, number, &o ) != bv_ok;
		}
		else if ( i % 8 == 0 )
		{
			d->refused += bvw_broadphase_remove( world, number ) != bv_ok;
		}
	}
}

static void digest_world_query( digest* d, const bvw_broadphase* world, uint64_t* seed, int step )
{
	uint32_t numbers[digest_objects];
	bvw_filter filter = { .mask = step % 2 == 0 ? 2 : 0 };
	bvw_found found = { 0, 0 };
	bv_aabb box = digest_box( seed, step );
	d->refused += bvw_broadphase_overlap( world, &box, &filter, numbers, digest_objects, &found ) != bv_ok;
	digest_bits( d, found.count );
	digest_bits( d, found.tests );
	for ( uint32_t i = 0; i < found.count; ++i )
	{
		digest_bits( d, numbers[i] );
	}
}

// A ray, a box and a ball through the scene.
static void digest_world_casts( digest* d, const bvw_broadphase* world, uint64_t* seed, int step )
{
	bvw_hit hits[3][digest_objects];
	bvw_found found[3] = { { 0, 0 } };
	bvw_cast_options options = { .filter = { .mask = step % 3 == 0 ? 2 : 0 } };
	bv_aabb from = digest_box( seed, 0 );
	bv_aabb to = digest_box( seed, 0 );
	bv_vec3 way = bv_sub( to.lower, from.lower );
	bv_ray ray = { from.lower, way, 0, step % 2 };
	bv_convex ball = bv_convex_sphere( from.lower, 1 );
	uint32_t most = step % 4 == 0 ? 2 : digest_objects;
	d->refused += bvw_broadphase_cast_ray( world, &ray, &options, hits[0], most, found ) != bv_ok;
	d->refused += bvw_broadphase_cast_box( world, &from, way, &options, hits[1], most, found + 1 ) != bv_ok;
	d->refused +=
		bvw_broadphase_cast_convex( world, &ball, NULL, way, &options, hits[2], most, found + 2 ) != bv_ok;
	for ( int k = 0; k < 3; ++k )
	{
		digest_bits( d, found[k].count );
		digest_bits( d, found[k].tests );
		for ( uint32_t i = 0; i < found[k].count; ++i )
		{
			digest_bits( d, hits[k][i].number );
			digest_numbers( d, ( const double[] ){ hits[k][i].time.lower, hits[k][i].time.upper }, 2 );
		}
	}
}

static void print_world_digest( bvw_method method )
{
	const bvw_broadphase_options options = { .objects = digest_objects, .pairs = 20000, .method = method };
	size_t bytes = bvw_broadphase_bytes( &options );
	void* memory = malloc( bytes );
	bvw_broadphase* world = NULL;
	digest d = { .hash = 0 };
	uint64_t seed = 1;
	if ( !memory || bvw_broadphase_begin( memory, bytes, &options, &world ) != bv_ok )
	{
		printf( "world %s: cannot begin\n", bvw_method_name( method ) );
		free( memory );
		return;
	}
	for ( int step = 0; step < digest_updates; ++step )
	{
		bvw_changes changes = { .begun_count = 0 };
		digest_world_changes( &d, world, &seed, step );
		d.refused += bvw_broadphase_update( world, &changes ) != bv_ok;
		digest_world_pairs( &d, changes.begun, changes.begun_count );
		digest_world_pairs( &d, changes.ended, changes.ended_count );
		digest_bits( &d, changes.tests );
		digest_world_query( &d, world, &seed, step );
		digest_world_casts( &d, world, &seed, step );
	}
	printf( "world %s: %016" PRIx64 ", %d refused\n", bvw_method_name( method ), d.hash, d.refused );
	free( memory );
}

static void print_world_digests( void )
{
	for ( int method = bvw_method_default + 1; method < bvw_methods; ++method )
	{
		print_world_digest( (bvw_method)method );
	}
}
