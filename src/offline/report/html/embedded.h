// Files that every page of the HTML report carries along, in the library as they are at build time.
//
// For each row FILE( name, path ) there are report_name, its bytes, and report_name_size. A path is relative
// to the folder that make is run in. One more file is one more row; the Makefile rebuilds when one of them
// changes.

#pragma once

#include "offline/export/output.h"

#include <stdint.h>

// Of Debian's libjs-three its notice comes along.
#define BVHTML_FILES( FILE )                                                                              \
	FILE( page_css, "src/offline/report/html/page/page.css" )                                             \
	FILE( view_css, "src/offline/report/html/page/view.css" )                                             \
	FILE( copy_js, "src/offline/report/html/page/copy.js" )                                               \
	FILE( view_html, "src/offline/report/html/page/view.html" )                                           \
	FILE( view_numbers_js, "src/offline/report/html/page/view_numbers.js" )                               \
	FILE( view_data_js, "src/offline/report/html/page/view_data.js" )                                     \
	FILE( view_colors_js, "src/offline/report/html/page/view_colors.js" )                                 \
	FILE( view_volumes_js, "src/offline/report/html/page/view_volumes.js" )                               \
	FILE( view_camera_js, "src/offline/report/html/page/view_camera.js" )                                 \
	FILE( view_pick_js, "src/offline/report/html/page/view_pick.js" )                                     \
	FILE( view_face_js, "src/offline/report/html/page/view_face.js" )                                     \
	FILE( view_rule_js, "src/offline/report/html/page/view_rule.js" )                                     \
	FILE( view_tell_js, "src/offline/report/html/page/view_tell.js" )                                     \
	FILE( view_lines_js, "src/offline/report/html/page/view_lines.js" )                                   \
	FILE( view_clip_js, "src/offline/report/html/page/view_clip.js" )                                     \
	FILE( view_places_js, "src/offline/report/html/page/view_places.js" )                                 \
	FILE( view_scene_js, "src/offline/report/html/page/view_scene.js" )                                   \
	FILE( view_js, "src/offline/report/html/page/view.js" )                                               \
	FILE( three_js, "/usr/share/javascript/three/three.min.js" )                                          \
	FILE( segments_geometry_js, "/usr/share/javascript/three/examples/js/lines/LineSegmentsGeometry.js" ) \
	FILE( line_material_js, "/usr/share/javascript/three/examples/js/lines/LineMaterial.js" )             \
	FILE( segments_js, "/usr/share/javascript/three/examples/js/lines/LineSegments2.js" )                 \
	FILE( three_notice, "/usr/share/doc/libjs-three/copyright" )

#define BVHTML_DECLARE( name, path )   \
	extern const char bvhtml_##name[]; \
	extern const uint64_t bvhtml_##name##_size;
BVHTML_FILES( BVHTML_DECLARE )
#undef BVHTML_DECLARE

/// A file by its name in the table.
typedef struct bvhtml_file
{
	const char* name; ///< as in BVHTML_FILES
	const char* data; ///< not terminated
	uint64_t size;    ///< bytes
} bvhtml_file;

/// @return one of the files, by index; its name is null past the last
bvhtml_file bvhtml_get_file( uint32_t index );

/// Adds `bvhtml_##name` as it is: BVHTML_PUT( page, page_css ).
#define BVHTML_PUT( output, name ) bvexport_output_bytes( output, bvhtml_##name, bvhtml_##name##_size )
