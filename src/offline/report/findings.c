// Findings about a file: problems, notes and good properties, as sentences with advice. They are the report's
// key `findings`; formats/report/README.md lists all of them.
//
// A problem should be fixed; a note is worth knowing. Each rule checks one property and adds at most one
// finding. Thresholds are at the limit of ordinary values on the meshes that were used to choose the presets.
// They decide which findings appear, not whether a file is valid.

#include "offline/report/advice.h"
#include "offline/report/json.h"
#include "offline/report/pieces.h"

#include "bvbuild/asset.h"
#include "bvbuild/fit.h"
#include "bvbuild/recognize.h"
#include "offline/base/number.h"
#include "offline/report/unit.h"
#include "runtime/file/local.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum severity
{
	bad,
	note,
	good,
	severities,
} severity;

// What rules look at, and where they write.
typedef struct context
{
	bvreport_json_writer* w;
	cJSON* lists[severities];
	const bv_file* file;
	bv_mesh_info mesh;
	bv_hierarchy_info tree;
	bv_decomposition_info parts;
	double diagonal; // of the mesh's box; 0 where it is not known
	const bvreport_json_measures* measures;
} context;

enum
{
	text_bytes = 400,
	show_bytes = 32,
};

// Something found: severity, key, and where to look at it.
typedef struct report_finding
{
	severity severity;
	const char* key;
	const char* advice; // null where there is nothing to do
	char show[show_bytes];
} report_finding;

__attribute__( ( format( printf, 3, 4 ) ) ) static void add( context* c, const report_finding* f,
                                                             const char* format, ... )
{
	char text[text_bytes];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );

	static const char* const names[severities] = { "bad", "note", "good" };
	cJSON* item = bvreport_json_append( c->w, c->lists[f->severity], cJSON_CreateObject() );
	bvreport_json_put_string( c->w, item, "severity", names[f->severity] );
	bvreport_json_put_string( c->w, item, "key", f->key );
	bvreport_json_put_string( c->w, item, "text", text );
	bvreport_json_put_string_or_null( c->w, item, "advice", f->advice );
	bvreport_json_put_string_or_null( c->w, item, "show", f->show[0] ? f->show : NULL );
}

static bvbase_short_number number( double value )
{
	return bvbase_shorten( value, 3 );
}

// A length as text, as a value.
typedef struct words
{
	char text[160];
} words;

// An upper bound of a length, and what it is of the diagonal.
static words length_of( const context* c, double length )
{
	words out;
	bvbase_short_number absolute = number( bvbase_round_up( length, 3 ) );
	bvreport_unit_suffix unit = bvreport_suffix_unit( c->file, 1 );
	if ( c->diagonal > 0 )
	{
		snprintf( out.text, sizeof out.text, "%s%s (%s %% of the diagonal)", absolute.text, unit.text,
		          number( bvbase_round_up( 100 * length / c->diagonal, 3 ) ).text );
	}
	else
	{
		snprintf( out.text, sizeof out.text, "%s%s", absolute.text, unit.text );
	}
	return out;
}

// The mesh.

static void tell_of_direction( context* c )
{
	bv_mass mass;
	bvreport_pieces pieces;
	if ( bvreport_count_pieces( c->file, c->w->arena, &pieces ) != bv_ok )
	{
		c->w->failed = true;
	}
	else if ( pieces.inward > 0 )
	{
		report_finding f = { bad, "mesh.inside_out", "reverse the winding of these pieces in the source",
			                 "" };
		add( c, &f, "%u of %u separate pieces of the mesh face%s inward: %s subtracted.", pieces.inward,
		     pieces.inward + pieces.outward, pieces.inward == 1 ? "s" : "",
		     pieces.inward == 1 ? "its volume is" : "their volumes are" );
	}
	else if ( bvfile_local_mass( c->file, bv_mass_of_solid, &mass ) && mass.mass < 0 )
	{
		report_finding f = { bad, "mesh.inside_out", "reverse the winding of all triangles in the source",
			                 "" };
		add( c, &f, "The surface faces inward: the enclosed volume is negative (%s).",
		     number( mass.mass ).text );
	}
}

static void tell_of_coordinates( context* c )
{
	if ( c->mesh.removed_non_finite > 0 )
	{
		report_finding f = { bad, "mesh.not_finite", "fix the source: part of the surface may be missing",
			                 "" };
		add( c, &f, "%s triangle%s with NaN or infinite coordinates %s dropped.",
		     bvbase_group( c->mesh.removed_non_finite ).text, bvbase_plural( c->mesh.removed_non_finite ),
		     c->mesh.removed_non_finite == 1 ? "was" : "were" );
	}
}

// What the import left out: how much, and the first of it.
static void tell_of_skipped( context* c )
{
	bv_text value;
	bv_text name = { BVB_SKIPPED_PARAMETER, strlen( BVB_SKIPPED_PARAMETER ) };
	const char* space = bvb_find_parameter( bv_file_get_origin( c->file ).parameters, name, &value )
	                        ? memchr( value.data, ' ', value.length )
	                        : NULL;
	double count;
	if ( space && bvbase_read_number( value.data, space, &count ) == space && count > 0 && count < 0x1p63 )
	{
		report_finding f = { bad, "mesh.skipped", "fix the source: part of the surface may be missing", "" };
		add( c, &f, "Reading the source gave %s warning%s about missing geometry (first: %.*s).",
		     bvbase_group( (uint64_t)count ).text, bvbase_plural( (uint64_t)count ),
		     (int)( value.data + value.length - space - 1 ), space + 1 );
	}
}

static void tell_of_soundness( context* c )
{
	const bv_mesh_info* m = &c->mesh;
	if ( m->closed && m->manifold && m->oriented && m->double_sided == 0 )
	{
		report_finding f = { good, "mesh.sound", NULL, "" };
		add( c, &f, "The mesh is closed, manifold and consistently oriented." );
	}
}

// A kind of edge that a sound solid has none of.
static void tell_of_edges( context* c, bv_edge_kind kind, const char* key, const char* show, const char* what,
                           const char* advice )
{
	const double too_many = 0.1; // of all
	uint64_t edges = c->mesh.edges_of_kind[kind];
	if ( edges > 0 )
	{
		bool many = kind != bv_edge_boundary && (double)edges > too_many * c->mesh.edges;
		report_finding f = { many ? bad : note, key, advice, "" };
		snprintf( f.show, sizeof f.show, "edges:%s", show );
		add( c, &f, "%s of %s edges %s.", bvbase_group( edges ).text, bvbase_group( c->mesh.edges ).text,
		     what );
	}
}

// Two pieces of surface that have a vertex in common and no edge.
static void tell_of_pinches( context* c )
{
	const uint32_t* kind = c->mesh.edges_of_kind;
	if ( !c->mesh.manifold && kind[bv_edge_flipped] + kind[bv_edge_non_manifold] == 0 )
	{
		report_finding f = { note, "mesh.pinched", "separate them in the source if this is unintended", "" };
		add( c, &f, "Some vertices join pieces of the surface that share no edge." );
	}
}

static void tell_of_all_edges( context* c )
{
	tell_of_edges( c, bv_edge_boundary, "mesh.open", "boundary",
	               "belong to only one triangle: the mesh has holes or is an open sheet",
	               "close the surface in the source if it is meant to be solid" );
	tell_of_edges( c, bv_edge_flipped, "mesh.flipped", "flipped", "join two triangles with opposite winding",
	               "make the winding consistent in the source" );
	tell_of_edges( c, bv_edge_non_manifold, "mesh.non_manifold", "non_manifold",
	               "belong to three or more triangles",
	               "separate pieces that only touch, or remove inner walls, in the source" );
}

static void tell_of_dropped( context* c )
{
	uint64_t dropped = c->mesh.removed_degenerate + c->mesh.removed_duplicate;
	if ( dropped > 0 )
	{
		bool many = 10 * dropped > dropped + c->mesh.triangles;
		bool copies = c->mesh.removed_duplicate >= c->mesh.removed_degenerate;
		bool welded = bvreport_advice_parameter( c->file, "weld", 0 ) > 0;
		bool quantized = bvreport_advice_has_parameter( c->file, "positions", "quantized" );
		report_finding f = { many ? bad : note, "mesh.dropped", NULL, "" };
		f.advice = !many       ? NULL
		           : copies    ? "remove the copies in the source"
		           : welded    ? "use a smaller --weld, or remove triangles without an area in the source"
		           : quantized ? "use --positions float, or remove triangles without an area in the source"
		                       : "remove triangles without an area in the source";
		add( c, &f, "%s triangle%s of the source %s dropped: %s degenerate, %s duplicate.",
		     bvbase_group( dropped ).text, bvbase_plural( dropped ), dropped == 1 ? "was" : "were",
		     bvbase_group( c->mesh.removed_degenerate ).text,
		     bvbase_group( c->mesh.removed_duplicate ).text );
	}
	if ( c->mesh.double_sided > 0 )
	{
		report_finding f = { note, "mesh.double_sided",
			                 "keep one side in the source: that is enough for collisions", "" };
		add( c, &f, "%s pair%s of triangles have the same vertices and opposite winding.",
		     bvbase_group( c->mesh.double_sided ).text, bvbase_plural( c->mesh.double_sided ) );
	}
}

// Objects that are much farther apart than they are large have one offset, and lose digits that are no part
// of the diagonal. What they lose is compared with the side of a typical triangle: of equal squares with the
// same area, each cut into two.
static void tell_of_details( context* c )
{
	const double wrong = 0.01; // of that side
	double weld = bvreport_advice_parameter( c->file, "weld", 0 );
	double side = c->mesh.triangles > 0 ? sqrt( 2 * c->mesh.area / c->mesh.triangles ) : 0;
	bool unknown = weld > 0 && bvreport_advice_has_parameter( c->file, "normalize", "1" );
	if ( side > 0 && !unknown && c->mesh.largest_displacement - weld > wrong * side )
	{
		report_finding f = { bad, "mesh.coarse", NULL, "" };
		f.advice = bvreport_advice_has_parameter( c->file, "positions", "quantized" )
		               ? "use --positions float, or make one file per object of the source"
		               : "make one file per object of the source, or cut it into tiles";
		add(
			c, &f,
			"The mesh is too large for its details: vertices were moved by up to %s%s, and a typical side of "
			"a triangle is %s%s.",
			number( bvbase_round_up( c->mesh.largest_displacement, 3 ) ).text,
			bvreport_suffix_unit( c->file, 1 ).text, number( side ).text,
			bvreport_suffix_unit( c->file, 1 ).text );
	}
}

static void tell_of_displacement( context* c )
{
	const double noticeable = 1e-4; // of the diagonal
	const double wrong = 1e-3;
	if ( c->mesh.largest_displacement > noticeable * c->diagonal && c->diagonal > 0 )
	{
		double weld = bvreport_advice_parameter( c->file, "weld", 0 );
		bool normalized = bvreport_advice_has_parameter( c->file, "normalize", "1" );
		bool bound = weld > 0 && ( normalized || c->mesh.largest_displacement < 2 * weld );
		report_finding f = {
			c->mesh.largest_displacement > wrong * c->diagonal ? bad : note, "mesh.displaced",
			bound ? "use a smaller --weld"
			: bvreport_advice_has_parameter( c->file, "positions", "quantized" )
				? "use --positions float"
				: "build the file again: since format 1.4 meshes far from the origin keep their shape",
			""
		};
		add( c, &f, "Vertices were moved by up to %s.", length_of( c, c->mesh.largest_displacement ).text );
	}
}

// What it is like.

static void tell_of_primitive( context* c )
{
	bv_recognized r;
	bv_primitive p;
	if ( bv_file_get_recognized( c->file, &r ) && r.best < bv_primitive_kinds &&
	     bvfile_local_primitive( c->file, r.best, &p ) )
	{
		report_finding f = { good, "shape.recognised",
			                 "use this primitive instead of the hierarchy: it is the fastest to query", "" };
		add( c, &f, "The mesh is a %s within %s.", bvb_primitive_name( r.best ),
		     length_of( c, p.error.upper ).text );
	}
}

static void tell_of_body( context* c )
{
	bv_body body;
	if ( bvfile_local_body( c->file, &body ) && body.of == bv_mass_of_hull )
	{
		report_finding f = { note, "body.hull",
			                 c->mesh.closed
			                     ? "make all pieces face outward in the source, except cavities"
			                     : "close the surface in the source to get the mass of the mesh itself",
			                 "" };
		add( c, &f, "The mass is that of the convex hull, because %s.",
		     c->mesh.closed ? "the volumes that the mesh encloses cancel each other"
		                    : "the mesh encloses no volume" );
	}
}

static void tell_of_hull( context* c )
{
	const double overlapping = 0.999;
	const double convex = 1.01;
	const double hollow = 1.25;
	bv_mass solid;
	double hull = bv_file_get_hull( c->file ).volume;
	if ( hull <= 0 || !bvfile_local_mass( c->file, bv_mass_of_solid, &solid ) || solid.mass <= 0 )
	{
		return;
	}
	double ratio = hull / solid.mass;
	double more = 100 * fabs( ratio - 1 );
	if ( ratio < overlapping )
	{
		report_finding f = { note, "mesh.overlapping", "merge the pieces into one surface in the source",
			                 "" };
		add( c, &f,
		     "Pieces of the mesh overlap: they enclose %s %% more volume than the hull, because overlaps are "
		     "counted more than once.",
		     number( 100 * ( 1 / ratio - 1 ) ).text );
	}
	else if ( ratio <= convex && c->mesh.components == 1 )
	{
		report_finding f = { good, "hull.convex", "use the hull alone for moving objects", "" };
		add( c, &f, "The mesh is almost convex: its hull has only %s %% more volume.", number( more ).text );
	}
	else if ( ratio >= hollow && c->parts.parts == 0 )
	{
		report_finding f = { note, "hull.hollow", "make convex parts for moving objects: --decompose", "" };
		add( c, &f, "The hull has %s %% more volume than the mesh, so it fills hollow regions.",
		     number( more ).text );
	}
}

// The hierarchy.

typedef struct findings_extremes
{
	bv_node_info largest_leaf;
	bv_node_info worst_leaf; // by solid error
	double leaf_errors;      // their sum
} findings_extremes;

static bool find_extremes( void* to, const bv_node_info* node )
{
	findings_extremes* e = to;
	if ( node->children > 0 )
	{
		return true;
	}
	e->largest_leaf = node->triangles > e->largest_leaf.triangles ? *node : e->largest_leaf;
	e->worst_leaf =
		node->solid_upper > e->worst_leaf.solid_upper || e->worst_leaf.triangles == 0 ? *node : e->worst_leaf;
	e->leaf_errors += node->solid_upper;
	return true;
}

// The hierarchy that costs are compared with; empty if the file has it.
static bvreport_advice advise_yardstick( const context* c )
{
	return bvreport_advise_preset( c->file, bvb_yardstick_options_default().preset, c->w->arena );
}

// A leaf above what was allowed is there because nothing could separate its triangles, or because the tree
// ended there.
static void tell_of_large_leaf( context* c, const bv_node_info* leaf )
{
	double asked = bvreport_advice_parameter( c->file, "leaf-triangles", 0 );
	double most = bvreport_advice_parameter( c->file, "max-depth", BV_MAX_DEPTH );
	if ( asked == 0 || leaf->triangles <= asked )
	{
		return;
	}
	bool limited = most < BV_MAX_DEPTH || c->tree.depth == BV_MAX_DEPTH;
	report_finding f = { bad, limited ? "hierarchy.depth_limit" : "hierarchy.large_leaf", NULL, "" };
	bvreport_advice other = advise_yardstick( c );
	f.advice = most < BV_MAX_DEPTH ? "use --max-depth 64"
	           : *other.text       ? other.text
	                               : "look for triangles on top of each other in the source";
	snprintf( f.show, sizeof f.show, "node:%u", leaf->index );
	const char* why = "they could not be separated";
	char deeper[256];
	if ( limited )
	{
		snprintf( deeper, sizeof deeper, "the depth limit is %s levels", number( most ).text );
		why = deeper;
	}
	add( c, &f, "A leaf has %s triangles instead of at most %s, and queries test them all: %s.",
	     bvbase_group( leaf->triangles ).text, number( asked ).text, why );
}

static void tell_of_worst_leaf( context* c, const findings_extremes* e )
{
	const double noticeable = 0.02; // of the diagonal
	const double above_mean = 10;
	double mean = e->leaf_errors / c->tree.leaves;
	double worst = e->worst_leaf.solid_upper;
	if ( e->worst_leaf.has_errors && c->diagonal > 0 && worst > noticeable * c->diagonal &&
	     worst > above_mean * mean )
	{
		report_finding f = { note, "hierarchy.worst_leaf",
			                 "use --leaf-triangles 1, or subdivide its long triangles in the source", "" };
		f.advice = e->worst_leaf.triangles == 1 ? "subdivide long triangles in the source" : f.advice;
		snprintf( f.show, sizeof f.show, "node:%u", e->worst_leaf.index );
		add( c, &f,
		     "The volume of leaf %u extends up to %s beyond its %s triangle%s, %s times the mean of all "
		     "leaves.",
		     e->worst_leaf.index, length_of( c, worst ).text, bvbase_group( e->worst_leaf.triangles ).text,
		     bvbase_plural( e->worst_leaf.triangles ), number( worst / mean ).text );
	}
}

// How deep a binary tree must be.
static uint32_t least_depth( uint32_t leaves )
{
	uint32_t depth = 0;
	for ( uint64_t reached = 1; reached < leaves; reached *= 2 )
	{
		++depth;
	}
	return depth;
}

static void tell_of_depth( context* c )
{
	uint32_t depth = c->tree.depth;
	uint32_t least = least_depth( c->tree.leaves );
	if ( depth > 3 * least + 4 )
	{
		bvreport_advice other = advise_yardstick( c );
		report_finding f = { note, "hierarchy.deep", *other.text ? other.text : NULL, "" };
		snprintf( f.show, sizeof f.show, "level:%u", depth );
		add( c, &f, "The tree is %u levels deep; %u levels would be enough for its %s leaves.", depth, least,
		     bvbase_group( c->tree.leaves ).text );
	}
}

// The largest means of trees that presets build of the meshes they were chosen by, with some room: 0.09 and
// 1.07.
static const double ordinary_overlap = 0.12;
static const double ordinary_fit = 1.1;

static bool is_overlap_known( const context* c )
{
	return c->measures->overlaps && c->measures->overlaps->all.measured > 0;
}

static bool is_fit_known( const context* c )
{
	return c->measures->fits && c->measures->fits->all.measured > 0;
}

// Presets' hierarchies of the meshes that they were chosen by cost at most 3.3 times the yardstick's, median
// splits 3.2 to 28 times.
static const double ordinary_cost = 1.25;
static const double dear = 3.5;
static const double cheap = 0.9;

static void tell_of_overlap( context* c )
{
	if ( is_overlap_known( c ) && c->measures->overlaps->all.mean > ordinary_overlap )
	{
		const bvb_overlap* o = &c->measures->overlaps->all;
		double ratio = bvreport_json_yardstick_ratio( c->measures );
		bool own = ratio == 0 || ratio > ordinary_cost;
		bool best = !*bvreport_advise_preset( c->file, "best", c->w->arena ).text;
		bvreport_advice other = advise_yardstick( c );
		report_finding f = { own ? bad : note, "hierarchy.overlap",
			                 own && *other.text ? other.text
			                 : best             ? "subdivide long triangles in the source"
			                        : "subdivide long triangles in the source, or try --preset best",
			                 "" };
		snprintf( f.show, sizeof f.show, "node:%u", o->worst[0] );
		add( c, &f,
		     "Siblings overlap by %s %% of their volume on average, so queries visit several of them; "
		     "below %s %% is normal.",
		     number( 100 * o->mean ).text, number( 100 * ordinary_overlap ).text );
	}
}

static void tell_of_fit( context* c )
{
	if ( is_fit_known( c ) && c->measures->fits->all.area.mean > ordinary_fit )
	{
		const bvb_ratio* area = &c->measures->fits->all.area;
		bool refined = bvreport_advice_has_parameter( c->file, "refit", "refined-area" ) ||
		               bvreport_advice_has_parameter( c->file, "node-box", "refined-area" );
		report_finding f = { note, "hierarchy.loose",
			                 c->tree.of_type[bv_volume_obb] == 0 ? "use --volume obb"
			                 : refined                           ? NULL
			                                                     : "use --refit refined-area",
			                 "" };
		snprintf( f.show, sizeof f.show, "node:%u", area->worst );
		add( c, &f,
		     "Volumes have %s times the smallest possible surface area on average; "
		     "below %s is normal.",
		     number( area->mean ).text, number( ordinary_fit ).text );
	}
}

static void tell_of_cost( context* c )
{
	const char* preset = bvb_yardstick_options_default().preset;
	double ratio = bvreport_json_yardstick_ratio( c->measures );
	bool high = ratio > ordinary_cost;
	if ( high || ( ratio > 0 && ratio < cheap ) )
	{
		bvreport_advice other = advise_yardstick( c );
		report_finding f = { ratio > dear ? bad
			                 : high       ? note
			                              : good,
			                 high ? "hierarchy.cost" : "hierarchy.cheap",
			                 high && *other.text ? other.text : NULL, "" };
		add( c, &f, "Queries near contact cost %s times as much as in the hierarchy of --preset %s.",
		     number( ratio ).text, preset );
	}
}

// Queries that a preset's hierarchy answers are its own fault, others that of the mesh.
static void tell_of_given_up( context* c )
{
	const bvb_contact* contact = c->measures->contact;
	const bvb_yardstick* y = c->measures->yardstick;
	if ( !contact || contact->given_up == 0 )
	{
		return;
	}
	const char* preset = bvb_yardstick_options_default().preset;
	bool own = y && y->contact.given_up < contact->given_up;
	bvreport_advice other = advise_yardstick( c );
	report_finding f = { own ? bad : note, "hierarchy.given_up",
		                 own && *other.text ? other.text
		                                    : "look for triangles on top of each other in the source",
		                 "" };
	uint32_t draws = contact->given_up + contact->draws;
	if ( own )
	{
		add( c, &f,
		     "%u of %u queries near contact were abandoned because they took too long; with --preset %s it "
		     "is %u.",
		     contact->given_up, draws, preset, y->contact.given_up );
	}
	else
	{
		add( c, &f, "%u of %u queries near contact were abandoned because they took too long; %s.",
		     contact->given_up, draws,
		     contact->draws > 0 ? "the cost is the average of the others" : "the cost is unknown" );
	}
}

// What part of a query's cost near contact goes into triangles.
static void tell_of_triangle_tests( context* c )
{
	const double most = 0.7;
	const bvb_contact* contact = c->measures->contact;
	if ( !contact || contact->all.poses == 0 || contact->all.cost <= 0 )
	{
		return;
	}
	double share = contact->all.triangle_tests * c->tree.costs.triangles / contact->all.cost;
	if ( share > most && c->tree.leaves > 1 )
	{
		bool limited = bvreport_advice_parameter( c->file, "max-depth", BV_MAX_DEPTH ) <= c->tree.depth;
		double most_triangles = bvreport_advice_parameter( c->file, "leaf-triangles", 1 );
		char advice[64];
		snprintf( advice, sizeof advice, "use --leaf-triangles %d", (int)( most_triangles / 4 ) + 1 );
		report_finding f = { note, "hierarchy.triangle_tests",
			                 limited              ? "use --max-depth 64"
			                 : most_triangles > 1 ? advice
			                                      : NULL,
			                 "" };
		add( c, &f, "Triangle tests are %s %% of the cost of queries near contact.",
		     number( 100 * share ).text );
	}
}

static void tell_of_good_tree( context* c )
{
	if ( is_overlap_known( c ) && is_fit_known( c ) && c->measures->overlaps->all.mean <= ordinary_overlap &&
	     c->measures->fits->all.area.mean <= ordinary_fit )
	{
		report_finding f = { good, "hierarchy.tight", NULL, "" };
		add(
			c, &f,
			"The volumes fit tightly: on average siblings overlap by %s %% of their volume, and volumes have "
			"%s times the smallest possible surface area.",
			number( 100 * c->measures->overlaps->all.mean ).text,
			number( c->measures->fits->all.area.mean ).text );
	}
}

static void tell_of_errors( context* c )
{
	bv_file_errors errors;
	if ( !bv_file_get_errors( c->file, &errors ) )
	{
		bool left_out = bvreport_advice_parameter( c->file, "hausdorff", 0 ) > 0;
		char advice[300];
		snprintf( advice, sizeof advice, "certify the errors: %s",
		          left_out ? bvreport_advise_section( c->file, "errors" ).text : "--hausdorff 0.1" );
		report_finding f = { note, "hierarchy.no_errors", advice, "" };
		add( c, &f, "The file has no certified errors of its volumes." );
	}
}

static void tell_of_hierarchy( context* c )
{
	if ( c->tree.nodes == 0 )
	{
		return;
	}
	findings_extremes e = { 0 };
	bvfile_local_visit_nodes( c->file, find_extremes, &e );
	tell_of_large_leaf( c, &e.largest_leaf );
	tell_of_depth( c );
	tell_of_cost( c );
	tell_of_given_up( c );
	tell_of_worst_leaf( c, &e );
	tell_of_overlap( c );
	tell_of_fit( c );
	tell_of_triangle_tests( c );
	tell_of_good_tree( c );
	tell_of_errors( c );
}

// Convex parts.

// The part that certainly stands off farthest, and how many others may as much.
static uint32_t find_worst_part( const context* c, bv_part* worst, uint32_t* rivals )
{
	uint32_t index = 0;
	bv_part part;
	bvfile_local_part( c->file, 0, worst );
	for ( uint32_t i = 1; i < c->parts.parts; ++i )
	{
		bvfile_local_part( c->file, i, &part );
		if ( part.concavity.lower > worst->concavity.lower )
		{
			index = i;
			*worst = part;
		}
	}
	*rivals = 0;
	for ( uint32_t i = 0; i < c->parts.parts; ++i )
	{
		bvfile_local_part( c->file, i, &part );
		*rivals += i != index && part.concavity.upper > worst->concavity.lower;
	}
	return index;
}

static void tell_of_worst_part( context* c, report_finding* f, uint32_t index, const bv_part* part,
                                uint32_t rivals )
{
	bvbase_short_number lower = number( bvbase_round_down( part->concavity.lower, 3 ) );
	words upper = length_of( c, part->concavity.upper );
	if ( rivals == 0 )
	{
		add( c, f, "Of %u convex parts, part %u has the largest stand-off: %s to %s.", c->parts.parts, index,
		     lower.text, upper.text );
	}
	else
	{
		add( c, f,
		     "Of %u convex parts, part %u has one of the largest stand-offs: %s to %s. It may be exceeded by "
		     "%u "
		     "other part%s.",
		     c->parts.parts, index, lower.text, upper.text, rivals, bvbase_plural( rivals ) );
	}
}

// The limits that forbid a smaller stand-off. A search that was stopped did not come to them.
static words limits_as_text( const bv_decomposition_info* d, const bvreport_part_limits* limits )
{
	words out = { "" };
	bool parts = limits->max_parts > 0 && !d->out_of_time;
	bool vertices = limits->max_vertices > 0 && !d->out_of_time;
	if ( parts && vertices )
	{
		snprintf( out.text, sizeof out.text, " It is limited by --max-parts %u and --max-part-vertices %u.",
		          limits->max_parts, limits->max_vertices );
	}
	else if ( parts || vertices )
	{
		snprintf( out.text, sizeof out.text, " It is limited by --max-part%s %u.", parts ? "s" : "-vertices",
		          parts ? limits->max_parts : limits->max_vertices );
	}
	return out;
}

// Measuring ends when an interval is narrower than this, or when it takes too long.
static bool is_uncertain( const bv_interval* stand_off, double tolerance )
{
	static const double little = 1.05;
	static const double wide = 1.6;
	return stand_off->upper > little * tolerance && stand_off->upper > wide * stand_off->lower;
}

static void tell_of_parts( context* c )
{
	const bv_decomposition_info* d = &c->parts;
	if ( d->parts == 0 )
	{
		return;
	}
	bv_part part;
	uint32_t rivals;
	uint32_t worst = find_worst_part( c, &part, &rivals );
	bool kept = d->tolerance > 0 && d->concavity.upper <= d->tolerance;
	report_finding f = { kept ? good : note, "parts.worst", NULL, "" };
	snprintf( f.show, sizeof f.show, "part:%u", worst );
	if ( d->tolerance > 0 && d->concavity.lower > d->tolerance )
	{
		f.severity = bad;
		f.key = "parts.tolerance";
		bvreport_part_limits limits = bvreport_find_part_limits( c->file, worst );
		bvreport_advice other = bvreport_advise_parts( c->file, worst, limits );
		f.advice = other.text;
		add( c, &f, "Part %u has a stand-off of %s to %s, above the tolerance of %s.%s", worst,
		     number( bvbase_round_down( part.concavity.lower, 3 ) ).text,
		     length_of( c, part.concavity.upper ).text, number( d->tolerance ).text,
		     limits_as_text( d, &limits ).text );
	}
	else if ( d->tolerance > 0 && is_uncertain( &part.concavity, d->tolerance ) )
	{
		f.severity = bad;
		f.key = "parts.uncertain";
		f.advice =
			d->out_of_time ? "use --time-budget 0, which is no limit" : "close the open edges in the source";
		add( c, &f,
		     "Part %u has a stand-off of %s to %s, not certified to be within the tolerance of %s: measuring "
		     "was ended early.",
		     worst, number( bvbase_round_down( part.concavity.lower, 3 ) ).text,
		     length_of( c, part.concavity.upper ).text, number( d->tolerance ).text );
	}
	else if ( d->parts > 1 )
	{
		tell_of_worst_part( c, &f, worst, &part, rivals );
	}
}

static void tell_of_search( context* c )
{
	if ( c->parts.parts > 0 && c->parts.out_of_time )
	{
		report_finding f = { note, "parts.out_of_time", "use --time-budget 0, which is no limit", "" };
		add( c, &f, "The search for convex parts stopped at the time limit." );
	}
}

// The clip.

// The sample at which fitting the hierarchy is worst compared with building one, of those for which one was built.
static void find_worst_fit( const context* c, const bv_clip* clip, double* worst, bv_clip_sample* at )
{
	bv_clip_sample s;
	*worst = 0;
	for ( uint32_t i = 0; i < clip->samples; ++i )
	{
		bv_file_get_clip_sample( c->file, i, &s );
		if ( s.rebuilt > 0 && s.cost > *worst * s.rebuilt )
		{
			*worst = s.cost / s.rebuilt;
			*at = s;
		}
	}
}

static void tell_of_clip( context* c )
{
	const double little = 1.1; // as little as the costs of builders differ
	bv_clip clip;
	bv_clip_sample at = { .time = 0 };
	double worst;
	if ( !bv_file_get_clip( c->file, &clip ) )
	{
		return;
	}
	if ( !clip.moves )
	{
		report_finding f = { bad, "clip.still", "name another clip, or select objects that move", "" };
		add( c, &f, "The clip '%.*s' moves nothing of the mesh.", (int)clip.name.length, clip.name.data );
		return;
	}
	find_worst_fit( c, &clip, &worst, &at );
	report_finding f = { worst > little ? note : good, "clip.fit", NULL, "" };
	if ( worst > 0 )
	{
		add( c, &f,
		     "Fitted to poses of the clip, the hierarchy costs at most %s times as much as one built for the "
		     "pose, at %s s.",
		     number( worst ).text, number( at.time ).text );
	}
}

// The file.

static void tell_of_size( context* c )
{
	const double large = 40;      // bytes a triangle; the default sections take some 15 to 20
	const uint32_t enough = 1000; // triangles, so that what every file has counts little
	bv_file_info info = bv_file_get_info( c->file );
	double each = (double)info.bytes / c->mesh.triangles;
	if ( c->mesh.triangles < enough || each <= large )
	{
		return;
	}
	bv_section_info largest = bv_file_get_section( c->file, 0 );
	for ( uint32_t i = 1; i < info.section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( c->file, i );
		largest = section.bytes > largest.bytes ? section : largest;
	}
	bvreport_advice smaller = bvreport_advise_size( c->file, &largest );
	report_finding f = { note, "file.large", smaller.text, "" };
	add( c, &f, "The file has %s bytes per triangle; %s %% of that is the section %s.", number( each ).text,
	     number( 100 * (double)largest.bytes / (double)info.bytes ).text, largest.name );
}

typedef void findings_rule( context* c );

// Of one severity in this order.
static findings_rule* const rules[] = {
	tell_of_skipped,      tell_of_coordinates, tell_of_soundness, tell_of_direction, tell_of_hierarchy,
	tell_of_parts,        tell_of_search,      tell_of_all_edges, tell_of_pinches,   tell_of_dropped,
	tell_of_displacement, tell_of_details,     tell_of_hull,      tell_of_primitive, tell_of_clip,
	tell_of_size,         tell_of_body,
};

static bool take_diagonal( void* to, const bv_node_info* node )
{
	*(double*)to = bvb_diameter_of( &node->volume );
	return false;
}

// Of the mesh's box; without bounds, of the root's volume.
static double find_diagonal( const bv_file* file )
{
	bv_file_bounds bounds;
	double diagonal = 0;
	if ( bvfile_local_bounds( file, &bounds ) )
	{
		return bvb_diameter_of( &( bv_volume ){ .type = bv_volume_aabb, .aabb = bounds.aabb } );
	}
	bvfile_local_visit_nodes( file, take_diagonal, &diagonal );
	return diagonal;
}

void bvreport_json_put_findings( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                                 const bvreport_json_measures* measures )
{
	context c = {
		.w = w,
		.file = file,
		.mesh = bv_file_get_mesh( file ),
		.tree = bv_file_get_hierarchy( file ),
		.parts = bv_file_get_decomposition( file ),
		.diagonal = find_diagonal( file ),
		.measures = measures,
	};
	for ( int i = 0; i < severities; ++i )
	{
		c.lists[i] = bvreport_json_checked( w, cJSON_CreateArray() );
	}
	for ( size_t i = 0; i < sizeof rules / sizeof *rules; ++i )
	{
		rules[i]( &c );
	}
	bvreport_json_put_count( w, report, "problems", (uint64_t)cJSON_GetArraySize( c.lists[bad] ) );
	cJSON* all = bvreport_json_put_array( w, report, "findings" );
	for ( int i = 0; i < severities; ++i )
	{
		cJSON* item;
		while ( ( item = cJSON_DetachItemFromArray( c.lists[i], 0 ) ) )
		{
			bvreport_json_append( w, all, item );
		}
		cJSON_Delete( c.lists[i] );
	}
}
