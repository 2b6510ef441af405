// What the 3D view gets of a file: read back from the page and compared with the file itself, node by node and triangle by
// triangle, and thinning by brute force.

#include "parts.h"
#include "support.h"

#include "offline/report/html/thin.h"
#include "offline/report/html/view.h"

#include <stdio.h>

#include <cjson/cJSON.h>

// The JSON in what bvhtml_view writes; to be deleted.
static cJSON* view_of( fixture* f, const bv_file* file )
{
	bvexport_output out = { 0 };
	bvb_error error = { "" };
	if ( bvhtml_view( &out, file, NULL, f->arena, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	assert_false( out.failed );
	bvexport_output_bytes( &out, "", 1 );
	const char* begin = strstr( out.data, "id=\"view-data\">" );
	assert_non_null( begin );
	begin = strchr( begin, '>' ) + 1;
	const char* end = strstr( begin, "</script>" );
	assert_non_null( end );
	cJSON* json = cJSON_ParseWithLength( begin, (size_t)( end - begin ) );
	assert_non_null( json );
	free( out.data );
	return json;
}

static const cJSON* at( const cJSON* object, const char* path )
{
	char name[32];
	while ( *path )
	{
		size_t length = strcspn( path, "." );
		snprintf( name, sizeof name, "%.*s", (int)length, path );
		object = cJSON_GetObjectItemCaseSensitive( object, name );
		path += length + ( path[length] == '.' );
	}
	assert_non_null( object );
	return object;
}

static uint32_t count_at( const cJSON* object, const char* path )
{
	const cJSON* item = at( object, path );
	assert_true( cJSON_IsNumber( item ) );
	return (uint32_t)item->valuedouble;
}

static uint32_t digit_of( char c )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char* found = strchr( digits, c );
	assert_true( c && found );
	return (uint32_t)( found - digits );
}

// An array of numbers, as bytes.
// @param bytes  receives how many there are
static const void* array_at( fixture* f, const cJSON* object, const char* path, const char* type,
                             size_t* bytes )
{
	const char* text = cJSON_GetStringValue( at( at( object, path ), type ) );
	size_t length = strlen( text );
	uint8_t* out = bvb_arena_allocate( f->arena, length + 3, 1 );
	assert_int_equal( length % 4, 0 );
	*bytes = 0;
	for ( size_t i = 0; i < length; i += 4 )
	{
		int padding = ( text[i + 3] == '=' ) + ( text[i + 2] == '=' );
		uint32_t group = digit_of( text[i] ) << 18 | digit_of( text[i + 1] ) << 12 |
		                 ( padding < 2 ? digit_of( text[i + 2] ) << 6 : 0 ) |
		                 ( padding < 1 ? digit_of( text[i + 3] ) : 0 );
		out[( *bytes )++] = (uint8_t)( group >> 16 );
		out[*bytes] = (uint8_t)( group >> 8 );
		*bytes += padding < 2;
		out[*bytes] = (uint8_t)group;
		*bytes += padding < 1;
	}
	return out;
}

static const uint32_t* words_at( fixture* f, const cJSON* object, const char* path, size_t count )
{
	size_t bytes;
	const void* words = array_at( f, object, path, "u32", &bytes );
	assert_int_equal( bytes, count * sizeof( uint32_t ) );
	return words;
}

// In mesh units, from the grid.
static bv_vec3 point_at( const cJSON* view, const uint16_t* steps )
{
	const cJSON* center = at( view, "center" );
	double scale = at( view, "scale" )->valuedouble;
	double p[3];
	for ( int i = 0; i < 3; ++i )
	{
		p[i] = cJSON_GetArrayItem( center, i )->valuedouble + scale * ( steps[i] / 32767.5 - 1 );
	}
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

static double largest_difference( bv_vec3 a, bv_vec3 b )
{
	return fmax( fabs( a.x - b.x ), fmax( fabs( a.y - b.y ), fabs( a.z - b.z ) ) );
}

// The grid has 65,536 steps over the largest extent, which is 4 here.
static void positions_are_half_a_step_off_at_most( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = bumpy_ball( f, 12 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x = 2 * mesh.positions[i].x + 1000;
	}
	const bv_file* file = build_file( f, &mesh, &options );
	cJSON* view = view_of( f, file );
	bv_mesh_info info = bv_file_get_mesh( file );
	bv_file_bounds bounds;
	assert_true( bv_file_get_bounds( file, &bounds ) );
	double extent = bounds.aabb.upper.x - bounds.aabb.lower.x;
	size_t bytes;
	const uint16_t* steps = array_at( f, view, "mesh.positions", "u16", &bytes );
	assert_int_equal( bytes, 6 * info.vertices );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		bv_vec3 p = point_at( view, steps + 3 * i );
		assert_true( largest_difference( p, bv_file_get_vertex( file, i ) ) <= 0.5001 * extent / 65535 );
	}
	const uint16_t* corners = array_at( f, view, "mesh.corners", "u16", &bytes );
	assert_int_equal( bytes, 6 * info.triangles );
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			assert_int_equal( corners[3 * i + k], corner[k] );
		}
	}
	assert_true( cJSON_IsNull( at( view, "mesh.numbers" ) ) );
	cJSON_Delete( view );
}

// A sheet over a grid of cells, two triangles each, in waves.
static bvb_mesh waves( fixture* f, uint32_t side )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, (size_t)( side + 1 ) * ( side + 1 ), sizeof( bv_vec3 ) ),
		.triangles = bvb_arena_allocate( f->arena, 2 * (size_t)side * side, sizeof( bvb_triangle ) ),
		.vertex_count = ( side + 1 ) * ( side + 1 ),
		.triangle_count = 2 * side * side,
	};
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		double x = (double)( i % ( side + 1 ) ) / side;
		double y = (double)( i / ( side + 1 ) ) / side;
		mesh.positions[i] = ( bv_vec3 ){ x, y, 0.1 * sin( 9 * x ) * sin( 7 * y ) };
	}
	for ( uint32_t i = 0; i < side * side; ++i )
	{
		uint32_t a = i / side * ( side + 1 ) + i % side;
		mesh.triangles[2 * i] = ( bvb_triangle ){ { a, a + 1, a + side + 2 } };
		mesh.triangles[2 * i + 1] = ( bvb_triangle ){ { a, a + side + 2, a + side + 1 } };
	}
	return mesh;
}

static uint64_t key_of( const uint32_t corner[3] )
{
	uint64_t low = corner[0] < corner[1] ? corner[0] : corner[1];
	low = low < corner[2] ? low : corner[2];
	uint64_t high = corner[0] > corner[1] ? corner[0] : corner[1];
	high = high > corner[2] ? high : corner[2];
	return low << 42 | high << 21 | ( (uint64_t)corner[0] + corner[1] + corner[2] - low - high );
}

static int compare_keys( const void* a, const void* b )
{
	uint64_t x = *(const uint64_t*)a;
	uint64_t y = *(const uint64_t*)b;
	return ( x > y ) - ( x < y );
}

// Ascending numbers of different triangles, none of whose corners has moved farther than is said, and one of which has.
static void expect_thinned( fixture* f, const bvb_mesh* mesh, uint32_t most, uint32_t least )
{
	bvhtml_thinned thinned;
	assert_int_equal( bvhtml_thin( mesh, most, f->arena, &thinned, NULL ), bv_ok );
	const bvb_mesh* m = &thinned.mesh;
	assert_true( m->triangle_count <= most && m->triangle_count >= least );
	uint64_t* keys = bvb_arena_allocate( f->arena, m->triangle_count, sizeof *keys );
	double moved = 0;
	for ( uint32_t i = 0; i < m->triangle_count; ++i )
	{
		assert_true( thinned.numbers[i] < mesh->triangle_count );
		assert_true( i == 0 || thinned.numbers[i - 1] < thinned.numbers[i] );
		keys[i] = key_of( m->triangles[i].corner );
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( m->triangles[i].corner[k] < m->vertex_count );
			bv_vec3 to = m->positions[m->triangles[i].corner[k]];
			bv_vec3 from = mesh->positions[mesh->triangles[thinned.numbers[i]].corner[k]];
			double x = to.x - from.x;
			double y = to.y - from.y;
			double z = to.z - from.z;
			moved = fmax( moved, sqrt( x * x + y * y + z * z ) );
		}
	}
	qsort( keys, m->triangle_count, sizeof *keys, compare_keys );
	for ( uint32_t i = 1; i < m->triangle_count; ++i )
	{
		assert_true( keys[i - 1] != keys[i] );
	}
	assert_true( moved <= thinned.moved * ( 1 + 1e-12 ) && moved > 0.5 * thinned.moved );
}

static void thinning_meets_its_limit( void** state )
{
	fixture* f = *state;
	bvb_mesh sheet = waves( f, 200 );
	bvb_mesh ball = bumpy_ball( f, 120 );
	static const uint32_t limits[] = { 50000, 20000, 3000, 200 };
	for ( size_t i = 0; i < sizeof limits / sizeof *limits; ++i )
	{
		expect_thinned( f, &sheet, limits[i], limits[i] / 2 );
		expect_thinned( f, &ball, limits[i], limits[i] / 2 );
	}
}

// Triangles of all directions that hang together nowhere: most of them vanish, but some are always left.
static void thinning_leaves_some_of_a_soup( void** state )
{
	fixture* f = *state;
	bvb_mesh soup = soup_create( f, 30000 );
	for ( uint32_t i = 0; i < soup.triangle_count; ++i )
	{
		bv_vec3 at = random_point( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			soup.positions[3 * i + k] =
				( bv_vec3 ){ at.x + 0.01 * p.x, at.y + 0.01 * p.y, at.z + 0.01 * p.z };
		}
	}
	expect_thinned( f, &soup, 5000, 2500 );
}

// Of all nodes of a file.
typedef struct all_nodes
{
	bv_node_info* nodes;
} all_nodes;

static bool keep_node( void* context, const bv_node_info* info )
{
	( (all_nodes*)context )->nodes[info->index] = *info;
	return true;
}

static uint32_t count_cut( const bv_node_info* nodes, uint32_t node, double most )
{
	if ( nodes[node].children == 0 || nodes[node].solid_upper <= most )
	{
		return 1;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < nodes[node].children; ++i )
	{
		count += count_cut( nodes, nodes[node].first_child + i, most );
	}
	return count;
}

// The same of the nodes in the view.
static uint32_t count_view_cut( const uint32_t* children, const uint32_t* first_child, const double* solid,
                                uint32_t node, double most )
{
	if ( first_child[node] == UINT32_MAX || solid[node] <= most )
	{
		return 1;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < children[node]; ++i )
	{
		count += count_view_cut( children, first_child, solid, first_child[node] + i, most );
	}
	return count;
}

// What is in the list is as in the file, and cuts are the file's down to the largest error of those whose children are not there.
static void expect_tree( fixture* f, const bv_file* file, bool all )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	all_nodes file_nodes = { bvb_arena_allocate( f->arena, info.nodes, sizeof( bv_node_info ) ) };
	assert_true( bv_file_visit_nodes( file, keep_node, &file_nodes ) );
	bv_node_info* nodes = file_nodes.nodes;

	// The root's bounds stand in the file a second time, in more bits.
	bv_file_errors root;
	assert_true( bv_file_get_errors( file, &root ) );
	nodes[0].surface_upper = root.surface.upper;
	nodes[0].solid_upper = root.solid.upper;

	cJSON* view = view_of( f, file );
	const cJSON* tree = at( view, "tree" );
	uint32_t count = count_at( tree, "nodes" );
	assert_int_equal( count_at( tree, "nodes_in_file" ), info.nodes );
	assert_true( all ? count == info.nodes : count <= 20000 && count > 19990 );
	const uint32_t* number = words_at( f, tree, "number", count );
	const uint32_t* parent = words_at( f, tree, "parent", count );
	const uint32_t* first_child = words_at( f, tree, "first_child", count );
	const uint32_t* children = words_at( f, tree, "children", count );
	const uint32_t* first = words_at( f, tree, "first", count );
	const uint32_t* triangles = words_at( f, tree, "triangles", count );
	size_t bytes;
	const double* solid = array_at( f, tree, "solid", "f64", &bytes );
	assert_int_equal( bytes, count * sizeof *solid );
	const double* surface = array_at( f, tree, "surface", "f64", &bytes );
	assert_int_equal( bytes, count * sizeof *surface );
	const uint8_t* level = array_at( f, tree, "level", "u8", &bytes );
	assert_int_equal( bytes, count );

	double least = 0;
	uint32_t of_level[BV_MAX_DEPTH + 1] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_node_info* node = nodes + number[i];
		assert_int_equal( level[i], node->level );
		assert_int_equal( children[i], node->children );
		assert_int_equal( first[i], node->first_triangle );
		assert_int_equal( triangles[i], node->triangles );
		assert_true( solid[i] == node->solid_upper );
		assert_true( surface[i] == node->surface_upper );
		++of_level[node->level];
		if ( first_child[i] == UINT32_MAX )
		{
			least = children[i] > 0 ? fmax( least, solid[i] ) : least;
			continue;
		}
		for ( uint32_t k = 0; k < children[i]; ++k )
		{
			assert_int_equal( number[first_child[i] + k], node->first_child + k );
			assert_int_equal( parent[first_child[i] + k], i );
		}
	}
	assert_int_equal( parent[0], UINT32_MAX );
	uint32_t level_size[BV_MAX_DEPTH + 1] = { 0 };
	for ( uint32_t i = 0; i < info.nodes; ++i )
	{
		++level_size[nodes[i].level];
	}
	uint32_t whole = count_at( tree, "whole_levels" );
	for ( uint32_t i = 0; i <= info.depth; ++i )
	{
		const cJSON* item = cJSON_GetArrayItem( at( tree, "levels" ), (int)i );
		assert_int_equal( count_at( item, "nodes" ), level_size[i] );
		assert_true( i >= whole || of_level[i] == level_size[i] );
	}
	assert_true( all ? least == 0 : least > 0 );
	for ( int i = 0; i <= 20; ++i )
	{
		double most = least + ( solid[0] - least ) * pow( i / 20.0, 3 );
		assert_int_equal( count_view_cut( children, first_child, solid, 0, most ),
		                  count_cut( nodes, 0, most ) );
	}
	cJSON_Delete( view );
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// How far a box, a ball or a rectangle swept sphere reaches in a direction of length 1, mesh units.
static double reach_of( const bv_volume* v, bv_vec3 d )
{
	double reach = 0;
	switch ( v->type )
	{
	case bv_volume_obb:
		for ( int i = 0; i < 3; ++i )
		{
			reach += v->obb.half_extents[i] * fabs( dot( v->obb.axis[i], d ) );
		}
		return dot( v->obb.center, d ) + reach;
	case bv_volume_aabb:
		return d.x * ( d.x > 0 ? v->aabb.upper.x : v->aabb.lower.x ) +
		       d.y * ( d.y > 0 ? v->aabb.upper.y : v->aabb.lower.y ) +
		       d.z * ( d.z > 0 ? v->aabb.upper.z : v->aabb.lower.z );
	case bv_volume_sphere: return dot( v->sphere.center, d ) + v->sphere.radius;
	default:
		for ( int i = 0; i < 2; ++i )
		{
			reach += v->rss.half_extents[i] * fabs( dot( v->rss.axis[i], d ) );
		}
		return dot( v->rss.center, d ) + reach + v->rss.radius;
	}
}

static bv_vec3 vector_of( const float* p )
{
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

// The same of the numbers in the view: center, so many half axes, a radius; in the view's units.
static double reach_of_shape( const float* shape, uint32_t axes, bool has_radius, bv_vec3 d )
{
	double reach = dot( vector_of( shape ), d );
	for ( uint32_t i = 1; i <= axes; ++i )
	{
		reach += fabs( dot( vector_of( shape + 3 * (size_t)i ), d ) );
	}
	return reach + ( has_radius ? shape[3 + 3 * (size_t)axes] : 0 );
}

// Two convex bodies that reach equally far in all directions are one; of k-DOPs the planes are the same.
static void expect_shape( fixture* f, const cJSON* view, const bv_volume* volume, const float* shape )
{
	static const uint32_t axes[bv_volume_types] = { 3, 3, 0, 2, [bv_volume_prism] = 3 };
	const cJSON* center = at( view, "center" );
	bv_vec3 origin = { cJSON_GetArrayItem( center, 0 )->valuedouble,
		               cJSON_GetArrayItem( center, 1 )->valuedouble,
		               cJSON_GetArrayItem( center, 2 )->valuedouble };
	double scale = at( view, "scale" )->valuedouble;
	if ( volume->type == bv_volume_prism )
	{
		// The numbers are of the box round it.
		bv_volume box = { .type = bv_volume_obb, .obb = volume->prism.box };
		expect_shape( f, view, &box, shape );
		return;
	}
	if ( volume->type > bv_volume_rss )
	{
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			double away = dot( bv_kdop_direction( i ), origin );
			if ( bv_kdop_uses( volume->kdop.k, i ) )
			{
				assert_true( fabs( *shape++ * scale + away - volume->kdop.lower[i] ) < 1e-6 * scale );
				assert_true( fabs( *shape++ * scale + away - volume->kdop.upper[i] ) < 1e-6 * scale );
			}
		}
		return;
	}
	for ( int i = 0; i < 40; ++i )
	{
		bv_vec3 d = random_point( f );
		double length = sqrt( dot( d, d ) );
		d = ( bv_vec3 ){ d.x / length, d.y / length, d.z / length };
		bool has_radius = volume->type == bv_volume_sphere || volume->type == bv_volume_rss;
		double reach = reach_of_shape( shape, axes[volume->type], has_radius, d ) * scale + dot( d, origin );
		assert_true( fabs( reach - reach_of( volume, d ) ) < 1e-6 * scale );
	}
}

// Of every type, every node.
static void shapes_are_the_volumes_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x = 2 * mesh.positions[i].x + 10;
	}
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << type;
		const bv_file* file = build_file( f, &mesh, &options );
		uint32_t count = bv_file_get_hierarchy( file ).nodes;
		all_nodes all = { bvb_arena_allocate( f->arena, count, sizeof( bv_node_info ) ) };
		assert_true( count > 20 && bv_file_visit_nodes( file, keep_node, &all ) );
		cJSON* view = view_of( f, file );
		const cJSON* tree = at( view, "tree" );
		assert_int_equal( count_at( tree, "nodes" ), count );
		const uint32_t* number = words_at( f, tree, "number", count );
		size_t bytes;
		const uint8_t* types = array_at( f, tree, "type", "u8", &bytes );
		const float* shape = array_at( f, tree, "shapes", "f32", &bytes );
		const float* end = shape + bytes / sizeof *shape;
		for ( uint32_t i = 0; i < count; ++i )
		{
			const bv_volume* volume = &all.nodes[number[i]].volume;
			assert_int_equal( types[i], volume->type );
			assert_int_equal( volume->type, type );
			expect_shape( f, view, volume, shape );
			shape += count_at( cJSON_GetArrayItem( at( tree, "types" ), type ), "numbers" );
		}
		assert_true( shape == end );
		cJSON_Delete( view );
	}
}

static void trees_are_whole_where_there_is_room( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.5;
	options.errors.threads = 1;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	expect_tree( f, build_file( f, &mesh, &options ), true );
}

static void of_large_trees_cuts_are_exact_down_to_an_error( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.5;
	options.errors.threads = 1;
	bvb_mesh mesh = waves( f, 150 );
	expect_tree( f, build_file( f, &mesh, &options ), false );
}

// Of a large tree, those that no choice by errors would come to: the leaf of the least error, and a link to nowhere.
static void nodes_that_the_page_links_to_are_there( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.5;
	options.errors.threads = 1;
	bvb_mesh mesh = waves( f, 150 );
	const bv_file* file = build_file( f, &mesh, &options );
	uint32_t count = bv_file_get_hierarchy( file ).nodes;
	all_nodes all = { bvb_arena_allocate( f->arena, count, sizeof( bv_node_info ) ) };
	bv_file_visit_nodes( file, keep_node, &all );
	uint32_t wanted = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool better = all.nodes[i].solid_upper < all.nodes[wanted].solid_upper;
		wanted = all.nodes[i].children == 0 && better ? i : wanted;
	}
	bool there[2];
	for ( int linked = 0; linked < 2; ++linked )
	{
		char link[160];
		snprintf( link, sizeof link,
		          "<a data-show=\"node:99999999999999999999\"></a><a data-show=\"node:%u\"></a>", wanted );
		bvexport_output body = { .data = link, .length = strlen( link ) };
		bvexport_output out = { 0 };
		assert_int_equal( bvhtml_view( &out, file, linked ? &body : NULL, f->arena, NULL ), bv_ok );
		bvexport_output_bytes( &out, "", 1 );
		const char* begin = strstr( out.data, "id=\"view-data\">" ) + strlen( "id=\"view-data\">" );
		cJSON* view = cJSON_Parse( begin );
		const cJSON* tree = at( view, "tree" );
		uint32_t nodes = count_at( tree, "nodes" );
		const uint32_t* number = words_at( f, tree, "number", nodes );
		there[linked] = false;
		for ( uint32_t i = 0; i < nodes; ++i )
		{
			there[linked] = there[linked] || number[i] == wanted;
		}
		assert_true( nodes <= 20000 );
		cJSON_Delete( view );
		free( out.data );
	}
	assert_true( !there[0] && there[1] );
}

// Of 12 triangles 9 are left: 2 are gone and 1 is turned; one edge gets a third triangle.
static void defects_are_the_edges_that_the_report_counts( void** state )
{
	fixture* f = *state;
	static const bv_vec3 positions[9] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, { 1, 2, 0 }, { 0, 0, 3 },
		                                  { 1, 0, 3 }, { 0, 2, 3 }, { 1, 2, 3 }, { 2, -1, 1 } };
	static const uint32_t triangles[11][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 7, 5 }, { 4, 7, 6 },
		                                       { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
		                                       { 0, 4, 6 }, { 0, 6, 2 }, { 0, 1, 8 } };
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = mesh_of( f, positions, 9, triangles, 11 );
	const bv_file* file = build_file( f, &mesh, &options );
	bv_mesh_info info = bv_file_get_mesh( file );
	cJSON* view = view_of( f, file );
	static const char* const names[] = { "boundary", "flipped", "non_manifold" };
	static const bv_edge_kind kinds[] = { bv_edge_boundary, bv_edge_flipped, bv_edge_non_manifold };
	for ( int i = 0; i < 3; ++i )
	{
		const cJSON* edges = at( at( view, "edges" ), names[i] );
		size_t bytes;
		array_at( f, edges, "ends", "u16", &bytes );
		assert_true( info.edges_of_kind[kinds[i]] > 0 );
		assert_int_equal( bytes, 12 * info.edges_of_kind[kinds[i]] );
		assert_int_equal( count_at( edges, "in_file" ), info.edges_of_kind[kinds[i]] );
	}
	cJSON_Delete( view );
}

// Parts differ from one another in all that is written of them.
static void parts_are_those_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = row_mesh( f );
	bvb_decomposition d = row_decomposition( f );
	for ( uint32_t i = 0; i < d.part_count; ++i )
	{
		d.parts[i].concavity = ( bv_interval ){ 0.01 * i, 0.25 + 0.01 * i };
	}
	d.concavity = ( bv_interval ){ 0.01 * ( d.part_count - 1 ), 0.25 + 0.01 * ( d.part_count - 1 ) };
	const bv_file* file = open_bytes( bytes_with( f, &mesh, &d, all_of_parts ) );
	cJSON* view = view_of( f, file );
	const cJSON* parts = at( view, "parts" );
	size_t bytes;
	assert_int_equal( count_at( parts, "count" ), row_parts );
	const double* numbers = array_at( f, parts, "numbers", "f64", &bytes );
	assert_int_equal( bytes, 3 * row_parts * sizeof *numbers );
	const uint8_t* vertices = array_at( f, parts, "vertices", "u8", &bytes );
	const uint16_t* faces = array_at( f, parts, "faces", "u16", &bytes );
	const uint16_t* positions = array_at( f, parts, "positions", "u16", &bytes );
	const uint8_t* corners = array_at( f, parts, "corners", "u8", &bytes );
	double step = at( view, "scale" )->valuedouble / 65535;
	for ( uint32_t i = 0; i < row_parts; ++i )
	{
		// Box i is higher than the last by 1; the first is longer by 1/4. Stand-offs are kept in fewer bits, rounded outwards.
		assert_true( fabs( numbers[3 * i] - ( i > 0 ? 1.0 + i : 1.25 ) ) < 1e-6 );
		assert_true( numbers[3 * i + 1] <= 0.01 * i && numbers[3 * i + 1] > 0.01 * i - 1e-3 );
		assert_true( numbers[3 * i + 2] >= 0.25 + 0.01 * i && numbers[3 * i + 2] < 0.251 + 0.01 * i );
		assert_int_equal( vertices[i], 8 );
		assert_int_equal( faces[i], 12 );
		for ( uint32_t k = 0; k < 8; ++k, positions += 3 )
		{
			bv_vec3 p = bv_file_get_part_vertex( file, i, k );
			assert_true( largest_difference( point_at( view, positions ), p ) <= 1.0001 * step );
		}
		for ( uint32_t k = 0; k < 12; ++k, corners += 3 )
		{
			uint32_t triangle[3];
			bv_file_get_part_triangle( file, i, k, triangle );
			assert_true( corners[0] == triangle[0] && corners[1] == triangle[1] &&
			             corners[2] == triangle[2] );
		}
	}
	cJSON_Delete( view );
}

// Errors are in percent of a diagonal. A file with nothing but parts has that of the box around their vertices.
static void the_scale_of_parts_alone_is_their_size( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = row_mesh( f );
	bvb_decomposition d = row_decomposition( f );
	const bv_file* file = open_bytes( bytes_with( f, &mesh, &d, 1u << bvb_section_parts ) );
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	bv_part part;
	for ( uint32_t i = 0; bv_file_get_part( file, i, &part ); ++i )
	{
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			bv_vec3 p = bv_file_get_part_vertex( file, i, k );
			double coordinates[3] = { p.x, p.y, p.z };
			for ( int c = 0; c < 3; ++c )
			{
				lower[c] = fmin( lower[c], coordinates[c] );
				upper[c] = fmax( upper[c], coordinates[c] );
			}
		}
	}
	bv_file_bounds bounds;
	assert_false( bv_file_get_bounds( file, &bounds ) || bv_file_get_hierarchy( file ).nodes > 0 );
	double expected = hypot( hypot( upper[0] - lower[0], upper[1] - lower[1] ), upper[2] - lower[2] );
	cJSON* view = view_of( f, file );
	assert_true( fabs( at( view, "errors.diagonal" )->valuedouble - expected ) < 1e-5 * expected );
	cJSON_Delete( view );
}

static uint32_t count_bits( const uint8_t* bytes, size_t count )
{
	uint32_t bits = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		assert_true( bytes[i] < 8 );
		bits += ( bytes[i] & 1 ) + ( bytes[i] >> 1 & 1 ) + ( bytes[i] >> 2 & 1 );
	}
	return bits;
}

// A prism over a regular polygon of `sides` corners, closed, with its faces outwards.
static bvb_mesh prism_mesh( fixture* f, uint32_t sides )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, 2 * sides, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, 4 * sides - 4, sizeof *mesh.triangles ),
		.vertex_count = 2 * sides,
		.triangle_count = 4 * sides - 4,
	};
	bvb_triangle* t = mesh.triangles;
	for ( uint32_t i = 0; i < sides; ++i )
	{
		uint32_t next = ( i + 1 ) % sides;
		double angle = 2 * 3.14159265358979 * i / sides;
		mesh.positions[i] = ( bv_vec3 ){ cos( angle ), sin( angle ), 0 };
		mesh.positions[sides + i] = ( bv_vec3 ){ cos( angle ), sin( angle ), 1 };
		*t++ = ( bvb_triangle ){ { i, next, sides + next } };
		*t++ = ( bvb_triangle ){ { i, sides + next, sides + i } };
	}
	for ( uint32_t i = 1; i + 1 < sides; ++i )
	{
		*t++ = ( bvb_triangle ){ { 0, i + 1, i } };
		*t++ = ( bvb_triangle ){ { sides, sides + i, sides + i + 1 } };
	}
	return mesh;
}

// A prism over n corners has 3 n edges, and each of them is a side of two triangles. Its sides meet at 360 / n degrees.
static void outlines_have_every_edge_however_small_its_angle( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.sections = 1u << bvb_section_hull;
	for ( uint32_t sides = 3; sides <= 200; sides += sides < 6 ? 1 : 97 )
	{
		bvb_mesh mesh = prism_mesh( f, sides );
		cJSON* view = view_of( f, build_file( f, &mesh, &options ) );
		size_t bytes;
		const uint8_t* outline = array_at( f, view, "hull.outline", "u8", &bytes );
		assert_int_equal( bytes, count_at( view, "hull.faces" ) );
		assert_int_equal( count_bits( outline, bytes ), 2 * 3 * sides );
		cJSON_Delete( view );
	}
}

static void the_proxy_mesh_is_that_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.sections |= 1u << bvb_section_proxy;
	bvb_mesh mesh = bumpy_ball( f, 16 );
	const bv_file* file = build_file( f, &mesh, &options );
	bv_proxy proxy;
	assert_true( bv_file_get_proxy( file, &proxy ) );
	cJSON* view = view_of( f, file );
	size_t bytes;
	const uint16_t* positions = array_at( f, view, "proxy.positions", "u16", &bytes );
	assert_int_equal( bytes, proxy.vertices * 3 * sizeof *positions );
	double step = at( view, "scale" )->valuedouble / 65535;
	for ( uint32_t i = 0; i < proxy.vertices; ++i )
	{
		assert_true( largest_difference( point_at( view, positions + 3 * (size_t)i ),
		                                 bv_file_get_proxy_vertex( file, i ) ) <= 1.0001 * step );
	}
	const uint16_t* corners = array_at( f, view, "proxy.corners", "u16", &bytes );
	assert_int_equal( bytes, proxy.triangles * 3 * sizeof *corners );
	for ( uint32_t i = 0; i < proxy.triangles; ++i )
	{
		uint32_t triangle[3];
		bv_file_get_proxy_triangle( file, i, triangle );
		for ( int k = 0; k < 3; ++k )
		{
			assert_int_equal( corners[3 * i + (uint32_t)k], triangle[k] );
		}
	}
	assert_true( at( view, "proxy.error" )->valuedouble ==
	             fmax( proxy.from_proxy.upper, proxy.from_mesh.upper ) );
	cJSON_Delete( view );
}

// A box that is recognized has the volume that it was made with.
static void primitives_are_those_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.sections |= 1u << bvb_section_primitives;
	options.recognize = ( bvb_tolerance ){ 1, true };
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	const bv_file* file = build_file( f, &box, &options );
	cJSON* view = view_of( f, file );
	assert_string_equal( cJSON_GetStringValue( at( view, "primitive.kind" ) ), "box" );
	assert_true( cJSON_IsTrue( at( view, "primitive.recognised" ) ) );
	bv_primitive primitive;
	assert_true( bv_file_get_primitive( file, bv_primitive_box, &primitive ) );
	assert_true( at( view, "primitive.error" )->valuedouble == primitive.error.upper );
	double volume = 8;
	for ( int i = 0; i < 3; ++i )
	{
		const cJSON* axis = cJSON_GetArrayItem( at( view, "primitive.axes" ), i );
		double square = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double x = cJSON_GetArrayItem( axis, k )->valuedouble * at( view, "scale" )->valuedouble;
			square += x * x;
		}
		volume *= sqrt( square );
	}
	assert_true( fabs( volume - 6 ) < 0.06 );
	cJSON_Delete( view );
}

static void what_a_file_does_not_have_is_null( void** state )
{
	fixture* f = *state;
	static const char* const keys[] = { "mesh", "hull", "parts", "proxy", "tree", "primitive" };
	bvb_asset_options options = plain_options();
	options.sections = 0;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	cJSON* view = view_of( f, build_file( f, &mesh, &options ) );
	for ( size_t i = 0; i < sizeof keys / sizeof *keys; ++i )
	{
		assert_true( cJSON_IsNull( at( view, keys[i] ) ) );
	}
	cJSON_Delete( view );
}

// Whatever allocation fails.
static void running_out_of_memory_is_reported( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.sections |= 1u << bvb_section_proxy | 1u << bvb_section_hull;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	const bv_file* file = build_file( f, &mesh, &options );
	bool failed = false;
	bool succeeded = false;
	for ( size_t bytes = 256; bytes < 1 << 22 && !succeeded; bytes += bytes / 8 )
	{
		bvb_arena* arena = bvb_arena_create_limited( bytes );
		bvexport_output out = { 0 };
		bvb_error error = { "" };
		bv_status status = bvhtml_view( &out, file, NULL, arena, &error );
		assert_true( status == bv_ok || ( status == bv_error_memory && error.message[0] ) );
		failed = failed || status != bv_ok;
		succeeded = status == bv_ok;
		free( out.data );
		bvb_arena_destroy( arena );
	}
	assert_true( failed && succeeded );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( positions_are_half_a_step_off_at_most ),
		fixture_test( thinning_meets_its_limit ),
		fixture_test( thinning_leaves_some_of_a_soup ),
		fixture_test( shapes_are_the_volumes_of_the_file ),
		fixture_test( trees_are_whole_where_there_is_room ),
		fixture_test( of_large_trees_cuts_are_exact_down_to_an_error ),
		fixture_test( nodes_that_the_page_links_to_are_there ),
		fixture_test( defects_are_the_edges_that_the_report_counts ),
		fixture_test( parts_are_those_of_the_file ),
		fixture_test( the_scale_of_parts_alone_is_their_size ),
		fixture_test( outlines_have_every_edge_however_small_its_angle ),
		fixture_test( the_proxy_mesh_is_that_of_the_file ),
		fixture_test( primitives_are_those_of_the_file ),
		fixture_test( what_a_file_does_not_have_is_null ),
		fixture_test( running_out_of_memory_is_reported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
