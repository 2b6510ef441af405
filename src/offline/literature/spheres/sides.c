// Winding numbers of open surfaces, approximately (G. Barill, N. Dickson, R. Schmidt, D. Levin, A. Jacobson,
// "Fast winding numbers for soups and clouds", 2018, the terms of the first order): what is far is a dipole,
// of all its triangles' areas along their normals at the middle of the areas. Triangles that are near are
// solid angles. The tree halves runs of Morton's curve.
//
// Closed surfaces are asked for the exact number, which takes but a ray.

#include "offline/literature/spheres/sides.h"

#include "offline/base/error.h"
#include "offline/base/zorder.h"
#include "offline/mesh/seen.h"
#include "runtime/math/angle.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_height = 40, // halving makes a tree no higher
};

static const double pi = 3.14159265358979323846;

// Numbers that are smaller have no angle.
static const double least_square = 0x1p-900;

// What is so many times its radius away is far.
static const double far = 2;

// What runs of the curve, [first, first + count), look like. The lower half is the next node.
typedef struct sides_view
{
	bv_vec3 middle;
	bv_vec3 normal; // area along it
	double area;
	double reach; // square of the distance from which it is far
	uint32_t first;
	uint32_t count;
	uint32_t upper; // the other half
} sides_view;

struct bvlit_sides
{
	bvb_winding* winding; // of closed surfaces; else null
	double scale;         // from mesh units to these
	bv_vec3* corners;     // of triangles, scaled, along the curve
	sides_view* views;
	uint32_t count; // of views
};

static double square_of( bv_vec3 v )
{
	return bv_dot( v, v );
}

static void look_at( bvlit_sides* s, sides_view* v )
{
	bv_vec3 sum = { 0, 0, 0 };
	bv_vec3 plain = { 0, 0, 0 };
	for ( uint32_t i = v->first; i < v->first + v->count; ++i )
	{
		const bv_vec3* c = s->corners + 3 * (size_t)i;
		bv_vec3 normal = bv_scale( 0.5, bv_cross( bv_sub( c[1], c[0] ), bv_sub( c[2], c[0] ) ) );
		bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( c[0], bv_add( c[1], c[2] ) ) );
		double area = sqrt( square_of( normal ) );
		v->normal = bv_add( v->normal, normal );
		v->area += area;
		sum = bv_add( sum, bv_scale( area, middle ) );
		plain = bv_add( plain, middle );
	}
	v->middle = v->area > 0 ? bv_scale( 1 / v->area, sum ) : bv_scale( 1.0 / v->count, plain );
	for ( uint32_t i = 3 * v->first; i < 3 * ( v->first + v->count ); ++i )
	{
		v->reach = bvmath_max( v->reach, far * far * square_of( bv_sub( s->corners[i], v->middle ) ) );
	}
}

static void halve( bvlit_sides* s, uint32_t first, uint32_t count )
{
	sides_view* v = s->views + s->count++;
	*v = ( sides_view ){ .first = first, .count = count };
	look_at( s, v );
	if ( count > 1 )
	{
		halve( s, first, count / 2 );
		v->upper = s->count;
		halve( s, first + count / 2, count - count / 2 );
	}
}

// Half the solid angle.
static double dipole( const sides_view* v, bv_vec3 to, double square )
{
	return 0.5 * bv_dot( v->normal, to ) / ( square * sqrt( square ) );
}

// A sum of angles: that of a product of complex numbers, and the turns that it went round.
typedef struct angles
{
	double x;
	double y;
	int turns;
} angles;

// @param x, y  of a number at the angle, from -pi to pi; none for the origin
static void add_angle( angles* sum, double x, double y )
{
	double square = x * x + y * y;
	if ( square <= least_square )
	{
		return;
	}
	double scale = 1 / sqrt( square );
	double next = scale * ( sum->x * y + sum->y * x );
	sum->x = scale * ( sum->x * x - sum->y * y );
	sum->turns += y > 0 && sum->y >= 0 && next < 0;
	sum->turns -= y < 0 && sum->y < 0 && next >= 0;
	sum->y = next;
}

// Half the solid angle of a triangle (A. Van Oosterom, J. Strackee, "The solid angle of a plane triangle",
// 1983), as it stands there: near triangles count by far more than what rounding takes.
static void add_triangle( angles* sum, const bv_vec3 corner[3], bv_vec3 p )
{
	bv_vec3 a = bv_sub( corner[0], p );
	bv_vec3 b = bv_sub( corner[1], p );
	bv_vec3 c = bv_sub( corner[2], p );
	double al = sqrt( square_of( a ) );
	double bl = sqrt( square_of( b ) );
	double cl = sqrt( square_of( c ) );
	double x = al * bl * cl + bv_dot( a, b ) * cl + bv_dot( b, c ) * al + bv_dot( c, a ) * bl;
	add_angle( sum, x, bv_dot( a, bv_cross( b, c ) ) );
}

static double half_angle( const bvlit_sides* s, bv_vec3 p )
{
	double sum = 0;
	angles near = { 1, 0, 0 };
	uint32_t stack[most_height];
	int height = 1;
	stack[0] = 0;
	while ( height > 0 )
	{
		const sides_view* v = s->views + stack[--height];
		bv_vec3 to = bv_sub( v->middle, p );
		double square = square_of( to );
		if ( square > v->reach )
		{
			sum += dipole( v, to, square );
		}
		else if ( v->count == 1 )
		{
			add_triangle( &near, s->corners + 3 * (size_t)v->first, p );
		}
		else
		{
			stack[height++] = v->upper;
			stack[height++] = (uint32_t)( v - s->views ) + 1;
		}
	}
	return sum + bvmath_atan2( near.y, near.x ) + 2 * pi * near.turns;
}

bool bvlit_sides_are_closed( const bvlit_sides* sides )
{
	return sides->winding;
}

bool bvlit_is_inside( const bvlit_sides* sides, bv_vec3 point )
{
	return sides->winding ? bvb_winding_number( sides->winding, point ) >= 0.5
	                      : half_angle( sides, bv_scale( sides->scale, point ) ) >= pi;
}

static double scale_of( const bvb_mesh* mesh )
{
	double largest = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		largest = bvmath_max( largest, bvmath_largest( p ) );
	}
	int exponent;
	frexp( largest, &exponent );
	return ldexp( 1, -exponent );
}

static bv_status create_open( const bvb_mesh* mesh, bvb_arena* arena, bvb_arena* scratch, bvlit_sides* s )
{
	size_t count = mesh->triangle_count;
	s->corners = bvb_arena_allocate( arena, 3 * count, sizeof *s->corners );
	s->views = bvb_arena_allocate( arena, 2 * count - 1, sizeof *s->views );
	bv_vec3* middles = bvb_arena_allocate( scratch, count, sizeof *middles );
	bvbase_sort_entry* entries = bvb_arena_allocate( scratch, count, sizeof *entries );
	bvbase_sort_entry* other = bvb_arena_allocate( scratch, count, sizeof *other );
	if ( !s->corners || !s->views || !middles || !entries || !other )
	{
		return bv_error_memory;
	}
	for ( size_t i = 0; i < count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		bv_vec3 sum = bv_add( mesh->positions[c[0]], bv_add( mesh->positions[c[1]], mesh->positions[c[2]] ) );
		middles[i] = bv_scale( 1.0 / 3, sum );
	}
	bvbase_sort_in_space( middles, (uint32_t)count, entries, other );
	s->scale = scale_of( mesh );
	for ( size_t i = 0; i < 3 * count; ++i )
	{
		uint32_t vertex = mesh->triangles[entries[i / 3].value].corner[i % 3];
		s->corners[i] = bv_scale( s->scale, mesh->positions[vertex] );
	}
	halve( s, 0, (uint32_t)count );
	return bv_ok;
}

bv_status bvlit_sides_create( const bvb_mesh* mesh, bvb_arena* arena, bvlit_sides** out )
{
	bvb_error error;
	bvlit_sides* s = bvb_arena_allocate( arena, 1, sizeof *s );
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bvb_winding* winding;
	bv_status status = s && scratch ? bvb_winding_create( mesh, arena, &winding, &error ) : bv_error_memory;
	if ( status == bv_ok && bvb_winding_is_closed( winding ) )
	{
		s->winding = winding;
	}
	else if ( status == bv_ok )
	{
		status = create_open( mesh, arena, scratch, s );
	}
	bvb_arena_destroy( scratch );
	*out = s;
	return status;
}
