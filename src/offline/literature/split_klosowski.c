// Klosowski's rules: a plane normal to a coordinate axis, through the mean or the median of the faces'
// midpoints. The axis is one of
//  - sum: the sum of the parts' volumes is least;
//  - max: the larger of the parts' volumes is least;
//  - splatter: the midpoints' variance along it is greatest;
//  - longest: the set is longest along it.
// J. T. Klosowski, M. Held, J. S. B. Mitchell, H. Sowizral, K. Zikan, "Efficient collision detection using
// bounding volume hierarchies of k-DOPs", 1998, section 4.2.
//
// The volumes are those of the node's type. Length is that of the faces' own axis-aligned box, which is that
// of a k-DOP's projection. Axes that separate nothing are passed over; of axes that are equally good, as of
// flat sets, the longest is taken. Midpoints in the plane go to the smaller part, so that a median among
// equal ones separates all the same. The trees are binary: for more parts the rule is applied again to the
// part with the most faces.

#include "offline/literature/split_klosowski.h"

#include "offline/hierarchy/bisect.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

static double mean( const double* keys, uint32_t count )
{
	double sum = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum += keys[i];
	}
	return sum / count;
}

// Volumes of the two parts. The faces' order is kept where the keys were.
static void measure( const bvhier_face_set* set, const uint8_t* part, uint32_t below, double* keys,
                     double volume[2] )
{
	uint32_t* order = (uint32_t*)keys;
	uint32_t end[2] = { 0, below };
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		order[end[part[i]]++] = set->list.order[i];
	}
	for ( int k = 0; k < 2; ++k )
	{
		bvfit_face_list list = set->list;
		list.order = k ? order + below : order;
		list.count = k ? set->list.count - below : below;
		bv_volume fitted = bvfit_volume_fit_type( set->volume->type, &list );
		volume[k] = bvfit_volume_row_of( fitted.type )->volume( &fitted );
	}
}

static double sum_of_volumes( const bvhier_face_set* set, const uint8_t* part, uint32_t below, double* keys )
{
	double volume[2];
	measure( set, part, below, keys, volume );
	return volume[0] + volume[1];
}

static double larger_volume( const bvhier_face_set* set, const uint8_t* part, uint32_t below, double* keys )
{
	double volume[2];
	measure( set, part, below, keys, volume );
	return bvmath_max( volume[0], volume[1] );
}

static double variance( const bvhier_face_set* set, const uint8_t* part, uint32_t below, double* keys )
{
	(void)part;
	(void)below;
	double middle = mean( keys, set->list.count );
	double sum = 0;
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		sum += ( keys[i] - middle ) * ( keys[i] - middle );
	}
	return -sum;
}

// How the cut across one axis is judged; small is good. `below`, of the faces that are in part 0, is neither
// none nor all; the keys of the faces along the axis may be overwritten. Null: the first axis that separates
// the faces is taken.
typedef double score_function( const bvhier_face_set* set, const uint8_t* part, uint32_t below,
                               double* keys );

static score_function* const scores[] = {
	[bvlit_klosowski_sum] = sum_of_volumes,
	[bvlit_klosowski_max] = larger_volume,
	[bvlit_klosowski_splatter] = variance,
	[bvlit_klosowski_longest] = NULL,
};

// Returns how many faces are below the plane.
static uint32_t divide( const bvhier_face_set* set, int axis, bool median, uint8_t* part )
{
	uint32_t count = set->list.count;
	bvhier_project_midpoints( &set->list, axis, set->keys );
	double cut;
	if ( median )
	{
		double* values = (double*)set->list.corners;
		memcpy( values, set->keys, count * sizeof *values );
		cut = bvhier_median( values, count );
	}
	else
	{
		cut = mean( set->keys, count );
	}
	return bvhier_cut_at( set->keys, count, cut, part );
}

static void get_longest_axes( const bvfit_face_list* list, int axes[3] )
{
	const bvfit_face* face = list->faces + list->order[0];
	bv_vec3 lower = face->corner[0];
	bv_vec3 upper = face->corner[0];
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = list->faces[list->order[i]].corner[k];
			lower = bvmath_least( lower, p );
			upper = bvmath_greatest( upper, p );
		}
	}
	bv_vec3 size = bv_sub( upper, lower );
	bvhier_longest_axes( ( double[3] ){ size.x, size.y, size.z }, axes );
}

static void bisect( const bvhier_face_set* set, const void* settings, uint8_t* part )
{
	const bvlit_klosowski_how* how = settings;
	score_function* score_of = scores[how->axis];
	int axes[3];
	get_longest_axes( &set->list, axes );
	int best = -1;
	int last = -1;
	double least = INFINITY;
	for ( int i = 0; i < 3 && !( best >= 0 && !score_of ); ++i )
	{
		uint32_t below = divide( set, axes[i], how->median, part );
		last = i;
		if ( below == 0 || below == set->list.count )
		{
			continue;
		}
		double score = score_of ? score_of( set, part, below, set->keys ) : 0;
		if ( best < 0 || score < least )
		{
			best = i;
			least = score;
		}
	}
	if ( best >= 0 && best != last )
	{
		divide( set, axes[best], how->median, part );
	}
}

bool bvlit_split_klosowski( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	return bvhier_bisect( set, degree, bisect, how, part );
}
