// The 3D view of the HTML report. See view.h.
//
// Writes the geometry as JSON, three.js, and the scripts of src/offline/report/html/page. The control panel
// next to the picture is page/view.html; it is hidden until a script runs.

#include "offline/report/html/view.h"

#include "offline/export/scale.h"
#include "offline/report/html/embedded.h"
#include "offline/report/html/html.h"
#include "offline/report/html/view_data.h"
#include "offline/report/unit.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <string.h>

// A box that grows.
typedef struct view_extent
{
	bv_aabb box;
	bool any;
} view_extent;

static void extend( view_extent* e, bv_vec3 p )
{
	e->box.lower = e->any ? bvmath_least( e->box.lower, p ) : p;
	e->box.upper = e->any ? bvmath_greatest( e->box.upper, p ) : p;
	e->any = true;
}

// Of all that is put on the grid.
static view_extent find_extent( const bv_file* file )
{
	view_extent e = { .any = false };
	bv_mesh_info mesh = bv_file_get_mesh( file );
	for ( uint32_t i = 0; mesh.has_triangles && i < mesh.vertices; ++i )
	{
		extend( &e, bvfile_local_vertex( file, i ) );
	}
	bv_hull_info hull = bv_file_get_hull( file );
	for ( uint32_t i = 0; i < hull.vertices; ++i )
	{
		extend( &e, bvfile_local_hull_position( file, i ) );
	}
	bv_part part;
	for ( uint32_t i = 0; bvfile_local_part( file, i, &part ); ++i )
	{
		extend( &e, part.box.lower );
		extend( &e, part.box.upper );
	}
	bv_proxy proxy = { .vertices = 0 };
	bv_file_get_proxy( file, &proxy );
	for ( uint32_t i = 0; i < proxy.vertices; ++i )
	{
		extend( &e, bvfile_local_proxy_vertex( file, i ) );
	}
	bv_clip clip;
	bv_clip_box root;
	if ( e.any && bv_file_get_clip( file, &clip ) && clip.frames &&
	     bvfile_local_clip_box( file, 0, BV_CLIP_WHOLE, &root ) )
	{
		extend( &e, root.box.lower );
		extend( &e, root.box.upper );
	}
	bv_file_bounds bounds;
	if ( !e.any && bvfile_local_bounds( file, &bounds ) )
	{
		extend( &e, bounds.aabb.lower );
		extend( &e, bounds.aabb.upper );
	}
	return e;
}

static void place( bvhtml_view_data* v, const view_extent* e )
{
	bv_vec3 half = bv_sub( bv_scale( 0.5, e->box.upper ), bv_scale( 0.5, e->box.lower ) );
	v->center = bv_add( e->box.lower, half );
	v->scale = bvmath_max( half.x, bvmath_max( half.y, half.z ) );
	v->scale = v->scale > 0 ? v->scale : 1;
}

static void put_vector( bvhtml_view_data* v, const char* key, bv_vec3 p )
{
	bvhtml_view_open( v, key, '[' );
	bvhtml_view_number( v, NULL, p.x );
	bvhtml_view_number( v, NULL, p.y );
	bvhtml_view_number( v, NULL, p.z );
	bvhtml_view_close( v, ']' );
}

// The unit of lengths, and the colors of errors.
static void put_scale( bvhtml_view_data* v )
{
	const char* unit = bvreport_name_unit( v->file );
	bvhtml_view_text( v, "unit", unit, strlen( unit ) );
	bvhtml_view_open( v, "errors", '{' );
	bvhtml_view_number( v, "diagonal", bvexport_diagonal( v->file ) );
	bvhtml_view_open( v, "limits", '[' );
	for ( uint32_t i = 0; i + 1 < bvexport_scale_steps; ++i )
	{
		bvhtml_view_number( v, NULL, bvexport_scale_at( i )->limit );
	}
	bvhtml_view_close( v, ']' );
	bvhtml_view_open( v, "colors", '[' );
	for ( uint32_t i = 0; i < bvexport_scale_steps; ++i )
	{
		bvhtml_view_open( v, NULL, '[' );
		for ( int k = 0; k < 3; ++k )
		{
			bvhtml_view_count( v, NULL, bvexport_scale_at( i )->color[k] );
		}
		bvhtml_view_close( v, ']' );
	}
	bvhtml_view_close( v, ']' );
	bvhtml_view_close( v, '}' );
}

static bv_status put_data( bvhtml_view_data* v )
{
	view_extent e = find_extent( v->file );
	place( v, &e );
	bvexport_output_text( v->page, "<script type=\"application/json\" id=\"view-data\">" );
	bvhtml_view_open( v, NULL, '{' );
	bvhtml_view_count( v, "format", 1 );
	put_vector( v, "center", bv_add( v->center, bv_file_get_offset( v->file ) ) );
	bvhtml_view_number( v, "scale", v->scale );
	put_scale( v );
	bv_status status = bvhtml_view_put_mesh( v );
	status = status == bv_ok ? bvhtml_view_put_clip( v ) : status;
	status = status == bv_ok ? bvhtml_view_put_edges( v ) : status;
	status = status == bv_ok ? bvhtml_view_put_hull( v ) : status;
	status = status == bv_ok ? bvhtml_view_put_parts( v ) : status;
	status = status == bv_ok ? bvhtml_view_put_proxy( v ) : status;
	status = status == bv_ok ? bvhtml_view_put_tree( v ) : status;
	if ( status == bv_ok )
	{
		bvhtml_view_put_primitive( v );
	}
	bvhtml_view_close( v, '}' );
	bvexport_output_text( v->page, "</script>\n" );
	return status;
}

static void put_scripts( bvexport_output* page )
{
	bvexport_output_text( page, "<script>\n" );
	BVHTML_PUT( page, copy_js );
	bvexport_output_text( page, "</script>\n<script>\n" );
	BVHTML_PUT( page, three_js );
	bvexport_output_text( page, "\n" );
	BVHTML_PUT( page, segments_geometry_js );
	BVHTML_PUT( page, line_material_js );
	BVHTML_PUT( page, segments_js );
	bvexport_output_text( page, "</script>\n<script>\n" );
	BVHTML_PUT( page, view_numbers_js );
	BVHTML_PUT( page, view_data_js );
	BVHTML_PUT( page, view_colors_js );
	BVHTML_PUT( page, view_volumes_js );
	BVHTML_PUT( page, view_camera_js );
	BVHTML_PUT( page, view_pick_js );
	BVHTML_PUT( page, view_face_js );
	BVHTML_PUT( page, view_rule_js );
	BVHTML_PUT( page, view_tell_js );
	BVHTML_PUT( page, view_lines_js );
	BVHTML_PUT( page, view_scene_js );
	BVHTML_PUT( page, view_clip_js );
	BVHTML_PUT( page, view_places_js );
	BVHTML_PUT( page, view_js );
	bvexport_output_text( page, "</script>\n" );
}

bv_status bvhtml_view( bvexport_output* page, const bv_file* file, const bvexport_output* body,
                       bvb_arena* arena, bvb_error* error )
{
	bvhtml_view_data v = {
		.page = page, .file = file, .body = body, .arena = arena, .error = error, .scale = 1
	};
	bv_status status = put_data( &v );
	put_scripts( page );
	return status;
}
