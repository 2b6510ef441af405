// Pages of several files, and an index of them. See pages.h.
//
// The index is as the pages are: one file without scripts that needs no network, and well-formed XML.

#include "cli/pages.h"

#include "cli/outputs.h"
#include "cli/paths.h"
#include "cli/replace.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/path.h"
#include "offline/base/system.h"
#include "offline/export/output.h"
#include "offline/report/html/html.h"

#include <stdio.h>
#include <string.h>

// A column of the index.
typedef struct pages_column
{
	const char* title;
	const char* expression;
} pages_column;

static const pages_column shown[] = {
	{ "triangles", "mesh.triangles" },
	{ "closed", "mesh.closed" },
	{ "size x", "bounds.aabb.upper[0] - bounds.aabb.lower[0]" },
	{ "size y", "bounds.aabb.upper[1] - bounds.aabb.lower[1]" },
	{ "size z", "bounds.aabb.upper[2] - bounds.aabb.lower[2]" },
	{ "unit of size", "mesh.unit" },
	{ "bytes", "file.bytes" },
	{ "nodes", "hierarchy.nodes" },
	{ "mean error, % of the root", "hierarchy.hausdorff.solid.mean.relative.upper * 100" },
	{ "parts", "decomposition.parts" },
	{ "proxy triangles", "proxy.triangles" },
};

enum
{
	shown_count = sizeof shown / sizeof *shown,
};

static char* join( const char* a, const char* b, const char* c, const char* d, bvb_arena* arena )
{
	size_t size = strlen( a ) + strlen( b ) + strlen( c ) + strlen( d ) + 1;
	char* out = bvb_arena_allocate( arena, size, 1 );
	if ( out )
	{
		snprintf( out, size, "%s%s%s%s", a, b, c, d );
	}
	return out;
}

// A text without its last bytes.
static char* cut( const char* text, size_t bytes, bvb_arena* arena )
{
	size_t length = strlen( text ) - bytes;
	char* out = bvb_arena_allocate( arena, length + 1, 1 );
	if ( out )
	{
		memcpy( out, text, length );
	}
	return out;
}

static bool is_in_folder( const char* out )
{
	size_t length = strlen( out );
	return is_folder( out ) || ( length > 0 && out[length - 1] == '/' );
}

// The name of each page without its extension, and that of the index in front.
static bool name_pages( const name_list* inputs, bvb_arena* arena, char** out )
{
	const char** names = bvb_arena_allocate( arena, (size_t)inputs->count + 1, sizeof *names );
	for ( int i = 0; names && i < inputs->count; ++i )
	{
		const char* name = bvbase_path_name( inputs->names[i] );
		names[i + 1] = has_extension( name, ".bvh" ) ? cut( name, strlen( ".bvh" ), arena ) : name;
		if ( !names[i + 1] )
		{
			return false;
		}
	}
	if ( !names )
	{
		return false;
	}
	names[0] = "index";
	return make_distinct( names, (uint32_t)inputs->count + 1, arena, out );
}

// @param written  a page that may be there
static bv_status check_page( const pages_plan* plan, const char* written, bool forced, bvb_error* error )
{
	for ( int i = 0; i < plan->count && forced; ++i )
	{
		if ( is_same_file( plan->rows[i].input, written ) )
		{
			return bvbase_fail( error, bv_error_argument, "%s: is both an input and an output", written );
		}
	}
	return check_replaced( written, written_page, forced, error );
}

bv_status plan_pages( const char* out, const name_list* inputs, bool forced, bvb_arena* arena,
                      pages_plan* plan, bvb_error* error )
{
	bool folder = is_in_folder( out );
	*plan = ( pages_plan ){
		.rows = bvb_arena_allocate( arena, (size_t)inputs->count, sizeof *plan->rows ),
		.count = inputs->count,
	};
	char** names = bvb_arena_allocate( arena, (size_t)inputs->count + 1, sizeof *names );
	if ( !plan->rows || !names || !name_pages( inputs, arena, names ) )
	{
		return bvbase_fail_memory( error );
	}
	for ( int i = 0; i < inputs->count; ++i )
	{
		plan->rows[i].input = inputs->names[i];
	}
	if ( !folder && inputs->count == 1 )
	{
		plan->rows[0].page = join( out, "", "", "", arena );
		return plan->rows[0].page ? bv_ok : bvbase_fail_memory( error );
	}

	bool named = !folder && has_extension( out, ".html" );
	size_t slashes = 0;
	for ( size_t length = strlen( out ); slashes < length && out[length - 1 - slashes] == '/'; ++slashes )
	{
	}
	const char* stem = cut( out, named ? strlen( ".html" ) : slashes, arena );
	stem = stem && named ? join( stem, "_pages", "", "", arena ) : stem;
	plan->index = !stem ? NULL : named ? out : join( stem, "/", names[0], ".html", arena );
	bool complete = plan->index;
	for ( int i = 0; i < inputs->count && complete; ++i )
	{
		plan->rows[i].page = join( stem, "/", names[i + 1], ".html", arena );
		complete = plan->rows[i].page;
	}
	bv_status status =
		complete ? check_page( plan, plan->index, forced, error ) : bvbase_fail_memory( error );
	status = status == bv_ok ? make_folder_of( plan->index, error ) : status;
	status = status == bv_ok ? make_folder_of( plan->rows[0].page, error ) : status;
	char pages[bvbase_path_bytes];
	if ( status == bv_ok && !is_folder( get_folder( plan->rows[0].page, pages ) ) )
	{
		status = bvbase_fail( error, bv_error_output, "%s: is not a directory", pages );
	}
	return status;
}

bv_status write_page( const pages_plan* plan, const pages_row* row, bool forced, const bv_file* file,
                      bvb_arena* arena, bvb_error* error )
{
	const void* data;
	size_t size;
	if ( is_same_file( row->input, row->page ) )
	{
		return bvbase_fail( error, bv_error_argument, "%s: is both the input and the output", row->input );
	}
	bv_status status = check_page( plan, row->page, forced, error );
	status = status == bv_ok ? bvb_report_html( file, NULL, arena, &data, &size, error ) : status;
	return status == bv_ok ? bvb_write_file( row->page, data, size, error ) : status;
}

bv_status describe_page( pages_row* row, const bv_file* file, bvb_arena* arena, bvb_error* error )
{
	const char* expressions[shown_count];
	char* json;
	bvb_report* report;
	bvb_value* values = bvb_arena_allocate( arena, shown_count, sizeof *values );
	for ( int i = 0; i < shown_count; ++i )
	{
		expressions[i] = shown[i].expression;
	}
	bv_status status = values
	                       ? bvb_report_json_for( file, NULL, expressions, shown_count, arena, &json, error )
	                       : bvbase_fail_memory( error );
	status = status == bv_ok ? bvb_report_read( json, &report, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	for ( int i = 0; i < shown_count && status == bv_ok; ++i )
	{
		status = bvb_report_evaluate( report, expressions[i], arena, values + i, error );
	}
	bvb_report_free( report );
	row->values = values;
	return status == bv_ok ? bvb_find_problems( file, arena, &row->problems, &row->problem_count, error )
	                       : status;
}

void fail_page( pages_row* row, const char* message, bvb_arena* arena )
{
	row->failure = join( message, "", "", "", arena );
	row->failure = row->failure ? row->failure : "out of memory";
}

// A path in a link: all bytes but those that mean themselves in every place are written as %XX.
static void put_link( bvexport_output* out, const char* path )
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	for ( ; *path; ++path )
	{
		char code[4];
		snprintf( code, sizeof code, "%%%02X", (unsigned)(unsigned char)*path );
		bvexport_output_bytes( out, strchr( plain, *path ) ? path : code, strchr( plain, *path ) ? 1 : 3 );
	}
}

static void put_value( const bvhtml_page* page, const bvb_value* v )
{
	switch ( v->kind )
	{
	case bvb_value_null: bvhtml_put( page, "<td>–</td>" ); break;
	case bvb_value_truth: bvhtml_put( page, "<td>$s</td>", v->number ? "yes" : "no" ); break;
	case bvb_value_number: bvhtml_put( page, "<td>$s</td>", bvbase_shorten( v->number, 4 ).text ); break;
	case bvb_value_string: bvhtml_put( page, "<td>$s</td>", v->text ); break;
	}
}

// @param from  the folder of the index, with its slash
static void put_row( const bvhtml_page* page, const pages_row* row, size_t from )
{
	bvhtml_put( page, "<tr><th scope=\"row\">" );
	if ( row->failure )
	{
		bvhtml_put( page, "$s</th><td colspan=\"$i\" class=\"bad\">$s</td></tr>\n", row->input,
		            (double)( shown_count + 1 ), row->failure );
		return;
	}
	bvhtml_put( page, "<a href=\"" );
	put_link( page->out, row->page + from );
	bvhtml_put( page, "\">$s</a></th>", row->input );
	for ( int i = 0; i < shown_count; ++i )
	{
		put_value( page, row->values + i );
	}
	bvhtml_put( page, "<td class=\"text\">" );
	for ( uint32_t i = 0; i < row->problem_count; ++i )
	{
		bvhtml_put( page, i == 0 ? "$s" : " $s", row->problems[i].text );
	}
	bvhtml_put( page, "</td></tr>\n" );
}

static void put_head( const bvhtml_page* page )
{
	bvhtml_put( page,
	            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	            "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	            "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	            "<meta name=\"generator\" content=\"bvbuild $s\"/>\n"
	            "<title>Collision reports</title>\n<style>\n"
	            ":root { color-scheme: light dark; }\n"
	            "body { margin: 1.5rem; font: 1rem/1.4 system-ui, sans-serif; }\n"
	            ".scroll { overflow-x: auto; }\n"
	            "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
	            "th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid #8886; text-align: right; }\n"
	            "th:first-child, td.text, td.bad { text-align: left; }\n"
	            "td.text, td.bad { color: light-dark( #a8231c, #ff8a80 ); }\n"
	            "</style>\n</head>\n<body>\n",
	            BV_VERSION );
}

bv_status write_index( const pages_plan* plan, bvb_arena* arena, bvb_error* error )
{
	bvexport_output out = { 0 };
	bvhtml_page page = { .out = &out, .arena = arena };
	int failed = 0;
	size_t from = (size_t)( bvbase_path_name( plan->index ) - plan->index );
	for ( int i = 0; i < plan->count; ++i )
	{
		failed += plan->rows[i].failure != NULL;
	}
	put_head( &page );
	bvhtml_put( &page, "<h1>Collision reports</h1>\n<p>$c files, $c without a page</p>\n",
	            (double)plan->count, (double)failed );
	bvhtml_put( &page, "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">file</th>" );
	for ( int i = 0; i < shown_count; ++i )
	{
		bvhtml_put( &page, "<th scope=\"col\">$s</th>", shown[i].title );
	}
	bvhtml_put( &page, "<th scope=\"col\">what is bad</th></tr></thead>\n<tbody>\n" );
	for ( int i = 0; i < plan->count; ++i )
	{
		put_row( &page, plan->rows + i, from );
	}
	bvhtml_put( &page,
	            "</tbody>\n</table></div>\n<p>Sizes without a unit are in mesh units: those of the source. "
	            "Problems of the hierarchy's cost and overlap are on the pages only. bvbuild $s.</p>\n"
	            "</body>\n</html>\n",
	            BV_VERSION );
	const void* data;
	size_t size;
	bv_status status = bvexport_output_finish( &out, arena, &data, &size, error );
	return status == bv_ok ? bvb_write_file( plan->index, data, size, error ) : status;
}
