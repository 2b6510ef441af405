// The HTML report's sections on the hierarchy: levels, errors, and the cost of queries.

#include "formats/html/measures.h"
#include "formats/html/plots.h"
#include "formats/html/sections.h"

#include <math.h>
#include <string.h>

static const char* plural( double count )
{
	return count == 1 ? "" : "s";
}

// An object of counts as a sentence: "1,023 with 2, 17 with 3".
static void put_counts( const report_page* page, const cJSON* counts, const char* between )
{
	const char* before = "";
	const cJSON* item;
	cJSON_ArrayForEach( item, counts )
	{
		report_put( page, "$r$k$r$s", before, item, between, item->string );
		before = ", ";
	}
}

static void put_level_head( const report_page* page, int number )
{
	report_put( page,
	            "<tr><th scope=\"row\" class=\"number\"><a href=\"#view\" data-show=\"level:$i\">$c</a></th>",
	            (double)number, (double)number );
}

static void put_levels( const report_page* page, const cJSON* levels )
{
	bool overlap = report_at( levels, "0.overlap" );
	bool fit = report_at( levels, "0.fit" );
	report_put( page,
	            "<div class=\"scroll\"><table>\n<caption>Levels, starting at the root</caption>\n"
	            "<thead><tr><th scope=\"col\" class=\"number\">Level</th>"
	            "<th scope=\"col\" class=\"number\">Nodes</th><th scope=\"col\" class=\"number\">Leaves</th>"
	            "<th scope=\"col\" class=\"number\">Triangles</th>$r$r</tr></thead>\n<tbody>\n",
	            overlap ? "<th scope=\"col\" class=\"number\">Mean overlap</th>" : "",
	            fit ? "<th scope=\"col\" class=\"number\">Mean area / optimum</th>" : "" );
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, levels )
	{
		put_level_head( page, number++ );
		report_put(
			page, "<td class=\"number\">$k</td><td class=\"number\">$k</td><td class=\"number\">$k</td>",
			report_at( level, "nodes" ), report_at( level, "leaves" ), report_at( level, "triangles" ) );
		if ( overlap )
		{
			report_put( page, "<td class=\"number\">$p</td>", report_number( level, "overlap.mean" ) );
		}
		if ( fit )
		{
			report_put( page, "<td class=\"number\">$v</td>", report_at( level, "fit.area.mean" ) );
		}
		report_put( page, "</tr>\n" );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
}

static void put_level_sizes( const report_page* page, const cJSON* levels )
{
	static const char* const columns[][2] = {
		{ "Mean volume", "volume.mean" },     { "Largest volume", "volume.max" },
		{ "Mean area", "area.mean" },         { "Largest area", "area.max" },
		{ "Mean diameter", "diameter.mean" }, { "Largest diameter", "diameter.max" },
	};
	enum
	{
		count = sizeof columns / sizeof *columns,
	};
	report_put( page, "<div class=\"scroll\"><table>\n<caption>Size of the volumes on each level, in mesh "
	                  "units, square units and cubic units</caption>\n"
	                  "<thead><tr><th scope=\"col\" class=\"number\">Level</th>" );
	for ( int i = 0; i < count; ++i )
	{
		report_put( page, "<th scope=\"col\" class=\"number\">$r</th>", columns[i][0] );
	}
	report_put( page, "</tr></thead>\n<tbody>\n" );
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, levels )
	{
		put_level_head( page, number++ );
		for ( int i = 0; i < count; ++i )
		{
			report_put( page, "<td class=\"number\">$v</td>", report_at( level, columns[i][1] ) );
		}
		report_put( page, "</tr>\n" );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
}

void report_put_hierarchy( const report_page* page )
{
	const cJSON* h = report_at( page->report, "hierarchy" );
	double nodes = report_number( h, "nodes" );
	double leaves = report_number( h, "leaves" );
	if ( !report_at( h, "nodes" ) )
	{
		return;
	}
	report_put( page,
	            "<section id=\"hierarchy\" aria-labelledby=\"hierarchy-title\">\n<h2 "
	            "id=\"hierarchy-title\">Hierarchy</h2>\n"
	            "<p>$k node$r, of which $k $r; the deepest leaf is on level $k. Volumes: ",
	            report_at( h, "nodes" ), plural( nodes ), report_at( h, "leaves" ),
	            leaves == 1 ? "is a leaf" : "are leaves", report_at( h, "depth" ) );
	put_counts( page, report_at( h, "types" ), " " );
	if ( cJSON_GetArraySize( report_at( h, "degrees" ) ) > 0 )
	{
		report_put( page, ". Inner nodes by number of children: " );
		put_counts( page, report_at( h, "degrees" ), " with " );
	}
	report_put( page, ".</p>\n" );
	report_put_measures( page );
	put_levels( page, report_at( h, "levels" ) );
	put_level_sizes( page, report_at( h, "levels" ) );
	report_put( page, "<div class=\"plots\">\n" );
	report_plot_hierarchy( page );
	report_put_occupancy( page );
	report_put( page, "</div>\n" );
	report_put( page, "</section>\n" );
}

static void put_error_row( const report_page* page, const cJSON* errors, const char* name, const char* key )
{
	static const char* const measures[] = { "surface", "solid" };
	report_put( page, "<tr><th scope=\"row\">$r</th>", name );
	for ( int i = 0; i < 2; ++i )
	{
		const cJSON* e = report_at( report_at( errors, measures[i] ), key );
		report_put( page, "<td class=\"number\">$v to $v</td><td class=\"number\">$q</td>",
		            report_at( e, "lower" ), report_at( e, "upper" ), report_number( e, "relative.upper" ) );
	}
	report_put( page, "</tr>\n" );
}

static void put_error_summary( const report_page* page, const cJSON* errors )
{
	report_put( page,
	            "<p>The error of a node is the largest distance from a point of its volume to the triangles "
	            "of its subtree. "
	            "The smaller it is, the fewer nodes queries visit in vain. "
	            "The true value is certified to be in the interval; nothing is sampled. "
	            "<em>Surface</em> considers the points of "
	            "the volume’s boundary, <em>solid</em> all its points.</p>\n"
	            "<div class=\"scroll\"><table>\n<caption>Certified errors, in mesh units and in percent "
	            "of the root’s diagonal</caption>\n"
	            "<thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"number\">Surface</th>"
	            "<th scope=\"col\" class=\"number\">Surface, upper bound</th>"
	            "<th scope=\"col\" class=\"number\">Solid</th>"
	            "<th scope=\"col\" class=\"number\">Solid, upper bound</th></tr></thead>\n<tbody>\n" );
	put_error_row( page, errors, "Root", "root" );
	put_error_row( page, errors, "Mean over all nodes", "mean" );
	put_error_row( page, errors, "Largest over all nodes", "max" );
	report_put( page, "</tbody>\n</table></div>\n" );
}

static void put_error_levels( const report_page* page, const char* of, const char* title,
                              const char* caption )
{
	static const char* const columns[][2] = {
		{ "Mean surface error", "surface.mean" },
		{ "Largest surface error", "surface.max" },
		{ "Mean solid error", "solid.mean" },
		{ "Largest solid error", "solid.max" },
	};
	enum
	{
		count = sizeof columns / sizeof *columns,
	};
	report_put( page,
	            "<details open=\"open\"><summary>$r</summary>\n<div class=\"scroll\"><table>\n"
	            "<caption>$r</caption>\n<thead><tr><th scope=\"col\" class=\"number\">Level</th>",
	            title, caption );
	for ( int i = 0; i < count; ++i )
	{
		report_put( page, "<th scope=\"col\" class=\"number\">$r</th>", columns[i][0] );
	}
	report_put( page, "</tr></thead>\n<tbody>\n" );
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, report_at( page->report, "hierarchy.levels" ) )
	{
		put_level_head( page, number++ );
		for ( int i = 0; i < count; ++i )
		{
			const cJSON* e = report_at( report_at( level, of ), columns[i][1] );
			report_put( page, "<td class=\"number\">$v to $v</td>", report_at( e, "lower" ),
			            report_at( e, "upper" ) );
		}
		report_put( page, "</tr>\n" );
	}
	report_put( page, "</tbody>\n</table></div>\n</details>\n" );
}

void report_put_errors( const report_page* page )
{
	const cJSON* errors = report_at( page->report, "hierarchy.hausdorff" );
	if ( !report_at( errors, "solid.root.upper" ) )
	{
		return;
	}
	report_put( page, "<section id=\"errors\" aria-labelledby=\"errors-title\">\n<h2 "
	                  "id=\"errors-title\">Certified errors</h2>\n" );
	put_error_summary( page, errors );
	report_plot_errors( page );
	put_error_levels( page, "hausdorff", "Errors by level",
	                  "Certified intervals of the nodes of each level, in mesh units" );
	put_error_levels( page, "cut", "Errors by cut: the nodes of a level and the leaves above it",
	                  "Certified intervals of each cut, in mesh units" );
	report_put( page, "</section>\n" );
}

static void put_costs( const report_page* page, const cJSON* cost )
{
	report_put( page, "<div class=\"scroll\"><table>\n<caption>Cost table: the cost of each step of a query, "
	                  "as assumed when "
	                  "the hierarchy was built</caption>\n"
	                  "<thead><tr><th scope=\"col\">Step</th><th scope=\"col\" "
	                  "class=\"number\">Cost</th></tr></thead>\n<tbody>\n" );
	const cJSON* row;
	cJSON_ArrayForEach( row, report_at( cost, "volume_test" ) )
	{
		const cJSON* test;
		cJSON_ArrayForEach( test, row )
		{
			if ( strcmp( row->string, test->string ) <= 0 )
			{
				report_put(
					page,
					"<tr><th scope=\"row\">test of $s against $s</th><td class=\"number\">$v</td></tr>\n",
					row->string, test->string, test );
			}
		}
	}
	report_put( page,
	            "<tr><th scope=\"row\">test of two triangles</th><td class=\"number\">$v</td></tr>\n"
	            "<tr><th scope=\"row\">opening a node</th><td class=\"number\">$v</td></tr>\n"
	            "<tr><th scope=\"row\">opening two leaves</th><td class=\"number\">$v</td></tr>\n"
	            "</tbody>\n</table></div>\n",
	            report_at( cost, "triangle_test" ), report_at( cost, "opening" ), report_at( cost, "leaf" ) );
}

void report_put_cost( const report_page* page )
{
	const cJSON* cost = report_at( page->report, "hierarchy.cost" );
	if ( !report_at( cost, "expected" ) )
	{
		return;
	}
	report_put( page,
	            "<section id=\"cost\" aria-labelledby=\"cost-title\">\n<h2 id=\"cost-title\">Cost</h2>\n"
	            "<p>Predicted: a query against the hierarchy costs <strong>$v</strong> "
	            "on average, estimated from the surface areas "
	            "of the volumes (Goldsmith and Salmon 1987). The unit is that of the cost table.</p>\n",
	            report_at( cost, "expected" ) );
	report_put_contact( page );
	put_costs( page, cost );
	report_put( page, "</section>\n" );
}
