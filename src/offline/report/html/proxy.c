// The HTML report's section on the proxy mesh: how few triangles it has, and how far it is from the mesh.

#include "offline/report/html/sections.h"

#include <math.h>

static void put_distance( const bvhtml_page* page, const char* name, const cJSON* distance )
{
	bvhtml_put( page, "<tr><th scope=\"row\">$r</th><td class=\"number\">$v to $v</td>", name,
	            bvhtml_at( distance, "lower" ), bvhtml_at( distance, "upper" ) );
	if ( isfinite( page->diagonal ) )
	{
		bvhtml_put( page, "<td class=\"number\">$q</td>",
		            bvhtml_number( distance, "upper" ) / page->diagonal );
	}
	bvhtml_put( page, "</tr>\n" );
}

static void put_distances( const bvhtml_page* page, const cJSON* proxy )
{
	bvhtml_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Certified largest distances of the proxy mesh</caption>\n"
		"<thead><tr><th scope=\"col\">Distance</th><th scope=\"col\" class=\"number\">Interval, "
		"$r</th>$r</tr></thead>\n<tbody>\n",
		page->unit,
		isfinite( page->diagonal ) ? "<th scope=\"col\" class=\"number\">Percent of the diagonal</th>" : "" );
	put_distance( page, "Proxy mesh to mesh", bvhtml_at( proxy, "from_proxy" ) );
	put_distance( page, "Mesh to proxy mesh", bvhtml_at( proxy, "from_mesh" ) );
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

void bvhtml_put_proxy( const bvhtml_page* page )
{
	const cJSON* proxy = bvhtml_at( page->report, "proxy" );
	double triangles = bvhtml_number( proxy, "triangles" );
	double all = bvhtml_number( page->report, "mesh.triangles" );
	double enclosed = bvhtml_number( proxy, "enclosed" );
	if ( !bvhtml_at( proxy, "triangles" ) )
	{
		return;
	}
	bvhtml_put(
		page,
		"<section id=\"proxy\" aria-labelledby=\"proxy-title\">\n<h2 id=\"proxy-title\">Proxy mesh</h2>\n"
		"<p>The proxy mesh has $k triangle$r and $k vertices, $p of the triangles of the mesh. Its tolerance "
		"is "
		"$v $r. ",
		bvhtml_at( proxy, "triangles" ), triangles == 1 ? "" : "s", bvhtml_at( proxy, "vertices" ),
		triangles / all, bvhtml_at( proxy, "tolerance" ), page->unit );
	if ( enclosed >= all )
	{
		bvhtml_put( page, "It is proved to enclose the whole mesh: $k triangles.",
		            bvhtml_at( proxy, "enclosed" ) );
	}
	else
	{
		bvhtml_put( page, "It is proved to enclose $k of the $c triangles of the mesh$r.",
		            bvhtml_at( proxy, "enclosed" ), all,
		            bvhtml_true( page->report, "mesh.closed" ) ? ""
		                                                       : "; only a closed mesh can be enclosed" );
	}
	bvhtml_put( page, " <a class=\"show\" href=\"#view\" data-show=\"proxy:all\">show</a></p>\n" );
	put_distances( page, proxy );
	bvhtml_put( page, "</section>\n" );
}
