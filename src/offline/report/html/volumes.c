// The HTML report's section on bounds of the whole mesh, its hull, and the primitive that it is like.

#include "offline/report/html/sections.h"

#include <math.h>
#include <string.h>

static void put_point( const bvhtml_page* page, const cJSON* p )
{
	bvhtml_put( page, "($v; $v; $v)", bvhtml_at( p, "0" ), bvhtml_at( p, "1" ), bvhtml_at( p, "2" ) );
}

static double length_between( const cJSON* ends )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		const cJSON* a = cJSON_GetArrayItem( bvhtml_at( ends, "0" ), i );
		const cJSON* b = cJSON_GetArrayItem( bvhtml_at( ends, "1" ), i );
		double side = a && b ? b->valuedouble - a->valuedouble : NAN;
		sum += side * side;
	}
	return sqrt( sum );
}

static void put_size( const bvhtml_page* page, const char* name, const cJSON* v )
{
	if ( strcmp( name, "aabb" ) == 0 )
	{
		put_point( page, bvhtml_at( v, "lower" ) );
		bvhtml_put( page, " to " );
		put_point( page, bvhtml_at( v, "upper" ) );
	}
	else if ( strcmp( name, "sphere" ) == 0 )
	{
		bvhtml_put( page, "radius $v, center ", bvhtml_at( v, "radius" ) );
		put_point( page, bvhtml_at( v, "center" ) );
	}
	else if ( strcmp( name, "obb" ) == 0 || strcmp( name, "box" ) == 0 )
	{
		bvhtml_put( page, "half extents " );
		put_point( page, bvhtml_at( v, "half_extents" ) );
		bvhtml_put( page, ", center " );
		put_point( page, bvhtml_at( v, "center" ) );
	}
	else if ( strcmp( name, "kdop" ) == 0 )
	{
		bvhtml_put( page, "$k planes", bvhtml_at( v, "k" ) );
	}
	else if ( strcmp( name, "rss" ) == 0 )
	{
		bvhtml_put( page, "half extents ($v; $v), radius $v", bvhtml_at( v, "half_extents.0" ),
		            bvhtml_at( v, "half_extents.1" ), bvhtml_at( v, "radius" ) );
	}
	else
	{
		bvhtml_put( page, "length $n, radius $v", length_between( bvhtml_at( v, "ends" ) ),
		            bvhtml_at( v, "radius" ) );
	}
}

static void put_bounds( const bvhtml_page* page )
{
	static const char* const kinds[][2] = {
		{ "aabb", "axis-aligned box" }, { "obb", "oriented box" }, { "sphere", "sphere" },
		{ "kdop", "26-DOP" },           { "capsule", "capsule" },  { "rss", "rectangle swept sphere" },
	};
	double hull = bvhtml_number( page->report, "hull.volume" );
	bool compared = hull > 0;
	bool measured = bvhtml_at( page->report, "bounds.aabb.ratio" );
	if ( !bvhtml_at( page->report, "bounds.aabb" ) )
	{
		return;
	}
	bvhtml_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Volumes that enclose every vertex</caption>\n<thead><tr>"
		"<th scope=\"col\">Shape</th><th scope=\"col\">Size and position, $r</th>"
		"<th scope=\"col\" class=\"number\">Volume, $r</th>$r$r</tr></thead>\n<tbody>\n",
		page->unit, bvhtml_unit_of( page, 3 ),
		compared ? "<th scope=\"col\" class=\"number\">Relative to the hull</th>" : "",
		measured ? "<th scope=\"col\" class=\"number\">Volume / optimum</th>" : "" );
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		const cJSON* v = bvhtml_at( bvhtml_at( page->report, "bounds" ), kinds[i][0] );
		if ( !v )
		{
			continue;
		}
		bvhtml_put( page, "<tr><th scope=\"row\">$r</th><td>", kinds[i][1] );
		put_size( page, kinds[i][0], v );
		bvhtml_put( page, "</td><td class=\"number\">$v</td>", bvhtml_at( v, "volume" ) );
		if ( compared )
		{
			bvhtml_put( page, "<td class=\"number\">$p</td>", bvhtml_number( v, "volume" ) / hull );
		}
		if ( measured )
		{
			bvhtml_put( page, "<td class=\"number\">$v</td>", bvhtml_at( v, "ratio" ) );
		}
		bvhtml_put( page, "</tr>\n" );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

static void put_hull( const bvhtml_page* page )
{
	const cJSON* hull = bvhtml_at( page->report, "hull" );
	double solid = bvhtml_number( page->report, "mesh.volume" );
	double volume = bvhtml_number( hull, "volume" );
	if ( !bvhtml_at( hull, "vertices" ) )
	{
		return;
	}
	bvhtml_put( page, "<p>The convex hull has $k vertices and $k face$r", bvhtml_at( hull, "vertices" ),
	            bvhtml_at( hull, "faces" ), bvhtml_number( hull, "faces" ) == 1 ? "" : "s" );
	if ( bvhtml_at( hull, "polygons" ) )
	{
		bvhtml_put( page, ", merged into $k polygons with $k edges", bvhtml_at( hull, "polygons" ),
		            bvhtml_at( hull, "edges" ) );
	}
	bvhtml_put( page, "; its volume is $v$r", bvhtml_at( hull, "volume" ), bvhtml_suffix( page, 3 ) );
	if ( volume > 0 && isfinite( solid ) )
	{
		bvhtml_put( page, ". The mesh fills $p of it", fabs( solid ) / volume );
	}
	bvhtml_put( page, ".</p>\n" );
}

static void put_recognized( const bvhtml_page* page )
{
	static const char* const kinds[] = { "box", "sphere", "capsule", "cylinder" };
	const cJSON* r = bvhtml_at( page->report, "recognised" );
	const char* best = bvhtml_string( r, "best" );
	if ( !bvhtml_at( r, "tolerance" ) )
	{
		return;
	}
	if ( *best )
	{
		bvhtml_put(
			page,
			"<p>The mesh <strong>is a $s</strong> within $v$r (tolerance: $v$r). A $s is faster to query "
			"than any hierarchy.</p>\n",
			best, bvhtml_at( bvhtml_at( r, best ), "error.upper" ), bvhtml_suffix( page, 1 ),
			bvhtml_at( r, "tolerance" ), bvhtml_suffix( page, 1 ), best );
	}
	else
	{
		bvhtml_put( page, "<p>The mesh is not a box, sphere, capsule or cylinder within $v$r.</p>\n",
		            bvhtml_at( r, "tolerance" ), bvhtml_suffix( page, 1 ) );
	}
	bvhtml_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Primitives fitted to the mesh, with certified distances "
		"between the two surfaces, in $r</caption>\n"
		"<thead><tr><th scope=\"col\">Primitive</th><th scope=\"col\">Size and position</th>"
		"<th scope=\"col\" class=\"number\">Mesh to primitive</th><th scope=\"col\" "
		"class=\"number\">Primitive to mesh</th>"
		"<th scope=\"col\" class=\"number\">Larger distance</th></tr></thead>\n<tbody>\n",
		page->unit );
	for ( size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i )
	{
		const cJSON* p = bvhtml_at( r, kinds[i] );
		if ( !p )
		{
			continue;
		}
		bvhtml_put( page, "<tr$r><th scope=\"row\">$r</th><td>",
		            strcmp( best, kinds[i] ) == 0 ? " class=\"best\"" : "", kinds[i] );
		put_size( page, kinds[i], p );
		bvhtml_put( page,
		            "</td><td class=\"number\">$v to $v</td><td class=\"number\">$v to $v</td>"
		            "<td class=\"number\">$v to $v</td></tr>\n",
		            bvhtml_at( p, "from_mesh.lower" ), bvhtml_at( p, "from_mesh.upper" ),
		            bvhtml_at( p, "from_surface.lower" ), bvhtml_at( p, "from_surface.upper" ),
		            bvhtml_at( p, "error.lower" ), bvhtml_at( p, "error.upper" ) );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

void bvhtml_put_volumes( const bvhtml_page* page )
{
	const cJSON* r = page->report;
	if ( !bvhtml_at( r, "bounds.aabb" ) && !bvhtml_at( r, "hull.vertices" ) &&
	     !bvhtml_at( r, "recognised.tolerance" ) )
	{
		return;
	}
	bvhtml_put( page, "<section id=\"volumes\" aria-labelledby=\"volumes-title\">\n"
	                  "<h2 id=\"volumes-title\">Volumes, hull and primitives</h2>\n" );
	put_bounds( page );
	put_hull( page );
	put_recognized( page );
	bvhtml_put( page, "</section>\n" );
}
