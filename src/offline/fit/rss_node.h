// The rectangle swept sphere of a hierarchy's node: fitted millions of times, without memory. See rss_node.c.

#pragma once

#include "offline/fit/volume.h"

/// Fits one in the frame of a node's oriented box.
/// @param list  its corners are not used
/// @return what the stored form decodes to; bvvol_rss_reach of each corner is within its radius
bv_rss bvfit_rss_of_node( const bvfit_face_list* list );
