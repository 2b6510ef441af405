// The greedy heuristic for k centers, applied to faces. The first center is the corner farthest from the
// center of the smallest ball. Each further center is the corner farthest from all centers so far. A face
// belongs to the center from which its farthest corner is nearest.
//
// Some sets cannot be divided in this way; the two triangles of a rectangle, for example, are equally far
// from both ends of its diagonal. The unmodified heuristic (figure 3.5) is then applied to the faces'
// midpoints, which separates any that differ.
//
// Based on: D. S. Hochbaum, D. B. Shmoys, "A best possible heuristic for the k-center problem", 1985, as
// modified in J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.2, figure 3.6.

#include "offline/hierarchy/split.h"

#include "bvbuild/hierarchy.h"
#include "offline/fit/sphere.h"
#include "offline/hierarchy/complete.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

// In the table of splitters.c.
bvhier_split_function bvhier_split_kcenter;

// What a run knows.
typedef struct kcenter_run
{
	const bvfit_face_list* list;
	bool midpoints;   // faces are their midpoints, not their corners
	uint32_t centers; // so far
	bv_vec3 center[BVB_MAX_DEGREE];
	uint8_t number[BVB_MAX_DEGREE]; // the centers' parts
	double* squared;                // by face: distance from its own center; negative for a face that stays
	uint8_t* part;
} kcenter_run;

// The points that stand for a face.
static const bv_vec3* points_of( const kcenter_run* r, uint32_t i, int* count )
{
	const bvfit_face* face = r->list->faces + r->list->order[i];
	*count = r->midpoints ? 1 : 3;
	return r->midpoints ? &face->midpoint : face->corner;
}

static double squared_distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

static double from_centers( bv_vec3 p, const bv_vec3* center, uint32_t centers )
{
	double least = squared_distance( p, center[0] );
	for ( uint32_t k = 1; k < centers; ++k )
	{
		least = bvmath_min( least, squared_distance( p, center[k] ) );
	}
	return least;
}

// The point, of faces that may move, with the greatest distance from all centers.
static bv_vec3 farthest_point( const kcenter_run* r, const bv_vec3* center, uint32_t centers )
{
	bv_vec3 best = center[0];
	double greatest = -1;
	uint32_t of = 0;
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		int count;
		const bv_vec3* p = points_of( r, i, &count );
		for ( int k = 0; k < count && r->squared[i] >= 0; ++k )
		{
			double squared = from_centers( p[k], center, centers );
			uint32_t face = r->list->order[i];
			if ( squared > greatest || ( squared == greatest && face < of ) )
			{
				best = p[k];
				greatest = squared;
				of = face;
			}
		}
	}
	return best;
}

// All points that determine the least ball are farthest from its middle, so that rounding would choose one of
// them: taken is the one with the least coordinates.
static bv_vec3 first_point( const kcenter_run* r, bv_vec3 middle )
{
	bv_vec3 best = farthest_point( r, &middle, 1 );
	double enough = ( 1 - 0x1p-30 ) * squared_distance( best, middle );
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		int count;
		const bv_vec3* p = points_of( r, i, &count );
		for ( int k = 0; k < count; ++k )
		{
			best =
				squared_distance( p[k], middle ) >= enough && bvmath_compare( p[k], best ) < 0 ? p[k] : best;
		}
	}
	return best;
}

static void add_center( kcenter_run* r, bv_vec3 center, uint32_t number )
{
	r->center[r->centers] = center;
	r->number[r->centers++] = (uint8_t)number;
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		int count;
		const bv_vec3* p = points_of( r, i, &count );
		double squared = 0;
		for ( int k = 0; k < count; ++k )
		{
			squared = bvmath_max( squared, squared_distance( p[k], center ) );
		}
		if ( r->part[i] == BVHIER_UNPLACED || squared < r->squared[i] )
		{
			r->part[i] = (uint8_t)number;
			r->squared[i] = squared;
		}
	}
}

// All centers, when no face is placed. Returns whether there is more than one part.
static bool divide( kcenter_run* r, bv_vec3 middle, uint32_t degree )
{
	uint32_t count = r->list->count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		r->part[i] = BVHIER_UNPLACED;
		r->squared[i] = 0;
	}
	r->centers = 0;
	add_center( r, first_point( r, middle ), 0 );
	for ( uint32_t k = 1; k < degree; ++k )
	{
		add_center( r, farthest_point( r, r->center, r->centers ), k );
	}
	bool several = false;
	for ( uint32_t i = 1; i < count; ++i )
	{
		several = several || r->part[i] != r->part[0];
	}
	return several;
}

static void divide_all( kcenter_run* r, bv_vec3 middle, uint32_t degree )
{
	if ( !divide( r, middle, degree ) && degree > 1 )
	{
		r->midpoints = true;
		divide( r, middle, degree );
	}
}

static bv_vec3 middle_of( const bvfit_face_list* list )
{
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			list->corners[3 * (size_t)i + (size_t)k] = list->faces[list->order[i]].corner[k];
		}
	}
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( list->corners, 3 * list->count, &ball );
	return bv_add( ball.origin, ball.center );
}

// Adds the centers of the parts that have faces, then those of the others.
static void complete( kcenter_run* r, uint32_t degree, const bool* filled, const bv_vec3* center )
{
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		r->squared[i] = r->part[i] == BVHIER_UNPLACED ? 0 : -1;
	}
	for ( uint32_t k = 0; k < degree; ++k )
	{
		if ( filled[k] )
		{
			add_center( r, center[k], k );
		}
	}
	for ( uint32_t k = 0; k < degree; ++k )
	{
		if ( !filled[k] )
		{
			add_center( r, farthest_point( r, r->center, r->centers ), k );
		}
	}
}

void bvhier_complete_kcenter( const bvfit_face_list* list, uint32_t degree, const bv_vec3* center,
                              double* room, uint8_t* part )
{
	kcenter_run r = { .list = list, .squared = room, .part = part };
	bool filled[BVB_MAX_DEGREE] = { false };
	uint32_t placed = 0;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		if ( part[i] != BVHIER_UNPLACED )
		{
			filled[part[i]] = true;
			placed += 1;
		}
	}
	if ( placed == 0 )
	{
		divide_all( &r, middle_of( list ), degree );
	}
	else if ( placed < list->count )
	{
		complete( &r, degree, filled, center );
	}
}

bool bvhier_split_kcenter( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	(void)how;
	kcenter_run r = { .list = &set->list, .squared = set->keys, .part = part };
	divide_all( &r, middle_of( &set->list ), degree );
	return true;
}

bv_vec3 bvhier_volume_center( const bv_volume* volume )
{
	return bvvol_kind_of( volume->type )->center( volume );
}
