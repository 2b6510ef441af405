// Ten meshes to deform, as files with nodes of each type of volume.

#pragma once

#include "tests/unit/deform/deformed.h"
#include "tests/unit/queries.h"
#include "tests/unit/shapes.h"

enum
{
	bent_meshes = 10,
	bent_volumes = bv_volume_types + 1, // the last has all types
};

// Bits of the types of volumes that a file has.
static inline uint32_t bent_types( int volumes )
{
	return volumes < bv_volume_types ? 1u << volumes : ( 1u << bv_volume_types ) - 1;
}

static inline bvb_mesh bent_mesh( fixture* f, int index )
{
	bvb_mesh mesh;
	cubes c = { { { { false } } } };
	switch ( index )
	{
	case 0: return box_mesh( f, 1, 2, 3 );
	case 1: return icosahedron( f );
	case 2: return bumpy_ball( f, 11 );
	case 3: return random_soup( f, 90, ( bv_vec3 ){ 3, -2, 1 } );
	case 4: // flat
		return sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 2, 1, 0 }, ( bv_vec3 ){ -1, 1, 1 }, 7 );
	case 5: // double-sided
		mesh = random_soup( f, 40, ( bv_vec3 ){ 0, 0, 0 } );
		return with_twins( f, &mesh );
	case 6: // far from 0: with an offset
		mesh = bumpy_ball( f, 6 );
		return moved( f, &mesh, ( bv_vec3 ){ 1e6, -3e5, 0.25 } );
	case 7: // closed
		fill_cubes( &c, ( const int[] ){ 0, 0, 0 }, ( const int[] ){ 3, 2, 2 }, true );
		fill_cubes( &c, ( const int[] ){ 0, 0, 0 }, ( const int[] ){ 1, 1, 1 }, false );
		return surface_of_cubes( f, &c );
	case 8: // long and thin, tilted
		mesh = bumpy_ball( f, 5 );
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			bv_vec3* p = mesh.positions + i;
			*p = ( bv_vec3 ){ 20 * p->x - p->y, 20 * p->x + p->y, 20 * p->x + 0.3 * p->z };
		}
		return mesh;
	default: // sizes over five decades
		mesh = random_soup( f, 60, ( bv_vec3 ){ 0, 0, 0 } );
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			double s = pow( 10, -5.0 * ( i / 3 ) / 60 );
			bv_vec3* p = mesh.positions + i;
			*p = ( bv_vec3 ){ s * p->x, s * p->y, s * p->z };
		}
		return mesh;
	}
}

// Of one type of volume or of all; sizes of leaves, numbers of children and the form of positions go with both numbers.
static inline const bv_file* bent_file( fixture* f, int mesh, int volumes )
{
	int round = 3 * mesh + volumes;
	bvb_asset_options options = plain_options();
	options.record.positions = round % 4 == 3 ? bvb_positions_quantized : bvb_positions_float;
	options.hierarchy.leaf_triangles = 1 + (uint32_t)round % 4;
	options.hierarchy.volume_types = bent_types( volumes );
	options.hierarchy.collapse = round % 3 == 1 ? 8 : 0;
	options.hierarchy.degree = round % 3 == 2 ? BVB_MAX_DEGREE : 2;
	bvb_mesh source = bent_mesh( f, mesh );
	return build_file( f, &source, &options );
}
