// Runs a scene. In each frame, objects get goals, bvw_control finds how far they can move within the budget, and objects that touch
// reply. Then each pair of objects near each other gets a state.

#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	most_pairs = 1 << 18,
};

typedef struct simulation
{
	scene* s;
	bvw_scene_tree* tree;
	bvw_control* control;
	bv_transform *before, *goals; // of all objects, in the world
	bvw_stop* stops;
	frame* frame;
	double* search_memory;
} simulation;

static void check( bv_status status, const char* what )
{
	if ( status != bv_ok )
	{
		fail( status == bv_error_memory ? exit_memory : exit_input, "%s: %s", what,
		      bv_status_text( status ) );
	}
}

static double milliseconds( void* context )
{
	(void)context;
	struct timespec t;
	timespec_get( &t, TIME_UTC );
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static bool has_mesh( const simulation* m, uint32_t i )
{
	return m->s->objects[i].file != BVW_NO_FILE;
}

// Sets up

static void begin_tree( simulation* m )
{
	const scene* s = m->s;
	size_t bytes = bvw_scene_tree_bytes( s->object_count );
	check( bvw_scene_tree_begin( allocate( bytes, 1 ), bytes, s->object_count, &m->tree ), s->path );
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		const object* o = s->objects + i;
		bvw_scene_node node;
		check( bvw_scene_tree_add( m->tree, i, o->parent, &o->at ), o->name );
		check( bvw_scene_tree_get( m->tree, i, &node ), o->name );
		m->before[i] = node.world;
	}
}

static void begin_control( simulation* m )
{
	const scene* s = m->s;
	bvw_control_options options = bvw_control_options_default();
	uint64_t all = (uint64_t)s->object_count * ( s->object_count - 1 ) / 2;
	options.broadphase.objects = s->object_count;
	options.broadphase.pairs = (uint32_t)( all < most_pairs ? all : most_pairs );
	options.broadphase.method = s->method;
	options.broadphase.moving = 1;
	size_t bytes = bvw_control_bytes( &options );
	check( bvw_control_begin( allocate( bytes, 1 ), bytes, &options, &m->control ), s->path );
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		const object* o = s->objects + i;
		const bvw_control_object c = { .file = o->file,
			                           .placement = m->before[i],
			                           .pivot = o->pivot,
			                           .group = o->group,
			                           .category = o->category,
			                           .mask = o->mask };
		if ( has_mesh( m, i ) )
		{
			check( bvw_control_add( m->control, i, &c ), o->name );
		}
	}
}

// Goals

static bool is_same_place( const bv_transform* a, const bv_transform* b )
{
	double apart = bv_length( bv_sub( a->pose.translation, b->pose.translation ) );
	bool is_same = apart <= 1e-12 * ( 1 + bv_length( a->pose.translation ) );
	for ( int i = 0; i < 9; ++i )
	{
		is_same &= fabs( a->pose.rotation[i / 3][i % 3] - b->pose.rotation[i / 3][i % 3] ) <= 1e-12;
	}
	return is_same;
}

static void set_goals( simulation* m )
{
	const scene* s = m->s;
	double step = 1 / s->rate;
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		bv_transform local = object_after( s->objects + i, step );
		check( bvw_scene_tree_set_local( m->tree, i, &local ), s->objects[i].name );
	}
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		bvw_scene_node node;
		check( bvw_scene_tree_get( m->tree, i, &node ), s->objects[i].name );
		m->goals[i] = node.world;
		if ( has_mesh( m, i ) )
		{
			bool rests = is_same_place( m->before + i, m->goals + i );
			check( bvw_control_set_goal( m->control, i, rests ? NULL : m->goals + i ), s->objects[i].name );
		}
	}
}

// Pairs

// Without those that only stand for undecided pairs.
static void note_contacts( frame* f, const bvw_control_report* report )
{
	f->contact_count = report->contact_count;
	f->contacts = allocate( f->contact_count + (size_t)1, sizeof *f->contacts );
	memcpy( f->contacts, report->contacts, f->contact_count * sizeof *f->contacts );
}

static void note_pairs( const simulation* m, const bvw_control_report* report )
{
	static const state states[bvw_pair_states] = {
		[bvw_pair_contact] = state_touching,
		[bvw_pair_undecided] = state_undecided,
	};
	frame* f = m->frame;
	bvw_control_pair p;
	f->pairs = allocate( report->pairs, sizeof *f->pairs );
	for ( ; bvw_control_get_pair( m->control, f->pair_count, &p ); ++f->pair_count )
	{
		f->pairs[f->pair_count] = ( pair ){ .a = p.a, .b = p.b, .state = states[p.state] };
	}
}

// Brackets the distance of two objects where they have stopped.
static void measure( simulation* m, pair* p, const bv_transform* places )
{
	const scene* s = m->s;
	bv_transform b_in_a = bv_transform_between( places + p->a, places + p->b );
	const bv_budget budget = { .tests = s->gap_tests };
	bv_search* search;
	bv_search_answer answer = { .lower = 0 };
	check( bv_search_begin( s->files[s->objects[p->a].file], s->files[s->objects[p->b].file], &b_in_a, NULL,
	                        m->search_memory, BV_SEARCH_AMPLE, &search ),
	       s->objects[p->a].name );
	check( bv_search_run( search, &budget, &answer ), s->objects[p->a].name );
	p->lower = answer.lower * places[p->a].scale;
	p->upper = answer.upper * places[p->a].scale;
}

static void measure_undecided( simulation* m, const bv_transform* places )
{
	for ( uint32_t i = 0; i < m->frame->pair_count; ++i )
	{
		if ( m->frame->pairs[i].state == state_undecided )
		{
			measure( m, m->frame->pairs + i, places );
		}
	}
}

// Replies

static bool is_in_group_of( const scene* s, uint32_t i, uint32_t other )
{
	return i == other || ( s->objects[i].group > 0 && s->objects[i].group == s->objects[other].group );
}

// Moves the clocks of objects to where they have stopped. Objects that touch reply.
static void advance( simulation* m, const bv_transform* places )
{
	const scene* s = m->s;
	double step = 1 / s->rate;
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		const bvw_stop* stop = m->stops + i;
		object_advance( s->objects + i, stop->time * step );
		if ( stop->contact != BVW_NO_CONTACT )
		{
			const bvw_control_contact* c = m->frame->contacts + stop->contact;
			bool is_a = is_in_group_of( s, i, c->a );
			object_answer( s->objects + i, places + i, c->sweep.point[!is_a],
			               is_a ? bv_negate( c->sweep.normal ) : c->sweep.normal );
		}
	}
}

// An object with a mesh of the same group; or the number of objects.
static uint32_t find_mesh( const simulation* m, uint32_t i )
{
	uint32_t k = has_mesh( m, i ) ? i : 0;
	while ( k < m->s->object_count && !( has_mesh( m, k ) && is_in_group_of( m->s, i, k ) ) )
	{
		++k;
	}
	return k;
}

// A node without a mesh stops with its group; without one it does not stop.
static void get_stops( simulation* m )
{
	for ( uint32_t i = 0; i < m->s->object_count; ++i )
	{
		uint32_t k = find_mesh( m, i );
		m->stops[i] = ( bvw_stop ){ .time = 1, .contact = BVW_NO_CONTACT };
		if ( k < m->s->object_count )
		{
			check( bvw_control_get_stop( m->control, k, m->stops + i ), m->s->objects[k].name );
		}
	}
}

static void apply( simulation* m, bv_transform* places )
{
	check( bvw_control_apply( m->control ), m->s->path );
	for ( uint32_t i = 0; i < m->s->object_count; ++i )
	{
		bvw_control_object at;
		places[i] = bvw_control_get( m->control, i, &at ) ? at.placement : m->goals[i];
	}
}

static void run_frame( simulation* m, bv_transform* places )
{
	const scene* s = m->s;
	frame* f = m->frame;
	bvw_control_input input = { .files = s->files,
		                        .file_count = s->file_count,
		                        .rule = s->rule,
		                        .sweep = { .mode = s->mode, .separation = s->separation },
		                        .ignore_touching = s->ignore_touching };
	bvw_control_report report;
	set_goals( m );
	double start = milliseconds( NULL );
	clock_t processor = clock();
	bv_budget budget = { .tests = s->budget_tests };
	if ( s->budget_ms > 0 )
	{
		budget = ( bv_budget ){ .now = milliseconds, .until = start + s->budget_ms };
	}
	check( bvw_control_step( m->control, &input, &budget, &report ), s->path );
	f->ms = milliseconds( NULL ) - start;
	f->processor_ms = 1e3 * (double)( clock() - processor ) / CLOCKS_PER_SEC;
	f->tests = report.tests;
	f->swept = report.swept;
	f->held = report.held;
	f->mean = report.mean;
	f->is_undecided = !report.done;
	note_contacts( f, &report );
	note_pairs( m, &report );
	get_stops( m );
	apply( m, places );
	measure_undecided( m, places );
	advance( m, places );
	memcpy( m->before, places, s->object_count * sizeof *places );
}

void scene_run( scene* s, run* out )
{
	uint32_t count = s->object_count;
	simulation m = { .s = s };
	m.before = allocate( count, sizeof *m.before );
	m.goals = allocate( count, sizeof *m.goals );
	m.stops = allocate( count, sizeof *m.stops );
	m.search_memory = allocate( BV_SEARCH_AMPLE, 1 );
	out->frames = allocate( s->frames, sizeof *out->frames );
	out->places = allocate( ( s->frames + (size_t)1 ) * count, sizeof *out->places );
	begin_tree( &m );
	begin_control( &m );
	memcpy( out->places, m.before, count * sizeof *m.before );
	for ( uint32_t i = 0; i < s->frames; ++i )
	{
		m.frame = out->frames + i;
		run_frame( &m, out->places + ( i + (size_t)1 ) * count );
	}
	free( m.before );
	free( m.goals );
	free( m.stops );
	free( m.search_memory );
	free( m.control );
	free( m.tree );
}
