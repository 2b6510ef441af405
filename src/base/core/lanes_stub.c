#include "base/core/lanes.h"
static uint32_t all( const bv_lane_group* g, const bv_lane_box* b, float size[8] ) { (void)b; for (int i = 0; i < 8; ++i) size[i] = 1; return ( 1u << g->count ) - 1; }
static const bv_lanes t = { "stub", all, all, 0, 0, 0, 0 };
const bv_lanes* bv_lanes_best( void ) { return &t; }
