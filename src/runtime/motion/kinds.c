// The table of kinds of motions. See kinds.h.

#include "runtime/motion/kinds.h"

static const bvmotion_kind* const kinds[bv_motion_kinds] = {
	[bv_motion_of_pose] = &bvmotion_kind_pose,
	[bv_motion_of_turn] = &bvmotion_kind_turn,
	[bv_motion_of_nlerp] = &bvmotion_kind_nlerp,
	[bv_motion_of_callback] = &bvmotion_kind_callback,
};

const bvmotion_kind* bvmotion_kind_of( bv_motion_kind kind )
{
	return (uint32_t)kind < bv_motion_kinds ? kinds[kind] : NULL;
}
