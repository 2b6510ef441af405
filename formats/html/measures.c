// The HTML report's measures of the hierarchy: leaves, overlap, fit, area heuristic, and queries that were run.

#include "formats/html/measures.h"

#include "formats/html/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	bars_at_most = 48,
};

void report_put_occupancy( const report_page* page )
{
	const cJSON* o = report_at( page->report, "hierarchy.occupancy" );
	double leaves = report_number( page->report, "hierarchy.leaves" );
	report_bar bars[bars_at_most];
	char names[bars_at_most][48];
	char labels[bars_at_most][2 * REPORT_NUMBER_BYTES + 8];
	int count = 0;
	if ( !report_at( o, "mean" ) )
	{
		return;
	}
	const cJSON* bin;
	cJSON_ArrayForEach( bin, report_at( o, "histogram" ) )
	{
		if ( count < bars_at_most )
		{
			char share[REPORT_NUMBER_BYTES];
			char leaves_of_bin[REPORT_NUMBER_BYTES];
			report_print_number( share, 100 * bin->valuedouble / leaves, 3 );
			report_print_count( leaves_of_bin, bin->valuedouble );
			snprintf( names[count], sizeof names[count], "%s triangle%s", bin->string,
			          strcmp( bin->string, "1" ) == 0 ? "" : "s" );
			snprintf( labels[count], sizeof labels[count], "%s, %s %%", leaves_of_bin, share );
			bars[count] = ( report_bar ){ names[count], bin->valuedouble, labels[count] };
			++count;
		}
	}
	report_put_bar_chart( page, "Leaves by number of triangles",
	                      "Histogram of the number of triangles in the leaves of the hierarchy.", bars,
	                      count );
}

static void put_node( const report_page* page, const cJSON* node )
{
	report_put( page, " <a class=\"show place\" href=\"#view\" data-show=\"node:" );
	bvb_output_number( page->out, cJSON_IsNumber( node ) ? node->valuedouble : 0 );
	report_put( page, "\">node $k</a>", node );
}

static void put_overlap( const report_page* page, const cJSON* o )
{
	if ( !report_at( o, "mean" ) )
	{
		return;
	}
	report_put( page,
	            "<p><strong>Overlap.</strong> Of $k pairs of siblings measured, $p overlap. "
	            "The overlap is "
	            "$p of the smaller volume on average, and at most $p:",
	            report_at( o, "measured" ), report_number( o, "share" ), report_number( o, "mean" ),
	            report_number( o, "max" ) );
	put_node( page, report_at( o, "worst.0" ) );
	report_put( page, " and" );
	put_node( page, report_at( o, "worst.1" ) );
	report_put( page, ".</p>\n" );
}

static void put_ratio( const report_page* page, const char* what, const cJSON* ratio )
{
	report_put( page, "$r: $v times the optimum on average, at most $v:", what, report_at( ratio, "mean" ),
	            report_at( ratio, "max" ) );
	put_node( page, report_at( ratio, "worst" ) );
}

// Where the ratio of two volumes is far above that of any areas they are nearly flat, and it says nothing.
static void put_fit( const report_page* page, const cJSON* fit )
{
	bool area = report_number( fit, "area.mean" ) > 0;
	bool flat = area && report_number( fit, "volume.max" ) > 10 &&
	            report_number( fit, "volume.max" ) > 4 * report_number( fit, "area.max" );
	bool volume = report_number( fit, "volume.mean" ) > 0 && !flat;
	if ( !volume && !area )
	{
		return;
	}
	report_put( page,
	            "<p><strong>Fit.</strong> The volumes of $k nodes were compared with the best known fit. ",
	            report_at( fit, "measured" ) );
	if ( area )
	{
		put_ratio( page, "Area", report_at( fit, "area" ) );
		report_put( page, volume ? ". " : "." );
	}
	if ( volume )
	{
		put_ratio( page, "Volume", report_at( fit, "volume" ) );
		report_put( page, "." );
	}
	report_put( page, flat ? " Volume is omitted: some nodes are so flat that its ratio means little.</p>\n"
	                       : "</p>\n" );
}

static void put_leaves( const report_page* page, const cJSON* o )
{
	double least = report_number( o, "min" );
	double most = report_number( o, "max" );
	if ( least < most )
	{
		report_put( page,
		            "<p><strong>Leaves.</strong> $v triangles per leaf on average, from $k to $k.</p>\n",
		            report_at( o, "mean" ), report_at( o, "min" ), report_at( o, "max" ) );
	}
	else
	{
		report_put( page, "<p><strong>Leaves.</strong> $k triangle$r in each.</p>\n", report_at( o, "max" ),
		            most == 1 ? "" : "s" );
	}
}

void report_put_measures( const report_page* page )
{
	const cJSON* h = report_at( page->report, "hierarchy" );
	const cJSON* occupancy = report_at( h, "occupancy" );
	if ( report_at( occupancy, "mean" ) )
	{
		put_leaves( page, occupancy );
	}
	put_overlap( page, report_at( h, "overlap" ) );
	put_fit( page, report_at( h, "fit" ) );
	if ( report_at( h, "sah.cost" ) )
	{
		report_put( page,
		            "<p><strong>Rays.</strong> A ray that hits the root is expected to visit $v inner "
		            "nodes and to test $v "
		            "triangles. The surface area heuristic is $v.</p>\n",
		            report_at( h, "sah.inner" ), report_at( h, "sah.leaves" ), report_at( h, "sah.cost" ) );
	}
}

static void put_offset( const report_page* page, const cJSON* at, const char* name )
{
	report_put( page, "<tr><th scope=\"row\">$s</th><td class=\"number\">$k</td><td class=\"number\">$v</td>",
	            name, report_at( at, "poses" ), report_at( at, "cost" ) );
	report_put( page,
	            "<td class=\"number\">$v</td><td class=\"number\">$v</td><td class=\"number\">$v</td>"
	            "<td class=\"number\">$v</td><td class=\"number\">$v</td></tr>\n",
	            report_at( at, "volume_tests" ), report_at( at, "openings" ), report_at( at, "leaf_pairs" ),
	            report_at( at, "triangle_tests" ), report_at( at, "pairs" ) );
}

static void put_offsets( const report_page* page, const cJSON* m )
{
	report_put( page,
	            "<div class=\"scroll\"><table>\n<caption>Mean steps per query, by "
	            "distance</caption>\n<thead><tr><th scope=\"col\">Distance</th>"
	            "<th scope=\"col\" class=\"number\">Poses</th><th scope=\"col\" class=\"number\">Cost</th>"
	            "<th scope=\"col\" class=\"number\">Volume tests</th><th scope=\"col\" "
	            "class=\"number\">Nodes opened</th>"
	            "<th scope=\"col\" class=\"number\">Leaf pairs</th><th scope=\"col\" "
	            "class=\"number\">Triangle tests</th>"
	            "<th scope=\"col\" class=\"number\">Pairs found</th></tr></thead>\n<tbody>\n" );
	const cJSON* at;
	cJSON_ArrayForEach( at, report_at( m, "offsets" ) )
	{
		char name[REPORT_NUMBER_BYTES + 32];
		char share[REPORT_NUMBER_BYTES];
		double offset = report_number( at, "offset" );
		report_print_number( share, 100 * fabs( offset ), 3 );
		snprintf( name, sizeof name, "%s %% %s", share, offset < 0 ? "deep" : "apart" );
		put_offset( page, at, name );
	}
	put_offset( page, m, "all" );
	report_put( page, "</tbody>\n</table></div>\n" );
}

// A bar for each kind of step: how many there were, times what one costs.
static void put_chart( const report_page* page, const cJSON* cost, const cJSON* m )
{
	report_bar bars[bars_at_most];
	char names[bars_at_most][48];
	char labels[bars_at_most][2 * REPORT_NUMBER_BYTES + 8];
	double values[bars_at_most];
	double total = report_number( m, "cost" );
	int count = 0;
	const cJSON* row;
	cJSON_ArrayForEach( row, report_at( m, "by_type" ) )
	{
		const cJSON* test;
		cJSON_ArrayForEach( test, row )
		{
			double price =
				report_number( report_at( report_at( cost, "volume_test" ), row->string ), test->string );
			if ( count < bars_at_most - 3 && test->valuedouble > 0 )
			{
				snprintf( names[count], sizeof names[count], "%.12s with %.12s", row->string, test->string );
				values[count++] = test->valuedouble * price;
			}
		}
	}
	static const struct
	{
		const char* name;
		const char* number;
		const char* price;
	} steps[] = { { "opening nodes", "openings", "opening" },
		          { "opening leaves", "leaf_pairs", "leaf" },
		          { "triangles", "triangle_tests", "triangle_test" } };
	for ( size_t i = 0; i < sizeof steps / sizeof *steps; ++i )
	{
		snprintf( names[count], sizeof names[count], "%s", steps[i].name );
		values[count++] = report_number( m, steps[i].number ) * report_number( cost, steps[i].price );
	}
	for ( int i = 0; i < count; ++i )
	{
		char text[REPORT_NUMBER_BYTES];
		char share[REPORT_NUMBER_BYTES];
		report_print_number( text, values[i], 3 );
		report_print_number( share, 100 * values[i] / total, 3 );
		snprintf( labels[i], sizeof labels[i], "%s, %s %%", text, share );
		bars[i] = ( report_bar ){ names[i], values[i], labels[i] };
	}
	report_put( page, "<div class=\"plots\">\n" );
	report_put_bar_chart( page, "Cost of a query near contact, by kind of step",
	                      "The mean number of steps of each kind times the cost of one step.", bars, count );
	report_put( page, "</div>\n" );
}

static void put_yardstick( const report_page* page, const cJSON* y )
{
	if ( !report_at( y, "cost" ) )
	{
		return;
	}
	report_put( page,
	            "<p>For comparison: the hierarchy that <code>--preset $s</code> builds from the same "
	            "triangles has $k nodes and costs "
	            "$v, with $v volume tests and $v triangle tests",
	            report_string( y, "preset" ), report_at( y, "nodes" ), report_at( y, "cost" ),
	            report_at( y, "volume_tests" ), report_at( y, "triangle_tests" ) );
	if ( !report_at( y, "ratio" ) )
	{
		report_put( page, ", on average over other queries, because some were abandoned" );
	}
	else
	{
		report_put( page, "; this file’s costs <strong>$v ×</strong> that", report_at( y, "ratio" ) );
	}
	report_put( page, ".</p>\n" );
}

void report_put_contact( const report_page* page )
{
	const cJSON* cost = report_at( page->report, "hierarchy.cost" );
	const cJSON* m = report_at( cost, "measured" );
	if ( !report_at( m, "cost" ) )
	{
		return;
	}
	report_put( page,
	            "<p>Measured: $v on average over $k queries of the mesh against a copy of itself near "
	            "contact. The copy approaches from "
	            "$k random directions",
	            report_at( m, "cost" ), report_at( m, "poses" ), report_at( m, "draws" ) );
	if ( report_number( m, "passed" ) > 0 )
	{
		report_put( page, "; from $k more it missed the mesh", report_at( m, "passed" ) );
	}
	if ( report_number( m, "given_up" ) > 0 )
	{
		report_put( page, "; $k more were abandoned after too many tests and do not count",
		            report_at( m, "given_up" ) );
	}
	report_put( page, ". Distances are in percent of half the diagonal.</p>\n" );
	put_yardstick( page, report_at( cost, "yardstick" ) );
	put_offsets( page, m );
	put_chart( page, cost, m );
}
