// Spheres that protrude from the shape as little as they can, by a bound that is certain. Ours; kin to the
// variational spheres of R. Wang and others, "Variational sphere set approximation for solid objects", The
// Visual Computer 22, 2006, whose measure is the volume outside.
//
// A sphere about c with the radius r protrudes from the shape by no more than r - d( c ), where d is the
// distance from c to the surface, positive inside of the shape and negative outside: the ball about c with
// the radius d( c ) is inside, and each point of the sphere is within r - d( c ) of that. (J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, section 3.5, has it for convex polyhedra, where it is the
// distance itself.) So what is to be small is the distance from c to the farthest point that is to be
// enclosed, less d( c ): one distance query for each c that is tried, and nothing is sampled. Centers are
// moved along the surface's normal first, into the shape, where large spheres lie close to flat patches, and
// then by steps along the axes that are halved where none helps.

#include "offline/literature/spheres/patch.h"

#include "offline/fit/sphere.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	halvings = 12, // of steps
	rounds = 4,    // of looking for a farther point and moving again
};

#define NO_LEAF UINT32_MAX

// What rounding may take from a sphere, in units of its radius and of coordinates.
static const double slack = 0x1p-48;

static const bv_vec3 directions[bvlit_patch_axes] = {
	{ 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 },  { 1, -1, 0 }, { 1, 0, 1 },  { 1, 0, -1 },
	{ 0, 1, 1 }, { 0, 1, -1 }, { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, 1 }, { -1, 1, 1 },
};

static double distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return sqrt( bv_dot( d, d ) );
}

// A center that is tried.
typedef struct patch_trial
{
	bv_vec3 center;
	double depth;
	double error; // distance of the farthest point less depth
	bvhaus_index_ref nearest;
} patch_trial;

// Points are on one side where the surface is farther from one of them than the other is. Of an open surface
// that holds for the outside alone: a way through a hole would lead out, and centers would follow it for
// ever.
static bool is_on_side( const bvlit_leaf_surface* m, const bvlit_known_side* known, bv_vec3 point,
                        double to_surface )
{
	return ( !known->inside || bvlit_sides_are_closed( m->sides ) ) &&
	       distance( known->point, point ) < bvmath_max( known->to_surface, to_surface );
}

// @param to_surface  distance
// @param near        a center whose depth is known; may be null
static bool is_inside( const bvlit_leaf_surface* m, bvlit_known_sides* k, bv_vec3 point, double to_surface,
                       const patch_trial* near )
{
	if ( near )
	{
		bvlit_known_side beside = { near->center, fabs( near->depth ), near->depth > 0 };
		if ( is_on_side( m, &beside, point, to_surface ) )
		{
			return beside.inside;
		}
	}
	uint32_t kept = k->asked < bvlit_sides_kept ? k->asked : bvlit_sides_kept;
	for ( uint32_t i = 0; i < kept; ++i )
	{
		if ( is_on_side( m, k->known + i, point, to_surface ) )
		{
			return k->known[i].inside;
		}
	}
	bool inside = bvlit_is_inside( m->sides, point );
	k->known[k->asked++ % bvlit_sides_kept] = ( bvlit_known_side ){ point, to_surface, inside };
	return inside;
}

// @param near    a center whose depth is known: what is nearest to it is near; may be null
// @param wanted  where it is not deeper than this, it does not matter how deep it is
static double depth_of( const bvlit_leaf_surface* m, bvlit_known_sides* k, bv_vec3 center,
                        const patch_trial* near, double wanted, bvhaus_index_ref* nearest )
{
	bvhaus_nearest known = { INFINITY, BVHAUS_NO_REF };
	if ( near )
	{
		known = ( bvhaus_nearest ){ bvhaus_index_distance( m->index, near->nearest, center ), near->nearest };
	}
	bvhaus_nearest found = bvhaus_index_within( m->index, m->index->root, center, wanted, known );
	*nearest = found.ref;
	if ( found.distance <= wanted )
	{
		return -found.distance;
	}
	return is_inside( m, k, center, found.distance, near ) ? found.distance : -found.distance;
}

// The farthest of a patch's points, and how far it is.
static double reach_of_all( const bvlit_leaf_surface* m, const bvlit_patch* n, bv_vec3 center,
                            uint32_t* farthest )
{
	double square = -1;
	for ( uint32_t leaf = n->first; leaf != NO_LEAF; leaf = leaf == n->last ? NO_LEAF : m->next[leaf] )
	{
		for ( uint32_t i = m->first_point[leaf]; i < m->first_point[leaf + 1]; ++i )
		{
			bv_vec3 d = bv_sub( m->points[i], center );
			double s = bv_dot( d, d );
			*farthest = s > square ? i : *farthest;
			square = bvmath_max( square, s );
		}
	}
	return sqrt( square );
}

static double reach_of( const bv_vec3* points, uint32_t count, bv_vec3 center )
{
	double square = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], center );
		square = bvmath_max( square, bv_dot( d, d ) );
	}
	return sqrt( square );
}

static patch_trial try_center( const bvlit_leaf_surface* m, bvlit_known_sides* k, const bv_vec3* points,
                               uint32_t count, bv_vec3 center, const patch_trial* near )
{
	double reach = reach_of( points, count, center );
	bvhaus_index_ref nearest;
	double depth = depth_of( m, k, center, near, near ? reach - near->error : -INFINITY, &nearest );
	return ( patch_trial ){ center, depth, reach - depth, nearest };
}

static bool improve( const bvlit_leaf_surface* m, bvlit_known_sides* k, const bv_vec3* points, uint32_t count,
                     bv_vec3 center, patch_trial* best )
{
	// The depth can't grow by more than the way.
	double bound = reach_of( points, count, center ) - best->depth - distance( center, best->center );
	if ( bound >= best->error )
	{
		return false;
	}
	patch_trial t = try_center( m, k, points, count, center, best );
	bool better = t.error < best->error;
	*best = better ? t : *best;
	return better;
}

// Steps along a line that double as long as they help.
static void slide( const bvlit_leaf_surface* m, bvlit_known_sides* k, const bv_vec3* points, uint32_t count,
                   bv_vec3 direction, double step, patch_trial* best )
{
	for ( int side = -1; side <= 1; side += 2 )
	{
		bv_vec3 from = best->center;
		for ( double s = side * step;
		      improve( m, k, points, count, bv_add( from, bv_scale( s, direction ) ), best ); s *= 2 )
		{
		}
	}
}

static void settle( const bvlit_leaf_surface* m, bvlit_known_sides* k, const bv_vec3* points, uint32_t count,
                    double step, patch_trial* best )
{
	for ( int halved = 0; halved < halvings; ++halved, step *= 0.5 )
	{
		for ( bool moved = true; moved; )
		{
			moved = false;
			for ( int i = 0; i < 6; ++i )
			{
				double s = i < 3 ? step : -step;
				bv_vec3 way = { i % 3 == 0 ? s : 0, i % 3 == 1 ? s : 0, i % 3 == 2 ? s : 0 };
				patch_trial before = *best;
				bool better = improve( m, k, points, count, bv_add( best->center, way ), best );
				moved = moved || ( better && best->error < before.error - 1e-3 * fabs( before.error ) );
			}
		}
	}
}

static bv_vec3 center_of_least_ball( const bv_vec3* points, uint32_t count )
{
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( points, count, &ball );
	return bv_add( ball.origin, ball.center );
}

void bvlit_patch_enclose( const bvlit_leaf_surface* surface, bvlit_known_sides* sides, bvlit_patch* patch,
                          const bv_vec3* starts, uint32_t start_count, bv_vec3 normal )
{
	bv_vec3 points[bvlit_patch_supports + rounds];
	sides->asked = 0;
	uint32_t count = bvlit_patch_supports;
	for ( uint32_t i = 0; i < bvlit_patch_supports; ++i )
	{
		points[i] = surface->points[patch->support[i]];
	}
	bv_vec3 middle = center_of_least_ball( points, bvlit_patch_supports );
	double size = reach_of( points, bvlit_patch_supports, middle );
	double length = sqrt( bv_dot( normal, normal ) );
	patch_trial best = try_center( surface, sides, points, count, middle, NULL );
	for ( uint32_t i = 0; i < start_count; ++i )
	{
		improve( surface, sides, points, count, starts[i], &best );
	}
	for ( int i = 0; i < rounds; ++i )
	{
		if ( length > 0 && size > 0 )
		{
			slide( surface, sides, points, count, bv_scale( 1 / length, normal ), 0.25 * size, &best );
		}
		settle( surface, sides, points, count, 0.25 * ( size + fabs( best.depth ) ), &best );

		// All points, of which bvlit_patch_supports are only some.
		uint32_t farthest = patch->support[0];
		patch->radius = reach_of_all( surface, patch, best.center, &farthest );
		if ( patch->radius - best.depth <= best.error * ( 1 + 1e-3 ) || i + 1 == rounds )
		{
			break;
		}
		points[count++] = surface->points[farthest];
		best.error = reach_of( points, count, best.center ) - best.depth;
	}
	patch->center = best.center;
	patch->depth = best.depth;
	patch->nearest = best.nearest;
	patch->radius += slack * ( patch->radius + bvmath_norm1( patch->center ) );
}

static void add_support( const bvlit_leaf_surface* m, bvlit_patch* n, uint32_t point, bool first )
{
	for ( int k = 0; k < bvlit_patch_axes; ++k )
	{
		double at = bv_dot( directions[k], m->points[point] );
		bool high = first || at > bv_dot( directions[k], m->points[n->support[2 * k]] );
		bool low = first || at < bv_dot( directions[k], m->points[n->support[2 * k + 1]] );
		n->support[2 * k] = high ? point : n->support[2 * k];
		n->support[2 * k + 1] = low ? point : n->support[2 * k + 1];
	}
}

bv_status bvlit_leaf_surface_create( const bvb_mesh* mesh, bvb_arena* arena, bvlit_leaf_surface* out )
{
	bvlit_sides* sides;
	bvhaus_index* index = bvhaus_index_of_triangles( mesh, NULL, mesh->triangle_count, true, arena );
	bv_status status = index ? bvlit_sides_create( mesh, arena, &sides ) : bv_error_memory;
	if ( status == bv_ok )
	{
		bvhaus_index_open_all( index );
		*out = ( bvlit_leaf_surface ){ .mesh = mesh, .index = index, .sides = sides };
	}
	return status;
}

void bvlit_patch_of_leaf( const bvlit_leaf_surface* surface, uint32_t leaf, bvlit_patch* out )
{
	*out = ( bvlit_patch ){ .first = leaf, .last = leaf };
	for ( uint32_t i = surface->first_point[leaf]; i < surface->first_point[leaf + 1]; ++i )
	{
		add_support( surface, out, i, i == surface->first_point[leaf] );
	}
}

void bvlit_patch_append( const bvlit_leaf_surface* surface, bvlit_patch* patch, const bvlit_patch* other )
{
	surface->next[patch->last] = other->first;
	patch->last = other->last;
	for ( int k = 0; k < bvlit_patch_supports; ++k )
	{
		add_support( surface, patch, other->support[k], false );
	}
}

double bvlit_patch_error( const bvlit_patch* patch )
{
	return patch->radius - patch->depth;
}

double bvlit_patch_need( const bvlit_leaf_surface* surface, const bvlit_patch* patch, bv_vec3 center,
                         double depth, double most )
{
	double enough = bvmath_max( most + depth, 0 );
	double square = 0;
	for ( int i = 0; i < bvlit_patch_supports && square <= enough * enough; ++i )
	{
		bv_vec3 d = bv_sub( surface->points[patch->support[i]], center );
		square = bvmath_max( square, bv_dot( d, d ) );
	}
	return sqrt( square ) - depth;
}

double bvlit_patch_cost( const bvlit_leaf_surface* surface, bvlit_known_sides* sides, const bvlit_patch* a,
                         const bvlit_patch* b, double most )
{
	double cost =
		bvmath_max( bvlit_patch_error( a ), bvlit_patch_need( surface, b, a->center, a->depth, most ) );
	most = bvmath_min( most, cost );
	double other =
		bvmath_max( bvlit_patch_error( b ), bvlit_patch_need( surface, a, b->center, b->depth, most ) );
	cost = bvmath_min( cost, other );
	most = bvmath_min( most, cost );
	bv_vec3 middle = bv_scale( 0.5, bv_add( a->center, b->center ) );
	double deepest = bvmath_min( a->depth, b->depth ) + 0.5 * distance( a->center, b->center );
	double least = bvlit_patch_need( surface, a, middle, deepest, most );
	least = least < most ? bvmath_max( least, bvlit_patch_need( surface, b, middle, deepest, most ) ) : least;
	if ( least < most )
	{
		sides->known[0] = ( bvlit_known_side ){ a->center, fabs( a->depth ), a->depth > 0 };
		sides->known[1] = ( bvlit_known_side ){ b->center, fabs( b->depth ), b->depth > 0 };
		sides->asked = 2;
		double reach = least + deepest;
		patch_trial near = { a->center, a->depth, 0, a->nearest };
		bvhaus_index_ref nearest;
		cost = bvmath_min( cost, reach - depth_of( surface, sides, middle, &near, reach - most, &nearest ) );
	}
	return cost;
}
