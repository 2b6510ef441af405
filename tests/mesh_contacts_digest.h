// A digest of contacts of a file with convex shapes and with itself, which must be the same from each compiler and on each machine.

#pragma once

#include "bv/contact.h"

#include "tests/convex_digest.h"
#include "tests/motion_digest.h"

enum
{
	digest_mesh_places = 60,
	digest_mesh_manifolds = 16,
	digest_mesh_memory = 64 << 20,
};

static void digest_mesh_manifold( digest* d, const bv_mesh_manifold* m )
{
	digest_vector( d, m->normal );
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bv_mesh_contact* c = m->contact + i;
		digest_bits( d, c->at.identity );
		digest_bits( d, (uint64_t)c->triangle << 32 | c->triangle_b );
		digest_numbers( d, &c->at.separation, 1 );
		digest_vector( d, c->at.point[0] );
		digest_vector( d, c->at.point[1] );
	}
}

static void print_mesh_contacts_digests( const bv_file* file )
{
	static bv_mesh_manifold manifolds[digest_mesh_manifolds];
	double* scratch = malloc( digest_mesh_memory );
	const bv_mesh_contacts_room room = { manifolds, digest_mesh_manifolds, scratch, digest_mesh_memory };
	digest shapes = { .hash = 0 };
	digest meshes = { .hash = 0 };
	uint64_t seed = 1;
	bv_file_bounds bounds;
	if ( !scratch || !bv_file_get_bounds( file, &bounds ) )
	{
		free( scratch );
		return;
	}
	double size = bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) );
	for ( int i = 0; i < digest_mesh_places; ++i )
	{
		bv_transform at = bv_transform_identity();
		bv_vec3 angles = digest_place( &seed, 3 );
		(void)bv_transform_from_xyz( angles, digest_place( &seed, 0.4 * size ), &at );
		double half = 0.05 * size;
		bv_convex box = bv_convex_box( digest_place( &seed, 0.1 * size ), bv_vec3_make( half, half, half ) );
		const bv_mesh_contacts_options of_shapes = { .speculative = 0.01 * size };
		const bv_mesh_contacts_mesh_options of_meshes = { .speculative = 0.01 * size, .depth = 0.01 * size };
		bv_mesh_contacts_result r = { 0 };
		shapes.refused += bv_mesh_contacts_convex( file, &at, &box, &of_shapes, &room, &r ) != bv_ok;
		digest_bits( &shapes, (uint64_t)r.count << 32 | r.triangles );
		for ( uint32_t k = 0; k < r.count; ++k )
		{
			digest_mesh_manifold( &shapes, manifolds + k );
		}
		bv_mesh_contacts_mesh_result m = { 0 };
		meshes.refused += bv_mesh_contacts_mesh( file, &at, file, &of_meshes, &room, &m ) != bv_ok;
		digest_bits( &meshes, (uint64_t)m.count << 32 | m.pairs );
		digest_bits( &meshes, m.unresolved );
		for ( uint32_t k = 0; k < m.count; ++k )
		{
			digest_mesh_manifold( &meshes, manifolds + k );
		}
	}
	free( scratch );
	printf( "contacts of the file and boxes: %016" PRIx64 ", %d refused\n", shapes.hash, shapes.refused );
	printf( "contacts of the file and itself: %016" PRIx64 ", %d refused\n", meshes.hash, meshes.refused );
}
