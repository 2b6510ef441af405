// Digests of searches, sweeps and steps of scenes that are stopped many times, which must be the same from each compiler and on each machine.

#pragma once

#include "bv/search.h"
#include "bvworld/control.h"

#include "tests/convex_digest.h"
#include "tests/motion_digest.h"

enum
{
	digest_search_places = 40,
	digest_control_objects = 8,
	digest_control_bytes = 1 << 20,
};

static void digest_answer( digest* d, const bv_search_answer* answer )
{
	digest_bits( d, (uint64_t)answer->verdict << 32 | (uint64_t)answer->done << 1 | answer->found );
	digest_numbers( d, &answer->lower, 1 );
	digest_numbers( d, &answer->upper, 1 );
	digest_bits( d, (uint64_t)answer->triangle[0] << 32 | answer->triangle[1] );
	digest_bits( d, (uint64_t)answer->node[0] << 32 | answer->node[1] );
	digest_vector( d, answer->point[0] );
	digest_vector( d, answer->point[1] );
	digest_bits( d, answer->volume_tests << 32 | answer->triangle_tests );
}

// With the least memory, so that it is full.
static void digest_stopped_search( digest* d, const bv_file* file, const bv_transform* at,
                                   const bv_search_options* options, uint64_t tests )
{
	static double memory[BV_SEARCH_LEAST / sizeof( double )];
	const bv_budget budget = { .tests = tests };
	bv_search_answer answer = { .done = false };
	bv_search_indication indication;
	bv_search* search;
	if ( bv_search_begin( file, file, at, options, memory, sizeof memory, &search ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	for ( int i = 0; i < 200 && !answer.done; ++i )
	{
		d->refused += bv_search_run( search, &budget, &answer ) != bv_ok;
		digest_answer( d, &answer );
		if ( i % 8 == 0 )
		{
			d->refused += bv_search_indicate( search, &indication ) != bv_ok;
			digest_vector( d, indication.point[0] );
			digest_vector( d, indication.point[1] );
			digest_vector( d, indication.normal );
		}
	}
}

static void digest_stopped_sweep( digest* d, const bv_file* file, const bv_transform* from, uint64_t tests )
{
	static double memory[BV_SWEEP_LEAST / sizeof( double )];
	const bv_budget budget = { .tests = tests };
	bv_motion motion[2];
	bv_sweep* sweep;
	bv_transform to = bv_transform_identity();
	if ( bv_motion_slerp( from, &to, bv_vec3_make( 0, 0, 0 ), motion ) != bv_ok ||
	     bv_motion_still( &to, motion + 1 ) != bv_ok ||
	     bv_sweep_begin( file, motion, file, motion + 1, NULL, memory, sizeof memory, &sweep ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	bool done = false;
	for ( int i = 0; i < 200 && !done; ++i )
	{
		bv_sweep_result r = { .found = false };
		d->refused += bv_sweep_run( sweep, &budget, &done, &r ) != bv_ok;
		digest_bits( d, (uint64_t)r.found << 2 | (uint64_t)r.certain << 1 | r.complete );
		digest_numbers( d, &r.lower, 1 );
		digest_numbers( d, &r.upper, 1 );
		digest_bits( d, (uint64_t)r.triangle[0] << 32 | r.triangle[1] );
		digest_vector( d, r.point[0] );
		digest_bits( d, r.volume_tests << 32 | r.triangle_tests );
		digest_bits( d, r.steps );
	}
}

// Objects that fly to the places of each other, with less memory than sweeps.
static void digest_control( digest* d, const bv_file* file, double size, uint64_t tests )
{
	static double memory[digest_control_bytes / sizeof( double )];
	const bvw_control_options options = { .broadphase = { .objects = digest_control_objects }, .sweeps = 3 };
	const bvw_control_input input = { .files = &file, .file_count = 1 };
	const bv_budget budget = { .tests = tests };
	bvw_control* control;
	bvw_control_report report = { .done = false };
	uint64_t seed = tests;
	if ( bvw_control_begin( memory, sizeof memory, &options, &control ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	for ( uint32_t i = 0; i < digest_control_objects; ++i )
	{
		bvw_control_object object = { .file = 0, .group = i / 2 % 2 };
		bv_transform goal = bv_transform_identity();
		bv_vec3 angles = digest_place( &seed, 3 );
		(void)bv_transform_from_xyz( angles, digest_place( &seed, 4 * size ), &object.placement );
		angles = digest_place( &seed, 3 );
		(void)bv_transform_from_xyz( angles, digest_place( &seed, 4 * size ), &goal );
		d->refused += bvw_control_add( control, i, &object ) != bv_ok;
		d->refused += bvw_control_set_goal( control, i, &goal ) != bv_ok;
	}
	d->refused += bvw_control_find( control, &input, &report ) != bv_ok;
	for ( int i = 0; i < 300 && !report.done; ++i )
	{
		d->refused += bvw_control_run( control, &budget, &report ) != bv_ok;
		digest_bits( d, (uint64_t)report.pairs << 32 | report.open );
		digest_numbers( d, &report.until, 1 );
	}
	for ( uint32_t i = 0; i < report.contact_count; ++i )
	{
		digest_bits( d, (uint64_t)report.contacts[i].a << 32 | report.contacts[i].b );
		digest_numbers( d, &report.contacts[i].sweep.upper, 1 );
		digest_vector( d, report.contacts[i].sweep.point[1] );
	}
	for ( uint32_t i = 0; i < digest_control_objects; ++i )
	{
		bvw_stop stop = { .time = -1 };
		d->refused += bvw_control_get_stop( control, i, &stop ) != bv_ok;
		digest_numbers( d, &stop.time, 1 );
	}
}

static void print_search_digests( const bv_file* file )
{
	digest d = { .hash = 0 };
	digest sweeps = { .hash = 0 };
	digest steps = { .hash = 0 };
	uint64_t seed = 1;
	bv_file_bounds bounds;
	if ( !bv_file_get_bounds( file, &bounds ) )
	{
		return;
	}
	double size = bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) );
	for ( int i = 0; i < digest_search_places; ++i )
	{
		bv_transform at = bv_transform_identity();
		bv_vec3 angles = digest_place( &seed, 3 );
		(void)bv_transform_from_xyz( angles, digest_place( &seed, size ), &at );
		at.mirror = i % 3 == 0;
		for ( int k = 0; k < bv_search_goals * bv_search_orders; ++k )
		{
			const bv_search_options options = { .goal = (bv_search_goal)( k % bv_search_goals ),
				                                .order = (bv_search_order)( k / bv_search_goals ) };
			digest_stopped_search( &d, file, &at, &options, 1 + (uint64_t)( 17 * i + k ) % 90 );
		}
		at.mirror = false;
		at.pose.translation = bv_scale( 3, at.pose.translation );
		digest_stopped_sweep( &sweeps, file, &at, 1 + 13 * (uint64_t)i );
		digest_control( &steps, file, size, 100 + 97 * (uint64_t)i );
	}
	printf( "searches of the file: %016" PRIx64 ", %d refused\n", d.hash, d.refused );
	printf( "sweeps of the file that are stopped: %016" PRIx64 ", %d refused\n", sweeps.hash,
	        sweeps.refused );
	printf( "steps of scenes: %016" PRIx64 ", %d refused\n", steps.hash, steps.refused );
}
