// The first contact of a moving mesh and another one, or a moving convex shape. See bv/motion.h.
//
// Times are searched from the start to the end in windows. Both meshes are placed at the middle of a window. A descent of both
// hierarchies finds the pairs of triangles that may touch in the window: volumes and triangles are compared along the way that
// they move relative to each other (tree/approach.h). If there are too many, those are kept that can touch first, and the window
// ends before the others do. If too little of it remained, it is halved. The pairs are followed by conservative advancement. The
// windows before the first one with a contact are proven to be free.
//
// A convex shape is compared with the volumes of a mesh as if it were larger on all sides.

#include "bv/mesh.h"
#include "bv/motion.h"

#include "runtime/motion/advance.h"
#include "runtime/motion/approach.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/near.h"
#include "runtime/motion/sequence.h"
#include "runtime/motion/sweep.h"
#include "runtime/motion/sweep_mixed.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/entry.h"
#include "runtime/triangle/gap.h"
#include "runtime/volume/bound.h"

#include <math.h>
#include <string.h>

// A window that would have to end before this part of it, from -1 to 1, is halved instead.
static const double least_progress = -0.875;

// A window is not halved if its rest exceeds the separation by less than this part of the separation.
static const double alike = 0.3;

// A window is short if objects move in it by less than this number of triangle sides.
static const double short_window = 4;

enum
{
	most_near = 15,          // pairs kept without memory of the caller
	tests_per_pair = 64,     // following a pair takes about as long as this many tests
	tests_per_entry = 4,     // entry_of takes at most as long as this many tests
	seen_of_short = 16,      // pairs that a descent of a short window may compare, per pair that is kept
	seen_of_long = 3,        // the same for a long window
	most_halvings = 30,      // of the time range
	most_vain = 6,           // halvings in a row that leave three quarters of the pairs or more
	few_pairs = 512,         // up to this number of pairs, one such halving is enough
	most_doubts = 16,        // after this number of contacts without a proof, pairs get fewer steps:
	small_in_doubt = 16,     // bvmotion_shapes.most_small
	tests_of_window = 4000,  // a descent with more tests is repeated for half of the window; the first limit
	most_repeated = 1 << 25, // tests of descents that are repeated because the pairs had no room
};

// Pairs that a descent found. If the window can end earlier, these are the pairs with the first entries. Otherwise they are all
// pairs after the skipped ones, in the order of the descent.
typedef struct near_pairs
{
	bvmotion_near_pair* pair; // the first ones to touch are a heap
	uint32_t count;
	uint32_t room;    // of `pair`
	uint32_t most;    // pairs to keep, at most `room`
	bool keeps_first; // the pairs with the first entries are kept
	uint64_t seen;    // pairs that the descent reported
	uint32_t allowed; // limit of `seen` if the first pairs are kept
	uint32_t doubts;  // contacts without a proof, up to most_doubts
	uint64_t skipped; // pairs at the start of the descent that earlier descents have kept
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
	uint32_t triangle[2];
	bvmotion_contact contact; // of these, the earliest one
	bv_transform
		between; // the second object as seen from the first at the time of reference, for stored positions
	bvtree_approach approach; // of stored positions in the window
	double moved;             // how far the objects move
	double reference;         // the time of reference
	double half;              // the longest time from there
	near_pairs near;
	bvmotion_near_pair room[most_near];
} window_sweep;

// Sets the place of stored positions at a time of reference, and the reach for all times between two others; in coordinates of the
// first object.
BVSIMD_NOINLINE bv_status place( window_sweep* s, double from, double to, double reference )
{
	bvmotion_span span[2];
	bv_transform storage;
	double moved = 0;
	double doubt = 0; // of the placement: see moment.c
	for ( int i = 0; i < 2; ++i )
	{
		const bv_sphere* ball = &s->pair.ball[i];
		bv_status status = bvmotion_span_begin( s->pair.motion[i], from, to, reference, span + i );
		if ( status != bv_ok )
		{
			return status;
		}
		moved += bvmotion_span_reach( span + i, ball->center, ball->radius );
		doubt += 0x1p-48 * ( span[i].at.scale * ( bvmath_norm1( ball->center ) + ball->radius ) );
	}
	bv_vec3 apart = bv_sub( span[1].at.pose.translation, span[0].at.pose.translation );
	bv_transform seen = bv_transform_between( &span[0].at, &span[1].at );
	// A query of one file places its stored positions itself.
	s->between = s->convex ? seen : *bvtree_place( s->file[0], s->file[1], &seen, &storage );
	double inverse = ( 1 + 0x1p-40 ) / span[0].at.scale;
	s->moved = moved * inverse;
	s->reference = reference;
	s->half = bvmath_max( reference - from, to - reference );
	doubt = ( doubt + 0x1p-48 * bvmath_norm1( apart ) ) * inverse;
	double reach = s->moved + s->pair.separation * inverse;
	s->approach = bvtree_approach_within( reach );
	if ( s->file[0] && from < to )
	{
		bvmotion_approach( &s->pair, s->file, span, from, to, reference, reach, &s->approach );
		const bv_vec3* offset = bvfile_offset_of( (const bvfile_header*)s->file[0] );
		s->approach.center = offset ? bv_sub( s->approach.center, *offset ) : s->approach.center;
	}
	s->approach.reach += doubt;
	s->approach.rest += doubt;
	return bvtree_is_placement( &s->between ) ? bv_ok : bv_error_argument;
}

static uint64_t tests_of( const window_sweep* s )
{
	return s->volume_tests + s->triangle_tests + s->steps;
}

static bool is_over( const window_sweep* s )
{
	return s->repeated > most_repeated || ( s->most_tests > 0 && tests_of( s ) > s->most_tests );
}

// Two triangles of meshes at the time of reference.
typedef struct triangles
{
	bv_vec3 corner[2][3]; // in stored coordinates of the first mesh
	double size;          // bound of the distances of the second triangle's corners from its first one
	double rounding;      // error bound of each coordinate of the second triangle
} triangles;

static void get_triangles( const window_sweep* s, uint32_t a, uint32_t b, triangles* out )
{
	double largest = 0;
	out->size = 0;
	for ( int i = 0; i < 2; ++i )
	{
		bvfile_view view = bvfile_view_of( s->file[i] );
		bvtree_walk_corners( &view, i == 0 ? a : b, out->corner[i] );
	}
	bv_vec3* corner = out->corner[1];
	for ( int i = 0; i < 3; ++i )
	{
		largest = bvmath_max( largest, bvmath_norm1( corner[i] ) );
		corner[i] = bv_transform_point( &s->between, corner[i] );
		out->size = bvmath_max( out->size, bvmath_norm1( bv_sub( corner[i], corner[0] ) ) );
	}
	out->rounding = 0x1p-49 * ( s->between.scale * largest + bvmath_norm1( s->between.pose.translation ) );
}

// A lower bound of the part of the window at which a pair first touches, from -1 to 1; infinity if it does not.
BVSIMD_NOINLINE double entry_of( const window_sweep* s, uint32_t a, uint32_t b )
{
	const bvtree_approach* approach = &s->approach;
	if ( !approach->is_directed )
	{
		return -1;
	}
	triangles pair;
	get_triangles( s, a, b, &pair );
	bv_vec3 at = pair.corner[1][0];
	const bvtri_flight flight = {
		.way = bvtree_approach_at( approach, at ),
		.rest = bvtree_approach_rest( approach, at, pair.size ),
		.from = -1,
		.to = approach->until,
		.rounding = pair.rounding,
	};
	return bvtri_triangles_entry( pair.corner[0], pair.corner[1], &flight );
}

// Keeps a pair if it is one of those with the first entries.
static bool add_first( window_sweep* s, uint32_t a, uint32_t b )
{
	near_pairs* near = &s->near;
	if ( near->seen++ >= near->allowed )
	{
		return false;
	}
	bvmotion_near_pair pair = { entry_of( s, a, b ), { a, b } };
	if ( !( pair.entry < s->approach.until ) )
	{
		return true;
	}
	if ( near->count < near->most )
	{
		bvmotion_near_add( near->pair, near->count++, pair );
		return true;
	}
	// The pair with the last entry is dropped, and the window ends before that entry.
	double last = near->pair[0].entry;
	s->approach.until = bvmath_max( last, pair.entry );
	if ( pair.entry < last )
	{
		bvmotion_near_replace( near->pair, near->count, pair );
	}
	return s->approach.until > least_progress;
}

static bool add_near_pair( void* context, uint32_t a, uint32_t b )
{
	window_sweep* s = context;
	near_pairs* near = &s->near;
	if ( near->keeps_first )
	{
		return add_first( s, a, b );
	}
	if ( near->seen++ < near->skipped )
	{
		return true;
	}
	if ( near->count == near->most )
	{
		return s->convex; // descents of a single hierarchy count all pairs
	}
	near->pair[near->count++] = ( bvmotion_near_pair ){ -1, { a, b } };
	return true;
}

static bool add_near_triangle( void* context, uint32_t b )
{
	return add_near_pair( context, 0, b );
}

// @param most   tests, beyond which the descent ends; 0 for no end
// @param ended  receives whether it did
static bv_status descend_both( window_sweep* s, uint64_t most, bool* ended )
{
	bv_collide_options options = { .callback = add_near_pair, .context = s, .most_tests = most };
	bv_collide_result counts;
	bv_status status = bvtree_collide_within( bvtree_lanes_best(), s->file[0], s->file[1], &s->between,
	                                          &s->approach, &options, &counts );
	s->volume_tests += counts.volume_tests;
	s->triangle_tests += counts.triangle_tests;
	*ended = most > 0 && counts.volume_tests + counts.triangle_tests > most;
	return status;
}

// A descent of one hierarchy is short enough to have no limit of tests.
static bv_status descend_mesh( window_sweep* s )
{
	bv_convex larger = *s->convex;
	bv_overlap_options options = { .callback = add_near_triangle, .context = s };
	bv_overlap_result counts;
	larger.radius += s->approach.reach;
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
	uint64_t left = bvmotion_tests_left( s->most_tests, tests_of( s ) );
	most = most == 0 || ( left > 0 && left < most ) ? left : most;
	s->near.count = 0;
	s->near.seen = 0;
	bv_status status = s->convex ? descend_mesh( s ) : descend_both( s, most, &ended );
	*all =
		!ended && s->near.seen <= ( s->near.keeps_first ? s->near.allowed : s->near.skipped + s->near.count );
	return status;
}

// Sets a triangle, and a ball around it.
static void get_triangle( const bv_file* file, uint32_t index, bv_convex* out, bv_sphere* ball )
{
	bvfile_view view = bvfile_view_of( file );
	bv_vec3 c[3];
	bvtree_walk_corners( &view, index, c );
	for ( int i = 0; i < 3; ++i )
	{
		c[i] = bvfile_with_offset( c[i], view.offset );
	}
	bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( bv_add( c[0], c[1] ), c[2] ) );
	double radius = 0;
	for ( int i = 0; i < 3; ++i )
	{
		radius = bvmath_max( radius, bvmath_length_up( bv_sub( c[i], middle ) ) );
	}
	*out = bv_convex_triangle( c[0], c[1], c[2] );
	*ball = ( bv_sphere ){ middle, radius };
}

// Whether triangles are farther apart at the time of reference than they approach each other in the window. Of what descents
// find, most are.
BVSIMD_NOINLINE bool are_far( const window_sweep* s, const uint32_t triangle[2] )
{
	triangles pair;
	bvtri_gap gap;
	double size = s->approach.reach;
	get_triangles( s, triangle[0], triangle[1], &pair );
	for ( int i = 0; i < 6; ++i )
	{
		size += bvmath_norm1( bv_sub( pair.corner[i / 3][i % 3], pair.corner[0][0] ) );
	}
	double limit = s->approach.reach + 0x1p-44 * size + 4 * pair.rounding;
	return !bvtri_triangles_gap( pair.corner[0], pair.corner[1], limit, &gap );
}

// A part of the window, from -1 to 1, as a time that is not after it.
static double time_of( const window_sweep* s, double part )
{
	return ( s->reference + part * s->half ) - 0x1p-51;
}

// Follows a pair of triangles in a window.
BVSIMD_NOINLINE bv_status follow( window_sweep* s, double from, double to, const uint32_t triangle[2] )
{
	bv_convex shape[2];
	bvmotion_contact contact;
	bvmotion_shapes pair = s->pair;
	if ( !s->near.keeps_first && s->file[0] && are_far( s, triangle ) )
	{
		return bv_ok;
	}
	pair.from = from;
	pair.to = to < s->end ? to : s->end;
	pair.proof = s->end;
	pair.most_steps = bvmotion_steps_left( s->most_tests, tests_of( s ) );
	// If many contacts have no proof, as of flat faces that land on each other, a proof for this pair is unlikely.
	pair.most_small = s->near.doubts < most_doubts ? 0 : small_in_doubt;
	for ( int i = 0; i < 2; ++i )
	{
		pair.shape[i] = s->file[i] ? shape + i : s->convex;
		if ( s->file[i] )
		{
			get_triangle( s->file[i], triangle[i], shape + i, pair.ball + i );
		}
	}
	bv_status status = bvmotion_advance( &pair, &contact );
	if ( status != bv_ok )
	{
		return status;
	}
	s->steps += contact.steps;
	if ( contact.found && !contact.certain && pair.most_steps > 0 && contact.steps >= pair.most_steps )
	{
		s->complete = false;
		return bv_ok;
	}
	s->near.doubts += contact.found && !contact.certain && s->near.doubts < most_doubts;
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
	s->near.keeps_first = false;
	s->near.most = most_near;
	s->near.skipped = 0;
	bv_status status = place( s, time, time, time );
	status = status == bv_ok ? find_near( s, 0, &all ) : status;
	for ( uint32_t i = 0; i < s->near.count && status == bv_ok && !s->proven; ++i )
	{
		status = follow( s, time, time, s->near.pair[i].triangle );
	}
	return status;
}

// Follows what is near in a window. What has no room is found by another descent.
static bv_status follow_all( window_sweep* s, double from, double to, bool all )
{
	bv_status status = bv_ok;
	if ( s->near.keeps_first )
	{
		bvmotion_near_sort( s->near.pair, s->near.count );
	}
	for ( ;; )
	{
		for ( uint32_t i = 0; i < s->near.count && status == bv_ok && !is_at( s, from ); ++i )
		{
			// The pair starts a little before its entry: a contact can be proven if the pair is free at the start.
			double part = s->near.pair[i].entry;
			double entry =
				s->near.keeps_first ? bvmath_max( from, time_of( s, part ) - s->pair.width ) : from;
			if ( entry < s->end || entry == from )
			{
				status = follow( s, entry, to, s->near.pair[i].triangle );
			}
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
	double scale = bvmotion_scale( s->pair.motion[1] ) / bvmotion_scale( s->pair.motion[0] );
	double least = INFINITY;
	for ( int i = 0; i < 2; ++i )
	{
		double size = s->pair.ball[i].radius * ( i == 1 ? scale : 1 );
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

// The present window, and how the length of the next one is chosen.
typedef struct window
{
	double first; // start of the search
	double from;  // start of the window
	double length;
	int halvings;        // net number of halvings since the first window
	uint64_t seen;       // pairs of the last window that was too long
	int vain;            // halvings in a row that left three quarters of the pairs or more
	bool looks_at_start; // the window was halved for the first time
	uint64_t most_tests; // limit of the next descent
	uint64_t tests;      // of the last descent
	bool is_longer;      // the window is longer than the one before
	int wait;            // windows before a longer one is tried
	int next_wait;       // value of `wait` after the next failure of a longer window
} window;

// The number of pairs to keep: following them takes about as long as the last descent.
static uint32_t most_of_window( const window_sweep* s, uint64_t tests )
{
	uint64_t most = tests / tests_per_pair;
	most = most > most_near ? most : most_near;
	return most < s->near.room ? (uint32_t)most : s->near.room;
}

// The number of pairs that a descent may compare before the window is halved. Comparing pairs takes about as long as the last
// descent at most. In long windows most pairs are dropped later.
static uint32_t allowed_in_window( uint64_t tests, bool is_short )
{
	uint32_t least = most_near * ( is_short ? seen_of_short : seen_of_long );
	uint64_t many = tests / tests_per_entry;
	return many < least ? least : many < UINT32_MAX ? (uint32_t)many : UINT32_MAX;
}

// Whether halving a window further is of no use. Only for a convex shape and a mesh, for which all pairs are counted.
static bool is_in_vain( const window_sweep* s, window* w )
{
	w->vain = (double)s->near.seen < 0.75 * (double)w->seen ? 0 : w->vain + 1;
	w->seen = s->near.seen;
	return s->convex && ( w->vain > most_vain || ( w->vain > 0 && w->seen <= few_pairs ) );
}

// Whether pairs are near because of the separation and not because of the motion. Then shorter windows have as many of them.
static bool is_as_near_as_asked( const window_sweep* s )
{
	double apart = s->pair.separation / bvmotion_scale( s->pair.motion[0] );
	return s->approach.is_directed && s->approach.rest - apart < alike * apart;
}

static void halve( const window_sweep* s, window* w )
{
	w->length *= 0.5;
	++w->halvings;
	// If objects are near each other in many places, the number of tests hardly depends on the length of the window.
	w->most_tests *= s->near.count < s->near.most ? 2 : 1;
	w->wait = w->is_longer ? w->next_wait : w->wait;
	w->next_wait *= w->is_longer && w->next_wait < 64 ? 2 : 1;
	w->is_longer = false;
}

// Moves to the next window. It gets twice the length if few pairs were kept, and if no longer window has failed recently. Its limit
// is three times the tests of this window.
// @param to   planned end of this window
// @param end  actual end
static void go_on( const window_sweep* s, double to, double end, window* w )
{
	bool is_easy = end == to && 4 * s->near.count <= s->near.most;
	w->is_longer = is_easy && w->wait == 0;
	w->wait -= w->wait > 0;
	w->halvings -= w->is_longer && w->halvings > 0;
	w->length *= w->is_longer ? 2 : 1;
	w->length = end < to ? bvmath_min( w->length, 2 * ( end - w->from ) ) : w->length;
	w->most_tests = 3 * w->tests > tests_of_window ? 3 * w->tests : tests_of_window;
	w->from = end;
}

// Looks for contacts in a window and goes on to the next one, or makes the window shorter.
static bv_status look_in_window( window_sweep* s, double least, window* w )
{
	double to = window_end( s, w->from, w->from + w->length );
	bv_status status = place( s, w->from, to, 0.5 * ( w->from + to ) );
	if ( status != bv_ok )
	{
		return status;
	}
	bool may_halve = w->halvings < most_halvings && s->moved > 0.0625 * least && !is_as_near_as_asked( s );
	bool all;
	s->near.skipped = 0;
	s->near.keeps_first = may_halve && !s->convex;
	s->near.most = may_halve ? most_of_window( s, w->tests ) : s->near.room;
	s->near.allowed = allowed_in_window( w->tests, s->moved < short_window * least );
	uint64_t before = s->volume_tests + s->triangle_tests;
	status = find_near( s, may_halve ? w->most_tests : 0, &all );
	w->tests = ( s->volume_tests + s->triangle_tests ) - before;
	// The window ends before the first pair that was dropped. If it became too short, the descent has ended early.
	double end = s->approach.until < 1 ? bvmath_min( to, time_of( s, s->approach.until ) ) : to;
	all = all && s->approach.until > least_progress && end > w->from;
	if ( status == bv_ok && may_halve && !all && !is_over( s ) && !is_in_vain( s, w ) )
	{
		halve( s, w );
		// If the objects overlap at the start, no number of halvings is enough.
		w->looks_at_start = w->halvings == 1 && w->from == w->first;
		return w->looks_at_start ? look_at_once( s, w->from ) : bv_ok;
	}
	w->looks_at_start = false;
	status = status == bv_ok ? follow_all( s, w->from, end, all ) : status;
	s->complete = s->complete && ( all || !is_over( s ) || is_at( s, w->from ) );
	s->free = s->complete ? end : w->from;
	go_on( s, to, end, w );
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
		*out = ( bvmotion_contact ){ .lower = first, .ended = true };
		return bv_ok;
	}
	double least = size_of_triangles( s );
	double before = first;
	window w = { .first = first,
		         .from = first,
		         .length = last - first,
		         .most_tests = tests_of_window,
		         .next_wait = 1,
		         .seen = UINT64_MAX };
	bv_status status = bv_ok;
	for ( bool more = true; more; )
	{
		before = w.from;
		status = look_in_window( s, least, &w );
		bool ends = w.looks_at_start ? is_at( s, first ) : s->contact.found;
		more = status == bv_ok && !ends && w.from < s->end && !is_over( s );
	}
	s->complete = s->complete && ( s->contact.found || w.from >= s->end );
	// A part of a sequence that begins at the end of the range is in no window.
	if ( status == bv_ok && !s->contact.found && s->complete && begins_at( s, before, last ) )
	{
		status = look_at_once( s, last );
	}
	*out = s->contact;
	out->ended = !s->complete;
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
	bvvol_rounded box;
	if ( !bvmotion_root_box( file, &box ) )
	{
		return false;
	}
	const double* half = box.half_extents;
	double square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
	out->center = box.center;
	out->radius = ( sqrt( square ) + ( box.radius + box.slack ) ) * ( 1 + 0x1p-44 );
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
		.room = s->near.pair,
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
	s->pair.separation = asked->separation;
	s->pair.width = asked->tolerance;
	s->most_tests = asked->most_tests;
	s->complete = true;
	s->near.pair = asked->scratch ? asked->scratch : s->room;
	s->near.room =
		asked->scratch ? (uint32_t)bvmath_min( asked->scratch_bytes / sizeof *s->room, 1 << 30 ) : most_near;
	bv_status status = bvmotion_look( asked, look_in_windows, s, &s->contact );
	if ( status == bv_ok && asked->mode == bv_sweep_mode_mixed && s->contact.found && s->contact.at > 0 )
	{
		status = look_mixed( s, asked );
	}
	return status == bv_ok ? describe( s, result ) : status;
}

static bool set_meshes( window_sweep* s, const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                        const bv_motion* motion_b, const bv_sweep_options* options, bv_sweep_options* asked )
{
	s->file[0] = a;
	s->file[1] = b;
	s->pair.motion[0] = motion_a;
	s->pair.motion[1] = motion_b;
	return a && b && bvmotion_sweep_options( options, asked ) && bv_motion_is_valid( motion_a ) &&
	       bv_motion_is_valid( motion_b ) && ball_of( a, s->pair.ball ) && ball_of( b, s->pair.ball + 1 );
}

bv_status bv_sweep_meshes( const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                           const bv_motion* motion_b, const bv_sweep_options* options,
                           bv_sweep_result* result )
{
	bv_sweep_options asked;
	window_sweep s = { .complete = false };
	bool good = result && set_meshes( &s, a, motion_a, b, motion_b, options, &asked );
	return good ? sweep( &s, &asked, result ) : bv_error_argument;
}

_Static_assert( sizeof( window_sweep ) <= bvmotion_sweep_words * sizeof( uint64_t ), "memory of a sweep" );

bv_status bvmotion_sweep_meshes_in( uint64_t memory[bvmotion_sweep_words], const bv_file* a,
                                    const bv_motion* motion_a, const bv_file* b, const bv_motion* motion_b,
                                    const bv_sweep_options* options, bv_sweep_result* result )
{
	bv_sweep_options asked;
	window_sweep* s = (window_sweep*)memory;
	memset( s, 0, sizeof *s );
	bool good = set_meshes( s, a, motion_a, b, motion_b, options, &asked );
	return good ? sweep( s, &asked, result ) : bv_error_argument;
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
