// Constructors of convex shapes. See bv/shape.h.

#include "bv/file.h"
#include "bv/shape.h"

bv_convex bv_convex_points( const bv_vec3* points, uint32_t count, double radius )
{
	return ( bv_convex ){ .points = points, .count = count, .radius = radius };
}

bv_convex bv_convex_point( bv_vec3 point )
{
	return bv_convex_sphere( point, 0 );
}

bv_convex bv_convex_sphere( bv_vec3 center, double radius )
{
	return ( bv_convex ){ .kind = bv_convex_of_corners, .corner = { center }, .count = 1, .radius = radius };
}

bv_convex bv_convex_segment( bv_vec3 from, bv_vec3 to )
{
	return bv_convex_capsule( from, to, 0 );
}

bv_convex bv_convex_capsule( bv_vec3 from, bv_vec3 to, double radius )
{
	return (
		bv_convex ){ .kind = bv_convex_of_corners, .corner = { from, to }, .count = 2, .radius = radius };
}

bv_convex bv_convex_triangle( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	return ( bv_convex ){ .kind = bv_convex_of_corners, .corner = { a, b, c }, .count = 3 };
}

bv_convex bv_convex_box( bv_vec3 center, bv_vec3 half_extents )
{
	bv_obb box = {
		.center = center,
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { half_extents.x, half_extents.y, half_extents.z },
		.rotation = { 0, 0, 0, 1 },
	};
	return bv_convex_obb( &box );
}

bv_convex bv_convex_obb( const bv_obb* box )
{
	return ( bv_convex ){ .kind = bv_convex_of_box, .box = *box };
}

bv_convex bv_convex_cylinder( bv_vec3 from, bv_vec3 to, double radius )
{
	return ( bv_convex ){ .kind = bv_convex_of_cylinder, .corner = { from, to }, .disc = radius };
}

bv_convex bv_convex_cone( bv_vec3 base, bv_vec3 apex, double radius )
{
	return ( bv_convex ){ .kind = bv_convex_of_cone, .corner = { base, apex }, .disc = radius };
}

bv_convex bv_convex_ellipsoid( const bv_obb* box )
{
	return ( bv_convex ){ .kind = bv_convex_of_ellipsoid, .box = *box };
}

bv_convex bv_convex_hull( const bv_file* file )
{
	return ( bv_convex ){ .kind = bv_convex_of_hull, .file = file };
}

bv_convex bv_convex_part( const bv_file* file, uint32_t part )
{
	return ( bv_convex ){ .kind = bv_convex_of_part, .file = file, .part = part };
}

bv_convex bv_convex_primitive( const bv_file* file )
{
	bv_recognized recognized;
	bv_primitive p;
	if ( !file || !bv_file_get_recognized( file, &recognized ) || recognized.best >= bv_primitive_kinds ||
	     !bv_file_get_primitive( file, recognized.best, &p ) )
	{
		return ( bv_convex ){ .count = 0 };
	}
	switch ( p.kind )
	{
	case bv_primitive_box: return bv_convex_obb( &p.box );
	case bv_primitive_sphere: return bv_convex_sphere( p.sphere.center, p.sphere.radius );
	case bv_primitive_capsule:
		return bv_convex_capsule( p.capsule.ends[0], p.capsule.ends[1], p.capsule.radius );
	default: return bv_convex_cylinder( p.cylinder.ends[0], p.cylinder.ends[1], p.cylinder.radius );
	}
}

bv_convex bv_convex_support( bv_support_callback* support, const void* context )
{
	return ( bv_convex ){ .kind = bv_convex_of_support, .support = support, .context = context };
}

bv_convex bv_convex_graph( const bv_vec3* points, uint32_t count, const uint32_t* first_neighbor,
                           const uint32_t* neighbors )
{
	bv_convex out = { .kind = bv_convex_of_graph,
		              .points = points,
		              .count = count,
		              .first_neighbor = first_neighbor,
		              .neighbors = neighbors };
	for ( uint32_t i = 0; i < count && points; ++i )
	{
		double reach = fabs( points[i].x ) + fabs( points[i].y ) + fabs( points[i].z );
		bool is_less = reach <= out.reach || isnan( out.reach ); // NaN remains: queries reject it
		out.reach = is_less ? out.reach : reach;
	}
	return out;
}

bv_convex bv_convex_half_space( bv_vec3 normal, double offset )
{
	return ( bv_convex ){ .kind = bv_convex_of_half_space, .normal = normal, .offset = offset };
}
