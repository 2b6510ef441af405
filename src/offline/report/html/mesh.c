// The HTML report's section on the mesh: what it is, what cleaning did, its edges and its mass.

#include "offline/report/html/sections.h"

#include <math.h>
#include <string.h>

static const char* plural( double count )
{
	return count == 1 ? "" : "s";
}

static void put_counts( const bvhtml_page* page, const cJSON* mesh )
{
	bool closed = bvhtml_true( mesh, "closed" );
	bool manifold = bvhtml_true( mesh, "manifold" );
	bool oriented = bvhtml_true( mesh, "oriented" );
	double pairs = bvhtml_number( mesh, "double_sided" );
	double components = bvhtml_number( mesh, "components" );
	bvhtml_put( page, "<p>$k triangle$r over $k vertices, in $k component$r. ",
	            bvhtml_at( mesh, "triangles" ), plural( bvhtml_number( mesh, "triangles" ) ),
	            bvhtml_at( mesh, "vertices" ), bvhtml_at( mesh, "components" ), plural( components ) );
	bvhtml_put( page, "The surface is $r, $r$r",
	            closed ? "<strong>closed</strong>" : "<strong>open</strong> (it has no volume and no inside)",
	            manifold ? "manifold"
	                     : "<strong>not manifold</strong> (an edge has more than two triangles or two with "
	                       "opposite winding, or pieces touch at a vertex)",
	            oriented ? ", and consistently oriented"
	                     : ", and <strong>not consistently oriented</strong>" );
	if ( pairs > 0 )
	{
		bvhtml_put( page,
		            ". $k pair$r of triangles have the same vertices and opposite winding (double-sided "
		            "geometry, kept)",
		            bvhtml_at( mesh, "double_sided" ), plural( pairs ) );
	}
	bvhtml_put( page, ".</p>\n" );
	if ( bvhtml_number( mesh, "volume" ) < 0 )
	{
		bvhtml_put( page,
		            "<p class=\"warning\">The triangles face inward, so the volume is negative.</p>\n" );
	}
}

// Of how many triangles of the source, which is what is left and what was dropped.
static void put_dropped( const bvhtml_page* page, const cJSON* mesh )
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
	double all = bvhtml_number( mesh, "triangles" );
	double kept = all;
	for ( size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i )
	{
		all += bvhtml_number( mesh, reasons[i].key );
	}
	if ( all == kept )
	{
		bvhtml_put( page, "<li>$r of the source $r kept.</li>\n",
		            all == 1 ? "The only triangle" : "All triangles", all == 1 ? "was" : "were" );
	}
	for ( size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i )
	{
		double count = bvhtml_number( mesh, reasons[i].key );
		if ( count > 0 )
		{
			bvhtml_put( page, "<li>$k of $c triangles $r.</li>\n", bvhtml_at( mesh, reasons[i].key ), all,
			            count == 1 ? reasons[i].one : reasons[i].many );
		}
	}
}

static void put_cleaning( const bvhtml_page* page, const cJSON* mesh )
{
	double merged = bvhtml_number( mesh, "removed.merged_vertices" );
	double unused = bvhtml_number( mesh, "removed.unused_vertices" );
	double moved = bvhtml_number( mesh, "largest_displacement" );
	bvhtml_put( page, "<h3>Cleaning</h3>\n<ul>\n" );
	put_dropped( page, mesh );
	if ( merged > 0 )
	{
		bvhtml_put(
			page,
			"<li>Merged $k vert$r with another because of equal positions or <code>--weld</code>.</li>\n",
			bvhtml_at( mesh, "removed.merged_vertices" ), merged == 1 ? "ex" : "ices" );
	}
	if ( unused > 0 )
	{
		bvhtml_put( page, "<li>Dropped $k vert$r of the source that no triangle uses.</li>\n",
		            bvhtml_at( mesh, "removed.unused_vertices" ), unused == 1 ? "ex" : "ices" );
	}
	if ( moved > 0 )
	{
		bvhtml_put( page, "<li>No vertex was moved by more than $v$r from its position in the source",
		            bvhtml_at( mesh, "largest_displacement" ), bvhtml_suffix( page, 1 ) );
		if ( isfinite( page->diagonal ) )
		{
			bvhtml_put( page, ", $q of the diagonal", moved / page->diagonal );
		}
		bvhtml_put( page, ".</li>\n" );
	}
	else
	{
		bvhtml_put( page, "<li>Every vertex is exactly at its position in the source.</li>\n" );
	}
	bvhtml_put( page, "</ul>\n" );
}

static void put_edges( const bvhtml_page* page, const cJSON* mesh )
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
	double edges = bvhtml_number( mesh, "edges" );
	const cJSON* counts = bvhtml_at( mesh, "edges_of_kind" );
	bvhtml_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>$k edges by kind"
		"</caption>\n<thead><tr>"
		"<th scope=\"col\">Edges</th><th scope=\"col\" class=\"number\">Count</th>"
		"<th scope=\"col\" class=\"number\">Share</th><th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n",
		bvhtml_at( mesh, "edges" ) );
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		double count = bvhtml_number( counts, kinds[i].key );
		bool bad = kinds[i].defect && count > 0;
		bvhtml_put(
			page,
			"<tr$r><th scope=\"row\">$r</th><td class=\"number\">$k</td><td class=\"number\">$p</td><td>$r",
			bad ? " class=\"warning\"" : "", kinds[i].name, bvhtml_at( counts, kinds[i].key ), count / edges,
			kinds[i].meaning );
		if ( bad )
		{
			bvhtml_put( page, " <a class=\"show\" href=\"#view\" data-show=\"edges:$r\">show</a>",
			            kinds[i].key );
		}
		bvhtml_put( page, "</td></tr>\n" );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

static void put_point( const bvhtml_page* page, const cJSON* from, const char* key )
{
	const cJSON* p = bvhtml_at( from, key );
	bvhtml_put( page, p ? "($v; $v; $v)" : "–", bvhtml_at( p, "0" ), bvhtml_at( p, "1" ),
	            bvhtml_at( p, "2" ) );
}

// A column for each body: the solid, the surface as a sheet, the hull.
static void put_mass( const bvhtml_page* page, const cJSON* mesh )
{
	const cJSON* bodies[3] = { mesh, bvhtml_at( mesh, "surface" ), bvhtml_at( page->report, "hull" ) };
	static const char* const names[3] = { "Solid", "Surface (thin sheet)", "Hull (solid)" };
	const cJSON* masses[3] = { bvhtml_at( mesh, "volume" ), bvhtml_at( mesh, "area" ),
		                       bvhtml_at( page->report, "hull.volume" ) };
	const char* units[3] = { bvhtml_unit_of( page, 3 ), bvhtml_unit_of( page, 2 ),
		                     bvhtml_unit_of( page, 3 ) };
	bvhtml_put( page, "<div class=\"scroll\"><table>\n<caption>Mass properties at density "
	                  "1</caption>\n<thead><tr><th scope=\"col\"></th>" );
	for ( int i = 0; i < 3; ++i )
	{
		bvhtml_put( page, "<th scope=\"col\">$r</th>", names[i] );
	}
	bvhtml_put( page, "</tr></thead>\n<tbody>\n<tr><th scope=\"row\">Volume or area</th>" );
	for ( int i = 0; i < 3; ++i )
	{
		bvhtml_put( page, "<td>$v $r</td>", masses[i], masses[i] ? units[i] : "" );
	}
	bvhtml_put( page, "</tr>\n<tr><th scope=\"row\">Center of mass</th>" );
	for ( int i = 0; i < 3; ++i )
	{
		bvhtml_put( page, "<td>" );
		put_point( page, bodies[i], "center_of_mass" );
		bvhtml_put( page, "</td>" );
	}
	bvhtml_put( page, "</tr>\n<tr><th scope=\"row\">Principal moments of inertia</th>" );
	for ( int i = 0; i < 3; ++i )
	{
		bvhtml_put( page, "<td>" );
		put_point( page, bodies[i], "principal.moments" );
		bvhtml_put( page, "</td>" );
	}
	bvhtml_put( page, "</tr>\n</tbody>\n</table></div>\n" );
}

// What moves, if something does.
static void put_body( const bvhtml_page* page )
{
	const cJSON* mass = bvhtml_at( page->report, "body.mass" );
	if ( mass )
	{
		const char* of = bvhtml_at( page->report, "body.of" )->valuestring;
		bvhtml_put( page, "<p>The body is the $s: its mass is $v, its density $v.</p>\n",
		            strcmp( of, "hull" ) == 0      ? "convex hull"
		            : strcmp( of, "surface" ) == 0 ? "surface, as a thin sheet"
		                                           : "solid",
		            mass, bvhtml_at( page->report, "body.density" ) );
	}
}

void bvhtml_put_mesh( const bvhtml_page* page )
{
	const cJSON* mesh = bvhtml_at( page->report, "mesh" );
	bvhtml_put( page,
	            "<section id=\"mesh\" aria-labelledby=\"mesh-title\">\n<h2 id=\"mesh-title\">Mesh</h2>\n" );
	put_counts( page, mesh );
	put_cleaning( page, mesh );
	put_edges( page, mesh );
	put_mass( page, mesh );
	put_body( page );
	bvhtml_put( page, "</section>\n" );
}
