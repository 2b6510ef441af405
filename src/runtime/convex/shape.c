// Convex shapes. See shape.h.

#include "runtime/convex/shape.h"

#include "runtime/convex/climb.h"
#include "runtime/math/box.h"
#include "runtime/math/matrix.h"

static bvconvex_support named( bv_vec3 p )
{
	return ( bvconvex_support ){ p, bvconvex_name_of( p ) };
}

// The largest coordinate becomes 1, so that squares neither overflow nor vanish.
static bv_vec3 unit_scale( bv_vec3 v )
{
	double largest = bvmath_largest( v );
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

static bvconvex_support cylinder_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bv_convex* c = ( (const bvconvex_prepared*)shape )->convex;
	bv_vec3 axis = bv_sub( c->corner[1], c->corner[0] );
	const bv_vec3* end = c->corner + ( bv_dot( axis, *along ) > 0 ? 1 : 0 );
	return named( bv_add( *end, disc_support( axis, c->disc, *along ) ) );
}

static bvconvex_support cone_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bv_convex* c = ( (const bvconvex_prepared*)shape )->convex;
	bv_vec3 axis = bv_sub( c->corner[1], c->corner[0] );
	bv_vec3 rim = disc_support( axis, c->disc, *along );
	bool is_apex = bv_dot( axis, *along ) > bv_dot( rim, *along );
	return named( is_apex ? c->corner[1] : bv_add( c->corner[0], rim ) );
}

// The point of { A h u : |u| <= 1 } that is farthest along d has u along h A^T d.
static bvconvex_support ellipsoid_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bv_obb* box = &( (const bvconvex_prepared*)shape )->convex->box;
	const double* h = box->half_extents;
	bv_vec3 d = unit_scale( *along );
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

static bvconvex_support file_hull_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const bvconvex_prepared* s = shape;
	uint32_t best = bvconvex_climb_hull( s, along, near );
	return ( bvconvex_support ){ bvfile_with_offset( bvconvex_hull_point( s, best ), s->offset ), best };
}

static bv_vec3 part_point( const bvconvex_prepared* s, uint32_t index )
{
	const float* p = s->part_points[index];
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

static bvconvex_support graph_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const bvconvex_prepared* s = shape;
	uint32_t best = bvconvex_climb_graph( s, along, near );
	return ( bvconvex_support ){ s->hull.points[best], best };
}

static bvconvex_support part_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bvconvex_prepared* s = shape;
	uint32_t best = 0;
	double most = -INFINITY;
	bv_vec3 unit = unit_scale( *along );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double at = bv_dot( unit, part_point( s, i ) );
		if ( at > most )
		{
			most = at;
			best = i;
		}
	}
	return ( bvconvex_support ){ bvfile_with_offset( part_point( s, best ), s->offset ), best };
}

static bvconvex_support called_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const bv_convex* c = ( (const bvconvex_prepared*)shape )->convex;
	return named( c->support( c->context, unit_scale( *along ) ) );
}

static bool prepare_points( const bv_vec3* points, uint32_t count, bvconvex_prepared* out )
{
	out->hull.points = points;
	out->hull.count = count;
	out->corners = count;
	if ( !points || count == 0 )
	{
		return false;
	}
	// NaN fails all comparisons.
	bv_vec3 lower = points[0];
	bv_vec3 upper = points[0];
	bool good = bvmath_is_in_range( points[0] );
	for ( uint32_t i = 1; i < count; ++i )
	{
		good &= bvmath_is_in_range( points[i] );
		lower = bvmath_least( lower, points[i] );
		upper = bvmath_greatest( upper, points[i] );
	}
	out->reach = bvmath_max( bvmath_largest( lower ), bvmath_largest( upper ) );
	out->middle = bv_scale( 0.5, bv_add( lower, upper ) );
	return good;
}

static bool prepare_corners( const bv_convex* shape, bvconvex_prepared* out )
{
	memcpy( out->point, shape->corner, sizeof shape->corner );
	return shape->count <= 3 && prepare_points( out->point, shape->count, out );
}

static bool is_valid_box( const bv_obb* box )
{
	const double* h = box->half_extents;
	return bvmath_is_in_range( box->center ) && bvmath_is_length( h[0] ) && bvmath_is_length( h[1] ) &&
	       bvmath_is_length( h[2] ) && bvmath_is_frame( box->axis[0], box->axis[1], box->axis[2] );
}

static double reach_of_box( const bv_obb* box )
{
	double reach = bvmath_largest( box->center );
	for ( int k = 0; k < 3; ++k )
	{
		reach += box->half_extents[k] * bvmath_largest( box->axis[k] );
	}
	return reach;
}

static bv_vec3 box_corner( const bv_obb* box, uint32_t index )
{
	bv_vec3 corner = box->center;
	for ( int k = 0; k < 3; ++k )
	{
		double way = index >> k & 1 ? box->half_extents[k] : -box->half_extents[k];
		corner = bv_add( corner, bv_scale( way, box->axis[k] ) );
	}
	return corner;
}

static bool prepare_box( const bv_convex* shape, bvconvex_prepared* out )
{
	const bv_obb* box = &shape->box;
	out->corners = 8;
	out->reach = reach_of_box( box );
	out->middle = box->center;
	return is_valid_box( box );
}

static bool prepare_support( bvconvex_support_function* support, bvconvex_prepared* out )
{
	out->hull.support = support;
	out->hull.shape = out;
	return true;
}

// The box around a shape that is known by its support function, which must be in range.
static bool find_box( bvconvex_prepared* out )
{
	bvconvex_support_function* support = out->hull.support;
	out->hull.extent = 0;
	double lower[3];
	double upper[3];
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 axis = { i == 0, i == 1, i == 2 };
		bv_vec3 back = bv_negate( axis );
		upper[i] = bvmath_component( support( out, &axis, BVCONVEX_NO_POINT ).at, i );
		lower[i] = bvmath_component( support( out, &back, BVCONVEX_NO_POINT ).at, i );
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

// Of a shape whose numbers do not tell: that of its box, with what supports may err.
static bool find_reach( bvconvex_prepared* out )
{
	if ( !find_box( out ) )
	{
		return false;
	}
	out->reach =
		bvmath_max( bvmath_largest( out->point[0] ), bvmath_largest( out->point[1] ) ) * ( 1 + 0x1p-40 );
	out->middle = out->hull.center;
	return true;
}

static bool prepare_ends( const bv_convex* shape, bvconvex_support_function* support, bvconvex_prepared* out )
{
	const bv_vec3* end = shape->corner;
	bool differ = end[0].x != end[1].x || end[0].y != end[1].y || end[0].z != end[1].z;
	out->reach = bvmath_max( bvmath_largest( end[0] ), bvmath_largest( end[1] ) ) + shape->disc;
	out->middle = bv_scale( 0.5, bv_add( end[0], end[1] ) );
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
	out->count = out->corners = out->file_hull.head->vertices;
	const char* topology = bvfile_find( header, bvfile_section_hull_topology );
	out->topology = ( bvfile_hull_topology_view ){ .head = NULL };
	if ( topology )
	{
		out->topology = bvfile_hull_topology_view_of( topology, out->count );
		out->first_neighbor = out->topology.first_neighbor;
		out->neighbors = out->topology.neighbors;
	}
	prepare_support( file_hull_support, out );
	return find_reach( out );
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
	out->count = out->corners = bvfile_part_ends_of( &v, shape->part ).vertex - first;
	const bvfile_part* part = v.parts + shape->part;
	for ( int k = 0; k < 3; ++k )
	{
		out->reach = bvmath_max(
			out->reach, bvmath_max( fabs( (double)part->lower[k] ), fabs( (double)part->upper[k] ) ) );
	}
	out->reach += out->offset ? bvmath_largest( *out->offset ) : 0;
	bv_vec3 low = { part->lower[0], part->lower[1], part->lower[2] };
	bv_vec3 high = { part->upper[0], part->upper[1], part->upper[2] };
	out->middle = bvfile_with_offset( bv_scale( 0.5, bv_add( low, high ) ), out->offset );
	return prepare_support( part_support, out );
}

static bool prepare_ellipsoid( const bv_convex* shape, bvconvex_prepared* out )
{
	out->reach = reach_of_box( &shape->box );
	out->middle = shape->box.center;
	return is_valid_box( &shape->box ) && prepare_support( ellipsoid_support, out );
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

static bool prepare_graph( const bv_convex* shape, bvconvex_prepared* out )
{
	if ( !shape->first_neighbor || !shape->neighbors || shape->count == 0 || !shape->points ||
	     !bvmath_is_length( shape->reach ) )
	{
		return false;
	}
	bool good = shape->reach > 0 || prepare_points( shape->points, shape->count, out );
	double reach = shape->reach > 0 ? shape->reach : out->reach;
	out->middle = bv_scale( 0.5, bv_add( shape->points[0], shape->points[shape->count / 2] ) );
	prepare_support( graph_support, out );
	out->hull.points = shape->points;
	out->corners = shape->count;
	out->first_neighbor = shape->first_neighbor;
	out->neighbors = shape->neighbors;
	out->reach = reach;
	return good;
}

static bool prepare_called( const bv_convex* shape, bvconvex_prepared* out )
{
	return shape->support && prepare_support( called_support, out ) && find_reach( out );
}

// It has no support function: queries that need one do not get here. Its reach is that of its plane's foot.
static bool prepare_half_space( const bv_convex* shape, bvconvex_prepared* out )
{
	double size = bv_length( shape->normal );
	if ( !( size >= 0x1p-100 && size <= 0x1p100 && fabs( shape->offset ) <= BV_MAX_LENGTH * size ) )
	{
		return false;
	}
	out->middle = bv_scale( shape->offset / size / size, shape->normal );
	out->reach = fabs( shape->offset ) / size;
	return true;
}

bool bvconvex_shape_read( const bv_convex* shape, bvconvex_prepared* out )
{
	typedef bool prepare( const bv_convex* shape, bvconvex_prepared* out );
	static prepare* const kinds[] = {
		[bv_convex_of_points] = prepare_array,
		[bv_convex_of_corners] = prepare_corners,
		[bv_convex_of_box] = prepare_box,
		[bv_convex_of_cylinder] = prepare_cylinder,
		[bv_convex_of_cone] = prepare_cone,
		[bv_convex_of_ellipsoid] = prepare_ellipsoid,
		[bv_convex_of_hull] = prepare_file_hull,
		[bv_convex_of_part] = prepare_part,
		[bv_convex_of_support] = prepare_called,
		[bv_convex_of_graph] = prepare_graph,
		[bv_convex_of_half_space] = prepare_half_space,
	};
	if ( !shape || !bvmath_is_length( shape->radius ) ||
	     (unsigned)shape->kind >= sizeof kinds / sizeof *kinds )
	{
		return false;
	}
	// Not as a whole: zeroing so many bytes would take longer than all of this.
	out->hull.points = NULL;
	out->hull.count = 0;
	out->hull.offset = ( bv_vec3 ){ 0, 0, 0 };
	out->hull.support = NULL;
	out->radius = shape->radius;
	out->convex = shape;
	out->corners = 0;
	out->reach = 0;
	out->first_neighbor = NULL;
	return kinds[shape->kind]( shape, out );
}

bool bvconvex_shape_prepare( const bv_convex* shape, bvconvex_prepared* out )
{
	if ( !bvconvex_shape_read( shape, out ) || shape->kind == bv_convex_of_half_space )
	{
		return false;
	}
	if ( shape->kind == bv_convex_of_box )
	{
		for ( uint32_t i = 0; i < 8; ++i )
		{
			out->point[i] = box_corner( &shape->box, i );
		}
		out->hull.points = out->point;
		out->hull.count = 8;
	}
	return !out->hull.support || find_box( out );
}

static bvconvex_support points_support( const bvconvex_hull* hull, const bv_vec3* along )
{
	uint32_t best = 0;
	double most = -INFINITY;
	for ( uint32_t i = 0; i < hull->count; ++i )
	{
		double at = bv_dot( *along, hull->points[i] );
		best = at > most ? i : best;
		most = at > most ? at : most;
	}
	return ( bvconvex_support ){ hull->points[best], best };
}

static bvconvex_support box_support( const bvconvex_prepared* s, const bv_vec3* along )
{
	const bv_obb* box = &s->convex->box;
	uint32_t corner = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		corner |= (uint32_t)( bv_dot( *along, box->axis[k] ) > 0 ) << k;
	}
	return ( bvconvex_support ){ box_corner( box, corner ), corner };
}

bvconvex_support bvconvex_shape_support( const bvconvex_prepared* s, const bv_vec3* along, uint32_t near )
{
	return s->convex->kind == bv_convex_of_box ? box_support( s, along )
	       : s->hull.support                   ? s->hull.support( s, along, near )
	                                           : points_support( &s->hull, along );
}

bv_vec3 bvconvex_shape_corner( const bvconvex_prepared* s, uint32_t index )
{
	switch ( s->convex->kind )
	{
	case bv_convex_of_hull: return bvfile_with_offset( bvconvex_hull_point( s, index ), s->offset );
	case bv_convex_of_part: return bvfile_with_offset( part_point( s, index ), s->offset );
	case bv_convex_of_box: return box_corner( &s->convex->box, index );
	default: return s->hull.points[index];
	}
}

void bvconvex_shape_stored_corner( const bvconvex_prepared* s, uint32_t index, bv_vec3 out[2] )
{
	bool is_stored = s->convex->kind == bv_convex_of_hull || s->convex->kind == bv_convex_of_part;
	out[0] = s->convex->kind == bv_convex_of_hull   ? bvconvex_hull_point( s, index )
	         : s->convex->kind == bv_convex_of_part ? part_point( s, index )
	                                                : s->hull.points[index];
	out[1] = is_stored && s->offset ? *s->offset : ( bv_vec3 ){ 0, 0, 0 };
}

static void add_exact( bv_vec3 p, bvmath_exact3* sum )
{
	bvmath_exact3 term;
	bvmath_exact3_set( p, &term );
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_add( sum->x + k, term.x + k, sum->x + k );
	}
}

static void exact_box_corner( const bv_obb* box, uint32_t index, bvmath_exact3* out )
{
	bvmath_exact3_set( box->center, out );
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_exact half;
		bvmath_exact_set( index >> i & 1 ? box->half_extents[i] : -box->half_extents[i], &half );
		for ( int k = 0; k < 3; ++k )
		{
			bvmath_exact axis;
			bvmath_exact along;
			bvmath_exact_set( bvmath_component( box->axis[i], k ), &axis );
			bvmath_exact_multiply( &half, &axis, &along );
			bvmath_exact_add( out->x + k, &along, out->x + k );
		}
	}
}

void bvconvex_shape_exact_corner( const bvconvex_prepared* s, uint32_t index, bvmath_exact3* out )
{
	if ( s->convex->kind == bv_convex_of_box )
	{
		exact_box_corner( &s->convex->box, index, out );
		return;
	}
	bv_vec3 stored[2];
	bvconvex_shape_stored_corner( s, index, stored );
	bvmath_exact3_set( stored[0], out );
	add_exact( stored[1], out );
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
