// First contacts of moving meshes and convex shapes with meshes, at once or within budgets. See bv/motion.h.

#include "bv/mesh.h"
#include "bv/motion.h"

#include "runtime/motion/approach.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/sweep.h"
#include "runtime/motion/sweep_mixed.h"
#include "runtime/motion/sweep_windows.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/budget.h"
#include "runtime/volume/bound.h"

#include <math.h>
#include <string.h>

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
// @param contact  what is known of it
BVSIMD_NOINLINE bv_status describe( const bvmotion_windows* s, const bvmotion_contact* contact,
                                    bv_sweep_result* result )
{
	bv_sweep_result out = { .found = false };
	bv_status status = bvmotion_set_contact( s->pair.motion[0], s->start, contact, &out );
	if ( status != bv_ok )
	{
		return status;
	}
	out.complete = !contact->ended;
	out.certain = out.certain && ( out.found || out.complete );
	out.volume_tests = s->volume_tests + ( s->kept ? s->kept->counts.volume_tests : 0 );
	out.triangle_tests = s->triangle_tests + ( s->kept ? s->kept->counts.triangle_tests : 0 );
	out.steps = s->steps;
	for ( int i = 0; i < 2 && out.found; ++i )
	{
		out.triangle[i] = s->triangle[i];
		out.feature[i] = s->file[i] ? feature_of( contact->corners[i] ) : bv_feature_corner_0;
	}
	*result = out;
	return bv_ok;
}

// Of meshes that touch at the end of the range, and not at the start.
BVSIMD_NOINLINE bv_status look_mixed( bvmotion_windows* s, const bv_sweep_options* asked )
{
	bvmotion_mixed m = {
		.file = { s->file[0], s->file[1] },
		.motion = { s->pair.motion[0], s->pair.motion[1] },
		.between = &s->between,
		.from = asked->from,
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

static void set_options( bvmotion_windows* s, const bv_sweep_options* asked )
{
	s->pair.separation = asked->separation;
	s->pair.width = asked->tolerance;
	s->start = asked->from;
	s->most_tests = asked->most_tests;
	s->complete = true;
	s->near.pair = asked->scratch ? asked->scratch : s->room;
	s->near.room = asked->scratch ? (uint32_t)bvmath_min( asked->scratch_bytes / sizeof *s->room, 1 << 30 )
	                              : bvmotion_most_near;
}

static bv_status sweep( bvmotion_windows* s, const bv_sweep_options* asked, bv_sweep_result* result )
{
	set_options( s, asked );
	bv_status status = bvmotion_look( asked, bvmotion_look_in_windows, s, &s->contact );
	if ( status == bv_ok && asked->mode == bv_sweep_mode_mixed && s->contact.found &&
	     s->contact.at > asked->from )
	{
		status = look_mixed( s, asked );
	}
	s->contact.ended = !s->complete;
	return status == bv_ok ? describe( s, &s->contact, result ) : status;
}

static bool set_meshes( bvmotion_windows* s, const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                        const bv_motion* motion_b, const bv_sweep_options* options, bv_sweep_options* asked )
{
	s->file[0] = a;
	s->file[1] = b;
	s->pair.motion[0] = motion_a;
	s->pair.motion[1] = motion_b;
	return a && b && bvmotion_sweep_options( options, asked ) && bv_motion_is_valid( motion_a ) &&
	       bv_motion_is_valid( motion_b ) && bvmotion_mesh_ball( a, s->pair.ball ) &&
	       bvmotion_mesh_ball( b, s->pair.ball + 1 );
}

bv_status bv_sweep_meshes( const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                           const bv_motion* motion_b, const bv_sweep_options* options,
                           bv_sweep_result* result )
{
	bv_sweep_options asked;
	bvmotion_windows s = { .complete = false };
	bool good = result && set_meshes( &s, a, motion_a, b, motion_b, options, &asked );
	return good ? sweep( &s, &asked, result ) : bv_error_argument;
}

_Static_assert( sizeof( bvmotion_windows ) <= bvmotion_sweep_words * sizeof( uint64_t ),
                "memory of a sweep" );

bv_status bvmotion_sweep_meshes_in( uint64_t memory[bvmotion_sweep_words], const bv_file* a,
                                    const bv_motion* motion_a, const bv_file* b, const bv_motion* motion_b,
                                    const bv_sweep_options* options, bv_sweep_result* result )
{
	bv_sweep_options asked;
	bvmotion_windows* s = (bvmotion_windows*)memory;
	memset( s, 0, sizeof *s );
	bool good = set_meshes( s, a, motion_a, b, motion_b, options, &asked );
	return good ? sweep( s, &asked, result ) : bv_error_argument;
}

bv_status bv_sweep_convex_mesh( const bv_convex* a, const bv_motion* motion_a, const bv_file* b,
                                const bv_motion* motion_b, const bv_sweep_options* options,
                                bv_sweep_result* result )
{
	bv_sweep_options asked;
	bvmotion_windows s = { .file = { NULL, b }, .convex = a, .pair.motion = { motion_a, motion_b } };
	if ( !a || !b || !result || !bvmotion_sweep_options( options, &asked ) ||
	     !bv_motion_is_valid( motion_a ) || !bv_motion_is_valid( motion_b ) ||
	     !bvmotion_mesh_ball( b, s.pair.ball + 1 ) )
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

struct bv_sweep
{
	bvmotion_windows search;
	bvmotion_kept kept;
	bv_status status; // of the last step
};

enum
{
	sweep_bytes = 12288, // the same on all machines: the number of pairs decides on windows
};

_Static_assert( sizeof( bv_sweep ) <= sweep_bytes, "pairs follow the struct" );
_Static_assert( BV_SWEEP_LEAST - sweep_bytes >= BV_SWEEP_SCRATCH_LEAST, "there is room for pairs" );

bv_status bv_sweep_begin( const bv_file* a, const bv_motion* motion_a, const bv_file* b,
                          const bv_motion* motion_b, const bv_sweep_options* options, void* memory,
                          size_t bytes, bv_sweep** out )
{
	bv_sweep_options asked;
	if ( !memory || (uintptr_t)memory % 8 != 0 || !out || ( options && options->scratch ) )
	{
		return bv_error_argument;
	}
	if ( bytes < BV_SWEEP_LEAST )
	{
		return bv_error_memory;
	}
	bv_sweep* sweep = memory;
	bvmotion_windows* s = &sweep->search;
	memset( s, 0, sizeof *s );
	if ( !set_meshes( s, a, motion_a, b, motion_b, options, &asked ) )
	{
		return bv_error_argument;
	}
	if ( asked.mode != bv_sweep_mode_dynamic )
	{
		return bv_error_unsupported;
	}
	asked.scratch = (char*)memory + sweep_bytes;
	asked.scratch_bytes = bytes - sweep_bytes;
	set_options( s, &asked );
	sweep->kept.counts = ( bv_collide_result ){ 0 };
	s->kept = &sweep->kept;
	sweep->status = bv_ok;
	bvmotion_windows_begin( s, asked.from, asked.limit );
	*out = sweep;
	return bv_ok;
}

BVSIMD_NOINLINE bv_status report( const bvmotion_windows* s, bv_sweep_result* result )
{
	bvmotion_contact contact;
	bvmotion_windows_contact( s, &contact );
	return describe( s, &contact, result );
}

bv_status bv_sweep_look( const bv_sweep* sweep, bool* done, bv_sweep_result* result )
{
	if ( !sweep || !result || sweep->status != bv_ok )
	{
		return bv_error_argument;
	}
	bv_status status = report( &sweep->search, result );
	if ( status == bv_ok && done )
	{
		*done = sweep->search.phase == bvmotion_phase_done;
	}
	return status;
}

bv_status bv_sweep_run( bv_sweep* sweep, const bv_budget* budget, bool* done, bv_sweep_result* result )
{
	if ( !sweep || ( budget && budget->now && isnan( budget->until ) ) )
	{
		return bv_error_argument;
	}
	bvmotion_windows* s = &sweep->search;
	bvtree_budget left = bvtree_budget_begin( budget, bvmotion_windows_tests( s ), UINT64_MAX );
	while ( sweep->status == bv_ok && s->phase != bvmotion_phase_done &&
	        bvtree_budget_allows( &left, bvmotion_windows_tests( s ) ) )
	{
		bool descends = s->phase == bvmotion_phase_descend;
		uint64_t seen = s->near.seen;
		sweep->status = bvmotion_windows_step( s );
		if ( !descends || s->near.seen != seen )
		{
			bvtree_budget_look_next( &left );
		}
	}
	bv_sweep_result unwanted;
	return bv_sweep_look( sweep, done, result ? result : &unwanted );
}
