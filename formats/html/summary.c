// The top of the HTML report: what it is about, whether that is good, and the figures that matter most.

#include "formats/html/sections.h"

#include <math.h>
#include <string.h>

// How many findings are of a severity.
static int count_findings( const report_page* page, const char* severity )
{
	int count = 0;
	const cJSON* finding;
	cJSON_ArrayForEach( finding, report_at( page->report, "findings" ) )
	{
		count += strcmp( report_string( finding, "severity" ), severity ) == 0;
	}
	return count;
}

static void put_verdict( const report_page* page )
{
	int bad = count_findings( page, "bad" );
	int notes = count_findings( page, "note" );
	if ( bad > 0 )
	{
		report_put(
			page, "<p class=\"verdict bad\"><span class=\"sign\" aria-hidden=\"true\">✕</span> $c problem$r",
			(double)bad, bad == 1 ? "" : "s" );
	}
	else
	{
		report_put( page,
		            "<p class=\"verdict $r\"><span class=\"sign\" aria-hidden=\"true\">$r</span> No problems",
		            notes > 0 ? "note" : "good", notes > 0 ? "!" : "✓" );
	}
	if ( notes > 0 )
	{
		report_put( page, ", $c note$r", (double)notes, notes == 1 ? "" : "s" );
	}
	report_put( page, "</p>\n" );
}

void report_put_header( const report_page* page )
{
	const cJSON* r = page->report;
	report_put( page, "<header>\n<p class=\"kind\">Collision report</p>\n<h1><bdi>$s</bdi></h1>\n",
	            *report_string( r, "source.name" ) ? report_string( r, "source.name" ) : "(no name)" );
	if ( report_at( r, "findings" ) )
	{
		put_verdict( page );
	}
	static const char* const links[][2] = {
		{ "findings", "Findings" },   { "view", "View" },    { "mesh", "Mesh" },   { "errors", "Errors" },
		{ "hierarchy", "Hierarchy" }, { "cost", "Cost" },    { "parts", "Parts" }, { "volumes", "Volumes" },
		{ "file", "File" },           { "making", "Build" },
	};
	const bool there[] = {
		report_at( r, "findings" ),
		true,
		true,
		report_at( r, "hierarchy.hausdorff.solid.root.upper" ),
		report_at( r, "hierarchy.nodes" ),
		report_at( r, "hierarchy.nodes" ),
		report_at( r, "decomposition.parts" ),
		report_at( r, "bounds.aabb" ) || report_at( r, "hull.vertices" ) ||
			report_at( r, "recognised.tolerance" ),
		true,
		true,
	};
	report_put( page, "<nav aria-label=\"Sections\">\n<ul>\n" );
	for ( size_t i = 0; i < sizeof links / sizeof *links; ++i )
	{
		if ( there[i] )
		{
			report_put( page, "<li><a href=\"#$r\">$r</a></li>\n", links[i][0], links[i][1] );
		}
	}
	report_put( page, "</ul>\n</nav>\n</header>\n" );
}

static void put_finding( const report_page* page, const cJSON* finding )
{
	static const struct
	{
		const char* severity;
		const char* sign;
		const char* name;
	} kinds[] = { { "good", "✓", "good" }, { "note", "!", "note" }, { "bad", "✕", "bad" } };
	const char* severity = report_string( finding, "severity" );
	size_t kind = 1;
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		kind = strcmp( severity, kinds[i].severity ) == 0 ? i : kind;
	}
	report_put( page,
	            "<li class=\"$r\"><span class=\"sign\" aria-hidden=\"true\">$r</span><div>\n"
	            "<p><span class=\"hidden\">$r: </span>$s",
	            kinds[kind].severity, kinds[kind].sign, kinds[kind].name, report_string( finding, "text" ) );
	if ( *report_string( finding, "show" ) )
	{
		report_put( page, " <a class=\"show\" href=\"#view\" data-show=\"$s\">show</a>",
		            report_string( finding, "show" ) );
	}
	report_put( page, "</p>\n" );
	if ( *report_string( finding, "advice" ) )
	{
		report_put( page, "<p class=\"advice\">→ $s</p>\n", report_string( finding, "advice" ) );
	}
	report_put( page, "</div></li>\n" );
}

void report_put_findings( const report_page* page )
{
	static const char* const order[] = { "bad", "note", "good" };
	const cJSON* findings = report_at( page->report, "findings" );
	if ( cJSON_GetArraySize( findings ) == 0 )
	{
		return;
	}
	report_put( page, "<section id=\"findings\" aria-labelledby=\"findings-title\">\n"
	                  "<h2 id=\"findings-title\">Findings</h2>\n<ul class=\"findings\">\n" );
	for ( size_t i = 0; i < sizeof order / sizeof *order; ++i )
	{
		const cJSON* finding;
		cJSON_ArrayForEach( finding, findings )
		{
			if ( strcmp( report_string( finding, "severity" ), order[i] ) == 0 )
			{
				put_finding( page, finding );
			}
		}
	}
	report_put( page, "</ul>\n</section>\n" );
}

static void put_mesh_tile( const report_page* page )
{
	const cJSON* mesh = report_at( page->report, "mesh" );
	bool closed = report_true( mesh, "closed" );
	bool manifold = report_true( mesh, "manifold" );
	bool oriented = report_true( mesh, "oriented" );
	report_put( page, "<li><span>Triangles</span><b>$k</b><span>$r, $r, $r</span></li>\n",
	            report_at( mesh, "triangles" ), closed ? "closed" : "open",
	            manifold ? "manifold" : "not manifold", oriented ? "oriented" : "not oriented" );
}

static void put_error_tiles( const report_page* page )
{
	const cJSON* solid = report_at( page->report, "hierarchy.hausdorff.solid" );
	if ( !report_at( solid, "root.upper" ) )
	{
		return;
	}
	report_put( page,
	            "<li><span>Error of the root</span><b>$q</b><span>of its diagonal; at most $v</span></li>\n"
	            "<li><span>Mean error of nodes</span><b>$q</b><span>of the root’s diagonal; at most "
	            "$v</span></li>\n",
	            report_number( solid, "root.relative.upper" ), report_at( solid, "root.upper" ),
	            report_number( solid, "mean.relative.upper" ), report_at( solid, "mean.upper" ) );
}

static void put_parts_tile( const report_page* page )
{
	const cJSON* parts = report_at( page->report, "decomposition" );
	if ( !report_at( parts, "parts" ) )
	{
		return;
	}
	double upper = report_number( parts, "concavity.upper" );
	double share = upper / page->diagonal;
	report_put( page, "<li><span>Convex parts</span><b>$k</b><span>stand-off at most $v",
	            report_at( parts, "parts" ), report_at( parts, "concavity.upper" ) );
	if ( isfinite( share ) )
	{
		report_put( page, ", $q of the diagonal", share );
	}
	report_put( page, "</span></li>\n" );
}

static void put_shape_tile( const report_page* page )
{
	const cJSON* r = report_at( page->report, "recognised" );
	const char* best = report_string( r, "best" );
	if ( *best )
	{
		report_put( page, "<li><span>Shape</span><b>a $s</b><span>within $v</span></li>\n", best,
		            report_at( report_at( r, best ), "error.upper" ) );
	}
}

void report_put_tiles( const report_page* page )
{
	const cJSON* r = page->report;
	report_put( page, "<ul class=\"tiles\" aria-label=\"Key figures\">\n" );
	put_mesh_tile( page );
	report_put( page, "<li><span>File</span><b>$b</b><span>$v bytes per triangle</span></li>\n",
	            report_number( r, "file.bytes" ), report_at( r, "file.bytes_per_triangle" ) );
	if ( report_at( r, "hierarchy.nodes" ) )
	{
		report_put(
			page, "<li><span>Nodes</span><b>$k</b><span>$k leaves; the deepest is on level $k</span></li>\n",
			report_at( r, "hierarchy.nodes" ), report_at( r, "hierarchy.leaves" ),
			report_at( r, "hierarchy.depth" ) );
	}
	put_error_tiles( page );
	if ( report_at( r, "hierarchy.cost.yardstick.ratio" ) )
	{
		report_put( page,
		            "<li><span>Cost near contact</span><b>$v ×</b><span>relative to the hierarchy of "
		            "<code>--preset $s</code></span></li>\n",
		            report_at( r, "hierarchy.cost.yardstick.ratio" ),
		            report_string( r, "hierarchy.cost.yardstick.preset" ) );
	}
	else if ( report_at( r, "hierarchy.cost.expected" ) )
	{
		report_put( page,
		            "<li><span>Expected cost</span><b>$v</b><span>of a query; the unit is that of the "
		            "cost table</span></li>\n",
		            report_at( r, "hierarchy.cost.expected" ) );
	}
	put_parts_tile( page );
	put_shape_tile( page );
	report_put( page, "</ul>\n" );
}
