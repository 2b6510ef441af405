// A digest of contacts of unions of convex shapes that last, and of their distances, which must be the same from each compiler and on
// each machine.

#pragma once

#include "tests/contacts_digest.h"

enum
{
	compound_tiles = 64,
	compound_leaves = 16,
	compound_steps = 40,
	compound_pairs = compound_tiles * compound_leaves,
};

static void digest_compounds( digest* d, bvw_contacts* contacts, const bvw_compounds_report* r )
{
	digest_bits( d, (uint64_t)r->found.ghosts << 32 | r->found.turned );
	digest_bits( d, r->found.volume_tests );
	for ( uint32_t i = 0; i < r->touching_count; ++i )
	{
		const bvw_contact_pair* pair = bvw_contacts_at( contacts, r->touching[i] );
		digest_bits( d, (uint64_t)pair->key.part[0] << 32 | pair->key.part[1] );
		for ( uint32_t k = 0; k < pair->manifold.count; ++k )
		{
			digest_bits( d, pair->manifold.contact[k].identity );
			digest_bits( d, pair->point_since[k] );
			digest_vector( d, pair->manifold.contact[k].position );
		}
	}
	for ( uint32_t i = 0; i < r->ended_count; ++i )
	{
		digest_bits( d, (uint64_t)r->ended[i].key.part[0] << 32 | r->ended[i].key.part[1] );
	}
}

static void digest_compound_distance( digest* d, const bvw_compounds* pair )
{
	size_t bytes = bv_compound_distance_bytes( pair->compound[0], pair->compound[1] );
	void* memory = malloc( bytes );
	bv_compound_distance_result r;
	d->refused += bv_compound_distance( pair->compound[0], pair->compound[1], &pair->b_in_a, NULL, memory,
	                                    bytes, &r ) != bv_ok;
	digest_numbers( d, &r.nearest.upper, 1 );
	digest_bits( d, r.volume_tests );
	free( memory );
}

// A floor of tiles, and a body of shapes of all kinds that tumbles on it.
static void print_compound_digest( void )
{
	bv_vec3 zero = { 0, 0, 0 };
	const bv_convex shapes[] = {
		bv_convex_box( zero, bv_vec3_make( 0.5, 0.5, 0.5 ) ), bv_convex_sphere( zero, 0.4 ),
		bv_convex_capsule( bv_vec3_make( -0.25, 0, 0 ), bv_vec3_make( 0.25, 0, 0 ), 0.25 )
	};
	bv_compound members[2][compound_tiles];
	bv_transform places[2][compound_tiles];
	bv_compound joined[2];
	void* memory[4];
	uint64_t seed = 17;
	digest d = { .hash = 0 };
	for ( int side = 0; side < 2; ++side )
	{
		uint32_t count = side == 0 ? compound_tiles : compound_leaves;
		for ( uint32_t i = 0; i < count; ++i )
		{
			members[side][i] = bv_compound_of_shape( shapes + ( side == 0 ? 0 : i % 3 ) );
			bvw_body at = { NULL, bv_transform_translation( i % 8 - 4.0, i / 8 - 4.0, -0.5 ) };
			if ( side == 1 )
			{
				at.placement = bv_transform_identity();
				digest_move_body( &at, &seed, 1 );
			}
			places[side][i] = at.placement;
		}
		size_t bytes = bv_compound_bytes( members[side], count );
		memory[side] = malloc( bytes );
		d.refused += bv_compound_join( members[side], places[side], count, memory[side], bytes,
		                               joined + side ) != bv_ok;
	}
	bvw_contacts_options options = { .pairs = compound_pairs };
	memory[2] = malloc( bvw_contacts_bytes( &options ) );
	bvw_contacts* contacts = NULL;
	d.refused +=
		bvw_contacts_begin( memory[2], bvw_contacts_bytes( &options ), &options, &contacts ) != bv_ok;
	static bv_compound_contact found[compound_pairs];
	size_t bytes = bvw_contacts_compounds_bytes( joined, joined + 1, compound_pairs );
	memory[3] = malloc( bytes );
	const bv_compound_room room = { found, compound_pairs, memory[3], bytes };
	bvw_body body = { NULL, bv_transform_translation( 0, 0, 0.9 ) };
	for ( int step = 0; step < compound_steps; ++step )
	{
		bvw_contacts_step_input input = { .speculative = 0 };
		bvw_contacts_report report;
		bv_compound_contacts_options how = { .speculative = 0.02 };
		bvw_compounds pair = { 0, 1, { joined, joined + 1 }, body.placement, &how };
		bvw_compounds_report r = { .touching_count = 0 };
		d.refused += bvw_contacts_step( contacts, &input, &report ) != bv_ok;
		d.refused += bvw_contacts_update_compounds( contacts, &pair, &room, &r ) != bv_ok;
		digest_compounds( &d, contacts, &r );
		digest_compound_distance( &d, &pair );
		digest_move_body( &body, &seed, step % 8 == 7 ? 0.5 : 0.02 );
	}
	printf( "world compounds: %016" PRIx64 ", %d refused\n", d.hash, d.refused );
	for ( int i = 0; i < 4; ++i )
	{
		free( memory[i] );
	}
}
