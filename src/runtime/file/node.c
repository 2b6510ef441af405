// Decoding of stored nodes. See node.h.

#include "runtime/file/node.h"

#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>

const float bvfile_lane_powers[256 + bvfile_extent_bias - bvfile_step_bias] = {
	0,         0,         0,         0,         0,         0,         0,         0,         0,
	0,         0,         0,         0,         0,         0,         0,         0,         0,
	0,         0,         0,         0,         0x1p-126f, 0x1p-125f, 0x1p-124f, 0x1p-123f, 0x1p-122f,
	0x1p-121f, 0x1p-120f, 0x1p-119f, 0x1p-118f, 0x1p-117f, 0x1p-116f, 0x1p-115f, 0x1p-114f, 0x1p-113f,
	0x1p-112f, 0x1p-111f, 0x1p-110f, 0x1p-109f, 0x1p-108f, 0x1p-107f, 0x1p-106f, 0x1p-105f, 0x1p-104f,
	0x1p-103f, 0x1p-102f, 0x1p-101f, 0x1p-100f, 0x1p-99f,  0x1p-98f,  0x1p-97f,  0x1p-96f,  0x1p-95f,
	0x1p-94f,  0x1p-93f,  0x1p-92f,  0x1p-91f,  0x1p-90f,  0x1p-89f,  0x1p-88f,  0x1p-87f,  0x1p-86f,
	0x1p-85f,  0x1p-84f,  0x1p-83f,  0x1p-82f,  0x1p-81f,  0x1p-80f,  0x1p-79f,  0x1p-78f,  0x1p-77f,
	0x1p-76f,  0x1p-75f,  0x1p-74f,  0x1p-73f,  0x1p-72f,  0x1p-71f,  0x1p-70f,  0x1p-69f,  0x1p-68f,
	0x1p-67f,  0x1p-66f,  0x1p-65f,  0x1p-64f,  0x1p-63f,  0x1p-62f,  0x1p-61f,  0x1p-60f,  0x1p-59f,
	0x1p-58f,  0x1p-57f,  0x1p-56f,  0x1p-55f,  0x1p-54f,  0x1p-53f,  0x1p-52f,  0x1p-51f,  0x1p-50f,
	0x1p-49f,  0x1p-48f,  0x1p-47f,  0x1p-46f,  0x1p-45f,  0x1p-44f,  0x1p-43f,  0x1p-42f,  0x1p-41f,
	0x1p-40f,  0x1p-39f,  0x1p-38f,  0x1p-37f,  0x1p-36f,  0x1p-35f,  0x1p-34f,  0x1p-33f,  0x1p-32f,
	0x1p-31f,  0x1p-30f,  0x1p-29f,  0x1p-28f,  0x1p-27f,  0x1p-26f,  0x1p-25f,  0x1p-24f,  0x1p-23f,
	0x1p-22f,  0x1p-21f,  0x1p-20f,  0x1p-19f,  0x1p-18f,  0x1p-17f,  0x1p-16f,  0x1p-15f,  0x1p-14f,
	0x1p-13f,  0x1p-12f,  0x1p-11f,  0x1p-10f,  0x1p-9f,   0x1p-8f,   0x1p-7f,   0x1p-6f,   0x1p-5f,
	0x1p-4f,   0x1p-3f,   0x1p-2f,   0x1p-1f,   0x1p0f,    0x1p1f,    0x1p2f,    0x1p3f,    0x1p4f,
	0x1p5f,    0x1p6f,    0x1p7f,    0x1p8f,    0x1p9f,    0x1p10f,   0x1p11f,   0x1p12f,   0x1p13f,
	0x1p14f,   0x1p15f,   0x1p16f,   0x1p17f,   0x1p18f,   0x1p19f,   0x1p20f,   0x1p21f,   0x1p22f,
	0x1p23f,   0x1p24f,   0x1p25f,   0x1p26f,   0x1p27f,   0x1p28f,   0x1p29f,   0x1p30f,   0x1p31f,
	0x1p32f,   0x1p33f,   0x1p34f,   0x1p35f,   0x1p36f,   0x1p37f,   0x1p38f,   0x1p39f,   0x1p40f,
	0x1p41f,   0x1p42f,   0x1p43f,   0x1p44f,   0x1p45f,   0x1p46f,   0x1p47f,   0x1p48f,   0x1p49f,
	0x1p50f,   0x1p51f,   0x1p52f,   0x1p53f,   0x1p54f,   0x1p55f,   0x1p56f,   0x1p57f,   0x1p58f,
	0x1p59f,   0x1p60f,   0x1p61f,   0x1p62f,   0x1p63f,   0x1p64f,   0x1p65f,   0x1p66f,   0x1p67f,
	0x1p68f,   0x1p69f,   0x1p70f,   0x1p71f,   0x1p72f,   0x1p73f,   0x1p74f,   0x1p75f,   0x1p76f,
	0x1p77f,   0x1p78f,   0x1p79f,   0x1p80f,   0x1p81f,   0x1p82f,   0x1p83f,   0x1p84f,   0x1p85f,
	0x1p86f,   0x1p87f,   0x1p88f,   0x1p89f,   0x1p90f,   0x1p91f,   0x1p92f,   0x1p93f,   0x1p94f,
	0x1p95f,   0x1p96f,   0x1p97f,   0x1p98f,   0x1p99f,   0x1p100f,  0x1p101f,  0x1p102f,  0x1p103f,
	0x1p104f,  0x1p105f,  0x1p106f,  0x1p107f,  0x1p108f,  0x1p109f,  0x1p110f,  0x1p111f,  0x1p112f,
	0x1p113f,  0x1p114f,  0x1p115f,
};

uint32_t bvfile_group_bytes( bv_volume_type type, uint32_t count )
{
	return ( bvvol_kind_of( type )->bytes * count + 3 ) & ~3u;
}

uint32_t bvfile_node_bytes( const bvfile_packed_node* node )
{
	bvfile_group group = bvfile_group_first( node );
	while ( group.count > 0 )
	{
		group = bvfile_group_next( node, &group );
	}
	return (uint32_t)( group.data - (const uint8_t*)node );
}

static uint32_t load_word( const uint8_t* from )
{
	uint32_t word;
	memcpy( &word, from, sizeof word );
	return word;
}

static uint32_t code_of( uint32_t word, int index )
{
	return word >> ( bvfile_code_bits * index ) & ( bvfile_code_end - 1 );
}

static void unpack_center( const uint8_t* data, uint32_t lane, const bvfile_node_frame* frame, bv_vec3* out )
{
	uint32_t word = load_word( data + 4 * lane );
	*out = ( bv_vec3 ){ frame->origin[0] + frame->step[0] * code_of( word, 0 ),
		                frame->origin[1] + frame->step[1] * code_of( word, 1 ),
		                frame->origin[2] + frame->step[2] * code_of( word, 2 ) };
}

static double unpack_extent( uint8_t code, const bvfile_node_frame* frame )
{
	return frame->extent * ( code * code );
}

void bvfile_rotation_cycled( const float from[4], uint32_t turns, float to[4] )
{
	memcpy( to, from, 4 * sizeof *to );
	for ( uint32_t i = 0; i < turns; ++i )
	{
		// Times the quaternion (1, 1, 1, 1), which takes each coordinate axis to the next.
		float x = to[0];
		float y = to[1];
		float z = to[2];
		float w = to[3];
		to[0] = w + x + y - z;
		to[1] = w + y + z - x;
		to[2] = w + z + x - y;
		to[3] = w - x - y - z;
	}
}

void bvfile_rotation_quartered( const float from[4], uint32_t quarters, float to[4] )
{
	memcpy( to, from, 4 * sizeof *to );
	for ( uint32_t i = 0; i < quarters; ++i )
	{
		// Times the quaternion (0, 0, 1, 1), which takes the first axis to the second.
		float x = to[0];
		float y = to[1];
		float z = to[2];
		float w = to[3];
		to[0] = x + y;
		to[1] = y - x;
		to[2] = z + w;
		to[3] = w - z;
	}
}

static void unpack_rotation( uint32_t word, float out[4] )
{
	for ( int i = 0; i < 3; ++i )
	{
		out[i] = (float)( (int)code_of( word, i ) - bvfile_rotation_bias );
	}
	out[3] = bvfile_rotation_w;
}

static void unpack_framed( const bvvol_kind* kind, const bvfile_group* group, uint32_t lane,
                           const bvfile_node_frame* frame, bv_volume* out )
{
	uint32_t n = group->count;
	const uint8_t* length = group->data + 4 * n + lane;
	bvvol_parts parts;
	unpack_center( group->data, lane, frame, &parts.center );
	if ( kind->extents > 0 )
	{
		uint32_t word = load_word( group->data + 4 * n + 4 * lane );
		float rotation[4];
		unpack_rotation( word, rotation );
		bvfile_rotation_cycled( rotation, word >> ( 3 * bvfile_code_bits ), parts.rotation );
		if ( kind->quarters > 0 )
		{
			uint32_t quarters = load_word( group->data + 4 * lane ) >> ( 3 * bvfile_code_bits );
			memcpy( rotation, parts.rotation, sizeof rotation );
			bvfile_rotation_quartered( rotation, quarters, parts.rotation );
		}
		length += 4 * n;
	}
	for ( uint32_t i = 0; i < kind->extents; ++i )
	{
		parts.extents[i] = unpack_extent( *length, frame );
		length += n;
	}
	if ( kind->has_radius )
	{
		parts.radius = unpack_extent( *length, frame );
	}
	kind->join( &parts, out );
}

bvfile_slab_scale bvfile_slab_scale_of( const bvfile_node_frame* frame, uint32_t planes, uint32_t direction )
{
	if ( planes == 6 )
	{
		return ( bvfile_slab_scale ){ frame->origin[direction], bvfile_code_coarse * frame->step[direction] };
	}
	bv_vec3 d = bv_kdop_direction( direction );
	double step = bvmath_max( frame->step[0], bvmath_max( frame->step[1], frame->step[2] ) );
	double backward = ( d.x < 0 ) + ( d.y < 0 ) + ( d.z < 0 );
	double terms = ( d.x != 0 ) + ( d.y != 0 ) + ( d.z != 0 );
	double origin = ( d.x * frame->origin[0] + d.y * frame->origin[1] ) + d.z * frame->origin[2];
	return ( bvfile_slab_scale ){ origin - backward * ( bvfile_code_range * step ),
		                          terms * ( bvfile_code_coarse * step ) };
}

static void unpack_bounded( const bvvol_kind* kind, const bvfile_group* group, uint32_t lane,
                            const bvfile_node_frame* frame, bv_volume* out )
{
	uint32_t k = kind->planes;
	const uint8_t* code = group->data + lane;
	kind->begin( out );
	bvvol_bounds bounds = kind->bounds( out );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( k, i ) )
		{
			bvfile_slab_scale s = bvfile_slab_scale_of( frame, k, i );
			bounds.lower[i] = s.lowest + s.unit * code[0];
			bounds.upper[i] = s.lowest + s.unit * code[group->count * ( k / 2 )];
			code += group->count;
		}
	}
}

void bvfile_lane_unpack( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                         bv_volume* out )
{
	const bvvol_kind* kind = bvvol_kind_of( group->type );
	out->type = group->type;
	if ( kind->planes > 0 )
	{
		unpack_bounded( kind, group, lane, frame, out );
	}
	else
	{
		unpack_framed( kind, group, lane, frame, out );
	}
}

static void framed_half_lengths( const bvvol_kind* kind, const bvfile_group* group,
                                 const bvfile_node_frame* frame, double half[BVFILE_LANES][3] )
{
	uint32_t n = group->count;
	const uint8_t* length = group->data + ( kind->extents > 0 ? 8 : 4 ) * n;
	const uint8_t* radius = length + kind->extents * n;
	for ( uint32_t lane = 0; lane < n; ++lane )
	{
		double r = kind->has_radius ? unpack_extent( radius[lane], frame ) : 0;
		for ( uint32_t i = 0; i < 3; ++i )
		{
			half[lane][i] = i < kind->extents ? r + unpack_extent( length[i * n + lane], frame ) : r;
		}
	}
}

static void bounded_half_lengths( const bvvol_kind* kind, const bvfile_group* group,
                                  const bvfile_node_frame* frame, double half[BVFILE_LANES][3] )
{
	uint32_t n = group->count;
	const uint8_t* lower = group->data;
	const uint8_t* upper = group->data + n * ( kind->planes / 2u );
	for ( uint32_t i = 0; i < 3; ++i, lower += n, upper += n )
	{
		double unit = bvfile_slab_scale_of( frame, kind->planes, i ).unit / 2;
		for ( uint32_t lane = 0; lane < n; ++lane )
		{
			half[lane][i] = unit * ( upper[lane] - lower[lane] );
		}
	}
}

void bvfile_group_half_lengths( const bvfile_group* group, const bvfile_node_frame* frame,
                                double half[BVFILE_LANES][3] )
{
	const bvvol_kind* kind = bvvol_kind_of( group->type );
	if ( kind->planes > 0 )
	{
		bounded_half_lengths( kind, group, frame, half );
	}
	else
	{
		framed_half_lengths( kind, group, frame, half );
	}
}

// What came from a code is that code again: all of this is exact.

static void store_word( uint8_t* to, uint32_t word )
{
	memcpy( to, &word, sizeof word );
}

static uint32_t pack_center( bv_vec3 p, const bvfile_node_frame* frame )
{
	uint32_t x = (uint32_t)( ( p.x - frame->origin[0] ) / frame->step[0] );
	uint32_t y = (uint32_t)( ( p.y - frame->origin[1] ) / frame->step[1] );
	uint32_t z = (uint32_t)( ( p.z - frame->origin[2] ) / frame->step[2] );
	return x | y << bvfile_code_bits | z << ( 2 * bvfile_code_bits );
}

static uint8_t pack_extent( double extent, const bvfile_node_frame* frame )
{
	return (uint8_t)sqrt( extent / frame->extent );
}

static bool is_rotation( const float part[4] )
{
	bool fits = part[3] == bvfile_rotation_w;
	for ( int i = 0; i < 3; ++i )
	{
		fits = fits && -bvfile_rotation_bias <= part[i] && part[i] < bvfile_rotation_bias;
	}
	return fits;
}

static void divide( float part[4], float by )
{
	for ( int i = 0; i < 4; ++i )
	{
		part[i] /= by;
	}
}

// Returns whether there are such turns.
static bool pack_cycled( const float rotation[4], uint32_t* out )
{
	float turned[4];
	uint32_t turns = 0;
	memcpy( turned, rotation, sizeof turned );
	while ( !is_rotation( turned ) && turns < 2 )
	{
		// Two more turns make three, which is a whole one but for a factor of -8.
		turns += 1;
		bvfile_rotation_cycled( rotation, 3 - turns, turned );
		divide( turned, -8 );
	}
	*out = turns << ( 3 * bvfile_code_bits );
	for ( int i = 0; i < 3; ++i )
	{
		*out |= (uint32_t)( (int)turned[i] + bvfile_rotation_bias ) << ( bvfile_code_bits * i );
	}
	return is_rotation( turned );
}

// @param quarters  receives right angles about the third axis, which only prisms have; null for others
static uint32_t pack_rotation( const float rotation[4], uint32_t* quarters )
{
	uint32_t word;
	bool found = pack_cycled( rotation, &word );
	for ( uint32_t i = 1; i < 4 && quarters && !found; ++i )
	{
		// Four make a whole turn but for a factor of -4.
		float turned[4];
		bvfile_rotation_quartered( rotation, 4 - i, turned );
		divide( turned, -4 );
		found = pack_cycled( turned, &word );
		*quarters = i;
	}
	return word;
}

static void pack_framed( const bvvol_kind* kind, const bvfile_group* group, uint32_t lane,
                         const bvfile_node_frame* frame, const bv_volume* volume, uint8_t* data )
{
	uint32_t n = group->count;
	uint32_t quarters = 0;
	uint8_t* length = data + 4 * n + lane;
	bvvol_parts parts = { .radius = 0 };
	kind->part( volume, &parts );
	if ( kind->extents > 0 )
	{
		uint32_t rotation = pack_rotation( parts.rotation, kind->quarters > 0 ? &quarters : NULL );
		store_word( data + 4 * n + 4 * lane, rotation );
		length += 4 * n;
	}
	store_word( data + 4 * lane, pack_center( parts.center, frame ) | quarters << ( 3 * bvfile_code_bits ) );
	for ( uint32_t i = 0; i < kind->extents; ++i )
	{
		*length = pack_extent( parts.extents[i], frame );
		length += n;
	}
	if ( kind->has_radius )
	{
		*length = pack_extent( parts.radius, frame );
	}
}

static void pack_bounded( const bvvol_kind* kind, const bvfile_group* group, uint32_t lane,
                          const bvfile_node_frame* frame, const bv_volume* volume, uint8_t* data )
{
	uint32_t k = kind->planes;
	uint8_t* code = data + lane;
	bv_volume copy = *volume;
	bvvol_bounds bounds = kind->bounds( &copy );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( k, i ) )
		{
			bvfile_slab_scale s = bvfile_slab_scale_of( frame, k, i );
			code[0] = (uint8_t)( ( bounds.lower[i] - s.lowest ) / s.unit );
			code[group->count * ( k / 2 )] = (uint8_t)( ( bounds.upper[i] - s.lowest ) / s.unit );
			code += group->count;
		}
	}
}

void bvfile_lane_pack( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                       const bv_volume* volume, uint8_t* data )
{
	const bvvol_kind* kind = bvvol_kind_of( group->type );
	if ( kind->planes > 0 )
	{
		pack_bounded( kind, group, lane, frame, volume, data );
	}
	else
	{
		pack_framed( kind, group, lane, frame, volume, data );
	}
}

// Bytes that fill a group up to a multiple of 4.
static bool is_filled_with_zeros( const bvfile_group* group )
{
	uint32_t used = bvvol_kind_of( group->type )->bytes * group->count;
	uint32_t rest = 0;
	for ( uint32_t i = used; i < bvfile_group_bytes( group->type, group->count ); ++i )
	{
		rest |= group->data[i];
	}
	return rest == 0;
}

static bool are_ordered( const uint8_t* lower, const uint8_t* upper, uint32_t count )
{
	bool ordered = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		ordered = ordered & ( lower[i] <= upper[i] );
	}
	return ordered;
}

// Of the words of centers or rotations: what is above their three numbers.
static bool are_at_most( const uint8_t* words, uint32_t count, uint32_t most )
{
	bool good = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		good = good & ( load_word( words + 4 * i ) >> ( 3 * bvfile_code_bits ) <= most );
	}
	return good;
}

bool bvfile_group_is_valid( const bvfile_group* group )
{
	const bvvol_kind* kind = bvvol_kind_of( group->type );
	uint32_t n = group->count;
	if ( !is_filled_with_zeros( group ) )
	{
		return false;
	}
	if ( kind->planes > 0 )
	{
		uint32_t bounds = n * ( kind->planes / 2 );
		return are_ordered( group->data, group->data + bounds, bounds );
	}
	return are_at_most( group->data, n, kind->quarters ) &&
	       ( kind->extents == 0 || are_at_most( group->data + 4 * n, n, kind->turns ) );
}
