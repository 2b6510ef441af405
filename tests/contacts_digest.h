// A digest of contacts that last, of bodies that move in a broad phase, which must be the same from each compiler and on each machine.

#pragma once

#include "bvworld/contacts.h"

#include "tests/convex_digest.h"

enum
{
	digest_bodies = 60,
	digest_steps = 40,
	digest_entries = digest_bodies * ( digest_bodies - 1 ) / 2,
};

static void digest_move_body( bvw_body* body, uint64_t* seed, double size )
{
	bv_vec3 at = body->placement.pose.translation;
	at.x += size * random_coordinate( seed );
	at.y += size * random_coordinate( seed );
	at.z += size * random_coordinate( seed );
	bv_quaternion q = bv_transform_to_quaternion( &body->placement );
	q.x += 0.01 * size * random_coordinate( seed );
	q.z += 0.01 * size * random_coordinate( seed );
	double length = sqrt( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
	q = ( bv_quaternion ){ q.x / length, q.y / length, q.z / length, q.w / length };
	(void)bv_transform_from_quaternion( q, at, &body->placement );
}

static bv_aabb digest_box_of( const bvw_body* body )
{
	bv_vec3 c = body->placement.pose.translation;
	return ( bv_aabb ){ { c.x - 1, c.y - 1, c.z - 1 }, { c.x + 1, c.y + 1, c.z + 1 } };
}

static void digest_report( digest* d, bvw_contacts* contacts, const bvw_contacts_report* r )
{
	for ( uint32_t i = 0; i < r->touching_count; ++i )
	{
		bvw_contact_pair* pair = bvw_contacts_at( contacts, r->touching[i] );
		digest_bits( d, (uint64_t)pair->key.a << 32 | pair->key.b );
		for ( uint32_t k = 0; k < pair->manifold.count; ++k )
		{
			const bv_contact* c = pair->manifold.contact + k;
			digest_bits( d, c->identity );
			digest_bits( d, pair->point_since[k] );
			digest_numbers( d, &c->separation, 1 );
			digest_vector( d, c->position );
			digest_numbers( d, pair->data[k], BVW_CONTACT_DATA );
			pair->data[k][0] += c->separation;
		}
		const bvw_kept_points* kept = bvw_contacts_kept( contacts, r->touching[i] );
		for ( uint32_t k = 0; k < kept->count; ++k )
		{
			digest_bits( d, kept->point[k].at.identity );
			digest_vector( d, kept->point[k].at.point[1] );
			digest_numbers( d, kept->point[k].data, BVW_CONTACT_DATA );
		}
	}
	for ( uint32_t i = 0; i < r->ended_count; ++i )
	{
		digest_bits( d, (uint64_t)r->ended[i].key.a << 32 | r->ended[i].key.b );
		digest_numbers( d, r->ended[i].point[0].data, BVW_CONTACT_DATA );
	}
}

static void print_contacts_digest( void )
{
	bv_vec3 zero = { 0, 0, 0 };
	const bv_convex shapes[] = {
		bv_convex_box( zero, bv_vec3_make( 0.5, 0.5, 0.5 ) ), bv_convex_sphere( zero, 0.5 ),
		bv_convex_capsule( bv_vec3_make( -0.25, 0, 0 ), bv_vec3_make( 0.25, 0, 0 ), 0.25 )
	};
	static bvw_body bodies[digest_bodies];
	bvw_broadphase_options boxes = { .objects = digest_bodies, .pairs = digest_entries };
	bvw_contacts_options options = { .pairs = digest_entries, .keep = true };
	void* memory[2] = { malloc( bvw_broadphase_bytes( &boxes ) ), malloc( bvw_contacts_bytes( &options ) ) };
	bvw_broadphase* world = NULL;
	bvw_contacts* contacts = NULL;
	digest d = { .hash = 0 };
	d.refused += bvw_broadphase_begin( memory[0], bvw_broadphase_bytes( &boxes ), &boxes, &world ) != bv_ok;
	d.refused +=
		bvw_contacts_begin( memory[1], bvw_contacts_bytes( &options ), &options, &contacts ) != bv_ok;
	uint64_t seed = 11;
	for ( uint32_t i = 0; i < digest_bodies; ++i )
	{
		bodies[i] = ( bvw_body ){ shapes + i % 5 % 3, bv_transform_identity() };
		digest_move_body( bodies + i, &seed, 2 );
		bvw_object object = { .box = digest_box_of( bodies + i ) };
		d.refused += bvw_broadphase_add( world, i, &object ) != bv_ok;
	}
	for ( int step = 0; step < digest_steps; ++step )
	{
		bvw_changes changes;
		d.refused += bvw_broadphase_update( world, &changes ) != bv_ok;
		bvw_contacts_step_input input = {
			.changes = &changes, .bodies = bodies, .body_count = digest_bodies, .speculative = 0.02
		};
		bvw_contacts_report report;
		d.refused += bvw_contacts_step( contacts, &input, &report ) != bv_ok;
		digest_report( &d, contacts, &report );
		for ( uint32_t i = 0; i < digest_bodies; ++i )
		{
			digest_move_body( bodies + i, &seed, step % 8 == 7 ? 0.5 : 0.02 );
			bv_aabb box = digest_box_of( bodies + i );
			d.refused += bvw_broadphase_move( world, i, &box ) != bv_ok;
		}
	}
	printf( "world contacts: %016" PRIx64 ", %d refused\n", d.hash, d.refused );
	free( memory[0] );
	free( memory[1] );
}
