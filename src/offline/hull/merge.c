// Polygons of a polyhedron: regions of coplanar triangles, the half-edges of their borders, and their planes.
//
// The offset of a plane is the largest dot product of its normal with any vertex, computed as support queries
// compute it. Therefore no support query finds a vertex above the plane.

#include "bvbuild/hull.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/hull/neighbors.h"
#include "offline/hull/regions.h"
#include "offline/hull/support.h"
#include "runtime/math/vec.h"

#include <math.h>

// Borders of regions, before they are written out.
typedef struct borders
{
	const bvhull_surface* surface;
	bvhull_regions regions;
	uint32_t* twin;   // of each side of a border
	uint32_t* origin; // of each side of a border, its vertex
} borders;

// Whether w is between u and v, not farther from the straight line than the tolerance.
static bool is_straight( bv_vec3 u, bv_vec3 w, bv_vec3 v, double tolerance )
{
	bv_vec3 d = bv_sub( v, u );
	bv_vec3 to = bv_sub( w, u );
	bv_vec3 away = bv_cross( d, to );
	double square = bv_dot( d, d );
	double along = bv_dot( d, to );
	return along > 0 && along < square && bv_dot( away, away ) <= tolerance * tolerance * square;
}

static bvhull_region* region_of( borders* b, uint32_t side )
{
	return &b->regions.region[b->regions.of_face[side / 3]];
}

// Takes out `second`, which starts at a corner that only two polygons have, after `first` on one border;
// their twins are on the other.
static void straighten( borders* b, uint32_t first, uint32_t second )
{
	uint32_t there = b->twin[second];
	uint32_t gone = b->twin[first];
	b->regions.next[first] = b->regions.next[second];
	b->regions.next[there] = b->regions.next[gone];
	b->twin[first] = there;
	b->twin[there] = first;
	const uint32_t removed[2][2] = { { second, first }, { gone, there } };
	for ( int k = 0; k < 2; ++k )
	{
		bvhull_region* region = region_of( b, removed[k][0] );
		region->side = region->side == removed[k][0] ? removed[k][1] : region->side;
		region->length -= 1;
	}
}

// Corners that were taken out of one edge, a bounded number so that checking them all takes linear time.
typedef struct taken_out
{
	uint32_t vertex[128];
	uint32_t count;
} taken_out;

// Whether the corner between `side` and the next one, and all that were taken out between them before, are on
// one straight edge that two polygons have in common.
static bool is_middle( const borders* b, uint32_t side, const taken_out* taken, double tolerance )
{
	const bvhull_surface* s = b->surface;
	uint32_t after = b->regions.next[side];
	if ( b->regions.next[b->twin[after]] != b->twin[side] ||
	     taken->count == sizeof taken->vertex / sizeof *taken->vertex )
	{
		return false;
	}
	bv_vec3 u = s->at[b->origin[side]];
	bv_vec3 v = s->at[b->origin[b->twin[after]]];
	bool straight = is_straight( u, s->at[b->origin[after]], v, tolerance );
	for ( uint32_t i = 0; i < taken->count && straight; ++i )
	{
		straight = is_straight( u, s->at[taken->vertex[i]], v, tolerance );
	}
	return straight;
}

// The first side of a border that starts where three polygons meet; any if there is none.
static uint32_t first_from_corner( const borders* b, const bvhull_region* region )
{
	uint32_t side = region->side;
	for ( uint32_t i = 0; i < region->length; ++i )
	{
		uint32_t after = b->regions.next[side];
		if ( b->regions.next[b->twin[after]] != b->twin[side] )
		{
			return after;
		}
		side = after;
	}
	return side;
}

// Takes out corners in the middle of straight edges. Each edge is gone along once, for the polygon of lower
// number.
static void straighten_edges( borders* b, double tolerance )
{
	for ( uint32_t r = 0; r < b->regions.region_count; ++r )
	{
		const bvhull_region* region = &b->regions.region[r];
		taken_out taken = { .count = 0 };
		uint32_t side = first_from_corner( b, region );
		for ( uint32_t rest = region->length - 1; rest > 0; --rest )
		{
			uint32_t after = b->regions.next[side];
			const bvhull_region* other = region_of( b, b->twin[side] );
			if ( other > region && region->length > 3 && other->length > 3 &&
			     is_middle( b, side, &taken, tolerance ) )
			{
				taken.vertex[taken.count++] = b->origin[after];
				straighten( b, side, after );
			}
			else
			{
				taken.count = 0;
				side = after;
			}
		}
	}
}

static bool begin_borders( borders* b, bvb_arena* scratch )
{
	uint32_t sides = 3 * b->surface->face_count;
	b->twin = bvb_arena_allocate( scratch, sides, sizeof *b->twin );
	b->origin = bvb_arena_allocate( scratch, sides, sizeof *b->origin );
	if ( !b->twin || !b->origin )
	{
		return false;
	}
	for ( uint32_t side = 0; side < sides; ++side )
	{
		b->twin[side] = b->surface->twin[side];
		b->origin[side] = bvhull_side_origin( b->surface, side );
	}
	return true;
}

// The half-edges of a polygon are numbered in its order.
static bool emit_half_edges( borders* b, bvb_arena* scratch, bvb_arena* arena, bvb_hull_polygons* out )
{
	out->polygon_count = b->regions.region_count;
	for ( uint32_t r = 0; r < out->polygon_count; ++r )
	{
		out->half_edge_count += b->regions.region[r].length;
	}
	uint32_t* number = bvb_arena_allocate( scratch, 3 * (size_t)b->surface->face_count, sizeof *number );
	out->polygons = bvb_arena_allocate( arena, out->polygon_count, sizeof *out->polygons );
	out->half_edges = bvb_arena_allocate( arena, out->half_edge_count, sizeof *out->half_edges );
	if ( !number || !out->polygons || !out->half_edges )
	{
		return false;
	}

	uint32_t count = 0;
	for ( uint32_t r = 0; r < out->polygon_count; ++r )
	{
		const bvhull_region* region = &b->regions.region[r];
		out->polygons[r].first_edge = count;
		out->polygons[r].edge_count = region->length;
		uint32_t side = region->side;
		for ( uint32_t i = 0; i < region->length; ++i )
		{
			uint32_t next = i + 1 < region->length ? count + 1 : out->polygons[r].first_edge;
			out->half_edges[count] = ( bvb_half_edge ){ b->origin[side], b->twin[side], next, r };
			number[side] = count++;
			side = b->regions.next[side];
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->half_edges[i].twin = number[out->half_edges[i].twin];
	}
	return true;
}

// The normal of a triangle whose corners are on one line is that of its largest neighbor.
static bv_vec3 find_normal( borders* b, const bvhull_region* region )
{
	bv_vec3 area = region->area;
	uint32_t side = region->side;
	for ( uint32_t i = 0; i < region->length && bvmath_norm1( region->area ) == 0; ++i )
	{
		bv_vec3 other = region_of( b, b->twin[side] )->area;
		area = bvmath_norm1( other ) > bvmath_norm1( area ) ? other : area;
		side = b->regions.next[side];
	}
	if ( bvmath_norm1( area ) == 0 )
	{
		return ( bv_vec3 ){ 0, 0, 1 };
	}
	int exponent;
	frexp( bvmath_norm1( area ), &exponent );
	area = ( bv_vec3 ){ ldexp( area.x, -exponent ), ldexp( area.y, -exponent ), ldexp( area.z, -exponent ) };
	return bv_scale( 1 / bvmath_length( area ), area );
}

// Support queries along normals meet all corners of a polygon at one height, so these get room to remember
// any number.
static bool begin_set( uint32_t vertices, bvb_arena* scratch, bvhull_vertex_set* set )
{
	uint32_t slots = 16;
	while ( slots < 2 * (uint64_t)vertices )
	{
		slots *= 2;
	}
	*set = ( bvhull_vertex_set ){ .mask = slots - 1, .capacity = vertices };
	set->slot = bvb_arena_allocate( scratch, slots, sizeof *set->slot );
	set->member = bvb_arena_allocate( scratch, vertices, sizeof *set->member );
	return set->slot && set->member;
}

static bool find_planes( borders* b, bvb_arena* scratch, bvb_hull_polygons* out )
{
	bvhull_vertex_set set;
	if ( !begin_set( out->vertex_count, scratch, &set ) )
	{
		return false;
	}
	for ( uint32_t r = 0; r < out->polygon_count; ++r )
	{
		bvb_hull_polygon* polygon = &out->polygons[r];
		polygon->normal = find_normal( b, &b->regions.region[r] );
		uint32_t start = out->half_edges[polygon->first_edge].origin;
		uint32_t farthest = bvhull_support_with( out, polygon->normal, start, &set );
		polygon->offset = bv_dot( polygon->normal, out->positions[farthest] );
	}
	return true;
}

static bv_status merge( const bv_vec3* points, const bvb_hull* hull, double tolerance, bvb_arena* scratch,
                        bvb_arena* arena, bvb_hull_polygons* out, bvb_error* error )
{
	bvhull_surface surface;
	bv_status status = bvhull_surface_create( points, hull, scratch, &surface, error );
	if ( status != bv_ok )
	{
		return status;
	}

	// What rounding to binary64, here and in qhull, makes of coplanar points.
	double scaled = bvmath_max( ldexp( tolerance, -surface.exponent ), 0x1p-44 );
	borders b = { .surface = &surface };
	if ( !bvhull_connect( &surface, points, hull, scratch, arena, out ) ||
	     !bvhull_find_starts( out, arena ) || !bvhull_find_regions( &surface, scaled, scratch, &b.regions ) ||
	     !begin_borders( &b, scratch ) )
	{
		return bvbase_fail_memory( error );
	}
	straighten_edges( &b, scaled );
	if ( !emit_half_edges( &b, scratch, arena, out ) || !find_planes( &b, scratch, out ) )
	{
		return bvbase_fail_memory( error );
	}
	return bv_ok;
}

bv_status bvb_hull_merge( const bv_vec3* points, const bvb_hull* hull, double tolerance, bvb_arena* arena,
                          bvb_hull_polygons* out, bvb_error* error )
{
	*out = ( bvb_hull_polygons ){ 0 };
	if ( !( tolerance >= 0 && tolerance < INFINITY ) )
	{
		return bvbase_fail( error, bv_error_argument, "the tolerance of coplanar faces must be 0 or more" );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status =
		scratch ? merge( points, hull, tolerance, scratch, arena, out, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	if ( status != bv_ok )
	{
		*out = ( bvb_hull_polygons ){ 0 };
	}
	return status;
}
