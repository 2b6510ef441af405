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

// An object of counts as a sentence: "1,023 of 2, 17 of 3".
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

static void put_levels( const report_page* page, const cJSON* levels )
{
	report_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Levels, the root’s first: means and largest values of "
		"nodes’ volumes</caption>\n"
		"<thead><tr><th scope=\"col\" class=\"number\">Level</th><th scope=\"col\" "
		"class=\"number\">Nodes</th>"
		"<th scope=\"col\" class=\"number\">Leaves</th><th scope=\"col\" class=\"number\">Triangles</th>"
		"<th scope=\"col\" class=\"number\">Volume, mean</th><th scope=\"col\" class=\"number\">largest</th>"
		"<th scope=\"col\" class=\"number\">Area, mean</th><th scope=\"col\" class=\"number\">largest</th>"
		"<th scope=\"col\" class=\"number\">Diameter, mean</th><th scope=\"col\" "
		"class=\"number\">largest</th>$r$r</tr></thead>\n<tbody>\n",
		report_at( levels, "0.overlap" ) ? "<th scope=\"col\" class=\"number\">Overlap, mean</th>" : "",
		report_at( levels, "0.fit" ) ? "<th scope=\"col\" class=\"number\">Area over the optimum’s, mean</th>"
									 : "" );
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, levels )
	{
		report_put(
			page,
			"<tr><th scope=\"row\" class=\"number\"><a href=\"#view\" data-show=\"level:$i\">$c</a></th>"
			"<td class=\"number\">$k</td><td class=\"number\">$k</td><td class=\"number\">$k</td>",
			(double)number, (double)number, report_at( level, "nodes" ), report_at( level, "leaves" ),
			report_at( level, "triangles" ) );
		report_put( page,
		            "<td class=\"number\">$v</td><td class=\"number\">$v</td><td class=\"number\">$v</td>"
		            "<td class=\"number\">$v</td><td class=\"number\">$v</td><td class=\"number\">$v</td>",
		            report_at( level, "volume.mean" ), report_at( level, "volume.max" ),
		            report_at( level, "area.mean" ), report_at( level, "area.max" ),
		            report_at( level, "diameter.mean" ), report_at( level, "diameter.max" ) );
		if ( report_at( level, "overlap" ) )
		{
			report_put( page, "<td class=\"number\">$p</td>", report_number( level, "overlap.mean" ) );
		}
		if ( report_at( level, "fit" ) )
		{
			report_put( page, "<td class=\"number\">$v</td>", report_at( level, "fit.area.mean" ) );
		}
		report_put( page, "</tr>\n" );
		++number;
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
		put_counts( page, report_at( h, "degrees" ), " of " );
	}
	report_put( page, ".</p>\n" );
	report_put_measures( page );
	put_levels( page, report_at( h, "levels" ) );
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
	report_put( page, "<p>How far a point of a node’s volume can be from the triangles below it: the nearer, "
	                  "the fewer queries go on "
	                  "where there is nothing. The true value is in the interval; nothing was sampled. "
	                  "<em>Surface</em> counts points of "
	                  "the volume’s boundary, <em>solid</em> all of its points.</p>\n"
	                  "<div class=\"scroll\"><table>\n<caption>Certified errors, mesh units, and in percent "
	                  "of the root’s diagonal</caption>\n"
	                  "<thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"number\">Surface</th><th "
	                  "scope=\"col\" class=\"number\">at most</th>"
	                  "<th scope=\"col\" class=\"number\">Solid</th><th scope=\"col\" class=\"number\">at "
	                  "most</th></tr></thead>\n<tbody>\n" );
	put_error_row( page, errors, "Root", "root" );
	put_error_row( page, errors, "Mean of all nodes", "mean" );
	put_error_row( page, errors, "Largest of all nodes", "max" );
	report_put( page, "</tbody>\n</table></div>\n" );
}

static void put_error_levels( const report_page* page, const char* of, const char* caption )
{
	report_put(
		page,
		"<details open=\"open\"><summary>$r</summary>\n"
		"<div class=\"scroll\"><table>\n<caption>Certified intervals, mesh units</caption>\n"
		"<thead><tr><th scope=\"col\" class=\"number\">Level</th><th scope=\"col\" class=\"number\">Surface, "
		"mean</th>"
		"<th scope=\"col\" class=\"number\">largest</th><th scope=\"col\" class=\"number\">Solid, mean</th>"
		"<th scope=\"col\" class=\"number\">largest</th></tr></thead>\n<tbody>\n",
		caption );
	static const char* const columns[] = { "surface.mean", "surface.max", "solid.mean", "solid.max" };
	int number = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, report_at( page->report, "hierarchy.levels" ) )
	{
		report_put(
			page,
			"<tr><th scope=\"row\" class=\"number\"><a href=\"#view\" data-show=\"level:$i\">$c</a></th>",
			(double)number, (double)number );
		for ( size_t i = 0; i < sizeof columns / sizeof *columns; ++i )
		{
			const cJSON* e = report_at( report_at( level, of ), columns[i] );
			report_put( page, "<td class=\"number\">$v to $v</td>", report_at( e, "lower" ),
			            report_at( e, "upper" ) );
		}
		report_put( page, "</tr>\n" );
		++number;
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
	put_error_levels( page, "hausdorff", "Errors of the nodes on each level" );
	put_error_levels( page, "cut", "Errors of the cut at each level: its nodes and the leaves above it" );
	report_put( page, "</section>\n" );
}

static void put_costs( const report_page* page, const cJSON* cost )
{
	report_put( page, "<div class=\"scroll\"><table>\n<caption>What a step of a query was said to cost when "
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
	report_put(
		page,
		"<tr><th scope=\"row\">test of two triangles</th><td class=\"number\">$v</td></tr>\n"
		"<tr><th scope=\"row\">getting at the children of a node</th><td class=\"number\">$v</td></tr>\n"
		"<tr><th scope=\"row\">getting at the triangles of two leaves</th><td class=\"number\">$v</td></tr>\n"
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
	            "<p>Predicted: a query that compares something with the hierarchy costs <strong>$v</strong> "
	            "in the mean, by the areas "
	            "of the volumes (Goldsmith and Salmon 1987), in units of the table of steps.</p>\n",
	            report_at( cost, "expected" ) );
	report_put_contact( page );
	put_costs( page, cost );
	report_put( page, "</section>\n" );
}
