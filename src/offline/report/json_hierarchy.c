// The JSON report's section on the hierarchy.

#include "bvbuild/fit.h"
#include "offline/report/json.h"
#include "runtime/file/local.h"

#include <math.h>

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

// Goldsmith and Salmon 1987: that a query which opens the root opens a node is as likely as the node's area
// is of the root's. A node's volume is compared when its parent is opened, the triangles of a leaf when that
// is, with those of a leaf that has as many.
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
	bvfile_local_visit_nodes( file, find_max_degree, &s->max_degree );
	s->nodes_of_degree = bvb_arena_allocate( arena, (size_t)s->max_degree + 1, sizeof *s->nodes_of_degree );
	if ( !s->nodes_of_degree )
	{
		return false;
	}
	bvfile_local_visit_nodes( file, gather_node, s );
	return true;
}

static void put_spread( bvreport_json_writer* w, cJSON* to, const char* key, const spread* s, uint64_t count )
{
	cJSON* item = bvreport_json_put_object( w, to, key );
	bvreport_json_put_number( w, item, "mean", s->sum / (double)count );
	bvreport_json_put_number( w, item, "max", s->max );
}

// No mean is above the largest value. Of files the upper end of a mean may be, by what was allowed for
// rounding in the sum.
static bv_interval mean_of( const bv_error_summary* summary )
{
	return ( bv_interval ){ summary->mean.lower, fmin( summary->mean.upper, summary->max.upper ) };
}

// Nulls without errors.
static void put_errors_of( bvreport_json_writer* w, cJSON* to, const char* key, const bv_errors_of* errors )
{
	static const char* const measures[] = { "surface", "solid" };
	cJSON* object = bvreport_json_put_object( w, to, key );
	for ( int i = 0; i < 2; ++i )
	{
		const bv_error_summary* summary = !errors ? NULL : i ? &errors->solid : &errors->surface;
		cJSON* measure = bvreport_json_put_object( w, object, measures[i] );
		bv_interval mean = summary ? mean_of( summary ) : ( bv_interval ){ 0, 0 };
		bvreport_json_put_interval( w, measure, "mean", summary ? &mean : NULL );
		bvreport_json_put_interval( w, measure, "max", summary ? &summary->max : NULL );
	}
}

static void append_level( bvreport_json_writer* w, cJSON* levels, const level* l,
                          const bv_level_errors* errors, const bvb_overlap* overlap, const bvb_fitness* fit )
{
	cJSON* item = bvreport_json_append( w, levels, cJSON_CreateObject() );
	bvreport_json_put_count( w, item, "nodes", l->nodes );
	bvreport_json_put_count( w, item, "leaves", l->leaves );
	bvreport_json_put_count( w, item, "triangles", l->triangles );
	put_spread( w, item, "volume", &l->volume, l->nodes );
	put_spread( w, item, "area", &l->area, l->nodes );
	put_spread( w, item, "diameter", &l->diameter, l->nodes );
	put_errors_of( w, item, "hausdorff", errors ? &errors->level : NULL );
	put_errors_of( w, item, "cut", errors ? &errors->cut : NULL );
	bvreport_json_put_overlap( w, item, overlap );
	bvreport_json_put_level_fitness( w, item, fit );
}

// Also as parts of a length.
static void put_error( bvreport_json_writer* w, cJSON* to, const char* key, const bv_interval* error,
                       double length )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	bvreport_json_put_bounds_of( w, object, error );
	bv_interval relative = { 0, 0 };
	if ( error )
	{
		relative = bvreport_json_part_of( error, length );
	}
	bvreport_json_put_interval( w, object, "relative", error ? &relative : NULL );
}

static void put_hausdorff( bvreport_json_writer* w, cJSON* hierarchy, const bv_file_errors* e,
                           const bv_volume* root )
{
	static const char* const measures[] = { "surface", "solid" };
	double length = e ? bvb_diameter_of( root ) : 0;
	cJSON* hausdorff = bvreport_json_put_object( w, hierarchy, "hausdorff" );
	for ( int i = 0; i < 2; ++i )
	{
		const bv_error_summary* all = !e ? NULL : i ? &e->all.solid : &e->all.surface;
		cJSON* measure = bvreport_json_put_object( w, hausdorff, measures[i] );
		put_error( w, measure, "root", !e ? NULL : i ? &e->solid : &e->surface, length );
		put_error( w, measure, "max", all ? &all->max : NULL, length );
		bv_interval mean = all ? mean_of( all ) : ( bv_interval ){ 0, 0 };
		put_error( w, measure, "mean", all ? &mean : NULL, length );
	}
	cJSON* tolerance = bvreport_json_put_object( w, hausdorff, "tolerance" );
	bvreport_json_put_number_or_null( w, tolerance, "relative", e ? &e->relative : NULL );
	bvreport_json_put_number_or_null( w, tolerance, "floor", e ? &e->floor : NULL );
}

// Of volumes the costs of those types that there are.
static void put_costs( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file,
                       const bv_hierarchy_info* info, double expected,
                       const bvreport_json_measures* measures )
{
	cJSON* cost = bvreport_json_put_object( w, hierarchy, "cost" );
	bvreport_json_put_number( w, cost, "expected", expected );
	bvreport_json_put_number( w, cost, "triangle_test", info->costs.triangles );
	bvreport_json_put_number( w, cost, "opening", info->costs.opening );
	bvreport_json_put_number( w, cost, "leaf", info->costs.leaf );
	cJSON* tests = bvreport_json_put_object( w, cost, "volume_test" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		cJSON* row = info->of_type[i] > 0
		                 ? bvreport_json_put_object( w, tests, bv_volume_type_name( (bv_volume_type)i ) )
		                 : NULL;
		for ( int k = 0; row && k < bv_volume_types; ++k )
		{
			if ( info->of_type[k] > 0 )
			{
				bvreport_json_put_number( w, row, bv_volume_type_name( (bv_volume_type)k ),
				                          info->costs.volumes[i][k] );
			}
		}
	}
	bvreport_json_put_contact( w, cost, file, measures->contact );
	bvreport_json_put_yardstick( w, cost, measures );
}

static void put_counts( bvreport_json_writer* w, cJSON* hierarchy, const bv_hierarchy_info* info,
                        const statistics* s )
{
	bvreport_json_put_count( w, hierarchy, "nodes", info->nodes );
	bvreport_json_put_count( w, hierarchy, "leaves", info->leaves );
	bvreport_json_put_count( w, hierarchy, "depth", info->depth );

	cJSON* degrees = bvreport_json_put_object( w, hierarchy, "degrees" );
	for ( uint32_t degree = 1; degree <= s->max_degree; ++degree )
	{
		if ( s->nodes_of_degree[degree] > 0 )
		{
			char key[bvreport_json_number_bytes];
			bvreport_json_print_count( key, degree );
			bvreport_json_put_count( w, degrees, key, s->nodes_of_degree[degree] );
		}
	}

	cJSON* types = bvreport_json_put_object( w, hierarchy, "types" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( info->of_type[i] > 0 )
		{
			bvreport_json_put_count( w, types, bv_volume_type_name( (bv_volume_type)i ), info->of_type[i] );
		}
	}
}

static void put_known( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file,
                       const bv_hierarchy_info* info, const statistics* s,
                       const bvreport_json_measures* measures )
{
	put_counts( w, hierarchy, info, s );
	put_costs( w, hierarchy, file, info, s->cost, measures );
	bvreport_json_put_volume( w, hierarchy, "root", &s->root );

	cJSON* levels = bvreport_json_put_array( w, hierarchy, "levels" );
	for ( uint32_t i = 0; i <= info->depth; ++i )
	{
		bv_level_errors errors;
		bool has_errors = bv_file_get_level_errors( file, i, &errors );
		append_level( w, levels, &s->levels[i], has_errors ? &errors : NULL,
		              measures->overlaps ? &measures->overlaps->level[i] : NULL,
		              measures->fits ? &measures->fits->level[i] : NULL );
	}
	bv_file_errors errors;
	put_hausdorff( w, hierarchy, bv_file_get_errors( file, &errors ) ? &errors : NULL, &s->root );
	bvreport_json_put_sah( w, hierarchy, file );
	bvreport_json_put_occupancy( w, hierarchy, file );
	bvreport_json_put_overlap( w, hierarchy, measures->overlaps ? &measures->overlaps->all : NULL );
	bvreport_json_put_fitness( w, hierarchy, measures->fits );
}

static void put_nulls( bvreport_json_writer* w, cJSON* hierarchy, const bv_file* file )
{
	static const char* const names[] = { "nodes", "leaves", "depth", "degrees", "types" };
	static const char* const costs[] = { "expected", "triangle_test", "opening", "leaf", "volume_test" };
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		bvreport_json_put_null( w, hierarchy, names[i] );
	}
	cJSON* cost = bvreport_json_put_object( w, hierarchy, "cost" );
	for ( size_t i = 0; i < sizeof costs / sizeof *costs; ++i )
	{
		bvreport_json_put_null( w, cost, costs[i] );
	}
	bvreport_json_put_contact( w, cost, file, NULL );
	bvreport_json_put_yardstick( w, cost, &( bvreport_json_measures ){ 0 } );
	bvreport_json_put_null( w, hierarchy, "root" );
	bvreport_json_put_null( w, hierarchy, "levels" );
	put_hausdorff( w, hierarchy, NULL, NULL );
	bvreport_json_put_sah( w, hierarchy, file );
	bvreport_json_put_occupancy( w, hierarchy, file );
	bvreport_json_put_overlap( w, hierarchy, NULL );
	bvreport_json_put_fitness( w, hierarchy, NULL );
}

void bvreport_json_put_nodes( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                              const bvreport_json_measures* measures )
{
	cJSON* hierarchy = bvreport_json_put_object( w, report, "hierarchy" );
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	if ( info.nodes == 0 )
	{
		put_nulls( w, hierarchy, file );
		return;
	}
	statistics s;
	if ( !gather( file, w->arena, &s ) )
	{
		w->failed = true;
		return;
	}
	put_known( w, hierarchy, file, &info, &s, measures );
}
