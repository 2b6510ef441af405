// The HTML report's section on convex parts: the one that stands off most first.

#include "offline/base/error.h"
#include "offline/report/html/picture.h"
#include "offline/report/html/plots.h"
#include "offline/report/html/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	rows_at_most = 100,
	plotted_at_most = 100,
	named_at_most = 8,
};

typedef struct html_part
{
	const cJSON* item;
	uint32_t number;
	double lower;
	double upper;
} html_part;

static int compare( const void* a, const void* b )
{
	const html_part* x = a;
	const html_part* y = b;
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

static void put_words( const bvhtml_page* page, const cJSON* d )
{
	bool solid = strcmp( bvhtml_string( d, "mode" ), "solid" ) == 0;
	double parts = bvhtml_number( d, "parts" );
	double tolerance = bvhtml_number( d, "tolerance" );
	double upper = bvhtml_number( d, "concavity.upper" );
	double lower = bvhtml_number( d, "concavity.lower" );
	bvhtml_put( page,
	            "<p>$k $r convex part$r with $k vertices and $k faces cover the mesh. The largest stand-off "
	            "of a part "
	            "is certified to be between $v and $v$r",
	            bvhtml_at( d, "parts" ), solid ? "solid" : "surface", parts == 1 ? "" : "s",
	            bvhtml_at( d, "vertices" ), bvhtml_at( d, "faces" ), bvhtml_at( d, "concavity.lower" ),
	            bvhtml_at( d, "concavity.upper" ), bvhtml_suffix( page, 1 ) );
	if ( isfinite( page->diagonal ) )
	{
		bvhtml_put( page, " ($q of the diagonal)", upper / page->diagonal );
	}
	bvhtml_put( page, ". No point of the shape is farther than $v$r from all parts. ",
	            bvhtml_at( d, "uncovered" ), bvhtml_suffix( page, 1 ) );
	if ( tolerance > 0 )
	{
		bvhtml_put( page, "The tolerance of $v$r $r. ", bvhtml_at( d, "tolerance" ), bvhtml_suffix( page, 1 ),
		            upper <= tolerance ? "is met"
		            : lower > tolerance
		                ? "<strong>is not met</strong>: the limit on parts or on vertices per part is too low"
		                : "may be met: it lies within the interval" );
	}
	else
	{
		bvhtml_put( page, "The parts are as close to the shape as their number allows. " );
	}
	bvhtml_put( page, "$rThe parts have a total volume of $v$r; overlaps are counted more than once.</p>\n",
	            bvhtml_true( d, "out_of_time" )
	                ? "<strong>The search for better parts stopped at the time budget.</strong> "
	                : "",
	            bvhtml_at( d, "volume" ), bvhtml_suffix( page, 3 ) );
}

// Any part whose interval reaches above the lower ends of all others may be the one that stands off most. Of
// descending upper ends these come first. Where none of them is uncertain they are equals.
static void put_doubt( const bvhtml_page* page, const html_part* parts, uint32_t count )
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
	bvhtml_put( page, "<p>The part with the largest stand-off is uncertain because intervals overlap: part" );
	for ( uint32_t i = 0; i < named; ++i )
	{
		bvhtml_put( page, "$r <a href=\"#view\" data-show=\"part:$i\">$c</a>",
		            i == 0               ? ""
		            : i + 1 < candidates ? ","
		                                 : " or",
		            (double)parts[i].number, (double)parts[i].number );
	}
	if ( named < candidates )
	{
		bvhtml_put( page, " or $c others", (double)( candidates - named ) );
	}
	bvhtml_put( page, ".</p>\n" );
}

static void put_row( const bvhtml_page* page, const html_part* p )
{
	bvhtml_put( page,
	            "<tr><th scope=\"row\"><a href=\"#view\" data-show=\"part:$i\">part $c</a></th>"
	            "<td class=\"number\">$v to $v</td>",
	            (double)p->number, (double)p->number, bvhtml_at( p->item, "concavity.lower" ),
	            bvhtml_at( p->item, "concavity.upper" ) );
	if ( isfinite( page->diagonal ) )
	{
		bvhtml_put( page, "<td class=\"number\">$q</td>", p->upper / page->diagonal );
	}
	bvhtml_put( page,
	            "<td class=\"number\">$v</td><td class=\"number\">$k</td><td class=\"number\">$k</td>"
	            "<td class=\"number\">$k</td>",
	            bvhtml_at( p->item, "volume" ), bvhtml_at( p->item, "vertices" ),
	            bvhtml_at( p->item, "faces" ), bvhtml_at( p->item, "neighbors" ) );
	if ( bvhtml_at( p->item, "triangles" ) )
	{
		bvhtml_put( page, "<td class=\"number\">$k</td>", bvhtml_at( p->item, "triangles" ) );
	}
	bvhtml_put( page, "</tr>\n" );
}

static void put_table( const bvhtml_page* page, const html_part* parts, uint32_t count )
{
	uint32_t shown = count < rows_at_most ? count : rows_at_most;
	bvhtml_put( page, "<div class=\"scroll\"><table>\n<caption>" );
	if ( shown < count )
	{
		bvhtml_put( page, "The $c parts of $c with the largest stand-off; the JSON report has all",
		            (double)shown, (double)count );
	}
	else
	{
		bvhtml_put( page, "Parts, by largest possible stand-off" );
	}
	bvhtml_put(
		page,
		"</caption>\n<thead><tr><th scope=\"col\">Part</th><th scope=\"col\" class=\"number\">Stand-off, "
		"$r</th>"
		"$r<th scope=\"col\" class=\"number\">Volume</th><th scope=\"col\" class=\"number\">Vertices</th>"
		"<th scope=\"col\" class=\"number\">Faces</th><th scope=\"col\" "
		"class=\"number\">Neighbors</th>$r</tr></thead>\n<tbody>\n",
		page->unit,
		isfinite( page->diagonal ) ? "<th scope=\"col\" class=\"number\">Percent of the diagonal</th>" : "",
		bvhtml_at( parts[0].item, "triangles" ) ? "<th scope=\"col\" class=\"number\">Triangles</th>" : "" );
	for ( uint32_t i = 0; i < shown; ++i )
	{
		put_row( page, &parts[i] );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

static void put_plot( const bvhtml_page* page, const html_part* parts, uint32_t count )
{
	double lower[plotted_at_most];
	double upper[plotted_at_most];
	uint32_t shown = count < plotted_at_most ? count : plotted_at_most;
	for ( uint32_t i = 0; i < shown; ++i )
	{
		lower[i] = parts[i].lower;
		upper[i] = parts[i].upper;
	}
	bvhtml_put( page, "<div class=\"plots\">\n" );
	bvhtml_plot_parts( page, lower, upper, (int)shown, shown < count );
	bvhtml_put( page, "</div>\n" );
}

bv_status bvhtml_put_parts( const bvhtml_page* page, bvb_error* error )
{
	const cJSON* d = bvhtml_at( page->report, "decomposition" );
	const cJSON* hulls = bvhtml_at( d, "hulls" );
	uint32_t count = (uint32_t)cJSON_GetArraySize( hulls );
	if ( count == 0 )
	{
		return bv_ok;
	}
	html_part* parts = bvb_arena_allocate( page->arena, count, sizeof *parts );
	if ( !parts )
	{
		return bvbase_fail_memory( error );
	}
	uint32_t number = 0;
	const cJSON* item;
	cJSON_ArrayForEach( item, hulls )
	{
		parts[number] = ( html_part ){ item, number, bvhtml_number( item, "concavity.lower" ),
			                           bvhtml_number( item, "concavity.upper" ) };
		++number;
	}
	qsort( parts, count, sizeof *parts, compare );
	bvhtml_put( page, "<section id=\"parts\" aria-labelledby=\"parts-title\">\n<h2 id=\"parts-title\">Convex "
	                  "parts</h2>\n" );
	put_words( page, d );
	put_doubt( page, parts, count );
	bv_status status = bvhtml_put_parts_picture( page, error );
	put_table( page, parts, count );
	put_plot( page, parts, count );
	bvhtml_put( page, "</section>\n" );
	return status;
}
