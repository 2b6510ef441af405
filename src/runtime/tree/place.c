// The placement of stored positions. See place.h.

#include "runtime/tree/place.h"

#include "runtime/math/wide.h"

// translation + row * ( scale * offset ) - to
static double moved( double translation, const double row[3], double scale, const double offset[3],
                     double to )
{
	bvmath_wide sum = bvmath_wide_sum( translation, -to );
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_wide scaled = bvmath_wide_product( scale, offset[i] );
		bvmath_wide product = bvmath_wide_product( row[i], scaled.high );
		product.low += row[i] * scaled.low;
		sum = bvmath_wide_add( sum, product );
	}
	return sum.high + sum.low;
}

const bv_transform* bvtree_place_far( const bv_vec3* to, const bv_vec3* of, const bv_transform* placement,
                                      bv_transform* storage )
{
	static const bv_vec3 none = { 0, 0, 0 };
	to = to ? to : &none;
	of = of ? of : &none;
	bv_transform t = placement ? *placement : bv_transform_identity();
	const double offset[3] = { t.mirror ? -of->x : of->x, of->y, of->z };
	bv_vec3 from = t.pose.translation;
	*storage = t;
	storage->pose.translation = ( bv_vec3 ){ moved( from.x, t.pose.rotation[0], t.scale, offset, to->x ),
		                                     moved( from.y, t.pose.rotation[1], t.scale, offset, to->y ),
		                                     moved( from.z, t.pose.rotation[2], t.scale, offset, to->z ) };
	return storage;
}
