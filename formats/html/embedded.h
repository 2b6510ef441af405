// Files that every page of the HTML report carries along, in the library as they are at build time.
//
// For each row FILE( name, path ) there are report_name, its bytes, and report_name_size. A path is relative to the folder
// that make is run in. One more file is one more row; the Makefile rebuilds when one of them changes.

#pragma once

#include "formats/output.h"

#include <stdint.h>

// Of Debian's libjs-three its notice comes along.
#define REPORT_FILES( FILE )                                     \
	FILE( page_css, "formats/html/page/page.css" )               \
	FILE( view_css, "formats/html/page/view.css" )               \
	FILE( view_html, "formats/html/page/view.html" )             \
	FILE( view_numbers_js, "formats/html/page/view_numbers.js" ) \
	FILE( view_data_js, "formats/html/page/view_data.js" )       \
	FILE( view_colors_js, "formats/html/page/view_colors.js" )   \
	FILE( view_volumes_js, "formats/html/page/view_volumes.js" ) \
	FILE( view_camera_js, "formats/html/page/view_camera.js" )   \
	FILE( view_pick_js, "formats/html/page/view_pick.js" )       \
	FILE( view_tell_js, "formats/html/page/view_tell.js" )       \
	FILE( view_scene_js, "formats/html/page/view_scene.js" )     \
	FILE( view_js, "formats/html/page/view.js" )                 \
	FILE( three_js, "/usr/share/javascript/three/three.min.js" ) \
	FILE( three_notice, "/usr/share/doc/libjs-three/copyright" )

#define REPORT_DECLARE( name, path )   \
	extern const char report_##name[]; \
	extern const uint64_t report_##name##_size;
REPORT_FILES( REPORT_DECLARE )
#undef REPORT_DECLARE

/// A file by its name in the table.
typedef struct report_file
{
	const char* name; ///< as in REPORT_FILES
	const char* data; ///< not terminated
	uint64_t size;    ///< bytes
} report_file;

/// @return one of the files, by index; its name is null past the last
report_file report_get_file( uint32_t index );

/// Adds `report_##name` as it is: REPORT_PUT( page, page_css ).
#define REPORT_PUT( output, name ) bvb_output_bytes( output, report_##name, report_##name##_size )
