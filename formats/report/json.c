// The report of a file as JSON. The keys are listed in README.md beside this file.
//
// A tree of cJSON items is built and printed. Every step may run out of memory: a failed step gives a null
// item, all later steps on it fail too, and the flag is looked at once, at the end.

#include "base/offline/error.h"
#include "base/offline/number.h"
#include "bvbuild/fit.h"
#include "bvbuild/recognise.h"
#include "bvbuild/report.h"

#include <cjson/cJSON.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Items being added, and whether one of them could not be.
typedef struct writer
{
	bvb_arena* arena;
	bool failed;
} writer;

static cJSON* checked( writer* w, cJSON* item )
{
	w->failed |= !item;
	return item;
}

static cJSON* put_object( writer* w, cJSON* to, const char* key )
{
	return checked( w, cJSON_AddObjectToObject( to, key ) );
}

static cJSON* put_array( writer* w, cJSON* to, const char* key )
{
	return checked( w, cJSON_AddArrayToObject( to, key ) );
}

// Appends to an array.
static cJSON* append( writer* w, cJSON* array, cJSON* item )
{
	if ( !cJSON_AddItemToArray( array, item ) )
	{
		cJSON_Delete( item );
		item = NULL;
	}
	return checked( w, item );
}

static void put_null( writer* w, cJSON* to, const char* key )
{
	checked( w, cJSON_AddNullToObject( to, key ) );
}

static void put_bool( writer* w, cJSON* to, const char* key, bool value )
{
	checked( w, cJSON_AddBoolToObject( to, key, value ) );
}

static void put_string( writer* w, cJSON* to, const char* key, const char* value )
{
	checked( w, cJSON_AddStringToObject( to, key, value ) );
}

static void put_text( writer* w, cJSON* to, const char* key, bv_text text )
{
	char* copy = bvb_arena_allocate( w->arena, text.length + 1, 1 );
	if ( !copy )
	{
		w->failed = true;
		return;
	}
	if ( text.length )
	{
		memcpy( copy, text.data, text.length );
	}
	put_string( w, to, key, copy );
}

// cJSON would take 0.3 for 0.1 + 0.2, and a count for a binary64 number. Both are therefore printed here.
enum
{
	number_bytes = BVB_NUMBER_BYTES,
};

static void print_count( char text[number_bytes], uint64_t value )
{
	snprintf( text, number_bytes, "%" PRIu64, value );
}

// JSON has no infinities.
static void print_number( char text[number_bytes], double value )
{
	if ( !isfinite( value ) )
	{
		snprintf( text, number_bytes, "null" );
		return;
	}
	bvb_print_number( text, value );
}

static void put_count( writer* w, cJSON* to, const char* key, uint64_t value )
{
	char text[number_bytes];
	print_count( text, value );
	checked( w, cJSON_AddRawToObject( to, key, text ) );
}

static void put_number( writer* w, cJSON* to, const char* key, double value )
{
	char text[number_bytes];
	print_number( text, value );
	checked( w, cJSON_AddRawToObject( to, key, text ) );
}

static void put_number_or_null( writer* w, cJSON* to, const char* key, const double* value )
{
	if ( value )
	{
		put_number( w, to, key, *value );
	}
	else
	{
		put_null( w, to, key );
	}
}

static void append_numbers( writer* w, cJSON* array, const double* value, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		char text[number_bytes];
		print_number( text, value[i] );
		append( w, array, cJSON_CreateRaw( text ) );
	}
}

static void put_vec3( writer* w, cJSON* to, const char* key, bv_vec3 v )
{
	append_numbers( w, put_array( w, to, key ), ( const double[3] ){ v.x, v.y, v.z }, 3 );
}

static void append_row( writer* w, cJSON* rows, const double row[3] )
{
	append_numbers( w, append( w, rows, cJSON_CreateArray() ), row, 3 );
}

// The name and the version of the program that wrote the file are one text with a space before the version.
// The options that shaped the file, name=value a line, as an object of strings.
static void put_parameters( writer* w, cJSON* tool, bv_text lines )
{
	cJSON* parameters = put_object( w, tool, "parameters" );
	for ( size_t i = 0; i < lines.length; )
	{
		const char* line = lines.data + i;
		const char* end = memchr( line, '\n', lines.length - i );
		size_t length = end ? (size_t)( end - line ) : lines.length - i;
		const char* equals = memchr( line, '=', length );
		size_t name_length = equals ? (size_t)( equals - line ) : length;
		char* name = bvb_arena_allocate( w->arena, name_length + 1, 1 );
		w->failed |= !name;
		if ( name )
		{
			size_t skipped = equals ? name_length + 1 : length;
			memcpy( name, line, name_length );
			put_text( w, parameters, name, ( bv_text ){ line + skipped, length - skipped } );
		}
		i += length + 1;
	}
}

static void put_tool( writer* w, cJSON* report, bv_text tool, bv_text parameters )
{
	size_t start = tool.length;
	while ( start > 0 && tool.data[start - 1] != ' ' )
	{
		--start;
	}
	bv_text version = { .data = tool.data + start, .length = tool.length - start };
	cJSON* object = put_object( w, report, "tool" );
	put_text( w, object, "version", version );
	put_parameters( w, object, parameters );
}

static void put_source( writer* w, cJSON* report, const bv_file_origin* origin )
{
	char hash[2 * sizeof origin->source_hash + 1];
	for ( size_t i = 0; i < sizeof origin->source_hash; ++i )
	{
		snprintf( hash + 2 * i, 3, "%02x", (unsigned)origin->source_hash[i] );
	}

	cJSON* source = put_object( w, report, "source" );
	put_text( w, source, "name", origin->source_name );
	put_text( w, source, "format", origin->source_format );
	put_string( w, source, "hash", hash );
}

// Centre, inertia and principal axes of a body; null without one.
static void put_body( writer* w, cJSON* to, const bv_mass* mass )
{
	if ( !mass )
	{
		put_null( w, to, "center_of_mass" );
		put_null( w, to, "inertia" );
		put_null( w, to, "principal" );
		return;
	}
	put_vec3( w, to, "center_of_mass", mass->center_of_mass );
	cJSON* inertia = put_array( w, to, "inertia" );
	for ( int i = 0; i < 3; ++i )
	{
		append_row( w, inertia, mass->inertia[i] );
	}
	double moments[3];
	bv_vec3 axis[3];
	bvb_principal_axes( mass, moments, axis );
	cJSON* principal = put_object( w, to, "principal" );
	append_numbers( w, put_array( w, principal, "moments" ), moments, 3 );
	cJSON* axes = put_array( w, principal, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

static const bv_mass* get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass )
{
	return bv_file_get_mass( file, of, mass ) ? mass : NULL;
}

static void put_edges( writer* w, cJSON* mesh, const bv_mesh_info* info )
{
	static const char* const names[bv_edge_kinds] = { "convex",   "concave", "flat",
		                                              "boundary", "flipped", "non_manifold" };
	cJSON* edges = put_object( w, mesh, "edges_of_kind" );
	for ( int i = 0; i < bv_edge_kinds; ++i )
	{
		put_count( w, edges, names[i], info->edges_of_kind[i] );
	}
}

static void put_mesh( writer* w, cJSON* report, const bv_file* file, const bv_mesh_info* info )
{
	cJSON* mesh = put_object( w, report, "mesh" );
	put_count( w, mesh, "triangles", info->triangles );
	put_count( w, mesh, "vertices", info->vertices );
	put_count( w, mesh, "edges", info->edges );
	put_edges( w, mesh, info );
	put_count( w, mesh, "components", info->components );
	put_bool( w, mesh, "closed", info->closed );
	put_bool( w, mesh, "manifold", info->manifold );
	put_bool( w, mesh, "oriented", info->oriented );
	put_count( w, mesh, "double_sided", info->double_sided );

	cJSON* removed = put_object( w, mesh, "removed" );
	put_count( w, removed, "degenerate", info->removed_degenerate );
	put_count( w, removed, "duplicate", info->removed_duplicate );
	put_count( w, removed, "non_finite", info->removed_non_finite );
	put_count( w, removed, "unused_vertices", info->unused_vertices );
	put_count( w, removed, "merged_vertices", info->merged_vertices );

	bv_mass mass;
	const bv_mass* solid = get_mass( file, bv_mass_of_solid, &mass );
	put_number_or_null( w, mesh, "volume", solid ? &solid->mass : NULL );
	put_number( w, mesh, "area", info->area );
	put_body( w, mesh, solid );
	put_body( w, put_object( w, mesh, "surface" ), get_mass( file, bv_mass_of_surface, &mass ) );
	put_number( w, mesh, "largest_displacement", info->largest_displacement );
}

static void put_axes( writer* w, cJSON* to, const bv_vec3 axis[3] )
{
	cJSON* axes = put_array( w, to, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

static cJSON* put_obb( writer* w, cJSON* to, const char* key, const bv_obb* box )
{
	cJSON* obb = put_object( w, to, key );
	put_vec3( w, obb, "center", box->center );
	put_axes( w, obb, box->axis );
	append_numbers( w, put_array( w, obb, "half_extents" ), box->half_extents, 3 );
	put_number( w, obb, "volume", bv_obb_volume( box ) );
	return obb;
}

static void put_kdop( writer* w, cJSON* to, const char* key, const bv_kdop* kdop )
{
	cJSON* object = put_object( w, to, key );
	put_number( w, object, "k", kdop->k );
	append_numbers( w, put_array( w, object, "lower" ), kdop->lower, BV_KDOP_DIRECTIONS );
	append_numbers( w, put_array( w, object, "upper" ), kdop->upper, BV_KDOP_DIRECTIONS );
	put_number( w, object, "volume", bvb_kdop_volume( kdop ) );
}

static cJSON* put_sphere( writer* w, cJSON* to, const char* key, const bv_sphere* ball )
{
	cJSON* sphere = put_object( w, to, key );
	put_vec3( w, sphere, "center", ball->center );
	put_number( w, sphere, "radius", ball->radius );
	put_number( w, sphere, "volume", bv_sphere_volume( ball ) );
	return sphere;
}

// A segment with a radius: a capsule or a cylinder.
static cJSON* put_thick_segment( writer* w, cJSON* to, const char* key, const bv_vec3 ends[2], double radius,
                                 double volume )
{
	cJSON* object = put_object( w, to, key );
	cJSON* array = put_array( w, object, "ends" );
	for ( int i = 0; i < 2; ++i )
	{
		append_row( w, array, ( const double[3] ){ ends[i].x, ends[i].y, ends[i].z } );
	}
	put_number( w, object, "radius", radius );
	put_number( w, object, "volume", volume );
	return object;
}

static cJSON* put_capsule( writer* w, cJSON* to, const bv_capsule* capsule )
{
	return put_thick_segment( w, to, "capsule", capsule->ends, capsule->radius,
	                          bv_capsule_volume( capsule ) );
}

static void put_rss( writer* w, cJSON* to, const char* key, const bv_rss* rss )
{
	cJSON* object = put_object( w, to, key );
	put_vec3( w, object, "center", rss->center );
	put_axes( w, object, rss->axis );
	append_numbers( w, put_array( w, object, "half_extents" ), rss->half_extents, 2 );
	put_number( w, object, "radius", rss->radius );
	put_number( w, object, "volume", bv_rss_volume( rss ) );
}

static void put_aabb( writer* w, cJSON* to, const char* key, const bv_aabb* box )
{
	cJSON* aabb = put_object( w, to, key );
	put_vec3( w, aabb, "lower", box->lower );
	put_vec3( w, aabb, "upper", box->upper );
	put_number( w, aabb, "volume", bv_aabb_volume( box ) );
}

static void put_node_volume( writer* w, cJSON* to, const char* key, const bv_volume* volume )
{
	switch ( volume->type )
	{
	case bv_volume_obb: put_obb( w, to, key, &volume->obb ); break;
	case bv_volume_aabb: put_aabb( w, to, key, &volume->aabb ); break;
	case bv_volume_sphere: put_sphere( w, to, key, &volume->sphere ); break;
	case bv_volume_rss: put_rss( w, to, key, &volume->rss ); break;
	default: put_kdop( w, to, key, &volume->kdop ); break;
	}
}

// Nulls without volumes.
static void put_bounds( writer* w, cJSON* report, const bv_file_bounds* volumes )
{
	static const char* const names[] = { "aabb", "sphere", "obb", "kdop", "capsule", "rss" };
	cJSON* bounds = put_object( w, report, "bounds" );
	for ( size_t i = 0; !volumes && i < sizeof names / sizeof *names; ++i )
	{
		put_null( w, bounds, names[i] );
	}
	if ( volumes )
	{
		put_aabb( w, bounds, "aabb", &volumes->aabb );
		put_sphere( w, bounds, "sphere", &volumes->sphere );
		put_obb( w, bounds, "obb", &volumes->obb );
		put_kdop( w, bounds, "kdop", &volumes->kdop );
		put_capsule( w, bounds, &volumes->capsule );
		put_rss( w, bounds, "rss", &volumes->rss );
	}
}

static void put_count_or_null( writer* w, cJSON* to, const char* key, bool known, uint64_t value )
{
	if ( known )
	{
		put_count( w, to, key, value );
	}
	else
	{
		put_null( w, to, key );
	}
}

static void put_hull( writer* w, cJSON* report, const bv_file* file, const bv_hull_info* info )
{
	cJSON* hull = put_object( w, report, "hull" );
	bool known = info->vertices > 0;
	put_count_or_null( w, hull, "vertices", known, info->vertices );
	put_count_or_null( w, hull, "faces", known, info->faces );
	put_number_or_null( w, hull, "volume", known ? &info->volume : NULL );
	bv_hull_topology_info topology = bv_file_get_hull_topology( file );
	put_count_or_null( w, hull, "polygons", topology.polygons > 0, topology.polygons );
	put_count_or_null( w, hull, "edges", topology.polygons > 0, topology.half_edges / 2 );
	bv_mass mass;
	put_body( w, hull, get_mass( file, bv_mass_of_hull, &mass ) );
}

// Nulls without an interval.
static void put_bounds_of( writer* w, cJSON* to, const bv_interval* interval )
{
	put_number_or_null( w, to, "lower", interval ? &interval->lower : NULL );
	put_number_or_null( w, to, "upper", interval ? &interval->upper : NULL );
}

static void put_interval( writer* w, cJSON* to, const char* key, const bv_interval* interval )
{
	put_bounds_of( w, put_object( w, to, key ), interval );
}

static cJSON* put_volume( writer* w, cJSON* to, const bv_primitive* p )
{
	const bv_cylinder* cylinder = &p->cylinder;
	switch ( p->kind )
	{
	case bv_primitive_box: return put_obb( w, to, "box", &p->box );
	case bv_primitive_sphere: return put_sphere( w, to, "sphere", &p->sphere );
	case bv_primitive_capsule: return put_capsule( w, to, &p->capsule );
	default:
		return put_thick_segment( w, to, "cylinder", cylinder->ends, cylinder->radius,
		                          bv_cylinder_volume( cylinder ) );
	}
}

static void put_recognised( writer* w, cJSON* report, const bv_file* file )
{
	bv_recognised r = { .best = bv_primitive_kinds };
	bool tried = bv_file_get_recognised( file, &r );
	cJSON* recognised = put_object( w, report, "recognised" );
	if ( r.best != bv_primitive_kinds )
	{
		put_string( w, recognised, "best", bvb_primitive_name( r.best ) );
	}
	else
	{
		put_null( w, recognised, "best" );
	}
	put_number_or_null( w, recognised, "tolerance", tried ? &r.tolerance : NULL );
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		bv_primitive p;
		if ( !bv_file_get_primitive( file, (bv_primitive_kind)i, &p ) )
		{
			put_null( w, recognised, bvb_primitive_name( (bv_primitive_kind)i ) );
			continue;
		}
		cJSON* volume = put_volume( w, recognised, &p );
		put_interval( w, volume, "error", &p.error );
		put_interval( w, volume, "from_surface", &p.from_surface );
		put_interval( w, volume, "from_mesh", &p.from_mesh );
	}
}

static void append_part( writer* w, cJSON* hulls, const bv_file* file, uint32_t index, const bv_part* part )
{
	const uint32_t* place;
	cJSON* item = append( w, hulls, cJSON_CreateObject() );
	put_count( w, item, "vertices", part->vertices );
	put_count( w, item, "faces", part->faces );
	put_number( w, item, "volume", part->mass.mass );
	put_vec3( w, item, "center_of_mass", part->mass.center_of_mass );
	put_interval( w, item, "concavity", &part->concavity );
	put_count( w, item, "neighbors", bv_file_get_part_neighbors( file, index, &place ) );
	bool known = bv_file_get_decomposition( file ).has_triangles;
	put_count_or_null( w, item, "triangles", known, bv_file_get_part_triangles( file, index, &place ) );
}

// An array of all parts. Their volumes are summed up with what parts have in common counted more than once.
static void put_parts( writer* w, cJSON* decomposition, const bv_file* file, uint32_t parts )
{
	double volume = 0;
	cJSON* hulls = put_array( w, decomposition, "hulls" );
	for ( uint32_t i = 0; i < parts; ++i )
	{
		bv_part part;
		bv_file_get_part( file, i, &part );
		append_part( w, hulls, file, i, &part );
		volume += part.mass.mass;
	}
	put_number( w, decomposition, "volume", volume );
}

// Nulls without parts.
static void put_decomposition( writer* w, cJSON* report, const bv_file* file )
{
	bv_decomposition_info info = bv_file_get_decomposition( file );
	bool known = info.parts > 0;
	cJSON* decomposition = put_object( w, report, "decomposition" );
	put_count_or_null( w, decomposition, "parts", known, info.parts );
	put_number_or_null( w, decomposition, "tolerance", known ? &info.tolerance : NULL );
	put_interval( w, decomposition, "concavity", known ? &info.concavity : NULL );
	put_count_or_null( w, decomposition, "vertices", known, info.vertices );
	put_count_or_null( w, decomposition, "faces", known, info.faces );
	put_number_or_null( w, decomposition, "uncovered", known ? &info.uncovered : NULL );
	if ( known )
	{
		put_string( w, decomposition, "mode", info.solid ? "solid" : "surface" );
		put_bool( w, decomposition, "out_of_time", info.out_of_time );
		put_parts( w, decomposition, file, info.parts );
	}
	else
	{
		put_null( w, decomposition, "mode" );
		put_null( w, decomposition, "out_of_time" );
		put_null( w, decomposition, "hulls" );
		put_null( w, decomposition, "volume" );
	}
}

// A quantity of the nodes of one level.
typedef struct spread
{
	double sum;
	double max;
} spread;

static void widen( spread* s, double value )
{
	s->sum += value;
	s->max = value > s->max ? value : s->max;
}

typedef struct level
{
	uint64_t nodes;
	uint64_t leaves;
	uint64_t triangles;
	spread volume;
	spread area;
	spread diameter;
} level;

// What one visit of all nodes gathers.
typedef struct statistics
{
	level levels[BV_MAX_DEPTH + 1];
	uint64_t* nodes_of_degree; // inner nodes by number of children, up to max_degree
	uint32_t max_degree;
	bv_volume root;
	bv_hierarchy_info info;
	double share[BV_MAX_DEPTH + 1]; // of the queries that open the node visited last on each level
	double cost;                    // expected, of a query
} statistics;

static bool find_max_degree( void* context, const bv_node_info* node )
{
	uint32_t* max_degree = context;
	*max_degree = node->children > *max_degree ? node->children : *max_degree;
	return true;
}

// What a test of such a volume costs, in the mean over the types that there are.
static double cost_of_test( const bv_hierarchy_info* info, bv_volume_type type )
{
	double sum = 0;
	int types = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		sum += info->of_type[i] > 0 ? info->costs.volumes[type][i] : 0;
		types += info->of_type[i] > 0;
	}
	return sum / types;
}

// Goldsmith and Salmon 1987: that a query which opens the root opens a node is as likely as the node's area is of the
// root's. A node's volume is compared when its parent is opened, the triangles of a leaf when that is, with those of a leaf
// that has as many.
static void add_cost( statistics* s, const bv_node_info* node )
{
	double area = bvb_area_of( &node->volume );
	double root = bvb_area_of( &s->root );
	double parent = node->level > 0 ? s->share[node->level - 1] : 1;
	s->share[node->level] = root > 0 ? area / root : 1;
	s->cost += parent * cost_of_test( &s->info, node->volume.type );
	double triangles = node->triangles;
	s->cost += s->share[node->level] *
	           ( node->children > 0 ? s->info.costs.opening
	                                : s->info.costs.leaf + triangles * triangles * s->info.costs.triangles );
}

static bool gather_node( void* context, const bv_node_info* node )
{
	statistics* s = context;
	level* l = &s->levels[node->level];
	++l->nodes;
	l->leaves += node->children == 0;
	l->triangles += node->triangles;
	widen( &l->volume, bvb_volume_of( &node->volume ) );
	widen( &l->area, bvb_area_of( &node->volume ) );
	widen( &l->diameter, bvb_diameter_of( &node->volume ) );

	if ( node->children > 0 )
	{
		++s->nodes_of_degree[node->children];
	}
	if ( node->level == 0 )
	{
		s->root = node->volume;
	}
	add_cost( s, node );
	return true;
}

static bool gather( const bv_file* file, bvb_arena* arena, statistics* s )
{
	*s = ( statistics ){ .info = bv_file_get_hierarchy( file ) };
	bv_file_visit_nodes( file, find_max_degree, &s->max_degree );
	s->nodes_of_degree = bvb_arena_allocate( arena, (size_t)s->max_degree + 1, sizeof *s->nodes_of_degree );
	if ( !s->nodes_of_degree )
	{
		return false;
	}
	bv_file_visit_nodes( file, gather_node, s );
	return true;
}

static void put_spread( writer* w, cJSON* to, const char* key, const spread* s, uint64_t count )
{
	cJSON* item = put_object( w, to, key );
	put_number( w, item, "mean", s->sum / (double)count );
	put_number( w, item, "max", s->max );
}

// Nulls without errors.
static void put_errors_of( writer* w, cJSON* to, const char* key, const bv_errors_of* errors )
{
	static const char* const measures[] = { "surface", "solid" };
	cJSON* object = put_object( w, to, key );
	for ( int i = 0; i < 2; ++i )
	{
		const bv_error_summary* summary = !errors ? NULL : i ? &errors->solid : &errors->surface;
		cJSON* measure = put_object( w, object, measures[i] );
		put_interval( w, measure, "mean", summary ? &summary->mean : NULL );
		put_interval( w, measure, "max", summary ? &summary->max : NULL );
	}
}

static void append_level( writer* w, cJSON* levels, const level* l, const bv_level_errors* errors )
{
	cJSON* item = append( w, levels, cJSON_CreateObject() );
	put_count( w, item, "nodes", l->nodes );
	put_count( w, item, "leaves", l->leaves );
	put_count( w, item, "triangles", l->triangles );
	put_spread( w, item, "volume", &l->volume, l->nodes );
	put_spread( w, item, "area", &l->area, l->nodes );
	put_spread( w, item, "diameter", &l->diameter, l->nodes );
	put_errors_of( w, item, "hausdorff", errors ? &errors->level : NULL );
	put_errors_of( w, item, "cut", errors ? &errors->cut : NULL );
}

// Also as parts of a length.
static void put_error( writer* w, cJSON* to, const char* key, const bv_interval* error, double length )
{
	cJSON* object = put_object( w, to, key );
	put_bounds_of( w, object, error );
	bv_interval relative = { 0, 0 };
	if ( error )
	{
		relative = ( bv_interval ){ error->lower / length, error->upper / length };
	}
	put_interval( w, object, "relative", error ? &relative : NULL );
}

static void put_hausdorff( writer* w, cJSON* hierarchy, const bv_file_errors* e, const bv_volume* root )
{
	static const char* const measures[] = { "surface", "solid" };
	double length = e ? bvb_diameter_of( root ) : 0;
	cJSON* hausdorff = put_object( w, hierarchy, "hausdorff" );
	for ( int i = 0; i < 2; ++i )
	{
		const bv_error_summary* all = !e ? NULL : i ? &e->all.solid : &e->all.surface;
		cJSON* measure = put_object( w, hausdorff, measures[i] );
		put_error( w, measure, "root", !e ? NULL : i ? &e->solid : &e->surface, length );
		put_error( w, measure, "max", all ? &all->max : NULL, length );
		put_error( w, measure, "mean", all ? &all->mean : NULL, length );
	}
	cJSON* tolerance = put_object( w, hausdorff, "tolerance" );
	put_number_or_null( w, tolerance, "relative", e ? &e->relative : NULL );
	put_number_or_null( w, tolerance, "floor", e ? &e->floor : NULL );
}

// Of volumes the costs of those types that there are.
static void put_costs( writer* w, cJSON* hierarchy, const bv_hierarchy_info* info, double expected )
{
	cJSON* cost = put_object( w, hierarchy, "cost" );
	put_number( w, cost, "expected", expected );
	put_number( w, cost, "triangle_test", info->costs.triangles );
	put_number( w, cost, "opening", info->costs.opening );
	put_number( w, cost, "leaf", info->costs.leaf );
	cJSON* tests = put_object( w, cost, "volume_test" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		cJSON* row =
			info->of_type[i] > 0 ? put_object( w, tests, bv_volume_type_name( (bv_volume_type)i ) ) : NULL;
		for ( int k = 0; row && k < bv_volume_types; ++k )
		{
			if ( info->of_type[k] > 0 )
			{
				put_number( w, row, bv_volume_type_name( (bv_volume_type)k ), info->costs.volumes[i][k] );
			}
		}
	}
}

static void put_hierarchy( writer* w, cJSON* report, const bv_file* file, const bv_hierarchy_info* info,
                           const statistics* s )
{
	cJSON* hierarchy = put_object( w, report, "hierarchy" );
	put_count( w, hierarchy, "nodes", info->nodes );
	put_count( w, hierarchy, "leaves", info->leaves );
	put_count( w, hierarchy, "depth", info->depth );

	cJSON* degrees = put_object( w, hierarchy, "degrees" );
	for ( uint32_t degree = 1; degree <= s->max_degree; ++degree )
	{
		if ( s->nodes_of_degree[degree] > 0 )
		{
			char key[number_bytes];
			print_count( key, degree );
			put_count( w, degrees, key, s->nodes_of_degree[degree] );
		}
	}

	cJSON* types = put_object( w, hierarchy, "types" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( info->of_type[i] > 0 )
		{
			put_count( w, types, bv_volume_type_name( (bv_volume_type)i ), info->of_type[i] );
		}
	}
	put_costs( w, hierarchy, info, s->cost );
	put_node_volume( w, hierarchy, "root", &s->root );

	cJSON* levels = put_array( w, hierarchy, "levels" );
	for ( uint32_t i = 0; i <= info->depth; ++i )
	{
		bv_level_errors errors;
		bool has_errors = bv_file_get_level_errors( file, i, &errors );
		append_level( w, levels, &s->levels[i], has_errors ? &errors : NULL );
	}
	bv_file_errors errors;
	put_hausdorff( w, hierarchy, bv_file_get_errors( file, &errors ) ? &errors : NULL, &s->root );
}

static void put_file( writer* w, cJSON* report, const bv_file* file, uint32_t triangles )
{
	bv_file_info info = bv_file_get_info( file );
	cJSON* item = put_object( w, report, "file" );
	put_count( w, item, "bytes", info.bytes );
	put_number( w, item, "bytes_per_triangle", (double)info.bytes / triangles );

	cJSON* sections = put_array( w, item, "sections" );
	for ( uint32_t i = 0; i < info.section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		cJSON* entry = append( w, sections, cJSON_CreateObject() );
		put_string( w, entry, "name", section.name );
		put_count( w, entry, "version", section.version );
		put_bool( w, entry, "required", section.required );
		put_bool( w, entry, "known", section.known );
		put_count( w, entry, "bytes", section.bytes );
	}
}

static void put_build( writer* w, cJSON* report, const bvb_report_build* build )
{
	cJSON* time = put_object( w, report, "time" );
	put_number( w, time, "import", build->import_seconds );
	put_number( w, time, "record", build->stages.record );
	put_number( w, time, "hierarchy", build->stages.hierarchy );
	put_number( w, time, "topology", build->stages.topology );
	put_number( w, time, "hull", build->stages.hull );
	put_number( w, time, "mass", build->stages.mass );
	put_number( w, time, "fit", build->stages.fit );
	put_number( w, time, "hausdorff", build->stages.hausdorff );
	put_number( w, time, "recognise", build->stages.recognise );
	put_number( w, time, "decompose", build->stages.decompose );
	put_number( w, time, "write", build->write_seconds );
	put_number( w, time, "total", build->total_seconds );

	put_count( w, put_object( w, report, "memory" ), "peak", build->peak_memory );
}

static void put_no_hierarchy( writer* w, cJSON* report )
{
	static const char* const names[] = { "nodes", "leaves", "depth", "degrees", "types" };
	static const char* const costs[] = { "expected", "triangle_test", "opening", "leaf", "volume_test" };
	cJSON* hierarchy = put_object( w, report, "hierarchy" );
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		put_null( w, hierarchy, names[i] );
	}
	cJSON* cost = put_object( w, hierarchy, "cost" );
	for ( size_t i = 0; i < sizeof costs / sizeof *costs; ++i )
	{
		put_null( w, cost, costs[i] );
	}
	put_null( w, hierarchy, "root" );
	put_null( w, hierarchy, "levels" );
	put_hausdorff( w, hierarchy, NULL, NULL );
}

static void put_report( writer* w, cJSON* report, const bv_file* file, const bvb_report_build* build,
                        const statistics* s )
{
	bv_file_origin origin = bv_file_get_origin( file );
	bv_mesh_info mesh = bv_file_get_mesh( file );
	bv_file_bounds bounds;
	bool has_bounds = bv_file_get_bounds( file, &bounds );
	bv_hull_info hull = bv_file_get_hull( file );
	bv_hierarchy_info hierarchy = bv_file_get_hierarchy( file );

	put_string( w, report, "schema", "bvbuild-report/1" );
	put_tool( w, report, origin.tool, origin.parameters );
	put_source( w, report, &origin );
	put_mesh( w, report, file, &mesh );
	put_bounds( w, report, has_bounds ? &bounds : NULL );
	put_hull( w, report, file, &hull );
	put_recognised( w, report, file );
	put_decomposition( w, report, file );
	if ( hierarchy.nodes > 0 )
	{
		put_hierarchy( w, report, file, &hierarchy, s );
	}
	else
	{
		put_no_hierarchy( w, report );
	}
	put_file( w, report, file, mesh.triangles );
	if ( build )
	{
		put_build( w, report, build );
	}
}

bv_status bvb_report_json( const bv_file* file, const bvb_report_build* build, bvb_arena* arena, char** text,
                           bvb_error* error )
{
	*text = NULL;
	statistics s;
	if ( !gather( file, arena, &s ) )
	{
		return bvb_fail_memory( error );
	}

	writer w = { .arena = arena };
	cJSON* report = checked( &w, cJSON_CreateObject() );
	put_report( &w, report, file, build, &s );
	char* printed = w.failed ? NULL : cJSON_Print( report );
	cJSON_Delete( report );
	if ( !printed )
	{
		return bvb_fail_memory( error );
	}

	size_t length = strlen( printed );
	char* copy = bvb_arena_allocate( arena, length + 2, 1 );
	if ( copy )
	{
		memcpy( copy, printed, length );
		copy[length] = '\n';
	}
	cJSON_free( printed );
	if ( !copy )
	{
		return bvb_fail_memory( error );
	}
	*text = copy;
	return bv_ok;
}
