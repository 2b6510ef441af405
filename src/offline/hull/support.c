// Support points by hill climbing (Gilbert, Foo 1990), with the same result as brute force in binary64.
//
// Let e bound the rounding error of a dot product. On a convex surface the vertices above any height are
// connected. Let a climb end at a vertex with computed height h. Its true height is at least h - e. Every
// vertex with a larger true height is reachable through vertices with a computed height of at least h - 2 e.
// If a neighbor has such a height, all of these vertices are visited. If one of them is higher, the climb
// continues from it; otherwise the result is the vertex with the lowest index at height h. If no neighbor has
// such a height, there is nothing to visit.
//
// A table of start vertices for directions through the cells of a cube keeps climbs short.

#include "offline/hull/support.h"

#include "offline/hull/surface.h"
#include "runtime/math/vec.h"

#include <float.h>
#include <math.h>

enum
{
	few_vertices = 20, // no climb is faster than looking at them all
	set_capacity = 96,
	set_slots = 256,
	vertices_per_step = 6, // makes as many cells as vertices
};

// @return whether it was not a member yet
static bool insert( bvhull_vertex_set* set, uint32_t vertex )
{
	uint32_t slot = vertex * 0x9e3779b1u >> 7 & set->mask;
	while ( set->slot[slot] != 0 )
	{
		if ( set->slot[slot] == vertex + 1 )
		{
			return false;
		}
		slot = ( slot + 1 ) & set->mask;
	}
	set->slot[slot] = vertex + 1;
	set->member[set->count++] = vertex;
	return true;
}

// Members are taken out in reverse, so that no probe sequence is broken.
static void clear( bvhull_vertex_set* set )
{
	while ( set->count > 0 )
	{
		uint32_t vertex = set->member[--set->count];
		uint32_t slot = vertex * 0x9e3779b1u >> 7 & set->mask;
		while ( set->slot[slot] != vertex + 1 )
		{
			slot = ( slot + 1 ) & set->mask;
		}
		set->slot[slot] = 0;
	}
}

static uint32_t try_all( const bvb_hull_polygons* hull, bv_vec3 direction )
{
	uint32_t best = 0;
	double height = bv_dot( direction, hull->positions[0] );
	for ( uint32_t v = 1; v < hull->vertex_count; ++v )
	{
		double other = bv_dot( direction, hull->positions[v] );
		if ( other > height )
		{
			height = other;
			best = v;
		}
	}
	return best;
}

// Where a search stands.
typedef struct climb
{
	uint32_t vertex;
	double height;    // of the vertex
	double runner_up; // the greatest height of its neighbors
} climb;

static void ascend( const bvb_hull_polygons* hull, bv_vec3 direction, climb* c )
{
	uint32_t from;
	do
	{
		from = c->vertex;
		c->runner_up = -INFINITY;
		for ( uint32_t i = hull->first_neighbor[from]; i < hull->first_neighbor[from + 1]; ++i )
		{
			double height = bv_dot( direction, hull->positions[hull->neighbors[i]] );
			c->runner_up = bvmath_max( height, c->runner_up );
			if ( height > c->height )
			{
				c->height = height;
				c->vertex = hull->neighbors[i];
			}
		}
	} while ( c->vertex != from );
}

// Visits all vertices that hang together with c->vertex at `least` height or more.
// @return false when the set is full
static bool visit_plateau_with( const bvb_hull_polygons* hull, bv_vec3 direction, double least, climb* c,
                                bvhull_vertex_set* set )
{
	double height = c->height;
	bool complete = insert( set, c->vertex );
	for ( uint32_t k = 0; k < set->count && c->height == height && complete; ++k )
	{
		uint32_t v = set->member[k];
		for ( uint32_t i = hull->first_neighbor[v]; i < hull->first_neighbor[v + 1] && complete; ++i )
		{
			uint32_t w = hull->neighbors[i];
			double other = bv_dot( direction, hull->positions[w] );
			complete = other < least || set->count < set->capacity;
			if ( complete && other >= least && insert( set, w ) &&
			     ( other > c->height || ( other == c->height && w < c->vertex ) ) )
			{
				c->height = other;
				c->vertex = w;
			}
		}
	}
	clear( set );
	return complete;
}

// Clearing the set takes longer than most climbs, which don't need it.
static bool visit_plateau( const bvb_hull_polygons* hull, bv_vec3 direction, double least, climb* c,
                           bvhull_vertex_set* set )
{
	if ( set )
	{
		return visit_plateau_with( hull, direction, least, c, set );
	}
	uint32_t slot[set_slots] = { 0 };
	uint32_t member[set_capacity];
	bvhull_vertex_set own = { slot, set_slots - 1, member, 0, set_capacity };
	return visit_plateau_with( hull, direction, least, c, &own );
}

// Vertices that no climb is certain to reach.
static uint32_t try_loose( const bvb_hull_polygons* hull, bv_vec3 direction, climb c )
{
	for ( uint32_t i = 0; i < hull->loose_count; ++i )
	{
		uint32_t v = hull->loose[i];
		double height = bv_dot( direction, hull->positions[v] );
		if ( height > c.height || ( height == c.height && v < c.vertex ) )
		{
			c.height = height;
			c.vertex = v;
		}
	}
	return c.vertex;
}

// The cells are those of a grid on each side of a cube. What rounding does to a direction at a cell's border
// is no harm.
static uint32_t find_cell( uint32_t steps, bv_vec3 direction )
{
	double x = fabs( direction.x );
	double y = fabs( direction.y );
	double z = fabs( direction.z );
	double size = bvmath_max( x, bvmath_max( y, z ) );
	if ( size == 0 )
	{
		return 0;
	}
	uint32_t axis = x == size ? 0 : y == size ? 1 : 2;
	double along = axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z;
	double right = axis == 0 ? direction.y : axis == 1 ? direction.z : direction.x;
	double up = axis == 0 ? direction.z : axis == 1 ? direction.x : direction.y;
	double half = 0.5 * steps;
	uint32_t column = (uint32_t)( half + half * ( right / size ) );
	uint32_t row = (uint32_t)( half + half * ( up / size ) );
	column = column < steps ? column : steps - 1;
	row = row < steps ? row : steps - 1;
	return ( ( 2 * axis + ( along < 0 ) ) * steps + row ) * steps + column;
}

// The direction in a cell's middle.
static bv_vec3 cell_direction( uint32_t steps, uint32_t cell )
{
	uint32_t side = cell / ( steps * steps );
	double along = side % 2 ? -1 : 1;
	double right = ( 2 * ( cell % steps ) + 1.0 ) / steps - 1;
	double up = ( 2 * ( cell / steps % steps ) + 1.0 ) / steps - 1;
	return side / 2 == 0   ? ( bv_vec3 ){ along, right, up }
	       : side / 2 == 1 ? ( bv_vec3 ){ up, along, right }
	                       : ( bv_vec3 ){ right, up, along };
}

bool bvhull_find_starts( bvb_hull_polygons* hull, bvb_arena* arena )
{
	uint32_t steps = (uint32_t)sqrt( hull->vertex_count / (double)vertices_per_step );
	hull->start = bvb_arena_allocate( arena, 6 * (size_t)steps * steps, sizeof *hull->start );
	if ( !hull->start )
	{
		return false;
	}
	uint32_t vertex = 0;
	for ( uint32_t cell = 0; cell < 6 * steps * steps; ++cell )
	{
		vertex = bvb_hull_support( hull, cell_direction( steps, cell ), vertex );
		hull->start[cell] = vertex;
	}
	hull->start_steps = steps;
	return true;
}

static uint32_t find_start( const bvb_hull_polygons* hull, bv_vec3 direction, uint32_t start )
{
	if ( start >= hull->vertex_count )
	{
		start = hull->start_steps > 0 ? hull->start[find_cell( hull->start_steps, direction )] : 0;
	}

	// A loose vertex has no neighbors.
	return hull->first_neighbor[start] < hull->first_neighbor[start + 1] ? start : hull->neighbors[0];
}

uint32_t bvhull_support_with( const bvb_hull_polygons* hull, bv_vec3 direction, uint32_t start,
                              bvhull_vertex_set* set )
{
	// A dot product errs by 3 units of 2^-53 of the largest sum that its terms can have, and by what
	// underflows: twice that, and one more unit for the difference below.
	double sum = bvmath_norm1( direction ) * hull->reach;
	double doubt = sum * 0x1p-50 + 0x1p-1060;
	if ( !( sum < DBL_MAX / 4 ) || hull->vertex_count <= few_vertices ||
	     hull->loose_count == hull->vertex_count )
	{
		return try_all( hull, direction );
	}

	climb c = { .vertex = find_start( hull, direction, start ) };
	c.height = bv_dot( direction, hull->positions[c.vertex] );
	double height;
	do
	{
		ascend( hull, direction, &c );
		height = c.height;
		if ( c.runner_up >= height - doubt && !visit_plateau( hull, direction, height - doubt, &c, set ) )
		{
			return try_all( hull, direction );
		}
	} while ( c.height > height );
	return try_loose( hull, direction, c );
}

uint32_t bvb_hull_support( const bvb_hull_polygons* hull, bv_vec3 direction, uint32_t start )
{
	return bvhull_support_with( hull, direction, start, NULL );
}
