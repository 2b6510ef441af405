// From shapes to stored primitives and back. See stored.h.

#include "offline/recognize/stored.h"

#include "offline/fit/obb.h"
#include "offline/recognize/minimax.h"

#include <math.h>

enum
{
	doublings = 22, // of a cylinder's length
};

static float to_float( double x )
{
	return (float)x + 0.0f;
}

static bv_vec3 stored_point( const bvrecog_place* place, bv_vec3 p )
{
	p = bvrecog_place_out( place, p );
	return ( bv_vec3 ){ to_float( p.x ), to_float( p.y ), to_float( p.z ) };
}

static bv_obb store_box( const bvrecog_place* place, const bvrecog_shape* shape )
{
	// Its frame is rounded as those of all boxes are.
	bvfit_span span = bvfit_span_begin( shape->axis, place->origin );
	bv_vec3 center = bvrecog_place_out( place, shape->center );
	span.box.center[0] = to_float( center.x );
	span.box.center[1] = to_float( center.y );
	span.box.center[2] = to_float( center.z );
	for ( int i = 0; i < 3; ++i )
	{
		span.box.half_extents[i] = to_float( place->unit * shape->half[i] );
	}
	return bvvol_obb_unpack( &span.box );
}

static bool are_equal( bv_vec3 a, bv_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The ends of a flat cylinder must not become one.
static void part_ends( bv_vec3 ends[2], bv_vec3 along )
{
	double x = fabs( along.x );
	double y = fabs( along.y );
	double z = fabs( along.z );
	double* at = x >= y && x >= z ? &ends[1].x : y >= z ? &ends[1].y : &ends[1].z;
	double way = x >= y && x >= z ? along.x : y >= z ? along.y : along.z;
	*at = nextafterf( (float)*at, way < 0 ? -INFINITY : INFINITY );
}

static bv_primitive store_ends( const bvrecog_place* place, const bvrecog_shape* shape )
{
	bv_primitive p = { .kind = shape->kind };
	bv_vec3 ends[2] = { stored_point( place, shape->ends[0] ), stored_point( place, shape->ends[1] ) };
	double radius = to_float( place->unit * shape->radius );
	switch ( shape->kind )
	{
	case bv_primitive_sphere: p.sphere = ( bv_sphere ){ ends[0], radius }; break;
	case bv_primitive_capsule: p.capsule = ( bv_capsule ){ { ends[0], ends[1] }, radius }; break;
	default:
		if ( are_equal( ends[0], ends[1] ) )
		{
			part_ends( ends, shape->along );
		}
		radius = radius > 0 ? radius : 0x1p-149;
		p.cylinder = ( bv_cylinder ){ { ends[0], ends[1] }, radius };
		break;
	}
	return p;
}

bvrecog_shape bvrecog_shape_stored( const bvrecog_place* place, const bv_primitive* primitive )
{
	const bv_vec3* ends = primitive->capsule.ends;
	double radius = primitive->capsule.radius;
	bvrecog_shape shape = { .kind = primitive->kind };
	switch ( primitive->kind )
	{
	case bv_primitive_box:
		shape.center = bvrecog_place_in( place, primitive->box.center );
		for ( int i = 0; i < 3; ++i )
		{
			shape.axis[i] = primitive->box.axis[i];
			shape.half[i] = place->inverse * primitive->box.half_extents[i];
		}
		return shape;
	case bv_primitive_sphere:
	{
		bv_vec3 center = bvrecog_place_in( place, primitive->sphere.center );
		return bvrecog_shape_rod( primitive->kind, center, center,
		                          place->inverse * primitive->sphere.radius );
	}
	case bv_primitive_cylinder:
		ends = primitive->cylinder.ends;
		radius = primitive->cylinder.radius;
		break;
	default: break;
	}
	shape = bvrecog_shape_rod( primitive->kind, bvrecog_place_in( place, ends[0] ),
	                           bvrecog_place_in( place, ends[1] ), place->inverse * radius );
	shape.along = bv_scale( place->inverse, bv_sub( ends[1], ends[0] ) );
	return shape;
}

// With the radius that fits the rounded ends best.
static bv_primitive store_rod( const bvrecog_cloud* cloud, const bvrecog_shape* shape, double* error )
{
	bv_primitive p = store_ends( &cloud->place, shape );
	bvrecog_shape rounded = bvrecog_shape_stored( &cloud->place, &p );
	*error = bvrecog_cloud_error( cloud, &rounded );
	bvrecog_shape even = *shape;
	even.radius = bvmath_max( rounded.radius + bvrecog_cloud_offset( cloud, &rounded ), 0 );
	bv_primitive better = store_ends( &cloud->place, &even );
	rounded = bvrecog_shape_stored( &cloud->place, &better );
	double better_error = bvrecog_cloud_error( cloud, &rounded );
	if ( better_error < *error )
	{
		*error = better_error;
		p = better;
	}
	return p;
}

// The ends of a flat cylinder are so near each other that rounding them turns the axis: a somewhat longer one
// may be better.
static bv_primitive store_cylinder( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double before = bvrecog_cloud_error( cloud, shape );
	double least;
	bv_primitive best = store_rod( cloud, shape, &least );
	bvrecog_shape longer = *shape;
	for ( int i = 0; i < doublings && least > before * ( 1 + 0x1p-6 ) + 0x1p-22; ++i )
	{
		longer = bvrecog_shape_with_length( &longer, 2 * bvrecog_shape_length( &longer ) );
		double error;
		bv_primitive p = store_rod( cloud, &longer, &error );
		if ( error < least )
		{
			least = error;
			best = p;
		}
	}
	return best;
}

bv_primitive bvrecog_shape_store( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double error;
	switch ( shape->kind )
	{
	case bv_primitive_box:
		return ( bv_primitive ){ .kind = shape->kind, .box = store_box( &cloud->place, shape ) };
	case bv_primitive_cylinder: return store_cylinder( cloud, shape );
	default: return store_rod( cloud, shape, &error );
	}
}
