// The HTML report of a file as one page: frame and order of sections. The sections are in summary.c, mesh.c,
// hierarchy.c, measures.c, clip.c, volumes.c, parts.c, proxy.c and file.c, and the 3D view is in view.c.
//
// The page needs no network, and only the view needs scripts; its content security policy forbids everything
// else. It is well-formed XML with all elements closed, so that any parser can check it.

#include "bvbuild/report.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/report/html/base64.h"
#include "offline/report/html/embedded.h"
#include "offline/report/html/html.h"
#include "offline/report/html/picture.h"
#include "offline/report/html/sections.h"
#include "offline/report/html/sha256.h"
#include "offline/report/html/view.h"
#include "offline/report/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The sources of scripts: the digest of each script element of the view, so that no other script runs,
// whatever got in.
static void put_script_sources( const bvhtml_page* page, const bvexport_output* view )
{
	static const char begin[] = "<script>";
	static const char end[] = "</script>";
	const char* at = view->data;
	const char* last = at + view->length;
	bool any = false;
	while ( at && ( at = bvbase_memory_find( at, (size_t)( last - at ), begin, strlen( begin ) ) ) )
	{
		uint8_t digest[32];
		const char* text = at + strlen( begin );
		at = bvbase_memory_find( text, (size_t)( last - text ), end, strlen( end ) );
		if ( at )
		{
			bvhtml_sha256( text, (size_t)( at - text ), digest );
			bvhtml_put( page, " 'sha256-" );
			bvhtml_base64( page->out, digest, sizeof digest );
			bvhtml_put( page, "'" );
			any = true;
		}
	}
	bvhtml_put( page, any ? "" : " 'none'" );
}

static void put_head( const bvhtml_page* page, const bvexport_output* view )
{
	bvhtml_put( page,
	            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src" );
	put_script_sources( page, view );
	bvhtml_put( page,
	            "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\"/>\n"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	            "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	            "<meta name=\"generator\" content=\"bvbuild $s\"/>\n"
	            "<title>$s – collision report</title>\n<style>\n",
	            BV_VERSION, bvhtml_string( page->report, "source.name" ) );
	BVHTML_PUT( page->out, page_css );
	BVHTML_PUT( page->out, view_css );
	bvhtml_put( page, "</style>\n</head>\n<body>\n"
	                  "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n" );
}

static void put_notice( const bvhtml_page* page )
{
	bvhtml_put(
		page,
		"<details><summary>Software in this page</summary>\n"
		"<p>The 3D view uses three.js. This is its license notice, from the Debian package.</p>\n<pre>" );
	bvhtml_escape( page->out, bvhtml_three_notice, bvhtml_three_notice_size );
	bvhtml_put( page, "</pre>\n</details>\n" );
}

static bv_status put_view( const bvhtml_page* page, bvb_error* error )
{
	bvhtml_put( page, "<section id=\"view\" aria-labelledby=\"view-title\">\n"
	                  "<h2 id=\"view-title\">View</h2>\n" );
	bv_status status = bvhtml_put_picture( page, error );
	BVHTML_PUT( page->out, view_html );
	bvhtml_put( page, "</section>\n" );
	return status;
}

// All but the end, before which the view comes.
static bv_status put_body( const bvhtml_page* page, bvb_error* error )
{
	bvhtml_put_header( page );
	bvhtml_put( page, "<main id=\"main\">\n" );
	bvhtml_put_tiles( page );
	bvhtml_put_findings( page );
	bv_status status = put_view( page, error );
	bvhtml_put_mesh( page );
	bvhtml_put_errors( page );
	bvhtml_put_hierarchy( page );
	bvhtml_put_cost( page );
	bvhtml_put_clip( page );
	status = status == bv_ok ? bvhtml_put_parts( page, error ) : status;
	bvhtml_put_proxy( page );
	bvhtml_put_volumes( page );
	bvhtml_put_file( page );
	bvhtml_put_making( page );
	bvhtml_put( page,
	            "</main>\n<footer>\n<p>bvbuild $s. Lengths are in $r. Numbers are rounded here; the JSON "
	            "report has all "
	            "digits.</p>\n",
	            BV_VERSION,
	            strcmp( page->unit, "mesh units" ) == 0 ? "mesh units: the units of the source after scaling"
	            : strcmp( page->unit, "m" ) == 0        ? "meters, because of <code>--units</code>"
	            : strcmp( page->unit, "cm" ) == 0
	                ? "centimeters, because of <code>--units</code> and <code>--scale</code>"
	                : "millimeters, because of <code>--units</code> and <code>--scale</code>" );
	put_notice( page );
	bvhtml_put( page, "</footer>\n" );
	return status;
}

static double measure_diagonal( const cJSON* report )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		const char* const paths[3][2] = { { "bounds.aabb.lower.0", "bounds.aabb.upper.0" },
			                              { "bounds.aabb.lower.1", "bounds.aabb.upper.1" },
			                              { "bounds.aabb.lower.2", "bounds.aabb.upper.2" } };
		double side = bvhtml_number( report, paths[i][1] ) - bvhtml_number( report, paths[i][0] );
		sum += side * side;
	}
	return sum > 0 ? sqrt( sum ) : NAN;
}

bv_status bvb_report_html( const bv_file* file, const bvb_report_build* build, bvb_arena* arena,
                           const void** data, size_t* size, bvb_error* error )
{
	char* text;
	*data = NULL;
	*size = 0;
	bv_status status = bvb_report_json( file, build, arena, &text, error );
	if ( status != bv_ok )
	{
		return status;
	}
	cJSON* report = cJSON_Parse( text );
	if ( !report )
	{
		return bvbase_fail_memory( error );
	}
	bvexport_output out = { 0 };
	bvexport_output body = { 0 };
	bvexport_output view = { 0 };
	bvhtml_page page = { &body, report, file, arena, measure_diagonal( report ), bvreport_name_unit( file ) };
	status = put_body( &page, error );
	status = status == bv_ok ? bvhtml_view( &view, file, &body, arena, error ) : status;
	page.out = &out;
	put_head( &page, &view );
	bvexport_output_bytes( &out, body.data, body.length );
	bvexport_output_bytes( &out, view.data, view.length );
	bvhtml_put( &page, "</body>\n</html>\n" );
	out.failed |= body.failed || view.failed;
	free( body.data );
	free( view.data );
	cJSON_Delete( report );
	if ( status != bv_ok )
	{
		free( out.data );
		return status;
	}
	return bvexport_output_finish( &out, arena, data, size, error );
}
