// What the tests of whole assets share: a fixture with an arena and random numbers, simple meshes, and files
// in memory.

#pragma once

#include "bvbuild/bvbuild.h"
#include "tests/box_trees.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One test's memory and its own sequence of random numbers.
typedef struct fixture
{
	bvb_arena* arena;
	uint64_t random;
} fixture;

#define fixture_test( name ) cmocka_unit_test_setup_teardown( name, fixture_setup, fixture_teardown )

static inline int fixture_setup( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	f->random = 88172645463325252u;
	*state = f;
	return 0;
}

static inline int fixture_teardown( void** state )
{
	fixture* f = *state;
	bvb_arena_destroy( f->arena );
	free( f );
	return 0;
}

// Whether tests take the larger counts and meshes of `make thorough`.
static inline bool is_thorough( void )
{
	return getenv( "BV_THOROUGH" );
}

// Marsaglia's xorshift64.
static inline uint64_t random_bits( fixture* f )
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return f->random;
}

// In [0, 1).
static inline double random_unit( fixture* f )
{
	return (double)( random_bits( f ) >> 11 ) * 0x1p-53;
}

static inline bv_vec3 random_point( fixture* f )
{
	double x = random_unit( f );
	double y = random_unit( f );
	return ( bv_vec3 ){ x, y, random_unit( f ) };
}

// `count` triangles with vertices of their own, positions still to be set.
static inline bvb_mesh soup_create( fixture* f, uint32_t count )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, 3 * (size_t)count, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, count, sizeof *mesh.triangles ),
		.vertex_count = 3 * count,
		.triangle_count = count,
	};
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		mesh.triangles[i / 3].corner[i % 3] = i;
	}
	return mesh;
}

static inline bvb_mesh mesh_of( fixture* f, const bv_vec3* positions, uint32_t vertices,
                                const uint32_t ( *triangles )[3], uint32_t count )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, vertices, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, count, sizeof *mesh.triangles ),
		.vertex_count = vertices,
		.triangle_count = count,
	};
	memcpy( mesh.positions, positions, vertices * sizeof *positions );
	memcpy( mesh.triangles, triangles, count * sizeof *triangles );
	return mesh;
}

// A box with one corner at the origin, closed, facing outwards.
static inline bvb_mesh box_mesh( fixture* f, double x, double y, double z )
{
	bv_vec3 positions[8];
	for ( int i = 0; i < 8; ++i )
	{
		positions[i] = ( bv_vec3 ){ i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0 };
	}
	static const uint32_t triangles[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
		                                       { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
		                                       { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	return mesh_of( f, positions, 8, triangles, 12 );
}

// A closed, bumpy ball of 2 * rings * rings triangles or so.
static inline bvb_mesh bumpy_ball( fixture* f, uint32_t rings )
{
	uint32_t columns = 2 * rings;
	uint32_t vertices = ( rings - 1 ) * columns + 2;
	uint32_t count = 2 * columns * ( rings - 1 );
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, vertices, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, count, sizeof *mesh.triangles ),
		.vertex_count = vertices,
		.triangle_count = count,
	};
	const double pi = 3.14159265358979323846;
	for ( uint32_t i = 1; i < rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			double a = pi * i / rings;
			double b = 2 * pi * k / columns;
			double r = 1 + 0.2 * sin( 5 * a ) * cos( 3 * b );
			mesh.positions[( i - 1 ) * columns + k] =
				( bv_vec3 ){ r * sin( a ) * cos( b ), r * sin( a ) * sin( b ), r * cos( a ) };
		}
	}
	uint32_t north = vertices - 2;
	uint32_t south = vertices - 1;
	mesh.positions[north] = ( bv_vec3 ){ 0, 0, 1 };
	mesh.positions[south] = ( bv_vec3 ){ 0, 0, -1 };
	bvb_triangle* t = mesh.triangles;
	for ( uint32_t k = 0; k < columns; ++k )
	{
		uint32_t next = ( k + 1 ) % columns;
		uint32_t last = ( rings - 2 ) * columns;
		*t++ = ( bvb_triangle ){ { north, k, next } };
		*t++ = ( bvb_triangle ){ { south, last + next, last + k } };
		for ( uint32_t i = 0; i + 2 < rings; ++i )
		{
			uint32_t row = i * columns;
			*t++ = ( bvb_triangle ){ { row + k, row + columns + k, row + columns + next } };
			*t++ = ( bvb_triangle ){ { row + k, row + columns + next, row + next } };
		}
	}
	return mesh;
}

// The default options without what a file can do without and which takes time, and with trees of boxes alone.
static inline bvb_asset_options plain_options( void )
{
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy = box_tree_options();
	options.errors.relative = 0;
	options.recognize.value = 0;
	return options;
}

// The bytes of a file, whole pipeline included.
static inline bvb_bytes build_bytes( fixture* f, const bvb_mesh* mesh, const bvb_asset_options* options )
{
	bvb_error error = { "" };
	bvb_asset asset;
	bvb_bytes bytes = { 0 };
	bvb_source source = { .name = "test.obj", .format = "obj", .hash = { 1, 2, 3 } };
	bvb_scene scene = { .mesh = *mesh };
	if ( bvb_asset_build( &scene, &source, options, f->arena, &asset, &error ) != bv_ok ||
	     bvb_asset_encode( &asset, f->arena, &bytes, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return bytes;
}

static inline const bv_file* open_bytes( bvb_bytes bytes )
{
	const bv_file* file;
	const char* reason;
	if ( bv_file_open_explained( bytes.data, bytes.size, &file, &reason ) != bv_ok )
	{
		fail_msg( "%s", reason );
	}
	return file;
}

static inline const bv_file* build_file( fixture* f, const bvb_mesh* mesh, const bvb_asset_options* options )
{
	return open_bytes( build_bytes( f, mesh, options ) );
}

// The same with a tree that is told node by node, see bvb_tree_from, in place of the one that was built.
static inline bvb_bytes bytes_of_nodes( fixture* f, const bvb_mesh* mesh,
                                        bvb_node ( *node )( const void* context, uint32_t index ),
                                        const void* context, uint32_t count )
{
	bvb_scene scene = { .mesh = *mesh };
	bvb_source source = { .name = "nodes", .format = "test" };
	bvb_asset_options options = plain_options();
	bvb_asset asset;
	bvb_bytes bytes;
	bvb_error error = { "" };
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
	asset.tree = bvb_tree_from( node, context, count, f->arena );
	assert_int_equal( bvb_tree_snap( asset.tree, &asset.record.mesh, 1, f->arena, &error ), bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
	return bytes;
}

static inline const bv_file* file_of_nodes( fixture* f, const bvb_mesh* mesh,
                                            bvb_node ( *node )( const void* context, uint32_t index ),
                                            const void* context, uint32_t count )
{
	return open_bytes( bytes_of_nodes( f, mesh, node, context, count ) );
}

// A pose as queries take it; until the next call.
static inline const bv_transform* by_pose( const bv_pose* pose )
{
	static bv_transform transform;
	transform = bv_transform_of_pose( pose );
	return &transform;
}
