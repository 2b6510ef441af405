// The HTML report's section on convex parts: the one that stands off most first.

#include "base/offline/error.h"
#include "formats/html/picture.h"
#include "formats/html/plots.h"
#include "formats/html/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	rows_at_most = 100,
	plotted_at_most = 100,
	named_at_most = 8,
};

typedef struct part
{
	const cJSON* item;
	uint32_t number;
	double lower;
	double upper;
} part;

static int compare( const void* a, const void* b )
{
	const part* x = a;
	const part* y = b;
	if ( x->upper != y->upper )
	{
		return x->upper > y->upper ? -1 : 1;
	}
	if ( x->lower != y->lower )
	{
		return x->lower > y->lower ? -1 : 1;
	}
	return x->number < y->number ? -1 : x->number > y->number;
}

static void put_words( const report_page* page, const cJSON* d )
{
	bool solid = strcmp( report_string( d, "mode" ), "solid" ) == 0;
	double parts = report_number( d, "parts" );
	double tolerance = report_number( d, "tolerance" );
	double upper = report_number( d, "concavity.upper" );
	double lower = report_number( d, "concavity.lower" );
	report_put( page,
	            "<p>$k $r convex part$r with $k vertices and $k faces cover the mesh. The largest stand-off "
	            "of a part "
	            "is certified to be between $v and $v",
	            report_at( d, "parts" ), solid ? "solid" : "surface", parts == 1 ? "" : "s",
	            report_at( d, "vertices" ), report_at( d, "faces" ), report_at( d, "concavity.lower" ),
	            report_at( d, "concavity.upper" ) );
	if ( isfinite( page->diagonal ) )
	{
		report_put( page, " ($q of the diagonal)", upper / page->diagonal );
	}
	report_put( page, ". No point of the shape is farther than $v from all parts. ",
	            report_at( d, "uncovered" ) );
	if ( tolerance > 0 )
	{
		report_put( page, "The tolerance of $v $r. ", report_at( d, "tolerance" ),
		            upper <= tolerance ? "is met"
		            : lower > tolerance
		                ? "<strong>is not met</strong>: the limit on parts or on vertices per part is too low"
		                : "may be met: it lies within the interval" );
	}
	else
	{
		report_put( page, "The parts are as close to the shape as their number allows. " );
	}
	report_put( page, "$rThe parts have a total volume of $v; overlaps are counted more than once.</p>\n",
	            report_true( d, "out_of_time" )
	                ? "<strong>The search for better parts stopped at the time budget.</strong> "
	                : "",
	            report_at( d, "volume" ) );
}

// Any part whose interval reaches above the lower ends of all others may be the one that stands off most. Of descending upper
// ends these come first. Where none of them is uncertain they are equals.
static void put_doubt( const report_page* page, const part* parts, uint32_t count )
{
	double least = 0;
	uint32_t candidates = 0;
	bool certain = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		least = fmax( least, parts[i].lower );
	}
	while ( candidates < count && parts[candidates].upper >= least )
	{
		certain = certain && parts[candidates].lower == parts[candidates].upper;
		++candidates;
	}
	if ( candidates < 2 || certain )
	{
		return;
	}
	uint32_t named = candidates <= named_at_most ? candidates : named_at_most - 1;
	report_put( page, "<p>The part with the largest stand-off is uncertain because intervals overlap: part" );
	for ( uint32_t i = 0; i < named; ++i )
	{
		report_put( page, "$r <a href=\"#view\" data-show=\"part:$i\">$c</a>",
		            i == 0               ? ""
		            : i + 1 < candidates ? ","
		                                 : " or",
		            (double)parts[i].number, (double)parts[i].number );
	}
	if ( named < candidates )
	{
		report_put( page, " or $c others", (double)( candidates - named ) );
	}
	report_put( page, ".</p>\n" );
}

static void put_row( const report_page* page, const part* p )
{
	report_put( page,
	            "<tr><th scope=\"row\"><a href=\"#view\" data-show=\"part:$i\">part $c</a></th>"
	            "<td class=\"number\">$v to $v</td>",
	            (double)p->number, (double)p->number, report_at( p->item, "concavity.lower" ),
	            report_at( p->item, "concavity.upper" ) );
	if ( isfinite( page->diagonal ) )
	{
		report_put( page, "<td class=\"number\">$q</td>", p->upper / page->diagonal );
	}
	report_put( page,
	            "<td class=\"number\">$v</td><td class=\"number\">$k</td><td class=\"number\">$k</td>"
	            "<td class=\"number\">$k</td>",
	            report_at( p->item, "volume" ), report_at( p->item, "vertices" ),
	            report_at( p->item, "faces" ), report_at( p->item, "neighbors" ) );
	if ( report_at( p->item, "triangles" ) )
	{
		report_put( page, "<td class=\"number\">$k</td>", report_at( p->item, "triangles" ) );
	}
	report_put( page, "</tr>\n" );
}

static void put_table( const report_page* page, const part* parts, uint32_t count )
{
	uint32_t shown = count < rows_at_most ? count : rows_at_most;
	report_put( page, "<div class=\"scroll\"><table>\n<caption>" );
	if ( shown < count )
	{
		report_put( page, "The $c parts of $c with the largest stand-off; the JSON report has all",
		            (double)shown, (double)count );
	}
	else
	{
		report_put( page, "Parts, by largest possible stand-off" );
	}
	report_put(
		page,
		"</caption>\n<thead><tr><th scope=\"col\">Part</th><th scope=\"col\" class=\"number\">Stand-off, "
		"mesh units</th>"
		"$r<th scope=\"col\" class=\"number\">Volume</th><th scope=\"col\" class=\"number\">Vertices</th>"
		"<th scope=\"col\" class=\"number\">Faces</th><th scope=\"col\" "
		"class=\"number\">Neighbors</th>$r</tr></thead>\n<tbody>\n",
		isfinite( page->diagonal ) ? "<th scope=\"col\" class=\"number\">Percent of the diagonal</th>" : "",
		report_at( parts[0].item, "triangles" ) ? "<th scope=\"col\" class=\"number\">Triangles</th>" : "" );
	for ( uint32_t i = 0; i < shown; ++i )
	{
		put_row( page, &parts[i] );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
}

static void put_plot( const report_page* page, const part* parts, uint32_t count )
{
	double lower[plotted_at_most];
	double upper[plotted_at_most];
	uint32_t shown = count < plotted_at_most ? count : plotted_at_most;
	for ( uint32_t i = 0; i < shown; ++i )
	{
		lower[i] = parts[i].lower;
		upper[i] = parts[i].upper;
	}
	report_put( page, "<div class=\"plots\">\n" );
	report_plot_parts( page, lower, upper, (int)shown, shown < count );
	report_put( page, "</div>\n" );
}

bv_status report_put_parts( const report_page* page, bvb_error* error )
{
	const cJSON* d = report_at( page->report, "decomposition" );
	const cJSON* hulls = report_at( d, "hulls" );
	uint32_t count = (uint32_t)cJSON_GetArraySize( hulls );
	if ( count == 0 )
	{
		return bv_ok;
	}
	part* parts = bvb_arena_allocate( page->arena, count, sizeof *parts );
	if ( !parts )
	{
		return bvb_fail_memory( error );
	}
	uint32_t number = 0;
	const cJSON* item;
	cJSON_ArrayForEach( item, hulls )
	{
		parts[number] = ( part ){ item, number, report_number( item, "concavity.lower" ),
			                      report_number( item, "concavity.upper" ) };
		++number;
	}
	qsort( parts, count, sizeof *parts, compare );
	report_put( page, "<section id=\"parts\" aria-labelledby=\"parts-title\">\n<h2 id=\"parts-title\">Convex "
	                  "parts</h2>\n" );
	put_words( page, d );
	put_doubt( page, parts, count );
	bv_status status = report_put_parts_picture( page, error );
	put_table( page, parts, count );
	put_plot( page, parts, count );
	report_put( page, "</section>\n" );
	return status;
}
