// The summary of a file, on one screen. See summary.h.

#include "cli/summary.h"

#include "bvbuild/fit.h"
#include "bvbuild/recognise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Digits in groups of three, as a value, so that several calls can stand in one printf.
typedef struct grouped
{
	char text[32];
} grouped;

static grouped group( uint64_t value )
{
	char plain[24];
	grouped out;
	int length = snprintf( plain, sizeof plain, "%llu", (unsigned long long)value );
	char* to = out.text;
	for ( int i = 0; i < length; ++i )
	{
		if ( i > 0 && ( length - i ) % 3 == 0 )
		{
			*to++ = ',';
		}
		*to++ = plain[i];
	}
	*to = 0;
	return out;
}

static const char* plural( uint64_t count )
{
	return count == 1 ? "" : "s";
}

static void print_origin( const bv_file* file )
{
	bv_file_origin o = bv_file_get_origin( file );
	printf( "  source     %.*s (%.*s), hash ", (int)o.source_name.length, o.source_name.data,
	        (int)o.source_format.length, o.source_format.data );
	for ( int i = 0; i < 16; ++i )
	{
		printf( "%02x", o.source_hash[i] );
	}
	printf( "\n  made by    %.*s:", (int)o.tool.length, o.tool.data );
	for ( size_t i = 0; i < o.parameters.length; )
	{
		const char* line = o.parameters.data + i;
		size_t rest = o.parameters.length - i;
		const char* end = memchr( line, '\n', rest );
		size_t length = end ? (size_t)( end - line ) : rest;
		printf( " %.*s", (int)length, line );
		i += length + 1;
	}
	printf( "\n" );
}

// Those that there are.
static void print_edges( const bv_mesh_info* m )
{
	static const char* const kinds[bv_edge_kinds] = { "convex",   "concave", "flat",
		                                              "boundary", "flipped", "non-manifold" };
	const char* between = "";
	printf( "\n  edges      " );
	for ( int i = 0; i < bv_edge_kinds; ++i )
	{
		if ( m->edges_of_kind[i] > 0 )
		{
			printf( "%s%s %s", between, group( m->edges_of_kind[i] ).text, kinds[i] );
			between = ", ";
		}
	}
}

// What cleaning did, if it did anything but merging equal positions.
static void print_cleaning( const bv_mesh_info* m )
{
	const struct
	{
		uint64_t count;
		const char* what;
	} dropped[] = { { m->removed_degenerate, "degenerate" },
		            { m->removed_duplicate, "duplicate" },
		            { m->removed_non_finite, "not finite" } };
	const char* before = "\n  dropped    ";
	for ( size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i )
	{
		if ( dropped[i].count > 0 )
		{
			printf( "%s%s %s", before, group( dropped[i].count ).text, dropped[i].what );
			before = ", ";
		}
	}
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

static void print_mass( const bv_file* file, const bv_mesh_info* m )
{
	bv_mass mass;
	if ( !has_section( file, "MASS" ) )
	{
		printf( "\n" );
		return;
	}
	if ( bv_file_get_mass( file, bv_mass_of_solid, &mass ) )
	{
		printf( "\n  solid      volume %.6g, centre of mass (%.6g, %.6g, %.6g)\n", mass.mass,
		        mass.center_of_mass.x, mass.center_of_mass.y, mass.center_of_mass.z );
		return;
	}
	printf( "\n  solid      none: the surface %s", m->closed ? "encloses no volume" : "is not closed" );
	if ( bv_file_get_mass( file, bv_mass_of_surface, &mass ) )
	{
		printf( "; as a sheet its centre of mass is (%.6g, %.6g, %.6g)", mass.center_of_mass.x,
		        mass.center_of_mass.y, mass.center_of_mass.z );
	}
	printf( "\n" );
}

static void print_mesh( const bv_file* file )
{
	bv_mesh_info m = bv_file_get_mesh( file );
	printf( "  mesh       %s triangle%s, %s vertices, %s edges, %s component%s\n", group( m.triangles ).text,
	        plural( m.triangles ), group( m.vertices ).text, group( m.edges ).text,
	        group( m.components ).text, plural( m.components ) );
	printf( "             %s, %s, %s", m.closed ? "closed" : "open", m.manifold ? "manifold" : "not manifold",
	        m.oriented ? "oriented" : "not oriented" );
	if ( m.double_sided )
	{
		printf( ", %s double-sided pair%s", group( m.double_sided ).text, plural( m.double_sided ) );
	}
	print_edges( &m );
	print_cleaning( &m );
	printf( "\n  surface    area %.6g; vertices at most %.3g from the source", m.area,
	        m.largest_displacement );
	print_mass( file, &m );
}

static double segment_length( const bv_vec3 ends[2] )
{
	double x = ends[1].x - ends[0].x;
	double y = ends[1].y - ends[0].y;
	double z = ends[1].z - ends[0].z;
	return sqrt( x * x + y * y + z * z );
}

static void print_bounds( const bv_file* file )
{
	bv_file_bounds b;
	if ( !bv_file_get_bounds( file, &b ) )
	{
		return;
	}
	printf( "  aabb       (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g), volume %.6g\n", b.aabb.lower.x,
	        b.aabb.lower.y, b.aabb.lower.z, b.aabb.upper.x, b.aabb.upper.y, b.aabb.upper.z,
	        bv_aabb_volume( &b.aabb ) );
	printf( "  obb        half extents %.6g, %.6g, %.6g, volume %.6g\n", b.obb.half_extents[0],
	        b.obb.half_extents[1], b.obb.half_extents[2], bv_obb_volume( &b.obb ) );
	printf( "  sphere     centre (%.6g, %.6g, %.6g), radius %.6g, volume %.6g\n", b.sphere.center.x,
	        b.sphere.center.y, b.sphere.center.z, b.sphere.radius, bv_sphere_volume( &b.sphere ) );
	printf( "  26-dop     volume %.6g\n", bvb_kdop_volume( &b.kdop ) );
	printf( "  capsule    length %.6g, radius %.6g, volume %.6g\n", segment_length( b.capsule.ends ),
	        b.capsule.radius, bv_capsule_volume( &b.capsule ) );
	printf( "  rss        rectangle %.6g by %.6g, radius %.6g, volume %.6g\n", 2 * b.rss.half_extents[0],
	        2 * b.rss.half_extents[1], b.rss.radius, bv_rss_volume( &b.rss ) );
}

static void print_hull( const bv_file* file )
{
	static const char* const kinds[] = { "a point", "a segment", "a flat polygon", "a polyhedron" };
	bv_hull_info h = bv_file_get_hull( file );
	if ( h.vertices > 0 )
	{
		printf( "  hull       %s: %s vertices, %s face%s, volume %.6g\n", kinds[h.kind],
		        group( h.vertices ).text, group( h.faces ).text, plural( h.faces ), h.volume );
	}
}

// What the mesh is like. Of primitives that it is not like no more is known than that.
static void print_shape( const bv_file* file )
{
	bv_recognised r;
	bv_primitive best;
	bv_file_bounds bounds;
	if ( !bv_file_get_recognised( file, &r ) )
	{
		return;
	}
	double within = r.tolerance;
	if ( bv_file_get_primitive( file, r.best, &best ) )
	{
		within = best.error.upper;
		printf( "  shape      is a %s within %.3g", bvb_primitive_name( r.best ), within );
	}
	else
	{
		printf( "  shape      no box, sphere, capsule or cylinder within %.3g", within );
	}
	if ( bv_file_get_bounds( file, &bounds ) )
	{
		const bv_aabb* box = &bounds.aabb;
		printf( " (%.3g %% of the diagonal)",
		        100 * within / segment_length( ( const bv_vec3[2] ){ box->lower, box->upper } ) );
	}
	printf( "\n" );
}

// How far parts stand off, also in percent of the diagonal of a box round all of them.
static void print_parts( const bv_file* file )
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
		bv_file_get_part( file, i, &part );
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
	printf( "  parts      %s %s convex part%s: %s vertices, %s faces, volume %.6g together%s\n",
	        group( d.parts ).text, d.solid ? "solid" : "surface", plural( d.parts ), group( d.vertices ).text,
	        group( d.faces ).text, volume, d.out_of_time ? "; the search ran out of time" : "" );
	printf( "             off the shape by at most %.3g to %.3g (%.3g %% of their diagonal",
	        d.concavity.lower, d.concavity.upper, percent * d.concavity.upper );
	if ( d.tolerance > 0 )
	{
		printf( "; wanted %.3g", d.tolerance );
	}
	printf( "), uncovered by at most %.3g (%.3g %%)\n", d.uncovered, percent * d.uncovered );
}

// Sums over the levels of the hierarchy.
typedef struct level_sums
{
	uint32_t nodes[BV_MAX_DEPTH + 1];
	double volume[BV_MAX_DEPTH + 1];
	uint32_t largest_leaf;
} level_sums;

static bool add_node( void* context, const bv_node_info* node )
{
	level_sums* sums = context;
	sums->nodes[node->level] += 1;
	sums->volume[node->level] += bvb_volume_of( &node->volume );
	if ( node->children == 0 && node->triangles > sums->largest_leaf )
	{
		sums->largest_leaf = node->triangles;
	}
	return true;
}

static void print_hierarchy( const bv_file* file )
{
	bv_hierarchy_info h = bv_file_get_hierarchy( file );
	if ( h.nodes == 0 )
	{
		return;
	}
	level_sums sums = { .largest_leaf = 0 };
	bv_file_visit_nodes( file, add_node, &sums );
	printf( "  hierarchy  %s node%s, %s lea%s, depth %u, largest leaf %s triangle%s\n", group( h.nodes ).text,
	        plural( h.nodes ), group( h.leaves ).text, h.leaves == 1 ? "f" : "ves", h.depth,
	        group( sums.largest_leaf ).text, plural( sums.largest_leaf ) );

	// What a level's volumes hold together, against the root's: how fast the tree closes in on the surface.
	printf( "  levels     volume of all nodes relative to the root's:" );
	for ( uint32_t i = 0; i <= h.depth && sums.volume[0] > 0; i += 1 + h.depth / 8 )
	{
		printf( " %u: %.3g", i, sums.volume[i] / sums.volume[0] );
	}
	printf( "%s\n", sums.volume[0] > 0 ? "" : " (flat)" );
}

static void print_interval( const char* before, bv_interval i, double percent, const char* of )
{
	printf( "%s %.3g to %.3g (%.3g %%%s)", before, i.lower, i.upper, percent * i.upper, of );
}

static void print_measure( const char* name, bv_interval root, const bv_error_summary* nodes, double percent )
{
	printf( "%s", name );
	print_interval( " root", root, percent, " of its diagonal" );
	print_interval( ", mean", nodes->mean, percent, "" );
	print_interval( ", largest", nodes->max, percent, "" );
	printf( "\n" );
}

static bool get_root( void* context, const bv_node_info* node )
{
	*(bv_volume*)context = node->volume;
	return false;
}

// Distances from boxes to triangles, and in percent of the root's diagonal.
static void print_errors( const bv_file* file )
{
	bv_file_errors e;
	if ( !bv_file_get_errors( file, &e ) )
	{
		return;
	}
	bv_volume root;
	bv_file_visit_nodes( file, get_root, &root );
	double percent = 100 / bvb_diameter_of( &root );
	print_measure( "  errors     surface:", e.surface, &e.all.surface, percent );
	print_measure( "             solid:  ", e.solid, &e.all.solid, percent );

	// Each cut holds every triangle: what a query that goes no deeper would make of the mesh.
	uint32_t depth = bv_file_get_hierarchy( file ).depth;
	printf( "  cuts       mean solid error in %% of the root's diagonal:" );
	for ( uint32_t i = 0; i <= depth; i += 1 + depth / 8 )
	{
		bv_level_errors level;
		bv_file_get_level_errors( file, i, &level );
		printf( " %u: %.3g", i, percent * level.cut.solid.mean.upper );
	}
	printf( "\n" );
}

void print_summary( const char* path, const bv_file* file )
{
	bv_file_info info = bv_file_get_info( file );
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	printf( "%s: %s bytes, %.1f a triangle, format %u.%u\n", path, group( info.bytes ).text,
	        (double)info.bytes / triangles, info.version_major, info.version_minor );
	print_origin( file );
	print_mesh( file );
	print_bounds( file );
	print_hull( file );
	print_shape( file );
	print_parts( file );
	print_hierarchy( file );
	print_errors( file );
	printf( "  sections  " );
	for ( uint32_t i = 0; i < info.section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		printf( " %s%s %s", section.name, section.known ? "" : " (unknown)", group( section.bytes ).text );
	}
	printf( "\n" );
}
