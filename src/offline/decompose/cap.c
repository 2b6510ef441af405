// The distance to a convex body is a convex function. A simplified hull is therefore no farther from the hull
// of the part's points than its corners are, and where parts are nearly filled the distances of these corners
// from the shape say how much the limit on corners costs.
//
// A smooth surface that is approximated by n facets is missed by its area over n, so a part that stands off k
// times the tolerance becomes about k parts. The best of a few cuts is the one that makes the fewest.

#include "offline/decompose/cap.h"

#include "bvbuild/hull.h"
#include "offline/base/arena.h"
#include "offline/hull/merged.h"
#include "runtime/math/eigen.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>

enum
{
	most_planes = 6,
};

// Points of a body, and where memory for its hull comes from.
typedef struct cap_body
{
	bv_vec3* points;
	uint32_t count;
	bvb_arena* scratch;
} cap_body;

// Points within rounding of a plane belong to both sides.
static const double in_plane = 4 * BVDECOMP_ON_PLANE;

static bv_status find_capped( const bvdecomp_search* s, const cap_body* body, double* out )
{
	*out = 0;
	bvb_hull hull;
	bvb_error error;
	bv_status status = bvhull_compute_merged( body->points, body->count, body->scratch, &hull, &error );
	bool is_capped =
		status == bv_ok && hull.kind == bv_hull_polyhedron && hull.vertex_count > s->max_vertices;
	bvb_simple_hull simple;
	if ( is_capped )
	{
		status = bvb_hull_simplify( body->points, &hull, s->max_vertices, body->scratch, &simple, &error );
	}
	for ( uint32_t v = 0; v < simple.hull.vertex_count && is_capped && status == bv_ok; ++v )
	{
		*out = bvmath_max( *out, bvdecomp_field_at( &s->field, simple.points[v] ) );
	}
	*out = is_capped && status == bv_ok ? bvmath_min( *out, simple.error ) : 0;
	return status == bv_error_memory ? status : bv_ok;
}

// How far the points are outside of a hull of so few of them, chosen one by one. Hulls that enclose them stand
// off by about as much, or somewhat more, and take a hundred times as long.
static double estimate_capped( const bvdecomp_search* s, const cap_body* body, bvhull_rough* rough )
{
	static const double roughness = 1e-6;
	bvhull_rough_clear( rough );
	bvhull_rough_add_all( rough, body->points, body->count );
	bvhull_rough_hull_of_few( rough, roughness, s->max_vertices );
	double farthest = 0;
	for ( uint32_t f = 0; f < rough->face_count; ++f )
	{
		const bvhull_rough_face* face = rough->faces + f;
		bool counts = !face->dead && face->outside != UINT32_MAX;
		farthest = counts ? bvmath_max( farthest, face->height ) : farthest;
	}
	return farthest;
}

// Mean and covariance of weighted points.
typedef struct cap_moments
{
	double weight;
	double mean[3];
	double square[3][3];
} cap_moments;

static void add_weighted( cap_moments* m, bv_vec3 p, double weight )
{
	const double x[3] = { p.x, p.y, p.z };
	m->weight += weight;
	for ( int i = 0; i < 3; ++i )
	{
		m->mean[i] += weight * x[i];
		for ( int k = 0; k < 3; ++k )
		{
			m->square[i][k] += weight * x[i] * x[k];
		}
	}
}

static bool is_like( const bvdecomp_plane* a, const bvdecomp_plane* b )
{
	double turned = bv_dot( a->normal, b->normal );
	return fabs( turned ) > 0.99 && fabs( a->offset - ( turned > 0 ? b->offset : -b->offset ) ) < 0.01;
}

// Planes across the principal axes, through the mean.
static uint32_t add_planes( cap_moments* m, bvdecomp_plane* planes, uint32_t count )
{
	if ( !( m->weight > 0 ) )
	{
		return count;
	}
	for ( int i = 0; i < 3; ++i )
	{
		m->mean[i] /= m->weight;
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			m->square[i][k] = m->square[i][k] / m->weight - m->mean[i] * m->mean[k];
		}
	}
	bv_vec3 axis[3];
	bvmath_eigen_symmetric( m->square, axis );
	bv_vec3 middle = { m->mean[0], m->mean[1], m->mean[2] };
	for ( int i = 0; i < 3; ++i )
	{
		bvdecomp_plane plane = { axis[i], bv_dot( axis[i], middle ) };
		bool again = false;
		for ( uint32_t k = 0; k < count && !again; ++k )
		{
			again = is_like( &plane, planes + k );
		}
		planes[count] = plane;
		count += !again;
	}
	return count;
}

// Halves are to have as much surface, or as many corners. What is not surface needs few corners.
static uint32_t list_planes( const bvdecomp_search* s, const bvdecomp_search_part* part,
                             bvdecomp_plane planes[most_planes] )
{
	cap_moments surface = { 0 };
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		for ( uint32_t t = 0; t < piece->triangle_count; ++t )
		{
			const uint32_t* c = piece->triangles[t].corner;
			bv_vec3 a = piece->points[c[0]];
			bv_vec3 n = bv_cross( bv_sub( piece->points[c[1]], a ), bv_sub( piece->points[c[2]], a ) );
			bv_vec3 m = bv_scale( 1.0 / 3, bv_add( a, bv_add( piece->points[c[1]], piece->points[c[2]] ) ) );
			add_weighted( &surface, m, sqrt( bv_dot( n, n ) ) );
		}
	}
	cap_moments corners = { 0 };
	for ( uint32_t i = 0; i < part->corner_count; ++i )
	{
		add_weighted( &corners, part->corners[i], 1 );
	}
	uint32_t count = add_planes( &surface, planes, 0 );
	return add_planes( &corners, planes, count );
}

// What a plane leaves of a convex body on one side.
// @param way  1 for what is below, -1 for what is above
static bv_status cut_hull( const bv_vec3* points, const bvb_hull* hull, const bvdecomp_plane* plane,
                           double way, bvb_arena* scratch, cap_body* out )
{
	*out = ( cap_body ){ .scratch = scratch };
	size_t room = (size_t)hull->vertex_count + 3 * (size_t)hull->face_count;
	out->points = bvb_arena_allocate( scratch, room, sizeof *out->points );
	if ( !out->points )
	{
		return bv_error_memory;
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		bv_vec3 p = points[hull->vertices[v]];
		if ( way * ( bv_dot( plane->normal, p ) - plane->offset ) <= in_plane )
		{
			out->points[out->count++] = p;
		}
	}
	for ( uint32_t side = 0; side < 3 * hull->face_count; ++side )
	{
		// Each edge is a side of two faces, once each way.
		const uint32_t* c = hull->faces[side / 3].corner;
		bv_vec3 a = points[hull->vertices[c[side % 3]]];
		bv_vec3 b = points[hull->vertices[c[( side + 1 ) % 3]]];
		double below = bv_dot( plane->normal, a ) - plane->offset;
		double above = bv_dot( plane->normal, b ) - plane->offset;
		if ( below < -in_plane && above > in_plane )
		{
			out->points[out->count++] = bvdecomp_plane_crossing( plane, a, b );
		}
	}
	return bv_ok;
}

static bool has_both_sides( const bvdecomp_search_part* part, const bvdecomp_plane* plane )
{
	bool below = false;
	bool above = false;
	for ( uint32_t i = 0; i < part->corner_count; ++i )
	{
		double height = bv_dot( plane->normal, part->corners[i] ) - plane->offset;
		below = below || height < -in_plane;
		above = above || height > in_plane;
	}
	return below && above;
}

// How many parts a part is likely to become.
static double parts_of( double capped, double aim )
{
	return bvmath_max( capped / aim, 1 );
}

// What parts can keep to. If that takes more parts than allowed, all are to be equally far from the aim.
static double find_reachable( const bvdecomp_search* s )
{
	double needed = 0;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		needed += s->parts[i].leaf != BVDECOMP_NONE ? parts_of( s->parts[i].capped, s->aim ) : 0;
	}
	return s->aim * bvmath_max( needed / s->max_parts, 1 );
}

static bool is_better( double aim, const double a[2], const double b[2] )
{
	static const double alike = 1.01;
	double parts_a = parts_of( a[0], aim ) + parts_of( a[1], aim );
	double parts_b = parts_of( b[0], aim ) + parts_of( b[1], aim );
	bool same = parts_a <= alike * parts_b && parts_b <= alike * parts_a;
	return same ? bvmath_max( a[0], a[1] ) < bvmath_max( b[0], b[1] ) : parts_a < parts_b;
}

// A plane and the stand-off of both halves.
typedef struct cap_cut
{
	bvdecomp_plane plane;
	double capped[2];
} cap_cut;

// Fills in the stand-off of the halves of each cut, or estimates of it.
static bv_status weigh_cuts( const bvdecomp_search* s, const bvdecomp_search_part* part, const bvb_hull* hull,
                             bool exactly, cap_cut* cuts, uint32_t count )
{
	bool failed = false;
#pragma omp parallel for num_threads( s->team ) schedule( dynamic ) reduction( || : failed )
	for ( uint32_t i = 0; i < 2 * count; ++i )
	{
		bvdecomp_search_worker* worker = s->workers + omp_get_thread_num();
		bvb_arena* scratch = bvbase_arena_create_scratch( worker->arena );
		cap_cut* cut = cuts + i / 2;
		double* capped = cut->capped + i % 2;
		double way = i % 2 == 0 ? 1 : -1;
		cap_body half;
		failed =
			failed || !scratch || cut_hull( part->corners, hull, &cut->plane, way, scratch, &half ) != bv_ok;
		if ( !failed && exactly )
		{
			failed = find_capped( s, &half, capped ) != bv_ok;
		}
		else if ( !failed )
		{
			*capped = estimate_capped( s, &half, &worker->half[0] );
			failed = worker->half[0].failed;
		}
		bvb_arena_destroy( scratch );
	}
	return failed ? bv_error_memory : bv_ok;
}

static void move_best_first( double aim, cap_cut* cuts, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		if ( is_better( aim, cuts[i].capped, cuts[0].capped ) )
		{
			cap_cut best = cuts[i];
			cuts[i] = cuts[0];
			cuts[0] = best;
		}
	}
}

// Those that are worth a closer look come first.
static bv_status choose_cut( const bvdecomp_search* s, const bvdecomp_search_part* part, const bvb_hull* hull,
                             cap_cut* cuts, uint32_t count )
{
	enum
	{
		finalists = 3,
	};
	double aim = find_reachable( s );
	bv_status status = bv_ok;
	if ( count > finalists )
	{
		status = weigh_cuts( s, part, hull, false, cuts, count );
		for ( uint32_t i = 0; i < finalists && status == bv_ok; ++i )
		{
			move_best_first( aim, cuts + i, count - i );
		}
		count = finalists;
	}
	status = status == bv_ok ? weigh_cuts( s, part, hull, true, cuts, count ) : status;
	if ( status == bv_ok )
	{
		move_best_first( aim, cuts, count );
	}
	return status;
}

bv_status bvdecomp_find_cap_cut( bvdecomp_search* s, uint32_t index, bvdecomp_plane* plane, double capped[2],
                                 bool* found )
{
	const bvdecomp_search_part* part = s->parts + index;
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	bvb_hull hull;
	bvb_error error;
	bv_status status =
		scratch ? bvhull_compute_merged( part->corners, part->corner_count, scratch, &hull, &error )
				: bv_error_memory;
	uint32_t count = 0;
	cap_cut cuts[most_planes];
	if ( status == bv_ok && hull.kind == bv_hull_polyhedron )
	{
		bvdecomp_plane planes[most_planes];
		uint32_t listed = list_planes( s, part, planes );
		for ( uint32_t i = 0; i < listed; ++i )
		{
			cuts[count] = ( cap_cut ){ .plane = planes[i] };
			count += has_both_sides( part, planes + i );
		}
	}
	*found = count > 0;
	s->steps += count;
	status = *found ? choose_cut( s, part, &hull, cuts, count ) : status;
	if ( *found && status == bv_ok )
	{
		*plane = cuts[0].plane;
		capped[0] = cuts[0].capped[0];
		capped[1] = cuts[0].capped[1];
	}
	bvb_arena_destroy( scratch );
	return status == bv_error_memory ? status : bv_ok;
}

// How much of what one part may need a part does need. Of what was not cut for the limit nothing is known.
static double load_of( const bvdecomp_search* s, const bvdecomp_search_part* part )
{
	static const double share_of_corners = 0.5; // a hull of twice the corners may still be simplified well
	return part->capped < 0   ? 0
	       : part->capped > 0 ? part->capped / s->aim
	                          : share_of_corners * part->corner_count / s->max_vertices;
}

bool bvdecomp_cap_may_allow( const bvdecomp_search* s, uint32_t a, uint32_t b )
{
	static const double most = 2;
	return load_of( s, s->parts + a ) + load_of( s, s->parts + b ) <= most;
}

bv_status bvdecomp_cap_of_merged( const bvdecomp_search* s, uint32_t a, uint32_t b, double* capped )
{
	const bvdecomp_search_part* part[2] = { s->parts + a, s->parts + b };
	*capped = 0;
	cap_body body = { .count = part[0]->corner_count + part[1]->corner_count };
	if ( body.count <= s->max_vertices )
	{
		return bv_ok;
	}
	body.scratch = bvbase_arena_create_scratch( s->arena );
	body.points = body.scratch ? bvb_arena_allocate( body.scratch, body.count, sizeof *body.points ) : NULL;
	bv_status status = body.points ? bv_ok : bv_error_memory;
	for ( uint32_t i = 0; i < body.count && body.points; ++i )
	{
		bool first = i < part[0]->corner_count;
		body.points[i] = first ? part[0]->corners[i] : part[1]->corners[i - part[0]->corner_count];
	}
	if ( status == bv_ok )
	{
		*capped = estimate_capped( s, &body, &s->workers[0].half[0] );
		status = s->workers[0].half[0].failed ? bv_error_memory
		         : *capped <= s->aim          ? find_capped( s, &body, capped )
		                                      : bv_ok;
	}
	bvb_arena_destroy( body.scratch );
	return status;
}
