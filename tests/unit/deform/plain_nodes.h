// The nodes of a file, decoded from the bytes of the section NODE as formats/bvh/README.md says, without any code of libbv. So are the
// positions of a file that has them in binary32.

#pragma once

#include "tests/unit/support.h"

// A node with its decoded volume, and how that is stored.
typedef struct plain_node
{
	bv_volume volume;
	bool is_root; // binary32 numbers instead of codes
	bool is_leaf;
	uint32_t parent;
	uint32_t first_triangle;
	uint32_t triangles;
	double origin[3]; // of the frame that the codes refer to
	double step[3];
	double unit;        // of extents
	double slab;        // of a k-DOP, the largest step
	uint8_t extent;     // exponent of the unit
	uint8_t square[3];  // codes of extents, a radius last
	uint32_t turned[2]; // words of center and rotation
} plain_node;

typedef struct plain_nodes
{
	uint32_t count;
	plain_node* node; // by number
	double grid_origin[3];
	double grid_step;
} plain_nodes;

static inline const unsigned char* plain_section( const bv_file* file, const char* name, uint64_t* bytes )
{
	const unsigned char* base = (const unsigned char*)file;
	uint32_t sections;
	memcpy( &sections, base + 32, sizeof sections );
	for ( uint32_t i = 0; i < sections; ++i )
	{
		const unsigned char* entry = base + 64 + 32 * (size_t)i;
		uint64_t offset;
		memcpy( &offset, entry + 8, sizeof offset );
		memcpy( bytes, entry + 16, sizeof *bytes );
		if ( memcmp( entry, name, 4 ) == 0 )
		{
			return base + offset;
		}
	}
	return NULL;
}

static inline uint32_t plain_u32( const unsigned char* at )
{
	uint32_t value;
	memcpy( &value, at, sizeof value );
	return value;
}

static inline double plain_f64( const unsigned char* at )
{
	double value;
	memcpy( &value, at, sizeof value );
	return value;
}

static inline double plain_f32( const unsigned char* at )
{
	float value;
	memcpy( &value, at, sizeof value );
	return value;
}

static inline void plain_axes( const double q[4], bv_vec3 axis[3] )
{
	double x = q[0], y = q[1], z = q[2], w = q[3];
	double s = 2 / ( ( x * x + y * y ) + ( z * z + w * w ) );
	axis[0] = ( bv_vec3 ){ 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	axis[2] = ( bv_vec3 ){ s * ( x * z + w * y ), s * ( y * z - w * x ), 1 - s * ( x * x + y * y ) };
}

// Boxes, prisms, and rectangle swept spheres.
static inline void plain_frame( bv_volume* v, bv_vec3 center, const double extent[3], const double q[4] )
{
	if ( v->type == bv_volume_rss )
	{
		v->rss.center = center;
		plain_axes( q, v->rss.axis );
		memcpy( v->rss.half_extents, extent, sizeof v->rss.half_extents );
		v->rss.radius = extent[2];
		return;
	}
	bv_obb* box = v->type == bv_volume_prism ? &v->prism.box : &v->obb;
	box->center = center;
	plain_axes( q, box->axis );
	memcpy( box->half_extents, extent, sizeof box->half_extents );
}

static inline uint32_t plain_planes( bv_volume_type type )
{
	return type == bv_volume_kdop14 ? 14 : type == bv_volume_kdop18 ? 18 : 26;
}

static inline uint32_t plain_volume_bytes( bv_volume_type type )
{
	static const uint8_t bytes[] = { 11, 6, 5, 11, 14, 18, 26, 11 };
	return bytes[type];
}

static inline void plain_root( const unsigned char* at, plain_node* out )
{
	bv_volume* v = &out->volume;
	double n[26];
	for ( int i = 0; i < 26; ++i )
	{
		n[i] = plain_f32( at + 4 * (size_t)i );
	}
	bv_vec3 first = { n[0], n[1], n[2] };
	switch ( v->type )
	{
	case bv_volume_aabb: v->aabb = ( bv_aabb ){ first, { n[3], n[4], n[5] } }; return;
	case bv_volume_sphere: v->sphere = ( bv_sphere ){ first, n[3] }; return;
	case bv_volume_obb:
	case bv_volume_rss:
	case bv_volume_prism: plain_frame( v, first, n + 3, n + 6 ); return;
	default: break;
	}
	v->kdop.k = plain_planes( v->type );
	uint32_t used = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( v->kdop.k, i ) )
		{
			v->kdop.lower[i] = n[used];
			v->kdop.upper[i] = n[v->kdop.k / 2 + used++];
		}
	}
}

static inline void plain_rotation( uint32_t rotation, uint32_t quarters, double q[4] )
{
	double n[4] = { (double)( rotation & 1023 ) - 512, (double)( rotation >> 10 & 1023 ) - 512,
		            (double)( rotation >> 20 & 1023 ) - 512, 1233 };
	for ( uint32_t turns = rotation >> 30; turns > 0; --turns )
	{
		double x = n[0], y = n[1], z = n[2], w = n[3];
		n[0] = w + x + y - z;
		n[1] = w + y + z - x;
		n[2] = w + z + x - y;
		n[3] = w - x - y - z;
	}
	for ( ; quarters > 0; --quarters )
	{
		double x = n[0], y = n[1], z = n[2], w = n[3];
		n[0] = x + y;
		n[1] = y - x;
		n[2] = z + w;
		n[3] = w - z;
	}
	memcpy( q, n, sizeof n );
}

// Volume `i` of `m` of a group.
static inline void plain_unpack( const unsigned char* group, uint32_t m, uint32_t i, plain_node* out )
{
	bv_volume* v = &out->volume;
	const double* o = out->origin;
	const double* s = out->step;
	if ( v->type == bv_volume_aabb )
	{
		double c[6];
		for ( uint32_t k = 0; k < 6; ++k )
		{
			c[k] = o[k % 3] + s[k % 3] * ( 4.0 * group[m * k + i] );
		}
		v->aabb = ( bv_aabb ){ { c[0], c[1], c[2] }, { c[3], c[4], c[5] } };
		return;
	}
	if ( v->type >= bv_volume_kdop14 && v->type <= bv_volume_kdop26 )
	{
		v->kdop.k = plain_planes( v->type );
		uint32_t used = 0;
		for ( uint32_t k = 0; k < BV_KDOP_DIRECTIONS; ++k )
		{
			if ( !bv_kdop_uses( v->kdop.k, k ) )
			{
				continue;
			}
			bv_vec3 d = bv_kdop_direction( k );
			double p = ( d.x > 0 ) + ( d.y > 0 ) + ( d.z > 0 );
			double minus = ( d.x < 0 ) + ( d.y < 0 ) + ( d.z < 0 );
			double lowest = ( ( d.x * o[0] + d.y * o[1] ) + d.z * o[2] ) - minus * ( 1020 * out->slab );
			double unit = ( p + minus ) * ( 4 * out->slab );
			v->kdop.lower[k] = lowest + unit * group[m * used + i];
			v->kdop.upper[k] = lowest + unit * group[m * ( v->kdop.k / 2 + used ) + i];
			++used;
		}
		return;
	}
	uint32_t center = plain_u32( group + 4 * (size_t)i );
	bool is_ball = v->type == bv_volume_sphere;
	uint32_t rotation = is_ball ? 0 : plain_u32( group + 4 * (size_t)( m + i ) );
	const unsigned char* squares = group + ( is_ball ? 4 : 8 ) * (size_t)m;
	double extent[3] = { 0, 0, 0 };
	for ( uint32_t k = 0; k < ( is_ball ? 1u : 3u ); ++k )
	{
		out->square[k] = squares[m * k + i];
		extent[k] = out->unit * ( (double)out->square[k] * out->square[k] );
	}
	bv_vec3 at = { o[0] + s[0] * ( center & 1023 ), o[1] + s[1] * ( center >> 10 & 1023 ),
		           o[2] + s[2] * ( center >> 20 & 1023 ) };
	out->turned[0] = center;
	out->turned[1] = rotation;
	if ( is_ball )
	{
		v->sphere = ( bv_sphere ){ at, extent[0] };
		return;
	}
	double q[4];
	plain_rotation( rotation, v->type == bv_volume_prism ? center >> 30 : 0, q );
	plain_frame( v, at, extent, q );
}

// The children of the inner node at a place.
static inline void plain_children( plain_nodes* nodes, const unsigned char* at, uint32_t number )
{
	uint32_t first = plain_u32( at );
	uint32_t children = at[18];
	uint32_t triangle = plain_u32( at + 4 );
	const unsigned char* kind = at + 20;
	const unsigned char* link = kind + ( ( children + 3 ) & ~3u );
	const unsigned char* group = link + 4 * (size_t)at[19];
	plain_node frame = { .parent = number, .extent = at[17] };
	for ( int i = 0; i < 3; ++i )
	{
		uint16_t code;
		memcpy( &code, at + 8 + 2 * (size_t)i, sizeof code );
		frame.origin[i] = nodes->grid_origin[i] + nodes->grid_step * code;
		frame.step[i] = ldexp( 1, at[14 + i] - 140 );
		frame.slab = frame.step[i] > frame.slab ? frame.step[i] : frame.slab;
	}
	frame.unit = ldexp( 1, at[17] - 148 );
	for ( uint32_t i = 0; i < children; )
	{
		bv_volume_type type = (bv_volume_type)( kind[i] >> 5 );
		uint32_t m = 0;
		while ( i + m < children && kind[i + m] >> 5 == (int)type )
		{
			++m;
		}
		for ( uint32_t k = 0; k < m; ++k )
		{
			plain_node* node = nodes->node + first + i + k;
			*node = frame;
			node->volume.type = type;
			plain_unpack( group, m, k, node );
			uint32_t count = kind[i + k] & 31;
			node->is_leaf = count != 0;
			if ( count == 0 || count == 31 )
			{
				// Of an inner node, until it is visited, its place.
				count = plain_u32( link );
				link += 4;
			}
			node->triangles = count;
			node->first_triangle = triangle;
			triangle += node->is_leaf ? count : 0;
		}
		i += m;
		group += ( m * plain_volume_bytes( type ) + 3 ) & ~3u;
	}
}

// Inner nodes are visited in the order in which they are stored; their triangles are known when all are.
static inline plain_nodes plain_nodes_of( fixture* f, const bv_file* file )
{
	uint64_t bytes;
	const unsigned char* head = plain_section( file, "NODE", &bytes );
	uint16_t version = head == NULL ? 0 : plain_u32( head + 52 ) > 0 ? 2 : 1;
	assert_true( version > 0 );
	plain_nodes nodes = { .count = plain_u32( head ) };
	nodes.node = bvb_arena_allocate( f->arena, nodes.count, sizeof *nodes.node );
	for ( int i = 0; i < 3; ++i )
	{
		nodes.grid_origin[i] = plain_f64( head + 160 + 8 * (size_t)i );
	}
	nodes.grid_step = plain_f64( head + 184 );
	plain_node* root = nodes.node;
	*root = ( plain_node ){ .is_root = true, .triangles = plain_u32( head + 44 ) };
	root->is_leaf = root->triangles > 0;
	root->volume.type = (bv_volume_type)plain_u32( head + 48 );
	plain_root( head + 56, root );
	const unsigned char* words = head + ( version == 2 ? 672 : 608 );
	for ( uint32_t i = 0; i < nodes.count; ++i )
	{
		plain_node* node = nodes.node + i;
		if ( node->is_leaf )
		{
			continue;
		}
		const unsigned char* at = words + 4 * (size_t)node->triangles;
		node->first_triangle = plain_u32( at + 4 );
		node->triangles = 0;
		plain_children( &nodes, at, i );
	}
	for ( uint32_t i = nodes.count; i-- > 1; )
	{
		nodes.node[nodes.node[i].parent].triangles += nodes.node[i].triangles;
	}
	return nodes;
}

// The stored positions, which queries add the offset to.
static inline const float* plain_positions( const bv_file* file )
{
	uint64_t bytes;
	const unsigned char* at = plain_section( file, "POSN", &bytes );
	assert_true( at && bytes % 12 == 0 );
	return (const float*)(const void*)at;
}
