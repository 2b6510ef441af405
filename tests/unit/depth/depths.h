// What the tests of depths share: pairs of meshes in files, and checks of an interval by queries and winding numbers that the query of
// depth does not use.

#pragma once

#include "decomposed_meshes.h"

#include "bv/depth.h"
#include "bv/mesh.h"

#include <stdio.h>

// A mesh, its file, and its winding numbers.
typedef struct body
{
	bvb_mesh mesh; // the mesh of record
	const bv_file* file;
	bvb_winding* winding;
	bool closed;
} body;

static inline body body_with( fixture* f, const bvb_mesh* mesh, const bvb_asset_options* options )
{
	body out = { .file = build_file( f, mesh, options ) };
	bvb_error error = { "" };
	bv_mesh_info info = bv_file_get_mesh( out.file );
	out.closed = info.closed;
	out.mesh.vertex_count = info.vertices;
	out.mesh.triangle_count = info.triangles;
	out.mesh.positions = bvb_arena_allocate( f->arena, info.vertices, sizeof *out.mesh.positions );
	out.mesh.triangles = bvb_arena_allocate( f->arena, info.triangles, sizeof *out.mesh.triangles );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		out.mesh.positions[i] = bv_file_get_vertex( out.file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( out.file, i, out.mesh.triangles[i].corner );
	}
	assert_int_equal( bvb_winding_create( &out.mesh, f->arena, &out.winding, &error ), bv_ok );
	return out;
}

static inline body body_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset_options options = plain_options();
	return body_with( f, mesh, &options );
}

static inline bv_transform turned( fixture* f, double scale, bv_vec3 translation )
{
	bv_vec3 axis = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
	bv_quaternion q;
	bv_transform out;
	assert_int_equal( bv_quaternion_from_axis_angle( axis, 6 * random_unit( f ), &q ), bv_ok );
	assert_int_equal( bv_transform_from_trs( translation, q, scale, &out ), bv_ok );
	return out;
}

static inline bv_vec3 random_direction( fixture* f )
{
	bv_vec3 d;
	do
	{
		d = ( bv_vec3 ){ 2 * random_unit( f ) - 1, 2 * random_unit( f ) - 1, 2 * random_unit( f ) - 1 };
	} while ( length( d ) > 1 || length( d ) < 0.1 );
	return bv_normalize( d );
}

// Padding may differ.
static inline bool same_transform( const bv_transform* a, const bv_transform* b )
{
	return memcmp( &a->pose, &b->pose, sizeof a->pose ) == 0 && a->scale == b->scale &&
	       a->mirror == b->mirror;
}

static inline bv_transform shifted( const bv_transform* t, bv_vec3 by )
{
	bv_transform out = *t;
	out.pose.translation = plus( out.pose.translation, 1, by );
	return out;
}

// Whether a vertex of a mesh is inside of the other, by solid angles.
static inline bool has_vertex_inside( const body* of, const body* in, const bv_transform* to_in )
{
	for ( uint32_t i = 0; in->closed && i < of->mesh.vertex_count; ++i )
	{
		bv_vec3 p = bv_transform_point( to_in, of->mesh.positions[i] );
		if ( fabs( bvb_winding_number( in->winding, p ) ) > 0.5 )
		{
			return true;
		}
	}
	return false;
}

// By queries that are conservative: in doubt they meet.
static inline bool overlap( const body* a, const body* b, const bv_transform* b_in_a )
{
	bv_collide_options first = { .first = true };
	bv_collide_result r;
	bv_transform a_in_b = bv_transform_inverse( b_in_a );
	assert_int_equal( bv_mesh_collide( a->file, b->file, b_in_a, &first, &r ), bv_ok );
	return r.pairs > 0 || has_vertex_inside( b, a, b_in_a ) || has_vertex_inside( a, b, &a_in_b );
}

// By distances of surfaces, and solid angles of all vertices.
static inline bool are_apart( const body* a, const body* b, const bv_transform* b_in_a )
{
	bv_distance_result r;
	bv_transform a_in_b = bv_transform_inverse( b_in_a );
	assert_int_equal( bv_mesh_distance( a->file, b->file, b_in_a, NULL, &r ), bv_ok );
	return r.distance > 0 && !has_vertex_inside( b, a, b_in_a ) && !has_vertex_inside( a, b, &a_in_b );
}

static uint64_t depth_scratch[BV_MESH_DEPTH_SCRATCH_AMPLE / 8];

static inline bv_mesh_depth_result depth_of( const body* a, const body* b, const bv_transform* b_in_a,
                                             const bv_mesh_depth_options* options )
{
	bv_mesh_depth_result r;
	assert_int_equal(
		bv_mesh_depth( a->file, b->file, b_in_a, options, depth_scratch, sizeof depth_scratch, &r ), bv_ok );
	return r;
}

// What holds of every result: the translation separates, and no shorter one than `lower` does.
static inline void assert_sound( fixture* f, const body* a, const body* b, const bv_transform* b_in_a,
                                 const bv_mesh_depth_result* r, int samples )
{
	assert_true( 0 <= r->lower && r->lower <= r->upper );
	assert_true( r->upper < INFINITY && length( r->way ) <= r->upper );
	assert_true( length( r->way ) >= r->upper * ( 1 - 1e-12 ) );
	bv_transform apart = shifted( b_in_a, r->way );
	assert_memory_equal( &apart.pose, &r->apart.pose, sizeof apart.pose );
	assert_true( are_apart( a, b, &apart ) );
	for ( int i = 0; i < samples && r->lower > 0; ++i )
	{
		double size = i % 2 == 0 ? 1 : pow( random_unit( f ), 1.0 / 3 );
		bv_transform t = shifted( b_in_a, bv_scale( 0.999999 * r->lower * size, random_direction( f ) ) );
		assert_true( overlap( a, b, &t ) );
	}
}
