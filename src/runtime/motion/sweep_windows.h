// The search for the first contact of a moving mesh and another one, or a moving convex shape, that can be stopped after any step. See
// sweep_windows.c.

#pragma once

#include "runtime/motion/advance.h"
#include "runtime/motion/near.h"
#include "runtime/tree/approach.h"
#include "runtime/tree/collide.h"

enum
{
	bvmotion_most_near = 15, ///< pairs kept without memory of the caller
};

/// Pairs that a descent found. If the window can end earlier, these are the pairs with the first entries. Otherwise they are all
/// pairs after the skipped ones, in the order of the descent.
typedef struct bvmotion_near_pairs
{
	bvmotion_near_pair* pair; ///< the first ones to touch are a heap
	uint32_t count;
	uint32_t room;    ///< of `pair`
	uint32_t most;    ///< pairs to keep, at most `room`
	bool keeps_first; ///< the pairs with the first entries are kept
	uint64_t seen;    ///< pairs that the descent reported
	uint32_t allowed; ///< limit of `seen` if the first pairs are kept
	uint32_t doubts;  ///< contacts without a proof, up to most_doubts
	uint64_t skipped; ///< pairs at the start of the descent that earlier descents have kept
} bvmotion_near_pairs;

/// The present window, and how the length of the next one is chosen.
typedef struct bvmotion_window_state
{
	double first; ///< start of the search
	double from;  ///< start of the window
	double length;
	int halvings;        ///< net number of halvings since the first window
	uint64_t seen;       ///< pairs of the last window that was too long
	int vain;            ///< halvings in a row that left three quarters of the pairs or more
	bool looks_at_start; ///< the window was halved for the first time
	uint64_t most_tests; ///< limit of the next descent
	uint64_t tests;      ///< of the last descent
	bool is_longer;      ///< the window is longer than the one before
	int wait;            ///< windows before a longer one is tried
	int next_wait;       ///< value of `wait` after the next failure of a longer window
} bvmotion_window_state;

/// The next step.
typedef enum bvmotion_phase
{
	bvmotion_phase_begin_window = 0, ///< place the objects in the middle of a window, and begin a descent
	bvmotion_phase_descend,          ///< look for pairs that are near; `after` follows
	bvmotion_phase_use_descent,      ///< halve the window, or begin to follow the pairs
	bvmotion_phase_follow_pair,      ///< begin to follow the next pair through the window
	bvmotion_phase_follow_more,      ///< begin with the pairs that another descent has found
	bvmotion_phase_end_window,       ///< go on to the next window
	bvmotion_phase_follow_at_time,   ///< begin to compare the next pair at a single time; `back` follows
	bvmotion_phase_pursue,           ///< follow a pair of triangles further; `followed` comes after it
	bvmotion_phase_choose_window,    ///< begin a window, or end the range
	bvmotion_phase_end_range,        ///< look at the end of the range
	bvmotion_phase_done,
} bvmotion_phase;

/// Two triangles of meshes, or a convex shape and a triangle, that are followed through a window.
typedef struct bvmotion_pursuit
{
	uint32_t triangle[2];
	bv_convex shape[2];
	bvmotion_shapes pair; ///< its shapes are the two above, or the convex shape
	bvmotion_advancement advancement;
} bvmotion_pursuit;

/// What a search that can be stopped keeps between two steps.
typedef struct bvmotion_kept
{
	bv_collide_result counts; ///< of the descent that goes on; else 0
	uint64_t most_tests;      ///< beyond which it ends; 0 for no limit
	union
	{
		bvtree_collide_query query; ///< in phase bvmotion_phase_descend
		bvmotion_pursuit pursuit;   ///< in phase bvmotion_phase_pursue
	};
} bvmotion_kept;

/// A search by windows of time. Must not be moved while a descent or a pursuit goes on.
typedef struct bvmotion_windows
{
	const bv_file* file[2]; ///< null for a convex shape, which is the first
	const bv_convex* convex;
	bvmotion_shapes pair; ///< its shapes are triangles, from time to time; its balls contain the objects
	double start;         ///< of the range that was asked for
	uint64_t most_tests;
	uint64_t volume_tests;
	uint64_t triangle_tests;
	uint64_t steps;
	uint64_t repeated; ///< tests of further descents of a window
	double end;    ///< no contact after this time is of interest: one until then is proven, or the range ends
	bool proven;   ///< a contact until `end`
	double free;   ///< no contact before this time
	bool complete; ///< all times before the contact were searched; without a contact, all times
	uint32_t triangle[2];
	bvmotion_contact contact; ///< of these, the earliest one
	bv_transform
		between; ///< the second object as seen from the first at the time of reference, for stored positions
	bvtree_approach approach; ///< of stored positions in the window
	double moved;             ///< how far the objects move
	double reference;         ///< the time of reference
	double half;              ///< the longest time from there
	bvmotion_near_pairs near;
	bvmotion_near_pair room[bvmotion_most_near];

	// Where the search is.
	bvmotion_phase phase;
	bvmotion_phase after;    ///< of a descent: the phase that follows
	bvmotion_phase back;     ///< of a single time: the phase that follows
	bvmotion_phase followed; ///< of a pursuit: the phase that began it
	bvmotion_window_state window;
	double last;        ///< end of the range
	double least;       ///< size of triangles
	double before;      ///< start of the window before
	double to;          ///< planned end of the window
	double window_end;  ///< actual end of it
	double single_time; ///< the single time
	bool may_halve;     ///< the window
	bool all;           ///< all pairs that are near were found
	uint32_t next;      ///< pair to follow
	uint64_t tests;     ///< volumes and triangles, before the last descent

	bvmotion_kept*
		kept; ///< of searches that can be stopped; else null: neither descents nor pursuits are interrupted
} bvmotion_windows;

/// Begins a search in a range of time.
/// @param s  file or convex, pair, most_tests, complete, near.pair, near.room and kept are set
void bvmotion_windows_begin( bvmotion_windows* s, double first, double last );

/// Takes one step. Of searches that can be stopped each is short: some tests of volumes and triangles, or a step of an advancement.
/// @return bv_ok; bv_error_argument if a callback returned a pose that is not valid
bv_status bvmotion_windows_step( bvmotion_windows* s );

/// @return tests of volumes and triangles, and steps of pairs
uint64_t bvmotion_windows_tests( const bvmotion_windows* s );

/// Reports what is known, also before the search is over.
void bvmotion_windows_contact( const bvmotion_windows* s, bvmotion_contact* out );

/// Searches a range without interruption: a bvmotion_window, with a bvmotion_windows as context.
bv_status bvmotion_look_in_windows( void* context, double first, double last, bvmotion_contact* out );
