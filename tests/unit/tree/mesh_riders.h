// Meshes with contacts, and what tests ask of them.

#pragma once

#include "../shapes.h"
#include "flat_meshes.h"

#include <stdio.h>

enum
{
	capacity = 64,
	scratch_bytes = 64 << 20,
};

typedef struct contacts
{
	bv_mesh_manifold manifold[capacity];
	bv_mesh_contacts_mesh_result result;
} contacts;

static inline void find( const flat_surface* s, const bv_transform* at, const bv_file* body,
                         const bv_mesh_contacts_mesh_options* options, contacts* out )
{
	static double* scratch;
	scratch = scratch ? scratch : malloc( scratch_bytes );
	const bv_placed_mesh meshes[2] = { { s->file[0], at }, { s->file[1], at } };
	const bv_mesh_contacts_room room = { out->manifold, capacity, scratch, scratch_bytes };
	assert_int_equal( bv_meshes_contacts_mesh( meshes, s->files, body, options, &room, &out->result ),
	                  bv_ok );
}

typedef enum rider
{
	rider_box = 0,
	rider_ball,
	rider_ell,
	rider_bumpy,
	riders,
} rider;

static const char* const rider_names[riders] = { "box", "icosahedron", "L", "bumpy ball" };

static inline bvb_mesh make_rider( fixture* f, rider kind )
{
	cubes c = { 0 };
	switch ( kind )
	{
	case rider_box: return box_mesh( f, 0.5, 0.4, 0.3 );
	case rider_ball: return icosahedron( f );
	case rider_ell:
		fill_cubes( &c, ( int[3] ){ 0, 0, 0 }, ( int[3] ){ 3, 1, 1 }, true );
		fill_cubes( &c, ( int[3] ){ 0, 0, 1 }, ( int[3] ){ 1, 1, 3 }, true );
		return surface_of_cubes( f, &c );
	default: return bumpy_ball( f, 9 );
	}
}

static inline const bv_file* plain_file( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset_options options = plain_options();
	return build_file( f, mesh, &options );
}

static inline double least_of( const contacts* c, bv_vec3* normal )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < c->result.count; ++i )
	{
		for ( uint32_t k = 0; k < c->manifold[i].count; ++k )
		{
			const bv_mesh_contact* p = c->manifold[i].contact + k;
			if ( p->at.separation < least )
			{
				least = p->at.separation;
				*normal = p->normal;
			}
		}
	}
	return least;
}

static inline uint32_t count_all( const contacts* c )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < c->result.count; ++i )
	{
		count += c->manifold[i].count;
	}
	return count;
}
