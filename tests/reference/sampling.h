// The greatest distance from many points of a volume to triangles: what certified distances must not fall short of.
//
// The volume's corners, random points of it, half of them of its surface, and steps uphill from the best of these. A point whose distance is
// certainly no greater than the best so far is abandoned: distances are 1-Lipschitz, so that in a cell of an octree over
// the volume none exceeds that of its center by more than the cell's radius. The distance reported is computed anew from
// all triangles in 113 bits.

#pragma once

#include "bvbuild/hausdorff.h"
#include "tests/reference/nearest.h"
#include "tests/reference/volumes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How many points, and which.
typedef struct sampling_options
{
	bvb_hausdorff_measure measure; ///< default bvb_hausdorff_solid
	uint64_t samples;              ///< random points; default 10000
	uint64_t climb;                ///< steps uphill; default 400
	uint64_t seed;                 ///< of the random points; default 1
	bool everything; ///< abandons no point and looks at every triangle: to test the rest by; default false
} sampling_options;

/// @return the defaults above
sampling_options sampling_options_default( void );

/// What came out.
typedef struct sampling_result
{
	double distance;    ///< of `point`, the greatest found
	bv_vec3 point;      ///< of the volume, or of its surface
	uint64_t abandoned; ///< points that could not be farther than the best so far
} sampling_result;

/// The distance of one point to the triangles in 113 bits, for bvb_hausdorff_outside 0 where they wrap around it at least
/// half a time.
double sampling_distance( const nearest_faces* faces, bvb_hausdorff_measure measure, bv_vec3 point );

/// @param options  null for the defaults
/// @return false when out of memory
bool sampling_farthest( const volume* from, const nearest_faces* faces, const sampling_options* options,
                        sampling_result* out );

#ifdef __cplusplus
}
#endif
