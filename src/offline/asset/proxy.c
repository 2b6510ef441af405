// Collision proxies as the shapes that their names say. See proxy.h.
//
// Modeling programs give boxes, spheres and capsules as triangles. What was modeled is found again: the box
// has a side on one of the hull's faces and an edge along one of that face's; the ball is the least one
// around the vertices; the capsule lies along the longest axis. Balls and capsules become an octahedron's
// sides, cut in four three times, around them.
//
// Positions are rounded to binary32 later, relative to the offset of the file. So that the triangles of balls
// and capsules still enclose them, these are made larger by as much as rounding can move a vertex: then it
// moves no point of a triangle farther, and none into the ball.

#include "offline/asset/proxy.h"

#include "bvbuild/fit.h"
#include "bvbuild/hull.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	box_face_limit = 512, // a modeled box has 12; beyond that principal axes must do

	sides = 8,                                     // cuts of an octahedron's edge
	half_vertices = 1 + 2 * sides * ( sides + 1 ), // of a half ball: the pole and rings of 4, 8, ...
	half_faces = 4 * sides * sides,
	equator = 4 * sides,
};

// Around one of the points and with extents near 1, no product of coordinates leaves the range, and what is
// rounded is rounded relative to the proxy's size: x = 2^coarse * ( origin + 2^fine * d ).
typedef struct proxy_place
{
	bv_vec3 origin; // coordinates up to 1
	int coarse;
	int fine;
	double farthest; // from the offset of the file, in the unit of the origin; can be infinite
} proxy_place;

static double largest_component( bv_vec3 v )
{
	return fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) );
}

static bv_vec3 shift_exponent( bv_vec3 v, int exponent )
{
	return ( bv_vec3 ){ ldexp( v.x, exponent ), ldexp( v.y, exponent ), ldexp( v.z, exponent ) };
}

// Brings the largest coordinate below 1. @return what all exponents are greater by outside
static int normalize( bv_vec3* points, uint32_t count )
{
	double largest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		largest = fmax( largest, largest_component( points[i] ) );
	}
	int exponent;
	frexp( largest, &exponent );
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = shift_exponent( points[i], -exponent );
	}
	return exponent;
}

// Up to 8 sides of the mesh from 0 the offset is 0, and otherwise it is nearer: see offline/mesh/offset.c.
// With balls and capsules around its objects, a mesh is less than 5 times as large.
static proxy_place localize( bv_vec3* points, uint32_t count, double side )
{
	const double sides_away = 64;
	proxy_place p = { .coarse = normalize( points, count ) };
	p.farthest = ldexp( sides_away * side, -p.coarse );
	p.origin = points[0];
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = bv_sub( points[i], p.origin );
	}
	p.fine = normalize( points, count );
	return p;
}

// @return whether all positions are numbers that binary64 has
static bool put_back( const proxy_place* p, bvb_mesh* mesh )
{
	bool finite = true;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 x = bv_add( p->origin, shift_exponent( mesh->positions[i], p->fine ) );
		x = shift_exponent( x, p->coarse );
		finite = finite && isfinite( x.x ) && isfinite( x.y ) && isfinite( x.z );
		mesh->positions[i] = x;
	}
	return finite;
}

// How far a vertex moves at most when it is put back, multiplied by `scale` and rounded to binary32.
// Differences from the offset are rounded by 2^-24 of themselves, or by half of the least step, 2^-150; the
// distance is sqrt(3) times that. Before, coordinates are rounded by up to 2^-51 of themselves.
static double rounding_of( const proxy_place* p, double scale, double reach )
{
	const double root = 1.74;
	int exponent;
	double mantissa = frexp( scale, &exponent );
	double largest = largest_component( p->origin ) + ldexp( reach, p->fine );
	double rounding = ldexp( root * fmin( largest, p->farthest ), -24 ) + ldexp( root * largest, -51 ) +
	                  ldexp( root / mantissa, -150 - exponent - p->coarse ) +
	                  ldexp( root, -1074 - p->coarse );
	return ldexp( rounding, -p->fine );
}

static bool allocate( bvb_mesh* mesh, uint32_t vertices, uint32_t triangles, bvb_arena* arena )
{
	*mesh = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, vertices, sizeof *mesh->positions ),
		.triangles = bvb_arena_allocate( arena, triangles, sizeof *mesh->triangles ),
		.vertex_count = vertices,
		.triangle_count = triangles,
	};
	return mesh->positions && mesh->triangles;
}

// Both sides of a flat hull.
static void fill_polygon( const bvb_hull* hull, bvb_triangle* out )
{
	for ( uint32_t i = 2; i < hull->vertex_count; ++i )
	{
		*out++ = ( bvb_triangle ){ { 0, i - 1, i } };
		*out++ = ( bvb_triangle ){ { 0, i, i - 1 } };
	}
}

static bool make_convex( const bv_vec3* points, const bvb_hull* hull, bvb_arena* arena, bvb_mesh* out )
{
	bool polygon = hull->kind == bv_hull_polygon;
	uint32_t triangles = polygon ? 2 * ( hull->vertex_count - 2 ) : hull->face_count;
	if ( !allocate( out, hull->vertex_count, triangles, arena ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		out->positions[i] = points[hull->vertices[i]];
	}
	if ( polygon )
	{
		fill_polygon( hull, out->triangles );
	}
	else if ( triangles > 0 )
	{
		memcpy( out->triangles, hull->faces, triangles * sizeof *hull->faces );
	}
	return true;
}

// A frame and the points' extent along each of its axes.
typedef struct proxy_frame
{
	bv_vec3 axis[3];
	double lower[3];
	double upper[3];
} proxy_frame;

static void measure( proxy_frame* f, const bv_vec3* points, const bvb_hull* hull )
{
	for ( int k = 0; k < 3; ++k )
	{
		f->lower[k] = INFINITY;
		f->upper[k] = -INFINITY;
		for ( uint32_t i = 0; i < hull->vertex_count; ++i )
		{
			double x = bv_dot( f->axis[k], points[hull->vertices[i]] );
			f->lower[k] = fmin( f->lower[k], x );
			f->upper[k] = fmax( f->upper[k], x );
		}
	}
}

// The volume, or for a flat box what tells it from others.
static double size_of( const proxy_frame* f )
{
	double size = 1;
	for ( int k = 0; k < 3; ++k )
	{
		size *= f->upper[k] - f->lower[k];
	}
	return size;
}

static bool unit( bv_vec3 v, bv_vec3* out )
{
	double largest = largest_component( v );
	if ( !( largest > 0 ) )
	{
		return false;
	}
	v = ( bv_vec3 ){ v.x / largest, v.y / largest, v.z / largest };
	*out = bv_scale( 1 / sqrt( bv_dot( v, v ) ), v );
	return true;
}

// One side on the triangle a b c, one edge along a b.
static bool flush_frame( bv_vec3 a, bv_vec3 b, bv_vec3 c, proxy_frame* out )
{
	bv_vec3 u;
	bv_vec3 v;
	if ( !unit( bv_sub( b, a ), &u ) || !unit( bv_sub( c, a ), &v ) ||
	     !unit( bv_cross( u, v ), &out->axis[2] ) )
	{
		return false;
	}
	out->axis[0] = u;
	out->axis[1] = bv_cross( out->axis[2], u );
	return true;
}

static bool principal_box( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bvb_arena* arena,
                           bv_obb* out )
{
	bvb_obb_options options = { .method = "pca-hull" };
	return bvb_fit_obb( points, count, hull, &options, arena, out ) == bv_ok;
}

static bool find_box( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bvb_arena* arena,
                      proxy_frame* out )
{
	bv_obb principal;
	proxy_frame best;
	if ( !principal_box( points, count, hull, arena, &principal ) )
	{
		return false;
	}
	memcpy( best.axis, principal.axis, sizeof best.axis );
	measure( &best, points, hull );
	for ( uint32_t i = 0; hull->face_count <= box_face_limit && i < hull->face_count; ++i )
	{
		const uint32_t* corner = hull->faces[i].corner;
		for ( int k = 0; k < 3; ++k )
		{
			proxy_frame f;
			if ( flush_frame( points[hull->vertices[corner[k]]],
			                  points[hull->vertices[corner[( k + 1 ) % 3]]],
			                  points[hull->vertices[corner[( k + 2 ) % 3]]], &f ) )
			{
				measure( &f, points, hull );
				best = size_of( &f ) < size_of( &best ) ? f : best;
			}
		}
	}
	*out = best;
	return true;
}

static bv_vec3 at( const proxy_frame* f, double x, double y, double z )
{
	return bv_add( bv_scale( x, f->axis[0] ),
	               bv_add( bv_scale( y, f->axis[1] ), bv_scale( z, f->axis[2] ) ) );
}

static bool make_box( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bvb_arena* arena,
                      bvb_mesh* out )
{
	static const bvb_triangle triangles[12] = {
		{ { 0, 2, 3 } }, { { 0, 3, 1 } }, { { 4, 5, 7 } }, { { 4, 7, 6 } }, { { 0, 1, 5 } }, { { 0, 5, 4 } },
		{ { 2, 6, 7 } }, { { 2, 7, 3 } }, { { 0, 4, 6 } }, { { 0, 6, 2 } }, { { 1, 3, 7 } }, { { 1, 7, 5 } },
	};
	proxy_frame f;
	if ( !allocate( out, 8, 12, arena ) || !find_box( points, count, hull, arena, &f ) )
	{
		return false;
	}
	for ( int i = 0; i < 8; ++i )
	{
		out->positions[i] = at( &f, i & 1 ? f.upper[0] : f.lower[0], i & 2 ? f.upper[1] : f.lower[1],
		                        i & 4 ? f.upper[2] : f.lower[2] );
	}
	memcpy( out->triangles, triangles, sizeof triangles );
	return true;
}

// The upper half of a unit ball: vertex 0 is the pole, then rings of 4, 8, ... vertices down to the equator.
// Each edge of the octahedron is cut into equal parts, and all is projected onto the ball.
static void fill_half( bv_vec3 vertex[half_vertices], bvb_triangle triangle[half_faces] )
{
	static const bv_vec3 corner[5] = { { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 }, { 1, 0, 0 } };
	bv_vec3* v = vertex;
	*v++ = ( bv_vec3 ){ 0, 0, 1 };
	for ( int ring = 1; ring <= sides; ++ring )
	{
		for ( int i = 0; i < 4 * ring; ++i )
		{
			double along = (double)( i % ring ) / sides;
			double out = (double)ring / sides - along;
			bv_vec3 x = bv_add( bv_scale( out, corner[i / ring] ), bv_scale( along, corner[i / ring + 1] ) );
			x.z = 1 - (double)ring / sides;
			*v++ = bv_scale( 1 / sqrt( bv_dot( x, x ) ), x );
		}
	}

	bvb_triangle* t = triangle;
	for ( uint32_t ring = 1; ring <= sides; ++ring )
	{
		uint32_t above = ring > 1 ? 1 + 2 * ( ring - 1 ) * ( ring - 2 ) : 0;
		uint32_t here = 1 + 2 * ring * ( ring - 1 );
		for ( uint32_t i = 0; i < 4 * ring; ++i )
		{
			uint32_t next = here + ( i + 1 ) % ( 4 * ring );
			uint32_t inner = above + ( ring > 1 ? ( i - i / ring ) % ( 4 * ( ring - 1 ) ) : 0 );
			*t++ = ( bvb_triangle ){ { here + i, next, inner } };
			if ( i % ring != ring - 1 )
			{
				uint32_t inner_next = above + ( i - i / ring + 1 ) % ( 4 * ( ring - 1 ) );
				*t++ = ( bvb_triangle ){ { inner, next, inner_next } };
			}
		}
	}
}

// How far the nearest point of the half ball's triangles is from its center.
static double inner_radius( const bv_vec3 vertex[half_vertices], const bvb_triangle triangle[half_faces] )
{
	double least = 1;
	for ( int i = 0; i < half_faces; ++i )
	{
		const uint32_t* c = triangle[i].corner;
		bv_vec3 normal;
		if ( unit( bv_cross( bv_sub( vertex[c[1]], vertex[c[0]] ), bv_sub( vertex[c[2]], vertex[c[0]] ) ),
		           &normal ) )
		{
			least = fmin( least, bv_dot( normal, vertex[c[0]] ) );
		}
	}
	for ( int i = 0; i < equator; ++i )
	{
		const bv_vec3* ring = vertex + half_vertices - equator;
		bv_vec3 middle = bv_scale( 0.5, bv_add( ring[i], ring[( i + 1 ) % equator] ) );
		least = fmin( least, sqrt( bv_dot( middle, middle ) ) );
	}
	return least;
}

// Two half balls of this radius at +-half_length along the frame's last axis, joined at their equators.
static bool make_round( const proxy_frame* f, bv_vec3 center, double radius, double half_length,
                        bvb_arena* arena, bvb_mesh* out )
{
	bv_vec3 vertex[half_vertices];
	bvb_triangle triangle[half_faces];
	bool capsule = half_length > 0;
	uint32_t lower_vertices = capsule ? half_vertices : half_vertices - equator;
	if ( !allocate( out, half_vertices + lower_vertices, 2 * half_faces + ( capsule ? 2 * equator : 0 ),
	                arena ) )
	{
		return false;
	}
	fill_half( vertex, triangle );
	double scale = radius / inner_radius( vertex, triangle );
	for ( uint32_t i = 0; i < half_vertices; ++i )
	{
		bv_vec3 x = bv_scale( scale, vertex[i] );
		out->positions[i] = bv_add( center, at( f, x.x, x.y, x.z + half_length ) );
		if ( i < lower_vertices )
		{
			out->positions[half_vertices + i] = bv_add( center, at( f, x.x, x.y, -x.z - half_length ) );
		}
	}

	// A ball's halves share the equator, which is the last ring.
	bvb_triangle* t = out->triangles;
	for ( int i = 0; i < half_faces; ++i )
	{
		uint32_t below[3];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t v = triangle[i].corner[k];
			below[k] = v < lower_vertices ? half_vertices + v : v;
		}
		*t++ = triangle[i];
		*t++ = ( bvb_triangle ){ { below[0], below[2], below[1] } };
	}
	uint32_t first = half_vertices - equator;
	for ( uint32_t i = 0; i < equator && capsule; ++i )
	{
		uint32_t a = first + i;
		uint32_t b = first + ( i + 1 ) % equator;
		*t++ = ( bvb_triangle ){ { a, half_vertices + a, half_vertices + b } };
		*t++ = ( bvb_triangle ){ { a, half_vertices + b, b } };
	}
	return true;
}

// What the vertices of balls and capsules are farther out by than the radius, rounded up.
static const double standoff = 1.02;

static bool make_sphere( const bv_vec3* points, uint32_t count, const proxy_place* at_place, double scale,
                         bvb_arena* arena, bvb_mesh* out )
{
	static const proxy_frame upright = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	bv_sphere ball;
	if ( bvb_fit_sphere( points, count, &ball ) != bv_ok )
	{
		return false;
	}
	double reach = largest_component( ball.center ) + standoff * ball.radius;
	double radius = ball.radius + rounding_of( at_place, scale, reach );
	return make_round( &upright, ball.center, radius, 0, arena, out );
}

static double distance_to_axis( const proxy_frame* f, bv_vec3 x )
{
	double u = bv_dot( x, f->axis[0] );
	double v = bv_dot( x, f->axis[1] );
	return sqrt( u * u + v * v );
}

// The axis runs through the center of the principal box along its longest side. The radius is that of the
// point farthest from it; the half balls then go as far out as points demand.
static bool make_capsule( const bv_vec3* points, uint32_t count, const bvb_hull* hull,
                          const proxy_place* at_place, double scale, bvb_arena* arena, bvb_mesh* out )
{
	bv_obb box;
	if ( !principal_box( points, count, hull, arena, &box ) )
	{
		return false;
	}
	const double* half = box.half_extents;
	int longest = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
	proxy_frame f = { .axis = { box.axis[( longest + 1 ) % 3], box.axis[( longest + 2 ) % 3],
		                        box.axis[longest] } };

	double radius = 0;
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		bv_vec3 x = bv_sub( points[hull->vertices[i]], box.center );
		radius = fmax( radius, distance_to_axis( &f, x ) );
	}
	double half_length = 0;
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		bv_vec3 x = bv_sub( points[hull->vertices[i]], box.center );
		double away = distance_to_axis( &f, x );
		double bulge = sqrt( fmax( 0, ( radius - away ) * ( radius + away ) ) );
		half_length = fmax( half_length, fabs( bv_dot( x, f.axis[2] ) ) - bulge );
	}
	double reach = largest_component( box.center ) + half_length + standoff * radius;
	radius += rounding_of( at_place, scale, reach );
	return make_round( &f, box.center, radius, half_length, arena, out );
}

// Shapes that have other vertices than the proxy.
static bv_status make_fitted( bvb_proxy kind, const bv_vec3* points, uint32_t count, const bvb_hull* hull,
                              const bvasset_proxy_context* in, bvb_arena* arena, bvb_mesh* out,
                              bvb_error* error )
{
	bv_vec3* local = bvb_arena_allocate( arena, count, sizeof *local );
	if ( !local )
	{
		return bvbase_fail_memory( error );
	}
	memcpy( local, points, count * sizeof *local );
	proxy_place p = localize( local, count, in->side );
	bool made = kind == bvb_proxy_box      ? make_box( local, count, hull, arena, out )
	            : kind == bvb_proxy_sphere ? make_sphere( local, count, &p, in->scale, arena, out )
	                                       : make_capsule( local, count, hull, &p, in->scale, arena, out );
	if ( !made )
	{
		return bvbase_fail_memory( error );
	}
	return put_back( &p, out )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_limit, "a shape exceeds the range of double precision" );
}

bv_status bvasset_proxy_shape( bvb_proxy kind, const bv_vec3* points, uint32_t count,
                               const bvasset_proxy_context* in, bvb_arena* arena, bvb_mesh* out,
                               bvb_error* error )
{
	*out = ( bvb_mesh ){ 0 };
	bvb_hull hull;
	bv_status status = bvb_hull_compute( points, count, arena, &hull, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( hull.kind == bv_hull_point || ( hull.kind == bv_hull_segment && kind != bvb_proxy_sphere ) )
	{
		return bv_ok;
	}
	if ( kind != bvb_proxy_convex )
	{
		return make_fitted( kind, points, count, &hull, in, arena, out, error );
	}
	return make_convex( points, &hull, arena, out ) ? bv_ok : bvbase_fail_memory( error );
}
