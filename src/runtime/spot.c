// What queries need of nodes. See spot.h.

#include "runtime/spot.h"

#include "base/core/overlap.h"
#include "base/core/packed_volume.h"
#include "base/core/vec.h"

float bv_size_of( const double half[3] )
{
	static const double thickness = 0.01;
	double longest = bv_max( half[0], bv_max( half[1], half[2] ) );
	double least = bv_min( half[0], bv_min( half[1], half[2] ) );
	double middle = bv_max( bv_min( half[0], half[1] ), bv_min( bv_max( half[0], half[1] ), half[2] ) );
	double size = longest * middle * ( least + thickness * middle );
	return (float)bv_min( size, 0x1p126 );
}

float bv_spot_size( const bv_volume* volume )
{
	double half[3];
	bv_volume_half_lengths( volume, half );
	return bv_size_of( half );
}

bv_spot bv_spot_root( const bvh_view* view )
{
	bv_volume volume = bvh_root_volume( view );
	return ( bv_spot ){
		.lane = BV_ROOT_LANE,
		.triangles = view->hierarchy->root_triangles,
		.size = bv_spot_size( &volume ),
	};
}

void bv_spot_volume( const bvh_view* view, const bv_spot* spot, bv_volume* out )
{
	if ( spot->lane == BV_ROOT_LANE )
	{
		*out = bvh_root_volume( view );
		return;
	}
	const bv_packed_node* node = bvh_node_at( view, spot->parent );
	bv_node_frame frame = bv_node_frame_of( node, &view->hierarchy->grid );
	bv_group group = bv_group_first( node );
	while ( spot->lane >= group.first + group.count )
	{
		group = bv_group_next( node, &group );
	}
	bv_lane_unpack( &group, spot->lane - group.first, &frame, out );
}

// In binary64 the centre errs by less than 2^-50 of the magnitudes that enter; axes in binary32 are off by less than 2^-24 in
// each coordinate, and extents by as much of themselves, which makes less than 2^-21 of the extents for any point of the box. A
// rotation that is off by the skew has axes that are off by less than twice that, and reaches by less than four times.
void bv_move_box( const bv_volume* volume, const bv_similarity* to, bv_moved_box* out )
{
	bv_obb turned;
	const bv_obb* box = &volume->obb;
	if ( volume->type == bv_volume_aabb )
	{
		turned = bv_aabb_turned( &volume->aabb );
		box = &turned;
	}
	double extent = 0;
	out->center = bv_similarity_apply( to, box->center );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 axis = bv_times( &to->turn, box->axis[i] );
		double half = to->scale * box->half_extents[i];
		out->axis[i][0] = (float)axis.x;
		out->axis[i][1] = (float)axis.y;
		out->axis[i][2] = (float)axis.z;
		out->half[i] = (float)half;
		extent += half;
	}
	double magnitude = ( to->scale * bv_norm1( box->center ) + bv_norm1( to->translation ) ) + extent;
	out->slack = 0x1p-48 * magnitude + ( 4 * to->skew + 0x1p-21 ) * extent;
}
