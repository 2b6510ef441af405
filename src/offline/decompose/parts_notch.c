// Cuts parts at their notches. Huotari's method: build the convex hull, find faces that cover openings,
// choose one of them, find the farthest point visible from it, considering polygons that may hide it, and cut
// in two through this point.
//
// Choices that the thesis does not specify (it calls visibility and the choice of the plane the hard
// questions):
// - The part with the largest distance from the shape is cut next.
// - Faces over openings are those with points off the shape. The eight with the farthest points are examined.
// - A point is visible if the segment from it to the nearest point of the face neither enters the shape nor
//   meets a triangle.
// - The plane is normal to the face: along one of its sides, across it, or halfway between. The best plane of
//   all eight faces is used, by the quality measure of the plane search.
// - A notch no deeper than the tolerance is kept.
//
// A plane normal to the hull's bottom cannot separate a table from its legs, and no single cut opens a ring,
// so the method is of little use for such shapes.
//
// Based on: Huotari, "Törmäyksen tunnistus 3D-ympäristössä", 2011, section 7.3.

#include "offline/decompose/decomposers.h"

#include "offline/base/arena.h"
#include "offline/base/frame.h"
#include "offline/base/sort.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"
#include "runtime/triangle/ray.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	turns = 12,
	most_faces = 8,
	most_rows = 16,
};

// What the rough hulls of the search miss is no notch.
static const double least_depth = 1e-3;

// Parts of their way along which sight may start and end within something: corners are where triangles are.
static const double sight_margin = 4 * BVDECOMP_ON_PLANE;

// A face of a part's hull.
typedef struct parts_notch_face
{
	bv_vec3 corner[3];
	bv_vec3 normal;
	double offset;
	double away; // how far its points are from the shape
} parts_notch_face;

static double least_notch( const bvdecomp_search* s )
{
	return bvmath_max( s->tolerance, least_depth );
}

// The farthest of points spread over the face.
static double away_from_shape( const bvdecomp_search* s, const bv_vec3 corner[3] )
{
	bv_vec3 u = bv_sub( corner[1], corner[0] );
	bv_vec3 v = bv_sub( corner[2], corner[0] );
	bv_vec3 w = bv_sub( v, u );
	double longest = sqrt( bvmath_max( bv_dot( u, u ), bvmath_max( bv_dot( v, v ), bv_dot( w, w ) ) ) );
	double wanted = ceil( longest / s->field.step ) + 1;
	int rows = wanted < most_rows ? (int)wanted : most_rows;
	double away = 0;
	for ( int i = 0; i < rows; ++i )
	{
		for ( int k = 0; i + k < rows; ++k )
		{
			double p = ( i + 1.0 / 3 ) / rows;
			double q = ( k + 1.0 / 3 ) / rows;
			bv_vec3 at = bv_add( corner[0], bv_add( bv_scale( p, u ), bv_scale( q, v ) ) );
			away = bvmath_max( away, bvdecomp_field_at( &s->field, at ) );
		}
	}
	return away;
}

// The faces that are farthest from the shape, the farthest first. Returns how many are over notches.
static uint32_t find_faces( const bvdecomp_search* s, const bvdecomp_search_part* part,
                            parts_notch_face out[most_faces] )
{
	bvhull_rough* rough = &s->workers[0].half[0];
	bvhull_rough_clear( rough );
	for ( uint32_t i = 0; i < part->corner_count; ++i )
	{
		bvhull_rough_add( rough, part->corners[i] );
	}
	bvhull_rough_hull( rough, 0.01 * least_depth );
	uint32_t count = 0;
	for ( uint32_t f = 0; f < rough->face_count; ++f )
	{
		const bvhull_rough_face* from = rough->faces + f;
		if ( from->dead )
		{
			continue;
		}
		parts_notch_face new = { .normal = from->normal, .offset = from->offset };
		for ( int k = 0; k < 3; ++k )
		{
			new.corner[k] = rough->points[from->corner[k]];
		}
		new.away = away_from_shape( s, new.corner );
		if ( new.away <= least_notch( s ) )
		{
			continue;
		}
		uint32_t at = count < most_faces ? count++ : most_faces;
		for ( ; at > 0 && out[at - 1].away < new.away; --at )
		{
			if ( at < most_faces )
			{
				out[at] = out[at - 1];
			}
		}
		if ( at < most_faces )
		{
			out[at] = new;
		}
	}
	return count;
}

static bool meets_triangles( const bvdecomp_piece* piece, const bvtri_ray_frame* ray, double margin )
{
	for ( uint32_t t = 0; t < piece->triangle_count; ++t )
	{
		const uint32_t* c = piece->triangles[t].corner;
		bv_vec3 corner[3] = { piece->points[c[0]], piece->points[c[1]], piece->points[c[2]] };
		bvtri_ray_triangle met;
		if ( bvtri_ray_meets_triangle( ray, corner, &met ) && met.time > margin && met.time < 1 - margin )
		{
			return true;
		}
	}
	return false;
}

// The field tells at once where most of what is hidden is hidden; what it is too coarse for is left to the
// triangles.
static bool enters_shape( const bvdecomp_field* field, bv_vec3 from, bv_vec3 way, double length )
{
	int steps = (int)( 2 * length / field->step );
	for ( int i = 1; i < steps; ++i )
	{
		if ( bvdecomp_field_at( field, bv_add( from, bv_scale( i / (double)steps, way ) ) ) <
		     -0.5 * field->step )
		{
			return true;
		}
	}
	return false;
}

static bool is_visible( const bvdecomp_search* s, const bvdecomp_search_part* part, const parts_notch_face* f,
                        bv_vec3 point )
{
	bvtri_nearest nearest;
	bvtri_nearest_on_triangle( point, f->corner, &nearest );
	bv_vec3 way = bv_sub( nearest.point, point );
	double length = sqrt( nearest.square );
	if ( enters_shape( &s->field, point, way, length ) )
	{
		return false;
	}
	bvtri_ray_frame ray;
	bvtri_ray_begin( point, way, &ray );
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		if ( meets_triangles( &s->leaves[leaf].piece, &ray, sight_margin / length ) )
		{
			return false;
		}
	}
	return true;
}

// Points of triangles below a face, the deepest first.
typedef struct depths
{
	bv_vec3* points;
	bvbase_sort_entry* order; // values are indices of points
	uint32_t count;
} depths;

static bv_status sort_depths( const bvdecomp_search* s, const bvdecomp_search_part* part,
                              const parts_notch_face* f, bvb_arena* scratch, depths* out )
{
	size_t room = 0;
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		room += s->leaves[leaf].piece.point_count;
	}
	out->points = bvb_arena_allocate( scratch, room, sizeof *out->points );
	out->order = bvb_arena_allocate( scratch, 2 * room, sizeof *out->order );
	out->count = 0;
	if ( !out->points || !out->order )
	{
		return bv_error_memory;
	}
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		for ( uint32_t i = 0; i < piece->point_count; ++i )
		{
			double depth = f->offset - bv_dot( f->normal, piece->points[i] );
			if ( depth > least_notch( s ) )
			{
				// Of positive numbers the bits are in order, too.
				uint64_t bits;
				memcpy( &bits, &depth, sizeof bits );
				out->order[out->count] = ( bvbase_sort_entry ){ ~bits, out->count };
				out->points[out->count++] = piece->points[i];
			}
		}
	}
	bvbase_sort( out->order, out->order + out->count, out->count );
	return bv_ok;
}

// The visible point that is farthest below a face.
static bv_status find_notch( const bvdecomp_search* s, const bvdecomp_search_part* part,
                             const parts_notch_face* f, bool* found, bv_vec3* point )
{
	*found = false;
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	depths d;
	bv_status status = scratch ? sort_depths( s, part, f, scratch, &d ) : bv_error_memory;
	for ( uint32_t i = 0; status == bv_ok && i < d.count && !*found; ++i )
	{
		*point = d.points[d.order[i].value];
		*found = is_visible( s, part, f, *point );
	}
	bvb_arena_destroy( scratch );
	return status;
}

// Along each side of the face, across it, and in both directions halfway between.
static void add_planes( const parts_notch_face* f, bv_vec3 point, bvdecomp_candidate items[turns] )
{
	for ( int i = 0; i < turns; ++i )
	{
		bv_vec3 across = bvbase_unit( bv_sub( f->corner[( i / 4 + 1 ) % 3], f->corner[i / 4] ) );
		bv_vec3 along = bv_cross( f->normal, across );
		bv_vec3 normal = i % 4 == 0   ? along
		                 : i % 4 == 1 ? across
		                 : i % 4 == 2 ? bv_add( across, along )
		                              : bv_sub( across, along );
		normal = bvbase_unit( normal );
		items[i] = ( bvdecomp_candidate ){ .plane = { normal, bv_dot( normal, point ) } };
	}
}

static bv_status try_planes( bvdecomp_search* s, uint32_t part, bvdecomp_candidate* items, int count )
{
#pragma omp parallel for num_threads( s->team ) schedule( dynamic )
	for ( int i = 0; i < count; ++i )
	{
		bvdecomp_candidate* c = items + i;
		bool good = bvdecomp_try_cut( s, s->workers + omp_get_thread_num(), part, &c->plane, &s->fine,
		                              INFINITY, c->cost );
		c->total =
			good ? bvdecomp_cost_total( s, &c->cost[0] ) + bvdecomp_cost_total( s, &c->cost[1] ) : INFINITY;
	}
	s->steps += (uint64_t)count;
	for ( int k = 0; k < s->team; ++k )
	{
		if ( s->workers[k].failed )
		{
			return bv_error_memory;
		}
	}
	return bv_ok;
}

// The planes through the notches of all faces.
static bv_status find_planes( bvdecomp_search* s, uint32_t part, bvdecomp_candidate* items, int* count )
{
	parts_notch_face faces[most_faces];
	uint32_t face_count = find_faces( s, s->parts + part, faces );
	bv_status status = s->workers[0].half[0].failed ? bv_error_memory : bv_ok;
	*count = 0;
	for ( uint32_t f = 0; f < face_count && status == bv_ok; ++f )
	{
		bool found;
		bv_vec3 point;
		status = find_notch( s, s->parts + part, faces + f, &found, &point );
		if ( status == bv_ok && found )
		{
			add_planes( faces + f, point, items + *count );
			*count += turns;
		}
	}
	return status;
}

static bvdecomp_candidate* best_of( bvdecomp_candidate* items, int count )
{
	bvdecomp_candidate* best = NULL;
	for ( int i = 0; i < count; ++i )
	{
		best = items[i].total < ( best ? best->total : INFINITY ) ? items + i : best;
	}
	return best;
}

static bv_status cut_at_notch( bvdecomp_search* s, uint32_t part, bool* done )
{
	bvdecomp_candidate items[most_faces * turns];
	int count;
	bv_status status = find_planes( s, part, items, &count );
	status = status == bv_ok ? try_planes( s, part, items, count ) : status;
	bvdecomp_candidate* best = best_of( items, count );
	*done = false;
	while ( status == bv_ok && best && !*done )
	{
		status = bvdecomp_cut_part( s, part, &best->plane, done );
		best->total = INFINITY;
		best = best_of( items, count );
	}
	return status;
}

static uint32_t farthest_part( const bvdecomp_search* s )
{
	uint32_t best = BVDECOMP_NONE;
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		const bvdecomp_search_part* p = s->parts + i;
		if ( p->leaf != BVDECOMP_NONE && !p->final && p->cost.farthest > least_notch( s ) &&
		     ( best == BVDECOMP_NONE || p->cost.farthest > s->parts[best].cost.farthest ) )
		{
			best = i;
		}
	}
	return best;
}

bv_status bvdecomp_parts_notch( bvdecomp_search* s )
{
	bv_status status = bv_ok;
	while ( status == bv_ok && s->live < s->max_parts && !s->stopped )
	{
		uint32_t part = farthest_part( s );
		if ( part == BVDECOMP_NONE )
		{
			break;
		}
		bool done;
		status = cut_at_notch( s, part, &done );
		s->parts[part].final = !done;
	}
	return status;
}
