// Pairs of objects that are made of files. See bvworld/scene.h.

#include "world/scene/scene.h"

static bool is_placed( const bvw_scene* scene, uint32_t number, bvwscene_object* out )
{
	return bvwscene_look_up( scene, number, out ) && out->file && bv_transform_is_valid( out->placement );
}

bv_status bvw_scene_pair( const bvw_scene* scene, bvw_pair pair, bvw_meshes* out )
{
	bvwscene_object a;
	bvwscene_object b;
	if ( !bvwscene_is_valid( scene ) || !out || !is_placed( scene, pair.a, &a ) ||
	     !is_placed( scene, pair.b, &b ) )
	{
		return bv_error_argument;
	}
	bv_transform b_in_a = bv_transform_between( a.placement, b.placement );
	if ( !bv_transform_is_valid( &b_in_a ) )
	{
		return bv_error_unsupported;
	}
	*out = ( bvw_meshes ){ a.file, b.file, b_in_a };
	return bv_ok;
}
