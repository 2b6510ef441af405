// The color scale of certified errors. It is the same for every file, in exports and in the HTML report, in
// light and in dark: a color always stands for the same share of the mesh's diagonal.

#pragma once

#include "bv/file.h"

#include <stdint.h>

/// Errors that have one color.
typedef struct bvexport_scale_step
{
	double limit;     ///< the largest of them, as a fraction of the diagonal; infinite for the last step
	const char* name; ///< for programs: letters, digits, underscores and points
	uint8_t color[3]; ///< red, green and blue in sRGB
} bvexport_scale_step;

enum
{
	bvexport_scale_steps = 10,
};

/// @param index  less than bvexport_scale_steps, the smallest errors first
/// @return the step, which lives forever
const bvexport_scale_step* bvexport_scale_at( uint32_t index );

/// @param error     an upper bound, mesh units, not negative
/// @param diagonal  of bvexport_diagonal
/// @return the index of the step that the error belongs to; the last if the diagonal is 0 and the error is not
uint32_t bvexport_scale_step_of( double error, double diagonal );

/// @return the diagonal of the mesh's bounding box; if the file has no bounds, the diameter of the root's
/// volume; if it has no hierarchy either, the diagonal of the box around its convex parts; 0 without those
double bvexport_diagonal( const bv_file* file );
