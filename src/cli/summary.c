// The summary of a file, on one screen. See summary.h.

#include "cli/summary.h"

#include "bvbuild/assess.h"
#include "bvbuild/asset.h"
#include "bvbuild/fit.h"
#include "bvbuild/recognize.h"
#include "bvbuild/report.h"
#include "cli/terminal.h"
#include "offline/base/number.h"
#include "offline/report/unit.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	margin = 13,            // where what a row says begins
	most_levels = 7,        // rows of the picture
	most_findings = 3,      // unless more are bad; --findings prints all
	most_finding_lines = 4, // after which no other begins
	most_options = 6,       // in which it differs from a preset
	below_levels = 10,      // lines below the picture
};

static double segment_length( const bv_vec3 ends[2] )
{
	double x = ends[1].x - ends[0].x;
	double y = ends[1].y - ends[0].y;
	double z = ends[1].z - ends[0].z;
	return sqrt( x * x + y * y + z * z );
}

static bool is_equal( bv_text a, bv_text b )
{
	return a.length == b.length && memcmp( a.data, b.data, a.length ) == 0;
}

static bool is_side_file( bv_text name )
{
	static const char key[] = "side-file:";
	return name.length >= sizeof key - 1 && memcmp( name.data, key, sizeof key - 1 ) == 0;
}

static bool is_skipped( bv_text name )
{
	return is_equal( name, ( bv_text ){ BVB_SKIPPED_PARAMETER, sizeof BVB_SKIPPED_PARAMETER - 1 } );
}

static int count_side_files( bv_text parameters )
{
	int count = 0;
	bv_text name;
	bv_text value;
	while ( bvb_next_parameter( &parameters, &name, &value ) )
	{
		count += is_side_file( name );
	}
	return count;
}

// Counts the parameters of `a` that `b` does not have, or whose names it does not have, and prints them where
// there is a page.
// @param printed  how many were before
static int list_differences( bv_text a, bv_text b, bool only_missing, int printed, page* p )
{
	enum
	{
		longest = 56, // so that "without NAME..." fits in a line
	};
	int count = 0;
	bv_text name;
	bv_text own;
	while ( bvb_next_parameter( &a, &name, &own ) )
	{
		if ( is_side_file( name ) || is_skipped( name ) )
		{
			continue;
		}
		bv_text other;
		bool there = bvb_find_parameter( b, name, &other );
		bool differs = only_missing ? !there : !there || !is_equal( own, other );
		count += differs;
		if ( differs && p && printed + count <= most_options )
		{
			size_t whole = only_missing ? name.length : (size_t)( own.data + own.length - name.data );
			const char* word = only_missing ? "without " : printed + count == 1 ? "with " : "";
			add_item( p, paint_plain, "%s%.*s%s", word, (int)( whole < longest ? whole : longest ), name.data,
			          whole > longest ? "..." : "" );
		}
	}
	return count;
}

static bv_text parameters_of_preset( const char* name, bool parts, bvb_arena* arena )
{
	bvb_asset_options options;
	bv_text text = { NULL, 0 };
	if ( bvb_preset_options( name, &options ) )
	{
		options.sections |= parts ? 1u << bvb_section_parts : 0;
		bvb_asset_parameters( &options, arena, &text );
	}
	return text;
}

// The nearest preset, and the differences from it.
static void print_parameters( page* p, bv_text parameters, bvb_arena* arena )
{
	bv_text nearest = { NULL, 0 };
	bv_text found;
	const char* name = NULL;
	int least = 0;
	bool parts = bvb_find_parameter( parameters, ( bv_text ){ "decompose", strlen( "decompose" ) }, &found );
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		const char* preset = bvb_preset_name( i, NULL );
		bv_text text = parameters_of_preset( preset, parts, arena );
		int count = list_differences( parameters, text, false, 0, NULL ) +
		            list_differences( text, parameters, true, 0, NULL );
		if ( text.data && ( !name || count < least ) )
		{
			nearest = text;
			name = preset;
			least = count;
		}
	}
	if ( name )
	{
		add_item( p, paint_plain, "preset %s", name );
	}
	int count = list_differences( parameters, nearest, false, 0, p );
	count += list_differences( nearest, parameters, true, count, p );
	if ( count > most_options )
	{
		add_item( p, paint_plain, "and %d more (see --json)", count - most_options );
	}
}

static void print_origin( page* p, const bv_file* file, bvb_arena* arena )
{
	bv_file_origin o = bv_file_get_origin( file );
	char hash[2 * sizeof o.source_hash + 1];
	for ( size_t i = 0; i < sizeof o.source_hash; ++i )
	{
		snprintf( hash + 2 * i, 3, "%02x", o.source_hash[i] );
	}
	char whole[1024];
	char name[256];
	snprintf( whole, sizeof whole, "%.*s", (int)o.source_name.length, o.source_name.data );
	fit_name( whole, terminal_width - margin - 12, name, sizeof name );
	begin_row( p, "  source", margin );
	add_item( p, paint_plain, "%s (%.*s)", *name ? name : "unnamed", (int)o.source_format.length,
	          o.source_format.data );
	add_item( p, paint_plain, "hash %s", hash );
	int files = count_side_files( o.parameters );
	if ( files > 0 )
	{
		add_item( p, paint_plain, "%d side file%s", files, files > 1 ? "s" : "" );
	}
	end_row( p );
	begin_row( p, "  made by", margin );
	add_item( p, paint_plain, "%.*s", (int)o.tool.length, o.tool.data );
	print_parameters( p, o.parameters, arena );
	end_row( p );
}

// Those that there are.
static void print_edges( page* p, const bv_mesh_info* m )
{
	static const char* const kinds[bv_edge_kinds] = { "convex",   "concave", "flat",
		                                              "boundary", "flipped", "non-manifold" };
	begin_row( p, "  edges", margin );
	for ( int i = 0; i < bv_edge_kinds; ++i )
	{
		if ( m->edges_of_kind[i] > 0 )
		{
			add_item( p, i >= bv_edge_boundary ? paint_warning : paint_plain, "%s %s",
			          bvbase_group( m->edges_of_kind[i] ).text, kinds[i] );
		}
	}
	end_row( p );
}

// What cleaning did, if it did anything but merging equal positions.
static void print_cleaning( page* p, const bv_mesh_info* m )
{
	const struct
	{
		uint64_t count;
		const char* what;
	} dropped[] = { { m->removed_degenerate, "degenerate" },
		            { m->removed_duplicate, "duplicate" },
		            { m->removed_non_finite, "not finite" } };
	if ( m->removed_degenerate + m->removed_duplicate + m->removed_non_finite == 0 )
	{
		return;
	}
	begin_row( p, "  dropped", margin );
	for ( size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i )
	{
		if ( dropped[i].count > 0 )
		{
			add_item( p, paint_warning, "%s %s", bvbase_group( dropped[i].count ).text, dropped[i].what );
		}
	}
	add_words( p, paint_plain, "triangle%s of the source",
	           bvbase_plural( m->removed_degenerate + m->removed_duplicate + m->removed_non_finite ) );
	end_row( p );
}

static bool has_section( const bv_file* file, const char* name )
{
	uint32_t count = bv_file_get_info( file ).section_count;
	bool found = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		found = found || ( section.known && strcmp( section.name, name ) == 0 );
	}
	return found;
}

// How many digits of a place the offset takes, before those that tell parts of the mesh from each other.
static int more_digits( const bv_file* file )
{
	double away = bvmath_norm1( bv_file_get_offset( file ) );
	bv_file_bounds bounds;
	double size = bvfile_local_bounds( file, &bounds ) ? bounds.sphere.radius : 0;
	return away > size ? (int)fmin( 11, ceil( log10( away / size ) ) ) : 0;
}

static void add_center( page* p, const bv_file* file, const char* words, bv_vec3 center, int digits )
{
	bv_vec3 v = bvmath_moved( center, bv_file_get_offset( file ) );
	digits += more_digits( file );
	add_item( p, paint_plain, "%s (%.*g, %.*g, %.*g)%s", words, digits, v.x, digits, v.y, digits, v.z,
	          bvreport_suffix_unit( file, 1 ).text );
}

static void print_mass( page* p, const bv_file* file, const bv_mesh_info* m )
{
	bv_mass mass;
	if ( !has_section( file, "MASS" ) )
	{
		return;
	}
	begin_row( p, "  solid", margin );
	if ( bvfile_local_mass( file, bv_mass_of_solid, &mass ) )
	{
		add_item( p, mass.mass < 0 ? paint_warning : paint_plain, "volume %.6g%s", mass.mass,
		          bvreport_suffix_unit( file, 3 ).text );
		add_center( p, file, "center of mass", mass.center_of_mass, 6 );
		end_row( p );
		return;
	}
	add_item( p, paint_plain, "none: the surface %s", m->closed ? "encloses no volume" : "is not closed" );
	if ( bvfile_local_mass( file, bv_mass_of_surface, &mass ) )
	{
		add_center( p, file, "as a sheet, center of mass", mass.center_of_mass, 5 );
	}
	end_row( p );
}

static void print_body( page* p, const bv_file* file )
{
	static const char* const names[] = { "the solid", "the surface, as a sheet", "the convex hull" };
	bv_body body;
	if ( bvfile_local_body( file, &body ) )
	{
		begin_row( p, "  body", margin );
		add_item( p, paint_plain, "mass %.6g", body.mass.mass );
		add_item( p, paint_plain, "density %.6g", body.density );
		add_item( p, paint_plain, "of %s", names[body.of] );
		if ( body.of != bv_mass_of_solid )
		{
			add_center( p, file, "center of mass", body.mass.center_of_mass, 6 );
		}
		end_row( p );
	}
}

static void print_mesh( page* p, const bv_file* file )
{
	bv_mesh_info m = bv_file_get_mesh( file );
	begin_row( p, "  mesh", margin );
	add_item( p, paint_plain, "%s triangle%s", bvbase_group( m.triangles ).text,
	          bvbase_plural( m.triangles ) );
	add_item( p, paint_plain, "%s vertices", bvbase_group( m.vertices ).text );
	add_item( p, paint_plain, "%s edges", bvbase_group( m.edges ).text );
	add_item( p, paint_plain, "%s component%s", bvbase_group( m.components ).text,
	          bvbase_plural( m.components ) );
	add_item( p, m.closed ? paint_plain : paint_warning, "%s", m.closed ? "closed" : "open" );
	add_item( p, m.manifold ? paint_plain : paint_warning, "%smanifold", m.manifold ? "" : "not " );
	add_item( p, m.oriented ? paint_plain : paint_warning, "%soriented", m.oriented ? "" : "not " );
	if ( m.double_sided )
	{
		add_item( p, paint_warning, "%s double-sided pair%s", bvbase_group( m.double_sided ).text,
		          bvbase_plural( m.double_sided ) );
	}
	end_row( p );
	print_edges( p, &m );
	print_cleaning( p, &m );
	begin_row( p, "  surface", margin );
	add_item( p, paint_plain, "area %.6g%s", m.area, bvreport_suffix_unit( file, 2 ).text );
	add_item( p, paint_plain, "vertices moved by at most %.3g%s from the source",
	          bvbase_round_up( m.largest_displacement, 3 ), bvreport_suffix_unit( file, 1 ).text );
	end_row( p );
	bv_vec3 o = bv_file_get_offset( file );
	if ( !bvmath_is_zero( o ) )
	{
		begin_row( p, "  offset", margin );
		add_item( p, paint_plain, "positions are stored relative to (%.17g, %.17g, %.17g)%s", o.x, o.y, o.z,
		          bvreport_suffix_unit( file, 1 ).text );
		end_row( p );
	}
	print_mass( p, file, &m );
	print_body( p, file );
}

// Begins a row of a volume: how large it is, also against the hull. Sizes follow.
static void begin_volume( page* p, const char* name, double volume, double hull )
{
	char label[64];
	char percent[32] = "-";
	if ( hull > 0 )
	{
		double share = 100 * volume / hull;
		snprintf( percent, sizeof percent, "%.*g %%", share < 1e5 ? 4 : 2, share );
	}
	snprintf( label, sizeof label, "    %-8s %11.6g  %9s ", name, volume, percent );
	begin_row( p, label, (int)strlen( label ) + 1 );
}

// What is nothing beside the size of it all is only what rounding left.
static double without_rounding( double x, double size )
{
	return fabs( x ) < 1e-12 * size ? 0 : x;
}

// With as many digits as there is room for on a line.
static void print_point( const page* p, const bv_file* file, const char* word, bv_vec3 v, double size,
                         int digits, char out[128] )
{
	int more = more_digits( file );
	bv_vec3 shown = { without_rounding( v.x, size ), without_rounding( v.y, size ),
		              without_rounding( v.z, size ) };
	bv_vec3 at = bvmath_moved( shown, bv_file_get_offset( file ) );
	digits += more;
	do
	{
		snprintf( out, 128, "%s (%.*g, %.*g, %.*g)", word, digits, at.x, digits, at.y, digits, at.z );
		--digits;
	} while ( digits > 1 + more && p->indent + text_columns( out ) > terminal_width );
}

static void print_bounds( page* p, const bv_file* file )
{
	static const char* const kinds[] = { "a point", "a segment", "a flat polygon", "a polyhedron" };
	char point[128];
	bv_file_bounds b;
	bv_hull_info h = bv_file_get_hull( file );
	bool has_bounds = bvfile_local_bounds( file, &b );
	if ( !has_bounds && h.vertices == 0 )
	{
		return;
	}
	begin_row( p, "  bounds          volume    of hull  size, all in ", 0 );
	put_text( p, paint_plain, bvreport_name_unit( file ) );
	end_row( p );
	if ( has_bounds )
	{
		bv_vec3 low = b.aabb.lower;
		bv_vec3 high = b.aabb.upper;
		begin_volume( p, "aabb", bv_aabb_volume( &b.aabb ), h.volume );
		add_item( p, paint_plain, "%.5g x %.5g x %.5g", high.x - low.x, high.y - low.y, high.z - low.z );
		print_point( p, file, "from", low, b.sphere.radius, 5, point );
		add_words( p, paint_plain, "%s", point );
		end_row( p );
		begin_volume( p, "obb", bv_obb_volume( &b.obb ), h.volume );
		add_item( p, paint_plain, "%.5g x %.5g x %.5g", 2 * b.obb.half_extents[0], 2 * b.obb.half_extents[1],
		          2 * b.obb.half_extents[2] );
		end_row( p );
		begin_volume( p, "sphere", bv_sphere_volume( &b.sphere ), h.volume );
		add_item( p, paint_plain, "radius %.6g", b.sphere.radius );
		print_point( p, file, "center", b.sphere.center, b.sphere.radius, 4, point );
		add_item( p, paint_plain, "%s", point );
		end_row( p );
		begin_volume( p, "26-dop", bvb_kdop_volume( &b.kdop ), h.volume );
		add_item( p, paint_plain, "26 sides" );
		end_row( p );
		begin_volume( p, "capsule", bv_capsule_volume( &b.capsule ), h.volume );
		add_item( p, paint_plain, "length %.6g", segment_length( b.capsule.ends ) );
		add_item( p, paint_plain, "radius %.6g", b.capsule.radius );
		end_row( p );
		begin_volume( p, "rss", bv_rss_volume( &b.rss ), h.volume );
		add_item( p, paint_plain, "%.5g x %.5g", 2 * b.rss.half_extents[0], 2 * b.rss.half_extents[1] );
		add_item( p, paint_plain, "radius %.6g", b.rss.radius );
		end_row( p );
	}
	if ( h.vertices > 0 )
	{
		begin_volume( p, "hull", h.volume, h.volume );
		add_item( p, paint_plain, "%s", kinds[h.kind] );
		add_item( p, paint_plain, "%s vertices", bvbase_group( h.vertices ).text );
		add_item( p, paint_plain, "%s face%s", bvbase_group( h.faces ).text, bvbase_plural( h.faces ) );
		end_row( p );
	}
}

// What the mesh is like. Of primitives that it is not like no more is known than that.
static void print_shape( page* p, const bv_file* file )
{
	bv_recognized r;
	bv_primitive best;
	bv_file_bounds bounds;
	if ( !bv_file_get_recognized( file, &r ) )
	{
		return;
	}
	char share[64] = "";
	bool is = bvfile_local_primitive( file, r.best, &best );
	double within = is ? bvbase_round_up( best.error.upper, 3 ) : r.tolerance;
	if ( bvfile_local_bounds( file, &bounds ) )
	{
		const bv_aabb* box = &bounds.aabb;
		snprintf( share, sizeof share, "(%.3g %% of diagonal)",
		          bvbase_round_up(
					  100 * within / segment_length( ( const bv_vec3[2] ){ box->lower, box->upper } ), 3 ) );
	}
	begin_row( p, "  shape", margin );
	add_item( p, paint_plain, "%s %s within %.3g%s", is ? "is a" : "no",
	          is ? bvb_primitive_name( r.best ) : "box, sphere, capsule or cylinder", within,
	          bvreport_suffix_unit( file, 1 ).text );
	if ( *share )
	{
		add_words( p, paint_plain, "%s", share );
	}
	end_row( p );
}

// A certified interval, and its upper end in percent, neither narrower than it is.
// @param unit  behind it, or nothing
static void print_bounds_of( char* out, size_t size, const bv_interval* of, const char* unit, double percent )
{
	snprintf( out, size, "%.3g to %.3g%s (%.3g %%)", bvbase_round_down( of->lower, 3 ),
	          bvbase_round_up( of->upper, 3 ), unit, bvbase_round_up( percent * of->upper, 3 ) );
}

// How far proxy and mesh are from each other, also in percent of the diagonal of the proxy's box.
static void print_proxy( page* p, const bv_file* file )
{
	bv_proxy proxy;
	if ( !bv_file_get_proxy( file, &proxy ) )
	{
		return;
	}
	bv_vec3 box[2] = { bvfile_local_proxy_vertex( file, 0 ), bvfile_local_proxy_vertex( file, 0 ) };
	for ( uint32_t i = 1; i < proxy.vertices; ++i )
	{
		bv_vec3 x = bvfile_local_proxy_vertex( file, i );
		box[0] = bvmath_least( box[0], x );
		box[1] = bvmath_greatest( box[1], x );
	}
	char off[96];
	bool farther = proxy.from_mesh.upper > proxy.from_proxy.upper;
	print_bounds_of( off, sizeof off, farther ? &proxy.from_mesh : &proxy.from_proxy,
	                 bvreport_suffix_unit( file, 1 ).text, 100 / segment_length( box ) );
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	begin_row( p, "  proxy", margin );
	add_item( p, paint_plain, "%s triangle%s", bvbase_group( proxy.triangles ).text,
	          bvbase_plural( proxy.triangles ) );
	add_item( p, paint_plain, "Hausdorff distance to the mesh %s", off );
	add_item( p, paint_plain,
	          proxy.enclosed == triangles ? "encloses all of the mesh" : "encloses %s of %s triangles",
	          bvbase_group( proxy.enclosed ).text, bvbase_group( triangles ).text );
	end_row( p );
}

// How far parts stand off, also in percent of the diagonal of a box round all of them.
static void print_parts( page* p, const bv_file* file )
{
	bv_decomposition_info d = bv_file_get_decomposition( file );
	if ( d.parts == 0 )
	{
		return;
	}
	bv_part part;
	bv_vec3 box[2];
	double volume = 0;
	for ( uint32_t i = 0; i < d.parts; ++i )
	{
		bvfile_local_part( file, i, &part );
		const bv_aabb* own = &part.box;
		bv_vec3 lower = i ? box[0] : own->lower;
		bv_vec3 upper = i ? box[1] : own->upper;
		box[0] = ( bv_vec3 ){ fmin( lower.x, own->lower.x ), fmin( lower.y, own->lower.y ),
			                  fmin( lower.z, own->lower.z ) };
		box[1] = ( bv_vec3 ){ fmax( upper.x, own->upper.x ), fmax( upper.y, own->upper.y ),
			                  fmax( upper.z, own->upper.z ) };
		volume += part.mass.mass;
	}
	double percent = 100 / segment_length( box );
	bvreport_unit_suffix unit = bvreport_suffix_unit( file, 1 );
	begin_row( p, "  parts", margin );
	add_item( p, paint_plain, "%s %s convex part%s", bvbase_group( d.parts ).text,
	          d.solid ? "solid" : "surface", bvbase_plural( d.parts ) );
	add_item( p, paint_plain, "%s vertices", bvbase_group( d.vertices ).text );
	add_item( p, paint_plain, "%s faces", bvbase_group( d.faces ).text );
	add_item( p, paint_plain, "total volume %.6g%s", volume, bvreport_suffix_unit( file, 3 ).text );
	if ( d.out_of_time )
	{
		add_item( p, paint_warning, "the search ran out of time" );
	}
	end_row( p );
	begin_row( p, "", margin );
	char off[64];
	print_bounds_of( off, sizeof off, &d.concavity, unit.text, percent );
	add_item( p, paint_plain, "stand-off %s", off );
	if ( d.tolerance > 0 )
	{
		add_item( p, d.concavity.lower > d.tolerance ? paint_warning : paint_plain, "tolerance %.3g%s",
		          d.tolerance, unit.text );
	}
	add_item( p, paint_plain, "mesh outside by at most %.3g%s (%.3g %%)", bvbase_round_up( d.uncovered, 3 ),
	          unit.text, bvbase_round_up( percent * d.uncovered, 3 ) );
	end_row( p );
}

// Sums over the levels of the hierarchy.
typedef struct level_sums
{
	bv_volume root;
	uint32_t nodes[BV_MAX_DEPTH + 1];
	uint32_t leaves[BV_MAX_DEPTH + 1];
	double volume[BV_MAX_DEPTH + 1];
	uint32_t largest_leaf;
} level_sums;

static bool add_node( void* context, const bv_node_info* node )
{
	level_sums* sums = context;
	if ( node->index == 0 )
	{
		sums->root = node->volume;
	}
	sums->nodes[node->level] += 1;
	sums->volume[node->level] += bvb_volume_of( &node->volume );
	sums->leaves[node->level] += node->children == 0;
	if ( node->children == 0 && node->triangles > sums->largest_leaf )
	{
		sums->largest_leaf = node->triangles;
	}
	return true;
}

static void print_interval( page* p, const char* name, const bv_interval* surface, const bv_interval* solid,
                            double percent )
{
	char one[64];
	char other[64];
	print_bounds_of( one, sizeof one, surface, "", percent );
	print_bounds_of( other, sizeof other, solid, "", percent );
	begin_row( p, "    ", 4 );
	add_words( p, paint_plain, "%-8s %-31s", name, one );
	add_words( p, paint_plain, "%s", other );
	end_row( p );
}

// Distances from volumes to triangles, and in percent of the root's diagonal.
static void print_errors( page* p, const bv_file_errors* e, const char* unit, double percent )
{
	char head[96];
	snprintf( head, sizeof head, "  errors     boundary points, %-14s all points (%% of the root)", unit );
	begin_row( p, head, 0 );
	end_row( p );
	print_interval( p, "root", &e->surface, &e->solid, percent );
	print_interval( p, "mean", &e->all.surface.mean, &e->all.solid.mean, percent );
	print_interval( p, "largest", &e->all.surface.max, &e->all.solid.max, percent );
}

// The picture of a quantity on each level: bars whose lengths are proportional, or, where values are far
// apart, to their logarithms.
typedef struct bars
{
	bool logarithmic;
	double least;
	double most;
} bars;

static bars scale_bars( const double* values, uint32_t count )
{
	bars b = { .least = INFINITY };
	for ( uint32_t i = 0; i < count; ++i )
	{
		b.most = fmax( b.most, values[i] );
		b.least = values[i] > 0 ? fmin( b.least, values[i] ) : b.least;
	}
	b.logarithmic = b.most > 20 * b.least;
	return b;
}

static void put_bar( page* p, const bars* b, double value )
{
	enum
	{
		width = 28,
		shortest = 2,
	};
	char bar[width + 1];
	double share =
		!( value > 0 ) ? 0
		: b->logarithmic
			? ( shortest + ( width - shortest ) * log( value / b->least ) / log( b->most / b->least ) ) /
				  width
			: value / b->most;
	int length = (int)rint( width * share );
	memset( bar, '#', (size_t)length );
	bar[length] = 0;
	put_text( p, paint_picture, bar );
}

// Each cut holds every triangle: what a query that goes no deeper would make of the mesh. Without errors the
// picture is of how fast the tree closes in on the surface.
static void print_levels( page* p, const bv_file* file, const level_sums* sums, double percent,
                          bool has_errors )
{
	uint32_t depth = bv_file_get_hierarchy( file ).depth;
	int room = terminal_height - below_levels - p->lines;
	uint32_t rows = room > most_levels ? most_levels : room > 2 ? (uint32_t)room : 2;
	uint32_t step = 1 + depth / rows;
	double values[BV_MAX_DEPTH + 1];
	double volumes[BV_MAX_DEPTH + 1];
	uint32_t count = 0;
	for ( uint32_t i = 0; i <= depth; i += step, ++count )
	{
		bv_level_errors level;
		volumes[count] = sums->volume[0] > 0 ? sums->volume[i] / sums->volume[0] : 0;
		values[count] = volumes[count];
		if ( has_errors && bv_file_get_level_errors( file, i, &level ) )
		{
			values[count] = percent * level.cut.solid.mean.upper;
		}
	}
	bars b = scale_bars( values, count );
	fprintf( p->file, "  level      nodes    leaves    volume  %s%s\n",
	         has_errors ? "mean error of the cut, % of root" : "volume as a bar",
	         b.logarithmic ? ", log" : "" );
	for ( uint32_t k = 0, i = 0; k < count; ++k, i += step )
	{
		p->column = 0;
		fprintf( p->file, "    %-3u %10s %9s %9.3g", i, bvbase_group( sums->nodes[i] ).text,
		         bvbase_group( sums->leaves[i] ).text, volumes[k] );
		fprintf( p->file, has_errors ? "  %8.3g  " : "  ", values[k] );
		put_bar( p, &b, values[k] );
		end_row( p );
	}
}

static void print_hierarchy( page* p, const bv_file* file )
{
	bv_hierarchy_info h = bv_file_get_hierarchy( file );
	bv_file_errors e;
	if ( h.nodes == 0 )
	{
		return;
	}
	level_sums sums = { .largest_leaf = 0 };
	bvfile_local_visit_nodes( file, add_node, &sums );
	begin_row( p, "  hierarchy", margin );
	add_item( p, paint_plain, "%s node%s", bvbase_group( h.nodes ).text, bvbase_plural( h.nodes ) );
	add_item( p, paint_plain, "%s lea%s", bvbase_group( h.leaves ).text, h.leaves == 1 ? "f" : "ves" );
	add_item( p, paint_plain, "depth %u", h.depth );
	add_item( p, paint_plain, "%.3g triangles per leaf",
	          (double)bv_file_get_mesh( file ).triangles / (double)h.leaves );
	add_item( p, paint_plain, "at most %s", bvbase_group( sums.largest_leaf ).text );
	end_row( p );
	bool has_errors = bv_file_get_errors( file, &e );
	double percent = 100 / bvb_diameter_of( &sums.root );
	print_levels( p, file, &sums, percent, has_errors );
	if ( has_errors )
	{
		print_errors( p, &e, bvreport_name_unit( file ), percent );
	}
}

static void print_sections( page* p, const bv_file* file )
{
	uint32_t count = bv_file_get_info( file ).section_count;
	begin_row( p, "  bytes", margin );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		add_item( p, section.known ? paint_plain : paint_warning, "%s%s %s", section.name,
		          section.known ? "" : " (unknown)", bvbase_group( section.bytes ).text );
	}
	end_row( p );
}

static const char* text_of( const bvb_report* report, uint32_t finding, const char* key, bvb_arena* arena )
{
	char path[64];
	bvb_value value;
	snprintf( path, sizeof path, "findings[%u].%s", finding, key );
	bool known = bvb_report_evaluate( report, path, arena, &value, NULL ) == bv_ok;
	return known && value.kind == bvb_value_string ? value.text : NULL;
}

// Word by word, so that lines end where there is no room for the next.
static void add_sentence( page* p, paint how, const char* text )
{
	while ( *text )
	{
		size_t length = strcspn( text, " " );
		add_words( p, how, "%.*s", (int)length, text );
		text += length + ( text[length] == ' ' );
	}
}

// @param whole  with its key
// @param brief  without what would help
static void print_finding( page* p, const bvb_report* report, uint32_t finding, bool whole, bool brief,
                           bvb_arena* arena )
{
	const char* severity = text_of( report, finding, "severity", arena );
	const char* text = text_of( report, finding, "text", arena );
	const char* advice = brief ? NULL : text_of( report, finding, "advice", arena );
	paint how = strcmp( severity, "bad" ) == 0    ? paint_warning
	            : strcmp( severity, "good" ) == 0 ? paint_good
	                                              : paint_plain;
	char label[16];
	snprintf( label, sizeof label, "  %s", severity );
	begin_row( p, label, margin );
	if ( whole )
	{
		add_words( p, paint_plain, "%s:", text_of( report, finding, "key", arena ) );
	}
	add_sentence( p, how, text ? text : "" );
	if ( advice )
	{
		add_sentence( p, paint_plain, "->" );
		add_sentence( p, paint_plain, advice );
	}
	end_row( p );
}

// What the report finds, the worst first; nothing bad is left out, but what would help may be.
static void print_worst_findings( page* p, const bvb_report* report, bvb_arena* arena )
{
	const char* severity;
	uint32_t count = 0;
	uint32_t printed = 0;
	int first = p->lines;
	for ( ; ( severity = text_of( report, count, "severity", arena ) ); ++count )
	{
		bool fits = count < most_findings && p->lines - first <= most_finding_lines;
		if ( fits || strcmp( severity, "bad" ) == 0 )
		{
			++printed;
			print_finding( p, report, count, false, !fits, arena );
		}
	}
	if ( count > printed )
	{
		begin_row( p, "", margin );
		add_words( p, paint_plain, "and %u more (see --findings)", count - printed );
		end_row( p );
	}
}

// @return the number, or a NaN where there is none
static double number_of( const bvb_report* report, const char* path, bvb_arena* arena )
{
	bvb_value value;
	bool known = bvb_report_evaluate( report, path, arena, &value, NULL ) == bv_ok;
	return known && value.kind == bvb_value_number ? value.number : NAN;
}

// What queries near contact cost, and how many times what they would in a preset's hierarchy.
static void print_cost( page* p, const bvb_report* report, bvb_arena* arena )
{
	double cost = number_of( report, "hierarchy.cost.measured.cost", arena );
	double ratio = number_of( report, "hierarchy.cost.yardstick.ratio", arena );
	if ( isnan( cost ) )
	{
		return;
	}
	begin_row( p, "  cost", margin );
	add_item( p, paint_plain, "%s near contact",
	          bvbase_shorten( cost < 1000 ? cost : rint( cost ), 3 ).text );
	if ( !isnan( ratio ) )
	{
		add_item( p, paint_plain, "%.2f times the cost of --preset %s", ratio,
		          bvb_yardstick_options_default().preset );
	}
	end_row( p );
}

// How the hierarchy's cost changes while a clip plays, and how far its root gets.
static void print_clip( page* p, const bv_file* file )
{
	bv_clip clip;
	bv_clip_sample s;
	if ( !bv_file_get_clip( file, &clip ) )
	{
		return;
	}
	double rest = 0;
	double worst = 0;
	for ( uint32_t i = 0; i < clip.samples; ++i )
	{
		bv_file_get_clip_sample( file, i, &s );
		rest = i == clip.record ? s.cost : rest;
		worst = fmax( worst, s.cost );
	}
	begin_row( p, "  clip", margin );
	add_item( p, paint_plain, "'%.*s'", (int)clip.name.length, clip.name.data );
	add_item( p, paint_plain, "%g to %g s", clip.start, clip.end );
	add_item( p, paint_plain, "%s sample%s", bvbase_group( clip.samples ).text,
	          bvbase_plural( clip.samples ) );
	add_item( p, paint_plain, "%s segment%s", bvbase_group( clip.segments ).text,
	          bvbase_plural( clip.segments ) );
	if ( !clip.moves )
	{
		add_item( p, paint_warning, "nothing moves" );
	}
	else if ( rest > 0 )
	{
		add_item( p, paint_plain, "cost up to %.2f times that of the pose", worst / rest );
	}
	end_row( p );
}

// What is printed of sections; nothing where the file does not have them.
static void ( *const rows_of_sections[] )( page* p, const bv_file* file ) = {
	print_mesh, print_bounds, print_shape, print_parts, print_proxy, print_hierarchy, print_clip,
};

static void print_path( page* p, const char* path )
{
	char name[4 * terminal_width];
	fit_name( path, terminal_width - 2, name, sizeof name );
	begin_row( p, "", 0 );
	put_text( p, paint_strong, name );
	put_text( p, paint_plain, ":" );
	p->empty = false;
	p->indent = 2;
}

bv_status print_findings( const char* path, const char* json, bvb_arena* arena, bvb_error* error )
{
	bvb_report* report;
	bv_status status = bvb_report_read( json, &report, error );
	if ( status != bv_ok )
	{
		return status;
	}
	page p = page_on( stdout );
	uint32_t count = 0;
	while ( text_of( report, count, "severity", arena ) )
	{
		++count;
	}
	print_path( &p, path );
	add_words( &p, paint_plain, "%u finding%s", count, bvbase_plural( count ) );
	end_row( &p );
	for ( uint32_t i = 0; i < count; ++i )
	{
		print_finding( &p, report, i, true, false, arena );
	}
	bvb_report_free( report );
	return bv_ok;
}

bv_status print_summary( const char* path, const bv_file* file, bvb_arena* arena, bvb_error* error )
{
	char* json;
	bvb_report* report;
	bv_status status = bvb_report_json( file, NULL, arena, &json, error );
	status = status == bv_ok ? bvb_report_read( json, &report, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	page p = page_on( stdout );
	bv_file_info info = bv_file_get_info( file );
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	print_path( &p, path );
	add_words( &p, paint_plain, "%s bytes, %.1f per triangle, format %u.%u", bvbase_group( info.bytes ).text,
	           (double)info.bytes / triangles, info.version_major, info.version_minor );
	end_row( &p );
	print_worst_findings( &p, report, arena );
	print_origin( &p, file, arena );
	for ( size_t i = 0; i < sizeof rows_of_sections / sizeof *rows_of_sections; ++i )
	{
		rows_of_sections[i]( &p, file );
	}
	print_cost( &p, report, arena );
	print_sections( &p, file );
	bvb_report_free( report );
	return bv_ok;
}
