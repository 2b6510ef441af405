// Stands in for methods that exist to be compared, so that the linker leaves them out of the npm package: no function of glue.c selects
// them. One that is reached after all ends in a trap, which is an exception in JavaScript. Scalar lanes are null where the module has
// those of SIMD128.

#include "runtime/convex/cast.h"
#include "runtime/convex/distance.h"
#include "runtime/motion/features.h"
#include "runtime/motion/sweep_mixed.h"
#include "runtime/tree/lanes.h"
#include "world/broadphase/pairs.h"
#include "world/broadphase/phase.h"

#ifdef __wasm_simd128__
const bvtree_lanes* bvtree_lanes_scalar( void )
{
	return 0;
}
#endif

#define LEAVE_OUT_METHOD( name )                                                             \
	void bvconvex_##name##_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, \
	                                 bv_convex_result* out )                                 \
	{                                                                                        \
		(void)pair, (void)asked, (void)out;                                                  \
		__builtin_trap();                                                                    \
	}                                                                                        \
	void bvconvex_##name##_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,  \
	                                bv_convex_overlap_result* out )                          \
	{                                                                                        \
		(void)pair, (void)asked, (void)out;                                                  \
		__builtin_trap();                                                                    \
	}

LEAVE_OUT_METHOD( sat )
LEAVE_OUT_METHOD( vclip )
LEAVE_OUT_METHOD( mpr )
LEAVE_OUT_METHOD( chung_wang )
LEAVE_OUT_METHOD( margin )
LEAVE_OUT_METHOD( shell )

#define LEAVE_OUT_CASTER( name )                           \
	double bvconvex_cast_##name( bvconvex_cast_search* s ) \
	{                                                      \
		(void)s;                                           \
		__builtin_trap();                                  \
	}

LEAVE_OUT_CASTER( advancement )
LEAVE_OUT_CASTER( swept )
LEAVE_OUT_CASTER( sampled )

#define LEAVE_OUT_FINDER( name )                                                     \
	void bvmotion_find_##name( const bvmotion_search* search, bv_feature_time* out ) \
	{                                                                                \
		(void)search, (void)out;                                                     \
		__builtin_trap();                                                            \
	}

LEAVE_OUT_FINDER( linear )
LEAVE_OUT_FINDER( regula_falsi )
LEAVE_OUT_FINDER( quadratic )
LEAVE_OUT_FINDER( sampled )
LEAVE_OUT_FINDER( sampled_regula_falsi )

bv_status bvmotion_look_mixed( bvmotion_mixed* m )
{
	(void)m;
	__builtin_trap();
}

// Rows whose functions are null: calling them is a trap.
const bvwphase_method bvwphase_all_pairs, bvwphase_sort, bvwphase_rows, bvwphase_sweep, bvwphase_linked,
	bvwphase_interval, bvwphase_octree, bvwphase_uniform, bvwphase_levels, bvwphase_hashgrids,
	bvwphase_spatialhash;
const bvwphase_keeper bvwphase_keeper_list, bvwphase_keeper_matrix;
