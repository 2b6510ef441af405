// Digests of the bytes of deformed files, which must be the same from each compiler and on each machine: refits of all vertices, of those
// that are listed, and for a step, with frames that stay and that turn, and rebuilds. Positions are small, usual and large, since these are computed in
// different ways.

#pragma once

#include "bvworld/deform.h"

#include "tests/convex_digest.h"

enum
{
	digest_refits = 24,
};

static void digest_image( digest* d, const bvw_deform* deform )
{
	const unsigned char* image = (const unsigned char*)bvw_deform_file( deform );
	uint64_t bytes;
	memcpy( &bytes, image + 24, sizeof bytes );
	for ( uint64_t i = 0; i < bytes; ++i )
	{
		d->hash = ( d->hash ^ image[i] ) * UINT64_C( 0x100000001b3 );
	}
}

// Each vertex by up to a size, all together by another, and everything by a scale.
static void digest_move_vertices( uint64_t* seed, const bv_file* file, uint32_t count, int step,
                                  double* positions )
{
	static const double scales[] = { 1, 0x1p-130, 1, 0x1p105, 1, 0x1p-60 };
	bv_vec3 offset = bv_file_get_offset( file );
	double size = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = bv_sub( bv_file_get_vertex( file, i ), offset );
		double length = bv_length( p );
		size = length > size ? length : size;
	}
	double scale = scales[step % 6];
	bv_vec3 by = { 0, 0, 0 };
	by.x = random_coordinate( seed );
	by.y = random_coordinate( seed );
	by.z = random_coordinate( seed );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = bv_sub( bv_file_get_vertex( file, i ), offset );
		double most = step % 4 == 0 ? 0.01 : 0.3;
		bv_vec3 noise = { 0, 0, 0 };
		noise.x = random_coordinate( seed );
		noise.y = random_coordinate( seed );
		noise.z = random_coordinate( seed );
		p = bv_add( p, bv_scale( size * most, noise ) );
		p = bv_add( p, bv_scale( size, by ) );
		p = bv_add( bv_scale( scale, p ), offset );
		memcpy( positions + 3 * i, &p, sizeof p );
	}
}

static void print_refit_digest( const bv_file* file, const bvw_deform_options* options, const char* name )
{
	uint32_t count = bv_file_get_mesh( file ).vertices;
	size_t bytes = bvw_deform_bytes( file, options );
	void* memory = malloc( bytes );
	double* from = malloc( 3 * sizeof *from * count );
	double* to = malloc( 3 * sizeof *to * count );
	bvw_deform* deform = NULL;
	digest d = { .hash = 0 };
	uint64_t seed = 1;
	if ( !memory || !from || !to || bvw_deform_begin( file, options, memory, bytes, &deform ) != bv_ok )
	{
		printf( "deform %s: cannot begin\n", name );
	}
	for ( int i = 0; i < digest_refits && deform; ++i )
	{
		bvw_vertices v = { .positions = to, .count = count };
		digest_move_vertices( &seed, file, count, i, to );
		d.refused += bvw_deform_refit( deform, &v, NULL, 0, NULL ) != bv_ok;
		digest_image( &d, deform );
		if ( options->rebuild_triangles > 0 )
		{
			d.refused +=
				bvw_deform_rebuild( deform, i % 2 ? options->rebuild_triangles / 3 : 0, NULL ) != bv_ok;
			digest_image( &d, deform );
		}
		for ( uint32_t k = 0; k < 3 * count; ++k )
		{
			from[k] = to[k];
			to[k] += k % 7 == 0 ? 0.01 * to[k] : 0;
		}
		uint32_t list[] = { 0, 7 % count, 7 % count, 14 % count };
		d.refused += bvw_deform_refit( deform, &v, list, 4, NULL ) != bv_ok;
		digest_image( &d, deform );
		if ( options->motion )
		{
			bvw_vertices first = { .positions = from, .count = count };
			d.refused += bvw_deform_refit_motion( deform, &first, &v, NULL, NULL ) != bv_ok;
			digest_image( &d, deform );
		}
	}
	printf( "deform %s: %016" PRIx64 ", %d refused\n", name, d.hash, d.refused );
	free( memory );
	free( from );
	free( to );
}

static void print_refit_digests( const bv_file* file )
{
	print_refit_digest( file, &( bvw_deform_options ){ .frames = bvw_deform_keep }, "keep" );
	print_refit_digest( file, &( bvw_deform_options ){ .frames = bvw_deform_turn, .motion = true }, "turn" );
	bvw_deform_options options = { .rebuild_triangles = bv_file_get_mesh( file ).triangles };
	print_refit_digest( file, &options, "keep, rebuild" );
	options.frames = bvw_deform_turn;
	options.motion = true;
	print_refit_digest( file, &options, "turn, rebuild" );
}
