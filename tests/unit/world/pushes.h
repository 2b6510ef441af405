// Scenes for tests of contacts: bodies that slide, turn, sleep, and are replaced by others, in a broad phase.

#pragma once

#include "tests/contacts_model.h"
#include "tests/unit/world/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum
{
	most_bodies = 40,
	hull_points = 12,
};

typedef struct pushes
{
	uint64_t random;
	uint32_t bodies;
	bvw_broadphase* world;
	bv_convex shape[most_bodies];
	bv_vec3 points[most_bodies][hull_points];
	bvw_body body[most_bodies];
	double reach[most_bodies]; // of the shape around its origin; infinite for the floor
	uint8_t awake[most_bodies];
	double speculative;
} pushes;

static inline double draw_between( uint64_t* random, double from, double to )
{
	return from + ( to - from ) * draw_unit( random );
}

static inline bv_vec3 draw_vector( uint64_t* random, double size )
{
	double x = draw_between( random, -size, size );
	double y = draw_between( random, -size, size );
	return ( bv_vec3 ){ x, y, draw_between( random, -size, size ) };
}

static inline bv_transform turned( uint64_t* random, double angle, bv_vec3 at )
{
	bv_transform out;
	bv_vec3 axis = draw_vector( random, 1 );
	axis.x += axis.x == 0;
	assert_int_equal( bv_transform_from_axis_angle( axis, angle * draw_unit( random ), at, &out ), bv_ok );
	return out;
}

static inline bv_aabb box_of( const pushes* p, uint32_t i )
{
	if ( isinf( p->reach[i] ) )
	{
		return ( bv_aabb ){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, 0 } };
	}
	bv_vec3 c = p->body[i].placement.pose.translation;
	double r = p->reach[i] * p->body[i].placement.scale + p->speculative;
	return ( bv_aabb ){ { c.x - r, c.y - r, c.z - r }, { c.x + r, c.y + r, c.z + r } };
}

static inline void draw_shape( pushes* p, uint32_t i )
{
	bv_vec3 zero = { 0, 0, 0 };
	bv_vec3 half = { 0.5, 0.5, 0.5 };
	p->reach[i] = 0.9;
	switch ( draw_below( &p->random, 5 ) )
	{
	case 0: p->shape[i] = bv_convex_sphere( zero, 0.5 ); break;
	case 1:
		p->shape[i] = bv_convex_capsule( bv_vec3_make( -0.3, 0, 0 ), bv_vec3_make( 0.3, 0, 0 ), 0.3 );
		break;
	case 2:
		for ( int k = 0; k < hull_points; ++k )
		{
			p->points[i][k] = draw_vector( &p->random, 0.5 );
		}
		p->shape[i] = bv_convex_points( p->points[i], hull_points, 0 );
		break;
	default: p->shape[i] = bv_convex_box( zero, half ); break;
	}
	p->body[i].shape = p->shape + i;
}

static inline void put_body( pushes* p, uint32_t i )
{
	draw_shape( p, i );
	bv_vec3 at = draw_vector( &p->random, 0.75 * cbrt( p->bodies ) );
	at.z = fabs( at.z );
	// Boxes that are not turned lie on each other.
	p->body[i].placement = turned( &p->random, draw_below( &p->random, 2 ) ? 3 : 0, at );
	p->body[i].placement.scale = draw_below( &p->random, 8 ) ? 1 : draw_between( &p->random, 0.5, 2 );
	p->awake[i] = 1;
	bvw_object object = { .box = box_of( p, i ) };
	assert_int_equal( bvw_broadphase_add( p->world, i, &object ), bv_ok );
}

static inline pushes* pushes_begin( uint32_t bodies, uint64_t seed )
{
	pushes* p = calloc( 1, sizeof *p );
	p->random = seed;
	p->bodies = bodies;
	p->speculative = 0.02;
	bvw_broadphase_options options = { .objects = most_bodies, .pairs = most_bodies * most_bodies };
	size_t bytes = bvw_broadphase_bytes( &options );
	assert_int_equal( bvw_broadphase_begin( malloc( bytes ), bytes, &options, &p->world ), bv_ok );
	p->shape[0] = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	p->body[0] = ( bvw_body ){ p->shape, bv_transform_identity() };
	p->reach[0] = INFINITY;
	p->awake[0] = 1;
	bvw_object floor = { .box = box_of( p, 0 ) };
	assert_int_equal( bvw_broadphase_add( p->world, 0, &floor ), bv_ok );
	for ( uint32_t i = 1; i < bodies; ++i )
	{
		put_body( p, i );
	}
	return p;
}

static inline void pushes_end( pushes* p )
{
	free( p->world );
	free( p );
}

static inline void slide( pushes* p, uint32_t i )
{
	bv_transform* t = &p->body[i].placement;
	bool is_far = draw_below( &p->random, 12 ) == 0;
	bv_vec3 by = draw_vector( &p->random, is_far ? 0.5 : 0.01 );
	bv_vec3 to = bv_add( t->pose.translation, by );
	to.z = fmax( to.z, 0 );
	if ( draw_below( &p->random, 3 ) == 0 )
	{
		bv_transform turn = turned( &p->random, 0.02, bv_vec3_make( 0, 0, 0 ) );
		*t = bv_transform_compose( &turn, t );
	}
	t->pose.translation = to;
	bv_aabb box = box_of( p, i );
	assert_int_equal( bvw_broadphase_move( p->world, i, &box ), bv_ok );
	p->awake[i] = 1;
}

// Some bodies move, some sleep, and some are replaced.
static inline void push( pushes* p )
{
	p->awake[0] = 0;
	for ( uint32_t i = 1; i < p->bodies; ++i )
	{
		bvw_object object;
		p->awake[i] = 0;
		switch ( draw_below( &p->random, 30 ) )
		{
		case 0:
			if ( bvw_broadphase_get( p->world, i, &object ) )
			{
				assert_int_equal( bvw_broadphase_remove( p->world, i ), bv_ok );
				p->body[i].shape = NULL;
			}
			break;
		case 1:
			(void)bvw_broadphase_remove( p->world, i );
			put_body( p, i );
			break;
		default:
			if ( p->body[i].shape && draw_below( &p->random, 3 ) > 0 )
			{
				slide( p, i );
			}
			break;
		}
	}
}

static inline bvw_contacts_step_input input_of( const pushes* p, const bvw_changes* changes )
{
	return ( bvw_contacts_step_input ){ .changes = changes,
		                                .bodies = p->body,
		                                .body_count = p->bodies,
		                                .awake = p->awake,
		                                .speculative = p->speculative };
}

static inline bvw_contacts* begin_contacts_with( const bvw_contacts_options* options, uint8_t fill )
{
	size_t bytes = bvw_contacts_bytes( options );
	assert_true( bytes > 0 );
	void* memory = malloc( bytes );
	memset( memory, fill, bytes );
	bvw_contacts* out = NULL;
	assert_int_equal( bvw_contacts_begin( memory, bytes, options, &out ), bv_ok );
	assert_ptr_equal( out, memory );
	return out;
}

static inline bvw_contacts* begin_contacts( uint32_t pairs, uint8_t fill )
{
	const bvw_contacts_options options = { .pairs = pairs, .workers = BVW_MAX_WORKERS };
	return begin_contacts_with( &options, fill );
}

static inline bvw_contacts* copy_contacts( const bvw_contacts* from, uint32_t pairs )
{
	bvw_contacts_options options = { .pairs = pairs, .workers = BVW_MAX_WORKERS };
	size_t bytes = bvw_contacts_bytes( &options );
	void* memory = malloc( bytes );
	bvw_contacts* out = NULL;
	assert_int_equal( bvw_contacts_copy( from, memory, bytes, &options, &out ), bv_ok );
	return out;
}

static inline void require_same( const char* what )
{
	if ( what )
	{
		fail_msg( "contacts differ from the model: %s", what );
	}
}
