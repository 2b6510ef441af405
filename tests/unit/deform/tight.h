// How much larger than necessary the volumes of a refit are, by the definitions in src/runtime/tree/refit.c, which is given the center
// and the axes: computed in binary64 from the corners of a node's triangles.

#pragma once

#include "tests/unit/deform/deformed.h"

// Extents of a node's corners along a direction.
typedef struct tight_span
{
	double lower;
	double upper;
} tight_span;

static inline double tight_dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline bv_vec3 tight_corner( const plain_node* node, const bvb_mesh* mesh, uint32_t k )
{
	return mesh->positions[mesh->triangles[node->first_triangle + k / 3].corner[k % 3]];
}

static inline tight_span span_along( const plain_node* node, const bvb_mesh* mesh, bv_vec3 direction,
                                     bv_vec3 from )
{
	tight_span s = { INFINITY, -INFINITY };
	for ( uint32_t k = 0; k < 3 * node->triangles; ++k )
	{
		bv_vec3 p = tight_corner( node, mesh, k );
		bv_vec3 d = { p.x - from.x, p.y - from.y, p.z - from.z };
		double t = tight_dot( direction, d );
		s.lower = fmin( s.lower, t );
		s.upper = fmax( s.upper, t );
	}
	return s;
}

static inline bv_vec3 unit_vector( int axis )
{
	return ( bv_vec3 ){ axis == 0, axis == 1, axis == 2 };
}

// The greatest distance from a rectangle with orthonormal axes; half extents of 0 for its center.
static inline double distance_from( const plain_node* node, const bvb_mesh* mesh, bv_vec3 center,
                                    const bv_vec3 axis[3], const double half[2] )
{
	double greatest = 0;
	for ( uint32_t k = 0; k < 3 * node->triangles; ++k )
	{
		bv_vec3 p = tight_corner( node, mesh, k );
		bv_vec3 d = { p.x - center.x, p.y - center.y, p.z - center.z };
		double square = 0;
		for ( int i = 0; i < 3; ++i )
		{
			double t = fabs( tight_dot( axis[i], d ) ) - ( i < 2 ? half[i] : 0 );
			square += t > 0 ? t * t : 0;
		}
		greatest = fmax( greatest, sqrt( square ) );
	}
	return greatest;
}

// The least code whose square is enough.
static inline double least_code( double extent, double unit )
{
	double code = floor( sqrt( extent / unit ) );
	while ( code * code * unit < extent )
	{
		++code;
	}
	return code;
}

// What margins for rounding may add to an extent: 2^-16 of the size of a node and of the steps that its center is rounded to.
static inline double tight_margin( const plain_node* node, double size )
{
	return 0x1p-16 * ( size + node->step[0] + node->step[1] + node->step[2] ) + 0x1p-108;
}

static inline void assert_extent( const plain_node* node, uint32_t number, int which, double decoded,
                                  double needed, double size )
{
	double most = needed + tight_margin( node, size );
	if ( node->is_root )
	{
		if ( !( decoded <= most * ( 1 + 0x1p-22 ) + 0x1p-148 ) )
		{
			fail_msg( "extent %d of the root, a %s, is %.9g instead of %.9g", which,
			          bv_volume_type_name( node->volume.type ), decoded, needed );
		}
		return;
	}
	double code = node->square[which];
	double least = least_code( needed, node->unit );
	if ( !( code <= least + 1 || code * code * node->unit <= most ) )
	{
		fail_msg( "extent %d of node %u, a %s, has the code %g instead of %g", which, number,
		          bv_volume_type_name( node->volume.type ), code, least );
	}
}

// The center is the nearest point of its grid to a place, which is computed in binary32.
static inline void assert_centered( const plain_node* node, uint32_t number, bv_vec3 center, bv_vec3 place,
                                    double size )
{
	const double at[3] = { center.x, center.y, center.z };
	const double to[3] = { place.x, place.y, place.z };
	for ( int i = 0; i < 3; ++i )
	{
		double step = ( node->is_root ? 0x1p-148 : node->step[i] / 2 ) + 0x1p-23 * fabs( to[i] );
		if ( !( fabs( at[i] - to[i] ) <= step * ( 1 + 0x1p-12 ) + tight_margin( node, size ) ) )
		{
			fail_msg( "coordinate %d of the center of node %u, a %s of size %.9g, is %.9g instead of %.9g, "
			          "with steps of %.9g",
			          i, number, bv_volume_type_name( node->volume.type ), size, at[i], to[i], 2 * step );
		}
	}
}

static inline void assert_tight_bounds( const plain_node* node, uint32_t number, const bvb_mesh* mesh,
                                        bv_vec3 middle, double size )
{
	const bv_vec3 origin = { 0, 0, 0 };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		double bound[2];
		double step;
		bool is_box = node->volume.type == bv_volume_aabb;
		if ( is_box ? i >= 3 : !bv_kdop_uses( node->volume.kdop.k, i ) )
		{
			continue;
		}
		bv_vec3 d = bv_kdop_direction( i );
		if ( is_box )
		{
			bound[0] = tight_dot( d, node->volume.aabb.lower );
			bound[1] = tight_dot( d, node->volume.aabb.upper );
			step = 4 * node->step[i];
		}
		else
		{
			bound[0] = node->volume.kdop.lower[i];
			bound[1] = node->volume.kdop.upper[i];
			step = 4 * node->slab * ( fabs( d.x ) + fabs( d.y ) + fabs( d.z ) );
		}
		tight_span s = span_along( node, mesh, d, origin );
		double far = fabs( middle.x ) + fabs( middle.y ) + fabs( middle.z );
		double margin = i < 3 ? 0 : tight_margin( node, size ) + 0x1p-48 * far;
		if ( node->is_root )
		{
			step = i < 3 ? 0 : 0x1p-22 * fmax( fabs( s.lower ), fabs( s.upper ) );
			margin += i < 3 ? 0 : 0x1p-148;
		}
		// Exact along the axes, where the other bound is less than a code away.
		bool is_exact = i < 3 && !node->is_root;
		double more[2] = { s.lower - bound[0], bound[1] - s.upper };
		for ( int k = 0; k < 2; ++k )
		{
			bool is_next = k == 0 ? bound[0] + step > s.lower : bound[1] - step < s.upper;
			if ( !( is_exact ? is_next : more[k] <= step + margin ) )
			{
				fail_msg(
					"bound %d along direction %u of node %u, a %s, is %.9g too far out, with steps of %.9g",
					k, i, number, bv_volume_type_name( node->volume.type ), more[k], step );
			}
		}
	}
}

static inline void assert_tight_frame( const plain_node* node, uint32_t number, const bvb_mesh* mesh,
                                       bv_vec3 center, const bv_vec3 axis[3], const double extent[3],
                                       double size )
{
	double half[3];
	bv_vec3 middle = center;
	for ( int k = 0; k < 3; ++k )
	{
		tight_span s = span_along( node, mesh, axis[k], center );
		double to = ( s.lower + s.upper ) / 2;
		half[k] = ( s.upper - s.lower ) / 2;
		middle.x += to * axis[k].x;
		middle.y += to * axis[k].y;
		middle.z += to * axis[k].z;
		if ( node->volume.type == bv_volume_obb )
		{
			assert_extent( node, number, k, extent[k], fmax( s.upper, -s.lower ), size );
		}
	}
	assert_centered( node, number, center, middle, size );
	if ( node->volume.type != bv_volume_rss )
	{
		return;
	}
	// One of the two rectangles.
	const double less[2] = { fmax( half[0] - half[2], 0 ), fmax( half[1] - half[2], 0 ) };
	double from_whole = fabs( extent[0] - half[0] ) + fabs( extent[1] - half[1] );
	double from_less = fabs( extent[0] - less[0] ) + fabs( extent[1] - less[1] );
	for ( int k = 0; k < 2; ++k )
	{
		assert_extent( node, number, k, extent[k], from_less < from_whole ? less[k] : half[k], size );
	}
	assert_extent( node, number, 2, extent[2], distance_from( node, mesh, center, axis, extent ), size );
}

// A prism is centered along its third axis as well as its grid allows, unless the center of the smallest one is beyond the reach of that grid.
static inline void assert_centered_prism( const plain_node* node, uint32_t number, const bvb_mesh* mesh,
                                          const tight_span* along, double size )
{
	const bv_obb* box = &node->volume.prism.box;
	const double center[3] = { box->center.x, box->center.y, box->center.z };
	const double axis[3] = { box->axis[2].x, box->axis[2].y, box->axis[2].z };
	double most = tight_margin( node, size );
	for ( int i = 0; i < 3; ++i )
	{
		tight_span s = span_along( node, mesh, unit_vector( i ), ( bv_vec3 ){ 0, 0, 0 } );
		double reach = size / 2 - node->step[i];
		if ( !node->is_root && !( center[i] > s.lower - reach && center[i] < s.upper + reach ) )
		{
			return;
		}
		most += fabs( axis[i] ) * ( ( node->is_root ? 0 : node->step[i] / 2 ) + 0x1p-23 * fabs( center[i] ) );
	}
	double off = fabs( along->lower + along->upper ) / 2;
	if ( !( off <= most * ( 1 + 0x1p-12 ) ) )
	{
		fail_msg( "node %u, a prism of size %.9g, is off its center by %.9g instead of %.9g", number, size,
		          off, most );
	}
}

// Of the height that it has, a prism has the shortest base.
static inline void assert_tight_prism( const plain_node* node, uint32_t number, const bvb_mesh* mesh,
                                       double size )
{
	const bv_obb* box = &node->volume.prism.box;
	const double* h = box->half_extents;
	double base = 0;
	for ( uint32_t k = 0; k < 3 * node->triangles; ++k )
	{
		bv_vec3 p = tight_corner( node, mesh, k );
		bv_vec3 d = { p.x - box->center.x, p.y - box->center.y, p.z - box->center.z };
		double side = fabs( tight_dot( box->axis[0], d ) );
		double below = h[1] - tight_dot( box->axis[1], d );
		double slope = below > 0 ? 2 * h[1] / below : 0;
		base = fmax( base, side * fmax( slope, 1 ) );
	}
	tight_span along = span_along( node, mesh, box->axis[2], box->center );
	assert_centered_prism( node, number, mesh, &along, size );

	// Near the tip, the base of the root depends much on the rounding of the height.
	base *= node->is_root ? 1 + 0x1p-7 : 1;
	assert_extent( node, number, 0, h[0], base, size );
	assert_extent( node, number, 2, h[2], fmax( along.upper, -along.lower ), size );
}

static inline void assert_tight( const plain_nodes* nodes, const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < nodes->count; ++i )
	{
		const plain_node* node = nodes->node + i;
		const bv_volume* v = &node->volume;
		bv_vec3 middle = { 0, 0, 0 };
		double size = 0;
		for ( int k = 0; k < 3; ++k )
		{
			tight_span s = span_along( node, mesh, unit_vector( k ), ( bv_vec3 ){ 0, 0, 0 } );
			size = fmax( size, s.upper - s.lower );
			( &middle.x )[k] = ( s.lower + s.upper ) / 2;
		}
		switch ( v->type )
		{
		case bv_volume_sphere:
		{
			const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
			assert_centered( node, i, v->sphere.center, middle, size );
			assert_extent( node, i, 0, v->sphere.radius,
			               distance_from( node, mesh, v->sphere.center, axis, ( double[2] ){ 0, 0 } ), size );
			break;
		}
		case bv_volume_obb:
			assert_tight_frame( node, i, mesh, v->obb.center, v->obb.axis, v->obb.half_extents, size );
			break;
		case bv_volume_rss:
			assert_tight_frame(
				node, i, mesh, v->rss.center, v->rss.axis,
				( const double[3] ){ v->rss.half_extents[0], v->rss.half_extents[1], v->rss.radius }, size );
			break;
		case bv_volume_prism: assert_tight_prism( node, i, mesh, size ); break;
		default: assert_tight_bounds( node, i, mesh, middle, size );
		}
	}
}

// The least and the greatest coordinates that a frame must reach: of bounds the exact ones, of other volumes their centers.
static inline void frame_range( const plain_node* node, const bvb_mesh* mesh, int axis, double* lower,
                                double* upper )
{
	const bv_volume* v = &node->volume;
	bool is_bounded =
		v->type == bv_volume_aabb || ( v->type >= bv_volume_kdop14 && v->type <= bv_volume_kdop26 );
	if ( is_bounded )
	{
		tight_span s = span_along( node, mesh, unit_vector( axis ), ( bv_vec3 ){ 0, 0, 0 } );
		*lower = fmin( *lower, s.lower );
		*upper = fmax( *upper, s.upper );
		return;
	}
	bv_vec3 c = v->type == bv_volume_sphere  ? v->sphere.center
	            : v->type == bv_volume_rss   ? v->rss.center
	            : v->type == bv_volume_prism ? v->prism.box.center
	                                         : v->obb.center;
	double at = tight_dot( unit_vector( axis ), c );
	*lower = fmin( *lower, at );
	*upper = fmax( *upper, at );
}

// Frames have the finest steps and units that reach over their children, the grid the finest steps that reach over all.
static inline void assert_fine( const plain_nodes* nodes, const bvb_mesh* mesh )
{
	double largest = 0;
	double size = 0;
	bool has_sums = false;
	for ( int k = 0; k < 3; ++k )
	{
		tight_span s = span_along( nodes->node, mesh, unit_vector( k ), ( bv_vec3 ){ 0, 0, 0 } );
		largest = fmax( largest, fmax( fabs( s.lower ), fabs( s.upper ) ) );
		size = fmax( size, s.upper - s.lower );
	}
	for ( uint32_t i = 0; i < nodes->count; ++i )
	{
		bv_volume_type type = nodes->node[i].volume.type;
		has_sums = has_sums || ( type >= bv_volume_kdop14 && type <= bv_volume_kdop26 );
	}
	int exponent = 0;
	frexp( largest, &exponent );
	double finest = fmax( largest > 0 ? ldexp( 1, exponent - ( has_sums ? 21 : 23 ) ) : 0, 0x1p-140 );
	assert_true( nodes->count == 1 || nodes->grid_step <= finest || nodes->grid_step / 2 * 61438 < 2 * size );
	for ( uint32_t first = 1; first < nodes->count; )
	{
		const plain_node* node = nodes->node + first;
		uint32_t end = first;
		double square = 0;
		bool has_prism = false;
		bool has_extents = false;
		for ( ; end < nodes->count && nodes->node[end].parent == node->parent; ++end )
		{
			const plain_node* n = nodes->node + end;
			has_prism = has_prism || n->volume.type == bv_volume_prism;
			for ( int k = 0; k < 3; ++k )
			{
				square = fmax( square, n->square[k] );
				has_extents = has_extents || n->square[k] > 0;
			}
		}
		for ( int k = 0; k < 3; ++k )
		{
			double lower = INFINITY;
			double upper = -INFINITY;
			for ( uint32_t i = first; i < end; ++i )
			{
				frame_range( nodes->node + i, mesh, k, &lower, &upper );
			}
			double step = node->step[k];
			if ( !( node->origin[k] <= lower + 0x1p-22 * fabs( lower ) &&
			        node->origin[k] + nodes->grid_step + 2 * step > lower - 0x1p-22 * fabs( lower ) ) )
			{
				fail_msg( "the children of node %u begin at %.9g, their frame at %.9g", node->parent, lower,
				          node->origin[k] );
			}
			if ( !( step <= finest || step / 2 * 1020 < upper - node->origin[k] + step ) )
			{
				fail_msg( "the frame of the children of node %u has steps of %.9g for %.9g", node->parent,
				          step, upper - node->origin[k] );
			}
		}
		if ( !( node->extent == 0 || has_prism || !has_extents || square >= 178 ) )
		{
			fail_msg( "the greatest code of an extent of the children of node %u is %g", node->parent,
			          square );
		}
		first = end;
	}
}
