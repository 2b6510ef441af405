// Convex shapes. See shape.h.

#include "runtime/convex/shape.h"

#include "runtime/math/box.h"

// Of two different points of a curved surface no two have the same name, except by chance, and then a search
// ends early with bounds that hold.
static bvconvex_support named( bv_vec3 p )
{
	uint64_t bits[3];
	memcpy( bits, &p, sizeof bits );
	uint64_t mixed = 0;
	for ( int i = 0; i < 3; ++i )
	{
		mixed = ( mixed ^ bits[i] ) * UINT64_C( 0x9E3779B97F4A7C15 );
		mixed ^= mixed >> 32;
	}
	return ( bvconvex_support ){ p, (uint32_t)mixed };
}

// The largest coordinate becomes 1, so that squares neither overflow nor vanish.
static bv_vec3 unit_scale( bv_vec3 v )
{
	double largest = bvmath_max( fabs( v.x ), bvmath_max( fabs( v.y ), fabs( v.z ) ) );
	return largest > 0 && largest < INFINITY ? ( bv_vec3 ){ v.x / largest, v.y / largest, v.z / largest }
	                                         : ( bv_vec3 ){ 1, 0, 0 };
}

// The point of a disc around the origin, normal to `axis`, that is farthest along a vector.
static bv_vec3 disc_support( bv_vec3 axis, double radius, bv_vec3 along )
{
	bv_vec3 unit = unit_scale( axis );
	bv_vec3 across = unit_scale( along );
	double square = bv_dot( unit, unit );
	for ( int i = 0; i < 2; ++i ) // twice, because the first difference can be mostly rounding
	{
		across = bv_sub( across, bv_scale( bv_dot( across, unit ) / square, unit ) );
	}
	double length = sqrt( bv_dot( across, across ) );
	return length > 0x1p-50 ? bv_scale( radius / length, across ) : ( bv_vec3 ){ 0, 0, 0 };
}

static bvconvex_support cylinder_support( const void* shape, bv_vec3 along, uint32_t near )
{
	(void)near;
	const bv_convex* c = ( (const bvconvex_prepared*)shape )->convex;
	bv_vec3 axis = bv_sub( c->corner[1], c->corner[0] );
	const bv_vec3* end = c->corner + ( bv_dot( axis, along ) > 0 ? 1 : 0 );
	return named( bv_add( *end, disc_support( axis, c->disc, along ) ) );
}

static bvconvex_support cone_support( const void* shape, bv_vec3 along, uint32_t near )
{
	(void)near;
	const bv_convex* c = ( (const bvconvex_prepared*)shape )->convex;
	bv_vec3 axis = bv_sub( c->corner[1], c->corner[0] );
	bv_vec3 rim = disc_support( axis, c->disc, along );
	bool is_apex = bv_dot( axis, along ) > bv_dot( rim, along );
	return named( is_apex ? c->corner[1] : bv_add( c->corner[0], rim ) );
}

// The point of { A h u : |u| <= 1 } that is farthest along d has u along h A^T d.
static bvconvex_support ellipsoid_support( const void* shape, bv_vec3 along, uint32_t near )
{
	(void)near;
	const bv_obb* box = &( (const bvconvex_prepared*)shape )->convex->box;
	const double* h = box->half_extents;
	bv_vec3 d = unit_scale( along );
	bv_vec3 u = { h[0] * bv_dot( box->axis[0], d ), h[1] * bv_dot( box->axis[1], d ),
		          h[2] * bv_dot( box->axis[2], d ) };
	if ( !( bvmath_norm1( u ) > 0 ) )
	{
		return named( box->center );
	}
	u = unit_scale( u );
	u = bv_scale( 1 / sqrt( bv_dot( u, u ) ), u );
	bv_vec3 p = bv_add( bv_scale( h[0] * u.x, box->axis[0] ), bv_scale( h[1] * u.y, box->axis[1] ) );
	return named( bv_add( box->center, bv_add( p, bv_scale( h[2] * u.z, box->axis[2] ) ) ) );
}

static bv_vec3 hull_point( const bvconvex_prepared* s, uint32_t index )
{
	const bvfile_hull_view* v = &s->file_hull;
	return v->head->own ? bvfile_position_of( s->mesh, v->vertices, index )
	                    : bvfile_position_of( s->mesh, s->positions,
	                                          bvfile_index_at( v->vertices, v->vertex_bytes, index ) );
}

static bool improves( const bvconvex_prepared* s, bv_vec3 along, uint32_t index, double* most,
                      bvconvex_support* best )
{
	bv_vec3 p = hull_point( s, index );
	double at = bv_dot( along, p );
	if ( !( at > *most ) )
	{
		return false;
	}
	*most = at;
	*best = ( bvconvex_support ){ p, index };
	return true;
}

// Climbs from neighbor to neighbor, and compares the vertices that a climb may miss; without neighbors all of
// them.
// @return as stored
static bvconvex_support stored_hull_support( const bvconvex_prepared* s, bv_vec3 along, uint32_t near )
{
	bvconvex_support best = { hull_point( s, 0 ), 0 };
	double most = -INFINITY;
	const bvfile_hull_topology_view* t = &s->topology;
	along = unit_scale( along );
	if ( !t->head )
	{
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			improves( s, along, i, &most, &best );
		}
		return best;
	}
	uint32_t at = near < s->count ? near : 0;
	improves( s, along, at, &most, &best );
	for ( bool climbs = true; climbs; )
	{
		climbs = false;
		uint32_t end = t->first_neighbor[best.name + 1];
		for ( uint32_t i = t->first_neighbor[best.name]; i < end; ++i )
		{
			climbs |= improves( s, along, t->neighbors[i], &most, &best );
		}
	}
	for ( uint32_t i = 0; i < t->head->loose; ++i )
	{
		improves( s, along, t->loose[i], &most, &best );
	}
	return best;
}

static bvconvex_support file_hull_support( const void* shape, bv_vec3 along, uint32_t near )
{
	const bvconvex_prepared* s = shape;
	bvconvex_support best = stored_hull_support( s, along, near );
	best.at = bvfile_with_offset( best.at, s->offset );
	return best;
}

static bvconvex_support part_support( const void* shape, bv_vec3 along, uint32_t near )
{
	(void)near;
	const bvconvex_prepared* s = shape;
	uint32_t best = 0;
	double most = -INFINITY;
	along = unit_scale( along );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const float* p = s->part_points[i];
		double at = bv_dot( along, ( bv_vec3 ){ p[0], p[1], p[2] } );
		if ( at > most )
		{
			most = at;
			best = i;
		}
	}
	const float* p = s->part_points[best];
	return ( bvconvex_support ){ bvfile_with_offset( ( bv_vec3 ){ p[0], p[1], p[2] }, s->offset ), best };
}

static bvconvex_support called_support( const void* shape, bv_vec3 along, uint32_t near )
{
	(void)near;
	const bv_convex* c = ( (const bvconvex_prepared*)shape )->convex;
	return named( c->support( c->context, unit_scale( along ) ) );
}

static bool prepare_points( const bv_vec3* points, uint32_t count, bvconvex_prepared* out )
{
	out->hull = ( bvconvex_hull ){ .points = points, .count = count };
	bool good = points && count > 0;
	for ( uint32_t i = 0; good && i < count; ++i )
	{
		good = bvmath_is_in_range( points[i] );
	}
	return good;
}

static bool prepare_corners( const bv_convex* shape, bvconvex_prepared* out )
{
	memcpy( out->point, shape->corner, sizeof shape->corner );
	return shape->count <= 3 && prepare_points( out->point, shape->count, out );
}

static bool is_frame( const bv_obb* box )
{
	bv_pose frame = { .translation = box->center };
	bool good = bvmath_is_in_range( box->center );
	for ( int i = 0; i < 3; ++i )
	{
		frame.rotation[i][0] = box->axis[i].x;
		frame.rotation[i][1] = box->axis[i].y;
		frame.rotation[i][2] = box->axis[i].z;
		good = good && bvmath_is_length( box->half_extents[i] );
	}
	return good && bv_pose_is_rigid( &frame );
}

static bool prepare_box( const bv_convex* shape, bvconvex_prepared* out )
{
	const bv_obb* box = &shape->box;
	for ( int i = 0; i < 8; ++i )
	{
		out->point[i] = box->center;
		for ( int k = 0; k < 3; ++k )
		{
			double way = i >> k & 1 ? box->half_extents[k] : -box->half_extents[k];
			out->point[i] = bv_add( out->point[i], bv_scale( way, box->axis[k] ) );
		}
	}
	out->hull = ( bvconvex_hull ){ .points = out->point, .count = 8 };
	return is_frame( box );
}

// The box around a shape that is known by its support function, which must be in range.
static bool prepare_support( bvconvex_support_function* support, bvconvex_prepared* out )
{
	out->hull = ( bvconvex_hull ){ .support = support, .shape = out };
	double lower[3];
	double upper[3];
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 axis = { i == 0, i == 1, i == 2 };
		upper[i] = bvmath_component( support( out, axis, BVCONVEX_NO_POINT ).at, i );
		lower[i] = bvmath_component( support( out, bv_negate( axis ), BVCONVEX_NO_POINT ).at, i );
		if ( !( fabs( lower[i] ) <= BV_MAX_LENGTH && fabs( upper[i] ) <= BV_MAX_LENGTH &&
		        lower[i] <= upper[i] ) )
		{
			return false;
		}
		out->hull.extent += 0.5 * ( upper[i] - lower[i] );
	}
	out->hull.center = ( bv_vec3 ){ 0.5 * ( lower[0] + upper[0] ), 0.5 * ( lower[1] + upper[1] ),
		                            0.5 * ( lower[2] + upper[2] ) };
	out->point[0] = ( bv_vec3 ){ lower[0], lower[1], lower[2] };
	out->point[1] = ( bv_vec3 ){ upper[0], upper[1], upper[2] };
	return true;
}

static bool prepare_ends( const bv_convex* shape, bvconvex_support_function* support, bvconvex_prepared* out )
{
	const bv_vec3* end = shape->corner;
	bool differ = end[0].x != end[1].x || end[0].y != end[1].y || end[0].z != end[1].z;
	return differ && bvmath_is_in_range( end[0] ) && bvmath_is_in_range( end[1] ) &&
	       bvmath_is_length( shape->disc ) && prepare_support( support, out );
}

static bool prepare_file_hull( const bv_convex* shape, bvconvex_prepared* out )
{
	if ( !shape->file )
	{
		return false;
	}
	const bvfile_header* header = (const bvfile_header*)shape->file;
	bvfile_view view = bvfile_view_of( shape->file );
	out->mesh = view.mesh;
	out->offset = view.offset;
	out->positions = view.positions;
	out->file_hull = bvfile_hull_view_of( bvfile_find( header, bvfile_section_hull ), view.mesh );
	if ( !out->file_hull.head || ( !out->file_hull.head->own && !out->positions ) )
	{
		return false;
	}
	out->count = out->file_hull.head->vertices;
	const char* topology = bvfile_find( header, bvfile_section_hull_topology );
	out->topology = ( bvfile_hull_topology_view ){ .head = NULL };
	if ( topology )
	{
		out->topology = bvfile_hull_topology_view_of( topology, out->count );
	}
	return prepare_support( file_hull_support, out );
}

static bool prepare_part( const bv_convex* shape, bvconvex_prepared* out )
{
	const char* section =
		shape->file ? bvfile_find( (const bvfile_header*)shape->file, bvfile_section_parts ) : NULL;
	bvfile_parts_view v = bvfile_parts_view_of( section );
	if ( !v.head || shape->part >= v.head->parts )
	{
		return false;
	}
	uint32_t first = v.parts[shape->part].first_vertex;
	out->part_points = v.positions + first;
	out->offset = bvfile_offset_of( (const bvfile_header*)shape->file );
	out->count = bvfile_part_ends_of( &v, shape->part ).vertex - first;
	return prepare_support( part_support, out );
}

static bool prepare_ellipsoid( const bv_convex* shape, bvconvex_prepared* out )
{
	return is_frame( &shape->box ) && prepare_support( ellipsoid_support, out );
}

static bool prepare_cylinder( const bv_convex* shape, bvconvex_prepared* out )
{
	return prepare_ends( shape, cylinder_support, out );
}

static bool prepare_cone( const bv_convex* shape, bvconvex_prepared* out )
{
	return prepare_ends( shape, cone_support, out );
}

static bool prepare_array( const bv_convex* shape, bvconvex_prepared* out )
{
	return prepare_points( shape->points, shape->count, out );
}

static bool prepare_called( const bv_convex* shape, bvconvex_prepared* out )
{
	return shape->support && prepare_support( called_support, out );
}

bool bvconvex_shape_prepare( const bv_convex* shape, bvconvex_prepared* out )
{
	typedef bool prepare( const bv_convex* shape, bvconvex_prepared* out );
	static prepare* const kinds[] = {
		[bv_convex_of_points] = prepare_array,   [bv_convex_of_corners] = prepare_corners,
		[bv_convex_of_box] = prepare_box,        [bv_convex_of_cylinder] = prepare_cylinder,
		[bv_convex_of_cone] = prepare_cone,      [bv_convex_of_ellipsoid] = prepare_ellipsoid,
		[bv_convex_of_hull] = prepare_file_hull, [bv_convex_of_part] = prepare_part,
		[bv_convex_of_support] = prepare_called,
	};
	if ( !shape || !bvmath_is_length( shape->radius ) ||
	     (unsigned)shape->kind >= sizeof kinds / sizeof *kinds )
	{
		return false;
	}
	out->radius = shape->radius;
	out->convex = shape;
	return kinds[shape->kind]( shape, out );
}

// Supports err by a few units of rounding of the coordinates, which the slack of the box has room for.
bvvol_rounded bvconvex_shape_box( const bvconvex_prepared* shape )
{
	const bvconvex_hull* hull = &shape->hull;
	bv_volume box = { .type = bv_volume_aabb,
		              .aabb = hull->support ? ( bv_aabb ){ shape->point[0], shape->point[1] }
		                                    : bvmath_box_of_points( hull->points, hull->count ) };
	bvvol_bound bound;
	bvvol_bound_of( &box, &bound );
	bound.box.radius = shape->radius;
	bound.box.slack += BVMATH_OVERLAP_ROUNDING * shape->radius;
	if ( hull->support )
	{
		bound.box.slack += 4 * BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( hull->center ) + hull->extent );
	}
	return bound.box;
}

// The direction from the first point to another one, without its part along a direction. Of all points the
// nearest one counts that is not on the line.
// @param without  of length 1, or null for no direction
// @return false if all points are on the line
static bool nearest_direction( const bvconvex_hull* shape, const bv_vec3* without, double least,
                               bv_vec3* out )
{
	double nearest = INFINITY;
	for ( uint32_t i = 1; i < shape->count; ++i )
	{
		bv_vec3 d = bv_sub( shape->points[i], shape->points[0] );
		d = without ? bv_sub( d, bv_scale( bv_dot( d, *without ), *without ) ) : d;
		double square = bv_dot( d, d );
		if ( square > least * least && square > 0x1p-900 && square < nearest )
		{
			nearest = square;
			*out = d;
		}
	}
	*out = nearest < INFINITY ? bv_scale( 1 / sqrt( nearest ), *out ) : *out;
	return nearest < INFINITY;
}

// A box along any axes of length 1 that encloses all points, up to rounding.
static bvvol_rounded box_along( const bvconvex_hull* shape, double radius, const bv_vec3 axis[3] )
{
	bvvol_rounded box = { .axis = { axis[0], axis[1], axis[2] }, .radius = radius };
	bv_vec3 first = shape->points[0];
	double farthest = 0;
	box.center = first;
	for ( int k = 0; k < 3; ++k )
	{
		double lower = 0;
		double upper = 0;
		for ( uint32_t i = 1; i < shape->count; ++i )
		{
			double at = bv_dot( axis[k], bv_sub( shape->points[i], first ) );
			lower = bvmath_min( lower, at );
			upper = bvmath_max( upper, at );
			farthest = bvmath_max( farthest, fabs( at ) );
		}
		box.half_extents[k] = 0.5 * ( upper - lower );
		box.center = bv_add( box.center, bv_scale( 0.5 * ( upper + lower ), axis[k] ) );
	}
	box.slack = BVMATH_OVERLAP_ROUNDING * ( ( bvmath_norm1( first ) + 3 * farthest ) + radius );
	return box;
}

bvvol_rounded bvconvex_shape_oriented_box( const bvconvex_prepared* shape )
{
	bvvol_rounded aligned = bvconvex_shape_box( shape );
	double least = 0x1p-20 * bvvol_rounded_extent( &aligned );
	bv_vec3 axis[3];
	if ( shape->hull.support || !nearest_direction( &shape->hull, NULL, least, axis ) ||
	     !nearest_direction( &shape->hull, axis, least, axis + 1 ) )
	{
		return aligned;
	}
	axis[2] = bv_cross( axis[0], axis[1] );
	axis[1] = bv_cross( axis[2], axis[0] );
	for ( int k = 1; k < 3; ++k )
	{
		axis[k] = bv_scale( 1 / sqrt( bv_dot( axis[k], axis[k] ) ), axis[k] );
	}
	bvvol_rounded box = box_along( &shape->hull, shape->radius, axis );
	return bvvol_rounded_extent( &box ) < bvvol_rounded_extent( &aligned ) ? box : aligned;
}

double bvconvex_place_triangle( const bvvol_similarity* placed, const bv_vec3 corner[3], bv_vec3 out[3] )
{
	double largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bvvol_similarity_apply( placed, corner[k] );
		largest = bvmath_max( largest, placed->scale * bvmath_norm1( corner[k] ) );
	}
	return placed->is_identity ? 0 : 0x1p-50 * ( largest + bvmath_norm1( placed->translation ) );
}
