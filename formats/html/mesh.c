// The HTML report's section on the mesh: what it is, what cleaning did, its edges and its mass.

#include "formats/html/sections.h"

#include <math.h>
#include <string.h>

static const char* plural( double count )
{
	return count == 1 ? "" : "s";
}

static void put_counts( const report_page* page, const cJSON* mesh )
{
	bool closed = report_true( mesh, "closed" );
	bool manifold = report_true( mesh, "manifold" );
	bool oriented = report_true( mesh, "oriented" );
	double pairs = report_number( mesh, "double_sided" );
	double components = report_number( mesh, "components" );
	report_put( page, "<p>$k triangle$r over $k vertices, in $k component$r. ",
	            report_at( mesh, "triangles" ), plural( report_number( mesh, "triangles" ) ),
	            report_at( mesh, "vertices" ), report_at( mesh, "components" ), plural( components ) );
	report_put( page, "The surface is $r, $r$r",
	            closed ? "<strong>closed</strong>" : "<strong>open</strong> (it has no volume and no inside)",
	            manifold ? "manifold"
	                     : "<strong>not manifold</strong> (an edge has more than two triangles or two with "
	                       "opposite winding, or pieces touch at a vertex)",
	            oriented ? ", and consistently oriented"
	                     : ", and <strong>not consistently oriented</strong>" );
	if ( pairs > 0 )
	{
		report_put( page,
		            ". $k pair$r of triangles have the same vertices and opposite winding (double-sided "
		            "geometry, kept)",
		            report_at( mesh, "double_sided" ), plural( pairs ) );
	}
	report_put( page, ".</p>\n" );
	if ( report_number( mesh, "volume" ) < 0 )
	{
		report_put( page,
		            "<p class=\"warning\">The triangles face inward, so the volume is negative.</p>\n" );
	}
}

// Of how many triangles of the source, which is what is left and what was dropped.
static void put_dropped( const report_page* page, const cJSON* mesh )
{
	static const struct
	{
		const char* key;
		const char* one;
		const char* many;
	} reasons[] = {
		{ "removed.degenerate", "was degenerate and was dropped", "were degenerate and were dropped" },
		{ "removed.duplicate", "was a duplicate and was dropped", "were duplicates and were dropped" },
		{ "removed.non_finite", "had a NaN or infinite coordinate and was dropped",
		  "had NaN or infinite coordinates and were dropped" },
	};
	double all = report_number( mesh, "triangles" );
	double kept = all;
	for ( size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i )
	{
		all += report_number( mesh, reasons[i].key );
	}
	if ( all == kept )
	{
		report_put( page, "<li>$r of the source $r kept.</li>\n",
		            all == 1 ? "The only triangle" : "All triangles", all == 1 ? "was" : "were" );
	}
	for ( size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i )
	{
		double count = report_number( mesh, reasons[i].key );
		if ( count > 0 )
		{
			report_put( page, "<li>$k of $c triangles $r.</li>\n", report_at( mesh, reasons[i].key ), all,
			            count == 1 ? reasons[i].one : reasons[i].many );
		}
	}
}

static void put_cleaning( const report_page* page, const cJSON* mesh )
{
	double merged = report_number( mesh, "removed.merged_vertices" );
	double unused = report_number( mesh, "removed.unused_vertices" );
	double moved = report_number( mesh, "largest_displacement" );
	report_put( page, "<h3>Cleaning</h3>\n<ul>\n" );
	put_dropped( page, mesh );
	if ( merged > 0 )
	{
		report_put(
			page,
			"<li>Merged $k vert$r with another because of equal positions or <code>--weld</code>.</li>\n",
			report_at( mesh, "removed.merged_vertices" ), merged == 1 ? "ex" : "ices" );
	}
	if ( unused > 0 )
	{
		report_put( page, "<li>Dropped $k vert$r of the source that no triangle uses.</li>\n",
		            report_at( mesh, "removed.unused_vertices" ), unused == 1 ? "ex" : "ices" );
	}
	if ( moved > 0 )
	{
		report_put( page, "<li>No vertex was moved by more than $v from its position in the source",
		            report_at( mesh, "largest_displacement" ) );
		if ( isfinite( page->diagonal ) )
		{
			report_put( page, ", $q of the diagonal", moved / page->diagonal );
		}
		report_put( page, ".</li>\n" );
	}
	else
	{
		report_put( page, "<li>Every vertex is exactly at its position in the source.</li>\n" );
	}
	report_put( page, "</ul>\n" );
}

static void put_edges( const report_page* page, const cJSON* mesh )
{
	static const struct
	{
		const char* key;
		const char* name;
		const char* meaning;
		bool defect;
	} kinds[] = {
		{ "convex", "convex", "two triangles; the solid is convex here", false },
		{ "concave", "concave", "two triangles; the solid is concave here", false },
		{ "flat", "flat", "two triangles, coplanar within 0.014 degrees", false },
		{ "boundary", "open", "one triangle: the surface ends here", true },
		{ "flipped", "flipped", "two triangles with opposite winding", true },
		{ "non_manifold", "non-manifold", "three or more triangles", true },
	};
	double edges = report_number( mesh, "edges" );
	const cJSON* counts = report_at( mesh, "edges_of_kind" );
	report_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>$k edges by kind"
		"</caption>\n<thead><tr>"
		"<th scope=\"col\">Edges</th><th scope=\"col\" class=\"number\">Count</th>"
		"<th scope=\"col\" class=\"number\">Share</th><th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n",
		report_at( mesh, "edges" ) );
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		double count = report_number( counts, kinds[i].key );
		bool bad = kinds[i].defect && count > 0;
		report_put(
			page,
			"<tr$r><th scope=\"row\">$r</th><td class=\"number\">$k</td><td class=\"number\">$p</td><td>$r",
			bad ? " class=\"warning\"" : "", kinds[i].name, report_at( counts, kinds[i].key ), count / edges,
			kinds[i].meaning );
		if ( bad )
		{
			report_put( page, " <a class=\"show\" href=\"#view\" data-show=\"edges:$r\">show</a>",
			            kinds[i].key );
		}
		report_put( page, "</td></tr>\n" );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
}

static void put_point( const report_page* page, const cJSON* from, const char* key )
{
	const cJSON* p = report_at( from, key );
	report_put( page, p ? "($v; $v; $v)" : "–", report_at( p, "0" ), report_at( p, "1" ),
	            report_at( p, "2" ) );
}

// A column for each body: the solid, the surface as a sheet, the hull.
static void put_mass( const report_page* page, const cJSON* mesh )
{
	const cJSON* bodies[3] = { mesh, report_at( mesh, "surface" ), report_at( page->report, "hull" ) };
	static const char* const names[3] = { "Solid", "Surface (thin sheet)", "Hull (solid)" };
	const cJSON* masses[3] = { report_at( mesh, "volume" ), report_at( mesh, "area" ),
		                       report_at( page->report, "hull.volume" ) };
	static const char* const units[3] = { " cubic units", " square units", " cubic units" };
	report_put( page, "<div class=\"scroll\"><table>\n<caption>Mass properties at density "
	                  "1</caption>\n<thead><tr><th scope=\"col\"></th>" );
	for ( int i = 0; i < 3; ++i )
	{
		report_put( page, "<th scope=\"col\">$r</th>", names[i] );
	}
	report_put( page, "</tr></thead>\n<tbody>\n<tr><th scope=\"row\">Volume or area</th>" );
	for ( int i = 0; i < 3; ++i )
	{
		report_put( page, "<td>$v$r</td>", masses[i], masses[i] ? units[i] : "" );
	}
	report_put( page, "</tr>\n<tr><th scope=\"row\">Center of mass</th>" );
	for ( int i = 0; i < 3; ++i )
	{
		report_put( page, "<td>" );
		put_point( page, bodies[i], "center_of_mass" );
		report_put( page, "</td>" );
	}
	report_put( page, "</tr>\n<tr><th scope=\"row\">Principal moments of inertia</th>" );
	for ( int i = 0; i < 3; ++i )
	{
		report_put( page, "<td>" );
		put_point( page, bodies[i], "principal.moments" );
		report_put( page, "</td>" );
	}
	report_put( page, "</tr>\n</tbody>\n</table></div>\n" );
}

// What moves, if something does.
static void put_body( const report_page* page )
{
	const cJSON* mass = report_at( page->report, "body.mass" );
	if ( mass )
	{
		const char* of = report_at( page->report, "body.of" )->valuestring;
		report_put( page, "<p>The body is the $s: its mass is $v, its density $v.</p>\n",
		            strcmp( of, "hull" ) == 0      ? "convex hull"
		            : strcmp( of, "surface" ) == 0 ? "surface, as a thin sheet"
		                                           : "solid",
		            mass, report_at( page->report, "body.density" ) );
	}
}

void report_put_mesh( const report_page* page )
{
	const cJSON* mesh = report_at( page->report, "mesh" );
	report_put( page,
	            "<section id=\"mesh\" aria-labelledby=\"mesh-title\">\n<h2 id=\"mesh-title\">Mesh</h2>\n" );
	put_counts( page, mesh );
	put_cleaning( page, mesh );
	put_edges( page, mesh );
	put_mass( page, mesh );
	put_body( page );
	report_put( page, "</section>\n" );
}
