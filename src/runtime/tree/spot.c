// Node data for queries. See spot.h.

#include "runtime/tree/spot.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/kinds.h"

float bvtree_size_of( const double half[3] )
{
	static const double thickness = 0.01;
	double longest = bvmath_max( half[0], bvmath_max( half[1], half[2] ) );
	double least = bvmath_min( half[0], bvmath_min( half[1], half[2] ) );
	double middle =
		bvmath_max( bvmath_min( half[0], half[1] ), bvmath_min( bvmath_max( half[0], half[1] ), half[2] ) );
	double size = longest * middle * ( least + thickness * middle );
	return (float)bvmath_min( size, 0x1p126 );
}

float bvtree_spot_size( const bv_volume* volume )
{
	double half[3];
	bvvol_half_lengths( volume, half );
	return bvtree_size_of( half );
}

bvtree_spot bvtree_spot_root( const bvfile_view* view, const bv_volume* volume )
{
	return ( bvtree_spot ){
		.lane = BVTREE_ROOT_LANE,
		.triangles = view->hierarchy->root_triangles,
		.size = bvtree_spot_size( volume ),
	};
}

void bvtree_spot_volume( const bvfile_view* view, const bvtree_spot* spot, bv_volume* out )
{
	if ( spot->lane == BVTREE_ROOT_LANE )
	{
		*out = bvfile_root_volume( view );
		return;
	}
	const bvfile_packed_node* node = bvfile_node_at( view, spot->parent );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &view->hierarchy->grid );
	bvfile_group group = bvfile_group_first( node );
	while ( spot->lane >= group.first + group.count )
	{
		group = bvfile_group_next( node, &group );
	}
	bvfile_lane_unpack( &group, spot->lane - group.first, &frame, out );
}

// The center errs by less than 2^-50 of the magnitudes that enter; the rest is as rounding.h has it.
static inline void set_place( const bvvol_similarity* to, bv_vec3 center, double extent,
                              bvtree_moved_box* out )
{
	double magnitude = ( to->scale * bvmath_norm1( center ) + bvmath_norm1( to->translation ) ) + extent;
	out->center = bvvol_similarity_apply( to, center );
	out->slack =
		0x1p-48 * magnitude + ( bvmath_skew_of_extent( to->skew, 1 ) + BVMATH_LANE_ROUNDING ) * extent;
}

void bvtree_move_box( const bv_volume* volume, const bvvol_similarity* to, bvtree_moved_box* out )
{
	bv_obb turned;
	const bv_obb* box = &volume->obb;
	if ( volume->type == bv_volume_aabb )
	{
		turned = bvvol_aabb_turned( &volume->aabb );
		box = &turned;
	}
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double half = to->scale * box->half_extents[i];
		bvtree_lane_axis( bvmath_times( &to->turn, box->axis[i] ), out->lane.axis[i] );
		out->lane.half[i] = (float)half;
		extent += half;
	}
	set_place( to, box->center, extent, out );
}

// Of whole numbers below 2^22, times n: as lanes_obb_decode (lanes_obb.h) has it.
static double rotation_of( uint32_t word, double column[3][3] )
{
	const double w = bvfile_rotation_w;
	double x = (int)( word & ( bvfile_code_end - 1 ) ) - bvfile_rotation_bias;
	double y = (int)( word >> bvfile_code_bits & ( bvfile_code_end - 1 ) ) - bvfile_rotation_bias;
	double z = (int)( word >> ( 2 * bvfile_code_bits ) & ( bvfile_code_end - 1 ) ) - bvfile_rotation_bias;
	double xx = x * x;
	double yy = y * y;
	double zz = z * z;
	column[0][0] = ( w * w + xx ) - ( yy + zz );
	column[0][1] = 2 * ( x * y + w * z );
	column[0][2] = 2 * ( x * z - w * y );
	column[1][0] = 2 * ( x * y - w * z );
	column[1][1] = ( w * w - xx ) + ( yy - zz );
	column[1][2] = 2 * ( y * z + w * x );
	column[2][0] = 2 * ( x * z + w * y );
	column[2][1] = 2 * ( y * z - w * x );
	column[2][2] = ( w * w - xx ) - ( yy - zz );
	return ( w * w + xx ) + ( yy + zz );
}

static uint32_t word_at( const uint8_t* data, uint32_t index )
{
	uint32_t word;
	memcpy( &word, data + sizeof word * index, sizeof word );
	return word;
}

static void move_obb( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                      const bvvol_similarity* to, bvtree_moved_box* out )
{
	uint32_t n = group->count;
	uint32_t word = word_at( group->data, lane );
	const uint8_t* code = group->data + 8 * n + lane;
	double axis[3][3];
	double inverse = 1 / rotation_of( word_at( group->data, n + lane ), axis );
	double unit = to->scale * frame->extent;
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 turned = bvmath_times( &to->turn, ( bv_vec3 ){ axis[i][0], axis[i][1], axis[i][2] } );
		double half = unit * ( code[n * (uint32_t)i] * code[n * (uint32_t)i] );
		out->lane.axis[i][0] = (float)( turned.x * inverse );
		out->lane.axis[i][1] = (float)( turned.y * inverse );
		out->lane.axis[i][2] = (float)( turned.z * inverse );
		out->lane.half[i] = (float)half;
		extent += half;
	}
	bv_vec3 center = {
		frame->origin[0] + frame->step[0] * ( word & ( bvfile_code_end - 1 ) ),
		frame->origin[1] + frame->step[1] * ( word >> bvfile_code_bits & ( bvfile_code_end - 1 ) ),
		frame->origin[2] + frame->step[2] * ( word >> ( 2 * bvfile_code_bits ) & ( bvfile_code_end - 1 ) )
	};
	set_place( to, center, extent, out );
}

void bvtree_move_child( const bvfile_packed_node* node, const bvfile_node_frame* frame, uint32_t lane,
                        const bvvol_similarity* to, bvtree_moved_box* out )
{
	bvfile_group group = bvfile_group_first( node );
	while ( lane >= group.first + group.count )
	{
		group = bvfile_group_next( node, &group );
	}
	if ( group.type == bv_volume_obb )
	{
		move_obb( &group, lane - group.first, frame, to, out );
		return;
	}
	bv_volume volume;
	bvfile_lane_unpack( &group, lane - group.first, frame, &volume );
	bvtree_move_box( &volume, to, out );
}
