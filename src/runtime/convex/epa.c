// The expanding polytope algorithm. See epa.h.
//
// Based on: van den Bergen 2001; Leemann 2017, chapters 7 to 9, with these changes:
//   - Distances have signs. A polytope that does not contain the origin grows like any other, so that the search for
//     a first polytope that contains it is no step of its own, and shapes that only touch are no special case.
//   - Which faces a new vertex sees is decided by exact signs: see surface.h.
//   - Vertices and faces that are not on the polytope any more make room for others.
//   - The next query of the same pair can begin with the last polytope, moved to where its vertices are then: see resume.h.
//
// The polytope is on the stack, or in memory of the caller, where it can have more vertices.
//
// Upper bound: a translation along any direction by the support in it separates the shapes. Lower bound: the polytope
// is in the difference, and no point of a face is nearer to the origin than the lowest of its corners along any unit
// vector, as the linear function on the face has its minimum at a corner. Both bounds allow for rounding errors.

#include "runtime/convex/epa.h"

#include "runtime/convex/curved.h"
#include "runtime/convex/exact.h"
#include "runtime/convex/kept.h"
#include "runtime/convex/near.h"
#include "runtime/convex/surface.h"

#include <math.h>

enum
{
	most_on_stack = 69, // vertices
	few_on_stack = 48,
	most_rounds = 256, // with these, and with exact numbers
	rounds_per_vertex = 4,
};

typedef struct epa_search
{
	bvconvex_surface surface;
	int most_rounds;
	bool is_full;              // there was no room for another one
	bvconvex_epa_guess* guess; // null for none
	double upper;
	bv_vec3 normal; // of the upper bound
} epa_search;

static const bvconvex_pair* pair_of( const epa_search* s )
{
	return s->surface.difference.pair;
}

static bool is_exact( const epa_search* s )
{
	return s->surface.difference.exact;
}

static const bvconvex_gjk_vertex* corner_of( const epa_search* s, const bvconvex_surface_face* f, int i )
{
	return bvconvex_surface_corner( &s->surface, f, i );
}

static void take_upper( epa_search* s, double upper, bv_vec3 along )
{
	if ( upper < s->upper )
	{
		s->upper = upper;
		s->normal = bv_normalize( along );
	}
}

// Finds the vertex that is farthest along a direction, and takes it for an upper bound.
BVSIMD_NOINLINE bvconvex_gjk_vertex exact_bound( epa_search* s, const bvmath_exact3* along )
{
	bvconvex_gjk_vertex out = bvconvex_exact_support( pair_of( s ), along );
	take_upper( s, bvconvex_difference_exact_extent( &s->surface.difference, along, &out ),
	            bvmath_exact3_direction( along ) );
	return out;
}

BVSIMD_NOINLINE bvconvex_gjk_vertex exact_bound_along( epa_search* s, bv_vec3 along )
{
	bvmath_exact3 direction;
	bvmath_exact3_set( along, &direction );
	return exact_bound( s, &direction );
}

static bvconvex_gjk_vertex bound_along( epa_search* s, bv_vec3 along, const uint32_t near[2] )
{
	if ( is_exact( s ) )
	{
		return exact_bound_along( s, along );
	}
	bvconvex_gjk_vertex out = bvconvex_gjk_support( &pair_of( s )->search, bv_negate( along ), near );
	take_upper( s, bv_dot( along, out.at ) / bv_length( along ) + pair_of( s )->rounding, along );
	return out;
}

// The same along the normal of a face.
BVSIMD_NOINLINE bvconvex_gjk_vertex exact_bound_of( epa_search* s, const bvconvex_surface_face* f )
{
	bvmath_exact3 normal;
	bvconvex_difference_exact_normal( &s->surface.difference, corner_of( s, f, 0 ), corner_of( s, f, 1 ),
	                                  corner_of( s, f, 2 ), &normal );
	return exact_bound( s, &normal );
}

static bvconvex_gjk_vertex bound_of( epa_search* s, const bvconvex_surface_face* f )
{
	return is_exact( s )
	           ? exact_bound_of( s, f )
	           : bound_along( s, bvconvex_surface_normal( &s->surface, f ), corner_of( s, f, 0 )->name );
}

// How far a point is from the hull of the first vertices, in any unit: 0 only if it is in their plane, line or point.
typedef double epa_measure( const epa_search* s, const bvconvex_gjk_vertex* v );

static double from_point( const epa_search* s, const bvconvex_gjk_vertex* v )
{
	return bv_length( bv_sub( v->at, s->surface.vertex[0].of.at ) );
}

static double from_line( const epa_search* s, const bvconvex_gjk_vertex* v )
{
	const bvconvex_gjk_vertex* a = &s->surface.vertex[0].of;
	const bvconvex_gjk_vertex* b = &s->surface.vertex[1].of;
	bv_vec3 along = bv_sub( b->at, a->at );
	bv_vec3 across = bv_cross( along, bv_sub( v->at, a->at ) );
	double reach = bvmath_norm1( along ) * from_point( s, v );
	bool is_on = !( bvmath_norm1( across ) > 0x1p-24 * reach ) &&
	             bvmath_is_zero( bvconvex_difference_exact_direction( &s->surface.difference, a, b, v ) );
	return is_on ? 0 : bv_length( across ) + 0x1p-1000;
}

static double from_plane( const epa_search* s, const bvconvex_gjk_vertex* v )
{
	const bvconvex_difference* d = &s->surface.difference;
	const bvconvex_gjk_vertex* w[3];
	for ( int i = 0; i < 3; ++i )
	{
		w[i] = &s->surface.vertex[i].of;
		if ( w[i]->at.x == v->at.x && w[i]->at.y == v->at.y && w[i]->at.z == v->at.z )
		{
			return 0; // as is often asked, and would take exact arithmetic to find out
		}
	}
	if ( bvconvex_difference_side( d, w[0], w[1], w[2], v ) == 0 )
	{
		return 0;
	}
	bv_vec3 normal = bvconvex_difference_normal( d, w[0], w[1], w[2] );
	return fabs( bv_dot( normal, bv_sub( v->at, w[0]->at ) ) ) + 0x1p-1000;
}

// Finds the vertex of the start that is worth most or, if none is worth anything, one along or against some
// directions.
static bool find_vertex( epa_search* s, const bvconvex_gjk_simplex* start, const bv_vec3* directions,
                         int count, epa_measure* worth, bvconvex_gjk_vertex* best )
{
	double most = 0;
	for ( int i = 0; i < start->count; ++i )
	{
		double value = worth( s, start->vertex + i );
		*best = value > most ? start->vertex[i] : *best;
		most = bvmath_max( most, value );
	}
	for ( int i = 0; i < 2 * count && !( most > 0 ); ++i )
	{
		bv_vec3 along = i % 2 ? bv_negate( directions[i / 2] ) : directions[i / 2];
		*best = bound_along( s, along, start->vertex[0].name );
		most = worth( s, best );
	}
	return most > 0;
}

// Unit vectors that with `along` are a basis.
static void complete( bv_vec3 along, bv_vec3 out[2] )
{
	bv_vec3 size = { fabs( along.x ), fabs( along.y ), fabs( along.z ) };
	bool x = size.x <= size.y && size.x <= size.z;
	bool y = !x && size.y <= size.z;
	out[0] = bv_normalize( bv_cross( bv_normalize( along ), ( bv_vec3 ){ x, y, !x && !y } ) );
	out[1] = bv_normalize( bv_cross( bv_normalize( along ), out[0] ) );
}

// Makes the first vertices those of a simplex of as many dimensions as the difference has.
// @return how many vertices: 4 unless the difference is flat
static int find_simplex( epa_search* s, const bvconvex_gjk_simplex* start )
{
	const bvconvex_difference* d = &s->surface.difference;
	bvconvex_gjk_vertex* v[4];
	bv_vec3 direction[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int i = 0; i < 4; ++i )
	{
		v[i] = &s->surface.vertex[bvconvex_surface_free_vertex( &s->surface )].of;
	}
	if ( start->count == 4 )
	{
		for ( int i = 0; i < 4; ++i )
		{
			*v[i] = start->vertex[i];
		}
		if ( bvconvex_difference_side( d, v[0], v[1], v[2], v[3] ) != 0 )
		{
			return 4;
		}
	}
	*v[0] = start->vertex[0];
	if ( !find_vertex( s, start, direction, 3, from_point, v[1] ) )
	{
		return 1;
	}
	complete( bv_sub( v[1]->at, v[0]->at ), direction );
	if ( !find_vertex( s, start, direction, 2, from_line, v[2] ) )
	{
		return 2;
	}
	direction[0] = bvconvex_difference_normal( d, v[0], v[1], v[2] );
	return find_vertex( s, start, direction, 1, from_plane, v[3] ) ? 4 : 3;
}

// The second shape, moved away from the first.
typedef struct moved_body
{
	bvconvex_support_function* support;
	const void* shape;
	bv_vec3 by;
} moved_body;

static bvconvex_support moved_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const moved_body* m = shape;
	bvconvex_support out = m->support( m->shape, along, near );
	out.at = bv_add( out.at, m->by );
	return out;
}

// The points of both shapes that touch when the second has been moved by the depth: the nearest ones when it is moved
// farther. A face of the difference can be much larger than that of the polytope.
static void describe( const epa_search* s, const bvconvex_surface_face* f, double relative,
                      bvconvex_depth* out )
{
	const bvconvex_gjk_pair* search = &pair_of( s )->search;
	double height = bvmath_max( s->upper, 0x1p20 * pair_of( s )->rounding );
	const moved_body moved = { search->support[1], search->shape[1], bv_scale( 2 * height, s->normal ) };
	bvconvex_gjk_pair apart = *search;
	apart.support[1] = moved_support;
	apart.shape[1] = &moved;
	apart.solve = bvconvex_gjk_solve;
	bvconvex_gjk_result found;
	found.lower = 0;
	found.along = ( bv_vec3 ){ 0, 0, 0 };
	found.room->count = 3;
	for ( int i = 0; i < 3; ++i )
	{
		found.room->vertex[i] = *corner_of( s, f, i );
		found.room->vertex[i].at = bv_sub( found.room->vertex[i].at, moved.by );
	}
	apart.solve( found.room );
	found.nearest = found.room;
	double foot = 2 * height - s->upper + pair_of( s )->rounding;
	if ( !( bv_length( found.room->nearest ) <= foot * ( 1 + 0x1p-44 ) ) )
	{
		bvconvex_gjk_continue( &apart, 0, 0x1p-40, &found );
	}
	bvconvex_gjk_describe( found.nearest, out->point );
	out->point[1] = bv_sub( out->point[1], moved.by );
	// What is sideways hardly counts unless the depth is as small.
	bv_vec3 between = bv_sub( out->point[0], out->point[1] );
	bv_vec3 rest = bv_sub( between, bv_scale( s->upper, s->normal ) );
	double rounding = pair_of( s )->rounding;
	double depth = is_exact( s ) ? s->upper : s->upper - rounding; // as supports tell
	double off = fabs( bv_length( between ) - fabs( depth ) );
	out->is_rough = pair_of( s )->polytopes && ( bvmath_norm1( rest ) > 4 * rounding + relative * s->upper ||
	                                             off > 0x1p-5 * rounding + relative * s->upper );
	out->nearest = *found.nearest;
	// The normal is that of a face only to the width of the interval, and points are off sideways by as much of the way. Exact
	// arithmetic needs no long one.
	out->moved = bv_scale( 2 * bvmath_max( s->upper, rounding ), s->normal );
}

// @return a bound of the heights of all faces; 0 if the origin is in front of one
static double certain_lower( const epa_search* s )
{
	static const bvconvex_gjk_vertex origin = { .name = { 0, 0 } };
	const bvconvex_surface* p = &s->surface;
	double lower = INFINITY;
	for ( int i = 0; i < p->faces; ++i )
	{
		lower = bvmath_min( lower, p->face[i].height );
	}
	lower -= is_exact( s ) ? 0 : pair_of( s )->rounding;
	for ( int i = 0; i < p->faces && lower > 0 && !is_exact( s ); ++i )
	{
		bool front = bvconvex_surface_is_used( p, i ) && bvconvex_surface_sees( p, &origin, p->face + i );
		lower = front ? 0 : lower;
	}
	return bvmath_max( lower, 0 );
}

// @param far  the support point along the face's normal
// @return whether the support point in the guessed direction is where the guess is
BVSIMD_NOINLINE bool is_guessed( epa_search* s, const bvconvex_surface_face* f,
                                 const bvconvex_gjk_vertex* far, double relative )
{
	const bv_vec3 vertex[4] = { corner_of( s, f, 0 )->at, corner_of( s, f, 1 )->at, corner_of( s, f, 2 )->at,
		                        far->at };
	bv_vec3 along;
	double depth = s->guess( vertex, f->height, s->upper, &along );
	if ( !( depth > 0 ) )
	{
		return false;
	}
	bound_along( s, along, far->name );
	return s->upper <= ( 1 + relative ) * depth + pair_of( s )->rounding;
}

// Expands the lowest face as long as there is a vertex in front of it.
// @return the last one
static const bvconvex_surface_face* expand( epa_search* s, double relative )
{
	bvconvex_surface* p = &s->surface;
	const bvconvex_surface_face* f = NULL;
	s->is_full = false;
	int rounds = is_exact( s ) ? most_rounds : s->most_rounds;
	for ( int round = 0; round < rounds; ++round )
	{
		int face = bvconvex_surface_lowest( p );
		f = p->face + face;
		bvconvex_gjk_vertex next = bound_of( s, f );
		double rise = s->upper - f->height - ( is_exact( s ) ? 0 : pair_of( s )->rounding );
		if ( rise <= relative * fabs( f->height ) || !bvconvex_surface_sees( p, &next, f ) )
		{
			break;
		}
		if ( s->guess && !is_exact( s ) && is_guessed( s, f, &next, relative ) )
		{
			break;
		}
		int place = bvconvex_surface_free_vertex( p );
		s->is_full = place == bvconvex_surface_none || round == rounds - 1;
		if ( place == bvconvex_surface_none )
		{
			break;
		}
		p->vertex[place].of = next;
		if ( !bvconvex_surface_insert( p, face, place ) )
		{
			break;
		}
	}
	return f;
}

// @param last  receives the last face; null if the difference is flat
static const bvconvex_surface_face* find_depth( epa_search* s, const bvconvex_gjk_simplex* start,
                                                double relative, bvconvex_depth* out )
{
	const bvconvex_surface_face* last = NULL;
	bvconvex_surface_clear( &s->surface );
	s->upper = INFINITY;
	s->normal = ( bv_vec3 ){ 1, 0, 0 };
	out->lower = 0;
	int count = find_simplex( s, start );
	if ( count == 4 )
	{
		bvconvex_surface_begin( &s->surface );
		last = expand( s, relative );
		out->lower = certain_lower( s );
		describe( s, last, relative, out );
	}
	else
	{
		bvconvex_gjk_describe( start, out->point );
		out->is_rough = is_exact( s );
		out->nearest = *start;
		out->moved = ( bv_vec3 ){ 0, 0, 0 };
	}
	if ( count == 3 )
	{
		// Directions that a flat difference has no extent in are known exactly.
		const bvconvex_surface_face f = { .vertex = { 0, 1, 2 } };
		const bvconvex_surface_face back = { .vertex = { 0, 2, 1 } };
		bound_of( s, &f );
		bound_of( s, &back );
	}
	out->upper = s->upper;
	out->normal = s->normal;
	return last;
}

// Where rounding errors are not small beside the depth, bounds are computed in twice the precision.
static void narrow( const epa_search* s, const bvconvex_surface_face* last, bvconvex_depth* out )
{
	const bvconvex_surface* p = &s->surface;
	const uint32_t* name[3];
	bv_vec3 normal;
	for ( int i = 0; i < 3; ++i )
	{
		name[i] = corner_of( s, last, i )->name;
	}
	bvconvex_near_height( pair_of( s ), name, &normal );
	if ( bvmath_norm1( normal ) > 0 )
	{
		double upper = bvconvex_near_support( pair_of( s ), normal, name[0] );
		out->normal = upper < out->upper ? bv_normalize( normal ) : out->normal;
		out->upper = bvmath_min( out->upper, upper );
	}
	double lower = INFINITY;
	for ( int i = 0; i < p->faces; ++i )
	{
		double least = p->face[i].height - pair_of( s )->rounding;
		if ( bvconvex_surface_is_used( p, i ) && !( least > out->upper ) )
		{
			for ( int k = 0; k < 3; ++k )
			{
				name[k] = corner_of( s, p->face + i, k )->name;
			}
			least = bvconvex_near_height( pair_of( s ), name, &normal );
		}
		lower = bvmath_min( lower, least );
	}
	out->lower = bvmath_max( out->lower, bvmath_min( lower, out->upper ) );
}

static bool is_wide( const bvconvex_pair* pair, double relative, const bvconvex_depth* out )
{
	return out->upper - out->lower > 2 * relative * out->upper + 0x1p-8 * pair->rounding;
}

// What is to be found.
typedef struct epa_task
{
	const bvconvex_pair* pair;
	const bvconvex_gjk_simplex* start;
	double relative;
	bvconvex_epa_guess* guess; // null for none
	bv_convex_cache* cache;    // null for none
	bvconvex_depth* out;
} epa_task;

static const bvconvex_surface_face* find_in_binary( epa_search* s, const epa_task* t )
{
	s->surface.difference.exact = false;
	const bvconvex_surface_face* last = find_depth( s, t->start, t->relative, t->out );
	if ( last && t->pair->polytopes && is_wide( t->pair, t->relative, t->out ) )
	{
		narrow( s, last, t->out );
	}
	return last;
}

static void expand_from( epa_search* s, const epa_task* t )
{
	const bvconvex_surface_face* last = find_in_binary( s, t );
	if ( last && t->cache && t->pair->polytopes )
	{
		bvconvex_kept_store( &s->surface, last, t->cache );
	}
	// Exact vertices take as much room.
	bool lacks_room = s->is_full && t->out->upper - t->out->lower > 0x1p10 * t->pair->rounding;
	if ( t->pair->polytopes && is_wide( t->pair, t->relative, t->out ) && !lacks_room )
	{
		s->surface.difference.exact = true;
		find_depth( s, t->start, t->relative, t->out );
		if ( !( t->out->upper < INFINITY ) ) // numbers of too many digits are lost
		{
			find_in_binary( s, t );
			t->out->is_rough = false;
		}
	}
}

// @param room  for the polytope
static void expand_in( const bvconvex_surface* room, int rounds, const epa_task* t )
{
	epa_search s = { .surface = *room, .most_rounds = rounds, .guess = t->guess };
	s.surface.difference.pair = t->pair;
	expand_from( &s, t );
}

// In functions of their own, so that what follows does not stand on top of the polytope.
BVSIMD_NOINLINE void expand_on_stack( const epa_task* t )
{
	bvconvex_surface_vertex vertex[most_on_stack];
	bvconvex_surface_face face[BVCONVEX_SURFACE_FACES( most_on_stack )];
	bvconvex_surface_block block[BVCONVEX_SURFACE_BLOCKS( most_on_stack )];
	const bvconvex_surface room = {
		.vertex = vertex,
		.face = face,
		.block = block,
		.most_vertices = most_on_stack,
	};
	expand_in( &room, most_rounds, t );
}

BVSIMD_NOINLINE void expand_roughly( const epa_task* t )
{
	bvconvex_surface_vertex vertex[few_on_stack];
	bvconvex_surface_face face[BVCONVEX_SURFACE_FACES( few_on_stack )];
	bvconvex_surface_block block[BVCONVEX_SURFACE_BLOCKS( few_on_stack )];
	const bvconvex_surface room = {
		.vertex = vertex,
		.face = face,
		.block = block,
		.most_vertices = few_on_stack,
	};
	expand_in( &room, most_rounds, t );
}

BVSIMD_NOINLINE void expand_in_scratch( const epa_task* t )
{
	bvconvex_surface room = { .vertices = 0 };
	bvconvex_surface_use( t->pair->scratch, t->pair->scratch_bytes, &room );
	expand_in( &room, rounds_per_vertex * room.most_vertices, t );
}

static void describe_exactly( const bvconvex_pair* pair, bvconvex_depth* out )
{
	bvconvex_exact_gap gap;
	bvconvex_exact_distance( pair, &out->nearest, &out->moved, &gap );
	if ( gap.known && gap.count > 0 )
	{
		bvconvex_exact_describe( pair, &gap, out->point );
	}
}

static void find( const epa_task* t )
{
	t->out->is_rough = false;
	if ( t->pair->scratch )
	{
		expand_in_scratch( t );
	}
	else
	{
		expand_on_stack( t );
	}
	if ( !t->pair->polytopes )
	{
		bvconvex_descend( t->pair, t->relative, t->out );
	}
	if ( t->out->is_rough )
	{
		describe_exactly( t->pair, t->out );
	}
}

void bvconvex_epa( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                   bv_convex_cache* cache, bvconvex_depth* out )
{
	const epa_task t = { .pair = pair, .start = start, .relative = relative, .cache = cache, .out = out };
	find( &t );
}

void bvconvex_epa_roughly( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                           bvconvex_depth* out )
{
	const epa_task t = { .pair = pair, .start = start, .relative = relative, .out = out };
	out->is_rough = false;
	expand_roughly( &t );
	if ( !pair->polytopes )
	{
		bvconvex_descend( pair, relative, out );
	}
}

void bvconvex_epa_guided( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                          bvconvex_epa_guess* guess, bvconvex_depth* out )
{
	const epa_task t = { .pair = pair, .start = start, .relative = relative, .guess = guess, .out = out };
	find( &t );
}
