// Skinned meshes to test: tubes with bones along them and balls with bones of all kinds, poses, and where vertices should be, in 113-bit
// arithmetic.

#pragma once

#include "tests/unit/queries.h"
#include "tests/unit/trees.h"

#include "bv/inspect.h"
#include "bvworld/skin.h"

enum
{
	skinned_most_pairs = 2 * BVW_MAX_INFLUENCES,
	skinned_slots = 5, // pairs per vertex in the first set
	skinned_more = 2,  // and in the second
};

typedef struct skinned
{
	const bv_file* file;
	bvw_deform* deform;
	bvw_skin* skin;
	bvw_weights weights;
	uint32_t vertices;
	uint32_t bones;
	double* matrices; // 16 of each bone
} skinned;

// A closed tube along x from 0 to 10, of radius 1, `rings` + 1 rings of `columns` vertices.
static inline bvb_mesh tube_mesh( fixture* f, uint32_t rings, uint32_t columns )
{
	uint32_t vertices = ( rings + 1 ) * columns + 2;
	uint32_t count = 2 * rings * columns + 2 * columns;
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, vertices, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, count, sizeof *mesh.triangles ),
		.vertex_count = vertices,
		.triangle_count = count,
	};
	bvb_triangle* t = mesh.triangles;
	for ( uint32_t i = 0; i <= rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			double angle = 2 * 3.14159265358979323846 * k / columns;
			mesh.positions[i * columns + k] = ( bv_vec3 ){ 10.0 * i / rings, cos( angle ), sin( angle ) };
			uint32_t next = i * columns + ( k + 1 ) % columns;
			uint32_t at = i * columns + k;
			if ( i < rings )
			{
				*t++ = ( bvb_triangle ){ { at, next, at + columns } };
				*t++ = ( bvb_triangle ){ { next, next + columns, at + columns } };
			}
			else
			{
				*t++ = ( bvb_triangle ){ { vertices - 1, at, next } };
				*t++ = ( bvb_triangle ){ { vertices - 2, ( k + 1 ) % columns, k } };
			}
		}
	}
	mesh.positions[vertices - 2] = ( bv_vec3 ){ 0, 0, 0 };
	mesh.positions[vertices - 1] = ( bv_vec3 ){ 10, 0, 0 };
	return mesh;
}

// Arrays of 16-bit bones, and of 8-bit ones in the second set. Unused pairs have weight 0 and bones that are out of range.
typedef struct skinned_arrays
{
	uint16_t ( *bone )[skinned_slots];
	float ( *weight )[skinned_slots];
	uint8_t ( *more_bone )[skinned_more];
	float ( *more_weight )[skinned_more];
} skinned_arrays;

static inline skinned_arrays new_arrays( fixture* f, uint32_t vertices )
{
	skinned_arrays a = {
		.bone = bvb_arena_allocate( f->arena, vertices, sizeof *a.bone ),
		.weight = bvb_arena_allocate( f->arena, vertices, sizeof *a.weight ),
		.more_bone = bvb_arena_allocate( f->arena, vertices, sizeof *a.more_bone ),
		.more_weight = bvb_arena_allocate( f->arena, vertices, sizeof *a.more_weight ),
	};
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		for ( int k = 0; k < skinned_slots; ++k )
		{
			a.bone[i][k] = 65535;
			a.weight[i][k] = 0;
		}
		for ( int k = 0; k < skinned_more; ++k )
		{
			a.more_bone[i][k] = 255;
			a.more_weight[i][k] = 0;
		}
	}
	return a;
}

static inline bvw_weights weights_of( const skinned_arrays* a, uint32_t vertices, uint32_t bones )
{
	return ( bvw_weights ){
		.set = { .bones = a->bone, .weights = a->weight[0], .bone_bytes = 2, .count = skinned_slots },
		.more = { .bones = a->more_bone,
		          .weights = a->more_weight[0],
		          .bone_bytes = 1,
		          .count = skinned_more },
		.vertices = vertices,
		.bones = bones,
	};
}

// Each vertex follows the two bones whose joints along x are nearest, as limbs do.
static inline void weigh_along( const bv_file* file, uint32_t bones, const skinned_arrays* a )
{
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).vertices; ++i )
	{
		double at = fmin( fmax( bv_file_get_vertex( file, i ).x / 10 * bones - 0.5, 0 ), bones - 1.0 );
		uint32_t first = (uint32_t)fmin( floor( at ), bones > 1 ? bones - 2.0 : 0 );
		double t = fmin( fmax( 3 * ( at - first ) - 1, 0 ), 1 ); // rigid for a third at both ends
		a->bone[i][0] = (uint16_t)first;
		a->weight[i][0] = (float)( 1 - t );
		a->bone[i][1] = (uint16_t)( first + ( bones > 1 ) );
		a->weight[i][1] = (float)t;
	}
}

// Any bones, several times the same, with any weights.
static inline void weigh_wildly( fixture* f, uint32_t vertices, uint32_t bones, const skinned_arrays* a )
{
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		uint64_t used = 1 + random_bits( f ) % ( skinned_slots + skinned_more );
		for ( uint32_t k = 0; k < used; ++k )
		{
			float w = (float)pow( 10, 3 * random_around( f ).x );
			uint32_t bone = (uint32_t)( random_bits( f ) % bones );
			if ( k < skinned_slots )
			{
				a->bone[i][k] = (uint16_t)bone;
				a->weight[i][k] = w;
			}
			else
			{
				a->more_bone[i][k - skinned_slots] = (uint8_t)bone;
				a->more_weight[i][k - skinned_slots] = w;
			}
		}
	}
}

static inline void* new_block( fixture* f, size_t bytes )
{
	assert_true( bytes > 0 );
	return bvb_arena_allocate( f->arena, ( bytes + 7 ) / 8, 8 );
}

static inline skinned skin_file( fixture* f, const bv_file* file, uint32_t bones, const bvw_weights* weights,
                                 const bvw_deform_options* options )
{
	skinned s = {
		.file = file, .weights = *weights, .vertices = bv_file_get_mesh( file ).vertices, .bones = bones
	};
	size_t bytes = bvw_deform_bytes( file, options );
	assert_int_equal( bvw_deform_begin( file, options, new_block( f, bytes ), bytes, &s.deform ), bv_ok );
	bytes = bvw_skin_bytes( s.deform, weights );
	assert_int_equal( bvw_skin_begin( s.deform, weights, new_block( f, bytes ), bytes, &s.skin ), bv_ok );
	s.matrices = bvb_arena_allocate( f->arena, 16 * (size_t)bones, sizeof *s.matrices );
	return s;
}

static inline skinned skin_along( fixture* f, const bv_file* file, uint32_t bones,
                                  const bvw_deform_options* options )
{
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	skinned_arrays a = new_arrays( f, vertices );
	weigh_along( file, bones, &a );
	bvw_weights weights = weights_of( &a, vertices, bones );
	return skin_file( f, file, bones, &weights, options );
}

static inline skinned skin_wildly( fixture* f, const bv_file* file, uint32_t bones,
                                   const bvw_deform_options* options )
{
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	skinned_arrays a = new_arrays( f, vertices );
	weigh_wildly( f, vertices, bones, &a );
	bvw_weights weights = weights_of( &a, vertices, bones );
	return skin_file( f, file, bones, &weights, options );
}

static inline void identity_matrix( double m[16] )
{
	for ( int i = 0; i < 16; ++i )
	{
		m[i] = i % 5 == 0;
	}
}

// out = a b.
static inline void product_matrix( const double a[16], const double b[16], double out[16] )
{
	double m[16];
	for ( int i = 0; i < 16; ++i )
	{
		m[i] = 0;
		for ( int k = 0; k < 4; ++k )
		{
			m[i] += a[4 * k + i % 4] * b[i / 4 * 4 + k];
		}
	}
	memcpy( out, m, sizeof m );
}

// Turns by up to `angle` about a random axis through `at`.
static inline void turn_about( fixture* f, double angle, bv_vec3 at, double m[16] )
{
	bv_quaternion q;
	bv_vec3 axis = random_around( f );
	assert_int_equal( bv_quaternion_from_axis_angle( axis, angle * random_around( f ).x, &q ), bv_ok );
	bv_transform t;
	assert_int_equal( bv_transform_from_quaternion( q, ( bv_vec3 ){ 0, 0, 0 }, &t ), bv_ok );
	t.pose.translation = minus( at, bv_transform_point( &t, at ) );
	bv_transform_to_matrix( &t, m );
}

// A chain: bone i is turned relative to bone i - 1, about where it begins along x.
static inline void bend_chain( fixture* f, skinned* s, double angle )
{
	for ( uint32_t i = 0; i < s->bones; ++i )
	{
		double* m = s->matrices + 16 * (size_t)i;
		turn_about( f, angle, ( bv_vec3 ){ 10.0 * i / s->bones, 0, 0 }, m );
		if ( i > 0 )
		{
			product_matrix( m - 16, m, m );
		}
	}
}

enum
{
	pose_chain,
	pose_rigid,
	pose_scaled,
	pose_mirrored,
	pose_affine,
	pose_zero, // some bones flatten everything to a point
	pose_far,
	pose_tiny,
	pose_rest,
	pose_kinds,
};

static inline void pose_bones( fixture* f, skinned* s, int kind )
{
	if ( kind == pose_chain )
	{
		bend_chain( f, s, 1 );
		return;
	}
	bv_vec3 middle = bv_file_get_offset( s->file );
	for ( uint32_t i = 0; i < s->bones; ++i )
	{
		double* m = s->matrices + 16 * (size_t)i;
		turn_about( f, kind == pose_rest ? 0 : 3, middle, m );
		double size = kind == pose_scaled ? pow( 10, random_around( f ).x )
		              : kind == pose_far  ? 1e6
		              : kind == pose_tiny ? 1e-30
		                                  : 1;
		for ( int k = 0; k < 12; ++k )
		{
			m[k] *= k % 4 == 3 ? 1 : kind == pose_far ? 1 : size;
			m[k] *= kind == pose_mirrored && k < 4 ? -1 : 1;
			m[k] += kind == pose_affine && k % 4 != 3 ? random_around( f ).x : 0;
			m[k] *= kind == pose_zero && i % 2 == 0 ? 0 : 1;
		}
		for ( int k = 12; k < 15 && kind != pose_rest; ++k )
		{
			m[k] += 3 * size * random_around( f ).x;
		}
	}
	if ( kind == pose_rest )
	{
		for ( uint32_t i = 0; i < s->bones; ++i )
		{
			identity_matrix( s->matrices + 16 * (size_t)i );
		}
	}
}

static inline bvw_bones bones_of( const skinned* s )
{
	return ( bvw_bones ){ .matrices = s->matrices, .count = s->bones };
}

// Adds w M p of the pairs of a set.
static inline void add_pairs( const skinned* s, const bvw_influences* set, uint32_t number, bv_vec3 p,
                              wide sum[4] )
{
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		size_t at = (size_t)number * set->count + i;
		wide w = set->weights[at];
		uint32_t bone = set->bone_bytes == 1   ? ( (const uint8_t*)set->bones )[at]
		                : set->bone_bytes == 2 ? ( (const uint16_t*)set->bones )[at]
		                                       : ( (const uint32_t*)set->bones )[at];
		const double* m = s->matrices + 16 * (size_t)bone;
		for ( int k = 0; k < 3 && w > 0; ++k )
		{
			sum[k] += w * ( (wide)m[k] * p.x + (wide)m[4 + k] * p.y + (wide)m[8 + k] * p.z + m[12 + k] );
		}
		sum[3] += w;
	}
}

static inline void expected_position( const skinned* s, uint32_t vertex, wide out[3] )
{
	wide sum[4] = { 0, 0, 0, 0 };
	uint32_t number = s->weights.index ? s->weights.index[vertex] : vertex;
	bv_vec3 p = bv_file_get_vertex( s->file, vertex );
	add_pairs( s, &s->weights.set, number, p, sum );
	add_pairs( s, &s->weights.more, number, p, sum );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = sum[k] / sum[3];
	}
}

static inline bv_vec3* skinned_positions( fixture* f, const skinned* s )
{
	bv_vec3* positions = bvb_arena_allocate( f->arena, s->vertices, sizeof *positions );
	assert_int_equal( bvw_skin_get_positions( s->skin, 0, s->vertices + 7, positions ), s->vertices );
	return positions;
}

typedef struct node_visit
{
	const bv_file* file;
	const bv_vec3* positions;
	double area;
	uint32_t nodes;
} node_visit;

// An upper bound of the surface, good enough to compare.
static inline double area_of( const bv_volume* v )
{
	switch ( v->type )
	{
	case bv_volume_obb:
	{
		const double* h = v->obb.half_extents;
		return 8 * ( h[0] * h[1] + h[1] * h[2] + h[2] * h[0] );
	}
	case bv_volume_sphere: return 12.566370614359172 * v->sphere.radius * v->sphere.radius;
	case bv_volume_prism:
	{
		const double* h = v->prism.box.half_extents;
		return 8 * ( h[0] * h[1] + h[1] * h[2] + h[2] * h[0] );
	}
	case bv_volume_rss:
	{
		const double* h = v->rss.half_extents;
		double r = v->rss.radius;
		return 8 * h[0] * h[1] + 12.566370614359172 * r * ( h[0] + h[1] + r );
	}
	default:
	{
		double e[3];
		for ( int i = 0; i < 3; ++i )
		{
			e[i] = v->type == bv_volume_aabb ? ( &v->aabb.upper.x )[i] - ( &v->aabb.lower.x )[i]
			                                 : v->kdop.upper[i] - v->kdop.lower[i];
		}
		return 2 * ( e[0] * e[1] + e[1] * e[2] + e[2] * e[0] );
	}
	}
}

static inline bool visit_enclosing( void* context, const bv_node_info* node )
{
	node_visit* v = context;
	for ( uint32_t i = 0; i < node->triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( v->file, node->first_triangle + i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = v->positions[corner[k]];
			if ( !volume_holds( &node->volume, p ) )
			{
				fail_msg( "node %u, a %s of %u triangles, does not hold ( %.9g, %.9g, %.9g )", node->index,
				          bv_volume_type_name( node->volume.type ), node->triangles, p.x, p.y, p.z );
			}
		}
	}
	v->area += area_of( &node->volume );
	v->nodes += 1;
	return true;
}

// Every node of the file holds its triangles, with these positions.
// @return the sum of areas
static inline double assert_nodes_hold( const bv_file* file, const bv_vec3* positions )
{
	node_visit v = { .file = file, .positions = positions };
	assert_true( bv_file_visit_nodes( file, visit_enclosing, &v ) );
	assert_true( v.nodes > 0 );
	return v.area;
}
