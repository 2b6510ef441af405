// The HTML report's sections on the hierarchy: levels, errors, and the cost of queries.

#include "offline/report/html/measures.h"
#include "offline/report/html/plots.h"
#include "offline/report/html/sections.h"

#include <math.h>
#include <string.h>

static const char* plural( double count )
{
	return count == 1 ? "" : "s";
}

// An object of counts as a sentence: "1,023 with 2, 17 with 3".
static void put_counts( const bvhtml_page* page, const cJSON* counts, const char* between )
{
	const char* before = "";
	const cJSON* item;
	cJSON_ArrayForEach( item, counts )
	{
		bvhtml_put( page, "$r$k$r$s", before, item, between, item->string );
		before = ", ";
	}
}

static void put_level_head( const bvhtml_page* page, int number )
{
	bvhtml_put( page,
	            "<tr><th scope=\"row\" class=\"number\"><a href=\"#view\" data-show=\"level:$i\">$c</a></th>",
	            (double)number, (double)number );
}

static void put_levels( const bvhtml_page* page, const cJSON* levels )
{
	bool overlap = bvhtml_at( levels, "0.overlap" );
	bool fit = bvhtml_at( levels, "0.fit" );
	bvhtml_put( page,
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
		bvhtml_put(
			page, "<td class=\"number\">$k</td><td class=\"number\">$k</td><td class=\"number\">$k</td>",
			bvhtml_at( level, "nodes" ), bvhtml_at( level, "leaves" ), bvhtml_at( level, "triangles" ) );
		if ( overlap )
		{
			bvhtml_put( page, "<td class=\"number\">$p</td>", bvhtml_number( level, "overlap.mean" ) );
		}
		if ( fit )
		{
			bvhtml_put( page, "<td class=\"number\">$v</td>", bvhtml_at( level, "fit.area.mean" ) );
		}
		bvhtml_put( page, "</tr>\n" );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

static void put_level_sizes( const bvhtml_page* page, const cJSON* levels )
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
	bvhtml_put( page,
	            "<div class=\"scroll\"><table>\n<caption>Size of the volumes on each level, in $r, $r and $r"
	            "</caption>\n<thead><tr><th scope=\"col\" class=\"number\">Level</th>",
	            bvhtml_unit_of( page, 3 ), bvhtml_unit_of( page, 2 ), page->unit );
	for ( int i = 0; i < count; ++i )
	{
		bvhtml_put( page, "<th scope=\"col\" class=\"number\">$r</th>", columns[i][0] );
	}
	bvhtml_put( page, "</tr></thead>\n<tbody>\n" );
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, levels )
	{
		put_level_head( page, number++ );
		for ( int i = 0; i < count; ++i )
		{
			bvhtml_put( page, "<td class=\"number\">$v</td>", bvhtml_at( level, columns[i][1] ) );
		}
		bvhtml_put( page, "</tr>\n" );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

void bvhtml_put_hierarchy( const bvhtml_page* page )
{
	const cJSON* h = bvhtml_at( page->report, "hierarchy" );
	double nodes = bvhtml_number( h, "nodes" );
	double leaves = bvhtml_number( h, "leaves" );
	if ( !bvhtml_at( h, "nodes" ) )
	{
		return;
	}
	bvhtml_put( page,
	            "<section id=\"hierarchy\" aria-labelledby=\"hierarchy-title\">\n<h2 "
	            "id=\"hierarchy-title\">Hierarchy</h2>\n"
	            "<p>$k node$r, of which $k $r; the deepest leaf is on level $k. Types of volumes: ",
	            bvhtml_at( h, "nodes" ), plural( nodes ), bvhtml_at( h, "leaves" ),
	            leaves == 1 ? "is a leaf" : "are leaves", bvhtml_at( h, "depth" ) );
	put_counts( page, bvhtml_at( h, "types" ), " " );
	if ( cJSON_GetArraySize( bvhtml_at( h, "degrees" ) ) > 0 )
	{
		bvhtml_put( page, ". Inner nodes by number of children: " );
		put_counts( page, bvhtml_at( h, "degrees" ), " with " );
	}
	bvhtml_put( page, ".</p>\n" );
	bvhtml_put_measures( page );
	put_levels( page, bvhtml_at( h, "levels" ) );
	put_level_sizes( page, bvhtml_at( h, "levels" ) );
	bvhtml_put( page, "<div class=\"plots\">\n" );
	bvhtml_plot_hierarchy( page );
	bvhtml_put_occupancy( page );
	bvhtml_put( page, "</div>\n" );
	bvhtml_put( page, "</section>\n" );
}

static void put_error_row( const bvhtml_page* page, const cJSON* errors, const char* name, const char* key )
{
	static const char* const measures[] = { "surface", "solid" };
	bvhtml_put( page, "<tr><th scope=\"row\">$r</th>", name );
	for ( int i = 0; i < 2; ++i )
	{
		const cJSON* e = bvhtml_at( bvhtml_at( errors, measures[i] ), key );
		bvhtml_put( page, "<td class=\"number\">$v to $v</td><td class=\"number\">$q</td>",
		            bvhtml_at( e, "lower" ), bvhtml_at( e, "upper" ), bvhtml_number( e, "relative.upper" ) );
	}
	bvhtml_put( page, "</tr>\n" );
}

static void put_error_summary( const bvhtml_page* page, const cJSON* errors )
{
	bvhtml_put( page,
	            "<p>The error of a node is the largest distance from a point of its volume to the triangles "
	            "of its subtree. "
	            "The smaller it is, the fewer nodes are opened without finding anything. "
	            "The true value is proved to be in the interval. "
	            "<em>Surface</em> considers the points of "
	            "the volume’s boundary, <em>solid</em> all its points.</p>\n"
	            "<div class=\"scroll\"><table>\n<caption>Certified errors, in $r and in percent "
	            "of the root’s diagonal</caption>\n"
	            "<thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"number\">Surface</th>"
	            "<th scope=\"col\" class=\"number\">Surface, upper bound</th>"
	            "<th scope=\"col\" class=\"number\">Solid</th>"
	            "<th scope=\"col\" class=\"number\">Solid, upper bound</th></tr></thead>\n<tbody>\n",
	            page->unit );
	put_error_row( page, errors, "Root", "root" );
	put_error_row( page, errors, "Mean over all nodes", "mean" );
	put_error_row( page, errors, "Largest over all nodes", "max" );
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

static void put_error_levels( const bvhtml_page* page, const char* of, const char* title,
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
	bvhtml_put( page,
	            "<details open=\"open\"><summary>$r</summary>\n<div class=\"scroll\"><table>\n"
	            "<caption>$r, in $r</caption>\n<thead><tr><th scope=\"col\" class=\"number\">Level</th>",
	            title, caption, page->unit );
	for ( int i = 0; i < count; ++i )
	{
		bvhtml_put( page, "<th scope=\"col\" class=\"number\">$r</th>", columns[i][0] );
	}
	bvhtml_put( page, "</tr></thead>\n<tbody>\n" );
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, bvhtml_at( page->report, "hierarchy.levels" ) )
	{
		put_level_head( page, number++ );
		for ( int i = 0; i < count; ++i )
		{
			const cJSON* e = bvhtml_at( bvhtml_at( level, of ), columns[i][1] );
			bvhtml_put( page, "<td class=\"number\">$v to $v</td>", bvhtml_at( e, "lower" ),
			            bvhtml_at( e, "upper" ) );
		}
		bvhtml_put( page, "</tr>\n" );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n</details>\n" );
}

void bvhtml_put_errors( const bvhtml_page* page )
{
	const cJSON* errors = bvhtml_at( page->report, "hierarchy.hausdorff" );
	if ( !bvhtml_at( errors, "solid.root.upper" ) )
	{
		return;
	}
	bvhtml_put( page, "<section id=\"errors\" aria-labelledby=\"errors-title\">\n<h2 "
	                  "id=\"errors-title\">Certified errors</h2>\n" );
	put_error_summary( page, errors );
	bvhtml_plot_errors( page );
	put_error_levels( page, "hausdorff", "Errors by level",
	                  "Certified intervals of the nodes of each level" );
	put_error_levels( page, "cut", "Errors by cut: the nodes of a level and the leaves above it",
	                  "Certified intervals of each cut" );
	bvhtml_put( page, "</section>\n" );
}

static void put_costs( const bvhtml_page* page, const cJSON* cost )
{
	bvhtml_put( page, "<div class=\"scroll\"><table>\n<caption>Cost table: the cost of each step of a query, "
	                  "as assumed when "
	                  "the hierarchy was built</caption>\n"
	                  "<thead><tr><th scope=\"col\">Step</th><th scope=\"col\" "
	                  "class=\"number\">Cost</th></tr></thead>\n<tbody>\n" );
	const cJSON* row;
	cJSON_ArrayForEach( row, bvhtml_at( cost, "volume_test" ) )
	{
		const cJSON* test;
		cJSON_ArrayForEach( test, row )
		{
			if ( strcmp( row->string, test->string ) <= 0 )
			{
				bvhtml_put(
					page,
					"<tr><th scope=\"row\">test of $s against $s</th><td class=\"number\">$v</td></tr>\n",
					row->string, test->string, test );
			}
		}
	}
	bvhtml_put( page,
	            "<tr><th scope=\"row\">test of two triangles</th><td class=\"number\">$v</td></tr>\n"
	            "<tr><th scope=\"row\">opening a node</th><td class=\"number\">$v</td></tr>\n"
	            "<tr><th scope=\"row\">opening two leaves</th><td class=\"number\">$v</td></tr>\n"
	            "</tbody>\n</table></div>\n",
	            bvhtml_at( cost, "triangle_test" ), bvhtml_at( cost, "opening" ), bvhtml_at( cost, "leaf" ) );
}

void bvhtml_put_cost( const bvhtml_page* page )
{
	const cJSON* cost = bvhtml_at( page->report, "hierarchy.cost" );
	if ( !bvhtml_at( cost, "expected" ) )
	{
		return;
	}
	bvhtml_put( page,
	            "<section id=\"cost\" aria-labelledby=\"cost-title\">\n<h2 id=\"cost-title\">Cost</h2>\n"
	            "<p>Predicted: a query against the hierarchy costs <strong>$v</strong> "
	            "on average, estimated from the surface areas "
	            "of the volumes (Goldsmith and Salmon 1987). The unit is that of the cost table.</p>\n",
	            bvhtml_at( cost, "expected" ) );
	bvhtml_put_contact( page );
	put_costs( page, cost );
	bvhtml_put( page, "</section>\n" );
}
