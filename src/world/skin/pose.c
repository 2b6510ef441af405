// Poses of a skin as a whole: the volumes of all nodes by their bones, or all vertices and volumes. See bvworld/skin.h.

#include "world/skin/skin.h"

#include <math.h>
#include <string.h>

static void mark_all( const bvw_skin* skin, bool exact )
{
	memset( skin->exact, exact ? 255 : 0, ( skin->deform->counts.vertices / 64 + 1 ) * sizeof *skin->exact );
}

void bvwskin_begin_parking( const bvw_skin* skin )
{
	float* number = skin->deform->positions[0];
	for ( size_t i = 0; i < 3 * (size_t)skin->deform->counts.vertices; ++i )
	{
		number[i] = -INFINITY;
	}
	for ( uint32_t i = 0; i < skin->deform->counts.vertices && skin->counts.unused > 0; ++i )
	{
		if ( skin->first_pair[i] == skin->first_pair[i + 1] )
		{
			bvwskin_move_vertex( skin, i, skin->deform->positions[i] );
		}
	}
	mark_all( skin, false );
}

void bvwskin_park( const bvw_skin* skin, uint32_t leaf, uint32_t end, const float lower[3] )
{
	const bvtree_refit* r = &skin->deform->refit;
	for ( uint32_t i = r->leaf_begin[leaf]; i < r->leaf_begin[end]; ++i )
	{
		float* p = r->positions[r->vertices[i]];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = lower[k] > p[k] ? lower[k] : p[k];
		}
	}
}

bv_status bvw_skin_pose( bvw_skin* skin, const bvw_bones* bones, bvw_deform_report* report )
{
	if ( !bvwskin_is_valid( skin ) || !bvwskin_take_bones( skin, bones ) )
	{
		return bv_error_argument;
	}
	bvwskin_begin_parking( skin );
	for ( uint32_t i = 0; i < skin->deform->counts.leaves; ++i )
	{
		uint32_t number = skin->leaf_node[i];
		bvwskin_pose_box( skin, number );
		bvwskin_park( skin, i, i + 1, skin->deform->refit.boxes[number].lower );
	}
	bvwdeform_fit_boxes( skin->deform, report );
	skin->deform->posed_by = skin;
	return bv_ok;
}

void bvwskin_move_all( bvw_skin* skin, bvw_deform_report* report )
{
	uint32_t vertices = skin->deform->counts.vertices;
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		bvwskin_move_vertex( skin, i, skin->deform->positions[i] );
	}
	mark_all( skin, true );
	bvwdeform_fit_all( skin->deform, NULL, NULL, NULL, report );
	skin->deform->posed_by = skin;
	if ( report )
	{
		report->vertices = vertices;
	}
}

bv_status bvw_skin_refit( bvw_skin* skin, const bvw_bones* bones, bvw_deform_report* report )
{
	if ( !bvwskin_is_valid( skin ) || !bvwskin_take_bones( skin, bones ) )
	{
		return bv_error_argument;
	}
	bvwskin_move_all( skin, report );
	return bv_ok;
}
