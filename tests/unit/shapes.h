// Meshes whose distances are known in closed form: solids of unit cubes, sheets, an icosahedron.

#pragma once

#include "support.h"

enum
{
	solid_side = 8, // cubes along each axis at most
};

// A set of cells of a grid.
typedef struct cubes
{
	bool filled[solid_side][solid_side][solid_side];
} cubes;

static inline void fill_cubes( cubes* c, const int lower[3], const int upper[3], bool filled )
{
	for ( int x = lower[0]; x < upper[0]; ++x )
	{
		for ( int y = lower[1]; y < upper[1]; ++y )
		{
			for ( int z = lower[2]; z < upper[2]; ++z )
			{
				c->filled[x][y][z] = filled;
			}
		}
	}
}

static inline bool cube_at( const cubes* c, const int at[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( at[k] < 0 || at[k] >= solid_side )
		{
			return false;
		}
	}
	return c->filled[at[0]][at[1]][at[2]];
}

static inline void set_triangle( bvb_mesh* mesh, uint32_t index, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	mesh->positions[3 * index] = a;
	mesh->positions[3 * index + 1] = b;
	mesh->positions[3 * index + 2] = c;
}

// The closed surface of all cells that are filled, facing outwards, every triangle with corners of its own.
static inline bvb_mesh surface_of_cubes( fixture* f, const cubes* c )
{
	bvb_mesh mesh = soup_create( f, 12 * solid_side * solid_side * solid_side );
	uint32_t count = 0;
	for ( int i = 0; i < 6 * solid_side * solid_side * solid_side; ++i )
	{
		int axis = i % 3;
		int side = i / 3 % 2;
		int cell = i / 6;
		int at[3] = { cell % solid_side, cell / solid_side % solid_side, cell / solid_side / solid_side };
		int beside[3] = { at[0], at[1], at[2] };
		beside[axis] += side ? 1 : -1;
		if ( !cube_at( c, at ) || cube_at( c, beside ) )
		{
			continue;
		}
		bv_vec3 corner[4];
		for ( int k = 0; k < 4; ++k )
		{
			int p[3] = { at[0], at[1], at[2] };
			p[axis] += side;
			p[( axis + 1 ) % 3] += ( k == 1 || k == 2 ) == side;
			p[( axis + 2 ) % 3] += k >= 2;
			corner[k] = ( bv_vec3 ){ p[0], p[1], p[2] };
		}
		set_triangle( &mesh, count++, corner[0], corner[1], corner[2] );
		set_triangle( &mesh, count++, corner[0], corner[2], corner[3] );
	}
	mesh.triangle_count = count;
	mesh.vertex_count = 3 * count;
	return mesh;
}

// A rectangle from `origin` along two sides, as steps x steps pairs of triangles.
static inline bvb_mesh sheet( fixture* f, bv_vec3 origin, bv_vec3 u, bv_vec3 v, uint32_t steps )
{
	bvb_mesh mesh = soup_create( f, 2 * steps * steps );
	for ( uint32_t i = 0; i < steps * steps; ++i )
	{
		bv_vec3 corner[4];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			double s = ( i % steps + ( k == 1 || k == 2 ) ) / (double)steps;
			double t = ( i / steps + ( k >= 2 ) ) / (double)steps;
			corner[k] = ( bv_vec3 ){ origin.x + s * u.x + t * v.x, origin.y + s * u.y + t * v.y,
				                     origin.z + s * u.z + t * v.z };
		}
		set_triangle( &mesh, 2 * i, corner[0], corner[1], corner[2] );
		set_triangle( &mesh, 2 * i + 1, corner[0], corner[2], corner[3] );
	}
	return mesh;
}

static inline bvb_mesh joined( fixture* f, const bvb_mesh* a, const bvb_mesh* b )
{
	bvb_mesh mesh = soup_create( f, a->triangle_count + b->triangle_count );
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		const bvb_mesh* from = i < a->triangle_count ? a : b;
		uint32_t index = i < a->triangle_count ? i : i - a->triangle_count;
		for ( int k = 0; k < 3; ++k )
		{
			mesh.positions[3 * i + k] = from->positions[from->triangles[index].corner[k]];
		}
	}
	return mesh;
}

static inline bvb_mesh moved( fixture* f, const bvb_mesh* mesh, bv_vec3 by )
{
	bvb_mesh result = joined( f, mesh, &( bvb_mesh ){ .triangle_count = 0 } );
	for ( uint32_t i = 0; i < result.vertex_count; ++i )
	{
		bv_vec3* p = &result.positions[i];
		*p = ( bv_vec3 ){ p->x + by.x, p->y + by.y, p->z + by.z };
	}
	return result;
}

// Corners on the unit sphere. Its inscribed sphere has the radius icosahedron_inradius.
static inline bvb_mesh icosahedron( fixture* f )
{
	const double golden = ( 1 + sqrt( 5 ) ) / 2;
	const double a = 1 / sqrt( 1 + golden * golden );
	const double b = golden * a;
	const bv_vec3 positions[12] = { { -a, b, 0 }, { a, b, 0 }, { -a, -b, 0 }, { a, -b, 0 },
		                            { 0, -a, b }, { 0, a, b }, { 0, -a, -b }, { 0, a, -b },
		                            { b, 0, -a }, { b, 0, a }, { -b, 0, -a }, { -b, 0, a } };
	static const uint32_t triangles[20][3] = { { 0, 11, 5 },  { 0, 5, 1 },  { 0, 1, 7 },  { 0, 7, 10 },
		                                       { 0, 10, 11 }, { 1, 5, 9 },  { 5, 11, 4 }, { 11, 10, 2 },
		                                       { 10, 7, 6 },  { 7, 1, 8 },  { 3, 9, 4 },  { 3, 4, 2 },
		                                       { 3, 2, 6 },   { 3, 6, 8 },  { 3, 8, 9 },  { 4, 9, 5 },
		                                       { 2, 4, 11 },  { 6, 2, 10 }, { 8, 6, 7 },  { 9, 8, 1 } };
	return mesh_of( f, positions, 12, triangles, 20 );
}

// Of the icosahedron with corners on the unit sphere: sqrt( ( 5 + 2 sqrt 5 ) / 15 ).
static const double icosahedron_inradius = 0.79465447229176612296;
