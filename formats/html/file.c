// The HTML report's sections on the file: bytes by section, how it was made, and how long that took.

#include "formats/html/sections.h"
#include "formats/html/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct section
{
	const cJSON* item;
	int number;
	double bytes;
} section;

enum
{
	sections_at_most = 64,
};

static const char* describe( const char* name )
{
	static const char* const meanings[][2] = {
		{ "ORGN", "source and build parameters" },
		{ "MESH", "counts, flags and coordinate frame of the mesh" },
		{ "POSN", "positions" },
		{ "TRIS", "triangles" },
		{ "BNDS", "bounding volumes of the whole mesh" },
		{ "HULL", "convex hull" },
		{ "HTOP", "topology of the hull" },
		{ "MASS", "mass properties" },
		{ "BODY", "the body’s density and mass" },
		{ "NODE", "nodes of the hierarchy" },
		{ "ERRS", "certified errors of the nodes" },
		{ "PRIM", "primitives" },
		{ "EDGE", "kind of each edge" },
		{ "ADJC", "vertices and triangles of each edge" },
		{ "SRCE", "source face, object, group and material of each triangle" },
		{ "RADI", "radius of each node about the origin" },
		{ "NQAL", "area and opening cost of each node" },
		{ "NFAC", "faces that represent each node’s triangles" },
		{ "PART", "convex parts" },
		{ "PTRI", "triangles of each convex part" },
		{ "PRXY", "proxy mesh" },
	};
	for ( size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i )
	{
		if ( strcmp( meanings[i][0], name ) == 0 )
		{
			return meanings[i][1];
		}
	}
	return "";
}

static int compare( const void* a, const void* b )
{
	const section* x = a;
	const section* y = b;
	if ( x->bytes != y->bytes )
	{
		return x->bytes > y->bytes ? -1 : 1;
	}
	return x->number - y->number;
}

static void put_chart( const report_page* page, const section* sections, int count )
{
	report_bar bars[sections_at_most];
	char labels[sections_at_most][REPORT_NUMBER_BYTES];
	for ( int i = 0; i < count; ++i )
	{
		report_print_bytes( labels[i], sections[i].bytes );
		bars[i] = ( report_bar ){ report_string( sections[i].item, "name" ), sections[i].bytes, labels[i] };
	}
	report_put( page, "<div class=\"plots\">\n" );
	report_put_bar_chart( page, "Bytes by section", "Size of each section of the file, largest first.", bars,
	                      count );
	report_put( page, "</div>\n" );
}

void report_put_file( const report_page* page )
{
	const cJSON* file = report_at( page->report, "file" );
	double bytes = report_number( file, "bytes" );
	section sections[sections_at_most];
	int count = 0;
	int all = 0;
	const cJSON* item;
	cJSON_ArrayForEach( item, report_at( file, "sections" ) )
	{
		if ( count < sections_at_most )
		{
			sections[count] = ( section ){ item, count, report_number( item, "bytes" ) };
			++count;
		}
		++all;
	}
	qsort( sections, (size_t)count, sizeof *sections, compare );
	report_put( page,
	            "<section id=\"file\" aria-labelledby=\"file-title\">\n<h2 id=\"file-title\">File</h2>\n"
	            "<p>$k bytes, $v per triangle.</p>\n<div class=\"scroll\"><table>\n<caption>Sections by "
	            "size$r</caption>\n<thead><tr>"
	            "<th scope=\"col\">Section</th><th scope=\"col\">Content</th><th scope=\"col\" "
	            "class=\"number\">Bytes</th>"
	            "<th scope=\"col\" class=\"number\">Share</th></tr></thead>\n<tbody>\n",
	            report_at( file, "bytes" ), report_at( file, "bytes_per_triangle" ),
	            count < all ? "; the first 64 only" : "" );
	for ( int i = 0; i < count; ++i )
	{
		const char* name = report_string( sections[i].item, "name" );
		bool known = report_true( sections[i].item, "known" );
		report_put( page,
		            "<tr><th scope=\"row\"><code>$s</code></th><td>$r</td><td class=\"number\">$k</td>"
		            "<td class=\"number\">$p</td></tr>\n",
		            name, known ? describe( name ) : "unknown to this version",
		            report_at( sections[i].item, "bytes" ), sections[i].bytes / bytes );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
	put_chart( page, sections, count );
	report_put( page, "</section>\n" );
}

static void put_times( const report_page* page )
{
	const cJSON* time = report_at( page->report, "time" );
	double total = report_number( time, "total" );
	if ( !time )
	{
		return;
	}
	report_put( page, "<div class=\"scroll\"><table>\n<caption>Time and memory of the build"
	                  "</caption>\n<thead><tr><th scope=\"col\">Stage</th>"
	                  "<th scope=\"col\" class=\"number\">Seconds</th><th scope=\"col\" "
	                  "class=\"number\">Share</th></tr></thead>\n<tbody>\n" );
	const cJSON* stage;
	cJSON_ArrayForEach( stage, time )
	{
		if ( stage->valuedouble > 0 )
		{
			report_put( page,
			            "<tr><th scope=\"row\">$s</th><td class=\"number\">$v</td><td "
			            "class=\"number\">$p</td></tr>\n",
			            stage->string, stage, stage->valuedouble / total );
		}
	}
	report_put( page, "</tbody>\n</table></div>\n<p>Peak resident memory: $b.</p>\n",
	            report_number( page->report, "memory.peak" ) );
}

void report_put_making( const report_page* page )
{
	const cJSON* r = page->report;
	report_put( page,
	            "<section id=\"making\" aria-labelledby=\"making-title\">\n<h2 id=\"making-title\">Build"
	            "</h2>\n"
	            "<p>Built by bvbuild $s from <bdi>$s</bdi> ($s). The XXH3-128 hash of the source is "
	            "<code>$s</code>.</p>\n",
	            report_string( r, "tool.version" ), report_string( r, "source.name" ),
	            report_string( r, "source.format" ), report_string( r, "source.hash" ) );
	put_times( page );
	report_put(
		page,
		"<details open=\"open\"><summary>All parameters</summary>\n<div "
		"class=\"scroll\"><table>\n<caption>Options that "
		"affect the content</caption>\n"
		"<thead><tr><th scope=\"col\">Option</th><th scope=\"col\">Value</th></tr></thead>\n<tbody>\n" );
	const cJSON* parameter;
	cJSON_ArrayForEach( parameter, report_at( r, "tool.parameters" ) )
	{
		report_put( page, "<tr><th scope=\"row\"><code>$s</code></th><td><bdi>$s</bdi></td></tr>\n",
		            parameter->string, cJSON_IsString( parameter ) ? parameter->valuestring : "" );
	}
	report_put( page, "</tbody>\n</table></div>\n</details>\n</section>\n" );
}
