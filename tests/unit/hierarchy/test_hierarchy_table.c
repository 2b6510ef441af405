// Every builder and splitter with every type of volume, degree and quality: each builds a sound tree, and
// the file that comes of it opens and verifies. The tables are walked, so that a new row is tested from the day it is there.
//
// BV_COMBINATIONS names mesh files, separated by spaces, to be built as well; that is what `make combinations` does. All
// combinations of a mesh of 500 triangles take half an hour, most of it where insertion looks at the diameters of k-DOPs: of
// meshes of more triangles than BV_COMBINATIONS_WHOLE (200) only binary trees by area are built. What they are is printed, and
// how many trees were built of each.

#include "runtime/volume/reach.h"
#include "shapes.h"
#include "support.h"

#include <stdio.h>

enum
{
	whole_triangles = 200,
};

// What is built, over and over.
typedef struct subject
{
	const char* name;
	bvb_scene scene;
	bool whole; // every combination becomes a file
	int share;  // 1 to 3 for subjects that share the combinations, unless `make thorough` builds all; else 0
	bool plain; // only trees of degree 2 by area
	uint64_t built;
} subject;

// One choice of everything.
typedef struct combination
{
	const char* builder;
	const char* splitter;
	uint32_t types;
	uint32_t degree; // 0 for a variable one
	bvb_quality_measure quality;
	bvb_aggregate aggregate;
} combination;

static void describe( const combination* c, const subject* s, char out[256] )
{
	snprintf( out, 256, "%s: %s, %s, types %x, degree %u, quality %d, aggregate %d", s->name, c->builder,
	          c->splitter, c->types, c->degree, (int)c->quality, (int)c->aggregate );
}

static bvb_hierarchy_options options_of( const combination* c )
{
	bvb_hierarchy_options options = box_tree_options();
	options.builder = c->builder;
	options.splitter = c->splitter;
	options.volume_types = c->types;
	options.degree = c->degree;
	options.quality = c->quality;
	options.aggregate = c->aggregate;
	options.search_budget = 200;
	options.threads = 1;
	if ( bvb_builder_traits_of( c->builder )->own_degree )
	{
		options.max_depth = 3; // annealing many octants takes long
	}
	return options;
}

// A whole file: what `bvbuild` writes and `bvinspect --verify` proves.
static bool check_file( const subject* s, const combination* c, bvb_arena* arena, bvb_error* error )
{
	bvb_asset_options options = plain_options();
	options.hierarchy = options_of( c );
	options.obb.method = "pca-points";
	bvb_source source = { .name = "mesh", .format = "test" };
	bvb_asset asset;
	bvb_bytes bytes;
	const bv_file* file;
	const char* reason = "";
	bvb_verify_result verified;
	bool good = bvb_asset_build( &s->scene, &source, &options, arena, &asset, error ) == bv_ok &&
	            bvb_asset_encode( &asset, arena, &bytes, error ) == bv_ok;
	if ( good && bv_file_open_explained( bytes.data, bytes.size, &file, &reason ) != bv_ok )
	{
		snprintf( error->message, sizeof error->message, "%s", reason );
		good = false;
	}
	return good && bvb_file_verify( file, arena, &verified, error ) == bv_ok;
}

static bool encloses( const bv_volume* v, bv_vec3 p )
{
	switch ( v->type )
	{
	case bv_volume_obb:
	{
		bv_vec3 reach = bvvol_obb_reach( &v->obb, p );
		const double* h = v->obb.half_extents;
		return reach.x <= h[0] && reach.y <= h[1] && reach.z <= h[2];
	}
	case bv_volume_aabb:
		return v->aabb.lower.x <= p.x && p.x <= v->aabb.upper.x && v->aabb.lower.y <= p.y &&
		       p.y <= v->aabb.upper.y && v->aabb.lower.z <= p.z && p.z <= v->aabb.upper.z;
	case bv_volume_sphere: return bvvol_distance_bound( v->sphere.center, p ) <= v->sphere.radius;
	case bv_volume_rss: return bvvol_rss_reach( &v->rss, p ) <= v->rss.radius;
	case bv_volume_prism: return bvvol_prism_encloses( &v->prism, p );
	default: return bvvol_kdop_encloses( &v->kdop, p );
	}
}

// A tree in memory, which takes a tenth of the time: the ranges of children make up their parents', and volumes of the
// types asked for enclose what is below them.
static bool check_tree( const subject* s, const combination* c, bvb_arena* arena, bvb_error* error )
{
	bvb_mesh mesh = s->scene.mesh;
	mesh.positions = bvb_arena_allocate( arena, mesh.vertex_count, sizeof *mesh.positions );
	mesh.triangles = bvb_arena_allocate( arena, mesh.triangle_count, sizeof *mesh.triangles );
	memcpy( mesh.positions, s->scene.mesh.positions, mesh.vertex_count * sizeof *mesh.positions );
	memcpy( mesh.triangles, s->scene.mesh.triangles, mesh.triangle_count * sizeof *mesh.triangles );
	bvb_hierarchy_options options = options_of( c );
	bvb_tree* tree;
	if ( bvb_hierarchy_build( &mesh, &options, arena, &tree, error ) != bv_ok ||
	     bvb_tree_snap( tree, &mesh, 1, arena, error ) != bv_ok )
	{
		return false;
	}
	snprintf( error->message, sizeof error->message, "a node is wrong" );
	bool good = bvb_tree_node( tree, 0 ).triangles == mesh.triangle_count;
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		uint32_t end = node.first_triangle;
		for ( uint32_t k = 0; k < 2 * node.children; ++k )
		{
			// Leaves come first.
			bvb_node child = bvb_tree_node( tree, node.first_child + k % node.children );
			bool now = ( child.children == 0 ) == ( k < node.children );
			good = good && ( !now || child.first_triangle == end ) && node.first_child > i;
			end += now ? child.triangles : 0;
		}
		good = good && ( node.children == 0 || end == node.first_triangle + node.triangles ) &&
		       c->types >> node.volume.type & 1;
		for ( uint32_t t = node.first_triangle; t < node.first_triangle + node.triangles; ++t )
		{
			for ( int k = 0; k < 3; ++k )
			{
				good = good && encloses( &node.volume, mesh.positions[mesh.triangles[t].corner[k]] );
			}
		}
	}
	return good;
}

// Whether the subject builds a combination. Of the three subjects that share combinations, one builds each.
static bool is_shared_by( const subject* s, const combination* c )
{
	int sum = (int)c->degree + (int)c->quality + (int)c->aggregate + s->share;
	for ( uint32_t types = c->types; types > 1; types >>= 1 )
	{
		sum += 1;
	}
	return s->share == 0 || is_thorough() || sum % 3 == 0;
}

static void check_combination( subject* s, const combination* c )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_error error = { "" };
	bool plain = c->degree == 2 && c->quality == bvb_quality_area;
	const bvb_builder_traits* traits = bvb_builder_traits_of( c->builder );
	// Trees of spheres keep them, or have any volumes fitted, which is all the same to them.
	bool spheres = c->types == 1u << bv_volume_sphere || c->types == ( 1u << bv_volume_types ) - 1;
	if ( ( ( traits->binary || traits->own_degree ) && c->degree != 2 ) ||
	     ( traits->own_degree && ( !plain || !spheres ) ) ||
	     ( traits->sized && c->quality == bvb_quality_hausdorff ) || ( !plain && !is_shared_by( s, c ) ) )
	{
		bvb_arena_destroy( arena );
		return;
	}
	bool good = s->whole || plain ? check_file( s, c, arena, &error ) : check_tree( s, c, arena, &error );
	if ( !good )
	{
		char what[256];
		describe( c, s, what );
		fail_msg( "%s: %s", what, error.message );
	}
	s->built += 1;
	bvb_arena_destroy( arena );
}

// The splitter matters to the builder topdown only.
static void check_volumes( subject* s, const char* builder, const char* splitter )
{
	// Each type alone, all, and the two of which presets choose.
	const uint32_t all = ( 1u << bv_volume_types ) - 1;
	const uint32_t boxes = 1u << bv_volume_obb | 1u << bv_volume_aabb;
	for ( int type = 0; type < bv_volume_types + 2; ++type )
	{
		uint32_t most = s->plain ? 2 : BVB_MAX_DEGREE;
		int qualities = s->plain ? 1 : bvb_quality_hausdorff + 1;
		for ( uint32_t degree = s->plain ? 2 : 0; degree <= most; degree += degree == 0 ? 2 : 1 )
		{
			for ( int quality = 0; quality < qualities; ++quality )
			{
				// Only where qualities of several nodes are compared does the aggregate matter.
				int aggregates = degree == 0 ? 2 : 1;
				for ( int aggregate = 0; aggregate < aggregates; ++aggregate )
				{
					combination c = { builder,
						              splitter,
						              type < bv_volume_types    ? 1u << type
						              : type == bv_volume_types ? all
						                                        : boxes,
						              degree,
						              (bvb_quality_measure)quality,
						              (bvb_aggregate)aggregate };
					check_combination( s, &c );
				}
			}
		}
	}
}

static void check_table( subject* s )
{
	const char* builder;
	const char* splitter;
	for ( uint32_t i = 0; ( builder = bvb_builder_name( i, NULL ) ); ++i )
	{
		bool splits = strcmp( builder, "topdown" ) == 0;
		for ( uint32_t k = 0; ( splitter = bvb_splitter_name( k, NULL ) ) && ( splits || k == 0 ); ++k )
		{
			check_volumes( s, builder, splitter );
		}
	}
}

static subject subject_of( const char* name, bvb_mesh mesh )
{
	return ( subject ){ .name = name, .scene = { .mesh = mesh } };
}

// Small, but with all that splitters trip over: a solid, a soup, a flat sheet, copies of one triangle, a far place.
static void every_combination_builds_and_verifies( void** state )
{
	fixture* f = *state;
	bvb_mesh soup = soup_create( f, 11 );
	for ( uint32_t i = 0; i < 33; ++i )
	{
		soup.positions[i] = random_point( f );
	}
	bvb_mesh far = soup_create( f, 5 );
	for ( uint32_t i = 0; i < 15; ++i )
	{
		bv_vec3 p = random_point( f );
		far.positions[i] = ( bv_vec3 ){ p.x + 1e5, p.y - 1e5, p.z };
	}
	subject subjects[] = {
		subject_of( "box", box_mesh( f, 1, 2, 3 ) ),
		subject_of( "soup", soup ),
		subject_of( "sheet",
		            sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 3 ) ),
		subject_of( "far away", far ),
		subject_of( "one triangle", soup ),
	};
	subjects[0].plain = subjects[2].plain = true;
	subjects[4].scene.mesh.triangle_count = 1;
	subjects[1].share = 1;
	subjects[3].share = 2;
	subjects[4].share = 3;
	for ( size_t i = 0; i < sizeof subjects / sizeof subjects[0]; ++i )
	{
		check_table( subjects + i );
		printf( "%s: %llu trees\n", subjects[i].name, (unsigned long long)subjects[i].built );
	}
}

static void every_combination_builds_real_meshes( void** state )
{
	fixture* f = *state;
	const char* names = getenv( "BV_COMBINATIONS" );
	if ( !names || !*names )
	{
		skip();
	}
	const char* limit = getenv( "BV_COMBINATIONS_WHOLE" );
	uint32_t most = limit ? (uint32_t)strtoul( limit, NULL, 10 ) : whole_triangles;
	char* list = strdup( names );
	for ( char* name = strtok( list, " " ); name; name = strtok( NULL, " " ) )
	{
		bvb_import_options options = bvb_import_options_default();
		bvb_import import;
		bvb_error error = { "" };
		if ( bvb_import_file( name, &options, f->arena, &import, &error ) != bv_ok )
		{
			fail_msg( "%s", error.message );
		}
		subject s = { .name = name, .scene = import.scene, .whole = true };
		s.plain = s.scene.mesh.triangle_count > most;
		check_table( &s );
		printf( "%s: %u triangles, %llu trees\n", name, s.scene.mesh.triangle_count,
		        (unsigned long long)s.built );
		fflush( stdout );
	}
	free( list );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_combination_builds_and_verifies ),
		fixture_test( every_combination_builds_real_meshes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
