// Sphere trees queried as in Palmer and Grimsdale 1995: a face is in all leaves whose cells it passes
// through, and no two faces are tested twice in a query. In a .bvh file each face has one place, so
// bvinspect's counts do not apply to such trees.
//
//   bench_shared_faces [--repeats N] MESHES POSES.csv...
//
// MESHES is a folder. The first 60 poses of each pose file are used. Two trees of one builder descend
// together: where two spheres overlap, the larger one is replaced by its children, and the faces listed by
// two leaves are tested against each other. Each face of the first mesh has a list of the faces that it was
// tested with in this query, and faces in the list are skipped (J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.2.1, about that paper). Lists are searched linearly. The same with
// one hash set of pairs is timed as well, to separate the cost of the lists. Times are CPU times, the
// medians of N rounds (5) of all poses of a file. For comparison: bv_mesh_collide with a file of the same
// builder's tree, where each face has one place.
//
// Checked: each pose has as many pairs as its file states, and these are the pairs that bv_mesh_collide finds in
// files of the same meshes with the preset `balanced`. Otherwise the exit code is 3 and the row is invalid.
// Prints Markdown.

#include "offline/literature/build_spheres.h"
#include "runtime/math/round.h"
#include "runtime/triangle/pair.h"
#include "runtime/volume/similarity.h"
#include "tests/bench/judge.h"

#include <stdlib.h>

enum
{
	most_repeats = 64,
	most_files = 64,
	most_poses = 60, // 20 draws at three offsets
	no_entry = 0,
};

// One way to build. Annealing takes too long for larger meshes.
typedef struct recipe
{
	const char* builder;
	uint32_t leaf_faces;
	uint32_t most_triangles; // of both meshes; 0 for any
} recipe;

static const recipe recipes[] = {
	{ "palmer-grimsdale", 1, 0 }, { "palmer-grimsdale", 2, 0 },     { "palmer-grimsdale", 4, 0 },
	{ "palmer-grimsdale", 8, 0 }, { "palmer-grimsdale", 16, 0 },    { "quinlan", 1, 0 },
	{ "quinlan-faces", 1, 0 },    { "hubbard-octree-plain", 1, 0 }, { "hubbard-octree", 1, 40000 },
};

enum
{
	recipe_count = sizeof recipes / sizeof recipes[0],
	base_recipe = 1, // two faces per cell: what means are relative to
};

// How pairs that were tested are remembered.
typedef enum memory
{
	memory_lists = 0, // one for each face
	memory_set,
	memory_count,
} memory;

// What the queries of one pose file took together.
typedef struct query_counts
{
	uint64_t sphere_tests;
	uint64_t face_tests;
	uint64_t avoided; // pairs of faces that came up again
	uint64_t looks;   // entries of lists that were looked at
	double seconds[memory_count];
} query_counts;

typedef struct pair
{
	uint32_t a;
	uint32_t b;
} pair;

typedef struct pair_list
{
	pair* pairs;
	size_t count;
	size_t room;
} pair_list;

// A pair in the set.
typedef struct member
{
	uint32_t a;
	uint32_t b;
	uint32_t query; // that it was put there in: of others it is none
} member;

// A face that another one was tested with, and the entry before it in that one's list.
typedef struct entry
{
	uint32_t face;
	uint32_t before; // no_entry for the first
} entry;

// Corners of a face of b in a's coordinates.
typedef struct moved_face
{
	bv_vec3 corner[3];
	double uncertainty;
	uint32_t query; // that it was moved in
} moved_face;

// A mesh, files of which answer for comparison.
typedef struct side
{
	judge_mesh mesh;
	judge_tree reference;
} side;

typedef struct subject
{
	bvb_arena* arena;
	judge_poses poses;
	side sides[2];
	bool same; // both are the first
} subject;

typedef struct query
{
	const bvb_mesh* mesh_a;
	const bvb_mesh* mesh_b;
	const bvlit_sphere_tree* a;
	const bvlit_sphere_tree* b;
	bvvol_similarity to_a;
	uint32_t number; // of this query, from 1
	moved_face* moved;
	uint32_t* listed;     // of each face of a: the query that its list is of
	uint32_t* last_entry; // of each face of a
	entry* entries;       // the first is none
	uint32_t entry_count;
	uint32_t entry_room;
	member* set;
	uint32_t set_count;
	uint32_t set_room; // a power of two
	memory memory;
	query_counts counts;
	uint64_t pairs;
	pair_list* found; // null where they are only counted
} query;

static void fail( const char* what )
{
	fprintf( stderr, "bench_shared_faces: %s\n", what );
	exit( 2 );
}

static void* enlarge( void* old, size_t count, size_t size )
{
	void* larger = realloc( old, count * size );
	if ( !larger )
	{
		fail( "out of memory" );
	}
	return larger;
}

static void add_pair( pair_list* list, uint32_t a, uint32_t b )
{
	if ( list->count == list->room )
	{
		list->room = list->room ? 2 * list->room : 1024;
		list->pairs = enlarge( list->pairs, list->room, sizeof *list->pairs );
	}
	list->pairs[list->count++] = ( pair ){ a, b };
}

static int compare_pairs( const void* left, const void* right )
{
	const pair* a = left;
	const pair* b = right;
	return a->a != b->a ? ( a->a > b->a ) - ( a->a < b->a ) : ( a->b > b->b ) - ( a->b < b->b );
}

static bool are_same( pair_list* x, pair_list* y )
{
	qsort( x->pairs, x->count, sizeof *x->pairs, compare_pairs );
	qsort( y->pairs, y->count, sizeof *y->pairs, compare_pairs );
	return x->count == y->count &&
	       ( x->count == 0 || memcmp( x->pairs, y->pairs, x->count * sizeof *x->pairs ) == 0 );
}

static void corners_of( const bvb_mesh* mesh, uint32_t face, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = mesh->positions[mesh->triangles[face].corner[k]];
	}
}

// As bv_mesh_collide moves it.
static const moved_face* moved_of( query* q, uint32_t face )
{
	moved_face* m = q->moved + face;
	if ( m->query != q->number )
	{
		bv_vec3 corner[3];
		double largest = 0;
		corners_of( q->mesh_b, face, corner );
		for ( int k = 0; k < 3; ++k )
		{
			m->corner[k] = bvvol_similarity_apply( &q->to_a, corner[k] );
			largest = bvmath_max( largest, bvmath_norm1( corner[k] ) + bvmath_norm1( q->to_a.translation ) );
		}
		m->uncertainty = 0x1p-50 * largest;
		m->query = q->number;
	}
	return m;
}

// The place of a pair in the set, or the free one where it would be.
static member* place_of( const query* q, uint32_t face_a, uint32_t face_b )
{
	uint64_t h = ( ( (uint64_t)face_a << 32 | face_b ) + 1 ) * 0x9e3779b97f4a7c15;
	for ( uint64_t at = h >> 32;; ++at )
	{
		member* m = q->set + ( at & ( q->set_room - 1 ) );
		if ( m->query != q->number || ( m->a == face_a && m->b == face_b ) )
		{
			return m;
		}
	}
}

static void grow_set( query* q )
{
	member* old = q->set;
	uint32_t room = q->set_room;
	q->set_room = 2 * room;
	q->set = calloc( q->set_room, sizeof *q->set );
	if ( !q->set )
	{
		fail( "out of memory" );
	}
	for ( uint32_t i = 0; i < room; ++i )
	{
		if ( old[i].query == q->number )
		{
			*place_of( q, old[i].a, old[i].b ) = old[i];
		}
	}
	free( old );
}

static bool is_in_set( query* q, uint32_t face_a, uint32_t face_b )
{
	member* m = place_of( q, face_a, face_b );
	if ( m->query == q->number )
	{
		return true;
	}
	*m = ( member ){ face_a, face_b, q->number };
	q->set_count += 1;
	if ( 2 * q->set_count > q->set_room )
	{
		grow_set( q );
	}
	return false;
}

static bool is_in_list( query* q, uint32_t face_a, uint32_t face_b )
{
	uint32_t last = q->listed[face_a] == q->number ? q->last_entry[face_a] : no_entry;
	for ( uint32_t i = last; i != no_entry; i = q->entries[i].before )
	{
		q->counts.looks += 1;
		if ( q->entries[i].face == face_b )
		{
			return true;
		}
	}
	if ( q->entry_count == q->entry_room )
	{
		q->entry_room *= 2;
		q->entries = enlarge( q->entries, q->entry_room, sizeof *q->entries );
	}
	q->entries[q->entry_count] = ( entry ){ face_b, last };
	q->last_entry[face_a] = q->entry_count++;
	q->listed[face_a] = q->number;
	return false;
}

// @return whether two faces were tested before; from now on they were
static bool were_tested( query* q, uint32_t face_a, uint32_t face_b )
{
	return q->memory == memory_lists ? is_in_list( q, face_a, face_b ) : is_in_set( q, face_a, face_b );
}

static void test_leaves( query* q, const bvlit_sphere_node* a, const bvlit_sphere_node* b )
{
	for ( uint32_t i = 0; i < a->faces; ++i )
	{
		uint32_t face_a = q->a->face[a->first_face + i];
		bv_vec3 corner[3];
		corners_of( q->mesh_a, face_a, corner );
		for ( uint32_t k = 0; k < b->faces; ++k )
		{
			uint32_t face_b = q->b->face[b->first_face + k];
			if ( were_tested( q, face_a, face_b ) )
			{
				q->counts.avoided += 1;
				continue;
			}
			const moved_face* moved = moved_of( q, face_b );
			q->counts.face_tests += 1;
			if ( bvtri_triangles_intersect_within( corner, moved->corner, moved->uncertainty ) )
			{
				q->pairs += 1;
				if ( q->found )
				{
					add_pair( q->found, face_a, face_b );
				}
			}
		}
	}
}

// @param center  of b's sphere in a's coordinates
static void descend( query* q, uint32_t index_a, uint32_t index_b, bv_vec3 center )
{
	const bvlit_sphere_node* a = q->a->nodes + index_a;
	const bvlit_sphere_node* b = q->b->nodes + index_b;
	const double slack = 0x1p-40; // more than moving a sphere errs by: meshes are normalized
	double reach = a->sphere.radius + b->sphere.radius + slack;
	bv_vec3 d = bv_sub( center, a->sphere.center );
	q->counts.sphere_tests += 1;
	if ( bv_dot( d, d ) > reach * reach )
	{
		return;
	}
	if ( a->children == 0 && b->children == 0 )
	{
		test_leaves( q, a, b );
		return;
	}
	bool opens_a = b->children == 0 || ( a->children > 0 && a->sphere.radius >= b->sphere.radius );
	for ( uint32_t k = 0; opens_a && k < a->children; ++k )
	{
		descend( q, a->first_child + k, index_b, center );
	}
	for ( uint32_t k = 0; !opens_a && k < b->children; ++k )
	{
		uint32_t child = b->first_child + k;
		descend( q, index_a, child, bvvol_similarity_apply( &q->to_a, q->b->nodes[child].sphere.center ) );
	}
}

// @return how many pairs of faces intersect
static uint64_t run_query( query* q, const bv_pose* pose )
{
	bv_transform b_in_a = bv_transform_of_pose( pose );
	bvvol_similarity_begin( &b_in_a, &q->to_a );
	q->number += 1;
	q->entry_count = no_entry + 1;
	q->set_count = 0;
	q->pairs = 0;
	descend( q, 0, 0, bvvol_similarity_apply( &q->to_a, q->b->nodes[0].sphere.center ) );
	return q->pairs;
}

static void begin_queries( query* q, const bvb_mesh* mesh_a, const bvb_mesh* mesh_b,
                           const bvlit_sphere_tree* a, const bvlit_sphere_tree* b )
{
	*q = ( query ){ .mesh_a = mesh_a, .mesh_b = mesh_b, .a = a, .b = b };
	q->entry_room = q->set_room = 1024;
	q->moved = calloc( mesh_b->triangle_count, sizeof *q->moved );
	q->listed = calloc( mesh_a->triangle_count, sizeof *q->listed );
	q->last_entry = calloc( mesh_a->triangle_count, sizeof *q->last_entry );
	q->entries = calloc( q->entry_room, sizeof *q->entries );
	q->set = calloc( q->set_room, sizeof *q->set );
	if ( !q->moved || !q->listed || !q->last_entry || !q->entries || !q->set )
	{
		fail( "out of memory" );
	}
}

static void end_queries( query* q )
{
	free( q->moved );
	free( q->listed );
	free( q->last_entry );
	free( q->entries );
	free( q->set );
}

static uint32_t origin_of( const bvb_mesh* mesh, uint32_t triangle )
{
	return mesh->origin ? mesh->origin[triangle] : triangle;
}

// Triangles by their numbers in the meshes that were read: each tree has an order of its own.
static void name_by_origin( pair_list* list, const bvb_mesh* a, const bvb_mesh* b )
{
	for ( size_t i = 0; i < list->count; ++i )
	{
		list->pairs[i].a = origin_of( a, list->pairs[i].a );
		list->pairs[i].b = origin_of( b, list->pairs[i].b );
	}
}

static bool keep_pair( void* context, uint32_t triangle_a, uint32_t triangle_b )
{
	add_pair( context, triangle_a, triangle_b );
	return true;
}

static const side* side_of( const subject* s, int which )
{
	return s->sides + ( s->same ? 0 : which );
}

// @return how many queries find other pairs than the pose file and bv_mesh_collide
static uint32_t check_queries( const subject* s, query* q )
{
	const judge_tree* a = &side_of( s, 0 )->reference;
	const judge_tree* b = &side_of( s, 1 )->reference;
	pair_list mine = { .count = 0 };
	pair_list theirs = { .count = 0 };
	uint32_t wrong = 0;
	for ( uint32_t i = 0; i < s->poses.count; ++i )
	{
		const judge_pose* pose = s->poses.poses + i;
		mine.count = 0;
		theirs.count = 0;
		q->found = &mine;
		uint64_t pairs = run_query( q, &pose->pose );
		bv_collide_options options = bv_collide_options_default();
		bv_collide_result result;
		bv_transform b_in_a = bv_transform_of_pose( &pose->pose );
		options.callback = keep_pair;
		options.context = &theirs;
		if ( bv_mesh_collide( a->file, b->file, &b_in_a, &options, &result ) != bv_ok )
		{
			fail( "bv_mesh_collide refuses a pose" );
		}
		name_by_origin( &mine, q->mesh_a, q->mesh_b );
		name_by_origin( &theirs, &a->asset.record.mesh, &b->asset.record.mesh );
		wrong += pairs != pose->pairs || !are_same( &mine, &theirs );
	}
	q->found = NULL;
	free( mine.pairs );
	free( theirs.pairs );
	return wrong;
}

static double time_queries( const subject* s, query* q, memory how, int repeats )
{
	double seconds[most_repeats];
	q->memory = how;
	for ( int i = 0; i < repeats; ++i )
	{
		double start = core_now();
		for ( uint32_t k = 0; k < s->poses.count; ++k )
		{
			run_query( q, &s->poses.poses[k].pose );
		}
		seconds[i] = core_now() - start;
	}
	return median( seconds, repeats );
}

static bvlit_sphere_tree make( const recipe* r, const judge_mesh* mesh, bvb_arena* arena )
{
	bvlit_sphere_options options = { r->leaf_faces, BV_MAX_DEPTH, 1, 1 };
	bvlit_sphere_tree tree;
	const bvlit_spheres_how* how = bvhier_builder_find( r->builder )->how;
	if ( !arena || how->make( &mesh->asset.record.mesh, &options, arena, &tree ) != bv_ok )
	{
		fail( r->builder );
	}
	return tree;
}

static judge_counts query_files( const subject* s, const recipe* r, int repeats )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = r->builder;
	options.volume_types = 1u << bv_volume_sphere;
	options.leaf_triangles = r->leaf_faces;
	judge_tree tree[2];
	bvb_error error;
	for ( int i = 0; i < ( s->same ? 1 : 2 ); ++i )
	{
		if ( judge_build( &s->sides[i].mesh, &options, tree + i, &error ) != bv_ok )
		{
			fail( error.message );
		}
	}
	judge_counts counts = judge_collide( tree, tree + ( s->same ? 0 : 1 ), &s->poses, repeats );
	judge_fell( tree );
	if ( !s->same )
	{
		judge_fell( tree + 1 );
	}
	return counts;
}

// What of a row means are taken of, per pose.
enum
{
	value_sphere_tests = 0,
	value_face_tests,
	value_avoided, // and one more: there may be none
	value_time_lists,
	value_time_set,
	value_file_volumes,
	value_file_faces,
	value_file_time,
	value_count,
};

typedef struct row
{
	bool there;
	double value[value_count];
} row;

static uint32_t triangles_of( const subject* s )
{
	return side_of( s, 0 )->mesh.asset.record.mesh.triangle_count +
	       ( s->same ? 0 : side_of( s, 1 )->mesh.asset.record.mesh.triangle_count );
}

// @return how many poses have other pairs than they should
static uint32_t bench( const subject* s, const recipe* r, int repeats, row* out )
{
	bvb_arena* arena = bvb_arena_create();
	const judge_mesh* mesh_a = &side_of( s, 0 )->mesh;
	const judge_mesh* mesh_b = &side_of( s, 1 )->mesh;
	bvlit_sphere_tree a = make( r, mesh_a, arena );
	bvlit_sphere_tree b = s->same ? a : make( r, mesh_b, arena );
	query q;
	begin_queries( &q, &mesh_a->asset.record.mesh, &mesh_b->asset.record.mesh, &a, &b );
	q.memory = memory_set;
	uint32_t wrong = check_queries( s, &q );
	q.memory = memory_lists;
	q.counts = ( query_counts ){ 0 };
	wrong += check_queries( s, &q );
	query_counts c = q.counts;
	for ( int how = 0; how < memory_count; ++how )
	{
		c.seconds[how] = time_queries( s, &q, (memory)how, repeats );
	}
	end_queries( &q );
	judge_counts file = query_files( s, r, repeats );
	wrong += file.wrong;

	double n = s->poses.count;
	double nodes = (double)a.node_count + ( s->same ? 0 : b.node_count );
	double listed = (double)a.face_count + ( s->same ? 0 : b.face_count );
	*out = ( row ){ .there = wrong == 0,
		            .value = { (double)c.sphere_tests / n, (double)c.face_tests / n,
		                       1 + (double)c.avoided / n, 1e6 * c.seconds[memory_lists] / n,
		                       1e6 * c.seconds[memory_set] / n, (double)file.volume_tests / n,
		                       (double)file.triangle_tests / n, 1e6 * file.seconds / n } };
	printf( "| %s %s | %s | %u | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %.0f | %.0f | %.1f "
	        "| %u |\n",
	        s->poses.a, s->poses.b, r->builder, r->leaf_faces, nodes / triangles_of( s ),
	        listed / triangles_of( s ), (double)c.sphere_tests / n, (double)c.face_tests / n,
	        (double)c.avoided / n, (double)c.looks / n, 1e6 * c.seconds[memory_lists] / n,
	        1e6 * c.seconds[memory_set] / n, (double)file.volume_tests / n, (double)file.triangle_tests / n,
	        1e6 * file.seconds / n, wrong );
	fflush( stdout );
	bvb_arena_destroy( arena );
	return wrong;
}

static void load_side( const char* folder, const char* name, side* out )
{
	char path[4096];
	bvb_error error;
	bvb_asset_options options;
	if ( !judge_find_mesh( folder, name, path, sizeof path ) )
	{
		fail( name );
	}
	bvb_preset_options( "balanced", &options );
	if ( judge_load( path, bvb_positions_float, &out->mesh, &error ) != bv_ok ||
	     judge_build( &out->mesh, &options.hierarchy, &out->reference, &error ) != bv_ok )
	{
		fail( error.message );
	}
}

static void load_subject( const char* folder, const char* path, subject* out )
{
	bvb_error error = { "out of memory" };
	*out = ( subject ){ .arena = bvb_arena_create() };
	if ( !out->arena || judge_read_poses( path, out->arena, &out->poses, &error ) != bv_ok )
	{
		fail( error.message );
	}
	out->poses.count = out->poses.count < most_poses ? out->poses.count : most_poses;
	out->same = strcmp( out->poses.a, out->poses.b ) == 0;
	load_side( folder, out->poses.a, out->sides );
	if ( !out->same )
	{
		load_side( folder, out->poses.b, out->sides + 1 );
	}
}

static void unload_subject( subject* s )
{
	for ( int i = 0; i < ( s->same ? 1 : 2 ); ++i )
	{
		judge_fell( &s->sides[i].reference );
		judge_unload( &s->sides[i].mesh );
	}
	bvb_arena_destroy( s->arena );
}

static void print_head( const char* columns, int texts, int numbers )
{
	printf( "%s\n|", columns );
	for ( int i = 0; i < texts + numbers; ++i )
	{
		printf( i < texts ? " --- |" : " ---: |" );
	}
	printf( "\n" );
}

// Over the files where the row is there.
static void print_means( row rows[recipe_count][most_files], int files )
{
	printf( "\nThe same relative to two faces per cell, geometric means over the files of a row.\n\n" );
	print_head(
		"| builder | faces per cell | sphere tests | face tests | avoided | time, lists | time, set | "
		"in a file: sphere "
		"tests | face tests | time | files |",
		1, 10 );
	for ( int r = 0; r < recipe_count; ++r )
	{
		double sum[value_count] = { 0 };
		int count = 0;
		for ( int f = 0; f < files; ++f )
		{
			bool both = rows[r][f].there && rows[base_recipe][f].there;
			count += both;
			for ( int v = 0; both && v < value_count; ++v )
			{
				sum[v] += log( rows[r][f].value[v] / rows[base_recipe][f].value[v] );
			}
		}
		printf( "| %s | %u |", recipes[r].builder, recipes[r].leaf_faces );
		for ( int v = 0; v < value_count; ++v )
		{
			if ( count > 0 )
			{
				printf( " %.3g |", exp( sum[v] / count ) );
			}
			else
			{
				printf( " - |" );
			}
		}
		printf( " %d |\n", count );
	}
}

int main( int argc, char** argv )
{
	int at = 1;
	int repeats = 5;
	if ( argc > 2 && strcmp( argv[1], "--repeats" ) == 0 )
	{
		repeats = atoi( argv[2] );
		at = 3;
	}
	if ( argc < at + 2 || repeats < 1 || repeats > most_repeats )
	{
		fprintf( stderr, "usage: bench_shared_faces [--repeats N] MESHES POSES.csv...\n" );
		return 1;
	}
	static row rows[recipe_count][most_files];
	int files = argc - at - 1 < most_files ? argc - at - 1 : most_files;
	uint32_t wrong = 0;
	printf( "Means of a query. *Spheres* and *listed* are per face.\n\n" );
	print_head(
		"| poses | builder | faces per cell | spheres | listed | sphere tests | face tests | avoided | "
		"looked up | us, lists | us, set | in a file: sphere tests | face tests | us | differ |",
		2, 13 );
	for ( int f = 0; f < files; ++f )
	{
		subject s;
		load_subject( argv[at], argv[at + 1 + f], &s );
		for ( int r = 0; r < recipe_count; ++r )
		{
			uint32_t most = recipes[r].most_triangles;
			if ( most == 0 || triangles_of( &s ) <= most )
			{
				wrong += bench( &s, recipes + r, repeats, &rows[r][f] );
			}
		}
		unload_subject( &s );
	}
	print_means( rows, files );
	return wrong ? 3 : 0;
}
