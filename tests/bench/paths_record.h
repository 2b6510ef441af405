// How the paths of bench_paths were recorded: a seeded planner leads a part along a guide, as a hand does. The hand drifts and shakes;
// of some random moves it takes one that touches nothing, or for some steps the first one. If all of them touch something, it takes the
// last one and goes back toward the guide.

#pragma once

#include "tests/bench/paths_scene.h"
#include "tests/bench/random.h"

enum
{
	guide_samples = 12, // poses of a guide that casings are made around
	guide_tries = 10,   // random moves of a step
};

static const double casing_spacing = 1.05; // of sites

// The pose that a hand aims at.
// @param along  from 0 to 1
typedef bv_transform path_guide( double along );

// How a path is recorded.
typedef struct path_plan
{
	path_guide* guide;
	int steps;
	bv_vec3 drift; // greatest deviation of the position along the axes of the guide, about
	bv_vec3 tilt;  // of the orientation, radians
	double change; // of boldness: likelihood in a step
} path_plan;

static inline bv_transform pose_of( bv_vec3 axis, double angle, bv_vec3 translation )
{
	bv_transform out;
	require_ok( bv_transform_from_axis_angle( axis, angle, translation, &out ), "a pose" );
	return out;
}

// From the bottom of the casing's middle column up, aside, and out.
static inline bv_transform guide_out_of_casing( double along )
{
	static const bv_vec3 corner[] = { { 0, 0, -1 }, { 0, 0, 0 }, { 1, 0, 0 }, { 1, 0, 1 }, { 1, 0, 2.4 } };
	double at = fmin( along, 0.999999 ) * 4;
	int i = (int)at;
	bv_vec3 p = bv_add( bv_scale( 1 - ( at - i ), corner[i] ), bv_scale( at - i, corner[i + 1] ) );
	return pose_of( bv_vec3_make( 0.3, 0.8, 0.5 ), 0.6 + 1.5 * along, bv_scale( casing_spacing, p ) );
}

static inline bv_transform guide_out_of_nut( double along )
{
	const double turns = 5.5;
	return pose_of( bv_vec3_make( 0, 0, 1 ), full_turn * turns * along,
	                bv_vec3_make( 0, 0, thread_pitch * turns * along ) );
}

static inline bv_transform guide_through_slits( double along )
{
	return pose_of( bv_vec3_make( 0, 0, 1 ), 0, bv_vec3_make( 0, 0, 8 * along - 4 ) );
}

static const path_plan casing_plan = {
	guide_out_of_casing, 500, { 0.42, 0.42, 0.42 }, { 0.5, 0.5, 0.5 }, 0.1
};
static const path_plan nut_plan = { guide_out_of_nut, 300, { 0.12, 0.12, 0.1 }, { 0.01, 0.01, 0.1 }, 0.1 };
static const path_plan slit_plan = {
	guide_through_slits, 400, { 0.12, 0.06, 0.1 }, { 0.02, 0.02, 0.25 }, 0.1
};

static inline bv_vec3 random_within( bv_vec3 size )
{
	double x = 2 * random_unit() - 1;
	double y = 2 * random_unit() - 1;
	return bv_vec3_make( size.x * x, size.y * y, size.z * ( 2 * random_unit() - 1 ) );
}

// A deviation from the guide.
typedef struct hand
{
	bv_vec3 position;
	bv_vec3 orientation;
} hand;

static inline hand move_hand( const hand* from, const path_plan* plan )
{
	const double keep = 0.9;
	const double shake = 0.35;
	hand out;
	out.position =
		bv_add( bv_scale( keep, from->position ), bv_scale( shake, random_within( plan->drift ) ) );
	out.orientation =
		bv_add( bv_scale( keep, from->orientation ), bv_scale( shake, random_within( plan->tilt ) ) );
	return out;
}

static inline bv_transform pose_of_hand( const hand* h, const bv_transform* guide )
{
	double angle = bv_length( h->orientation );
	bv_vec3 axis = angle > 0 ? h->orientation : bv_vec3_make( 0, 0, 1 );
	bv_transform turn = pose_of( axis, angle, bv_vec3_make( 0, 0, 0 ) );
	bv_transform out = bv_transform_compose( guide, &turn );
	out.pose.translation = bv_add( out.pose.translation, h->position );
	return out;
}

static inline bool is_free( const path_scene* s, const mesh_files* files, const bv_transform* pose )
{
	const bv_collide_options options = { .first = true };
	near_parts near = parts_near_pose( s, files, pose, 0 );
	return collide_pose( s, files, &near, pose, &options ).pairs == 0;
}

static inline void record_path( path_scene* s, const path_plan* plan, const mesh_files* files )
{
	hand now = { .position = { 0 } };
	double along = 0;
	int met = 0;
	bool is_bold = false;
	random_state = 88172645463325252u + (uint64_t)s->mover;
	for ( int i = 0; i < plan->steps; ++i )
	{
		bv_transform guide = plan->guide( along );
		is_bold = ( random_unit() < plan->change ) != is_bold;
		bool found = false;
		hand next = now;
		for ( int k = 0; k < guide_tries && !found; ++k )
		{
			next = move_hand( &now, plan );
			s->path.pose[i] = pose_of_hand( &next, &guide );
			found = is_bold || is_free( s, files, s->path.pose + i );
		}
		met += !is_free( s, files, s->path.pose + i );
		now = next;
		if ( !found )
		{
			now.position = bv_scale( 0.5, now.position );
			now.orientation = bv_scale( 0.5, now.orientation );
		}
		// Not at constant speed, and sometimes back.
		along = fmin( fmax( along + ( 1.4 * random_unit() - 0.1 ) / ( 0.6 * plan->steps ), 0 ), 1 );
	}
	s->path.count = plan->steps;
	fprintf( stderr, "%s: %d of %d steps touch a part, until %.2f of the guide\n", s->name, met, plan->steps,
	         along );
}

static inline bool is_apart( const path_scene* s, const mesh_files* files, const scene_part* part )
{
	const double gap = 0.01;
	const bv_distance_options options = { .limit = gap / part->placement.scale };
	bv_distance_result r;
	for ( int i = 0; i < s->part_count; ++i )
	{
		bv_transform other = bv_transform_between( &part->placement, &s->part[i].placement );
		require_ok(
			bv_mesh_distance( files->of[part->mesh], files->of[s->part[i].mesh], &other, &options, &r ),
			"a distance" );
		if ( r.found )
		{
			return false;
		}
	}
	for ( int i = 0; i < guide_samples; ++i )
	{
		bv_transform guide = guide_out_of_casing( i / ( guide_samples - 1.0 ) );
		bv_transform other = bv_transform_between( &part->placement, &guide );
		for ( int mover = 0; mover < 2; ++mover )
		{
			require_ok( bv_mesh_distance( files->of[part->mesh], files->of[mover], &other, &options, &r ),
			            "a distance" );
			if ( r.found )
			{
				return false;
			}
		}
	}
	return true;
}

// A site of the casing gets the largest part that fits, of some tries.
static inline void put_part( path_scene* s, const mesh_files* files, bv_vec3 site )
{
	const int tries = 60;
	scene_part part = { .mesh = 2 + s->part_count % ( given_mesh_count - 2 ) };
	for ( double scale = 1.5; scale > 0.1; scale *= 0.93 )
	{
		for ( int i = 0; i < tries; ++i )
		{
			bv_vec3 around = random_within( bv_vec3_make( 0.15, 0.15, 0.15 ) );
			part.placement = pose_of( random_direction(), full_turn * random_unit(), bv_add( site, around ) );
			part.placement.scale = scale;
			if ( is_apart( s, files, &part ) )
			{
				s->part[s->part_count++] = part;
				return;
			}
		}
	}
}

// Parts at 27 sites, except where the guide goes. The first two meshes move.
static inline void make_casing( path_scene* s, const mesh_files* files )
{
	random_state = 88172645463325252u;
	s->part_count = 0;
	for ( int i = 0; i < 27; ++i )
	{
		int x = i % 3 - 1;
		int y = i / 3 % 3 - 1;
		int z = i / 9 - 1;
		bool is_way = y == 0 && ( ( x == 0 && z <= 0 ) || ( x == 1 && z >= 0 ) );
		if ( !is_way )
		{
			put_part( s, files, bv_scale( casing_spacing, bv_vec3_make( x, y, z ) ) );
		}
	}
}

// The nut, where the threads are in the middle of their play.
static inline void make_nut( path_scene* s )
{
	s->part_count = 1;
	s->part[0] = ( scene_part ){ mesh_nut, bv_transform_translation( 0, 0, thread_pitch ) };
}

// Six plates that do not stand exactly one behind the other.
static inline void make_slits( path_scene* s )
{
	random_state = 88172645463325252u;
	s->part_count = 6;
	for ( int i = 0; i < s->part_count; ++i )
	{
		bv_vec3 place = random_within( bv_vec3_make( 0.03, 0.015, 0.05 ) );
		place.z += 0.7 * i - 1.75;
		double angle = 0.05 * ( 2 * random_unit() - 1 );
		s->part[i] = ( scene_part ){ mesh_plate, pose_of( bv_vec3_make( 0, 0, 1 ), angle, place ) };
	}
}
