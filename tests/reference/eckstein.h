// The directed Hausdorff distance from the surface of a box or a sphere to triangles, as J. Eckstein computes it:
// "Echtzeitfähige Kollisionserkennung", 1998, section 3.8.2, figure 3.12. What the certified engine is compared with.
//
// The surface is a set of regions. The estimate of a region is the distance of a sample of it plus a correction, which
// bounds how much farther another of its points can be; the region of greatest estimate is split until its correction is
// small. A nearest triangle is found by looking at every one, as printed.
//
// Where the print errs, this does what is meant: figure 3.12 loops while the correction is small enough, not too large; the
// distance to a face is taken from its edges whenever one of them has the foot of a perpendicular, though a corner may be
// nearer; the sum of a rectangle's corners lacks the factor 1/4.

#pragma once

#include "bv/shape.h"
#include "bvbuild/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is added to the distance of a sample ("Berechnung des Korrekturterms für eine Region").
typedef enum eckstein_correction
{
	eckstein_reach, ///< 1: the greatest distance from the sample, in the middle of the region, to a point of it
	eckstein_nearest, ///< 2: how much farther than the sample a point of the region can be from the sample's nearest
					  ///< point; samples are the region's corners, shared with its neighbors
} eckstein_correction;

/// When to stop. Not later than where the print does: the best sample of all regions counts, not only that of the region
/// of greatest estimate.
typedef struct eckstein_options
{
	eckstein_correction correction; ///< default eckstein_nearest
	double relative;                ///< stop at upper <= lower * (1 + relative); default 0.01
	double absolute;                ///< or at upper <= lower + absolute, mesh units; default 0
	uint64_t max_regions;           ///< or after so many regions; default 100000
} eckstein_options;

/// @return the defaults above
eckstein_options eckstein_options_default( void );

/// The distance lies in [lower, upper] but for the rounding of binary64.
typedef struct eckstein_result
{
	double lower;        ///< distance of the best sample, mesh units
	double upper;        ///< greatest estimate of all regions that are left, mesh units
	bv_vec3 witness;     ///< the best sample
	uint64_t regions;    ///< whose estimates were computed
	uint64_t samples;    ///< whose nearest triangles were searched
	bool out_of_regions; ///< whether max_regions ended it
} eckstein_result;

/// Six rectangles, which are split into four.
/// @param first  triangles first ... first + count - 1 of the mesh count
/// @return false when out of memory
bool eckstein_box( const bvb_mesh* mesh, uint32_t first, uint32_t count, const bv_obb* box,
                   const eckstein_options* options, eckstein_result* out );

/// The twenty spherical triangles of the icosahedron, which are split at the middle of their longest edge.
bool eckstein_sphere( const bvb_mesh* mesh, uint32_t first, uint32_t count, const bv_sphere* ball,
                      const eckstein_options* options, eckstein_result* out );

#ifdef __cplusplus
}
#endif
