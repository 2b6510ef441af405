// What the builder `sah` is made of: faces as boxes that move along with their sets, the cheapest cut of a
// set, and the cut that a splitter makes. I. Wald, "On fast construction of SAH-based bounding volume
// hierarchies", 2007. See build_sah.c.

#pragma once

#include "offline/base/lanes.h"
#include "offline/hierarchy/sah.h"
#include "offline/hierarchy/split.h"

#include <math.h>

/// A face's box. The fourth lanes of both halves take part in nothing.
typedef union bvhier_sah_item
{
	struct
	{
		bvbase_float4 lower; ///< its least corner
		bvbase_float4 upper; ///< its greatest corner
	};
	struct
	{
		float low[3];    ///< the least corner, too
		uint32_t face;   ///< index into the mesh
		float high[3];   ///< the greatest corner, too
		uint32_t unused; ///< of the greatest corner's fourth lane
	};
} bvhier_sah_item;

/// Where a box is: the sum of both corners, twice its midpoint.
typedef struct bvhier_sah_place
{
	bvbase_double2 xy; ///< along the first two axes
	bvbase_double2 z;  ///< along the third axis; the second lane takes part in nothing
} bvhier_sah_place;

/// Least and greatest places of a set.
typedef struct bvhier_sah_places
{
	bvhier_sah_place lower; ///< the least along each axis
	bvhier_sah_place upper; ///< the greatest along each axis
} bvhier_sah_places;

/// A box around some faces.
typedef struct bvhier_sah_box
{
	bvbase_float4 lower; ///< its least corner
	bvbase_float4 upper; ///< its greatest corner
} bvhier_sah_box;

/// Around nothing.
static const bvhier_sah_box bvhier_sah_no_box = { { INFINITY, INFINITY, INFINITY, 0 },
	                                              { -INFINITY, -INFINITY, -INFINITY, 0 } };

/// Of no set.
static const bvhier_sah_places bvhier_sah_no_places = {
	{ { INFINITY, INFINITY }, { INFINITY, INFINITY } }, { { -INFINITY, -INFINITY }, { -INFINITY, -INFINITY } }
};

/// Makes a box larger by another's corners.
static inline void bvhier_sah_grow( bvhier_sah_box* b, bvbase_float4 lower, bvbase_float4 upper )
{
	b->lower = bvbase_least4( b->lower, lower );
	b->upper = bvbase_greatest4( b->upper, upper );
}

/// @return where a face's box is
static inline bvhier_sah_place bvhier_sah_place_of( const bvhier_sah_item* i )
{
	return ( bvhier_sah_place ){ bvbase_widen_low( i->lower ) + bvbase_widen_low( i->upper ),
		                         bvbase_widen_high( i->lower ) + bvbase_widen_high( i->upper ) };
}

/// Adds a face's place to those of a set.
static inline void bvhier_sah_add_place( bvhier_sah_places* p, bvhier_sah_place by )
{
	p->lower.xy = bvbase_least2( p->lower.xy, by.xy );
	p->lower.z = bvbase_least2( p->lower.z, by.z );
	p->upper.xy = bvbase_greatest2( p->upper.xy, by.xy );
	p->upper.z = bvbase_greatest2( p->upper.z, by.z );
}

/// A set that was divided in two.
typedef struct bvhier_sah_halves
{
	bvhier_sah_box box[2];       ///< around the faces of each
	bvhier_sah_places places[2]; ///< of the faces of each
} bvhier_sah_halves;

/// Divides a set by its cheapest cut.
/// @param from    its faces
/// @param places  of all of them
/// @param to      receives them, those below the cut first, else in the order they had
/// @return how many are below; 0 when no cut tells them apart, and nothing is filled then
uint32_t bvhier_sah_divide( const bvhier_sah_item* from, uint32_t count, const bvhier_sah_places* places,
                            bvhier_sah_item* to, bvhier_sah_halves* out );

/// Divides a set as a splitter does, which gets a copy of it.
/// @param around  the box of the set
/// @return as above; 0, with build->failed set, when out of memory, too
uint32_t bvhier_sah_divide_by( bvhier_split_function* split, const bvhier_build* build,
                               const bvhier_sah_item* from, uint32_t count, const bvhier_sah_box* around,
                               bvhier_sah_item* to, bvhier_sah_halves* out );
