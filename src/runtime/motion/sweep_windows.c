// The first contact of a moving mesh and another one, or a moving convex shape. See bv/motion.h.
//
// Times are searched from the begin to the end in windows. In the middle of a window both meshes are placed, and no point of
// them is farther from its place in the window than a known distance. Pairs of triangles that are farther apart than both
// distances together are free in the whole window: the tests of volumes are those of a static query with that much more
// slack (Eckstein 1998, section 4.2, the volumes "B", as slack). A window in which too much is near is halved. Pairs that
// remain are followed by conservative advancement. The windows before the first one with a contact are proven to be free.

#include "bv/mesh.h"
#include "bv/motion.h"

#include "runtime/motion/advance.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/sequence.h"
#include "runtime/motion/sweep.h"
#include "runtime/motion/sweep_mixed.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/gap.h"
#include "runtime/volume/bound.h"

#include <math.h>

enum
{
	most_near = 24, // pairs of triangles that are followed after one descent, without memory of the caller
	most_halvings = 30,      // of the time range
	tests_of_window = 4000,  // before it is halved
	most_repeated = 1 << 25, // tests of further descents for pairs that had no room
};

// Pairs of triangles that a descent found, from a number on.
typedef struct near_pairs
{
	uint32_t ( *triangle )[2];
	uint32_t count;
	uint32_t room; // for so many
	uint32_t most; // that are of interest
	uint64_t seen;
	uint64_t skipped; // so many before the first one
} near_pairs;

typedef struct window_sweep
{
	const bv_file* file[2]; // null for a convex shape, which is the first
	const bv_convex* convex;
	bvmotion_shapes pair; // its shapes are triangles, from time to time; its balls contain the objects
	uint64_t most_tests;
	uint64_t volume_tests;
	uint64_t triangle_tests;
	uint64_t steps;
	uint64_t repeated; // tests of further descents of a window
	double end;    // no contact after this time is of interest: one until then is proven, or the range ends
	bool proven;   // a contact until `end`
	double free;   // no contact before this time
	bool complete; // a contact that was found is the first one, or there is none
	double scale;  // of the second mesh as seen from the first
	uint32_t triangle[2];
	bvmotion_contact contact; // of these, the earliest one
	bv_transform seen;        // the second object as seen from the first at the time of reference
	bv_transform between;     // the same of stored positions
	double reach;             // how far apart triangles that touch in the window can be then
	double moved;             // of that, how far the objects move
	near_pairs near;
	uint32_t room[most_near][2];
} window_sweep;

static bool add_near_pair( void* context, uint32_t a, uint32_t b )
{
	near_pairs* near = context;
	if ( near->seen++ < near->skipped )
	{
		return true;
	}
	if ( near->count == near->most )
	{
		return false;
	}
	near->triangle[near->count][0] = a;
	near->triangle[near->count][1] = b;
	++near->count;
	return true;
}

// Sets the place of stored positions at a time of reference, and the reach for all times between two others; in coordinates of the
// first object.
BVSIMD_NOINLINE bv_status place( window_sweep* s, double from, double to, double reference )
{
	bvmotion_span span[2];
	bv_transform storage;
	double sum = 0;
	for ( int i = 0; i < 2; ++i )
	{
		bv_status status = bvmotion_span_begin( s->pair.motion[i], from, to, reference, span + i );
		if ( status != bv_ok )
		{
			return status;
		}
		sum += bvmotion_span_reach( span + i, s->pair.ball[i].center, s->pair.ball[i].radius );
	}
	s->seen = bv_transform_between( &span[0].at, &span[1].at );
	// A query of one file places its stored positions itself.
	s->between = s->convex ? s->seen : *bvtree_place( s->file[0], s->file[1], &s->seen, &storage );
	s->moved = sum / span[0].at.scale * ( 1 + 0x1p-40 );
	s->reach = s->moved + s->pair.separation / span[0].at.scale * ( 1 + 0x1p-40 );
	return bvtree_is_placement( &s->between ) ? bv_ok : bv_error_argument;
}

static bool is_over( const window_sweep* s )
{
	return s->repeated > most_repeated ||
	       ( s->most_tests > 0 && s->volume_tests + s->triangle_tests > s->most_tests );
}

static bool add_near_triangle( void* context, uint32_t b )
{
	return add_near_pair( context, 0, b );
}

// @param most   tests, beyond which the descent ends; 0 for no end
// @param ended  receives whether it did
static bv_status descend_both( window_sweep* s, uint64_t most, bool* ended )
{
	bv_collide_options options = { .callback = add_near_pair, .context = &s->near, .most_tests = most };
	bv_collide_result counts;
	bv_status status = bvtree_collide_within( bvtree_lanes_best(), s->file[0], s->file[1], &s->between,
	                                          s->reach, &options, &counts );
	s->volume_tests += counts.volume_tests;
	s->triangle_tests += counts.triangle_tests;
	*ended = most > 0 && counts.volume_tests + counts.triangle_tests > most;
	return status;
}

// A descent of one hierarchy is short enough to have no limit of tests.
static bv_status descend_mesh( window_sweep* s )
{
	bv_convex larger = *s->convex;
	bv_overlap_options options = { .callback = add_near_triangle, .context = &s->near };
	bv_overlap_result counts;
	larger.radius += s->reach;
	bv_status status = bv_mesh_overlap_convex( s->file[1], &s->between, &larger, &options, &counts );
	s->volume_tests += counts.volume_tests;
	s->triangle_tests += counts.triangle_tests;
	return status;
}

// Looks for pairs of triangles that may touch in a window.
// @param most  tests, beyond which the descent may end; 0 for no end
// @param all   receives whether these are all pairs
static bv_status find_near( window_sweep* s, uint64_t most, bool* all )
{
	bool ended = false;
	s->near.count = 0;
	s->near.seen = 0;
	bv_status status = s->convex ? descend_mesh( s ) : descend_both( s, most, &ended );
	*all = !ended && s->near.seen <= s->near.skipped + s->near.count;
	return status;
}

static void get_triangle( const bv_file* file, uint32_t index, bv_convex* out )
{
	uint32_t vertex[3] = { 0, 0, 0 };
	bv_file_get_triangle( file, index, vertex );
	*out = bv_convex_triangle( bv_file_get_vertex( file, vertex[0] ), bv_file_get_vertex( file, vertex[1] ),
	                           bv_file_get_vertex( file, vertex[2] ) );
}

// Whether triangles are farther apart at the time of reference than they approach each other in the window. Of what descents
// find, most are.
static bool are_far( const window_sweep* s, const bv_convex shape[2] )
{
	bv_vec3 moved[3];
	double size = s->reach;
	const bv_transform* between = &s->seen;
	for ( int i = 0; i < 3; ++i )
	{
		moved[i] = bv_transform_point( between, shape[1].corner[i] );
		size += bvmath_norm1( shape[0].corner[i] ) + bvmath_norm1( moved[i] ) +
		        between->scale * bvmath_norm1( shape[1].corner[i] );
	}
	bvtri_gap gap;
	double limit = s->reach + 0x1p-44 * ( size + bvmath_norm1( between->pose.translation ) );
	return !bvtri_triangles_gap( shape[0].corner, moved, limit, &gap );
}

// Follows a pair of triangles in a window.
BVSIMD_NOINLINE bv_status follow( window_sweep* s, double from, double to, const uint32_t triangle[2] )
{
	bv_convex shape[2];
	bvmotion_contact contact;
	bvmotion_shapes pair = s->pair;
	pair.from = from;
	pair.to = to < s->end ? to : s->end;
	pair.proof = s->end;
	for ( int i = 0; i < 2; ++i )
	{
		pair.shape[i] = s->file[i] ? shape + i : s->convex;
		if ( s->file[i] )
		{
			get_triangle( s->file[i], triangle[i], shape + i );
			bvmotion_ball_of( shape + i, pair.ball + i );
		}
	}
	if ( s->file[0] && are_far( s, shape ) )
	{
		return bv_ok;
	}
	bv_status status = bvmotion_advance( &pair, &contact );
	if ( status != bv_ok )
	{
		return status;
	}
	s->steps += contact.steps;
	if ( contact.found && contact.lower < s->contact.lower )
	{
		s->triangle[0] = triangle[0];
		s->triangle[1] = triangle[1];
		s->contact = contact;
	}
	if ( contact.found && contact.certain && contact.upper <= s->end )
	{
		s->end = contact.upper;
		s->proven = true;
	}
	return bv_ok;
}

// Whether nothing more can be found in a window that begins at a time.
static bool is_at( const window_sweep* s, double from )
{
	return s->proven && s->contact.found && s->contact.lower <= from;
}

// Looks for a pair of triangles that touch at a time. Objects that overlap have so many that one of them is found soon.
static bv_status look_at_once( window_sweep* s, double time )
{
	bool all;
	s->near.most = most_near;
	s->near.skipped = 0;
	bv_status status = place( s, time, time, time );
	status = status == bv_ok ? find_near( s, 0, &all ) : status;
	for ( uint32_t i = 0; i < s->near.count && status == bv_ok && !s->proven; ++i )
	{
		status = follow( s, time, time, s->near.triangle[i] );
	}
	return status;
}

// Follows what is near in a window. What has no room is found by another descent.
static bv_status follow_all( window_sweep* s, double from, double to, bool all )
{
	bv_status status = bv_ok;
	for ( ;; )
	{
		for ( uint32_t i = 0; i < s->near.count && status == bv_ok && !is_at( s, from ); ++i )
		{
			status = follow( s, from, to, s->near.triangle[i] );
		}
		if ( all || status != bv_ok || is_over( s ) || is_at( s, from ) )
		{
			return status;
		}
		uint64_t before = s->volume_tests + s->triangle_tests;
		s->near.skipped += s->near.count;
		status = find_near( s, 0, &all );
		s->repeated += s->volume_tests + s->triangle_tests - before;
	}
}

// About how long the sides of triangles are, in coordinates of the first object. Of windows in which points move by much less,
// descents find hardly fewer pairs.
BVSIMD_NOINLINE double size_of_triangles( const window_sweep* s )
{
	double least = INFINITY;
	for ( int i = 0; i < 2; ++i )
	{
		double size = s->pair.ball[i].radius * ( i == 1 ? s->scale : 1 );
		size /= s->file[i] ? sqrt( (double)bv_file_get_mesh( s->file[i] ).triangles ) : 1;
		least = bvmath_min( least, size );
	}
	return least;
}

static bool begins_at( const window_sweep* s, double before, double time )
{
	return bvmotion_has_joint( s->pair.motion[0], before, time ) ||
	       bvmotion_has_joint( s->pair.motion[1], before, time );
}

// A window ends where a part of a sequence does, which can jump there.
static double window_end( const window_sweep* s, double from, double to )
{
	double end = bvmath_min( to, s->end );
	for ( int i = 0; i < 2; ++i )
	{
		double part = bvmotion_part_at( s->pair.motion[i], from ).end;
		end = part > from ? bvmath_min( end, part ) : end;
	}
	return end;
}

// Where the search is.
typedef struct window
{
	double from;
	double length;
	int halvings; // that lengths have had since the first one
} window;

// Looks for contacts in a window and goes on to the next one, or makes the window shorter.
static bv_status look_in_window( window_sweep* s, double least, window* w )
{
	double to = window_end( s, w->from, w->from + w->length );
	bv_status status = place( s, w->from, to, 0.5 * ( w->from + to ) );
	if ( status != bv_ok )
	{
		return status;
	}
	// A window with many pairs is halved, however much room there is: pairs of shorter ones are fewer.
	bool may_halve = w->halvings < most_halvings && s->moved > 0.0625 * least;
	bool all;
	s->near.skipped = 0;
	s->near.most = may_halve ? most_near : s->near.room;
	status = find_near( s, may_halve ? tests_of_window : 0, &all );
	if ( status == bv_ok && !all && may_halve && !is_over( s ) )
	{
		w->length *= 0.5;
		++w->halvings;
		return bv_ok;
	}
	status = status == bv_ok ? follow_all( s, w->from, to, all ) : status;
	s->complete = s->complete && ( all || !is_over( s ) || is_at( s, w->from ) );
	s->free = s->complete ? to : w->from;
	w->from = to;
	// The next window is as difficult as this one was: a longer one is tried only where there is much room left.
	bool is_easy = 4 * s->near.seen <= most_near;
	w->length *= is_easy ? 2 : 1;
	w->halvings -= is_easy && w->halvings > 0;
	return status;
}

// Goes from window to window.
static bv_status look_in_windows( void* context, double first, double last, bvmotion_contact* out )
{
	window_sweep* s = context;
	s->end = last;
	s->proven = false;
	s->contact = ( bvmotion_contact ){ .certain = true, .lower = INFINITY };
	if ( is_over( s ) )
	{
		s->complete = false;
		*out = ( bvmotion_contact ){ .lower = first };
		return bv_ok;
	}
	double least = size_of_triangles( s );
	double before = first;
	window w = { .from = first, .length = last - first };
	bv_status status = look_at_once( s, first );
	for ( bool more = status == bv_ok && !is_at( s, first ); more; )
	{
		before = w.from;
		status = look_in_window( s, least, &w );
		more = status == bv_ok && w.from < s->end && !s->contact.found && !is_over( s );
	}
	s->complete = s->complete && ( s->contact.found || w.from >= s->end );
	// A part of a sequence that begins at the end of the range is in no window.
	if ( status == bv_ok && !s->contact.found && s->complete && begins_at( s, before, last ) )
	{
		status = look_at_once( s, last );
	}
	*out = s->contact;
	// Pairs that were not followed may touch earlier than those that were.
	out->lower = s->contact.found && s->complete ? s->contact.lower : s->free;
	if ( s->proven )
	{
		out->certain = true;
		out->upper = s->end;
	}
	return status;
}

// A ball around the mesh, with the offset of its file.
// @return false if the file has no hierarchy
BVSIMD_NOINLINE bool ball_of( const bv_file* file, bv_sphere* out )
{
	bvfile_view view;
	if ( !bvtree_walk_begin( file, &view ) )
	{
		return false;
	}
	bv_volume root = bvfile_root_volume( &view );
	bvvol_bound bound;
	bvvol_bound_of( &root, &bound );
	const double* half = bound.box.half_extents;
	double square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
	double size = bvmath_norm1( bound.box.center ) + ( view.offset ? bvmath_norm1( *view.offset ) : 0 );
	out->center = view.offset ? bv_add( bound.box.center, *view.offset ) : bound.box.center;
	out->radius = ( sqrt( square ) + bound.box.radius ) * ( 1 + 0x1p-44 ) + 0x1p-50 * size;
	return true;
}

// @param corners  a bit for each corner that the nearest point is a combination of
static bv_feature feature_of( uint32_t corners )
{
	static const bv_feature features[8] = {
		bv_feature_face,     bv_feature_corner_0, bv_feature_corner_1, bv_feature_edge_0,
		bv_feature_corner_2, bv_feature_edge_2,   bv_feature_edge_1,   bv_feature_face,
	};
	return features[corners & 7];
}

// Not part of its caller, whose stack descents need.
BVSIMD_NOINLINE bv_status describe( const window_sweep* s, bv_sweep_result* result )
{
	bv_sweep_result out = { .found = false };
	bv_status status = bvmotion_set_contact( s->pair.motion[0], &s->contact, &out );
	if ( status != bv_ok )
	{
		return status;
	}
	out.complete = s->complete;
	out.certain = out.certain && ( out.found || out.complete );
	out.volume_tests = s->volume_tests;
	out.triangle_tests = s->triangle_tests;
	out.steps = s->steps;
	for ( int i = 0; i < 2 && out.found; ++i )
	{
		out.triangle[i] = s->triangle[i];
		out.feature[i] = s->file[i] ? feature_of( s->contact.corners[i] ) : bv_feature_corner_0;
	}
	*result = out;
	return bv_ok;
}

// Of meshes that touch at the end of the range, and not at the start.
BVSIMD_NOINLINE bv_status look_mixed( window_sweep* s, const bv_sweep_options* asked )
{
	bvmotion_mixed m = {
		.file = { s->file[0], s->file[1] },
		.motion = { s->pair.motion[0], s->pair.motion[1] },
		.between = &s->between,
		.limit = asked->limit,
		.width = asked->tolerance,
		.most_tests = s->most_tests,
		.room = s->near.triangle,
		.most_pairs = s->near.room,
		.contact = &s->contact,
		.triangle = s->triangle,
		.complete = s->complete,
		.volume_tests = s->volume_tests,
		.triangle_tests = s->triangle_tests,
		.steps = s->steps,
	};
	bv_status status = bvmotion_look_mixed( &m );
	s->complete = m.complete;
	s->volume_tests = m.volume_tests;
	s->triangle_tests = m.triangle_tests;
	s->steps = m.steps;
	return status;
}

static bv_status sweep( window_sweep* s, const bv_sweep_options* asked, bv_sweep_result* result )
{
	s->scale = bvmotion_scale( s->pair.motion[1] ) / bvmotion_scale( s->pair.motion[0] );
	s->pair.separation = asked->separation;
	s->pair.width = asked->tolerance;
	s->most_tests = asked->most_tests;
	s->complete = true;
	s->near.triangle = asked->scratch ? asked->scratch : s->room;
	s->near.room =
		asked->scratch ? (uint32_t)bvmath_min( asked->scratch_bytes / sizeof *s->room, 1 << 30 ) : most_near;
	bv_status status = bvmotion_look( asked, look_in_windows, s, &s->contact );
	if ( status == bv_ok && asked->mode == bv_sweep_mode_mixed && s->contact.found && s->contact.at > 0 )
	{
		status = look_mixed( s, asked );
	}
	return status == bv_ok ? describe( s, result ) : status;
}

bv_status bv_sweep_meshes( const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                           const bv_motion* motion_b, const bv_sweep_options* options,
                           bv_sweep_result* result )
{
	bv_sweep_options asked;
	window_sweep s = { .file = { a, b }, .pair.motion = { motion_a, motion_b } };
	if ( !a || !b || !result || !bvmotion_sweep_options( options, &asked ) ||
	     !bv_motion_is_valid( motion_a ) || !bv_motion_is_valid( motion_b ) || !ball_of( a, s.pair.ball ) ||
	     !ball_of( b, s.pair.ball + 1 ) )
	{
		return bv_error_argument;
	}
	return sweep( &s, &asked, result );
}

bv_status bv_sweep_convex_mesh( const bv_convex* a, const bv_motion* motion_a, const bv_file* b,
                                const bv_motion* motion_b, const bv_sweep_options* options,
                                bv_sweep_result* result )
{
	bv_sweep_options asked;
	window_sweep s = { .file = { NULL, b }, .convex = a, .pair.motion = { motion_a, motion_b } };
	if ( !a || !b || !result || !bvmotion_sweep_options( options, &asked ) ||
	     !bv_motion_is_valid( motion_a ) || !bv_motion_is_valid( motion_b ) ||
	     !ball_of( b, s.pair.ball + 1 ) )
	{
		return bv_error_argument;
	}
	if ( a->kind == bv_convex_of_half_space || asked.mode == bv_sweep_mode_mixed )
	{
		return bv_error_unsupported;
	}
	if ( !bvmotion_ball_of( a, &s.pair.ball[0] ) )
	{
		return bv_error_argument;
	}
	s.pair.ball[0].radius += a->radius;
	return sweep( &s, &asked, result );
}
