// Choice of half-spaces around a polyhedron. See cover.h.
//
// Starts with a simple body. Repeatedly cuts off the corner that is farthest from the hull, until the number
// of planes is reached. The cutting plane touches the hull at the point nearest to the corner, or is the
// plane of the hull that cuts off most (Bronshteyn, Ivanov 1975, prove the convergence rate of such schemes).
// Several starts are tried. The best result is improved by tilting a plane at the worst corner, or by moving
// a plane to a better place, as long as this helps.

#include "offline/hull/cover.h"

#include "offline/base/arena.h"
#include "offline/hull/nearest.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_to_search = 160, // half-spaces; more are only grown, once
};

// A corner and where the hull is nearest to it.
typedef struct cover_corner
{
	bvhull_plane_corner meet;
	bvhull_nearest nearest;
} cover_corner;

// Some half-spaces and the corners of their intersection.
typedef struct cover
{
	bvhull_half_space* space;
	uint32_t space_count;
	cover_corner* corner; // ordered by names
	uint32_t corner_count;
	uint32_t worst; // the farthest corner
	double error;   // its distance
	double cost;    // sum of all distances to the eighth: less of it is better although the worst stays
} cover;

typedef struct searcher
{
	const bvb_hull_polygons* hull;
	const bvhull_round_frame* frame;
	uint32_t most;
	uint32_t next_name;
	uint32_t* order; // scratch: corners by distance
	bvb_arena* arena;
} searcher;

static bool begin_cover( const searcher* s, cover* out )
{
	*out = ( cover ){ 0 };
	out->space = bvb_arena_allocate( s->arena, s->most, sizeof *out->space );
	out->corner = bvb_arena_allocate( s->arena, 2 * (size_t)s->most, sizeof *out->corner );
	return out->space && out->corner;
}

static void copy_spaces( cover* to, const cover* from )
{
	memcpy( to->space, from->space, from->space_count * sizeof *to->space );
	to->space_count = from->space_count;
}

static void swap_covers( cover* a, cover* b )
{
	cover c = *a;
	*a = *b;
	*b = c;
}

static bvhull_half_space touch( searcher* s, bv_vec3 direction, uint32_t start )
{
	double length = sqrt( bv_dot( direction, direction ) );
	bvhull_half_space space = { .normal = bv_scale( 1 / length, direction ), .name = s->next_name++ };
	space.offset =
		bv_dot( space.normal, s->hull->positions[bvb_hull_support( s->hull, space.normal, start )] );
	return space;
}

static int compare_names( const void* left, const void* right )
{
	const bvhull_plane_corner* a = left;
	const cover_corner* b = right;
	for ( int k = 0; k < 3; ++k )
	{
		if ( a->name[k] != b->meet.name[k] )
		{
			return a->name[k] < b->meet.name[k] ? -1 : 1;
		}
	}
	return 0;
}

// Finds corners and distances. Corners of the same three planes are where they were in `known`.
static bv_status evaluate( const searcher* s, const cover* known, cover* c )
{
	c->corner_count = 0;
	c->error = INFINITY;
	c->cost = INFINITY;
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	if ( !scratch )
	{
		return bv_error_memory;
	}
	bvhull_plane_corner* meet;
	uint32_t count;
	bv_status status =
		bvhull_intersect_half_spaces( c->space, c->space_count, s->frame, scratch, &meet, &count );
	if ( status == bv_ok && count > 0 )
	{
		c->error = -1;
		c->cost = 0;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const cover_corner* same = known && known->corner_count > 0
		                               ? bsearch( &meet[i], known->corner, known->corner_count,
		                                          sizeof *known->corner, compare_names )
		                               : NULL;
		bvhull_nearest nearest =
			same ? same->nearest : bvhull_find_nearest( s->hull, meet[i].at, BVB_ANY_VERTEX );
		double square = nearest.distance * nearest.distance;
		c->corner[i] = ( cover_corner ){ meet[i], nearest };
		c->cost += square * square * ( square * square );
		c->worst = nearest.distance > c->error ? i : c->worst;
		c->error = bvmath_max( nearest.distance, c->error );
	}
	c->corner_count = count;
	bvb_arena_destroy( scratch );
	return status;
}

static bv_vec3 away( const cover_corner* c )
{
	return bv_sub( c->meet.at, c->nearest.point );
}

// The hull's plane that the corner is farthest in front of.
static bvhull_half_space cut_by_face( searcher* s, const cover_corner* c, double* depth )
{
	uint32_t best = 0;
	*depth = -INFINITY;
	for ( uint32_t i = 0; i < s->hull->polygon_count; ++i )
	{
		const bvb_hull_polygon* polygon = &s->hull->polygons[i];
		double d = bv_dot( polygon->normal, c->meet.at ) - polygon->offset;
		best = d > *depth ? i : best;
		*depth = bvmath_max( d, *depth );
	}
	const bvb_hull_polygon* polygon = &s->hull->polygons[best];
	return ( bvhull_half_space ){ polygon->normal, polygon->offset, s->next_name++ };
}

// A plane of the hull's own that cuts nearly as much is better: near it nothing is left to cut.
static bvhull_half_space cut( searcher* s, const cover_corner* c, bool prefer_faces )
{
	if ( prefer_faces )
	{
		double depth;
		bvhull_half_space space = cut_by_face( s, c, &depth );
		if ( depth > 0.7 * c->nearest.distance )
		{
			return space;
		}
	}
	return touch( s, away( c ), c->nearest.vertex );
}

// Below this, distances are made of rounding.
static bool is_done( const cover* c )
{
	return !( c->error > 0x1p-40 );
}

// Brings the `count` farthest corners to the front of s->order. Few are wanted of many.
static void find_farthest( searcher* s, const cover* c, uint32_t count )
{
	for ( uint32_t i = 0; i < c->corner_count; ++i )
	{
		s->order[i] = i;
	}
	for ( uint32_t k = 0; k < count; ++k )
	{
		uint32_t best = k;
		for ( uint32_t i = k + 1; i < c->corner_count; ++i )
		{
			best = c->corner[s->order[i]].nearest.distance > c->corner[s->order[best]].nearest.distance
			           ? i
			           : best;
		}
		uint32_t other = s->order[k];
		s->order[k] = s->order[best];
		s->order[best] = other;
	}
}

// Cuts until there are as many planes as may be. With many planes several are added at a time.
static bv_status grow( searcher* s, bool prefer_faces, cover* c, cover* spare )
{
	bv_status status = evaluate( s, NULL, c );
	while ( status == bv_ok && c->corner_count > 0 && c->space_count < s->most && !is_done( c ) )
	{
		uint32_t count = 1 + c->space_count / 16;
		count = count < s->most - c->space_count ? count : s->most - c->space_count;
		count = count < c->corner_count ? count : c->corner_count;
		find_farthest( s, c, count );
		copy_spaces( spare, c );
		for ( uint32_t k = 0; k < count; ++k )
		{
			const cover_corner* far = &c->corner[s->order[k]];
			if ( k == 0 || far->nearest.distance > 0x1p-40 )
			{
				spare->space[spare->space_count++] = cut( s, far, prefer_faces );
			}
		}
		status = evaluate( s, c, spare );
		swap_covers( c, spare );
	}
	return status;
}

// The bodies to start from: a tetrahedron and a box in the hull's own frame, a box along the coordinate axes.
typedef struct start
{
	bool own_frame;
	uint32_t count;
	bv_vec3 direction[6];
} start;

static const start starts[] = {
	{ true, 6, { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } } },
	{ true, 4, { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } } },
	{ true, 4, { { -1, -1, -1 }, { -1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 } } },
	{ false, 6, { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } } },
};

static void begin_with( searcher* s, const start* from, cover* c )
{
	c->space_count = 0;
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		bv_vec3 d = from->direction[i];
		if ( from->own_frame )
		{
			const bvhull_round_frame* f = s->frame;
			d = bv_add( bv_add( bv_scale( d.x / f->scale[0], f->axis[0] ),
			                    bv_scale( d.y / f->scale[1], f->axis[1] ) ),
			            bv_scale( d.z / f->scale[2], f->axis[2] ) );
		}
		c->space[c->space_count++] = touch( s, d, BVB_ANY_VERTEX );
	}
}

static uint32_t find_space( const cover* c, uint32_t name )
{
	uint32_t i = 0;
	while ( c->space[i].name != name )
	{
		++i;
	}
	return i;
}

// Replaces half-space `index` by one turned towards the direction that cuts the worst corner best.
static bv_status tilt( searcher* s, const cover* c, uint32_t index, double step, cover* trial )
{
	const cover_corner* worst = &c->corner[c->worst];
	bv_vec3 d = away( worst );
	d = bv_scale( step / sqrt( bv_dot( d, d ) ), d );
	copy_spaces( trial, c );
	trial->space[index] =
		touch( s, bv_add( bv_scale( 1 - step, c->space[index].normal ), d ), worst->nearest.vertex );
	return evaluate( s, c, trial );
}

// Tries steps from the best so far until one makes the cost less.
static bv_status improve_once( searcher* s, cover* c, cover* trial, uint32_t* evaluations, bool* better )
{
	static const double steps[] = { 0.5, 0.2, 0.05, 0.01 };
	bv_status status = bv_ok;
	*better = false;
	for ( int i = 0; i < 12 && *evaluations > 0 && !*better && status == bv_ok; ++i, --*evaluations )
	{
		uint32_t index = find_space( c, c->corner[c->worst].meet.name[i % 3] );
		status = tilt( s, c, index, steps[i / 3], trial );
		*better = trial->cost < c->cost;
	}
	for ( uint32_t i = 0; i<c->space_count&& * evaluations> 0 && !*better && status == bv_ok;
	      ++i, --*evaluations )
	{
		status = tilt( s, c, i, 1, trial );
		*better = trial->cost < c->cost;
	}
	return status;
}

static bv_status improve( searcher* s, uint32_t effort, cover* c, cover* trial, cover* best )
{
	uint32_t evaluations = effort / c->space_count;
	bool better = true;
	bv_status status = bv_ok;
	copy_spaces( best, c );
	best->error = c->error;
	while ( better && evaluations > 0 && status == bv_ok && !is_done( c ) )
	{
		status = improve_once( s, c, trial, &evaluations, &better );
		if ( better )
		{
			swap_covers( c, trial );
		}
		if ( c->error < best->error )
		{
			copy_spaces( best, c );
			best->error = c->error;
		}
	}
	return status;
}

bv_status bvhull_cover( const bvb_hull_polygons* hull, const bvhull_round_frame* frame, uint32_t most,
                        uint32_t effort, bvb_arena* arena, bvhull_half_space* spaces, uint32_t* count )
{
	searcher s = { .hull = hull, .frame = frame, .most = most, .arena = arena };
	cover c;
	cover spare;
	cover best;
	s.order = bvb_arena_allocate( arena, 2 * (size_t)most, sizeof *s.order );
	if ( !s.order || !begin_cover( &s, &c ) || !begin_cover( &s, &spare ) || !begin_cover( &s, &best ) )
	{
		return bv_error_memory;
	}

	bv_status status = bv_ok;
	best.error = INFINITY;
	int tries = most > most_to_search || effort == 0 ? 1 : 2 * (int)( sizeof starts / sizeof *starts );
	for ( int i = 0; i < tries && status == bv_ok && !is_done( &best ); ++i )
	{
		const start* from = &starts[i / 2];
		if ( from->count <= most )
		{
			begin_with( &s, from, &c );
			status = grow( &s, i % 2 == 0, &c, &spare );
			if ( c.error < best.error )
			{
				swap_covers( &c, &best );
			}
		}
	}
	if ( status == bv_ok && best.error < INFINITY && most <= most_to_search )
	{
		swap_covers( &c, &best );
		status = improve( &s, effort, &c, &spare, &best );
	}
	*count = best.error < INFINITY ? best.space_count : 0;
	memcpy( spaces, best.space, *count * sizeof *spaces );
	return status;
}
