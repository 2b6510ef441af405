// The HTML report's measures of the hierarchy: leaves, overlap, fit, area heuristic, and queries that were
// run.

#include "offline/report/html/measures.h"

#include "offline/report/html/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	bars_at_most = 48,
};

void bvhtml_put_occupancy( const bvhtml_page* page )
{
	const cJSON* o = bvhtml_at( page->report, "hierarchy.occupancy" );
	double leaves = bvhtml_number( page->report, "hierarchy.leaves" );
	bvhtml_bar bars[bars_at_most];
	char names[bars_at_most][48];
	char labels[bars_at_most][2 * BVHTML_NUMBER_BYTES + 8];
	int count = 0;
	if ( !bvhtml_at( o, "mean" ) )
	{
		return;
	}
	const cJSON* bin;
	cJSON_ArrayForEach( bin, bvhtml_at( o, "histogram" ) )
	{
		if ( count < bars_at_most )
		{
			char share[BVHTML_NUMBER_BYTES];
			char leaves_of_bin[BVHTML_NUMBER_BYTES];
			bvhtml_print_number( share, 100 * bin->valuedouble / leaves, 3 );
			bvhtml_print_count( leaves_of_bin, bin->valuedouble );
			snprintf( names[count], sizeof names[count], "%s triangle%s", bin->string,
			          strcmp( bin->string, "1" ) == 0 ? "" : "s" );
			snprintf( labels[count], sizeof labels[count], "%s, %s %%", leaves_of_bin, share );
			bars[count] = ( bvhtml_bar ){ names[count], bin->valuedouble, labels[count] };
			++count;
		}
	}
	bvhtml_put_bar_chart( page, "Leaves by number of triangles",
	                      "Histogram of the number of triangles in the leaves of the hierarchy.", bars,
	                      count );
}

static void put_node( const bvhtml_page* page, const cJSON* node )
{
	bvhtml_put( page, " <a class=\"show place\" href=\"#view\" data-show=\"node:" );
	bvexport_output_number( page->out, cJSON_IsNumber( node ) ? node->valuedouble : 0 );
	bvhtml_put( page, "\">node $k</a>", node );
}

static void put_overlap( const bvhtml_page* page, const cJSON* o )
{
	if ( !bvhtml_at( o, "mean" ) )
	{
		return;
	}
	bvhtml_put( page,
	            "<p><strong>Overlap.</strong> Of $k pairs of siblings measured, $p overlap. "
	            "The overlap is "
	            "$p of the smaller volume on average, and at most $p:",
	            bvhtml_at( o, "measured" ), bvhtml_number( o, "share" ), bvhtml_number( o, "mean" ),
	            bvhtml_number( o, "max" ) );
	put_node( page, bvhtml_at( o, "worst.0" ) );
	bvhtml_put( page, " and" );
	put_node( page, bvhtml_at( o, "worst.1" ) );
	bvhtml_put( page, ".</p>\n" );
}

static void put_ratio( const bvhtml_page* page, const char* what, const cJSON* ratio )
{
	bvhtml_put( page, "$r: $v times the optimum on average, at most $v:", what, bvhtml_at( ratio, "mean" ),
	            bvhtml_at( ratio, "max" ) );
	put_node( page, bvhtml_at( ratio, "worst" ) );
}

// Where the ratio of two volumes is far above that of any areas they are nearly flat, and it says nothing.
static void put_fit( const bvhtml_page* page, const cJSON* fit )
{
	bool area = bvhtml_number( fit, "area.mean" ) > 0;
	bool flat = area && bvhtml_number( fit, "volume.max" ) > 10 &&
	            bvhtml_number( fit, "volume.max" ) > 4 * bvhtml_number( fit, "area.max" );
	bool volume = bvhtml_number( fit, "volume.mean" ) > 0 && !flat;
	if ( !volume && !area )
	{
		return;
	}
	bvhtml_put( page,
	            "<p><strong>Fit.</strong> The volumes of $k nodes were compared with the best known fit. ",
	            bvhtml_at( fit, "measured" ) );
	if ( area )
	{
		put_ratio( page, "Area", bvhtml_at( fit, "area" ) );
		bvhtml_put( page, volume ? ". " : "." );
	}
	if ( volume )
	{
		put_ratio( page, "Volume", bvhtml_at( fit, "volume" ) );
		bvhtml_put( page, "." );
	}
	bvhtml_put( page, flat ? " Volume is omitted: some nodes are so flat that its ratio means little.</p>\n"
	                       : "</p>\n" );
}

static void put_leaves( const bvhtml_page* page, const cJSON* o )
{
	double least = bvhtml_number( o, "min" );
	double most = bvhtml_number( o, "max" );
	if ( least < most )
	{
		bvhtml_put( page,
		            "<p><strong>Leaves.</strong> $v triangles per leaf on average, from $k to $k.</p>\n",
		            bvhtml_at( o, "mean" ), bvhtml_at( o, "min" ), bvhtml_at( o, "max" ) );
	}
	else
	{
		bvhtml_put( page, "<p><strong>Leaves.</strong> $k triangle$r in each.</p>\n", bvhtml_at( o, "max" ),
		            most == 1 ? "" : "s" );
	}
}

void bvhtml_put_measures( const bvhtml_page* page )
{
	const cJSON* h = bvhtml_at( page->report, "hierarchy" );
	const cJSON* occupancy = bvhtml_at( h, "occupancy" );
	if ( bvhtml_at( occupancy, "mean" ) )
	{
		put_leaves( page, occupancy );
	}
	put_overlap( page, bvhtml_at( h, "overlap" ) );
	put_fit( page, bvhtml_at( h, "fit" ) );
	if ( bvhtml_at( h, "sah.cost" ) )
	{
		bvhtml_put( page,
		            "<p><strong>Rays.</strong> A ray that hits the root is expected to visit $v inner "
		            "nodes and to test $v "
		            "triangles. The surface area heuristic is $v.</p>\n",
		            bvhtml_at( h, "sah.inner" ), bvhtml_at( h, "sah.leaves" ), bvhtml_at( h, "sah.cost" ) );
	}
}

static void put_offset( const bvhtml_page* page, const cJSON* at, const char* name )
{
	bvhtml_put( page, "<tr><th scope=\"row\">$s</th><td class=\"number\">$k</td><td class=\"number\">$v</td>",
	            name, bvhtml_at( at, "poses" ), bvhtml_at( at, "cost" ) );
	bvhtml_put( page,
	            "<td class=\"number\">$v</td><td class=\"number\">$v</td><td class=\"number\">$v</td>"
	            "<td class=\"number\">$v</td><td class=\"number\">$v</td></tr>\n",
	            bvhtml_at( at, "volume_tests" ), bvhtml_at( at, "openings" ), bvhtml_at( at, "leaf_pairs" ),
	            bvhtml_at( at, "triangle_tests" ), bvhtml_at( at, "pairs" ) );
}

static void put_offsets( const bvhtml_page* page, const cJSON* m )
{
	bvhtml_put( page,
	            "<div class=\"scroll\"><table>\n<caption>Mean steps per query, by "
	            "distance</caption>\n<thead><tr><th scope=\"col\">Distance</th>"
	            "<th scope=\"col\" class=\"number\">Poses</th><th scope=\"col\" class=\"number\">Cost</th>"
	            "<th scope=\"col\" class=\"number\">Volume tests</th><th scope=\"col\" "
	            "class=\"number\">Nodes opened</th>"
	            "<th scope=\"col\" class=\"number\">Leaf pairs</th><th scope=\"col\" "
	            "class=\"number\">Triangle tests</th>"
	            "<th scope=\"col\" class=\"number\">Pairs found</th></tr></thead>\n<tbody>\n" );
	const cJSON* at;
	cJSON_ArrayForEach( at, bvhtml_at( m, "offsets" ) )
	{
		char name[BVHTML_NUMBER_BYTES + 32];
		char share[BVHTML_NUMBER_BYTES];
		double offset = bvhtml_number( at, "offset" );
		bvhtml_print_number( share, 100 * fabs( offset ), 3 );
		snprintf( name, sizeof name, "%s %% %s", share, offset < 0 ? "deep" : "apart" );
		put_offset( page, at, name );
	}
	put_offset( page, m, "all" );
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

// A bar for each kind of step: how many there were, times what one costs.
static void put_chart( const bvhtml_page* page, const cJSON* cost, const cJSON* m )
{
	bvhtml_bar bars[bars_at_most];
	char names[bars_at_most][48];
	char labels[bars_at_most][2 * BVHTML_NUMBER_BYTES + 8];
	double values[bars_at_most];
	double total = bvhtml_number( m, "cost" );
	int count = 0;
	const cJSON* row;
	cJSON_ArrayForEach( row, bvhtml_at( m, "by_type" ) )
	{
		const cJSON* test;
		cJSON_ArrayForEach( test, row )
		{
			double price =
				bvhtml_number( bvhtml_at( bvhtml_at( cost, "volume_test" ), row->string ), test->string );
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
		values[count++] = bvhtml_number( m, steps[i].number ) * bvhtml_number( cost, steps[i].price );
	}
	for ( int i = 0; i < count; ++i )
	{
		char text[BVHTML_NUMBER_BYTES];
		char share[BVHTML_NUMBER_BYTES];
		bvhtml_print_number( text, values[i], 3 );
		bvhtml_print_number( share, 100 * values[i] / total, 3 );
		snprintf( labels[i], sizeof labels[i], "%s, %s %%", text, share );
		bars[i] = ( bvhtml_bar ){ names[i], values[i], labels[i] };
	}
	bvhtml_put( page, "<div class=\"plots\">\n" );
	bvhtml_put_bar_chart( page, "Cost of a query near contact, by kind of step",
	                      "The mean number of steps of each kind times the cost of one step.", bars, count );
	bvhtml_put( page, "</div>\n" );
}

static void put_yardstick( const bvhtml_page* page, const cJSON* y )
{
	if ( !bvhtml_at( y, "cost" ) )
	{
		return;
	}
	bvhtml_put( page,
	            "<p>For comparison: the hierarchy that <code>--preset $s</code> builds from the same "
	            "triangles has $k nodes and costs "
	            "$v, with $v volume tests and $v triangle tests",
	            bvhtml_string( y, "preset" ), bvhtml_at( y, "nodes" ), bvhtml_at( y, "cost" ),
	            bvhtml_at( y, "volume_tests" ), bvhtml_at( y, "triangle_tests" ) );
	if ( !bvhtml_at( y, "ratio" ) )
	{
		bvhtml_put( page, ", on average over other queries, because some were abandoned" );
	}
	else
	{
		bvhtml_put( page, "; the hierarchy of this file costs <strong>$v ×</strong> as much",
		            bvhtml_at( y, "ratio" ) );
	}
	bvhtml_put( page, ".</p>\n" );
}

void bvhtml_put_contact( const bvhtml_page* page )
{
	const cJSON* cost = bvhtml_at( page->report, "hierarchy.cost" );
	const cJSON* m = bvhtml_at( cost, "measured" );
	if ( !bvhtml_at( m, "cost" ) )
	{
		return;
	}
	bvhtml_put( page,
	            "<p>Measured: $v on average over $k queries of the mesh against a copy of itself near "
	            "contact. The copy approaches from "
	            "$k random directions",
	            bvhtml_at( m, "cost" ), bvhtml_at( m, "poses" ), bvhtml_at( m, "draws" ) );
	if ( bvhtml_number( m, "passed" ) > 0 )
	{
		bvhtml_put( page, "; from $k more it missed the mesh", bvhtml_at( m, "passed" ) );
	}
	if ( bvhtml_number( m, "given_up" ) > 0 )
	{
		bvhtml_put( page, "; $k more were abandoned after too many tests and do not count",
		            bvhtml_at( m, "given_up" ) );
	}
	bvhtml_put( page, ". Distances are in percent of half the diagonal.</p>\n" );
	put_yardstick( page, bvhtml_at( cost, "yardstick" ) );
	put_offsets( page, m );
	put_chart( page, cost, m );
}
