// What queries read of stored nodes: their children one by one, and boxes in another mesh's coordinates.

#include "queries.h"

#include "runtime/tree/spot.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/kinds.h"

__extension__ typedef __float128 quad;

enum
{
	rounds = 20000,
	most_words = 128,
};

// A node in memory as in a file, with what may be read behind it.
typedef struct stored_node
{
	uint32_t words[most_words];
	uint32_t triangles[BVFILE_LANES]; // of each child; 0 of inner ones
	uint32_t at[BVFILE_LANES];        // place or first triangle of each
} stored_node;

static bvfile_packed_node* head_of( stored_node* n )
{
	return (bvfile_packed_node*)n->words;
}

// @param type       of all children
// @param linked     whether some leaves are so large that their triangles are a link
// @param n          receives a node with random children, whose volumes are random bytes
static void random_node( fixture* f, bv_volume_type type, bool linked, stored_node* n )
{
	for ( int i = 0; i < most_words; ++i )
	{
		n->words[i] = (uint32_t)random_bits( f );
	}
	bvfile_packed_node* head = head_of( n );
	head->children = (uint8_t)( 2 + random_bits( f ) % ( BVFILE_LANES - 1 ) );
	head->links = 0;
	head->first_triangle %= 1u << 30;
	uint8_t* kind = (uint8_t*)( head + 1 );
	uint32_t* link = (uint32_t*)( kind + ( ( head->children + 3u ) & ~3u ) );
	uint32_t triangle = head->first_triangle;
	for ( uint32_t i = 0; i < head->children; ++i )
	{
		bool is_inner = random_bits( f ) % 3 == 0;
		bool is_linked = !is_inner && linked && random_bits( f ) % 3 == 0;
		n->triangles[i] = is_inner ? 0 : 1 + (uint32_t)random_bits( f ) % ( is_linked ? 1000 : 30 );
		n->at[i] = is_inner ? (uint32_t)random_bits( f ) : triangle;
		triangle += n->triangles[i];
		kind[i] = (uint8_t)( (uint32_t)type << 5 | ( is_linked ? 31 : n->triangles[i] ) );
		if ( is_inner || is_linked )
		{
			link[head->links++] = is_inner ? n->at[i] : n->triangles[i];
		}
	}
}

static void children_are_found_one_by_one( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < rounds; ++round )
	{
		stored_node n;
		random_node( f, (bv_volume_type)( round % bv_volume_types ), round % 2, &n );
		const bvfile_packed_node* head = head_of( &n );
		bvtree_children children = bvtree_children_begin( head );
		bvtree_child_sums sums = bvtree_child_sums_of( head );
		for ( uint32_t lane = 0; lane < head->children; ++lane )
		{
			const bvtree_spot of[2] = { bvtree_spot_of_child( 77, lane, bvtree_children_next( &children ) ),
				                        bvtree_spot_of_child( 77, lane, bvtree_child_at( &sums, lane ) ) };
			for ( int i = 0; i < 2; ++i )
			{
				assert_true( of[i].parent == 77 && of[i].lane == lane );
				assert_true( of[i].at == n.at[lane] && of[i].triangles == n.triangles[lane] );
			}
			assert_int_equal( bvtree_child_type( head, lane ), round % bv_volume_types );
		}
	}
}

static bv_vec3 corner_of( const bv_obb* box, int corner )
{
	bv_vec3 p = box->center;
	for ( int i = 0; i < 3; ++i )
	{
		p = plus( p, corner >> i & 1 ? box->half_extents[i] : -box->half_extents[i], box->axis[i] );
	}
	return p;
}

static bv_vec3 moved_corner( const bvtree_moved_box* box, int corner )
{
	bv_vec3 p = box->center;
	for ( int i = 0; i < 3; ++i )
	{
		const float* axis = box->lane.axis[i];
		double half = box->lane.half[i];
		p = plus( p, corner >> i & 1 ? half : -half, ( bv_vec3 ){ axis[0], axis[1], axis[2] } );
	}
	return p;
}

// What checked files are: aligned boxes have no lower corner above the upper one, oriented ones no bits that are reserved.
static void make_valid( const bvfile_packed_node* head, bool aligned )
{
	uint8_t* lower = (uint8_t*)bvfile_node_groups( head );
	uint8_t* upper = lower + 3 * head->children;
	for ( uint32_t i = 0; aligned && i < 3u * head->children; ++i )
	{
		uint8_t least = lower[i] < upper[i] ? lower[i] : upper[i];
		upper[i] = lower[i] < upper[i] ? upper[i] : lower[i];
		lower[i] = least;
	}
	for ( uint32_t i = 0; !aligned && i < 2u * head->children; ++i )
	{
		lower[4 * i + 3] &= 0x3f;
	}
}

// Of the box as it is decoded each corner, placed by definition, is within the slack of the same corner of the moved one, and of the half
// extents along its axes, also far away and where the rotation is not quite one; and the slack is not much more than binary32 rounds.
static void boxes_are_moved_within_their_slack( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < rounds; ++round )
	{
		stored_node n;
		bool aligned = round % 2;
		random_node( f, aligned ? bv_volume_aabb : bv_volume_obb, false, &n );
		bvfile_packed_node* head = head_of( &n );
		make_valid( head, aligned );
		for ( int i = 0; i < 3; ++i )
		{
			head->exponent[i] = (uint8_t)( bvfile_step_bias - 10 + (int)( random_bits( f ) % 20 ) );
		}
		head->extent = (uint8_t)( bvfile_extent_bias - 20 + (int)( random_bits( f ) % 20 ) );
		const bvfile_node_grid grid = { { -3, 5, 0.25 }, 0x1p-10 };
		bvfile_node_frame frame = bvfile_node_frame_of( head, &grid );
		double scale = round % 3 ? 1 : ldexp( 0.5 + random_unit( f ), (int)( random_bits( f ) % 40 ) - 20 );
		bv_vec3 way = plus( ( bv_vec3 ){ 0, 0, 0 }, round % 7 == 0 ? 0x1p40 : 1, random_around( f ) );
		bv_transform t = random_transform( f, scale, round % 5 == 0, way );
		double skew = round / 2 % 4 == 3 ? 4e-5 : 0;
		for ( int i = 0; i < 9; ++i )
		{
			t.pose.rotation[i / 3][i % 3] += skew * ( random_unit( f ) - 0.5 );
		}
		assert_true( bv_transform_is_valid( &t ) );
		bvvol_similarity to;
		bvvol_similarity_begin( &t, &to );
		bvfile_group group = bvfile_group_first( head );
		for ( uint32_t lane = 0; lane < head->children; ++lane )
		{
			bv_volume volume;
			bvtree_moved_box moved;
			bvfile_lane_unpack( &group, lane, &frame, &volume );
			bv_obb box = aligned ? bvvol_aabb_turned( &volume.aabb ) : volume.obb;
			bvtree_move_child( head, &frame, lane, &to, &moved );
			double size = length( t.pose.translation ) + scale * length( box.center );
			double extent = scale * ( box.half_extents[0] + box.half_extents[1] + box.half_extents[2] );
			assert_true( moved.slack <= ( 1e-6 + 8 * skew ) * extent + 1e-13 * size );
			for ( int corner = 0; corner < 8; ++corner )
			{
				bv_vec3 expected = placed( &t, corner_of( &box, corner ) );
				bv_vec3 found = moved_corner( &moved, corner );
				assert_true( length( minus( found, expected ) ) <= moved.slack );
				for ( int i = 0; i < 3; ++i )
				{
					const float* axis = moved.lane.axis[i];
					double along =
						dot( minus( expected, moved.center ), ( bv_vec3 ){ axis[0], axis[1], axis[2] } );
					assert_true( fabs( along ) <= moved.lane.half[i] + moved.slack );
				}
			}
		}
	}
}

// In binary128 the center relative to the node's origin is within what was added to the slack of the one in binary32, which is not much
// more than that rounds; what the slack was before is still in it.
static void boxes_are_placed_within_their_slack( void** state )
{
	fixture* f = *state;
	double largest = 0;
	for ( int round = 0; round < rounds; ++round )
	{
		double away = ldexp( 1, (int)( random_bits( f ) % 40 ) - 20 );
		bv_vec3 origin = random_around( f );
		bvtree_moved_box box = { .center = plus( origin, away, random_around( f ) ) };
		box.slack = round % 2 ? 0 : 0x1p-20 * away * random_unit( f );
		bvfile_node_frame frame = { .origin = { origin.x, origin.y, origin.z } };
		bvtree_place_box( &box, &frame );
		const double center[3] = { box.center.x, box.center.y, box.center.z };
		quad square = 0;
		for ( int i = 0; i < 3; ++i )
		{
			quad off = (quad)center[i] - frame.origin[i] - box.lane.center[i];
			square += off * off;
		}
		double off = sqrt( (double)square );
		double size = length( minus( box.center, origin ) );
		assert_true( box.slack + off <= box.lane.slack );
		assert_true( box.lane.slack <= box.slack * ( 1 + 1e-6 ) + 1e-6 * size );
		largest = fmax( largest, off / size );
	}
	assert_true( largest > 0x1p-26 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( children_are_found_one_by_one ),
		fixture_test( boxes_are_moved_within_their_slack ),
		fixture_test( boxes_are_placed_within_their_slack ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
