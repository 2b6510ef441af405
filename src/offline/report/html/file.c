// The HTML report's sections on the file: bytes by section, how it was made, and how long that took.

#include "formats/bvh/sections.h"
#include "offline/report/html/sections.h"
#include "offline/report/html/svg.h"
#include "runtime/file/view.h"

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
#define BVFILE_ROW( section, option, wanted, name, summary, prepare, verify, put, meaning ) \
	[bvfile_section_##section] = meaning,
	static const char* const meanings[bvfile_section_count] = { BVFMT_OFFLINE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( strcmp( bvfile_section_name( (bvfile_section)i ), name ) == 0 )
		{
			return meanings[i];
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

static void put_chart( const bvhtml_page* page, const section* sections, int count )
{
	bvhtml_bar bars[sections_at_most];
	char labels[sections_at_most][BVHTML_NUMBER_BYTES];
	for ( int i = 0; i < count; ++i )
	{
		bvhtml_print_bytes( labels[i], sections[i].bytes );
		bars[i] = ( bvhtml_bar ){ bvhtml_string( sections[i].item, "name" ), sections[i].bytes, labels[i] };
	}
	bvhtml_put( page, "<div class=\"plots\">\n" );
	bvhtml_put_bar_chart( page, "Bytes by section", "Size of each section of the file, largest first.", bars,
	                      count );
	bvhtml_put( page, "</div>\n" );
}

void bvhtml_put_file( const bvhtml_page* page )
{
	const cJSON* file = bvhtml_at( page->report, "file" );
	double bytes = bvhtml_number( file, "bytes" );
	section sections[sections_at_most];
	int count = 0;
	int all = 0;
	const cJSON* item;
	cJSON_ArrayForEach( item, bvhtml_at( file, "sections" ) )
	{
		if ( count < sections_at_most )
		{
			sections[count] = ( section ){ item, count, bvhtml_number( item, "bytes" ) };
			++count;
		}
		++all;
	}
	qsort( sections, (size_t)count, sizeof *sections, compare );
	bvhtml_put( page,
	            "<section id=\"file\" aria-labelledby=\"file-title\">\n<h2 id=\"file-title\">File</h2>\n"
	            "<p>$k bytes, $v per triangle.</p>\n<div class=\"scroll\"><table>\n<caption>Sections by "
	            "size$r</caption>\n<thead><tr>"
	            "<th scope=\"col\">Section</th><th scope=\"col\">Content</th><th scope=\"col\" "
	            "class=\"number\">Bytes</th>"
	            "<th scope=\"col\" class=\"number\">Share</th></tr></thead>\n<tbody>\n",
	            bvhtml_at( file, "bytes" ), bvhtml_at( file, "bytes_per_triangle" ),
	            count < all ? "; the first 64 only" : "" );
	for ( int i = 0; i < count; ++i )
	{
		const char* name = bvhtml_string( sections[i].item, "name" );
		bool known = bvhtml_true( sections[i].item, "known" );
		bvhtml_put( page,
		            "<tr><th scope=\"row\"><code>$s</code></th><td>$r</td><td class=\"number\">$k</td>"
		            "<td class=\"number\">$p</td></tr>\n",
		            name, known ? describe( name ) : "unknown to this version",
		            bvhtml_at( sections[i].item, "bytes" ), sections[i].bytes / bytes );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
	put_chart( page, sections, count );
	bvhtml_put( page, "</section>\n" );
}

static void put_times( const bvhtml_page* page )
{
	const cJSON* time = bvhtml_at( page->report, "time" );
	double total = bvhtml_number( time, "total" );
	if ( !time )
	{
		return;
	}
	bvhtml_put( page, "<div class=\"scroll\"><table>\n<caption>Time and memory of the build"
	                  "</caption>\n<thead><tr><th scope=\"col\">Stage</th>"
	                  "<th scope=\"col\" class=\"number\">Seconds</th><th scope=\"col\" "
	                  "class=\"number\">Share</th></tr></thead>\n<tbody>\n" );
	const cJSON* stage;
	cJSON_ArrayForEach( stage, time )
	{
		if ( stage->valuedouble > 0 )
		{
			bvhtml_put( page,
			            "<tr><th scope=\"row\">$s</th><td class=\"number\">$v</td><td "
			            "class=\"number\">$p</td></tr>\n",
			            stage->string, stage, stage->valuedouble / total );
		}
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n<p>Peak resident memory: $b.</p>\n",
	            bvhtml_number( page->report, "memory.peak" ) );
}

void bvhtml_put_making( const bvhtml_page* page )
{
	const cJSON* r = page->report;
	bvhtml_put( page,
	            "<section id=\"making\" aria-labelledby=\"making-title\">\n<h2 id=\"making-title\">Build"
	            "</h2>\n"
	            "<p>Built by bvbuild $s from <bdi>$s</bdi> ($s). The XXH3-128 hash of the source is "
	            "<code>$s</code>.</p>\n",
	            bvhtml_string( r, "tool.version" ), bvhtml_string( r, "source.name" ),
	            bvhtml_string( r, "source.format" ), bvhtml_string( r, "source.hash" ) );
	put_times( page );
	bvhtml_put(
		page,
		"<details open=\"open\"><summary>All parameters</summary>\n<div "
		"class=\"scroll\"><table>\n<caption>Options that "
		"affect the content</caption>\n"
		"<thead><tr><th scope=\"col\">Option</th><th scope=\"col\">Value</th></tr></thead>\n<tbody>\n" );
	const cJSON* parameter;
	cJSON_ArrayForEach( parameter, bvhtml_at( r, "tool.parameters" ) )
	{
		bvhtml_put( page, "<tr><th scope=\"row\"><code>$s</code></th><td><bdi>$s</bdi></td></tr>\n",
		            parameter->string, cJSON_IsString( parameter ) ? parameter->valuestring : "" );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n</details>\n</section>\n" );
}
