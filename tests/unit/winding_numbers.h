// The winding number by definition, and meshes and points to compare it at.

#pragma once

#include "support.h"

static const double pi = 3.14159265358979323846;

// The sum of the triangles' solid angles (van Oosterom and Strackee 1983, equation 8) over 4 pi.
static inline double brute_force( const bvb_mesh* mesh, bv_vec3 p )
{
	long double sum = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		long double r[3][3];
		long double length[3];
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 q = mesh->positions[mesh->triangles[i].corner[k]];
			r[k][0] = (long double)q.x - p.x;
			r[k][1] = (long double)q.y - p.y;
			r[k][2] = (long double)q.z - p.z;
			length[k] = sqrtl( r[k][0] * r[k][0] + r[k][1] * r[k][1] + r[k][2] * r[k][2] );
		}
		long double volume = 0;
		long double dots[3] = { 0 };
		for ( int k = 0; k < 3; ++k )
		{
			int l = ( k + 1 ) % 3;
			int m = ( k + 2 ) % 3;
			volume += r[0][k] * ( r[1][l] * r[2][m] - r[1][m] * r[2][l] );
			for ( int j = 0; j < 3; ++j )
			{
				dots[j] += r[( j + 1 ) % 3][k] * r[( j + 2 ) % 3][k];
			}
		}
		sum += 2 * atan2l( volume, length[0] * length[1] * length[2] + dots[0] * length[0] +
		                               dots[1] * length[1] + dots[2] * length[2] );
	}
	return (double)( sum / ( 4 * acosl( -1 ) ) );
}

static inline bvb_winding* create( fixture* f, const bvb_mesh* mesh )
{
	bvb_winding* winding;
	bvb_error error = { "" };
	if ( bvb_winding_create( mesh, f->arena, &winding, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return winding;
}

static inline void assert_winding( const bvb_winding* winding, bv_vec3 p, double expected, double tolerance )
{
	double value = bvb_winding_number( winding, p );
	if ( !( fabs( value - expected ) <= tolerance ) )
	{
		fail_msg( "%.17g at ( %.17g, %.17g, %.17g ) is not %.17g", value, p.x, p.y, p.z, expected );
	}
}

// In the cube from -range to range.
static inline bv_vec3 random_point_within( fixture* f, double range )
{
	bv_vec3 p = random_point( f );
	return ( bv_vec3 ){ range * ( 2 * p.x - 1 ), range * ( 2 * p.y - 1 ), range * ( 2 * p.z - 1 ) };
}

static inline bv_vec3 scaled( double s, bv_vec3 p )
{
	return ( bv_vec3 ){ s * p.x, s * p.y, s * p.z };
}

static inline double length_of( bv_vec3 p )
{
	return sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
}

// Half of a ball of rings of `sides` corners, open below, about the z axis.
static inline bvb_mesh make_dome( fixture* f, uint32_t sides, uint32_t rings )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, (size_t)sides * rings + 1, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, 2 * (size_t)sides * rings, sizeof *mesh.triangles ),
		.vertex_count = sides * rings + 1,
	};
	uint32_t top = sides * rings;
	mesh.positions[top] = ( bv_vec3 ){ 0, 0, 1 };
	for ( uint32_t i = 0; i < top; ++i )
	{
		double height = pi / 2 * ( i / sides ) / rings;
		double around = 2 * pi * ( i % sides ) / sides;
		mesh.positions[i] =
			( bv_vec3 ){ cos( height ) * cos( around ), cos( height ) * sin( around ), sin( height ) };
		uint32_t next = i % sides + 1 < sides ? i + 1 : i + 1 - sides;
		bool last = i + sides >= top;
		mesh.triangles[mesh.triangle_count++] = ( bvb_triangle ){ { i, next, last ? top : i + sides } };
		if ( !last )
		{
			mesh.triangles[mesh.triangle_count++] = ( bvb_triangle ){ { next, next + sides, i + sides } };
		}
	}
	return mesh;
}

static inline double volume_of( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 d )
{
	bv_vec3 u = { b.x - a.x, b.y - a.y, b.z - a.z };
	bv_vec3 v = { c.x - a.x, c.y - a.y, c.z - a.z };
	bv_vec3 w = { d.x - a.x, d.y - a.y, d.z - a.z };
	return u.x * ( v.y * w.z - v.z * w.y ) + u.y * ( v.z * w.x - v.x * w.z ) +
	       u.z * ( v.x * w.y - v.y * w.x );
}

static inline bool passes_a_triangle( const bvb_mesh* mesh, bv_vec3 from, bv_vec3 to )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bv_vec3 c[3];
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = mesh->positions[mesh->triangles[i].corner[k]];
		}
		bool beside =
			( volume_of( c[0], c[1], c[2], from ) > 0 ) == ( volume_of( c[0], c[1], c[2], to ) > 0 );
		bool first = volume_of( from, to, c[0], c[1] ) > 0;
		if ( !beside && ( volume_of( from, to, c[1], c[2] ) > 0 ) == first &&
		     ( volume_of( from, to, c[2], c[0] ) > 0 ) == first )
		{
			return true;
		}
	}
	return false;
}
