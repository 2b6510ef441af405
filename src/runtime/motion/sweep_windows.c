// The first contact of a moving mesh and another one, or a moving convex shape. See bv/motion.h.
//
// Times are searched from the start to the end in windows. Both meshes are placed at the middle of a window. A descent of both
// hierarchies finds the pairs of triangles that may touch in the window: volumes and triangles are compared along the way that
// they move relative to each other (tree/approach.h). If there are too many, those are kept that can touch first, and the window
// ends before the others do. If too little of it remained, it is halved. The pairs are followed by conservative advancement. The
// windows before the first one with a contact are proven to be free. A pair adds nothing to what is known until it was followed to
// its end.
//
// A convex shape is compared with the volumes of a mesh as if it were larger on all sides.

#include "runtime/motion/sweep_windows.h"

#include "runtime/motion/approach.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/near.h"
#include "runtime/motion/sequence.h"
#include "runtime/motion/sweep.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/collide.h"
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

// A window is not halved if its rest exceeds the separation by less than this part of the separation, and if it is short: beside triangles if
// the separation is smaller than these, else if objects move by less than the second part of the separation.
static const double alike = 0.3;
static const double short_part = 0x1p-6;

// A window is short if objects move in it by less than this number of triangle sides.
static const double short_window = 4;

enum
{
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
	tests_of_step = 16,      // of a descent that can be stopped, between two looks at the budget
	pairs_of_step = 2,       // of triangles, which it reports at most
	most_repeated = 1 << 25, // tests of descents that are repeated because the pairs had no room
};

// Sets the place of stored positions at a time of reference, and the reach for all times between two others; in coordinates of the
// first object.
BVSIMD_NOINLINE bv_status place( bvmotion_windows* s, double from, double to, double reference )
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

uint64_t bvmotion_windows_tests( const bvmotion_windows* s )
{
	uint64_t done = s->volume_tests + s->triangle_tests + s->steps;
	return s->kept ? done + ( s->kept->counts.volume_tests + s->kept->counts.triangle_tests ) : done;
}

static bool is_over( const bvmotion_windows* s )
{
	return s->repeated > most_repeated ||
	       ( s->most_tests > 0 && bvmotion_windows_tests( s ) > s->most_tests );
}

// Two triangles of meshes at the time of reference.
typedef struct triangles
{
	bv_vec3 corner[2][3]; // in stored coordinates of the first mesh
	double size;          // bound of the distances of the second triangle's corners from its first one
	double rounding;      // error bound of each coordinate of the second triangle
} triangles;

static void get_triangles( const bvmotion_windows* s, uint32_t a, uint32_t b, triangles* out )
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
BVSIMD_NOINLINE double entry_of( const bvmotion_windows* s, uint32_t a, uint32_t b )
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
static bool add_first( bvmotion_windows* s, uint32_t a, uint32_t b )
{
	bvmotion_near_pairs* near = &s->near;
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
	bvmotion_windows* s = context;
	bvmotion_near_pairs* near = &s->near;
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

static void take_counts( bvmotion_windows* s, const bv_collide_result* counts )
{
	s->volume_tests += counts->volume_tests;
	s->triangle_tests += counts->triangle_tests;
}

// @param most   tests, beyond which the descent ends; 0 for no end
// @param ended  receives whether it did
static bv_status descend_both( bvmotion_windows* s, uint64_t most, bool* ended )
{
	bv_collide_options options = { .callback = add_near_pair, .context = s, .most_tests = most };
	bv_collide_result counts;
	bv_status status = bvtree_collide_within( bvtree_lanes_best(), s->file[0], s->file[1], &s->between,
	                                          &s->approach, &options, &counts );
	take_counts( s, &counts );
	*ended = most > 0 && counts.volume_tests + counts.triangle_tests > most;
	return status;
}

// A descent of one hierarchy is short enough to have no limit of tests. Its shape would take stack of the other descent.
BVSIMD_NOINLINE bv_status descend_mesh( bvmotion_windows* s )
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

// @param ended  the descent, by its number of tests
static void end_descent( bvmotion_windows* s, bool ended )
{
	const bvmotion_near_pairs* near = &s->near;
	s->all = !ended && near->seen <= ( near->keeps_first ? near->allowed : near->skipped + near->count );
	s->phase = s->after;
}

// Looks for pairs of triangles that may touch in a window.
// @param most   tests, beyond which the descent may end; 0 for no end
// @param after  the phase that follows
static bv_status find_near( bvmotion_windows* s, uint64_t most, bvmotion_phase after )
{
	bool ended = false;
	uint64_t left = bvmotion_tests_left( s->most_tests, bvmotion_windows_tests( s ) );
	most = most == 0 || ( left > 0 && left < most ) ? left : most;
	s->near.count = 0;
	s->near.seen = 0;
	s->after = after;
	s->tests = s->volume_tests + s->triangle_tests;
	if ( s->kept )
	{
		const bv_collide_options options = { .callback = add_near_pair, .context = s, .most_tests = most };
		s->kept->most_tests = most;
		s->phase = bvmotion_phase_descend;
		bv_status status = bvtree_collide_begin( bvtree_lanes_best(), s->file[0], s->file[1], &s->between,
		                                         &s->approach, &options, &s->kept->counts, &s->kept->query );
		bvtree_collide_divide( &s->kept->query, pairs_of_step );
		return status;
	}
	bv_status status = s->convex ? descend_mesh( s ) : descend_both( s, most, &ended );
	end_descent( s, ended );
	return status;
}

static uint64_t tests_of( const bv_collide_result* counts )
{
	return counts->volume_tests + counts->triangle_tests;
}

// Continues a descent by a few tests, or until a pair was found, because the entry of a pair takes as long as some tests.
static void descend_further( bvmotion_windows* s )
{
	bvmotion_kept* kept = s->kept;
	uint64_t seen = s->near.seen;
	uint64_t end = tests_of( &kept->counts ) + tests_of_step;
	while ( !kept->query.is_over && s->near.seen == seen && tests_of( &kept->counts ) < end )
	{
		bvtree_collide_run( &kept->query, NULL );
	}
	if ( kept->query.is_over )
	{
		uint64_t tests = tests_of( &kept->counts );
		take_counts( s, &kept->counts );
		kept->counts = ( bv_collide_result ){ 0 };
		end_descent( s, kept->most_tests > 0 && tests > kept->most_tests );
	}
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
BVSIMD_NOINLINE bool are_far( const bvmotion_windows* s, const uint32_t triangle[2] )
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
static double time_of( const bvmotion_windows* s, double part )
{
	return ( s->reference + part * s->half ) - 0x1p-51;
}

static bv_status begin_pursuit( const bvmotion_windows* s, double from, double to, const uint32_t triangle[2],
                                bvmotion_pursuit* out )
{
	bvmotion_shapes* pair = &out->pair;
	*pair = s->pair;
	pair->from = from;
	pair->to = to < s->end ? to : s->end;
	pair->proof = s->end;
	pair->most_steps = bvmotion_steps_left( s->most_tests, bvmotion_windows_tests( s ) );
	// If many contacts have no proof, as of flat faces that land on each other, a proof for this pair is unlikely.
	pair->most_small = s->near.doubts < most_doubts ? 0 : small_in_doubt;
	for ( int i = 0; i < 2; ++i )
	{
		out->triangle[i] = triangle[i];
		pair->shape[i] = s->file[i] ? out->shape + i : s->convex;
		if ( s->file[i] )
		{
			get_triangle( s->file[i], triangle[i], out->shape + i, pair->ball + i );
		}
	}
	return bvmotion_advance_begin( pair, &out->advancement );
}

// Uses what was found of a pair.
static void end_pursuit( bvmotion_windows* s, const bvmotion_pursuit* p )
{
	const bvmotion_contact* contact = &p->advancement.contact;
	if ( contact->found && !contact->certain && p->pair.most_steps > 0 &&
	     contact->steps >= p->pair.most_steps )
	{
		s->complete = false;
		return;
	}
	s->near.doubts += contact->found && !contact->certain && s->near.doubts < most_doubts;
	if ( contact->found && contact->lower < s->contact.lower )
	{
		s->triangle[0] = p->triangle[0];
		s->triangle[1] = p->triangle[1];
		s->contact = *contact;
	}
	if ( contact->found && contact->certain && contact->upper <= s->end )
	{
		s->end = contact->upper;
		s->proven = true;
	}
}

// Takes one step of a pursuit.
static bv_status pursue( bvmotion_windows* s, bvmotion_pursuit* p )
{
	uint32_t before = p->advancement.contact.steps;
	bv_status status = bvmotion_advance_step( &p->advancement );
	s->steps += p->advancement.contact.steps - before;
	if ( status == bv_ok && p->advancement.is_done )
	{
		end_pursuit( s, p );
	}
	return status;
}

// Not part of its caller, whose stack descents need.
BVSIMD_NOINLINE bv_status pursue_to_the_end( bvmotion_windows* s, double from, double to,
                                             const uint32_t triangle[2] )
{
	bvmotion_pursuit p;
	bv_status status = begin_pursuit( s, from, to, triangle, &p );
	while ( status == bv_ok && !p.advancement.is_done )
	{
		status = pursue( s, &p );
	}
	return status;
}

// Follows a pair of triangles in a window, or begins to.
static bv_status follow( bvmotion_windows* s, double from, double to, const uint32_t triangle[2] )
{
	if ( !s->near.keeps_first && s->file[0] && are_far( s, triangle ) )
	{
		return bv_ok;
	}
	if ( !s->kept )
	{
		return pursue_to_the_end( s, from, to, triangle );
	}
	s->followed = s->phase;
	s->phase = bvmotion_phase_pursue;
	return begin_pursuit( s, from, to, triangle, &s->kept->pursuit );
}

static bv_status pursue_further( bvmotion_windows* s )
{
	bv_status status = pursue( s, &s->kept->pursuit );
	s->phase = s->kept->pursuit.advancement.is_done ? s->followed : s->phase;
	return status;
}

// Whether nothing more can be found in a window that begins at a time.
static bool is_at( const bvmotion_windows* s, double from )
{
	return s->proven && s->contact.found && s->contact.lower <= from;
}

// Looks for a pair of triangles that touch at a time. Objects that overlap have so many that one of them is found soon.
// @param back  the phase that follows
static bv_status look_at_time( bvmotion_windows* s, double time, bvmotion_phase back )
{
	s->near.keeps_first = false;
	s->near.most = bvmotion_most_near;
	s->near.skipped = 0;
	s->next = 0;
	s->single_time = time;
	s->back = back;
	bv_status status = place( s, time, time, time );
	return status == bv_ok ? find_near( s, 0, bvmotion_phase_follow_at_time ) : status;
}

static bv_status follow_at_time( bvmotion_windows* s )
{
	if ( s->next == s->near.count || s->proven )
	{
		s->phase = s->back;
		return bv_ok;
	}
	return follow( s, s->single_time, s->single_time, s->near.pair[s->next++].triangle );
}

// Follows the next pair that is near in a window. Pairs for which there was no room are found by another descent.
static bv_status follow_next( bvmotion_windows* s )
{
	double from = s->window.from;
	if ( s->next == s->near.count || is_at( s, from ) )
	{
		bool ends = s->all || is_over( s ) || is_at( s, from );
		s->phase = bvmotion_phase_end_window;
		s->near.skipped += ends ? 0 : s->near.count;
		return ends ? bv_ok : find_near( s, 0, bvmotion_phase_follow_more );
	}
	// The pair starts a little before its entry: a contact can be proven if the pair is free at the start.
	const bvmotion_near_pair* pair = s->near.pair + s->next++;
	double entry = s->near.keeps_first ? bvmath_max( from, time_of( s, pair->entry ) - s->pair.width ) : from;
	return entry < s->end || entry == from ? follow( s, entry, s->window_end, pair->triangle ) : bv_ok;
}

static void follow_more( bvmotion_windows* s )
{
	s->repeated += ( s->volume_tests + s->triangle_tests ) - s->tests;
	s->next = 0;
	s->phase = bvmotion_phase_follow_pair;
}

// About how long the sides of triangles are, in coordinates of the first object. Of windows in which points move by much less,
// descents find hardly fewer pairs.
BVSIMD_NOINLINE double size_of_triangles( const bvmotion_windows* s )
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

static bool begins_at( const bvmotion_windows* s, double before, double time )
{
	return bvmotion_has_joint( s->pair.motion[0], before, time ) ||
	       bvmotion_has_joint( s->pair.motion[1], before, time );
}

// A window ends where a part of a sequence does, which can jump there.
static double window_end( const bvmotion_windows* s, double from, double to )
{
	double end = bvmath_min( to, s->end );
	for ( int i = 0; i < 2; ++i )
	{
		double part = bvmotion_part_at( s->pair.motion[i], from ).end;
		end = part > from ? bvmath_min( end, part ) : end;
	}
	return end;
}

// The number of pairs to keep: following them takes about as long as the last descent.
static uint32_t most_of_window( const bvmotion_windows* s, uint64_t tests )
{
	uint64_t most = tests / tests_per_pair;
	most = most > bvmotion_most_near ? most : bvmotion_most_near;
	return most < s->near.room ? (uint32_t)most : s->near.room;
}

// The number of pairs that a descent may compare before the window is halved. Comparing pairs takes about as long as the last
// descent at most. In long windows most pairs are dropped later.
static uint32_t allowed_in_window( uint64_t tests, bool is_short )
{
	uint32_t least = bvmotion_most_near * ( is_short ? seen_of_short : seen_of_long );
	uint64_t many = tests / tests_per_entry;
	return many < least ? least : many < UINT32_MAX ? (uint32_t)many : UINT32_MAX;
}

// Whether halving a window further is of no use. Only for a convex shape and a mesh, for which all pairs are counted.
static bool is_in_vain( const bvmotion_windows* s, bvmotion_window_state* w )
{
	w->vain = (double)s->near.seen < 0.75 * (double)w->seen ? 0 : w->vain + 1;
	w->seen = s->near.seen;
	return s->convex && ( w->vain > most_vain || ( w->vain > 0 && w->seen <= few_pairs ) );
}

// Whether pairs are near because of the separation and not because of the motion. Then shorter windows have as many of them.
static bool is_as_near_as_asked( const bvmotion_windows* s )
{
	const bvtree_approach* approach = &s->approach;
	double inverse = 1 / bvmotion_scale( s->pair.motion[0] );
	double apart = s->pair.separation * inverse;
	double size =
		s->pair.ball[0].radius + s->pair.ball[1].radius * bvmotion_scale( s->pair.motion[1] ) * inverse;
	double way = bv_length( approach->velocity ) + bv_length( approach->spin ) * size;
	double short_way = apart < s->least ? short_window * s->least : short_part * apart;
	return approach->is_directed && approach->rest - apart < alike * apart && way < short_way;
}

static void halve( const bvmotion_windows* s, bvmotion_window_state* w )
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
static void go_on( const bvmotion_windows* s, double to, double end, bvmotion_window_state* w )
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

static bv_status begin_window( bvmotion_windows* s )
{
	const bvmotion_window_state* w = &s->window;
	s->before = w->from;
	s->to = window_end( s, w->from, w->from + w->length );
	bv_status status = place( s, w->from, s->to, 0.5 * ( w->from + s->to ) );
	if ( status != bv_ok )
	{
		return status;
	}
	s->may_halve = w->halvings < most_halvings && s->moved > 0.0625 * s->least && !is_as_near_as_asked( s );
	s->near.skipped = 0;
	s->near.keeps_first = s->may_halve && !s->convex;
	s->near.most = s->may_halve ? most_of_window( s, w->tests ) : s->near.room;
	s->near.allowed = allowed_in_window( w->tests, s->moved < short_window * s->least );
	return find_near( s, s->may_halve ? w->most_tests : 0, bvmotion_phase_use_descent );
}

// Goes on to the next window, or ends the search.
static void choose_window( bvmotion_windows* s )
{
	const bvmotion_window_state* w = &s->window;
	bool ends = w->looks_at_start ? is_at( s, w->first ) : s->contact.found;
	s->phase =
		!ends && w->from < s->end && !is_over( s ) ? bvmotion_phase_begin_window : bvmotion_phase_end_range;
}

// Makes the window shorter, or begins to look for contacts in it.
static bv_status use_descent( bvmotion_windows* s )
{
	bvmotion_window_state* w = &s->window;
	w->tests = ( s->volume_tests + s->triangle_tests ) - s->tests;
	// The window ends before the first pair that was dropped. If it became too short, the descent has ended early.
	s->window_end = s->approach.until < 1 ? bvmath_min( s->to, time_of( s, s->approach.until ) ) : s->to;
	s->all = s->all && s->approach.until > least_progress && s->window_end > w->from;
	if ( s->may_halve && !s->all && !is_over( s ) && !is_in_vain( s, w ) )
	{
		halve( s, w );
		// If the objects overlap at the start, no number of halvings is enough.
		w->looks_at_start = w->halvings == 1 && w->from == w->first;
		if ( w->looks_at_start )
		{
			return look_at_time( s, w->from, bvmotion_phase_choose_window );
		}
		choose_window( s );
		return bv_ok;
	}
	w->looks_at_start = false;
	if ( s->near.keeps_first )
	{
		bvmotion_near_sort( s->near.pair, s->near.count );
	}
	s->next = 0;
	s->phase = bvmotion_phase_follow_pair;
	return bv_ok;
}

static void end_window( bvmotion_windows* s )
{
	bvmotion_window_state* w = &s->window;
	s->complete = s->complete && ( s->all || !is_over( s ) || is_at( s, w->from ) );
	s->free = s->complete ? s->window_end : w->from;
	go_on( s, s->to, s->window_end, w );
	choose_window( s );
}

static bv_status end_range( bvmotion_windows* s )
{
	s->complete = s->complete && ( s->contact.found || s->window.from >= s->end );
	s->phase = bvmotion_phase_done;
	// A part of a sequence that begins at the end of the range is in no window.
	bool looks = !s->contact.found && s->complete && begins_at( s, s->before, s->last );
	return looks ? look_at_time( s, s->last, bvmotion_phase_done ) : bv_ok;
}

bv_status bvmotion_windows_step( bvmotion_windows* s )
{
	switch ( s->phase )
	{
	case bvmotion_phase_begin_window: return begin_window( s );
	case bvmotion_phase_descend: descend_further( s ); return bv_ok;
	case bvmotion_phase_use_descent: return use_descent( s );
	case bvmotion_phase_follow_pair: return follow_next( s );
	case bvmotion_phase_follow_more: follow_more( s ); return bv_ok;
	case bvmotion_phase_end_window: end_window( s ); return bv_ok;
	case bvmotion_phase_follow_at_time: return follow_at_time( s );
	case bvmotion_phase_pursue: return pursue_further( s );
	case bvmotion_phase_choose_window: choose_window( s ); return bv_ok;
	case bvmotion_phase_end_range: return end_range( s );
	default: return bv_ok;
	}
}

void bvmotion_windows_begin( bvmotion_windows* s, double first, double last )
{
	s->end = s->last = last;
	s->free = first;
	s->proven = false;
	s->contact = ( bvmotion_contact ){ .certain = true, .lower = INFINITY };
	s->least = size_of_triangles( s );
	s->window = ( bvmotion_window_state ){ .first = first,
		                                   .from = first,
		                                   .length = last - first,
		                                   .most_tests = tests_of_window,
		                                   .next_wait = 1,
		                                   .seen = UINT64_MAX };
	s->phase = bvmotion_phase_begin_window;
}

void bvmotion_windows_contact( const bvmotion_windows* s, bvmotion_contact* out )
{
	bool complete = s->complete && s->phase == bvmotion_phase_done;
	*out = s->contact;
	out->ended = !complete;
	// Pairs that were not followed may touch earlier than those that were.
	out->lower = s->contact.found && complete ? s->contact.lower : s->free;
	if ( s->proven )
	{
		out->certain = true;
		out->upper = s->end;
	}
}

bv_status bvmotion_look_in_windows( void* context, double first, double last, bvmotion_contact* out )
{
	bvmotion_windows* s = context;
	bv_status status = bv_ok;
	bvmotion_windows_begin( s, first, last );
	if ( is_over( s ) )
	{
		s->complete = false;
		*out = ( bvmotion_contact ){ .lower = first, .ended = true };
		return bv_ok;
	}
	while ( s->phase != bvmotion_phase_done && status == bv_ok )
	{
		status = bvmotion_windows_step( s );
	}
	bvmotion_windows_contact( s, out );
	return status;
}
