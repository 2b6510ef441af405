// A rendered picture of what is in a file: the page's view where no script runs and in print.

#pragma once

#include "bv/file.h"
#include "bvbuild/base.h"
#include "offline/export/output.h"
#include "offline/report/html/html.h"

#include <stdint.h>

enum
{
	bvhtml_picture_width = 900,
	bvhtml_picture_height = 600,
};

/// What is drawn.
typedef enum bvhtml_subject
{
	bvhtml_subject_mesh = 0, ///< its triangles; sides seen from behind in another color
	bvhtml_subject_hull,     ///< the convex hull
	bvhtml_subject_parts,    ///< convex parts, neighbors in several colors
} bvhtml_subject;

/// A picture with a transparent background.
typedef struct bvhtml_picture
{
	uint8_t* pixels; ///< red, green, blue, alpha; rows from the top
	uint32_t width;  ///< pixels a row
	uint32_t height; ///< rows
	bool behind;     ///< sides of triangles show that face away
} bvhtml_picture;

/// Draws a subject from a direction in which it shows, in parallel projection, y upwards, filling the
/// picture.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_input when the file does not have it, or no face of it; bv_error_memory
bv_status bvhtml_draw( const bv_file* file, bvhtml_subject subject, bvb_arena* arena, bvhtml_picture* out,
                       bvb_error* error );

/// Adds a picture as a PNG file. Where it would take more than `limit` bytes its shades are made coarser, and
/// in the end the picture half as wide and high.
/// @return bv_ok; bv_error_memory
bv_status bvhtml_encode_png( bvhtml_picture* picture, size_t limit, bvexport_output* out, bvb_error* error );

/// Adds the figure with the id "picture": the mesh, else the hull, else the parts; without any of them a line
/// that says so.
bv_status bvhtml_put_picture( const bvhtml_page* page, bvb_error* error );

/// Adds an image of the parts.
bv_status bvhtml_put_parts_picture( const bvhtml_page* page, bvb_error* error );
