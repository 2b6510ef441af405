// Bodies round a box as meshes: the sum of a box and of a polyhedron around the ball (Minkowski 1903). See
// tessellate.h.
//
// The faces of an octahedron are cut into equal triangles, whose corners are moved onto a sphere that is so
// large that none of the triangles reaches into the ball. Each eighth of that polyhedron moves to the box's
// corner that it belongs to; between them are bands along the box's edges, and its sides.

#include "offline/fit/tessellate.h"

#include "runtime/math/vec.h"

#include <math.h>

// Vertices of an eighth are numbered by how far they are from the first corner, and then from the second.
static uint32_t in_eighth( uint32_t row, uint32_t along )
{
	return row * ( row + 1 ) / 2 + along;
}

// The corner of the grid with parts i, j and k of the three axes, i + j + k = sides.
static bv_vec3 on_sphere( double i, double j, double k )
{
	double length = sqrt( ( i * i + j * j ) + k * k );
	return ( bv_vec3 ){ i / length, j / length, k / length };
}

// The distance of the plane through three points from the origin.
static double distance_of( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
	return fabs( bv_dot( normal, a ) ) / sqrt( bv_dot( normal, normal ) );
}

// How far out vertices must be so that no triangle reaches into the unit ball.
static double find_outer_radius( uint32_t sides )
{
	double nearest = 1;
	for ( uint32_t i = 0; i < sides; ++i )
	{
		for ( uint32_t j = 0; i + j < sides; ++j )
		{
			uint32_t k = sides - 1 - i - j;
			bv_vec3 a = on_sphere( i + 1, j, k );
			bv_vec3 b = on_sphere( i, j + 1, k );
			nearest = bvmath_min( nearest, distance_of( a, b, on_sphere( i, j, k + 1 ) ) );
			if ( k > 0 )
			{
				nearest = bvmath_min( nearest, distance_of( a, b, on_sphere( i + 1, j + 1, k - 1 ) ) );
			}
		}
	}
	return 1 / nearest;
}

// What is being made.
typedef struct tessellate_round_maker
{
	const bvfit_round_box* body;
	uint32_t sides;
	uint32_t per_eighth; // vertices
	uint32_t* number;    // of each vertex of each eighth, its number in the mesh
	bvb_mesh* mesh;
} tessellate_round_maker;

// Bit a of an eighth's number says that it is on the negative side of axis a.
static uint32_t vertex_of( const tessellate_round_maker* m, uint32_t eighth, const uint32_t part[3] )
{
	return m->number[eighth * m->per_eighth + in_eighth( m->sides - part[0], part[2] )];
}

static void add_triangle( const tessellate_round_maker* m, bool turned, uint32_t a, uint32_t b, uint32_t c )
{
	m->mesh->triangles[m->mesh->triangle_count++] = ( bvb_triangle ){ { a, turned ? c : b, turned ? b : c } };
}

static void add_quadrangle( const tessellate_round_maker* m, bool turned, uint32_t a, uint32_t b, uint32_t c,
                            uint32_t d )
{
	add_triangle( m, turned, a, b, c );
	add_triangle( m, turned, a, c, d );
}

static bool is_odd( uint32_t eighth )
{
	return ( eighth ^ eighth >> 1 ^ eighth >> 2 ) & 1;
}

static void place_vertex( const tessellate_round_maker* m, uint32_t eighth, const uint32_t part[3],
                          double radius )
{
	const bvfit_round_box* body = m->body;
	bv_vec3 at = on_sphere( part[0], part[1], part[2] );
	bv_vec3 x = { 0, 0, 0 };
	for ( int a = 0; a < 3; ++a )
	{
		double along = radius * bvmath_component( at, a ) + body->half_extents[a];
		x = bv_add( x, bv_scale( eighth >> a & 1 ? -along : along, body->axis[a] ) );
	}
	m->mesh->positions[m->mesh->vertex_count++] = bv_add( body->center, x );
}

// On the plane between two eighths they share their vertices, unless the box has a length there.
static void place_vertices( const tessellate_round_maker* m, double radius )
{
	for ( uint32_t eighth = 0; eighth < 8; ++eighth )
	{
		for ( uint32_t row = 0; row <= m->sides; ++row )
		{
			for ( uint32_t along = 0; along <= row; ++along )
			{
				const uint32_t part[3] = { m->sides - row, row - along, along };
				uint32_t owner = eighth;
				for ( int a = 0; a < 3; ++a )
				{
					owner &= part[a] == 0 && m->body->half_extents[a] == 0 ? ~( 1u << a ) : ~0u;
				}
				uint32_t* number = m->number + eighth * m->per_eighth + in_eighth( row, along );
				*number = owner == eighth ? m->mesh->vertex_count : vertex_of( m, owner, part );
				if ( owner == eighth )
				{
					place_vertex( m, eighth, part, radius );
				}
			}
		}
	}
}

static void add_eighth( const tessellate_round_maker* m, uint32_t eighth )
{
	bool turned = is_odd( eighth );
	for ( uint32_t row = 0; row < m->sides; ++row )
	{
		const uint32_t* here = m->number + eighth * m->per_eighth + in_eighth( row, 0 );
		const uint32_t* below = m->number + eighth * m->per_eighth + in_eighth( row + 1, 0 );
		for ( uint32_t along = 0; along <= row; ++along )
		{
			add_triangle( m, turned, here[along], below[along], below[along + 1] );
			if ( along < row )
			{
				add_triangle( m, turned, here[along], below[along + 1], here[along + 1] );
			}
		}
	}
}

// Between the two sides of an axis, in one of the quarters of the circle around it.
static void add_band( const tessellate_round_maker* m, uint32_t axis, uint32_t eighth )
{
	uint32_t b = ( axis + 1 ) % 3;
	uint32_t c = ( axis + 2 ) % 3;
	for ( uint32_t i = 0; i < m->sides; ++i )
	{
		uint32_t p[3] = { 0 };
		uint32_t q[3] = { 0 };
		p[b] = i + 1;
		p[c] = m->sides - 1 - i;
		q[b] = i;
		q[c] = m->sides - i;
		uint32_t other = eighth | 1u << axis;
		add_quadrangle( m, is_odd( eighth ), vertex_of( m, eighth, q ), vertex_of( m, eighth, p ),
		                vertex_of( m, other, p ), vertex_of( m, other, q ) );
	}
}

// The side of the box at right angles to an axis.
static void add_side( const tessellate_round_maker* m, uint32_t axis, bool negative )
{
	uint32_t a = 1u << ( axis + 1 ) % 3;
	uint32_t b = 1u << ( axis + 2 ) % 3;
	uint32_t at = negative ? 1u << axis : 0;
	uint32_t pole[3] = { 0 };
	pole[axis] = m->sides;
	add_quadrangle( m, negative, vertex_of( m, at, pole ), vertex_of( m, at | a, pole ),
	                vertex_of( m, at | a | b, pole ), vertex_of( m, at | b, pole ) );
}

// How many vertices and triangles there are at most: all of each eighth, with bands and sides along all axes.
static bool make_room( tessellate_round_maker* m, bvb_arena* arena, bvb_tessellation* out )
{
	uint32_t n = m->sides;
	m->per_eighth = ( n + 1 ) * ( n + 2 ) / 2;
	m->number = bvb_arena_allocate( arena, 8 * (size_t)m->per_eighth, sizeof *m->number );
	if ( !m->number || !bvfit_tessellation_begin( out, 8 * m->per_eighth, 8 * n * n + 24 * n + 12, arena ) )
	{
		return false;
	}
	m->mesh = &out->mesh;
	m->mesh->vertex_count = 0;
	m->mesh->triangle_count = 0;
	return true;
}

bool bvfit_tessellate_round_box( const bvfit_round_box* body, uint32_t sides, bvb_arena* arena,
                                 bvb_tessellation* out )
{
	tessellate_round_maker m = { .body = body, .sides = sides };
	if ( !make_room( &m, arena, out ) )
	{
		return false;
	}
	const double* half = body->half_extents;

	// More than all roundings, those of the frame included.
	double rounding =
		0x1p-46 * ( bvmath_norm1( body->center ) + ( half[0] + half[1] + half[2] ) + body->radius );
	double outer = find_outer_radius( sides ) * ( body->radius + rounding );
	place_vertices( &m, outer );
	for ( uint32_t eighth = 0; eighth < 8; ++eighth )
	{
		add_eighth( &m, eighth );
	}
	for ( uint32_t axis = 0; axis < 3; ++axis )
	{
		for ( uint32_t eighth = 0; eighth < 8 && half[axis] > 0; ++eighth )
		{
			if ( !( eighth >> axis & 1 ) )
			{
				add_band( &m, axis, eighth );
			}
		}
		if ( half[( axis + 1 ) % 3] > 0 && half[( axis + 2 ) % 3] > 0 )
		{
			add_side( &m, axis, false );
			add_side( &m, axis, true );
		}
	}
	out->standoff = ( outer - body->radius ) + rounding;
	return true;
}
