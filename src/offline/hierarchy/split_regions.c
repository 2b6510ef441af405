// Modified Gottschalk and modified Zachmann: each face goes to the nearest, by its midpoint, of as many
// points as there are to be parts, spread over the node's oriented or axis-aligned box. J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, sections 3.7.5 and 3.7.6, table 3.1.
//
// The points lie along the two longest axes of the box. When all faces are in one region the next axes are
// tried, the second and the third, then the third and the first, as the thesis does for two parts. When no
// axis separates them the thesis takes the set for indivisible. One huge triangle round many small ones would
// make a leaf of them all; so the same points are then spread over the box of the midpoints, along the same
// axes, which separates any two midpoints.

#include "offline/hierarchy/split_regions.h"

#include "bvbuild/hierarchy.h"
#include "runtime/math/vec.h"

#include <string.h>

// Points in the plane of two axes of a box, in units of its half extents along them: (0, 0) is the box's
// center. Their offsets along the third axis are 0.
// @param degree  how many points, 2 .. BVB_MAX_DEGREE
// @return `degree` points: along the first axis, the longer one, and along the second
static const double ( *region_points( uint32_t degree ) )[2]
{
	static const double points[BVB_MAX_DEGREE - 1][BVB_MAX_DEGREE][2] = {
		{ { -0.5, 0 }, { 0.5, 0 } },
		{ { -2.0 / 3, 0 }, { 0, 0 }, { 2.0 / 3, 0 } },
		{ { -0.5, -0.5 }, { -0.5, 0.5 }, { 0.5, -0.5 }, { 0.5, 0.5 } },
		{ { -0.5, -0.5 }, { -0.5, 0.5 }, { 0, 0 }, { 0.5, -0.5 }, { 0.5, 0.5 } },
		{ { -2.0 / 3, -0.5 },
		  { 0, -0.5 },
		  { 2.0 / 3, -0.5 },
		  { -2.0 / 3, 0.5 },
		  { 0, 0.5 },
		  { 2.0 / 3, 0.5 } },
	};
	return points[degree - 2];
}

// A box of points along given axes, relative to one of them.
typedef struct regions_frame
{
	bv_vec3 axis[3];
	bv_vec3 origin;
	double lower[3];
	double upper[3];
} regions_frame;

static void add_point( regions_frame* f, bv_vec3 p )
{
	bv_vec3 d = bv_sub( p, f->origin );
	for ( int k = 0; k < 3; ++k )
	{
		double along = bv_dot( f->axis[k], d );
		f->lower[k] = bvmath_min( f->lower[k], along );
		f->upper[k] = bvmath_max( f->upper[k], along );
	}
}

// Measured again: what is stored of the node's box is rounded, which far from the origin may be more than its
// size.
static void measure( const bvfit_face_list* list, bool midpoints, regions_frame* f )
{
	f->origin = list->faces[list->order[0]].midpoint;
	for ( int k = 0; k < 3; ++k )
	{
		f->lower[k] = 0;
		f->upper[k] = 0;
	}
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const bvfit_face* face = list->faces + list->order[i];
		const bv_vec3* point = midpoints ? &face->midpoint : face->corner;
		for ( int k = 0; k < ( midpoints ? 1 : 3 ); ++k )
		{
			add_point( f, point[k] );
		}
	}
}

static uint32_t nearest( const double ( *point )[2], uint32_t degree, double x, double y )
{
	uint32_t best = 0;
	double least = 0;
	for ( uint32_t k = 0; k < degree; ++k )
	{
		double dx = x - point[k][0];
		double dy = y - point[k][1];
		double squared = dx * dx + dy * dy;
		if ( k == 0 || squared < least )
		{
			best = k;
			least = squared;
		}
	}
	return best;
}

// Returns whether the faces are in more than one part.
static bool divide( const bvfit_face_list* list, const regions_frame* f, int a, int b, uint32_t degree,
                    uint8_t* part )
{
	double point[BVB_MAX_DEGREE][2];
	for ( uint32_t k = 0; k < degree; ++k )
	{
		const double* at = region_points( degree )[k];
		point[k][0] = ( f->lower[a] + f->upper[a] ) / 2 + at[0] * ( ( f->upper[a] - f->lower[a] ) / 2 );
		point[k][1] = ( f->lower[b] + f->upper[b] ) / 2 + at[1] * ( ( f->upper[b] - f->lower[b] ) / 2 );
	}
	bool several = false;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		bv_vec3 d = bv_sub( list->faces[list->order[i]].midpoint, f->origin );
		part[i] = (uint8_t)nearest( (const double( * )[2])point, degree, bv_dot( f->axis[a], d ),
		                            bv_dot( f->axis[b], d ) );
		several = several || part[i] != part[0];
	}
	return several;
}

static void sort_axes( const regions_frame* f, int axes[3] )
{
	double length[3];
	for ( int k = 0; k < 3; ++k )
	{
		length[k] = f->upper[k] - f->lower[k];
	}
	bvhier_longest_axes( length, axes );
}

static bool try_axes( const bvfit_face_list* list, const regions_frame* f, uint32_t degree, uint8_t* part )
{
	int axes[3];
	sort_axes( f, axes );
	for ( int i = 0; i < 3; ++i )
	{
		if ( divide( list, f, axes[i], axes[( i + 1 ) % 3], degree, part ) )
		{
			return true;
		}
	}
	return false;
}

static regions_frame frame_of( const bvhier_face_set* set, bool oriented )
{
	regions_frame f = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	if ( oriented )
	{
		bv_obb box = bvhier_set_obb( set );
		memcpy( f.axis, box.axis, sizeof f.axis );
	}
	measure( &set->list, false, &f );
	return f;
}

void bvhier_region_centers( const bvhier_face_set* set, uint32_t degree, bv_vec3* point )
{
	regions_frame f = frame_of( set, true );
	int axes[3];
	sort_axes( &f, axes );
	for ( uint32_t i = 0; i < degree; ++i )
	{
		const double* at = region_points( degree )[i];
		point[i] = f.origin;
		for ( int k = 0; k < 3; ++k )
		{
			double half = ( f.upper[axes[k]] - f.lower[axes[k]] ) / 2;
			double along = ( f.lower[axes[k]] + f.upper[axes[k]] ) / 2 + ( k < 2 ? at[k] * half : 0 );
			point[i] = bv_add( point[i], bv_scale( along, f.axis[axes[k]] ) );
		}
	}
}

bool bvhier_split_regions( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	regions_frame f = frame_of( set, ( (const bvhier_regions_how*)how )->oriented );
	if ( !try_axes( &set->list, &f, degree, part ) )
	{
		measure( &set->list, true, &f );
		try_axes( &set->list, &f, degree, part );
	}
	return true;
}
