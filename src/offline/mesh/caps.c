// Caps of open surfaces. See caps.h.

#include "offline/mesh/caps.h"

#include "offline/base/arena.h"
#include "offline/base/exact.h"
#include "offline/base/sets.h"
#include "offline/mesh/seen.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// In units of a cap's longest side. Next to one of its sides much of an angle is rounding; of what is farther
// away the error stays below some 2^-52 / margin.
static const double margin = 0x1p-8;

// The normal of a triangle whose height is a smaller part of its sides is mostly rounding.
static const double thin = 0x1p-20;

static int compare_places( const void* first, const void* second, void* positions )
{
	const bv_vec3* a = (const bv_vec3*)positions + *(const uint32_t*)first;
	const bv_vec3* b = (const bv_vec3*)positions + *(const uint32_t*)second;
	return a->x != b->x   ? ( a->x < b->x ? -1 : 1 )
	       : a->y != b->y ? ( a->y < b->y ? -1 : 1 )
	       : a->z != b->z ? ( a->z < b->z ? -1 : 1 )
	                      : 0;
}

// Finds which vertices hang together by edges, or by being at one place.
static bool join_all( const bv_vec3* positions, uint32_t vertex_count, const bvmesh_net_edge* boundary,
                      uint32_t count, bvb_arena* scratch, uint32_t** out )
{
	uint32_t* parent = bvb_arena_allocate( scratch, vertex_count, sizeof *parent );
	uint32_t* order = bvb_arena_allocate( scratch, 2 * (size_t)count, sizeof *order );
	if ( !parent || !order )
	{
		return false;
	}
	for ( uint32_t v = 0; v < vertex_count; ++v )
	{
		parent[v] = v;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		order[2 * i] = boundary[i].lesser;
		order[2 * i + 1] = boundary[i].greater;
		bvbase_join_sets( parent, boundary[i].lesser, boundary[i].greater );
	}
	qsort_r( order, 2 * (size_t)count, sizeof *order, compare_places, (void*)positions );
	for ( uint32_t i = 1; i < 2 * count; ++i )
	{
		if ( compare_places( order + i - 1, order + i, (void*)positions ) == 0 )
		{
			bvbase_join_sets( parent, order[i - 1], order[i] );
		}
	}
	*out = parent;
	return true;
}

static bool is_at( const bv_vec3* a, const bv_vec3* b )
{
	return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bvmesh_cap make_cap( bv_vec3 a, bv_vec3 b, bv_vec3 c, double times )
{
	bvmesh_cap cap = { .corner = { a, b, c }, .times = times };
	bv_vec3 u = bv_sub( b, a );
	bv_vec3 v = bv_sub( c, a );
	bv_vec3 w = bv_sub( c, b );
	bv_vec3 normal = bv_cross( u, v );
	double area = sqrt( bv_dot( normal, normal ) );
	double longest = bvmath_max( bv_dot( u, u ), bvmath_max( bv_dot( v, v ), bv_dot( w, w ) ) );
	cap.margin = margin * sqrt( longest );
	bv_vec3 room = { cap.margin, cap.margin, cap.margin };
	cap.lower = bv_sub( bvmath_least( a, bvmath_least( b, c ) ), room );
	cap.upper = bv_add( bvmath_greatest( a, bvmath_greatest( b, c ) ), room );
	if ( area > thin * longest )
	{
		cap.normal = bv_scale( 1 / area, normal );
	}
	return cap;
}

bool bvmesh_caps_create( const bv_vec3* positions, uint32_t vertex_count, const bvmesh_net_edge* boundary,
                         uint32_t count, bvb_arena* arena, bvb_arena* scratch, bvmesh_caps* out )
{
	uint32_t* parent;
	*out = ( bvmesh_caps ){ .cap = bvb_arena_allocate( arena, count, sizeof *out->cap ) };
	if ( !out->cap || !join_all( positions, vertex_count, boundary, count, scratch, &parent ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvmesh_net_edge* e = boundary + i;
		const bv_vec3* apex = positions + bvbase_set_of( parent, e->lesser );
		const bv_vec3* from = positions + ( e->net > 0 ? e->lesser : e->greater );
		const bv_vec3* to = positions + ( e->net > 0 ? e->greater : e->lesser );
		if ( !is_at( apex, from ) && !is_at( apex, to ) )
		{
			out->cap[out->count++] = make_cap( *apex, *from, *to, fabs( (double)e->net ) );
		}
	}
	return true;
}

static bool is_in( const bvmesh_cap* cap, bv_vec3 p )
{
	return p.x >= cap->lower.x && p.y >= cap->lower.y && p.z >= cap->lower.z && p.x <= cap->upper.x &&
	       p.y <= cap->upper.y && p.z <= cap->upper.z;
}

static bool is_next_to_side( const bvmesh_cap* cap, bv_vec3 p )
{
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 side = bv_sub( cap->corner[( i + 1 ) % 3], cap->corner[i] );
		bv_vec3 d = bv_sub( p, cap->corner[i] );
		double square = bv_dot( side, side );
		double along = square > 0 ? bvmath_max( 0, bvmath_min( bv_dot( d, side ) / square, 1 ) ) : 0;
		bv_vec3 off = bv_sub( d, bv_scale( along, side ) );
		if ( bv_dot( off, off ) <= cap->margin * cap->margin )
		{
			return true;
		}
	}
	return false;
}

// Half the solid angle of a cap that is next to a point. Of the two ends of the range rounding would choose
// one, here it is the one on whose side the point is, as for rays. Returns false next to the cap's sides,
// where much depends on little, and in its plane.
static bool angle_of_near( const bvmesh_cap* cap, bv_vec3 p, double* angle )
{
	double side = bvbase_orient3d( cap->corner[0], cap->corner[1], cap->corner[2], p );
	*angle = side < 0 ? fabs( *angle ) : -fabs( *angle );
	return side != 0 && !is_next_to_side( cap, p );
}

bool bvmesh_caps_winding( const bvmesh_caps* caps, bv_vec3 p, double* winding )
{
	double sum = 0;
	for ( uint32_t i = 0; i < caps->count; ++i )
	{
		const bvmesh_cap* cap = caps->cap + i;
		bv_vec3 a = bv_sub( cap->corner[0], p );
		double angle = bvmesh_half_solid_angle( a, bv_sub( cap->corner[1], p ), bv_sub( cap->corner[2], p ) );
		if ( is_in( cap, p ) && fabs( bv_dot( cap->normal, a ) ) <= cap->margin &&
		     !angle_of_near( cap, p, &angle ) )
		{
			return false;
		}
		int crossing = bvmesh_ray_crossing( cap->corner[0], cap->corner[1], cap->corner[2], p );
		sum += cap->times * ( angle / ( 2 * pi ) - crossing );
	}
	*winding = sum;
	return true;
}
