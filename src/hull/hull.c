// Convex hulls: the set's dimension is decided first, then a polygon or a polyhedron is built, every decision exact.
//
// A set is flat when all of its points lie in one plane exactly; its polygon is found by Andrew's monotone chain
// (1979) in a coordinate plane. All other sets, however thin, are polyhedra, built by Quickhull (Barber, Dobkin,
// Huhdanpaa 1996, section 2): each facet keeps the points outside of it, and the farthest is joined to its horizon.
// Facets that contain the new point in their plane count as visible, so that the corners at the end are exactly the
// extreme points: none inside a face or an edge. No facets are merged and nothing is joggled, because the signs of
// all determinants are those of exact arithmetic: a rounded value decides where its error bound allows, an expansion
// elsewhere (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates").
// So every input point is enclosed exactly, and the result is the same on every processor.

#include "bvbuild/hull.h"

#include "base/core/vec.h"
#include "base/offline/error.h"
#include "hull/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

// A plane through three points, counter-clockwise seen from its outer side.
typedef struct plane
{
	bv_vec3 a;
	bv_vec3 b;
	bv_vec3 c;
	bv_vec3 normal; // (b - a) x (c - a), rounded
	bv_vec3 spread; // the same with all products positive, which bounds the normal's error
} plane;

static plane make_plane( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 u = bv_sub( b, a );
	bv_vec3 v = bv_sub( c, a );
	bv_vec3 p = { fabs( u.x ), fabs( u.y ), fabs( u.z ) };
	bv_vec3 q = { fabs( v.x ), fabs( v.y ), fabs( v.z ) };
	bv_vec3 spread = { p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x };
	return ( plane ){ .a = a, .b = b, .c = c, .normal = bv_cross( u, v ), .spread = spread };
}

// Positive outside of the plane, negative inside, 0 in it; the sign is exact. Between points outside of the same
// plane the value compares their distances.
static double height( const plane* s, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, s->a );
	double value = bv_dot( s->normal, d );
	double sum = ( s->spread.x * fabs( d.x ) + s->spread.y * fabs( d.y ) ) + s->spread.z * fabs( d.z );
	// With u = 2^-53 a component of the normal errs by 4u of its spread, the difference, the product and the two sums
	// add 4u: 8u of the sum, which the bound doubles. Where the sum is 0 every product is 0 exactly.
	if ( fabs( value ) > 0x1p-49 * sum || sum == 0 )
	{
		return value;
	}
	return bvb_exact_volume( s->a, s->b, s->c, point );
}

// The six-fold volume of a tetrahedron to near full precision, also where it is all but flat.
static double accurate_height( const plane* s, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, s->a );
	double value = bv_dot( s->normal, d );
	double sum = ( s->spread.x * fabs( d.x ) + s->spread.y * fabs( d.y ) ) + s->spread.z * fabs( d.z );
	return fabs( value ) > 0x1p-5 * sum ? value : bvb_exact_volume( s->a, s->b, s->c, point );
}

// The largest component is scaled to about 1, so that no square underflows.
static double length( bv_vec3 v )
{
	double largest = fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) );
	if ( largest == 0 )
	{
		return 0;
	}
	int exponent;
	frexp( largest, &exponent );
	bv_vec3 unit = { ldexp( v.x, -exponent ), ldexp( v.y, -exponent ), ldexp( v.z, -exponent ) };
	return ldexp( sqrt( bv_dot( unit, unit ) ), exponent );
}

// A triangle of the growing polyhedron.
typedef struct facet
{
	plane plane;
	uint32_t corner[3];
	uint32_t neighbour[3]; // across the side from corner i to corner i + 1
	uint32_t outside;      // first of a list of points that are strictly outside, none if there are no more
	uint32_t farthest;     // the one of them to add next
	double distance;       // its height
	uint32_t previous;     // in the queue of facets with points outside
	uint32_t next;         // in that queue, or in the list of unused facets
	uint32_t round;        // in which it was last classified
	bool visible;          // result of that
	bool alive;            // a facet of the hull, not an unused place
} facet;

// A side between a facet that the new point sees and one that stays.
typedef struct rim_side
{
	uint32_t from;
	uint32_t to;
	uint32_t beyond; // the facet that stays
} rim_side;

typedef struct list
{
	uint32_t* item;
	uint32_t count;
	uint32_t capacity;
} list;

typedef struct builder
{
	bvb_arena* scratch;
	const bv_vec3* point; // scaled copies of the input
	uint32_t* next_point; // per point: of the list it is in
	uint32_t* cone_start; // per point: the facet of the new cone whose side on the rim begins there
	facet* facet;
	uint32_t facet_count; // places in use, alive or not
	uint32_t facet_capacity;
	uint32_t unused; // first of a list of places
	uint32_t queue_first;
	uint32_t queue_last;
	uint32_t round;
	list visible;
	list cone;
	rim_side* rim;
	uint32_t rim_count;
	uint32_t rim_capacity;
} builder;

// Makes room for one more. The old copy stays in the arena until the end, which costs no more than the new one.
static void* grow( bvb_arena* scratch, void* old, uint32_t count, uint32_t* capacity, size_t size )
{
	if ( count < *capacity )
	{
		return old;
	}
	uint32_t larger = count ? 2 * count : 64;
	void* result = count < none / 2 ? bvb_arena_allocate( scratch, larger, size ) : NULL;
	if ( result )
	{
		if ( count )
		{
			memcpy( result, old, count * size );
		}
		*capacity = larger;
	}
	return result;
}

static bool push( bvb_arena* scratch, list* l, uint32_t value )
{
	uint32_t* item = grow( scratch, l->item, l->count, &l->capacity, sizeof *item );
	if ( !item )
	{
		return false;
	}
	l->item = item;
	l->item[l->count++] = value;
	return true;
}

static void enqueue( builder* b, uint32_t index )
{
	facet* f = &b->facet[index];
	f->previous = b->queue_last;
	f->next = none;
	if ( b->queue_last == none )
	{
		b->queue_first = index;
	}
	else
	{
		b->facet[b->queue_last].next = index;
	}
	b->queue_last = index;
}

static void dequeue( builder* b, uint32_t index )
{
	const facet* f = &b->facet[index];
	if ( f->previous == none )
	{
		b->queue_first = f->next;
	}
	else
	{
		b->facet[f->previous].next = f->next;
	}
	if ( f->next == none )
	{
		b->queue_last = f->previous;
	}
	else
	{
		b->facet[f->next].previous = f->previous;
	}
}

// @return the new facet's index, or none when out of memory
static uint32_t new_facet( builder* b, uint32_t i, uint32_t j, uint32_t k )
{
	uint32_t index = b->unused;
	if ( index != none )
	{
		b->unused = b->facet[index].next;
	}
	else
	{
		facet* place = grow( b->scratch, b->facet, b->facet_count, &b->facet_capacity, sizeof *place );
		if ( !place )
		{
			return none;
		}
		b->facet = place;
		index = b->facet_count++;
	}
	b->facet[index] = ( facet ){
		.plane = make_plane( b->point[i], b->point[j], b->point[k] ),
		.corner = { i, j, k },
		.neighbour = { none, none, none },
		.outside = none,
		.round = b->round,
		.alive = true,
	};
	return index;
}

static void drop_facet( builder* b, uint32_t index )
{
	facet* f = &b->facet[index];
	f->alive = false;
	f->next = b->unused;
	b->unused = index;
}

// Gives each point of a list to the first of the new facets that it is strictly outside of. A point that was
// outside of a dropped facet and sees none of the new ones is inside by now: if it still saw a facet that stays, it
// would see both sides of a piece of the rim, and so the new facet through it.
static void hand_out( builder* b, uint32_t first )
{
	for ( uint32_t q = first, following; q != none; q = following )
	{
		following = b->next_point[q];
		for ( uint32_t i = 0; i < b->cone.count; ++i )
		{
			facet* f = &b->facet[b->cone.item[i]];
			double distance = height( &f->plane, b->point[q] );
			if ( distance > 0 )
			{
				if ( f->outside == none || distance > f->distance ||
				     ( distance == f->distance && q < f->farthest ) )
				{
					f->distance = distance;
					f->farthest = q;
				}
				b->next_point[q] = f->outside;
				f->outside = q;
				break;
			}
		}
	}
	for ( uint32_t i = 0; i < b->cone.count; ++i )
	{
		if ( b->facet[b->cone.item[i]].outside != none )
		{
			enqueue( b, b->cone.item[i] );
		}
	}
}

// Collects the facets whose outer side the point is on, or whose plane it is in, and the rim around them.
static bool find_visible( builder* b, uint32_t first, uint32_t apex )
{
	++b->round;
	b->visible.count = 0;
	b->rim_count = 0;
	b->facet[first].round = b->round;
	b->facet[first].visible = true;
	if ( !push( b->scratch, &b->visible, first ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < b->visible.count; ++i )
	{
		const facet* f = &b->facet[b->visible.item[i]];
		for ( int side = 0; side < 3; ++side )
		{
			facet* g = &b->facet[f->neighbour[side]];
			if ( g->round != b->round )
			{
				g->round = b->round;
				g->visible = height( &g->plane, b->point[apex] ) >= 0;
				if ( g->visible && !push( b->scratch, &b->visible, f->neighbour[side] ) )
				{
					return false;
				}
			}
			if ( !g->visible )
			{
				rim_side* rim = grow( b->scratch, b->rim, b->rim_count, &b->rim_capacity, sizeof *rim );
				if ( !rim )
				{
					return false;
				}
				b->rim = rim;
				b->rim[b->rim_count++] =
					( rim_side ){ f->corner[side], f->corner[( side + 1 ) % 3], f->neighbour[side] };
			}
		}
	}
	return true;
}

// Drops the visible facets.
// @return the list of the points that were outside of them, without the apex
static uint32_t drop_visible( builder* b, uint32_t apex )
{
	uint32_t orphans = none;
	for ( uint32_t i = 0; i < b->visible.count; ++i )
	{
		uint32_t index = b->visible.item[i];
		uint32_t first = b->facet[index].outside;
		if ( first != none )
		{
			dequeue( b, index );
		}
		for ( uint32_t q = first, following; q != none; q = following )
		{
			following = b->next_point[q];
			if ( q != apex )
			{
				b->next_point[q] = orphans;
				orphans = q;
			}
		}
		drop_facet( b, index );
	}
	return orphans;
}

// Makes `inner` the neighbour of `outer` across the side that runs from `from`.
static bool set_neighbour( builder* b, uint32_t outer, uint32_t from, uint32_t inner )
{
	for ( int side = 0; side < 3; ++side )
	{
		if ( b->facet[outer].corner[side] == from )
		{
			b->facet[outer].neighbour[side] = inner;
			return true;
		}
	}
	return false;
}

// Joins the apex to the rim. Facets of the cone are ( from, to, apex ).
static bv_status build_cone( builder* b, uint32_t apex )
{
	b->cone.count = 0;
	for ( uint32_t i = 0; i < b->rim_count; ++i )
	{
		rim_side side = b->rim[i];
		uint32_t index = new_facet( b, side.from, side.to, apex );
		if ( index == none || !push( b->scratch, &b->cone, index ) )
		{
			return bv_error_memory;
		}
		b->facet[index].neighbour[0] = side.beyond;
		b->cone_start[side.from] = index;
		if ( !set_neighbour( b, side.beyond, side.to, index ) )
		{
			return bv_error_internal;
		}
	}
	for ( uint32_t i = 0; i < b->cone.count; ++i )
	{
		uint32_t index = b->cone.item[i];
		uint32_t following = b->cone_start[b->facet[index].corner[1]];
		facet* f = &b->facet[following];

		// The rim is one simple cycle, as long as the determinants' signs are right.
		if ( f->round != b->round || f->corner[2] != apex || f->neighbour[2] != none )
		{
			return bv_error_internal;
		}
		b->facet[index].neighbour[1] = following;
		f->neighbour[2] = index;
	}
	return bv_ok;
}

// The first polyhedron; `corner` is not flat.
static bv_status build_tetrahedron( builder* b, const uint32_t corner[4], uint32_t count )
{
	static const uint32_t face[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
	static const uint32_t across[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
	plane base = make_plane( b->point[corner[0]], b->point[corner[1]], b->point[corner[2]] );
	bool above = height( &base, b->point[corner[3]] ) > 0;
	uint32_t order[4] = { corner[0], corner[above ? 2 : 1], corner[above ? 1 : 2], corner[3] };
	for ( int i = 0; i < 4; ++i )
	{
		uint32_t index = new_facet( b, order[face[i][0]], order[face[i][1]], order[face[i][2]] );
		if ( index == none || !push( b->scratch, &b->cone, index ) )
		{
			return bv_error_memory;
		}
		memcpy( b->facet[index].neighbour, across[i], sizeof across[i] );
	}
	uint32_t all = none;
	for ( uint32_t q = count; q-- > 0; )
	{
		b->next_point[q] = all;
		all = q;
	}
	hand_out( b, all );
	return bv_ok;
}

// Adds points until none is outside. Every round adds one for good, so there are at most as many rounds as points.
static bv_status build_polyhedron( builder* b, const uint32_t corner[4], uint32_t count )
{
	bv_status status = build_tetrahedron( b, corner, count );
	while ( status == bv_ok && b->queue_first != none )
	{
		uint32_t apex = b->facet[b->queue_first].farthest;
		if ( !find_visible( b, b->queue_first, apex ) )
		{
			return bv_error_memory;
		}
		uint32_t orphans = drop_visible( b, apex );
		status = build_cone( b, apex );
		if ( status == bv_ok )
		{
			hand_out( b, orphans );
		}
	}
	return status;
}

// Numbers the corners in ascending order and measures. Lengths are those of the scaled points times 2^exponent.
static bv_status emit_polyhedron( const builder* b, uint32_t count, int exponent, bvb_arena* arena,
                                  bvb_hull* out )
{
	uint32_t* number = b->next_point;
	memset( number, 0, count * sizeof *number );
	for ( uint32_t i = 0; i < b->facet_count; ++i )
	{
		for ( int k = 0; k < 3 && b->facet[i].alive; ++k )
		{
			out->vertex_count += number[b->facet[i].corner[k]] == 0;
			number[b->facet[i].corner[k]] = 1;
		}
		out->face_count += b->facet[i].alive;
	}
	out->vertices = bvb_arena_allocate( arena, out->vertex_count, sizeof *out->vertices );
	out->faces = bvb_arena_allocate( arena, out->face_count, sizeof *out->faces );
	if ( !out->vertices || !out->faces )
	{
		return bv_error_memory;
	}
	uint32_t vertices = 0;
	for ( uint32_t q = 0; q < count; ++q )
	{
		if ( number[q] )
		{
			number[q] = vertices;
			out->vertices[vertices++] = q;
		}
	}

	uint32_t faces = 0;
	bv_vec3 inside = b->point[out->vertices[0]];
	for ( uint32_t i = 0; i < b->facet_count; ++i )
	{
		const facet* f = &b->facet[i];
		if ( f->alive )
		{
			// The least corner first, so that a face has one form.
			int first = f->corner[1] < f->corner[0] ? 1 : 0;
			first = f->corner[2] < f->corner[first] ? 2 : first;
			for ( int k = 0; k < 3; ++k )
			{
				out->faces[faces].corner[k] = number[f->corner[( first + k ) % 3]];
			}
			++faces;
			out->area += 0.5 * length( f->plane.normal );
			out->volume -= accurate_height( &f->plane, inside );
		}
	}
	out->area = ldexp( out->area, 2 * exponent );
	out->volume = ldexp( out->volume / 6, 3 * exponent );
	return bv_ok;
}

// A point of a flat set, seen along an axis.
typedef struct flat_point
{
	double at[2];
	uint32_t index;
} flat_point;

static int compare_flat( const void* left, const void* right )
{
	const flat_point* a = left;
	const flat_point* b = right;
	for ( int i = 0; i < 2; ++i )
	{
		if ( a->at[i] != b->at[i] )
		{
			return a->at[i] < b->at[i] ? -1 : 1;
		}
	}
	return ( a->index > b->index ) - ( a->index < b->index );
}

// Extends a convex chain from `chain[base]` by `p`, which comes after all of it in order.
static uint32_t extend_chain( flat_point* chain, uint32_t base, uint32_t length_of_chain, flat_point p )
{
	while ( length_of_chain >= base + 2 &&
	        bvb_exact_turn( chain[length_of_chain - 2].at, chain[length_of_chain - 1].at, p.at ) <= 0 )
	{
		--length_of_chain;
	}
	chain[length_of_chain] = p;
	return length_of_chain + 1;
}

// The axis along which to look: of those that do not show the plane edge-on, where the normal is longest.
static int viewing_axis( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
	int best = -1;
	for ( int axis = 0; axis < 3; ++axis )
	{
		int u = ( axis + 1 ) % 3;
		int v = ( axis + 2 ) % 3;
		double area = bvb_exact_turn( ( double[2] ){ bv_component( a, u ), bv_component( a, v ) },
		                              ( double[2] ){ bv_component( b, u ), bv_component( b, v ) },
		                              ( double[2] ){ bv_component( c, u ), bv_component( c, v ) } );
		if ( area != 0 &&
		     ( best < 0 || fabs( bv_component( normal, axis ) ) > fabs( bv_component( normal, best ) ) ) )
		{
			best = axis;
		}
	}
	return best;
}

// Looking along a coordinate axis maps the plane one to one, so the corners seen are the corners.
static bv_status emit_polygon( const bv_vec3* point, uint32_t count, const uint32_t corner[3], int exponent,
                               bvb_arena* scratch, bvb_arena* arena, bvb_hull* out )
{
	flat_point* sorted = bvb_arena_allocate( scratch, count, sizeof *sorted );
	flat_point* chain = bvb_arena_allocate( scratch, (size_t)count + 1, sizeof *chain );
	if ( !sorted || !chain )
	{
		return bv_error_memory;
	}
	int axis = viewing_axis( point[corner[0]], point[corner[1]], point[corner[2]] );
	if ( axis < 0 )
	{
		return bv_error_internal;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		sorted[i] = ( flat_point ){
			{ bv_component( point[i], ( axis + 1 ) % 3 ), bv_component( point[i], ( axis + 2 ) % 3 ) }, i
		};
	}
	qsort( sorted, count, sizeof *sorted, compare_flat );
	uint32_t distinct = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( distinct == 0 || sorted[i].at[0] != sorted[distinct - 1].at[0] ||
		     sorted[i].at[1] != sorted[distinct - 1].at[1] )
		{
			sorted[distinct++] = sorted[i];
		}
	}

	uint32_t corners = 0;
	for ( uint32_t i = 0; i < distinct; ++i )
	{
		corners = extend_chain( chain, 0, corners, sorted[i] );
	}
	uint32_t turning_point = corners - 1;
	for ( uint32_t i = distinct - 1; i-- > 0; )
	{
		corners = extend_chain( chain, turning_point, corners, sorted[i] );
	}
	out->vertex_count = corners - 1;
	out->vertices = bvb_arena_allocate( arena, out->vertex_count, sizeof *out->vertices );
	if ( !out->vertices )
	{
		return bv_error_memory;
	}
	bv_vec3 sum = { 0 };
	bv_vec3 first = point[chain[0].index];
	for ( uint32_t i = 0; i < out->vertex_count; ++i )
	{
		out->vertices[i] = chain[i].index;
		sum = bv_add( sum, bv_cross( bv_sub( point[chain[i].index], first ),
		                             bv_sub( point[chain[i + 1].index], first ) ) );
	}
	out->area = ldexp( length( sum ), 2 * exponent );
	return bv_ok;
}

// The ends of a straight set differ in any coordinate that is not the same for all points.
static bv_status emit_segment( const bv_vec3* point, uint32_t count, uint32_t start, uint32_t other,
                               bvb_arena* arena, bvb_hull* out )
{
	int axis = 0;
	bv_vec3 d = bv_sub( point[other], point[start] );
	for ( int k = 1; k < 3; ++k )
	{
		axis = fabs( bv_component( d, k ) ) > fabs( bv_component( d, axis ) ) ? k : axis;
	}
	uint32_t least = 0;
	uint32_t greatest = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		double at = bv_component( point[i], axis );
		least = at < bv_component( point[least], axis ) ? i : least;
		greatest = at > bv_component( point[greatest], axis ) ? i : greatest;
	}
	out->vertices = bvb_arena_allocate( arena, 2, sizeof *out->vertices );
	if ( !out->vertices )
	{
		return bv_error_memory;
	}
	out->vertices[0] = least < greatest ? least : greatest;
	out->vertices[1] = least < greatest ? greatest : least;
	out->vertex_count = 2;
	return bv_ok;
}

static bv_status emit_point( bvb_arena* arena, bvb_hull* out )
{
	out->vertices = bvb_arena_allocate( arena, 1, sizeof *out->vertices );
	out->vertex_count = out->vertices != NULL;
	return out->vertices ? bv_ok : bv_error_memory;
}

// Whether three points are on one line, exactly: a line looks straight along every axis.
static bool collinear( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	return viewing_axis( a, b, c ) < 0;
}

// How well `point[i]` extends the affine hull of the `found` corners, up to rounding; only orders candidates.
static double reach( const bv_vec3* point, uint32_t i, const uint32_t* corner, int found )
{
	bv_vec3 d = bv_sub( point[i], point[corner[0]] );
	if ( found == 1 )
	{
		return bv_norm1( d );
	}
	bv_vec3 side = bv_sub( point[corner[1]], point[corner[0]] );
	if ( found == 2 )
	{
		return bv_norm1( bv_cross( side, d ) );
	}
	return fabs( bv_dot( bv_cross( side, bv_sub( point[corner[2]], point[corner[0]] ) ), d ) );
}

// The same as an exact decision.
static bool extends( const bv_vec3* point, uint32_t i, const uint32_t* corner, int found )
{
	bv_vec3 p = point[i];
	bv_vec3 a = point[corner[0]];
	if ( found == 1 )
	{
		return p.x != a.x || p.y != a.y || p.z != a.z;
	}
	if ( found == 2 )
	{
		return !collinear( a, point[corner[1]], p );
	}
	plane base = make_plane( a, point[corner[1]], point[corner[2]] );
	return height( &base, p ) != 0;
}

// @return how many corners a simplex has that spans the points: 1 for a point, 4 for a solid
static int find_simplex( const bv_vec3* point, uint32_t count, uint32_t corner[4] )
{
	corner[0] = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		corner[0] = point[i].x < point[corner[0]].x ? i : corner[0];
	}
	for ( int found = 1; found < 4; ++found )
	{
		uint32_t best = 0;
		double farthest = -1;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double distance = reach( point, i, corner, found );
			if ( distance > farthest )
			{
				farthest = distance;
				best = i;
			}
		}

		// Of a set that is nearly flat the rounded choice may be flat although another point is not.
		for ( uint32_t i = 0; i < count && !extends( point, best, corner, found ); ++i )
		{
			best = i;
		}
		if ( !extends( point, best, corner, found ) )
		{
			return found;
		}
		corner[found] = best;
	}
	return 4;
}

// Copies the points so that the largest coordinate is near 1, which is exact. Coordinates below 2^-288 of it, out
// of reach for binary32 numbers, become 0: that keeps every bit of a product of three in binary64's range.
// @return whether all are finite
static bool scale_points( const bv_vec3* points, uint32_t count, bv_vec3* out, int* exponent )
{
	double largest = 0;
	bool finite = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = points[i];
		largest = fmax( largest, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
		finite = finite && isfinite( p.x ) && isfinite( p.y ) && isfinite( p.z );
	}
	*exponent = 0;
	frexp( finite ? largest : 0, exponent );

	for ( uint32_t i = 0; i < count && finite; ++i )
	{
		double at[3] = { points[i].x, points[i].y, points[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = ldexp( at[k], -*exponent );
			at[k] = fabs( at[k] ) < 0x1p-288 ? 0 : at[k];
		}
		out[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
	}
	return finite;
}

static bv_status compute( const bv_vec3* points, uint32_t count, bvb_arena* scratch, bvb_arena* arena,
                          bvb_hull* out )
{
	bv_vec3* point = bvb_arena_allocate( scratch, count, sizeof *point );
	int exponent;
	if ( !point )
	{
		return bv_error_memory;
	}
	if ( !scale_points( points, count, point, &exponent ) )
	{
		return bv_error_argument;
	}

	uint32_t corner[4];
	switch ( find_simplex( point, count, corner ) )
	{
	case 1: out->kind = bv_hull_point; return emit_point( arena, out );
	case 2:
		out->kind = bv_hull_segment;
		return emit_segment( point, count, corner[0], corner[1], arena, out );
	case 3:
		out->kind = bv_hull_polygon;
		return emit_polygon( point, count, corner, exponent, scratch, arena, out );
	default: break;
	}

	builder b = { .scratch = scratch,
		          .point = point,
		          .next_point = bvb_arena_allocate( scratch, count, sizeof *b.next_point ),
		          .cone_start = bvb_arena_allocate( scratch, count, sizeof *b.cone_start ),
		          .unused = none,
		          .queue_first = none,
		          .queue_last = none };
	if ( !b.next_point || !b.cone_start )
	{
		return bv_error_memory;
	}
	out->kind = bv_hull_polyhedron;
	bv_status status = build_polyhedron( &b, corner, count );
	return status ? status : emit_polyhedron( &b, count, exponent, arena, out );
}

bv_status bvb_hull_compute( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvb_hull* out,
                            bvb_error* error )
{
	*out = ( bvb_hull ){ 0 };
	if ( count == 0 )
	{
		return bvb_fail( error, bv_error_argument, "a hull needs at least one point" );
	}
	bvb_arena* scratch = bvb_arena_create();
	bv_status status = scratch ? compute( points, count, scratch, arena, out ) : bv_error_memory;
	bvb_arena_destroy( scratch );
	if ( status != bv_ok )
	{
		*out = ( bvb_hull ){ 0 };
	}
	switch ( status )
	{
	case bv_ok: return bv_ok;
	case bv_error_memory: return bvb_fail_memory( error );
	case bv_error_argument: return bvb_fail( error, status, "a point of the hull is not finite" );
	default: return bvb_fail( error, status, "the hull of %u points has no simple horizon", count );
	}
}
