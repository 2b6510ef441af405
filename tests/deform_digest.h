// A digest of contacts of a mesh that bends, with itself and with the file it was made from, which must be the same from each compiler and
// on each machine. Counts of tests are in it, too.

#pragma once

#include "bvworld/deform_contact.h"

#include "tests/convex_digest.h"

enum
{
	digest_deform_steps = 6,
	digest_deform_most = 2000, // contacts of a query
};

typedef struct deform_digest
{
	digest d;
	uint32_t left;
} deform_digest;

static bool digest_deform_contact( void* context, const bvw_deform_contact* c )
{
	deform_digest* to = context;
	digest_bits( &to->d, (uint64_t)c->kind << 2 | (uint64_t)c->mesh[0] << 1 | c->mesh[1] );
	digest_bits( &to->d, (uint64_t)c->triangle[0] << 32 | c->triangle[1] );
	digest_bits( &to->d, (uint64_t)c->vertex[0] << 32 | c->vertex[1] );
	digest_bits( &to->d, (uint64_t)c->vertex[2] << 32 | c->vertex[3] );
	digest_numbers( &to->d, ( const double[] ){ c->time.lower, c->time.upper }, 2 );
	to->left -= 1;
	return to->left > 0;
}

static bool digest_self_pair( void* context, const bvw_self_pair* p )
{
	deform_digest* to = context;
	digest_bits( &to->d, (uint64_t)p->triangle[0] << 32 | p->triangle[1] );
	digest_numbers( &to->d, ( const double[] ){ p->distance.lower, p->distance.upper }, 2 );
	digest_vector( &to->d, p->point[0] );
	digest_vector( &to->d, p->point[1] );
	to->left -= 1;
	return to->left > 0;
}

static void digest_sweep_counts( digest* d, const bvw_deform_sweep_result* r )
{
	digest_bits( d, r->contacts );
	digest_bits( d, r->volume_tests );
	digest_bits( d, r->feature_tests );
	digest_bits( d, r->exact_tests );
	digest_numbers( d, ( const double[] ){ r->lower, r->upper }, 2 );
}

static bv_vec3 digest_bent( uint64_t* seed, bv_vec3 p, double amount )
{
	double x = amount * random_coordinate( seed );
	double y = amount * random_coordinate( seed );
	return bv_add( p, ( bv_vec3 ){ x, y, amount * random_coordinate( seed ) } );
}

static void digest_deform_step( bvw_deform* deform, const bvw_owners* owners, const bv_file* file,
                                double size, int step, deform_digest* to )
{
	bvw_deform_sweep_options options = {
		.callback = digest_deform_contact, .context = to, .first = step % 3 == 2, .tolerance = 1e-3
	};
	static uint64_t scratch[BVW_DEFORM_SCRATCH_AMPLE / 8];
	options.separation = step % 3 == 1 ? 0.001 * size : 0;
	options.scratch = step % 2 == 0 ? scratch : NULL;
	options.scratch_bytes = sizeof scratch;
	bvw_deform_sweep_result r = { .contacts = 0 };
	bvw_self_collide_options of_pairs = { .separation = options.separation,
		                                  .callback = digest_self_pair,
		                                  .context = to };
	bvw_self_collide_result pairs = { .pairs = 0 };
	bv_transform start = bv_transform_translation( 0.3 * size, 0.01 * size, 0 );
	bv_transform end = bv_transform_translation( 0.25 * size, 0, 0.02 * size );
	bvw_deform_other other = { .file = file, .owners = owners, .start = &start, .end = &end };
	to->left = digest_deform_most;
	to->d.refused += bvw_deform_self_sweep( deform, owners, &options, &r ) != bv_ok;
	digest_sweep_counts( &to->d, &r );
	to->left = digest_deform_most;
	to->d.refused += bvw_deform_sweep( deform, owners, &other, &options, &r ) != bv_ok;
	digest_sweep_counts( &to->d, &r );
	to->left = digest_deform_most;
	to->d.refused += bvw_deform_self_collide( deform, &of_pairs, &pairs ) != bv_ok;
	digest_bits( &to->d, pairs.pairs );
	digest_bits( &to->d, pairs.volume_tests );
	digest_bits( &to->d, pairs.exact_tests );
}

static void print_deform_digest( const bv_file* file )
{
	const bvw_deform_options options = { .motion = true };
	bv_mesh_info mesh = bv_file_get_mesh( file );
	size_t bytes = bvw_deform_bytes( file, &options );
	size_t owner_bytes = bvw_owners_bytes( file );
	size_t scratch_bytes = bvw_owners_scratch_bytes( file );
	void* memory = malloc( bytes + 1 );
	void* owner_memory = malloc( owner_bytes + 1 );
	void* scratch = malloc( scratch_bytes + 1 );
	bv_vec3* from = calloc( 2 * (size_t)mesh.vertices + 1, sizeof *from );
	bv_vec3* to = from + mesh.vertices;
	bvw_deform* deform = NULL;
	bvw_owners* owners = NULL;
	bv_file_bounds bounds;
	deform_digest d = { .left = 0 };
	uint64_t seed = 1;
	bool begins =
		memory && owner_memory && scratch && from && bytes > 0 && bv_file_get_bounds( file, &bounds ) &&
		bvw_deform_begin( file, &options, memory, bytes, &deform ) == bv_ok &&
		bvw_owners_begin( file, scratch, scratch_bytes, owner_memory, owner_bytes, &owners ) == bv_ok;
	double size = begins ? bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) ) : 0;
	for ( int step = 0; begins && step < digest_deform_steps; ++step )
	{
		double amount = step % 2 == 0 ? 0.02 * size : 0.005 * size;
		for ( uint32_t i = 0; i < mesh.vertices; ++i )
		{
			from[i] = digest_bent( &seed, bv_file_get_vertex( file, i ), amount );
			to[i] = digest_bent( &seed, from[i], amount );
		}
		bvw_vertices start = { .positions = &from[0].x, .count = mesh.vertices };
		bvw_vertices end = { .positions = &to[0].x, .count = mesh.vertices };
		d.d.refused += bvw_deform_refit_motion( deform, &start, &end, NULL, NULL ) != bv_ok;
		digest_deform_step( deform, owners, file, size, step, &d );
	}
	if ( begins )
	{
		printf( "deform contacts: %016" PRIx64 ", %d refused\n", d.d.hash, d.d.refused );
	}
	free( memory );
	free( owner_memory );
	free( scratch );
	free( from );
}
