// The top of the HTML report: what it is about, whether that is good, and the figures that matter most.

#include "offline/report/html/command.h"
#include "offline/report/html/judge.h"
#include "offline/report/html/sections.h"

#include <math.h>
#include <string.h>

// How many findings are of a severity.
static int count_findings( const bvhtml_page* page, const char* severity )
{
	int count = 0;
	const cJSON* finding;
	cJSON_ArrayForEach( finding, bvhtml_at( page->report, "findings" ) )
	{
		count += strcmp( bvhtml_string( finding, "severity" ), severity ) == 0;
	}
	return count;
}

static void put_verdict( const bvhtml_page* page )
{
	int bad = count_findings( page, "bad" );
	int notes = count_findings( page, "note" );
	if ( bad > 0 )
	{
		bvhtml_put(
			page, "<p class=\"verdict bad\"><span class=\"sign\" aria-hidden=\"true\">✕</span> $c problem$r",
			(double)bad, bad == 1 ? "" : "s" );
	}
	else
	{
		bvhtml_put( page,
		            "<p class=\"verdict $r\"><span class=\"sign\" aria-hidden=\"true\">$r</span> No problems",
		            notes > 0 ? "note" : "good", notes > 0 ? "!" : "✓" );
	}
	if ( notes > 0 )
	{
		bvhtml_put( page, ", $c note$r", (double)notes, notes == 1 ? "" : "s" );
	}
	bvhtml_put( page, "</p>\n" );
}

void bvhtml_put_header( const bvhtml_page* page )
{
	const cJSON* r = page->report;
	bvhtml_put( page, "<header>\n<p class=\"kind\">Collision report</p>\n<h1><bdi>$s</bdi></h1>\n",
	            *bvhtml_string( r, "source.name" ) ? bvhtml_string( r, "source.name" ) : "(no name)" );
	if ( bvhtml_at( r, "findings" ) )
	{
		put_verdict( page );
	}
	const struct
	{
		const char* id;
		const char* title;
		bool is_there;
	} links[] = {
		{ "findings", "Findings", bvhtml_at( r, "findings" ) },
		{ "view", "View", true },
		{ "mesh", "Mesh", true },
		{ "errors", "Errors", bvhtml_at( r, "hierarchy.hausdorff.solid.root.upper" ) },
		{ "hierarchy", "Hierarchy", bvhtml_at( r, "hierarchy.nodes" ) },
		{ "cost", "Cost", bvhtml_at( r, "hierarchy.nodes" ) },
		{ "clip", "Clip", bvhtml_at( r, "clip.samples" ) },
		{ "parts", "Parts", bvhtml_at( r, "decomposition.parts" ) },
		{ "proxy", "Proxy mesh", bvhtml_at( r, "proxy.triangles" ) },
		{ "volumes", "Volumes",
		  bvhtml_at( r, "bounds.aabb" ) || bvhtml_at( r, "hull.vertices" ) ||
		      bvhtml_at( r, "recognised.tolerance" ) },
		{ "file", "File", true },
		{ "making", "Build", true },
	};
	bvhtml_put( page, "<nav aria-label=\"Sections\">\n<ul>\n" );
	for ( size_t i = 0; i < sizeof links / sizeof *links; ++i )
	{
		if ( links[i].is_there )
		{
			bvhtml_put( page, "<li><a href=\"#$r\">$r</a></li>\n", links[i].id, links[i].title );
		}
	}
	bvhtml_put( page, "</ul>\n</nav>\n</header>\n" );
}

static void put_finding( const bvhtml_page* page, const cJSON* finding )
{
	static const struct
	{
		const char* severity;
		const char* sign;
		const char* name;
	} kinds[] = { { "good", "✓", "good" }, { "note", "!", "note" }, { "bad", "✕", "bad" } };
	const char* severity = bvhtml_string( finding, "severity" );
	size_t kind = 1;
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		kind = strcmp( severity, kinds[i].severity ) == 0 ? i : kind;
	}
	bvhtml_put( page,
	            "<li class=\"$r\"><span class=\"sign\" aria-hidden=\"true\">$r</span><div>\n"
	            "<p><span class=\"hidden\">$r: </span>$s",
	            kinds[kind].severity, kinds[kind].sign, kinds[kind].name, bvhtml_string( finding, "text" ) );
	if ( *bvhtml_string( finding, "show" ) )
	{
		bvhtml_put( page, " <a class=\"show\" href=\"#view\" data-show=\"$s\">show</a>",
		            bvhtml_string( finding, "show" ) );
	}
	bvhtml_put( page, "</p>\n" );
	if ( *bvhtml_string( finding, "advice" ) )
	{
		bvhtml_put( page, "<p class=\"advice\">→ $s</p>\n", bvhtml_string( finding, "advice" ) );
		bvhtml_put_command( page, finding );
	}
	bvhtml_put( page, "</div></li>\n" );
}

void bvhtml_put_findings( const bvhtml_page* page )
{
	static const char* const order[] = { "bad", "note", "good" };
	const cJSON* findings = bvhtml_at( page->report, "findings" );
	if ( cJSON_GetArraySize( findings ) == 0 )
	{
		return;
	}
	bvhtml_put( page, "<section id=\"findings\" aria-labelledby=\"findings-title\">\n"
	                  "<h2 id=\"findings-title\">Findings</h2>\n<ul class=\"findings\">\n" );
	for ( size_t i = 0; i < sizeof order / sizeof *order; ++i )
	{
		const cJSON* finding;
		cJSON_ArrayForEach( finding, findings )
		{
			if ( strcmp( bvhtml_string( finding, "severity" ), order[i] ) == 0 )
			{
				put_finding( page, finding );
			}
		}
	}
	bvhtml_put( page, "</ul>\n</section>\n" );
}

// The judgements compare with the 24 sample meshes: 13 are sound, and all are oriented.
static void put_mesh_tile( const bvhtml_page* page )
{
	const cJSON* mesh = bvhtml_at( page->report, "mesh" );
	bool closed = bvhtml_true( mesh, "closed" );
	bool manifold = bvhtml_true( mesh, "manifold" );
	bool oriented = bvhtml_true( mesh, "oriented" );
	bvhtml_put( page, "<li><span>Triangles</span><b>$k</b><span>$r, $r, $r</span>",
	            bvhtml_at( mesh, "triangles" ), closed ? "closed" : "open",
	            manifold ? "manifold" : "not manifold", oriented ? "oriented" : "not oriented" );
	if ( closed && manifold && oriented )
	{
		bvhtml_put_rank( page, bvhtml_good, "closed, manifold and oriented, as 13 of 24 sample meshes" );
	}
	else if ( oriented )
	{
		bvhtml_put_rank( page, bvhtml_usual, "open or not manifold, as 11 of 24 sample meshes" );
	}
	else
	{
		bvhtml_put_rank( page, bvhtml_poor, "not consistently oriented, as none of 24 sample meshes" );
	}
	bvhtml_put( page, "</li>\n" );
}

static void end_tile( const bvhtml_page* page, const char* path )
{
	bvhtml_put( page, "</span>" );
	bvhtml_put_judgement( page, path );
	bvhtml_put( page, "</li>\n" );
}

static void put_error_tiles( const bvhtml_page* page )
{
	const cJSON* solid = bvhtml_at( page->report, "hierarchy.hausdorff.solid" );
	if ( !bvhtml_at( solid, "root.upper" ) )
	{
		return;
	}
	bvhtml_put( page, "<li><span>Error of the root</span><b>$q</b><span>of its diagonal: at most $v $r",
	            bvhtml_number( solid, "root.relative.upper" ), bvhtml_at( solid, "root.upper" ), page->unit );
	end_tile( page, "hierarchy.hausdorff.solid.root.relative.upper" );
	bvhtml_put( page,
	            "<li><span>Mean error of nodes</span><b>$q</b><span>of the root’s diagonal: at most $v $r",
	            bvhtml_number( solid, "mean.relative.upper" ), bvhtml_at( solid, "mean.upper" ), page->unit );
	end_tile( page, "hierarchy.hausdorff.solid.mean.relative.upper" );
}

static void put_box_tile( const bvhtml_page* page )
{
	if ( bvhtml_at( page->report, "bounds.obb.ratio" ) )
	{
		bvhtml_put( page, "<li><span>Oriented box</span><b>$v ×</b><span>the volume of the smallest one",
		            bvhtml_at( page->report, "bounds.obb.ratio" ) );
		if ( bvhtml_at( page->report, "bounds.sphere.ratio" ) )
		{
			bvhtml_put( page, "; sphere: $v ×", bvhtml_at( page->report, "bounds.sphere.ratio" ) );
		}
		end_tile( page, "bounds.obb.ratio" );
	}
}

// Parts are judged by their own tolerance.
static void put_parts_tile( const bvhtml_page* page )
{
	const cJSON* parts = bvhtml_at( page->report, "decomposition" );
	if ( !bvhtml_at( parts, "parts" ) )
	{
		return;
	}
	double upper = bvhtml_number( parts, "concavity.upper" );
	double lower = bvhtml_number( parts, "concavity.lower" );
	double tolerance = bvhtml_number( parts, "tolerance" );
	double share = upper / page->diagonal;
	bvhtml_put( page, "<li><span>Convex parts</span><b>$k</b><span>stand-off at most $v $r",
	            bvhtml_at( parts, "parts" ), bvhtml_at( parts, "concavity.upper" ), page->unit );
	if ( isfinite( share ) )
	{
		bvhtml_put( page, ", $q of the diagonal", share );
	}
	bvhtml_put( page, "</span>" );
	if ( tolerance > 0 )
	{
		bool met = upper <= tolerance;
		bool missed = lower > tolerance;
		bvhtml_put_rank( page,
		                 met      ? bvhtml_good
		                 : missed ? bvhtml_poor
		                          : bvhtml_usual,
		                 met      ? "the tolerance is met"
		                 : missed ? "the tolerance is missed"
		                          : "the tolerance lies between the bounds of the stand-off" );
	}
	bvhtml_put( page, "</li>\n" );
}

// A proxy mesh is always within its tolerance. It is judged by what it encloses.
static void put_proxy_tile( const bvhtml_page* page )
{
	const cJSON* proxy = bvhtml_at( page->report, "proxy" );
	if ( !bvhtml_at( proxy, "triangles" ) )
	{
		return;
	}
	double all = bvhtml_number( page->report, "mesh.triangles" );
	double share = bvhtml_number( proxy, "triangles" ) / all;
	const cJSON* from_proxy = bvhtml_at( proxy, "from_proxy.upper" );
	const cJSON* from_mesh = bvhtml_at( proxy, "from_mesh.upper" );
	double a = bvhtml_number( proxy, "from_proxy.upper" );
	double b = bvhtml_number( proxy, "from_mesh.upper" );
	bvhtml_put( page, "<li><span>Proxy mesh</span><b>$k</b><span>triangles, $p of the mesh; within $v $r",
	            bvhtml_at( proxy, "triangles" ), share, a > b ? from_proxy : from_mesh, page->unit );
	if ( isfinite( page->diagonal ) )
	{
		bvhtml_put( page, ", $q of the diagonal", fmax( a, b ) / page->diagonal );
	}
	bvhtml_put( page, "</span>" );
	bool whole = bvhtml_number( proxy, "enclosed" ) >= all;
	bool closed = bvhtml_true( page->report, "mesh.closed" );
	bvhtml_put_rank( page, whole ? bvhtml_good : bvhtml_usual,
	                 whole    ? "within the tolerance, and proved to enclose the whole mesh"
	                 : closed ? "within the tolerance, but not proved to enclose the whole mesh"
	                          : "within the tolerance; an open mesh cannot be enclosed" );
	bvhtml_put( page, "</li>\n" );
}

static void put_shape_tile( const bvhtml_page* page )
{
	const cJSON* r = bvhtml_at( page->report, "recognised" );
	const char* best = bvhtml_string( r, "best" );
	if ( *best )
	{
		bvhtml_put( page, "<li><span>Shape</span><b>a $s</b><span>within $v $r</span>", best,
		            bvhtml_at( bvhtml_at( r, best ), "error.upper" ), page->unit );
		bvhtml_put_rank( page, bvhtml_good,
		                 "within the tolerance of --recognize: nothing is faster to query" );
		bvhtml_put( page, "</li>\n" );
	}
}

static void put_cost_tile( const bvhtml_page* page )
{
	const cJSON* cost = bvhtml_at( page->report, "hierarchy.cost" );
	if ( bvhtml_at( cost, "yardstick.ratio" ) )
	{
		bvhtml_put( page,
		            "<li><span>Cost near contact</span><b>$v ×</b><span>relative to the hierarchy of "
		            "<code>--preset $s</code>",
		            bvhtml_at( cost, "yardstick.ratio" ), bvhtml_string( cost, "yardstick.preset" ) );
		end_tile( page, "hierarchy.cost.yardstick.ratio" );
	}
	else if ( bvhtml_at( cost, "expected" ) )
	{
		bvhtml_put( page,
		            "<li><span>Expected cost</span><b>$v</b><span>of a query, in the unit of the cost table"
		            "</span></li>\n",
		            bvhtml_at( cost, "expected" ) );
	}
}

// What the user requested comes first.
void bvhtml_put_tiles( const bvhtml_page* page )
{
	const cJSON* r = page->report;
	bvhtml_put( page, "<ul class=\"tiles\" aria-label=\"Key figures\">\n" );
	put_parts_tile( page );
	put_proxy_tile( page );
	put_mesh_tile( page );
	bvhtml_put( page, "<li><span>File</span><b>$b</b><span>$v bytes per triangle",
	            bvhtml_number( r, "file.bytes" ), bvhtml_at( r, "file.bytes_per_triangle" ) );
	end_tile( page, "file.bytes_per_triangle" );
	if ( bvhtml_at( r, "hierarchy.nodes" ) )
	{
		bvhtml_put(
			page, "<li><span>Nodes</span><b>$k</b><span>$k leaves; the deepest is on level $k</span></li>\n",
			bvhtml_at( r, "hierarchy.nodes" ), bvhtml_at( r, "hierarchy.leaves" ),
			bvhtml_at( r, "hierarchy.depth" ) );
	}
	put_error_tiles( page );
	put_cost_tile( page );
	put_box_tile( page );
	put_shape_tile( page );
	bvhtml_put( page, "</ul>\n" );
}
