// The HTML report's section on a clip: what the hierarchy costs at each of its samples, and the hierarchies that were tried.

#include "offline/report/html/plots.h"
#include "offline/report/html/sections.h"

#include <math.h>

// A link into the 3D view, where it can show the sample.
static void put_link( const bvhtml_page* page, double sample )
{
	if ( bvhtml_true( page->report, "clip.has_frames" ) )
	{
		bvhtml_put( page, " <a class=\"show\" href=\"#view\" data-show=\"frame:$i\">show</a>", sample );
	}
}

static void put_candidates( const bvhtml_page* page, const cJSON* clip )
{
	double chosen = bvhtml_number( clip, "cost" );
	const cJSON* item;
	bvhtml_put(
		page,
		"<div class=\"scroll\"><table>\n<caption>Hierarchies that were tried: the lowest cost, summed over "
		"all "
		"samples, is chosen</caption>\n<thead><tr><th scope=\"col\">Built for sample</th><th scope=\"col\" "
		"class=\"number\">Nodes</th><th scope=\"col\" class=\"number\">Sum of costs</th><th scope=\"col\" "
		"class=\"number\">Relative</th></tr></thead>\n<tbody>\n" );
	cJSON_ArrayForEach( item, bvhtml_at( clip, "candidates" ) )
	{
		double cost = bvhtml_number( item, "cost" );
		bvhtml_put(
			page,
			"<tr><th scope=\"row\">$k$r</th><td class=\"number\">$k</td><td class=\"number\">$v</td><td "
			"class=\"number\">$n</td></tr>\n",
			bvhtml_at( item, "sample" ), bvhtml_true( item, "chosen" ) ? " (chosen)" : "",
			bvhtml_at( item, "nodes" ), bvhtml_at( item, "cost" ), chosen > 0 ? cost / chosen : NAN );
	}
	bvhtml_put( page, "</tbody>\n</table></div>\n" );
}

static void put_boxes( const bvhtml_page* page, const cJSON* clip )
{
	bvhtml_put( page,
	            "<p>Each node has a box that encloses its triangles all the time, between samples too$r. No "
	            "point of the box "
	            "of the root is farther than $v $r from a triangle at the nearest time; for boxes of leaves "
	            "the mean of "
	            "this bound is $v $r. Boxes take $b.</p>\n",
	            bvhtml_number( clip, "segments" ) > 1 ? ", and one for each segment of the time" : "",
	            bvhtml_at( clip, "root_error" ), page->unit, bvhtml_at( clip, "leaf_error" ), page->unit,
	            bvhtml_number( clip, "bytes" ) );
}

void bvhtml_put_clip( const bvhtml_page* page )
{
	const cJSON* clip = bvhtml_at( page->report, "clip" );
	double worst = bvhtml_number( clip, "worst_sample" );
	if ( !bvhtml_at( clip, "samples" ) )
	{
		return;
	}
	bvhtml_put( page,
	            "<section id=\"clip\" aria-labelledby=\"clip-title\">\n<h2 id=\"clip-title\">Clip</h2>\n"
	            "<p>The clip “$s” lasts from $v to $v s. The hierarchy was judged at $k samples$r. The mesh "
	            "is the pose of "
	            "sample $k.</p>\n",
	            bvhtml_string( clip, "name" ), bvhtml_at( clip, "start" ), bvhtml_at( clip, "end" ),
	            bvhtml_at( clip, "samples" ),
	            bvhtml_true( clip, "moves" ) ? "" : "; nothing of the mesh moves",
	            bvhtml_at( clip, "record" ) );
	if ( bvhtml_at( clip, "worst" ) )
	{
		bvhtml_put( page,
		            "<p>With volumes fitted to the pose, a query costs most at sample $c: $v times as much "
		            "as at sample $k.",
		            worst, bvhtml_at( clip, "worst" ), bvhtml_at( clip, "record" ) );
		put_link( page, worst );
		bvhtml_put( page, "</p>\n" );
	}
	bvhtml_plot_clip( page );
	put_candidates( page, clip );
	put_boxes( page, clip );
	bvhtml_put( page, "</section>\n" );
}
