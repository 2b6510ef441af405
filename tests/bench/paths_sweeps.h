// The table of bench_paths about motions: the part moves from the pose after a step to that after the next one, or after the fifth. What
// modes of bv_sweep_meshes find of its first contact, and what they cost.

#pragma once

#include "tests/bench/paths_static.h"

enum
{
	reference_samples = 257,
	most_modes = 6,
	most_strides = 2,
};

static const int strides[most_strides] = { 1, 5 };

// A mode. The last row is the reference.
typedef struct sweep_mode_row
{
	const char* name;
	bv_sweep_mode mode;
	uint32_t samples;
} sweep_mode_row;

static const sweep_mode_row sweep_mode_rows[most_modes] = {
	{ "static, at the end", bv_sweep_mode_end, 0 },
	{ "mixed", bv_sweep_mode_mixed, 0 },
	{ "5 poses", bv_sweep_mode_sampled, 5 },
	{ "33 poses", bv_sweep_mode_sampled, 33 },
	{ "257 poses", bv_sweep_mode_sampled, reference_samples },
	{ "dynamic", bv_sweep_mode_dynamic, 0 },
};

enum
{
	mode_end = 0,
	mode_dynamic = most_modes - 1,
};

// What a mode answered over a path.
typedef struct sweep_cell
{
	int found;
	int missed;   // contacts of the dynamic mode
	int late;     // by more than 0.001 of the step
	double delay; // sum of those
	spread time;  // microseconds
} sweep_cell;

// A path with steps of one length.
typedef struct sweep_table
{
	int steps;
	int contacts;
	int at_start;
	int free_ends; // steps with a contact whose start and end are free
	int uncertain;
	int incomplete;
	sweep_cell cell[most_modes];
} sweep_table;

// The first contact of the part that moves with any part near it.
typedef struct first_contact
{
	bool found;
	bool certain;
	bool complete;
	bool at_start;
	double lower;
	double upper;
} first_contact;

// A motion, and the parts near it.
typedef struct path_motion
{
	bv_motion motion;
	near_parts near;
} path_motion;

static inline path_motion motion_of_step( const path_scene* s, const mesh_files* files, int step, int stride )
{
	path_motion out;
	bv_aabb box;
	require_ok( bv_motion_slerp( s->path.pose + step, s->path.pose + step + stride, bv_vec3_make( 0, 0, 0 ),
	                             &out.motion ),
	            "a motion" );
	require_ok( bvw_file_swept_box( files->of[s->mover], &out.motion, 0, 1, &box ), "a swept box" );
	out.near = parts_near( s, files, &box, 0 );
	return out;
}

static inline first_contact sweep_step( const path_scene* s, const mesh_files* files, const path_motion* m,
                                        const sweep_mode_row* row )
{
	static uint64_t scratch[BV_SWEEP_SCRATCH_AMPLE / sizeof( uint64_t )];
	const bv_sweep_options options = {
		.mode = row->mode, .samples = row->samples, .scratch = scratch, .scratch_bytes = sizeof scratch
	};
	first_contact out = { .certain = true, .complete = true, .lower = 1, .upper = INFINITY };
	for ( int i = 0; i < m->near.count; ++i )
	{
		const scene_part* part = s->part + m->near.part[i];
		bv_motion still;
		bv_sweep_result r;
		require_ok( bv_motion_still( &part->placement, &still ), "a motion" );
		require_ok(
			bv_sweep_meshes( files->of[s->mover], &m->motion, files->of[part->mesh], &still, &options, &r ),
			"a sweep" );
		out.found = out.found || r.found;
		out.certain = out.certain && r.certain;
		out.complete = out.complete && r.complete;
		out.at_start = out.at_start || r.at_start;
		out.lower = fmin( out.lower, r.lower );
		out.upper = fmin( out.upper, r.found ? r.upper : INFINITY );
	}
	return out;
}

// Samples report the pose that touches; what touches at the end alone has no time before it.
static inline double reported_time( const sweep_mode_row* row, const first_contact* c )
{
	return row->mode == bv_sweep_mode_sampled ? c->upper : c->lower;
}

// Ends the program if a mode proves what the dynamic mode excludes.
static inline void compare_with_dynamic( const path_scene* s, int step, const sweep_mode_row* row,
                                         const first_contact* c, const first_contact* truth )
{
	if ( c->found && !truth->found && truth->complete )
	{
		contradict( "%s, step %d: mode %s finds a contact, the dynamic mode none", s->name, step, row->name );
	}
	bool has_time = row->mode == bv_sweep_mode_sampled && c->found;
	if ( has_time && c->upper < truth->lower )
	{
		contradict( "%s, step %d: mode %s finds a contact at %.9f, the dynamic mode none before %.9f",
		            s->name, step, row->name, c->upper, truth->lower );
	}
}

static inline void count_step( sweep_table* t, const first_contact answer[most_modes], bool start_meets,
                               bool end_meets )
{
	const double tolerance = 1e-3;
	const first_contact* truth = answer + mode_dynamic;
	t->steps += 1;
	t->contacts += truth->found;
	t->at_start += truth->at_start;
	t->free_ends += truth->found && !start_meets && !end_meets;
	t->uncertain += !truth->certain;
	t->incomplete += !truth->complete;
	for ( int i = 0; i < most_modes; ++i )
	{
		sweep_cell* cell = t->cell + i;
		const first_contact* c = answer + i;
		double time = reported_time( sweep_mode_rows + i, c );
		bool is_late = i != mode_end && c->found && truth->found && time > truth->upper + tolerance;
		cell->found += c->found;
		cell->missed += truth->found && !c->found;
		cell->late += is_late;
		cell->delay += is_late ? time - truth->upper : 0;
	}
}

// The dynamic mode must find what static queries of both ends find.
static inline void check_ends( const path_scene* s, int step, const first_contact* truth, bool start_meets,
                               bool end_meets )
{
	if ( ( start_meets || end_meets ) && !truth->found )
	{
		contradict( "%s, step %d: an end of the step touches (start %d, end %d), the dynamic mode finds "
		            "nothing until %.9f (certain %d, complete %d)",
		            s->name, step, start_meets, end_meets, truth->lower, truth->certain, truth->complete );
	}
}

static inline bool pose_meets( const path_scene* s, const mesh_files* files, int step )
{
	const bv_collide_options options = { .first = true };
	near_parts near = parts_near_pose( s, files, s->path.pose + step, 0 );
	return collide_pose( s, files, &near, s->path.pose + step, &options ).pairs > 0;
}

// @param seconds  of each mode, round and step
static inline void measure_step( const path_scene* s, const mesh_files* files, int step, int stride,
                                 int rounds, int index, sweep_table* t,
                                 double ( *seconds )[most_rounds][most_steps] )
{
	path_motion m = motion_of_step( s, files, step, stride );
	first_contact answer[most_modes];
	for ( int k = 0; k < rounds; ++k )
	{
		for ( int i = 0; i < most_modes; ++i )
		{
			// The reference takes most of the time.
			if ( k > 0 && sweep_mode_rows[i].samples == reference_samples )
			{
				seconds[i][k][index] = seconds[i][0][index];
				continue;
			}
			double start = core_now();
			answer[i] = sweep_step( s, files, &m, sweep_mode_rows + i );
			seconds[i][k][index] = core_now() - start;
		}
	}
	for ( int i = 0; i < mode_dynamic; ++i )
	{
		compare_with_dynamic( s, step, sweep_mode_rows + i, answer + i, answer + mode_dynamic );
	}
	bool start_meets = pose_meets( s, files, step );
	bool end_meets = pose_meets( s, files, step + stride );
	check_ends( s, step, answer + mode_dynamic, start_meets, end_meets );
	count_step( t, answer, start_meets, end_meets );
}

static inline void measure_sweeps( const path_scene* s, const mesh_files* files, int stride, int rounds,
                                   sweep_table* t )
{
	static double seconds[most_modes][most_rounds][most_steps];
	int index = 0;
	for ( int step = 0; step + stride < s->path.count; step += stride )
	{
		measure_step( s, files, step, stride, rounds, index++, t, seconds );
	}
	for ( int i = 0; i < most_modes; ++i )
	{
		t->cell[i].time = spread_of_rounds( seconds[i], rounds, index );
	}
}

static inline void print_sweeps( sweep_table ( *t )[most_strides], const path_scene* scenes, int scene_count )
{
	printf(
		"Steps as motions, preset balanced. Free ends: steps with a contact whose start and end are free, so "
		"that static queries "
		"call them free.\n\n"
		"| path | poses per step | steps | contacts | at the start | free ends | uncertain | incomplete |\n"
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < scene_count * most_strides; ++i )
	{
		const sweep_table* of = t[i / most_strides] + i % most_strides;
		printf( "| %s | %d | %d | %d | %d | %d | %d | %d |\n", scenes[i / most_strides].name,
		        strides[i % most_strides], of->steps, of->contacts, of->at_start, of->free_ends,
		        of->uncertain, of->incomplete );
	}
	printf( "\n| path | poses per step | mode | found | missed | late | by | us, mean | us, 99 %% | us, "
	        "greatest | times "
	        "static |\n| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int i = 0; i < scene_count * most_strides * most_modes; ++i )
	{
		int path = i / most_modes / most_strides;
		int stride = i / most_modes % most_strides;
		const sweep_cell* cell = t[path][stride].cell + i % most_modes;
		printf( "| %s | %d | %s | %d | %d | %d | %.3f | %.1f | %.1f | %.1f | %.2f |\n", scenes[path].name,
		        strides[stride], sweep_mode_rows[i % most_modes].name, cell->found, cell->missed, cell->late,
		        cell->late > 0 ? cell->delay / cell->late : 0, cell->time.mean, cell->time.high,
		        cell->time.greatest, cell->time.mean / t[path][stride].cell[mode_end].time.mean );
	}
	printf( "\n" );
}
