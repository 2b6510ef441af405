// What tests of objects made of files share: scenes of a few files at random places, in a broad phase of each method, and where
// triangles are, in rational arithmetic (GMP).

#pragma once

#include "tests/unit/queries.h"

#include "bvworld/bvworld.h"

#include <gmp.h>

enum
{
	scene_files = 4,
	scene_objects = 60,
};

// A scene, and its broad phase in each method.
typedef struct stage
{
	const bv_file* files[scene_files];
	bvw_instance instances[scene_objects];
	bvw_broadphase* worlds[bvw_methods];
	bv_vec3 middle; // of the cube in which the objects are
} stage;

// A round ball, a box, a soup, and a mesh so far from its origin that its file has an offset.
static inline void make_files( fixture* f, int round, const bv_file* out[scene_files] )
{
	bvb_mesh ball = bumpy_ball( f, 6 );
	bvb_mesh box = box_mesh( f, 0.5, 1, 2 );
	bvb_mesh soup = random_soup( f, 30, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_mesh far = bumpy_ball( f, 4 );
	for ( uint32_t i = 0; i < far.vertex_count; ++i )
	{
		far.positions[i] = plus( ( bv_vec3 ){ 1000, -3000, 50 }, 1, far.positions[i] );
	}
	const bvb_mesh* meshes[scene_files] = { &ball, &box, &soup, &far };
	for ( int i = 0; i < scene_files; ++i )
	{
		out[i] = file_of_round( f, meshes[i], round + i );
	}
}

// Places a file so that the middle of its mesh is at a point.
static inline bv_transform placed_around( fixture* f, const bv_file* file, bv_vec3 center )
{
	bv_transform t = random_transform( f, exp2( 2 * random_unit( f ) - 1 ), random_bits( f ) % 3 == 0,
	                                   ( bv_vec3 ){ 0, 0, 0 } );
	t.pose.rotation[0][1] += random_bits( f ) % 4 == 0 ? 2e-5 : 0;
	t.pose.translation = minus( center, placed( &t, bv_file_get_offset( file ) ) );
	return t;
}

static inline bvw_scene scene_of( const stage* s, int method )
{
	return ( bvw_scene ){ s->worlds[method], s->files, scene_files, scene_objects, s->instances };
}

// The objects that no method has are the last two: one is made of no file, and one is not in the broad phase.
static inline void make_stage( fixture* f, int round, double edge, bv_vec3 middle, stage* s )
{
	make_files( f, round, s->files );
	s->middle = middle;
	for ( uint32_t i = 0; i < scene_objects; ++i )
	{
		uint32_t file = i % scene_files;
		bv_vec3 at = plus( middle, edge / 2, random_around( f ) );
		s->instances[i] = ( bvw_instance ){ file, placed_around( f, s->files[file], at ) };
	}
	s->instances[scene_objects - 2].file = BVW_NO_FILE;
	for ( int m = bvw_method_all_pairs; m < bvw_methods; ++m )
	{
		bvw_broadphase_options options = { .objects = scene_objects + 1,
			                               .pairs = 4000,
			                               .method = (bvw_method)m };
		size_t bytes = bvw_broadphase_bytes( &options );
		void* memory = bvb_arena_allocate( f->arena, bytes, 1 );
		assert_int_equal( bvw_broadphase_begin( memory, bytes, &options, &s->worlds[m] ), bv_ok );
		for ( uint32_t i = 0; i + 1 < scene_objects; ++i )
		{
			bvw_object o = { .category = 1u + i % 2 };
			const bvw_instance* in = s->instances + i;
			const bv_file* file = in->file == BVW_NO_FILE ? s->files[0] : s->files[in->file];
			assert_int_equal( bvw_file_box( file, &in->placement, &o.box ), bv_ok );
			assert_int_equal( bvw_broadphase_add( s->worlds[m], i, &o ), bv_ok );
		}
	}
}

static inline bv_aabb box_of_points( const bv_vec3* p, uint32_t count )
{
	bv_aabb box = { p[0], p[0] };
	for ( uint32_t i = 1; i < count; ++i )
	{
		box.lower = ( bv_vec3 ){ fmin( box.lower.x, p[i].x ), fmin( box.lower.y, p[i].y ),
			                     fmin( box.lower.z, p[i].z ) };
		box.upper = ( bv_vec3 ){ fmax( box.upper.x, p[i].x ), fmax( box.upper.y, p[i].y ),
			                     fmax( box.upper.z, p[i].z ) };
	}
	return box;
}

static inline bv_aabb box_of_placed( const bv_file* file, const bv_transform* t )
{
	bv_vec3 p = placed( t, bv_file_get_vertex( file, 0 ) );
	bv_aabb box = { p, p };
	for ( uint32_t i = 1; i < bv_file_get_mesh( file ).vertices; ++i )
	{
		const bv_vec3 all[3] = { box.lower, box.upper, placed( t, bv_file_get_vertex( file, i ) ) };
		box = box_of_points( all, 3 );
	}
	return box;
}

static inline bool boxes_are_apart( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x > b->upper.x || b->lower.x > a->upper.x || a->lower.y > b->upper.y ||
	       b->lower.y > a->upper.y || a->lower.z > b->upper.z || b->lower.z > a->upper.z;
}

static inline bool is_made_of_file( const stage* s, uint32_t number )
{
	return number + 1 < scene_objects && s->instances[number].file != BVW_NO_FILE;
}

// Coordinate k of a placed point, exactly.
static inline void place_exactly( const bv_transform* t, bv_vec3 p, int k, mpq_t out )
{
	const double at[3] = { t->mirror ? -p.x : p.x, p.y, p.z };
	const double to[3] = { t->pose.translation.x, t->pose.translation.y, t->pose.translation.z };
	mpq_t factor;
	mpq_t product;
	mpq_inits( factor, product, NULL );
	mpq_set_d( out, to[k] );
	for ( int i = 0; i < 3; ++i )
	{
		mpq_set_d( product, t->pose.rotation[k][i] );
		mpq_set_d( factor, t->scale );
		mpq_mul( product, product, factor );
		mpq_set_d( factor, at[i] );
		mpq_mul( product, product, factor );
		mpq_add( out, out, product );
	}
	mpq_clears( factor, product, NULL );
}
