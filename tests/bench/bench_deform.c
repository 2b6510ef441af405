// How long a refitted hierarchy stays good: what bv_mesh_collide costs with it, relative to a new one, frame by frame of ten recorded
// deformations (deformations.h), and what estimates say.
//
//   bench_deform [--stride N] [--only DEFORMATION] [--volume ENTRANT] [--preset NAME] [-o CSV] FOLDER
//
// FOLDER has the meshes. In each frame, a probe and the mesh at rest come from several directions until they touch the deformed mesh; queries
// are at 0.1 % and 1 % of half the diagonal from there, and 1 % deep. The new tree is built with the same options from the same triangles.
// Others are refitted in these frames, and the worst subtrees with a part of the triangles are rebuilt.

#include "bvbuild/bvbuild.h"
#include "bvworld/bvworld.h"
#include "tests/bench/deformations.h"
#include "tests/bench/judge.h"
#include "tests/bench/measure.h"
#include "tests/bench/random.h"

#include <stdarg.h>

enum
{
	directions = 6,
	offset_count = 3,
	most_poses = 2 * directions * offset_count,
	most_approach = 60,
};

__attribute__( ( format( printf, 1, 2 ), noreturn ) ) static void give_up( const char* why, ... )
{
	va_list arguments;
	va_start( arguments, why );
	fprintf( stderr, "bench_deform: " );
	vfprintf( stderr, why, arguments );
	fprintf( stderr, "\n" );
	va_end( arguments );
	exit( 2 );
}

static void require_ok( bv_status status, const char* what )
{
	if ( status != bv_ok )
	{
		give_up( "%s: error %d", what, (int)status );
	}
}

// A file that was built in memory.
typedef struct built
{
	bvb_arena* arena;
	const bv_file* file;
} built;

static built build( const bvb_build_input* input, const char* preset, const char* volume )
{
	const bvb_named_option named[] = {
		{ "preset", preset }, { "hausdorff", "0" }, { "recognize", "0" }, { "sections", "none,mesh,tree" },
		{ "volume", volume },
	};
	bvb_error error = { "" };
	bvb_build_options options;
	bvb_build_result result;
	built out = { .arena = bvb_arena_create() };
	bv_status status = bvb_build_options_read( named, 5, &options, &error );
	bvb_build_options_set_threads( &options, 1 );
	status = status == bv_ok ? bvb_build( input, &options, out.arena, &result, &error ) : status;
	if ( status != bv_ok )
	{
		give_up( "%s", error.message );
	}
	out.file = result.file;
	return out;
}

static void tear_down( built* b )
{
	bvb_arena_destroy( b->arena );
}

static built build_mesh( const rest_mesh* m, const char* preset, const char* volume )
{
	bvb_scene scene = { .mesh = { .positions = m->positions,
		                          .triangles = (bvb_triangle*)m->triangles,
		                          .vertex_count = m->vertex_count,
		                          .triangle_count = m->triangle_count } };
	bvb_build_input input = { .name = "mesh", .scene = &scene };
	return build( &input, preset, volume );
}

_Static_assert( sizeof( bvb_triangle ) == sizeof( uint32_t[3] ), "triangles are three numbers" );

// @param out  arrays are to be freed
static void read_file( const bv_file* file, rest_mesh* out )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	*out = ( rest_mesh ){ .vertex_count = info.vertices, .triangle_count = info.triangles };
	out->positions = malloc( info.vertices * sizeof *out->positions );
	out->triangles = malloc( info.triangles * sizeof *out->triangles );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		out->positions[i] = bv_file_get_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, out->triangles[i] );
	}
}

static built build_path( const char* folder, const char* name, const char* preset, const char* volume )
{
	char path[1024];
	if ( !judge_find_mesh( folder, name, path, sizeof path ) )
	{
		give_up( "no mesh %s", name );
	}
	bvb_build_input input = { .name = path };
	return build( &input, preset, volume );
}

// What estimates are made of.
typedef struct tree_sums
{
	double tests;     // surfaces of inner nodes by children, and of leaves by triangles
	double root;      // surface of the root
	double overlap;   // mean over inner nodes of the surfaces of the children over that of the node
	double triangles; // area
	double
		morton; // as `tests`, of a tree of axis-aligned boxes, whose leaves are four triangles along a Morton curve
	uint32_t inner_count;
} tree_sums;

typedef struct summing
{
	tree_sums* sums;
	double* area; // by node
	uint32_t* parent;
} summing;

static bool add_node( void* context, const bv_node_info* node )
{
	summing* s = context;
	tree_sums* to = s->sums;
	double area = bvb_area_of( &node->volume );
	s->area[node->index] = area;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		s->parent[node->first_child + i] = node->index;
	}
	if ( node->level == 0 )
	{
		to->root = area;
	}
	else
	{
		to->overlap += area / s->area[s->parent[node->index]];
	}
	to->inner_count += node->children > 0;
	to->tests += area * ( node->children > 0 ? node->children : node->triangles );
	return true;
}

typedef struct curve_box
{
	uint64_t key;
	double lower[3];
	double upper[3];
} curve_box;

static curve_box no_box( void )
{
	return ( curve_box ){ .lower = { INFINITY, INFINITY, INFINITY },
		                  .upper = { -INFINITY, -INFINITY, -INFINITY } };
}

static void grow_box( curve_box* box, const double lower[3], const double upper[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		box->lower[k] = fmin( box->lower[k], lower[k] );
		box->upper[k] = fmax( box->upper[k], upper[k] );
	}
}

static double area_of_box( const curve_box* box )
{
	double e[3] = { box->upper[0] - box->lower[0], box->upper[1] - box->lower[1],
		            box->upper[2] - box->lower[2] };
	return 2 * ( e[0] * e[1] + e[1] * e[2] + e[2] * e[0] );
}

static int compare_keys( const void* left, const void* right )
{
	const curve_box* a = left;
	const curve_box* b = right;
	return ( a->key > b->key ) - ( a->key < b->key );
}

// G. Morton 1966: bits of coordinates in turns. Sorts the boxes.
static void sort_along_curve( curve_box* box, uint32_t count )
{
	curve_box all = no_box();
	for ( uint32_t i = 0; i < count; ++i )
	{
		grow_box( &all, box[i].lower, box[i].upper );
	}
	double edge =
		fmax( all.upper[0] - all.lower[0], fmax( all.upper[1] - all.lower[1], all.upper[2] - all.lower[2] ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		box[i].key = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double at =
				( ( box[i].lower[k] + box[i].upper[k] ) / 2 - all.lower[k] ) / ( edge > 0 ? edge : 1 );
			uint64_t code = (uint64_t)( at * 2097151 );
			for ( int bit = 0; bit < 21; ++bit )
			{
				box[i].key |= ( code >> bit & 1 ) << ( 3 * bit + k );
			}
		}
	}
	qsort( box, count, sizeof *box, compare_keys );
}

// @return surfaces by tests of the tree whose nodes are runs along the curve: four boxes in leaves, and then eight nodes
static double cost_along_curve( curve_box* box, uint32_t count )
{
	sort_along_curve( box, count );
	double sum = 0;
	for ( uint32_t run = 4; count > 1; run = 8 )
	{
		uint32_t parents = 0;
		for ( uint32_t i = 0; i < count; i += run )
		{
			curve_box parent = no_box();
			uint32_t members = count - i < run ? count - i : run;
			for ( uint32_t k = 0; k < members; ++k )
			{
				grow_box( &parent, box[i + k].lower, box[i + k].upper );
			}
			sum += area_of_box( &parent ) * members;
			box[parents++] = parent;
		}
		count = parents;
	}
	return sum;
}

static tree_sums sum_tree( const bv_file* file )
{
	tree_sums out = { 0 };
	uint32_t nodes = bv_file_get_hierarchy( file ).nodes;
	summing s = { &out, malloc( nodes * sizeof( double ) ), malloc( nodes * sizeof( uint32_t ) ) };
	bv_file_visit_nodes( file, add_node, &s );
	free( s.area );
	free( s.parent );
	out.overlap /= out.inner_count > 0 ? out.inner_count : 1;
	uint32_t count = bv_file_get_mesh( file ).triangles;
	curve_box* box = malloc( count * sizeof *box );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t at[3];
		bv_vec3 p[3];
		bv_file_get_triangle( file, i, at );
		box[i] = no_box();
		for ( int k = 0; k < 3; ++k )
		{
			double c[3];
			p[k] = bv_file_get_vertex( file, at[k] );
			rest_get( p + k, c );
			grow_box( box + i, c, c );
		}
		out.triangles += bv_length( bv_cross( bv_sub( p[1], p[0] ), bv_sub( p[2], p[0] ) ) ) / 2;
	}
	out.morton = cost_along_curve( box, count );
	free( box );
	return out;
}

static void box_of( const bv_file* file, bv_vec3* center, double* half_diagonal )
{
	bv_aabb box;
	require_ok( bvw_file_box( file, NULL, &box ), "a box" );
	*center = bv_scale( 0.5, bv_add( box.lower, box.upper ) );
	*half_diagonal = bv_length( bv_sub( box.upper, box.lower ) ) / 2;
}

typedef struct posed
{
	const bv_file* probe;
	bv_transform at;
	int offset;
} posed;

static const double offsets[offset_count] = { 0.01, 0.001, -0.01 };

// Poses of a probe about a mesh.
// @return how many
static int pose_probe( const bv_file* mesh, const bv_file* probe, double scale, posed* out )
{
	bv_vec3 center;
	bv_vec3 probe_center;
	double half;
	double probe_half;
	box_of( mesh, &center, &half );
	box_of( probe, &probe_center, &probe_half );
	int count = 0;
	for ( int i = 0; i < directions; ++i )
	{
		bv_vec3 direction = random_direction();
		bv_vec3 axis = random_direction();
		bv_vec3 aim = bv_add( center, bv_scale( 0.3 * half * random_unit(), random_direction() ) );
		bv_quaternion turn;
		require_ok( bv_quaternion_from_axis_angle( axis, 6 * random_unit(), &turn ), "a turn" );
		double s = 1.3 * ( half + scale * probe_half );
		bv_transform at;
		bool touches = false;
		for ( int k = 0; k < most_approach && s > -half; ++k )
		{
			require_ok( bv_transform_from_quaternion( turn, ( bv_vec3 ){ 0, 0, 0 }, &at ), "a placement" );
			at.scale = scale;
			bv_vec3 to = bv_add( aim, bv_scale( s, direction ) );
			at.pose.translation = bv_sub( to, bv_transform_point( &at, probe_center ) );
			bv_distance_result r;
			require_ok( bv_mesh_distance( mesh, probe, &at, NULL, &r ), "a distance" );
			touches = r.distance < 1e-4 * half;
			if ( touches )
			{
				break;
			}
			s -= r.distance;
		}
		for ( int k = 0; k < offset_count && touches; ++k )
		{
			out[count] = ( posed ){ probe, at, k };
			out[count].at.pose.translation =
				bv_add( at.pose.translation, bv_scale( offsets[k] * half, direction ) );
			count += 1;
		}
	}
	return count;
}

typedef struct query_cost
{
	double cost[offset_count];
	double seconds;
	uint64_t pairs;
} query_cost;

static query_cost measure( const bv_file* mesh, const posed* poses, int count, const bv_costs* costs )
{
	query_cost out = { .seconds = 0 };
	for ( int i = 0; i < count; ++i )
	{
		bv_collide_result r;
		judge_counts counts = { .volume_tests = 0 };
		bv_collide_options options = { .counts = &counts.tests };
		require_ok( bv_mesh_collide( mesh, poses[i].probe, &poses[i].at, &options, &r ), "a query" );
		counts.triangle_tests = r.triangle_tests;
		out.cost[poses[i].offset] += judge_cost( &counts, costs );
		out.pairs += r.pairs;
	}
	double begin = core_now();
	for ( int i = 0; i < count; ++i )
	{
		bv_collide_result r;
		require_ok( bv_mesh_collide( mesh, poses[i].probe, &poses[i].at, NULL, &r ), "a query" );
	}
	out.seconds = core_now() - begin;
	return out;
}

static void write_query( FILE* file, const query_cost* q )
{
	for ( int k = 0; k < offset_count; ++k )
	{
		fprintf( file, ",%.9g", q->cost[k] );
	}
	fprintf( file, ",%.9g", q->seconds );
}

typedef struct settings
{
	const char* folder;
	const char* only;
	const char* volume;
	const char* preset;
	int frames;
	int stride;
	FILE* csv;
} settings;

static int compare_points( const void* left, const void* right )
{
	const bv_vec3* a = *(const bv_vec3* const*)left;
	const bv_vec3* b = *(const bv_vec3* const*)right;
	return a->x != b->x   ? ( a->x > b->x ? 1 : -1 )
	       : a->y != b->y ? ( a->y > b->y ? 1 : -1 )
	                      : ( a->z > b->z ) - ( a->z < b->z );
}

// By vertex of `to`: the same vertex of `from`.
static uint32_t* map_vertices( const rest_mesh* from, const rest_mesh* to )
{
	uint32_t count = from->vertex_count;
	if ( to->vertex_count != count )
	{
		give_up( "a mesh has %u vertices, and then %u", count, to->vertex_count );
	}
	const bv_vec3** a = malloc( count * sizeof( const bv_vec3* ) );
	const bv_vec3** b = malloc( count * sizeof( const bv_vec3* ) );
	uint32_t* out = malloc( count * sizeof *out );
	for ( uint32_t i = 0; i < count; ++i )
	{
		a[i] = from->positions + i;
		b[i] = to->positions + i;
	}
	qsort( a, count, sizeof *a, compare_points );
	qsort( b, count, sizeof *b, compare_points );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( compare_points( a + i, b + i ) != 0 )
		{
			give_up( "a mesh has other vertices" );
		}
		out[b[i] - to->positions] = (uint32_t)( a[i] - from->positions );
	}
	free( a );
	free( b );
	return out;
}

// The vertices of a file made once: meshes are cleaned.
static void load_rest( const settings* with, const deformation* d, int variant, rest_mesh* out )
{
	const char* name = d->mesh[variant];
	rest_mesh mesh;
	if ( strcmp( name, "sheet" ) == 0 )
	{
		make_sheet( 72, &mesh );
	}
	else
	{
		built b = build_path( with->folder, name, "fast", "aabb" );
		read_file( b.file, &mesh );
		tear_down( &b );
	}
	if ( d->is_split )
	{
		rest_mesh whole = mesh;
		split_mesh( &whole, 24, &mesh );
		free_mesh( &whole );
	}
	built b = build_mesh( &mesh, "fast", "aabb" );
	read_file( b.file, out );
	tear_down( &b );
	if ( mesh.part )
	{
		// Positions are rounded: parts by nearest.
		out->part = calloc( out->vertex_count, sizeof *out->part );
		out->part_count = mesh.part_count;
		for ( uint32_t i = 0; i < out->vertex_count; ++i )
		{
			double least = INFINITY;
			for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
			{
				double distance = bv_length( bv_sub( mesh.positions[k], out->positions[i] ) );
				out->part[i] = distance < least ? mesh.part[k] : out->part[i];
				least = distance < least ? distance : least;
			}
		}
	}
	free_mesh( &mesh );
}

typedef struct entrant
{
	const char* name;
	const char* volume;
	bvw_deform_frames frames;
} entrant;

static const entrant entrants[] = {
	{ "aabb", "aabb", bvw_deform_keep },
	{ "obb", "obb", bvw_deform_keep },
	{ "obb, turned", "obb", bvw_deform_turn },
};

enum
{
	entrant_count = sizeof entrants / sizeof *entrants,
	budget_count = 4,
};

// Parts of the triangles that are rebuilt in each frame that is measured: one in so many.
static const uint32_t budgets[budget_count] = { 64, 16, 4, 1 };

// A mesh that is refitted, and perhaps rebuilt.
typedef struct bending
{
	void* memory;
	bvw_deform* deform;
	uint32_t budget;
} bending;

static bending bend( const bv_file* file, bvw_deform_frames frames, uint32_t budget )
{
	const bvw_deform_options options = { .frames = frames, .rebuild_triangles = budget };
	size_t bytes = bvw_deform_bytes( file, &options );
	bending out = { .memory = malloc( bytes ), .budget = budget };
	require_ok( bvw_deform_begin( file, &options, out.memory, bytes, &out.deform ), "bvw_deform_begin" );
	return out;
}

static void write_rebuilt( const bending* b, const bvw_vertices* v, const posed* poses, int count,
                           const bv_costs* costs, uint64_t pairs, FILE* file )
{
	bvw_deform_rebuild_report report;
	require_ok( bvw_deform_refit( b->deform, v, NULL, 0, NULL ), "a refit" );
	double begin = core_now();
	require_ok( bvw_deform_rebuild( b->deform, b->budget, &report ), "a rebuild" );
	double seconds = core_now() - begin;
	query_cost cost = measure( bvw_deform_file( b->deform ), poses, count, costs );
	if ( cost.pairs != pairs )
	{
		give_up( "%llu pairs after a rebuild, and %llu of the new tree", (unsigned long long)cost.pairs,
		         (unsigned long long)pairs );
	}
	fprintf( file, ",%.9g,%u,%.9g", cost.cost[0] + cost.cost[1] + cost.cost[2], report.triangles, seconds );
}

static void run( const settings* with, const deformation* d, int variant, const entrant* e )
{
	const char* volume = e->volume;
	rest_mesh base;
	load_rest( with, d, variant, &base );
	bv_vec3* recorded = malloc( (size_t)with->frames * base.vertex_count * sizeof *recorded );
	record_deformation( d, &base, variant, with->frames, recorded );
	built rest = build_mesh( &base, with->preset, volume );
	rest_mesh mesh;
	read_file( rest.file, &mesh );
	uint32_t* map = map_vertices( &base, &mesh );
	bv_costs costs = bv_file_get_hierarchy( rest.file ).costs;
	built probe = build_path( with->folder, "suzanne", with->preset, volume );
	bending plain = bend( rest.file, e->frames, 0 );
	bending rebuilt[budget_count];
	for ( int i = 0; i < budget_count; ++i )
	{
		rebuilt[i] = bend( rest.file, e->frames, mesh.triangle_count / budgets[i] );
	}
	bvw_deform* deform = plain.deform;
	const bv_file* refitted = bvw_deform_file( deform );
	bv_vec3 center;
	double half;
	double probe_half;
	box_of( rest.file, &center, &half );
	box_of( probe.file, &center, &probe_half );
	for ( int frame = 0; frame < with->frames; frame += with->stride )
	{
		bvw_vertices v = { .positions = &recorded[(size_t)frame * base.vertex_count].x,
			               .count = base.vertex_count,
			               .index = map };
		require_ok( bvw_deform_refit( deform, &v, NULL, 0, NULL ), "a refit" );
		rest_mesh now_mesh;
		read_file( refitted, &now_mesh );
		double begin = core_now();
		built again = build_mesh( &now_mesh, with->preset, volume );
		double build_seconds = core_now() - begin;
		posed poses[most_poses];
		random_state = 88172645463325252u;
		int count = pose_probe( again.file, probe.file, 0.5 * half / probe_half, poses );
		count += pose_probe( again.file, rest.file, 1, poses + count );
		query_cost a = measure( refitted, poses, count, &costs );
		query_cost b = measure( again.file, poses, count, &costs );
		if ( a.pairs != b.pairs )
		{
			fprintf( stderr, "%s %d %d: %llu pairs, and %llu of the new tree\n", d->name, variant, frame,
			         (unsigned long long)a.pairs, (unsigned long long)b.pairs );
		}
		tree_sums sums = sum_tree( refitted );
		fprintf( with->csv, "%s,%d,%s,\"%s\",%d", d->name, variant, d->mesh[variant], e->name, frame );
		bvw_deform_quality_result quality;
		require_ok( bvw_deform_quality( deform, &quality ), "a quality" );
		fprintf( with->csv, ",%.9g,%d", quality.ratio, quality.rebuild );
		write_query( with->csv, &a );
		write_query( with->csv, &b );
		fprintf( with->csv, ",%.9g,%.9g,%.9g,%.9g,%.9g", sums.tests, sums.root, sums.overlap, sums.triangles,
		         sums.morton );
		fprintf( with->csv, ",%.9g,%u", build_seconds, mesh.triangle_count );
		for ( int i = 0; i < budget_count; ++i )
		{
			write_rebuilt( rebuilt + i, &v, poses, count, &costs, b.pairs, with->csv );
		}
		fprintf( with->csv, "\n" );
		fflush( with->csv );
		tear_down( &again );
		free_mesh( &now_mesh );
	}
	tear_down( &rest );
	tear_down( &probe );
	free_mesh( &base );
	free_mesh( &mesh );
	free( recorded );
	free( map );
	free( plain.memory );
	for ( int i = 0; i < budget_count; ++i )
	{
		free( rebuilt[i].memory );
	}
}

int main( int count, char** arguments )
{
	settings with = { .preset = "balanced", .frames = 61, .stride = 1, .csv = stdout };
	for ( int i = 1; i < count; ++i )
	{
		const char* word = arguments[i];
		const char* next = i + 1 < count ? arguments[i + 1] : NULL;
		if ( strcmp( word, "--stride" ) == 0 && next )
		{
			with.stride = atoi( arguments[++i] );
			with.stride = with.stride > 0 ? with.stride : 1;
		}
		else if ( strcmp( word, "--only" ) == 0 && next )
		{
			with.only = arguments[++i];
		}
		else if ( strcmp( word, "--volume" ) == 0 && next )
		{
			with.volume = arguments[++i];
		}
		else if ( strcmp( word, "--preset" ) == 0 && next )
		{
			with.preset = arguments[++i];
		}
		else if ( strcmp( word, "-o" ) == 0 && next )
		{
			with.csv = fopen( arguments[++i], "w" );
		}
		else
		{
			with.folder = word;
		}
	}
	if ( !with.folder || !with.csv )
	{
		give_up( "no folder" );
	}
	fprintf( with.csv, "deformation,variant,mesh,volume,frame,ratio,rebuild" );
	for ( int k = 0; k < 2; ++k )
	{
		const char* of = k == 0 ? "refit" : "again";
		fprintf( with.csv, ",%s_far,%s_near,%s_deep,%s_seconds", of, of, of, of );
	}
	fprintf( with.csv, ",tests,root,overlap,triangles,morton,build_seconds,count" );
	for ( int k = 0; k < budget_count; ++k )
	{
		uint32_t n = budgets[k];
		fprintf( with.csv, ",cost_%u,rebuilt_%u,rebuild_seconds_%u", n, n, n );
	}
	fprintf( with.csv, "\n" );
	for ( int i = 0; i < deformation_count; ++i )
	{
		for ( int k = 0; k < 2 * entrant_count; ++k )
		{
			const entrant* e = entrants + k / 2;
			if ( ( !with.only || strcmp( with.only, deformations[i].name ) == 0 ) &&
			     ( !with.volume || strcmp( with.volume, e->name ) == 0 ) )
			{
				run( &with, deformations + i, k % 2, e );
			}
		}
	}
	return 0;
}
