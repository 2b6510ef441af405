// Simplified hulls that enclose a polyhedron. Corners are chosen by several methods, and the best choice is
// kept (corners.c). Its corners are rounded outward to binary32, and moved outward until exact arithmetic
// finds no vertex of the hull outside the rounded triangles. A hull with few enough corners keeps its own.
//
// If the hull is as thin as rounding errors, corners cannot be used. Then half-spaces are chosen (cover.c)
// and moved outward until their rounded corners enclose the hull. If everything else fails, the hull is
// enclosed by its box, or by a tetrahedron around the box.

#include "bvbuild/hull.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "offline/hull/corners.h"
#include "offline/hull/cover.h"
#include "offline/hull/linear.h"
#include "offline/hull/merged.h"
#include "offline/hull/nearest.h"
#include "offline/hull/scale.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	few_corners = 32,      // so few are chosen in several ways
	few_planes = 8,        // corners of planes so few that trying many costs little
	some_corners = 64,     // so few are chosen from more
	many_corners = 128,    // more than these are not chosen from more: the gap is next to nothing
	most_by_planes = 64,   // corners of planes that are tried besides chosen corners
	most_to_choose = 1024, // corners; if there may be more, planes do
	brief = 1000,          // effort of a search for planes that corners are moved of
	thorough = 8000,       // effort of a search for planes to be kept
};

// The hull in coordinates of up to 1.
typedef struct simplifier
{
	bv_vec3* at; // its vertices
	bvb_hull hull;
	bvb_hull_polygons polygons;
	int exponent;  // at is in units of 2^exponent
	uint32_t most; // corners
	double gap;    // of the best result so far, see find_gap
	bvb_arena* scratch;
	bvb_arena* arena;
	bvb_error* error;
} simplifier;

static bool is_binary32( bv_vec3 p )
{
	return bvmath_largest( p ) <= BVB_MAX_COORDINATE && p.x == (double)(float)p.x &&
	       p.y == (double)(float)p.y && p.z == (double)(float)p.z;
}

static bv_status keep_all( const bv_vec3* points, const bvb_hull* hull, bvb_arena* arena,
                           bvb_simple_hull* out )
{
	out->points = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->points );
	out->hull = *hull;
	out->hull.vertices = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->hull.vertices );
	out->hull.faces = bvb_arena_allocate( arena, hull->face_count, sizeof *out->hull.faces );
	if ( !out->points || !out->hull.vertices || !out->hull.faces )
	{
		return bv_error_memory;
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		out->points[v] = points[hull->vertices[v]];
		out->hull.vertices[v] = v;
	}
	for ( uint32_t f = 0; f < hull->face_count; ++f )
	{
		out->hull.faces[f] = hull->faces[f];
	}
	return bv_ok;
}

static bv_status begin( const bv_vec3* points, const bvb_hull* hull, simplifier* s )
{
	s->hull = *hull;
	s->at = bvb_arena_allocate( s->scratch, hull->vertex_count, sizeof *s->at );
	s->hull.vertices = bvb_arena_allocate( s->scratch, hull->vertex_count, sizeof *s->hull.vertices );
	if ( !s->at || !s->hull.vertices )
	{
		return bvbase_fail_memory( s->error );
	}
	double largest = 0;
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		s->at[v] = points[hull->vertices[v]];
		s->hull.vertices[v] = v;
		largest = bvmath_max( bvmath_largest( s->at[v] ), largest );
	}
	if ( !( largest <= BVB_MAX_COORDINATE ) )
	{
		return bvbase_fail( s->error, bv_error_argument,
		                    "cannot simplify a hull with coordinates above 2^120" );
	}
	frexp( largest, &s->exponent );
	bvhull_scale_points( s->at, hull->vertex_count, s->exponent, s->at );
	return bvb_hull_merge( s->at, &s->hull, 0, s->scratch, &s->polygons, s->error );
}

// The principal axes, and the extents along them about the centroid.
static bv_status find_frame( simplifier* s, bvhull_round_frame* out )
{
	bv_mass mass;
	bv_status status = bvb_hull_mass( s->at, &s->hull, s->scratch, &mass, NULL );
	if ( status == bv_error_argument )
	{
		*out = ( bvhull_round_frame ){ .scale = { 0 } };
		return bv_ok;
	}
	if ( status != bv_ok )
	{
		return bvbase_fail_memory( s->error );
	}
	double moments[3];
	bvb_principal_axes( &mass, moments, out->axis );
	out->center = mass.center_of_mass;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t far = bvb_hull_support( &s->polygons, out->axis[k], BVB_ANY_VERTEX );
		uint32_t near = bvb_hull_support( &s->polygons, bv_scale( -1, out->axis[k] ), BVB_ANY_VERTEX );
		out->scale[k] = bv_dot( out->axis[k], bv_sub( s->at[far], s->at[near] ) ) / 2;
	}
	return bv_ok;
}

// A face of something that is to enclose the hull. Both are scaled.
typedef struct facet
{
	bv_vec3 at[3];
	bv_vec3 normal;

	// 2^-48 of the product of two sides: 16 units of 2^-53, which rounding may come to, times a third length
	double doubt;
} facet;

static facet make_facet( const bv_vec3* corner, const bvb_hull* hull, uint32_t face )
{
	facet f;
	for ( int k = 0; k < 3; ++k )
	{
		f.at[k] = corner[hull->vertices[hull->faces[face].corner[k]]];
	}
	bv_vec3 ab = bv_sub( f.at[1], f.at[0] );
	bv_vec3 ac = bv_sub( f.at[2], f.at[0] );
	f.normal = bv_cross( ab, ac );
	f.doubt = 0x1p-48 * bvmath_norm1( ab ) * bvmath_norm1( ac );
	return f;
}

// Whether the whole hull is behind a face, exactly.
static bool is_in_front( const simplifier* s, const facet* f )
{
	// Mostly the farthest vertex is behind by more than rounding can do to it and to any other.
	bv_vec3 far = s->at[bvb_hull_support( &s->polygons, f->normal, BVB_ANY_VERTEX )];
	double reach = bvmath_norm1( f->at[0] ) + 3;
	if ( bv_dot( f->normal, far ) - bv_dot( f->normal, f->at[0] ) < -4 * f->doubt * reach )
	{
		return true;
	}
	bool behind = true;
	for ( uint32_t v = 0; v < s->hull.vertex_count && behind; ++v )
	{
		bv_vec3 d = bv_sub( s->at[v], f->at[0] );
		behind = bv_dot( f->normal, d ) < -f->doubt * bvmath_norm1( d ) ||
		         bvbase_orient3d( f->at[0], f->at[1], f->at[2], s->at[v] ) <= 0;
	}
	return behind;
}

// Whether no vertex is in front of any face of `outer`, exactly. Both are scaled.
// @param cut  receives which points are corners of faces that vertices are in front of; null when that does
//             not matter
static bool encloses( const simplifier* s, const bv_vec3* corner, const bvb_hull* outer, bool* cut )
{
	bool all = true;
	for ( uint32_t face = 0; face < outer->face_count && ( all || cut ); ++face )
	{
		facet f = make_facet( corner, outer, face );
		bool clear = is_in_front( s, &f );
		all = all && clear;
		for ( int k = 0; k < 3 && !clear && cut; ++k )
		{
			cut[outer->vertices[outer->faces[face].corner[k]]] = true;
		}
	}
	return all;
}

// About the integral of the squared distance from the hull over the surface of `outer`, by its values at
// corners and midpoints. Both are scaled.
// @param square  of each of the points, squared distances of those that are corners
static double find_gap( const simplifier* s, const bv_vec3* corner, const double* square,
                        const bvb_hull* outer )
{
	double sum = 0;
	for ( uint32_t f = 0; f < outer->face_count; ++f )
	{
		bv_vec3 at[3];
		double at_corners = 0;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t index = outer->vertices[outer->faces[f].corner[k]];
			at[k] = corner[index];
			at_corners += square[index];
		}
		bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( bv_add( at[0], at[1] ), at[2] ) );
		double distance = bvhull_find_nearest( &s->polygons, middle, BVB_ANY_VERTEX ).distance;
		bv_vec3 normal = bv_cross( bv_sub( at[1], at[0] ), bv_sub( at[2], at[0] ) );
		sum += sqrt( bv_dot( normal, normal ) ) / 2 * ( at_corners / 12 + distance * distance * 3 / 4 );
	}
	return sum;
}

// Takes corners in mesh units as a result if they enclose.
// @param cut  as of encloses
static bv_status accept( simplifier* s, const bv_vec3* corner, uint32_t count, bvb_simple_hull* out,
                         bool* enclosing, bool* cut )
{
	bvb_hull hull;
	*enclosing = false;
	bv_status status = bvhull_compute_merged( corner, count, s->scratch, &hull, NULL );
	bv_vec3* scaled = bvb_arena_allocate( s->scratch, count, sizeof *scaled );
	double* square = bvb_arena_allocate( s->scratch, count, sizeof *square );
	if ( status == bv_error_memory || !scaled || !square )
	{
		return bvbase_fail_memory( s->error );
	}
	if ( status != bv_ok )
	{
		return bv_ok;
	}
	bvhull_scale_points( corner, count, s->exponent, scaled );
	if ( hull.kind != bv_hull_polyhedron || hull.vertex_count > s->most ||
	     !encloses( s, scaled, &hull, cut ) )
	{
		return bv_ok;
	}
	*enclosing = true;
	double error = 0;
	for ( uint32_t v = 0; v < hull.vertex_count; ++v )
	{
		uint32_t index = hull.vertices[v];
		double distance = bvhull_find_nearest( &s->polygons, scaled[index], BVB_ANY_VERTEX ).distance;
		square[index] = distance * distance;
		error = bvmath_max( distance, error );
	}
	double gap = find_gap( s, scaled, square, &hull );
	if ( out->points && s->gap <= gap )
	{
		return bv_ok;
	}
	s->gap = gap;
	out->error = ldexp( error, s->exponent );
	return keep_all( corner, &hull, s->arena, out ) == bv_ok ? bv_ok : bvbase_fail_memory( s->error );
}

// Rounds a coordinate to binary32, in the direction of `way`, or to nearest when that is 0.
static double round_towards( double at, double way )
{
	return way > 0 ? bvmath_float_up( at ) : way < 0 ? bvmath_float_down( at ) : (double)(float)at;
}

// Rounds a scaled corner to binary32, in mesh units.
// @return false if it is out of range
static bool round_corner( const simplifier* s, bv_vec3 corner, bv_vec3 way, bv_vec3* out )
{
	double at[3];
	bool in_range = true;
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = ldexp( bvmath_component( corner, k ), s->exponent );
		in_range = in_range && fabs( at[k] ) < 0x1p127;
		at[k] = in_range ? round_towards( at[k], bvmath_component( way, k ) ) : 0;
	}
	*out = ( bv_vec3 ){ at[0], at[1], at[2] };
	return in_range;
}

static bool round_corners( const simplifier* s, const bvhull_plane_corner* meet, uint32_t count,
                           bv_vec3* out )
{
	bool in_range = true;
	for ( uint32_t i = 0; i < count && in_range; ++i )
	{
		in_range = round_corner( s, meet[i].at, ( bv_vec3 ){ 0 }, &out[i] );
	}
	return in_range;
}

static bv_status find_half_spaces( simplifier* s, const bvhull_round_frame* frame, uint32_t effort,
                                   bvhull_half_space** out, uint32_t* count )
{
	// Of k planes there are 2 k - 4 corners at most.
	uint64_t most = ( (uint64_t)s->most + 4 ) / 2;
	most = most < 2 * (uint64_t)s->hull.vertex_count ? most : 2 * (uint64_t)s->hull.vertex_count;
	*out = bvb_arena_allocate( s->scratch, most, sizeof **out );
	return *out ? bvhull_cover( &s->polygons, frame, (uint32_t)most, effort, s->scratch, *out, count )
	            : bv_error_memory;
}

// Moves the planes outwards until their rounded corners enclose: by nothing, then by steps that double.
static bv_status enclose( simplifier* s, bvhull_half_space* space, uint32_t count,
                          const bvhull_round_frame* frame, bvb_simple_hull* out )
{
	enum
	{
		most_steps = 30,
	};
	bool enclosing = false;
	bv_status status = bv_ok;
	double moved = 0;
	for ( int step = 0; step < most_steps && !enclosing && status == bv_ok; ++step )
	{
		bvhull_plane_corner* meet;
		uint32_t corners;
		status = bvhull_intersect_half_spaces( space, count, frame, s->scratch, &meet, &corners );
		bv_vec3* rounded = bvb_arena_allocate( s->scratch, corners, sizeof *rounded );
		if ( status != bv_ok || !rounded )
		{
			return bvbase_fail_memory( s->error );
		}
		if ( corners > 0 && round_corners( s, meet, corners, rounded ) )
		{
			status = accept( s, rounded, corners, out, &enclosing, NULL );
		}
		double next = ldexp( 1, step - 26 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			space[i].offset += next - moved;
		}
		moved = next;
	}
	return status;
}

// The faces around each corner of a hull, as what a way out must do: move them outwards by 1.
typedef struct ways
{
	uint32_t* first;           // of vertex v: face[first[v]] ... [first[v + 1] - 1]
	bvhull_constraint* around; // faces, by their corners
} ways;

static bool begin_ways( simplifier* s, const bv_vec3* corner, const bvb_hull* hull, ways* w )
{
	uint32_t sides = 3 * hull->face_count;
	w->first = bvb_arena_allocate( s->scratch, (size_t)hull->vertex_count + 1, sizeof *w->first );
	w->around = bvb_arena_allocate( s->scratch, sides, sizeof *w->around );
	if ( !w->first || !w->around )
	{
		return false;
	}
	for ( uint32_t side = 0; side < sides; ++side )
	{
		++w->first[hull->faces[side / 3].corner[side % 3]];
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		w->first[v + 1] += w->first[v];
	}
	for ( uint32_t face = 0; face < hull->face_count; ++face )
	{
		facet f = make_facet( corner, hull, face );
		double length = sqrt( bv_dot( f.normal, f.normal ) );

		// A sliver's normal is made of rounding.
		bvhull_constraint outwards = { .least = -1 };
		if ( length > 0x1p-40 )
		{
			outwards = ( bvhull_constraint ){ bv_scale( 1 / length, f.normal ), 1 };
		}
		for ( int k = 0; k < 3; ++k )
		{
			w->around[--w->first[hull->faces[face].corner[k]]] = outwards;
		}
	}
	return true;
}

// A short way out for a vertex.
static bv_vec3 way_out( const ways* w, uint32_t vertex )
{
	bv_vec3 sum = { 0 };
	const bvhull_constraint* around = w->around + w->first[vertex];
	uint32_t count = w->first[vertex + 1] - w->first[vertex];
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum = bv_add( sum, around[i].normal );
	}
	bv_vec3 way;
	if ( bvhull_solve_linear( sum, around, count, 0x1p10, &way ) )
	{
		return way;
	}
	double length = sqrt( bv_dot( sum, sum ) );
	return length > 0 ? bv_scale( 1 / length, sum ) : sum;
}

// Corners that are moved outwards until they enclose when rounded.
typedef struct movement
{
	const bv_vec3* corner; // scaled
	uint32_t count;
	bv_vec3* way;     // of each, where outwards is
	double* distance; // of each, how far it has been moved, times the way
	bv_vec3* rounded; // of each, where it is, in mesh units
	bool* cut;        // of each, whether it has a face that cuts
} movement;

// @return bv_error_limit when they span nothing that could be moved
static bv_status begin_movement( simplifier* s, movement* m )
{
	m->way = bvb_arena_allocate( s->scratch, m->count, sizeof *m->way );
	m->distance = bvb_arena_allocate( s->scratch, m->count, sizeof *m->distance );
	m->rounded = bvb_arena_allocate( s->scratch, m->count, sizeof *m->rounded );
	m->cut = bvb_arena_allocate( s->scratch, m->count, sizeof *m->cut );
	bvb_hull hull;
	ways w;
	bv_status status = bvhull_compute_merged( m->corner, m->count, s->scratch, &hull, NULL );
	if ( status == bv_error_memory || !m->way || !m->distance || !m->rounded || !m->cut )
	{
		return bv_error_memory;
	}
	if ( status != bv_ok || hull.kind != bv_hull_polyhedron )
	{
		return bv_error_limit;
	}
	if ( !begin_ways( s, m->corner, &hull, &w ) )
	{
		return bv_error_memory;
	}
	for ( uint32_t v = 0; v < hull.vertex_count; ++v )
	{
		m->way[hull.vertices[v]] = way_out( &w, v );
	}
	return bv_ok;
}

// Rounds corners outwards, and moves those of faces that cut farther, by steps that double.
static bv_status enclose_by_corners( simplifier* s, const bv_vec3* corner, uint32_t count,
                                     bvb_simple_hull* out )
{
	enum
	{
		most_steps = 40,
	};
	movement m = { .corner = corner, .count = count };
	bv_status status = begin_movement( s, &m );
	bool enclosing = false;
	bool in_range = status == bv_ok;
	for ( int step = 0; step < most_steps && !enclosing && in_range && status == bv_ok; ++step )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			m.distance[i] = !m.cut[i] ? m.distance[i] : m.distance[i] > 0 ? 2 * m.distance[i] : 0x1p-26;
			m.cut[i] = false;
			bv_vec3 at = bv_add( corner[i], bv_scale( m.distance[i], m.way[i] ) );
			in_range = in_range && round_corner( s, at, m.way[i], &m.rounded[i] );
		}
		status = in_range ? accept( s, m.rounded, count, out, &enclosing, m.cut ) : bv_ok;
	}
	return status == bv_error_memory ? bvbase_fail_memory( s->error ) : bv_ok;
}

// The box along the axes, or a tetrahedron with three sides of it in common. What qhull finds too flat is
// made thicker.
static bv_status enclose_box( simplifier* s, bvb_simple_hull* out )
{
	enum
	{
		most_steps = 60,
	};
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t v = 0; v < s->hull.vertex_count; ++v )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double at = ldexp( bvmath_component( s->at[v], k ), s->exponent );
			lower[k] = bvmath_min( lower[k], bvmath_float_down( at ) );
			upper[k] = bvmath_max( upper[k], bvmath_float_up( at ) );
		}
	}
	bool box = s->most >= 8;
	bool enclosing = false;
	bv_status status = bv_ok;
	for ( int step = 0; step < most_steps && !enclosing && status == bv_ok; ++step )
	{
		bv_vec3 corner[8];
		for ( uint32_t i = 0; i < ( box ? 8 : 4 ); ++i )
		{
			double at[3];
			for ( uint32_t k = 0; k < 3; ++k )
			{
				// A little more than three times the box, so that rounding does not matter.
				double far = bvmath_float_up( lower[k] + 3.00001 * ( upper[k] - lower[k] ) );
				at[k] = box ? ( i >> k & 1 ? upper[k] : lower[k] ) : i == k + 1 ? far : lower[k];
			}
			corner[i] = ( bv_vec3 ){ at[0], at[1], at[2] };
		}
		status = accept( s, corner, box ? 8 : 4, out, &enclosing, NULL );
		double wider = ldexp( 1, s->exponent + step - most_steps );
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = bvmath_float_down( lower[k] - wider );
			upper[k] = bvmath_float_up( upper[k] + wider );
		}
	}
	return status;
}

// By as many half-spaces as may be, moved outwards until their rounded corners enclose.
static bv_status simplify_by_planes( simplifier* s, const bvhull_round_frame* frame, bvb_simple_hull* out )
{
	bvhull_half_space* spaces;
	uint32_t count;
	if ( find_half_spaces( s, frame, thorough, &spaces, &count ) != bv_ok )
	{
		return bvbase_fail_memory( s->error );
	}
	return count > 0 ? enclose( s, spaces, count, frame, out ) : bv_ok;
}

// Corners of half-spaces.
static bv_status choose_by_planes( simplifier* s, const bvhull_round_frame* frame, const bvhull_core* core,
                                   bvhull_corners* best )
{
	bvhull_half_space* spaces;
	bvhull_plane_corner* meet;
	uint32_t count;
	uint32_t effort = s->most > few_planes ? 0 : brief;
	bv_status status = find_half_spaces( s, frame, effort, &spaces, &count );
	if ( status == bv_ok )
	{
		status = bvhull_intersect_half_spaces( spaces, count, frame, s->scratch, &meet, &count );
	}
	if ( status != bv_ok || count == 0 )
	{
		return status;
	}
	bv_vec3* corner = bvb_arena_allocate( s->scratch, count, sizeof *corner );
	for ( uint32_t i = 0; corner && i < count; ++i )
	{
		corner[i] = meet[i].at;
	}
	return corner ? bvhull_tighten_corners( core, corner, count, s->scratch, best ) : bv_error_memory;
}

// By corners that are chosen in several ways.
static bv_status simplify_by_corners( simplifier* s, const bvhull_round_frame* frame, bvb_simple_hull* out )
{
	// How many times too many there are at first: the more, the longer it takes, and of few the fewer are
	// better often enough.
	static const uint32_t few[] = { 2, 1, 4 };
	uint32_t many = s->most > many_corners ? 1 : s->most > some_corners ? 2 : 3;
	const uint32_t* times = s->most > few_corners ? &many : few;
	size_t tries = s->most > few_corners ? 1 : sizeof few / sizeof *few;
	bvhull_core core;
	bvhull_corners best = { .room = s->most, .gap = INFINITY, .alone = s->most > most_by_planes };
	best.at = bvb_arena_allocate( s->scratch, best.room, sizeof *best.at );
	double volume = ldexp( s->hull.volume, -3 * s->exponent );
	bv_status status =
		best.at ? bvhull_core_create( &s->polygons, frame, volume, s->scratch, &core ) : bv_error_memory;
	for ( size_t i = 0; i < tries && status == bv_ok; ++i )
	{
		status = bvhull_choose_corners( &core, times[i] * best.room, s->scratch, &best );
	}
	if ( status == bv_ok && s->most <= most_by_planes )
	{
		status = choose_by_planes( s, frame, &core, &best );
	}
	if ( status != bv_ok )
	{
		return bvbase_fail_memory( s->error );
	}
	return best.count > 0 ? enclose_by_corners( s, best.at, best.count, out ) : bv_ok;
}

static bv_status simplify( const bv_vec3* points, const bvb_hull* hull, simplifier* s, bvb_simple_hull* out )
{
	bvhull_round_frame frame;
	bv_status status = begin( points, hull, s );
	status = status == bv_ok ? find_frame( s, &frame ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	double thickness = bvmath_min( frame.scale[0], bvmath_min( frame.scale[1], frame.scale[2] ) );
	bool few = hull->vertex_count <= s->most;
	if ( few )
	{
		status = enclose_by_corners( s, s->at, hull->vertex_count, out );
	}
	else if ( thickness > 0x1p-30 && s->most <= most_to_choose )
	{
		status = simplify_by_corners( s, &frame, out );
	}
	if ( status != bv_ok || ( few && out->points && out->error <= ldexp( 0x1p-20, s->exponent ) ) )
	{
		return status;
	}

	// Hulls as thin as the steps of binary32 numbers may have better boxes than corners. Then planes may do
	// better still.
	bool chosen = out->points && !few;
	double gap = s->gap;
	status = enclose_box( s, out );
	if ( status != bv_ok || !( thickness > 0 ) || ( chosen && s->gap == gap ) )
	{
		return status;
	}
	return simplify_by_planes( s, &frame, out );
}

bv_status bvb_hull_simplify( const bv_vec3* points, const bvb_hull* hull, uint32_t max_vertices,
                             bvb_arena* arena, bvb_simple_hull* out, bvb_error* error )
{
	*out = ( bvb_simple_hull ){ 0 };
	if ( hull->kind != bv_hull_polyhedron )
	{
		return bvbase_fail( error, bv_error_argument, "only a hull with volume can be simplified" );
	}
	if ( max_vertices < 4 )
	{
		return bvbase_fail( error, bv_error_argument, "a simplified hull needs at least 4 vertices, not %u",
		                    max_vertices );
	}
	bool stored = hull->vertex_count <= max_vertices;
	for ( uint32_t v = 0; v < hull->vertex_count && stored; ++v )
	{
		stored = is_binary32( points[hull->vertices[v]] );
	}
	if ( stored )
	{
		return keep_all( points, hull, arena, out ) == bv_ok ? bv_ok : bvbase_fail_memory( error );
	}

	simplifier s = { .most = max_vertices, .arena = arena, .error = error };
	s.scratch = bvbase_arena_create_scratch( arena );
	bv_status status = s.scratch ? simplify( points, hull, &s, out ) : bvbase_fail_memory( error );
	bvb_arena_destroy( s.scratch );
	if ( status == bv_ok && !out->points )
	{
		status =
			bvbase_fail( error, bv_error_internal, "cannot simplify the hull to %u vertices", max_vertices );
	}
	if ( status != bv_ok )
	{
		*out = ( bvb_simple_hull ){ 0 };
	}
	return status;
}
