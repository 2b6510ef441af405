// What tests of casts share: random rays and moving boxes, which all methods get, and which must have the same hits.

#pragma once

#include "worlds.h"

#include "bvworld/queries.h"

enum
{
	objects = 120,
};

static inline double draw_part_of( uint64_t* random, double length )
{
	switch ( draw_below( random, 8 ) )
	{
	case 0:
	case 1: return 0;
	case 2: return -length;
	case 3: return length * 0x1p-30;
	case 4: return length * ( draw_unit( random ) - 0.5 );
	default: return floor( 7 * draw_unit( random ) ) - 3;
	}
}

static inline double corner_of( uint64_t* random, double low, double high )
{
	double x = draw_below( random, 2 ) ? low : high;
	return isfinite( x ) ? x : 0;
}

static inline bv_vec3 draw_corner( uint64_t* random, const bv_aabb* b )
{
	double x = corner_of( random, b->lower.x, b->upper.x );
	double y = corner_of( random, b->lower.y, b->upper.y );
	return ( bv_vec3 ){ x, y, corner_of( random, b->lower.z, b->upper.z ) };
}

static inline bv_aabb box_of_some( fleet* f, scene kind )
{
	bvw_object o;
	uint32_t number = draw_below( &f->random, objects );
	return bvw_broadphase_get( f->world[0], number, &o ) ? o.box : draw_box( &f->random, kind, 8 );
}

// From one corner to another one, so that edges are grazed; along axes; anything.
static inline bv_vec3 draw_motion( fleet* f, scene kind, bv_vec3 from )
{
	if ( draw_below( &f->random, 2 ) )
	{
		bv_aabb to = box_of_some( f, kind );
		return bv_sub( draw_corner( &f->random, &to ), from );
	}
	double length = kind == scene_tiny ? 0x1p-1068 : kind == scene_huge ? 0x1p195 : 20;
	double x = draw_part_of( &f->random, length );
	double y = draw_part_of( &f->random, length );
	return ( bv_vec3 ){ x, y, draw_part_of( &f->random, length ) };
}

static inline bv_ray draw_ray( fleet* f, scene kind )
{
	bv_aabb box = box_of_some( f, kind );
	bv_ray ray = { .origin = draw_corner( &f->random, &box ) };
	if ( draw_below( &f->random, 3 ) == 0 )
	{
		box = draw_box( &f->random, kind, 8 );
		ray.origin = draw_corner( &f->random, &box );
	}
	ray.direction = draw_motion( f, kind, ray.origin );
	if ( draw_below( &f->random, 3 ) == 0 )
	{
		// Back to a corner from outside.
		ray.origin = bv_sub( ray.origin, ray.direction );
	}
	static const double ends[] = { 0, 1, 2, 0.5, 1, 3, 1e300, (double)INFINITY };
	ray.to = ends[draw_below( &f->random, 8 )];
	ray.from = draw_below( &f->random, 3 ) ? 0 : draw_unit( &f->random ) * 2;
	ray.from = draw_below( &f->random, 4 ) ? ray.from : 1;
	return ray;
}

static inline bool ray_is_valid( const bv_ray* r )
{
	const double all[] = { r->origin.x,    r->origin.y,    r->origin.z,
		                   r->direction.x, r->direction.y, r->direction.z };
	bool is_valid = true;
	for ( int k = 0; k < 6; ++k )
	{
		is_valid = is_valid && fabs( all[k] ) <= BV_MAX_LENGTH;
	}
	return is_valid && fabs( all[3] ) + fabs( all[4] ) + fabs( all[5] ) >= 1 / BV_MAX_LENGTH;
}

static inline bvw_filter draw_cast_filter( uint64_t* random )
{
	bvw_filter f = { 0, 0 };
	switch ( draw_below( random, 6 ) )
	{
	case 0: f.mask = 1; break;
	case 1: f.category = UINT64_C( 1 ) << draw_below( random, 64 ); break;
	case 2: f.mask = draw( random ); break;
	default: break;
	}
	return f;
}

// What a query casts: a ray, or a box.
typedef struct question
{
	bool is_ray;
	bv_ray ray;
	bv_aabb box;
	bv_vec3 motion;
} question;

static inline question draw_question( fleet* f, scene kind )
{
	question q = { .is_ray = draw_below( &f->random, 2 ) != 0 };
	if ( q.is_ray )
	{
		do
		{
			q.ray = draw_ray( f, kind );
		} while ( !ray_is_valid( &q.ray ) && kind != scene_tiny );
	}
	q.box = box_of_some( f, kind );
	q.motion = draw_motion( f, kind, draw_corner( &f->random, &q.box ) );
	q.motion = draw_below( &f->random, 16 ) ? q.motion : ( bv_vec3 ){ 0, 0, 0 };
	q.is_ray = q.is_ray && ray_is_valid( &q.ray );
	return q;
}

static inline bv_status ask( const bvw_broadphase* world, const question* q, const bvw_cast_options* options,
                             bvw_hit* hits, uint32_t most, bvw_found* found )
{
	return q->is_ray ? bvw_broadphase_cast_ray( world, &q->ray, options, hits, most, found )
	                 : bvw_broadphase_cast_box( world, &q->box, q->motion, options, hits, most, found );
}

static inline bool are_equal( const bvw_hit* a, const bvw_hit* b, uint32_t count )
{
	bool equal = true;
	for ( uint32_t i = 0; i < count && equal; ++i )
	{
		equal = a[i].number == b[i].number && a[i].time.lower == b[i].time.lower &&
		        a[i].time.upper == b[i].time.upper;
	}
	return equal;
}

// @param all  receives all hits
// @return how many
static inline uint32_t ask_all( fleet* f, const question* q, const bvw_cast_options* options, bvw_hit* all )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		bvw_hit hits[objects];
		memset( hits, 0, sizeof hits );
		bvw_found found = { .count = UINT32_MAX };
		assert_int_equal( ask( f->world[i], q, options, hits, objects, &found ), bv_ok );
		if ( i == 0 )
		{
			count = found.count;
			memcpy( all, hits, sizeof hits );
		}
		if ( found.count != count || !are_equal( hits, all, count ) )
		{
			fleet_fail( f, i, "other hits than the first method" );
		}
		assert_true( found.tests >= count );
	}
	return count;
}

// With every length of the array, the first ones of all.
static inline void check_first( fleet* f, const question* q, const bvw_cast_options* options,
                                const bvw_hit* all, uint32_t count )
{
	const uint32_t lengths[] = { 1, 2, 3 + draw_below( &f->random, 10 ) };
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bvw_hit hits[objects];
			memset( hits, 0xee, sizeof hits );
			bvw_found found;
			assert_int_equal( ask( f->world[i], q, options, hits, lengths[k], &found ), bv_ok );
			uint32_t expected = count < lengths[k] ? count : lengths[k];
			if ( found.count != expected || !are_equal( hits, all, expected ) )
			{
				fleet_fail( f, i, "the first hits" );
			}
			const uint8_t* behind = (const uint8_t*)( hits + lengths[k] );
			for ( size_t n = 0; n < ( objects - lengths[k] ) * sizeof *hits; ++n )
			{
				assert_int_equal( behind[n], 0xee );
			}
		}
		bvw_cast_options any = options ? *options : bvw_cast_options_default();
		any.any = true;
		bvw_hit hit = { .number = UINT32_MAX };
		bvw_found found;
		assert_int_equal( ask( f->world[i], q, &any, &hit, 1, &found ), bv_ok );
		assert_int_equal( found.count, count > 0 );
		bool is_one = count == 0;
		for ( uint32_t n = 0; n < count; ++n )
		{
			is_one = is_one || all[n].number == hit.number;
		}
		assert_true( is_one );
	}
}

static inline void shuffle_objects( fleet* f, scene kind, uint32_t changes )
{
	for ( uint32_t i = 0; i < changes; ++i )
	{
		uint32_t number = draw_below( &f->random, objects );
		bvw_object o = draw_object( &f->random, kind, 8 );
		if ( draw_below( &f->random, 8 ) == 0 )
		{
			fleet_remove( f, number );
		}
		else if ( model_has( &f->model, number ) )
		{
			fleet_move( f, number, &o.box );
		}
		else
		{
			fleet_add( f, number, &o );
		}
	}
}
