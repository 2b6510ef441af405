// What the tests of control share: scenes of random objects, and of boxes in a row.

#pragma once

#include "queries.h"
#include "sliding.h"

#include "bvworld/bvworld.h"

static const double clearance = 1e-7; // of most tests: times differ by less than their brackets

enum
{
	most_objects = 100,
	files = 6,
	memory_bytes = 4 << 20,
};

typedef struct scene
{
	fixture* f;
	const bv_file* file[files];
	uint32_t count;
	uint32_t group[most_objects]; // 0 for none
	uint32_t of[most_objects];    // file
	bv_transform start[most_objects];
	bv_transform goal[most_objects];
	bv_vec3 pivot[most_objects];
	bool moves[most_objects];
	bv_motion motion[most_objects]; // of the brute force
	double separation;
	double* memory;
	bvw_control* control;
} scene;

static inline scene* make_scene( fixture* f )
{
	scene* s = bvb_arena_allocate( f->arena, 1, sizeof *s );
	memset( s, 0, sizeof *s );
	s->f = f;
	s->memory = bvb_arena_allocate( f->arena, memory_bytes / sizeof( double ), sizeof( double ) );
	for ( int i = 0; i < files; ++i )
	{
		bvb_mesh mesh = i % 3 == 0   ? box_mesh( f, 0.6 + 0.2 * i, 1, 1 )
		                : i % 3 == 1 ? bumpy_ball( f, 4 + (uint32_t)i )
		                             : random_soup( f, 40, ( bv_vec3 ){ 0, 0, 0 } );
		s->file[i] = file_of_round( f, &mesh, i );
	}
	return s;
}

static inline bv_transform random_goal( const scene* s, uint32_t i, double way )
{
	fixture* f = s->f;
	bv_transform turn = random_transform( f, 1, false, bv_scale( way, random_around( f ) ) );
	bv_transform goal = s->start[i];
	bv_transform turned = bv_transform_compose( &turn, &goal );
	goal.pose.translation = bv_add( goal.pose.translation, turn.pose.translation );
	if ( i % 3 != 0 )
	{
		memcpy( goal.pose.rotation, turned.pose.rotation, sizeof goal.pose.rotation );
	}
	return goal;
}

// Groups of one or two objects; those of a group move as one.
static inline void fill_scene( scene* s, uint32_t groups, int round )
{
	fixture* f = s->f;
	double side = ( round % 4 == 0 ? 1.3 : 2 ) * cbrt( groups ) + 1;
	double way = round % 3 == 0 ? 0.5 : round % 3 == 1 ? 2 : side;
	s->count = 0;
	s->separation = round % 10 == 4 ? 0.05 : round % 10 == 9 ? 0.6 : 0;
	for ( uint32_t g = 1; g <= groups; ++g )
	{
		uint32_t size = random_unit( f ) < 0.3 ? 2 : 1;
		bool moves = round % 7 != 6 || random_unit( f ) < 0.5;
		for ( uint32_t k = 0; k < size; ++k )
		{
			uint32_t i = s->count++;
			double scale = round % 2 ? 0.5 + random_unit( f ) : 1;
			bv_vec3 at = k == 0 ? bv_scale( side, random_point( f ) )
			                    : bv_add( s->start[i - 1].pose.translation, random_around( f ) );
			s->group[i] = size > 1 ? g : 0;
			s->of[i] = (uint32_t)( random_unit( f ) * files );
			s->start[i] = random_transform( f, scale, round % 8 == 3, at );
			s->pivot[i] = random_around( f );
			s->moves[i] = moves;
			s->goal[i] = random_goal( s, i, way );
			if ( k > 0 )
			{
				bv_transform back = bv_transform_inverse( s->start + i - 1 );
				bv_transform by = bv_transform_compose( s->goal + i - 1, &back );
				s->goal[i] = bv_transform_compose( &by, s->start + i );
			}
		}
	}
}

static inline bvw_control* begin_control( scene* s, uint32_t sweeps, bvw_method method )
{
	bvw_control_options options = {
		.broadphase = { .objects = most_objects, .pairs = 5000, .method = method },
		.sweeps = sweeps,
		.sweep_bytes = sweeps > 40 ? BV_SWEEP_LEAST : 0
	};
	assert_true( bvw_control_bytes( &options ) <= memory_bytes );
	assert_int_equal( bvw_control_begin( s->memory, memory_bytes, &options, &s->control ), bv_ok );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bvw_control_object object = {
			.file = s->of[i], .placement = s->start[i], .pivot = s->pivot[i], .group = s->group[i]
		};
		assert_int_equal( bvw_control_add( s->control, i, &object ), bv_ok );
		assert_int_equal( bvw_control_set_goal( s->control, i, s->moves[i] ? s->goal + i : NULL ), bv_ok );
	}
	return s->control;
}

static inline bvw_control_input input_of( const scene* s )
{
	return ( bvw_control_input ){ .files = s->file,
		                          .file_count = files,
		                          .sweep = { .separation = s->separation },
		                          .clearance = clearance };
}

static inline bool same_group( const scene* s, uint32_t a, uint32_t b )
{
	return a == b || ( s->group[a] > 0 && s->group[a] == s->group[b] );
}

static inline bool same_contact( const bvw_control_contact* x, const bvw_control_contact* y )
{
	return x->a == y->a && x->b == y->b && x->sweep.lower == y->sweep.lower &&
	       x->sweep.upper == y->sweep.upper &&
	       memcmp( &x->sweep.point, &y->sweep.point, sizeof x->sweep.point ) == 0 &&
	       memcmp( x->sweep.triangle, y->sweep.triangle, sizeof x->sweep.triangle ) == 0;
}

static inline bv_transform now_at( const scene* s, uint32_t i )
{
	bvw_control_object object;
	assert_true( bvw_control_get( s->control, i, &object ) );
	return object.placement;
}

// A control with boxes of side 1 in a row along x, each moved by its way.
static inline bvw_control* row_of_boxes( scene* s, uint32_t count, const double* at, const double* way )
{
	s->count = count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		s->of[i] = 0;
		s->start[i] = bv_transform_translation( at[i], 0.01 * i, 0.02 * i );
		s->goal[i] = bv_transform_translation( at[i] + way[i], 0.01 * i, 0.02 * i );
		s->moves[i] = way[i] != 0;
		s->group[i] = 0;
		s->pivot[i] = ( bv_vec3 ){ 0, 0, 0 };
		s->separation = 0;
	}
	return begin_control( s, 0, bvw_method_default );
}

static inline scene* make_boxes( fixture* f )
{
	scene* s = make_scene( f );
	bvb_mesh box = box_mesh( f, 1, 1, 1 );
	for ( int i = 0; i < files; ++i )
	{
		s->file[i] = file_of_round( f, &box, i );
	}
	return s;
}

static inline void assert_stop( const scene* s, uint32_t number, double time, uint32_t contact )
{
	bvw_stop stop;
	assert_int_equal( bvw_control_get_stop( s->control, number, &stop ), bv_ok );
	assert_true( stop.is_final && stop.contact == contact );
	assert_true( stop.time <= time && stop.time > time - 4e-6 );
}
