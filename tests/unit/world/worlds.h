// What tests of broad phases share: random boxes of many kinds, and one broad phase for each method that get the same operations as
// a model and are compared with it.

#pragma once

#include "tests/unit/world/random.h"
#include "tests/world_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static inline bv_vec3 draw_point( uint64_t* random, double edge )
{
	double x = edge * draw_unit( random );
	double y = edge * draw_unit( random );
	return ( bv_vec3 ){ x, y, edge * draw_unit( random ) };
}

static inline bv_aabb box_around( bv_vec3 c, bv_vec3 half )
{
	return ( bv_aabb ){ { c.x - half.x, c.y - half.y, c.z - half.z },
		                { c.x + half.x, c.y + half.y, c.z + half.z } };
}

static inline bv_aabb cube_around( bv_vec3 c, double half )
{
	return box_around( c, ( bv_vec3 ){ half, half, half } );
}

// Where objects are and how large.
typedef enum scene
{
	scene_uniform,     // equal cubes
	scene_sizes,       // edges from 1 to 10^4, each length as likely on a scale of logarithms
	scene_spot,        // all have a point in common
	scene_line,        // along an axis
	scene_half_spaces, // one of eight is infinite in some directions
	scene_far,         // 10^7 from the origin
	scene_points,      // no size, many in the same place
	scene_lattice,     // corners have small integer coordinates, so that many touch
	scene_flat,        // no size along an axis
	scene_huge,        // up to the greatest length
	scene_tiny,        // subnormal numbers
	scene_doubling, // distances from the origin and sizes from 2^-100 to 2^100, each as likely on a scale of logarithms
	scene_endless, // most are infinite along one axis, some along two
	scene_mixed,   // any of these
	scenes,
} scene;

static inline double draw_bound( uint64_t* random, bool is_upper, double usual )
{
	return draw_below( random, 2 ) ? usual : is_upper ? (double)INFINITY : -(double)INFINITY;
}

static inline bv_aabb draw_half_space( uint64_t* random, bv_aabb b )
{
	b.lower.x = draw_bound( random, false, b.lower.x );
	b.lower.y = draw_bound( random, false, b.lower.y );
	b.lower.z = draw_bound( random, false, b.lower.z );
	b.upper.x = draw_bound( random, true, b.upper.x );
	b.upper.y = draw_bound( random, true, b.upper.y );
	b.upper.z = draw_bound( random, true, b.upper.z );
	return b;
}

// @param edge  of the cube that `uniform` fills, in units of a half edge of its objects
static inline bv_aabb draw_box( uint64_t* random, scene kind, double edge )
{
	if ( kind == scene_mixed )
	{
		kind = (scene)draw_below( random, scene_mixed );
	}
	bv_vec3 c = draw_point( random, edge );
	bv_vec3 h = draw_point( random, 1 );
	switch ( kind )
	{
	case scene_sizes:
	{
		double half = 0.5 * exp( draw_unit( random ) * 9.210340371976184 );
		return cube_around( ( bv_vec3 ){ 200 * c.x, 200 * c.y, 200 * c.z }, half );
	}
	case scene_spot: return ( bv_aabb ){ { -h.x, -h.y, -h.z }, { c.x, c.y, c.z } };
	case scene_line: return cube_around( ( bv_vec3 ){ edge * c.x, 0, 0 }, 1 );
	case scene_half_spaces:
		return draw_below( random, 8 ) ? cube_around( c, 1 ) : draw_half_space( random, cube_around( c, 1 ) );
	case scene_endless:
	{
		bv_aabb b = cube_around( c, 1 );
		bool is_finite = draw_below( random, 10 ) == 0;
		bool is_slab = draw_below( random, 20 ) == 0;
		b.lower.z = is_finite ? b.lower.z : -(double)INFINITY;
		b.upper.z = is_finite ? b.upper.z : (double)INFINITY;
		b.upper.y = is_slab ? (double)INFINITY : b.upper.y;
		return b;
	}
	case scene_far: return cube_around( ( bv_vec3 ){ c.x + 1e7, c.y - 1e7, c.z + 1e7 }, 1 );
	case scene_points:
		c = ( bv_vec3 ){ floor( c.x / 2 ), floor( c.y / 2 ), floor( c.z / 2 ) };
		return ( bv_aabb ){ c, c };
	case scene_lattice:
		c = ( bv_vec3 ){ floor( c.x ), floor( c.y ), floor( c.z ) };
		return ( bv_aabb ){ c, { c.x + floor( 3 * h.x ), c.y + floor( 3 * h.y ), c.z + floor( 3 * h.z ) } };
	case scene_flat:
	{
		uint32_t axis = draw_below( random, 3 );
		return box_around( c, ( bv_vec3 ){ axis == 0 ? 0 : h.x, axis == 1 ? 0 : h.y, axis == 2 ? 0 : h.z } );
	}
	case scene_huge:
	{
		double unit = draw_below( random, 4 ) ? 1 : BV_MAX_LENGTH / ( 2 * edge + 2 );
		return cube_around( ( bv_vec3 ){ unit * c.x, unit * c.y, unit * c.z }, unit );
	}
	case scene_tiny:
		return cube_around( ( bv_vec3 ){ 0x1p-1070 * c.x, 0x1p-1070 * c.y, -0x1p-1070 * c.z }, 0x1p-1070 );
	case scene_doubling:
	{
		double unit = exp2( 200 * draw_unit( random ) - 100 );
		return cube_around( ( bv_vec3 ){ unit * h.x, unit * h.y, unit * h.z }, 0.25 * unit );
	}
	case scene_uniform:
	default: return cube_around( c, 1 );
	}
}

// One of four objects has categories, masks or a group.
static inline bvw_object draw_object( uint64_t* random, scene kind, double edge )
{
	bvw_object o = { .box = draw_box( random, kind, edge ) };
	switch ( draw_below( random, 8 ) )
	{
	case 0:
		o.category = UINT64_C( 1 ) << draw_below( random, 64 );
		o.mask = draw( random );
		break;
	case 1: o.group = draw_below( random, 4 ); break;
	default: break;
	}
	return o;
}

// A method with a way to keep pairs.
enum
{
	ways = bvw_methods * bvw_pair_stores,
	most_worlds = ways + 2,
};

static inline bvw_method method_of_way( int way )
{
	return (bvw_method)( way / bvw_pair_stores );
}

static inline bvw_pair_store store_of_way( int way )
{
	return (bvw_pair_store)( way % bvw_pair_stores );
}

// @return the next one that exists, without defaults; `ways` at the end
static inline int next_way( int way )
{
	for ( ++way; way < ways; ++way )
	{
		bvw_broadphase_options o = { .objects = 1,
			                         .method = method_of_way( way ),
			                         .store = store_of_way( way ) };
		if ( o.method != bvw_method_default && o.store != bvw_pair_store_default &&
		     bvw_broadphase_bytes( &o ) > 0 )
		{
			break;
		}
	}
	return way;
}

// All methods, some of them with all ways to keep pairs: of those that find all pairs again, and those that do not. Trees with other
// margins.
typedef struct fleet
{
	model model;
	bvw_broadphase* world[most_worlds];
	bvw_broadphase_options options[most_worlds];
	uint32_t worlds;
	bvw_pair* room; // options.pairs long
	uint32_t* numbers;
	uint32_t* expected_numbers;
	uint64_t random;
	uint64_t begun; // over all updates
	uint64_t ended;
} fleet;

static inline bvw_broadphase* begin_world( const bvw_broadphase_options* options )
{
	size_t bytes = bvw_broadphase_bytes( options );
	assert_true( bytes > 0 );
	void* memory = malloc( bytes );
	assert_non_null( memory );
	memset( memory, 0xa5, bytes );
	bvw_broadphase* world = NULL;
	assert_int_equal( bvw_broadphase_begin( memory, bytes, options, &world ), bv_ok );
	assert_ptr_equal( world, memory );
	return world;
}

static inline bvw_broadphase* copy_world( const bvw_broadphase* from, const bvw_broadphase_options* options )
{
	size_t bytes = bvw_broadphase_bytes( options );
	assert_true( bytes > 0 );
	void* memory = malloc( bytes );
	assert_non_null( memory );
	memset( memory, 0x5a, bytes );
	bvw_broadphase* world = NULL;
	assert_int_equal( bvw_broadphase_copy( from, memory, bytes, options, &world ), bv_ok );
	assert_ptr_equal( world, memory );
	return world;
}

static inline fleet fleet_of( uint32_t objects, uint32_t pairs, uint64_t seed )
{
	fleet f = { .model = model_of( objects ), .random = seed };
	f.room = malloc( pairs * sizeof *f.room );
	f.numbers = malloc( objects * sizeof *f.numbers );
	f.expected_numbers = malloc( objects * sizeof *f.expected_numbers );
	for ( int w = next_way( 0 ); w < ways; w = next_way( w ) )
	{
		bvw_broadphase_options o = {
			.objects = objects, .pairs = pairs, .method = method_of_way( w ), .store = store_of_way( w )
		};
		bvw_broadphase_options usual = { .objects = objects, .pairs = pairs, .method = o.method };
		bool has_all = o.method == bvw_method_rows || o.method == bvw_method_sweep;
		if ( has_all || bvw_broadphase_bytes( &o ) == bvw_broadphase_bytes( &usual ) )
		{
			f.options[f.worlds++] = o;
		}
	}
	const double margins[] = { 1e-3, 1 };
	for ( int i = 0; i < 2; ++i )
	{
		f.options[f.worlds++] = ( bvw_broadphase_options ){
			.objects = objects, .pairs = pairs, .method = bvw_method_tree, .margin = margins[i]
		};
	}
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		f.world[i] = begin_world( f.options + i );
	}
	return f;
}

static inline void fleet_free( fleet* f )
{
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		free( f->world[i] );
	}
	free( f->room );
	free( f->numbers );
	free( f->expected_numbers );
	model_free( &f->model );
}

static inline bv_status status_of( bool is_valid )
{
	return is_valid ? bv_ok : bv_error_argument;
}

static inline void fleet_add( fleet* f, uint32_t number, const bvw_object* object )
{
	bv_status expected = status_of( model_add( &f->model, number, object ) );
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		assert_int_equal( bvw_broadphase_add( f->world[i], number, object ), expected );
	}
}

static inline void fleet_move( fleet* f, uint32_t number, const bv_aabb* box )
{
	bv_status expected = status_of( model_move( &f->model, number, box ) );
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		assert_int_equal( bvw_broadphase_move( f->world[i], number, box ), expected );
	}
}

static inline void fleet_remove( fleet* f, uint32_t number )
{
	bv_status expected = status_of( model_remove( &f->model, number ) );
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		assert_int_equal( bvw_broadphase_remove( f->world[i], number ), expected );
	}
}

// Numbers are in use or not.
static inline void fleet_change_some( fleet* f, scene kind, uint32_t changes, double edge )
{
	for ( uint32_t i = 0; i < changes; ++i )
	{
		uint32_t number = draw_below( &f->random, f->model.objects );
		bvw_object o = draw_object( &f->random, kind, edge );
		switch ( draw_below( &f->random, 6 ) )
		{
		case 0: fleet_remove( f, number ); break;
		case 1:
			fleet_remove( f, number );
			fleet_add( f, number, &o );
			break;
		case 2: fleet_add( f, number, &o ); break;
		default: fleet_move( f, number, &o.box ); break;
		}
	}
}

static inline const char* world_name( const fleet* f, uint32_t i )
{
	return bvw_method_name( f->options[i].method );
}

static inline void fleet_fail( const fleet* f, uint32_t i, const char* what )
{
	const bvw_broadphase_options* o = f->options + i;
	fail_msg( "%s, %s, margin %g, against the model: %s", world_name( f, i ), bvw_pair_store_name( o->store ),
	          o->margin, what );
}

// All list what the model lists.
static inline void fleet_check_pairs( fleet* f )
{
	model_list( &f->model );
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		uint32_t count = 0;
		assert_int_equal( bvw_broadphase_pairs( f->world[i], f->room, f->options[i].pairs, &count ), bv_ok );
		if ( !model_equals( &f->model.listed, f->room, count ) )
		{
			fleet_fail( f, i, "bvw_broadphase_pairs" );
		}
	}
	for ( uint32_t k = 0; k < f->model.listed.count; k += 1 + draw_below( &f->random, 40 ) )
	{
		const model_pair* p = f->model.listed.at + k;
		for ( uint32_t i = 0; i < f->worlds; ++i )
		{
			assert_true( bvw_broadphase_has_pair( f->world[i], p->number[0], p->number[1] ) );
			assert_true( bvw_broadphase_has_pair( f->world[i], p->number[1], p->number[0] ) );
		}
	}
}

static inline void world_update( fleet* f, uint32_t i )
{
	bvw_changes got;
	if ( bvw_broadphase_update( f->world[i], &got ) != bv_ok )
	{
		fleet_fail( f, i, "bvw_broadphase_update has no room" );
	}
	if ( !model_equals( &f->model.begun, got.begun, got.begun_count ) )
	{
		fleet_fail( f, i, "pairs that began" );
	}
	if ( !model_equals( &f->model.ended, got.ended, got.ended_count ) )
	{
		fleet_fail( f, i, "pairs that ended" );
	}
}

static inline void fleet_update( fleet* f )
{
	model_compare( &f->model );
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		world_update( f, i );
	}
	f->begun += f->model.begun.count;
	f->ended += f->model.ended.count;
	model_commit( &f->model );
}

static inline void fleet_check_overlap( fleet* f, const bv_aabb* box, const bvw_filter* filter )
{
	bool is_valid = model_box_is_valid( box );
	uint32_t expected = is_valid ? model_overlap( &f->model, box, filter, f->expected_numbers ) : UINT32_MAX;
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		bvw_found found = { .count = UINT32_MAX };
		bv_status status =
			bvw_broadphase_overlap( f->world[i], box, filter, f->numbers, f->model.objects, &found );
		if ( status != status_of( is_valid ) || found.count != expected ||
		     ( is_valid && memcmp( f->numbers, f->expected_numbers, expected * sizeof( uint32_t ) ) != 0 ) )
		{
			fleet_fail( f, i, "bvw_broadphase_overlap" );
		}
		assert_true( !is_valid || found.tests >= expected );
	}
}
