// The HTML report's section on bounds of the whole mesh, its hull, and the primitive that it is like.

#include "formats/html/sections.h"

#include <math.h>
#include <string.h>

static void put_point( const report_page* page, const cJSON* p )
{
	report_put( page, "($v; $v; $v)", report_at( p, "0" ), report_at( p, "1" ), report_at( p, "2" ) );
}

static double length_between( const cJSON* ends )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		const cJSON* a = cJSON_GetArrayItem( report_at( ends, "0" ), i );
		const cJSON* b = cJSON_GetArrayItem( report_at( ends, "1" ), i );
		double side = a && b ? b->valuedouble - a->valuedouble : NAN;
		sum += side * side;
	}
	return sqrt( sum );
}

static void put_size( const report_page* page, const char* name, const cJSON* v )
{
	if ( strcmp( name, "aabb" ) == 0 )
	{
		put_point( page, report_at( v, "lower" ) );
		report_put( page, " to " );
		put_point( page, report_at( v, "upper" ) );
	}
	else if ( strcmp( name, "sphere" ) == 0 )
	{
		report_put( page, "radius $v, center ", report_at( v, "radius" ) );
		put_point( page, report_at( v, "center" ) );
	}
	else if ( strcmp( name, "obb" ) == 0 || strcmp( name, "box" ) == 0 )
	{
		report_put( page, "half extents " );
		put_point( page, report_at( v, "half_extents" ) );
		report_put( page, ", center " );
		put_point( page, report_at( v, "center" ) );
	}
	else if ( strcmp( name, "kdop" ) == 0 )
	{
		report_put( page, "$k planes", report_at( v, "k" ) );
	}
	else if ( strcmp( name, "rss" ) == 0 )
	{
		report_put( page, "half extents ($v; $v), radius $v", report_at( v, "half_extents.0" ),
		            report_at( v, "half_extents.1" ), report_at( v, "radius" ) );
	}
	else
	{
		report_put( page, "length $n, radius $v", length_between( report_at( v, "ends" ) ),
		            report_at( v, "radius" ) );
	}
}

static void put_bounds( const report_page* page )
{
	static const char* const kinds[][2] = {
		{ "aabb", "axis-aligned box" }, { "obb", "oriented box" }, { "sphere", "sphere" },
		{ "kdop", "26-DOP" },           { "capsule", "capsule" },  { "rss", "rectangle swept sphere" },
	};
	double hull = report_number( page->report, "hull.volume" );
	bool compared = hull > 0;
	bool measured = report_at( page->report, "bounds.aabb.ratio" );
	if ( !report_at( page->report, "bounds.aabb" ) )
	{
		return;
	}
	report_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Volumes that enclose every vertex</caption>\n<thead><tr>"
		"<th scope=\"col\">Volume</th><th scope=\"col\">Size and position</th>"
		"<th scope=\"col\" class=\"number\">Cubic units</th>$r$r</tr></thead>\n<tbody>\n",
		compared ? "<th scope=\"col\" class=\"number\">Relative to the hull</th>" : "",
		measured ? "<th scope=\"col\" class=\"number\">Volume / optimum</th>" : "" );
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		const cJSON* v = report_at( report_at( page->report, "bounds" ), kinds[i][0] );
		if ( !v )
		{
			continue;
		}
		report_put( page, "<tr><th scope=\"row\">$r</th><td>", kinds[i][1] );
		put_size( page, kinds[i][0], v );
		report_put( page, "</td><td class=\"number\">$v</td>", report_at( v, "volume" ) );
		if ( compared )
		{
			report_put( page, "<td class=\"number\">$p</td>", report_number( v, "volume" ) / hull );
		}
		if ( measured )
		{
			report_put( page, "<td class=\"number\">$v</td>", report_at( v, "ratio" ) );
		}
		report_put( page, "</tr>\n" );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
}

static void put_hull( const report_page* page )
{
	const cJSON* hull = report_at( page->report, "hull" );
	double solid = report_number( page->report, "mesh.volume" );
	double volume = report_number( hull, "volume" );
	if ( !report_at( hull, "vertices" ) )
	{
		return;
	}
	report_put( page, "<p>The convex hull has $k vertices and $k face$r", report_at( hull, "vertices" ),
	            report_at( hull, "faces" ), report_number( hull, "faces" ) == 1 ? "" : "s" );
	if ( report_at( hull, "polygons" ) )
	{
		report_put( page, ", merged into $k polygons with $k edges", report_at( hull, "polygons" ),
		            report_at( hull, "edges" ) );
	}
	report_put( page, "; its volume is $v", report_at( hull, "volume" ) );
	if ( volume > 0 && isfinite( solid ) )
	{
		report_put( page, ". The mesh fills $p of it", fabs( solid ) / volume );
	}
	report_put( page, ".</p>\n" );
}

static void put_recognized( const report_page* page )
{
	static const char* const kinds[] = { "box", "sphere", "capsule", "cylinder" };
	const cJSON* r = report_at( page->report, "recognised" );
	const char* best = report_string( r, "best" );
	if ( !report_at( r, "tolerance" ) )
	{
		return;
	}
	if ( *best )
	{
		report_put( page,
		            "<p>The mesh <strong>is a $s</strong> within $v (tolerance: $v). A $s is faster to query "
		            "than any hierarchy.</p>\n",
		            best, report_at( report_at( r, best ), "error.upper" ), report_at( r, "tolerance" ),
		            best );
	}
	else
	{
		report_put( page, "<p>The mesh is not a box, sphere, capsule or cylinder within $v.</p>\n",
		            report_at( r, "tolerance" ) );
	}
	report_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Primitives fitted to the mesh, with certified distances "
		"between the two surfaces, in mesh units</caption>\n"
		"<thead><tr><th scope=\"col\">Primitive</th><th scope=\"col\">Size and position</th>"
		"<th scope=\"col\" class=\"number\">Mesh to primitive</th><th scope=\"col\" "
		"class=\"number\">Primitive to mesh</th>"
		"<th scope=\"col\" class=\"number\">Larger distance</th></tr></thead>\n<tbody>\n" );
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		const cJSON* p = report_at( r, kinds[i] );
		if ( !p )
		{
			continue;
		}
		report_put( page, "<tr$r><th scope=\"row\">$r</th><td>",
		            strcmp( best, kinds[i] ) == 0 ? " class=\"best\"" : "", kinds[i] );
		put_size( page, kinds[i], p );
		report_put( page,
		            "</td><td class=\"number\">$v to $v</td><td class=\"number\">$v to $v</td>"
		            "<td class=\"number\">$v to $v</td></tr>\n",
		            report_at( p, "from_mesh.lower" ), report_at( p, "from_mesh.upper" ),
		            report_at( p, "from_surface.lower" ), report_at( p, "from_surface.upper" ),
		            report_at( p, "error.lower" ), report_at( p, "error.upper" ) );
	}
	report_put( page, "</tbody>\n</table></div>\n" );
}

void report_put_volumes( const report_page* page )
{
	const cJSON* r = page->report;
	if ( !report_at( r, "bounds.aabb" ) && !report_at( r, "hull.vertices" ) &&
	     !report_at( r, "recognised.tolerance" ) )
	{
		return;
	}
	report_put( page, "<section id=\"volumes\" aria-labelledby=\"volumes-title\">\n"
	                  "<h2 id=\"volumes-title\">Volumes, hull and primitives</h2>\n" );
	put_bounds( page );
	put_hull( page );
	put_recognized( page );
	report_put( page, "</section>\n" );
}
