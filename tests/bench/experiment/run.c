// Measures cells on pose files, each in its own process with a limit on its CPU time. Small meshes come
// first: a configuration that timed out on one is not started on a larger one. See experiment.h.

#include "tests/bench/experiment/experiment.h"

#include "bvbuild/fit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
	most_subjects = 256,
	query_repeats = 2,
};

// A pose file and its meshes, loaded when they are needed.
typedef struct subject
{
	char name[name_size];
	const char* path;
	bvb_arena* arena;
	judge_poses poses;
	judge_mesh a;
	judge_mesh b; // that of a when it is a mesh against itself
	bool same;
	uint32_t triangles;
} subject;

typedef struct run_state
{
	const run_options* options;
	results* all;
	subject* subjects;
	int subject_count;
	subject* now;
	double start;
	uint32_t measured;
	uint32_t missing;
} run_state;

static void fail( const char* message )
{
	fprintf( stderr, "experiment: %s\n", message );
	exit( 2 );
}

static judge_mesh load( const char* folder, const char* name )
{
	char path[4096];
	judge_mesh mesh;
	bvb_error error;
	if ( !judge_find_mesh( folder, name, path, sizeof path ) )
	{
		fail( name );
	}
	if ( judge_load( path, bvb_positions_float, &mesh, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return mesh;
}

static void load_subject( const char* folder, const char* path, subject* s )
{
	bvb_error error = { "out of memory" };
	*s = ( subject ){ .path = path, .arena = bvb_arena_create() };
	if ( !s->arena || judge_read_poses( path, s->arena, &s->poses, &error ) != bv_ok )
	{
		fail( error.message );
	}
	s->a = load( folder, s->poses.a );
	s->same = strcmp( s->poses.a, s->poses.b ) == 0;
	s->b = s->same ? s->a : load( folder, s->poses.b );
	s->triangles =
		s->a.asset.record.mesh.triangle_count + ( s->same ? 0 : s->b.asset.record.mesh.triangle_count );

	// Two folders may have files of one name.
	const char* name = name_of( path );
	const char* folder_name = name;
	while ( folder_name > path && ( folder_name == name || folder_name[-1] != '/' ) )
	{
		folder_name -= 1;
	}
	snprintf( s->name, sizeof s->name, "%.*s", (int)strcspn( folder_name, "." ), folder_name );
}

static void unload_subject( subject* s )
{
	judge_unload( &s->a );
	if ( !s->same )
	{
		judge_unload( &s->b );
	}
	bvb_arena_destroy( s->arena );
}

static int compare_subjects( const void* left, const void* right )
{
	const subject* a = left;
	const subject* b = right;
	return a->triangles != b->triangles ? ( a->triangles > b->triangles ) - ( a->triangles < b->triangles )
	                                    : strcmp( a->path, b->path );
}

// How large they are has to be known before the first is measured.
static void list_subjects( const run_options* options, run_state* state )
{
	for ( int i = 0; i < options->path_count && state->subject_count < most_subjects; ++i )
	{
		subject* s = state->subjects + state->subject_count;
		load_subject( options->folder, options->paths[i], s );
		unload_subject( s );
		state->subject_count += options->most == 0 || s->triangles <= options->most;
	}
	qsort( state->subjects, (size_t)state->subject_count, sizeof *state->subjects, compare_subjects );
}

static void send( int to, const result* r )
{
	if ( write( to, r, sizeof *r ) != (ssize_t)sizeof *r )
	{
		_exit( 1 );
	}
}

// How many nodes the cut at each level has: those of the level and the leaves above it.
static void count_cuts( const bvb_tree* tree, result* r, bvb_arena* arena )
{
	uint32_t count = bvb_tree_node_count( tree );
	uint8_t* level = bvb_arena_allocate( arena, count, sizeof *level );
	for ( uint32_t i = 0; level && i < count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			level[node.first_child + k] = (uint8_t)( level[i] + 1 );
		}
		for ( uint32_t k = level[i]; k < ( node.children ? level[i] + 1u : r->cut_count ); ++k )
		{
			r->cuts[k].nodes += 1;
		}
	}
}

static void measure_cuts( const judge_tree* tree, result* r )
{
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	options.threads = 1;
	bvb_tree_errors errors;
	bvb_error error;
	const double diagonal = 2; // of the box, because meshes are normalized
	if ( bvb_hausdorff_tree( &tree->asset.record.mesh, tree->asset.tree, &options, tree->arena, &errors,
	                         &error ) != bv_ok )
	{
		return;
	}
	r->cut_count = errors.level_count;
	for ( uint32_t i = 0; i < errors.level_count; ++i )
	{
		r->cuts[i] = ( cut ){ 0, (float)( errors.levels[i].cut.solid.mean.upper / diagonal ) };
	}
	count_cuts( tree->asset.tree, r, tree->arena );
}

static void give_time( double seconds )
{
	struct rusage used;
	getrusage( RUSAGE_SELF, &used );
	double so_far = (double)( used.ru_utime.tv_sec + used.ru_stime.tv_sec ) + 1;
	struct rlimit time = { (rlim_t)( so_far + seconds ), RLIM_INFINITY };
	setrlimit( RLIMIT_CPU, &time );
}

static uint64_t mix( uint64_t h, uint64_t bits )
{
	h = ( h ^ bits ) * 0x9e3779b97f4a7c15;
	return h ^ ( h >> 29 );
}

static uint64_t mix_number( uint64_t h, double number )
{
	uint64_t bits;
	memcpy( &bits, &number, sizeof bits );
	return mix( h, bits );
}

// Of the nodes' ranges and volumes, and of the order of triangles.
static uint64_t hash_tree( const judge_tree* tree, uint64_t h )
{
	for ( uint32_t i = 0; i < bvb_tree_node_count( tree->asset.tree ); ++i )
	{
		bvb_node node = bvb_tree_node( tree->asset.tree, i );
		h = mix( h, (uint64_t)node.first_triangle << 32 | node.triangles );
		h = mix( h, (uint64_t)node.first_child << 32 | node.children );
		h = mix( h, node.volume.type );
		h = mix_number( mix_number( h, bvb_area_of( &node.volume ) ), bvb_diameter_of( &node.volume ) );
	}
	const bvb_mesh* mesh = &tree->asset.record.mesh;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bv_vec3 p = mesh->positions[mesh->triangles[i].corner[0]];
		h = mix_number( mix_number( mix_number( h, p.x ), p.y ), p.z );
	}
	return h;
}

static void query( const subject* s, const judge_tree* a, const judge_tree* b, result* r )
{
	judge_counts counts = judge_collide( a, b, &s->poses, query_repeats );
	bv_costs costs = bvb_costs_default();
	r->end = counts.wrong ? ending_wrong : ending_done;
	r->wrong = counts.wrong;
	r->volume_tests = counts.volume_tests;
	r->triangle_tests = counts.triangle_tests;
	r->cost = judge_cost( &counts, &costs );
	r->query = counts.seconds;
}

// An equal tree has the same answers.
static void take_answers( const result* from, result* r )
{
	r->end = from->end;
	r->wrong = from->wrong;
	r->volume_tests = from->volume_tests;
	r->triangle_tests = from->triangle_tests;
	r->cost = from->cost;
	r->query = from->query;
	r->cut_count = from->cut_count;
	memcpy( r->cuts, from->cuts, sizeof r->cuts );
}

// In the child: says what it found after the queries, and again after the errors of the nodes.
static void measure_in_child( const subject* s, const cell* c, double limit, bool errors,
                              const results* known, result r, int to )
{
	judge_tree a;
	judge_tree b;
	bvb_error error;
	struct rlimit core = { 0, 0 };
	setrlimit( RLIMIT_CORE, &core );
	give_time( limit );
	r.end = ending_failed;
	if ( judge_build( &s->a, &c->options, &a, &error ) != bv_ok ||
	     ( !s->same && judge_build( &s->b, &c->options, &b, &error ) != bv_ok ) )
	{
		fprintf( stderr, "%s, %s: %s\n", c->key, s->name, error.message );
		send( to, &r );
		_exit( 0 );
	}
	const judge_tree* other = s->same ? &a : &b;
	r.build = a.seconds + ( s->same ? 0 : b.seconds );
	r.bytes = a.bytes + ( s->same ? 0 : b.bytes );
	r.nodes = bvb_tree_node_count( a.asset.tree ) + ( s->same ? 0 : bvb_tree_node_count( b.asset.tree ) );
	r.depth = a.depth > other->depth ? a.depth : other->depth;
	r.tree = hash_tree( other, s->same ? 0 : hash_tree( &a, 0 ) );
	const result* equal = find_tree( known, r.tree, r.subject );
	if ( equal )
	{
		take_answers( equal, &r );
	}
	else
	{
		query( s, &a, other, &r );
	}
	send( to, &r );
	if ( errors && r.cut_count == 0 )
	{
		give_time( limit );
		measure_cuts( &a, &r );
		send( to, &r );
	}
	_exit( 0 );
}

static result measure( const subject* s, const cell* c, const run_options* options, const results* known )
{
	result r = { .program = options->program,
		         .limit = options->limit,
		         .end = ending_failed,
		         .triangles = s->triangles,
		         .poses = s->poses.count };
	snprintf( r.key, sizeof r.key, "%s", c->key );
	snprintf( r.subject, sizeof r.subject, "%s", s->name );
	int end[2];
	fflush( NULL );
	if ( pipe( end ) != 0 )
	{
		fail( "no pipe" );
	}
	pid_t child = fork();
	if ( child == 0 )
	{
		close( end[0] );
		measure_in_child( s, c, options->limit, !options->full, known, r, end[1] );
	}
	close( end[1] );
	result found;
	bool any = false;
	while ( child > 0 && read( end[0], &found, sizeof found ) == (ssize_t)sizeof found )
	{
		r = found;
		any = true;
	}
	close( end[0] );
	int status = 0;
	if ( child > 0 && waitpid( child, &status, 0 ) == child && !any && WIFSIGNALED( status ) &&
	     WTERMSIG( status ) == SIGXCPU )
	{
		r.end = ending_time;
	}
	return r;
}

// Whether it ended for want of time on a smaller mesh, with no less of it.
static bool is_hopeless( const run_state* state, const cell* c )
{
	for ( const subject* s = state->subjects; s < state->now; ++s )
	{
		const result* r = find_result( state->all, c->key, s->name );
		if ( r && r->end == ending_time && r->limit >= state->options->limit )
		{
			return true;
		}
	}
	return false;
}

static bool is_known( const run_state* state, const cell* c )
{
	const result* r = find_result( state->all, c->key, state->now->name );
	bool ended_early = r && ( r->end == ending_time || r->end == ending_skipped );
	return r && ( !ended_early || r->limit >= state->options->limit );
}

static void visit( void* context, const cell* c )
{
	run_state* state = context;
	const run_options* options = state->options;
	if ( is_known( state, c ) )
	{
		return;
	}
	if ( options->total > 0 && now() - state->start > options->total )
	{
		state->missing += 1;
		return;
	}
	result r;
	if ( is_hopeless( state, c ) )
	{
		r = ( result ){ .program = options->program, .limit = options->limit, .end = ending_skipped };
		r.triangles = state->now->triangles;
		snprintf( r.key, sizeof r.key, "%s", c->key );
		snprintf( r.subject, sizeof r.subject, "%s", state->now->name );
	}
	else
	{
		r = measure( state->now, c, options, state->all );
		state->measured += 1;
	}
	add_result( state->all, options->table, &r );
}

bool run_experiment( const run_options* options, results* all )
{
	static subject subjects[most_subjects];
	run_state state = { .options = options, .all = all, .subjects = subjects, .start = now() };
	list_subjects( options, &state );
	for ( int i = 0; i < state.subject_count; ++i )
	{
		state.now = subjects + i;
		load_subject( options->folder, subjects[i].path, state.now );
		if ( options->full )
		{
			walk_full( visit, &state );
		}
		else
		{
			walk_one( options->only, visit, &state );
		}
		unload_subject( state.now );
		fprintf( stderr, "%s: %u measured so far, %u left for another run, %.0f s\n", state.now->name,
		         state.measured, state.missing, now() - state.start );
	}
	return state.missing == 0;
}
