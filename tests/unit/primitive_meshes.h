// What the tests of recognized primitives share: meshes whose nearest primitive is known in closed form, places to put them,
// and distances by brute force.

#pragma once

#include "support.h"

static const double pi = 3.14159265358979323846;

static inline bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double length( bv_vec3 a )
{
	return sqrt( dot( a, a ) );
}

static inline double to_float( double x )
{
	volatile float rounded = (float)x;
	return rounded;
}

static inline bvb_mesh mesh_create( fixture* f, uint32_t vertices, uint32_t triangles )
{
	return ( bvb_mesh ){
		.positions = bvb_arena_allocate( f->arena, vertices, sizeof( bv_vec3 ) ),
		.triangles = bvb_arena_allocate( f->arena, triangles, sizeof( bvb_triangle ) ),
		.vertex_count = vertices,
		.triangle_count = triangles,
	};
}

// A surface of revolution about the z axis: rings of `columns` vertices at the given radii and heights, between two poles.
// `close` says whether the first and the last ring are joined to the poles.
static inline bvb_mesh revolved( fixture* f, double ( *profile )[2], uint32_t rings, double south,
                                 double north, uint32_t columns, bool close )
{
	uint32_t poles = close ? 2 : 0;
	bvb_mesh m = mesh_create( f, rings * columns + poles, 2 * columns * ( rings - 1 ) + poles * columns );
	bvb_triangle* t = m.triangles;
	for ( uint32_t i = 0; i < rings; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			double a = 2 * pi * k / columns;
			uint32_t at = i * columns + k;
			uint32_t next = i * columns + ( k + 1 ) % columns;
			m.positions[at] =
				( bv_vec3 ){ profile[i][0] * cos( a ), profile[i][0] * sin( a ), profile[i][1] };
			if ( i + 1 < rings )
			{
				*t++ = ( bvb_triangle ){ { at, next, next + columns } };
				*t++ = ( bvb_triangle ){ { at, next + columns, at + columns } };
			}
			if ( close && i == 0 )
			{
				*t++ = ( bvb_triangle ){ { rings * columns, next, at } };
			}
			if ( close && i + 1 == rings )
			{
				*t++ = ( bvb_triangle ){ { rings * columns + 1, at, next } };
			}
		}
	}
	if ( close )
	{
		m.positions[rings * columns] = ( bv_vec3 ){ 0, 0, south };
		m.positions[rings * columns + 1] = ( bv_vec3 ){ 0, 0, north };
	}
	return m;
}

enum
{
	rings_most = 1024,
};

// Of height h about the origin, its vertices on the cylinder, with `steps` rows of sides.
static inline bvb_mesh cylinder_mesh( fixture* f, double radius, double h, uint32_t columns, uint32_t steps )
{
	double profile[rings_most][2];
	for ( uint32_t i = 0; i <= steps; ++i )
	{
		profile[i][0] = radius;
		profile[i][1] = h * ( (double)i / steps - 0.5 );
	}
	return revolved( f, profile, steps + 1, -h / 2, h / 2, columns, true );
}

// Round the segment of length h about the origin, with `steps` rows in each half ball; h = 0 is a ball.
static inline bvb_mesh capsule_mesh( fixture* f, double radius, double h, uint32_t columns, uint32_t steps )
{
	double profile[rings_most][2];
	uint32_t rings = 0;
	for ( uint32_t i = 1; i <= steps; ++i, ++rings )
	{
		profile[rings][0] = radius * sin( pi / 2 * i / steps );
		profile[rings][1] = -h / 2 - radius * cos( pi / 2 * i / steps );
	}
	for ( uint32_t i = h > 0 ? steps : steps - 1; i >= 1; --i, ++rings )
	{
		profile[rings][0] = radius * sin( pi / 2 * i / steps );
		profile[rings][1] = h / 2 + radius * cos( pi / 2 * i / steps );
	}
	return revolved( f, profile, rings, -h / 2 - radius, h / 2 + radius, columns, true );
}

// Equal positions become one vertex, as in meshes of record.
static inline bvb_mesh welded( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh out;
	assert_int_equal( bvb_mesh_weld( mesh, 0, f->arena, &out, NULL ), bv_ok );
	return out;
}

// A box about the origin, each side cut in `steps` by `steps` squares; side after side.
static inline bvb_mesh box_sides( fixture* f, double x, double y, double z, uint32_t steps )
{
	bvb_mesh m = mesh_create( f, 6 * ( steps + 1 ) * ( steps + 1 ), 12 * steps * steps );
	const double half[3] = { x / 2, y / 2, z / 2 };
	bv_vec3* p = m.positions;
	bvb_triangle* t = m.triangles;
	for ( int side = 0; side < 6; ++side )
	{
		uint32_t first = (uint32_t)( p - m.positions );
		int k = side / 2;
		for ( uint32_t i = 0; i <= steps; ++i )
		{
			for ( uint32_t j = 0; j <= steps; ++j )
			{
				double at[3];
				at[k] = side % 2 ? half[k] : -half[k];
				at[( k + 1 ) % 3] = half[( k + 1 ) % 3] * ( 2.0 * i / steps - 1 );
				at[( k + 2 ) % 3] = half[( k + 2 ) % 3] * ( 2.0 * j / steps - 1 );
				*p++ = ( bv_vec3 ){ at[0], at[1], at[2] };
				if ( i < steps && j < steps )
				{
					uint32_t a = first + i * ( steps + 1 ) + j;
					uint32_t b = a + steps + 1;
					*t++ =
						side % 2 ? ( bvb_triangle ){ { a, b, b + 1 } } : ( bvb_triangle ){ { a, b + 1, b } };
					*t++ = side % 2 ? ( bvb_triangle ){ { a, b + 1, a + 1 } }
					                : ( bvb_triangle ){ { a, a + 1, b + 1 } };
				}
			}
		}
	}
	return m;
}

static inline bvb_mesh grid_box( fixture* f, double x, double y, double z, uint32_t steps )
{
	bvb_mesh m = box_sides( f, x, y, z, steps );
	return welded( f, &m );
}

// Where a mesh is put: turned, scaled, moved.
typedef struct placement
{
	bv_vec3 axis[3];
	double scale;
	bv_vec3 offset;
} placement;

static inline placement upright( void )
{
	return ( placement ){ .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .scale = 1 };
}

static inline placement random_placement( fixture* f )
{
	placement p = { .scale = 1, .offset = random_point( f ) };
	double x = random_unit( f ) - 0.5, y = random_unit( f ) - 0.5, z = random_unit( f ) - 0.5;
	double w = random_unit( f ) + 0.01;
	double s = 2 / ( x * x + y * y + z * z + w * w );
	p.axis[0] = ( bv_vec3 ){ 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	p.axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	p.axis[2] = ( bv_vec3 ){ s * ( x * z + w * y ), s * ( y * z - w * x ), 1 - s * ( x * x + y * y ) };
	return p;
}

static inline bv_vec3 put( const placement* place, bv_vec3 p )
{
	bv_vec3 q = plus( plus( plus( ( bv_vec3 ){ 0, 0, 0 }, p.x, place->axis[0] ), p.y, place->axis[1] ), p.z,
	                  place->axis[2] );
	return plus( place->offset, place->scale, q );
}

// Positions become binary32 numbers, as those of all meshes of record are.
static inline void put_mesh( bvb_mesh* mesh, const placement* place )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 q = put( place, mesh->positions[i] );
		mesh->positions[i] = ( bv_vec3 ){ to_float( q.x ), to_float( q.y ), to_float( q.z ) };
	}
}

static inline void add_noise( fixture* f, bvb_mesh* mesh, double size )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 d = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
		mesh->positions[i] = plus( mesh->positions[i], size * random_unit( f ) / length( d ), d );
	}
}

static inline bvb_mesh combined( fixture* f, const bvb_mesh* a, const bvb_mesh* b )
{
	bvb_mesh m = mesh_create( f, a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count );
	for ( uint32_t i = 0; i < m.vertex_count; ++i )
	{
		m.positions[i] = i < a->vertex_count ? a->positions[i] : b->positions[i - a->vertex_count];
	}
	for ( uint32_t i = 0; i < a->triangle_count; ++i )
	{
		m.triangles[i] = a->triangles[i];
	}
	for ( uint32_t i = 0; i < b->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			m.triangles[a->triangle_count + i].corner[k] = b->triangles[i].corner[k] + a->vertex_count;
		}
	}
	return m;
}

// What came out for a mesh.
typedef struct recognized
{
	bv_primitive primitive[bv_primitive_kinds];
	bv_primitive_kind best;
	bv_status status;
} recognized;

static inline recognized recognize_until( fixture* f, const bvb_mesh* mesh, double tolerance,
                                          bool ( *stop )( void* ) )
{
	recognized r = { .best = bv_primitive_kinds };
	bvb_error error = { "" };
	bvb_hull hull;
	bvb_hausdorff_target* target = NULL;
	if ( bvb_hull_compute( mesh->positions, mesh->vertex_count, f->arena, &hull, &error ) != bv_ok ||
	     bvb_hausdorff_target_create( mesh, NULL, 0, f->arena, &target, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	r.status =
		bvb_recognize( mesh, &hull, target, tolerance, stop, NULL, f->arena, r.primitive, &r.best, &error );
	return r;
}

static inline recognized recognize( fixture* f, const bvb_mesh* mesh, double tolerance )
{
	return recognize_until( f, mesh, tolerance, NULL );
}

static inline recognized recognize_well( fixture* f, const bvb_mesh* mesh, double tolerance )
{
	recognized r = recognize( f, mesh, tolerance );
	assert_int_equal( r.status, bv_ok );
	return r;
}

static inline double segment_distance( bv_vec3 p, bv_vec3 a, bv_vec3 b )
{
	bv_vec3 ab = plus( b, -1, a );
	double squared = dot( ab, ab );
	double t = squared > 0 ? dot( plus( p, -1, a ), ab ) / squared : 0;
	return length( plus( plus( p, -1, a ), -fmin( 1, fmax( 0, t ) ), ab ) );
}

// Over its plane, or else over one of its sides.
static inline double triangle_distance( bv_vec3 p, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 u = plus( b, -1, a );
	bv_vec3 v = plus( c, -1, a );
	bv_vec3 w = plus( p, -1, a );
	double uu = dot( u, u ), uv = dot( u, v ), vv = dot( v, v ), wu = dot( w, u ), wv = dot( w, v );
	double determinant = uu * vv - uv * uv;
	double s = ( wu * vv - wv * uv ) / determinant;
	double t = ( wv * uu - wu * uv ) / determinant;
	if ( s >= 0 && t >= 0 && s + t <= 1 )
	{
		return length( plus( plus( w, -s, u ), -t, v ) );
	}
	return fmin( segment_distance( p, a, b ),
	             fmin( segment_distance( p, b, c ), segment_distance( p, c, a ) ) );
}

static inline double mesh_distance( const bvb_mesh* mesh, bv_vec3 p )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		least = fmin( least, triangle_distance( p, mesh->positions[c[0]], mesh->positions[c[1]],
		                                        mesh->positions[c[2]] ) );
	}
	return least;
}

// How far a point is from a surface that is h away from the middle in each of `count` directions at right angles.
static inline double corner_distance( const double* at, const double* h, int count )
{
	double outside = 0;
	double inside = INFINITY;
	for ( int i = 0; i < count; ++i )
	{
		double beyond = fabs( at[i] ) - h[i];
		outside += beyond > 0 ? beyond * beyond : 0;
		inside = fmin( inside, fabs( beyond ) );
	}
	return outside > 0 ? sqrt( outside ) : inside;
}

static inline double primitive_distance( const bv_primitive* p, bv_vec3 x )
{
	switch ( p->kind )
	{
	case bv_primitive_box:
	{
		bv_vec3 d = plus( x, -1, p->box.center );
		double at[3] = { dot( d, p->box.axis[0] ), dot( d, p->box.axis[1] ), dot( d, p->box.axis[2] ) };
		return corner_distance( at, p->box.half_extents, 3 );
	}
	case bv_primitive_sphere: return fabs( length( plus( x, -1, p->sphere.center ) ) - p->sphere.radius );
	case bv_primitive_capsule:
		return fabs( segment_distance( x, p->capsule.ends[0], p->capsule.ends[1] ) - p->capsule.radius );
	default:
	{
		bv_vec3 axis = plus( p->cylinder.ends[1], -1, p->cylinder.ends[0] );
		double height = length( axis );
		bv_vec3 d = plus( x, -1, plus( p->cylinder.ends[0], 0.5, axis ) );
		double along = dot( d, axis ) / height;
		double at[2] = { length( plus( d, -along / height, axis ) ), along };
		const double h[2] = { p->cylinder.radius, height / 2 };
		return corner_distance( at, h, 2 );
	}
	}
}

static inline void frame_about( bv_vec3 axis, bv_vec3* u, bv_vec3* v )
{
	bv_vec3 other = fabs( axis.x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	*u = plus( other, -dot( other, axis ), axis );
	*u = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( *u ), *u );
	*v = ( bv_vec3 ){ axis.y * u->z - axis.z * u->y, axis.z * u->x - axis.x * u->z,
		              axis.x * u->y - axis.y * u->x };
}

// A point of the surface for s and t in [0, 1]: of a box on side `part` of 6; of the others on the first end, the second or
// between.
static inline bv_vec3 surface_point( const bv_primitive* p, int part, double s, double t )
{
	if ( p->kind == bv_primitive_box )
	{
		int k = part / 2;
		double at[3];
		at[k] = part % 2 ? 1 : -1;
		at[( k + 1 ) % 3] = 2 * s - 1;
		at[( k + 2 ) % 3] = 2 * t - 1;
		bv_vec3 x = p->box.center;
		for ( int i = 0; i < 3; ++i )
		{
			x = plus( x, at[i] * p->box.half_extents[i], p->box.axis[i] );
		}
		return x;
	}
	bv_vec3 ends[2] = { p->sphere.center, p->sphere.center };
	double radius = p->sphere.radius;
	if ( p->kind != bv_primitive_sphere )
	{
		bool capsule = p->kind == bv_primitive_capsule;
		ends[0] = capsule ? p->capsule.ends[0] : p->cylinder.ends[0];
		ends[1] = capsule ? p->capsule.ends[1] : p->cylinder.ends[1];
		radius = capsule ? p->capsule.radius : p->cylinder.radius;
	}
	bv_vec3 axis = plus( ends[1], -1, ends[0] );
	double height = length( axis );
	axis = height > 0 ? plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / height, axis ) : ( bv_vec3 ){ 0, 0, 1 };
	bv_vec3 u, v;
	frame_about( axis, &u, &v );
	bv_vec3 x = plus( ends[0], part == 1 ? height : part == 2 ? s * height : 0, axis );
	double across = radius;
	if ( part < 2 && p->kind == bv_primitive_cylinder )
	{
		across = s * radius;
	}
	else if ( part < 2 )
	{
		across = radius * sin( pi / 2 * s );
		x = plus( x, ( part ? 1 : -1 ) * radius * cos( pi / 2 * s ), axis );
	}
	return plus( plus( x, across * cos( 2 * pi * t ), u ), across * sin( 2 * pi * t ), v );
}

// The largest distance of samples, and how much farther any other point can be.
typedef struct sampled
{
	double most;
	double spacing;
} sampled;

static inline sampled sample_mesh( const bvb_mesh* mesh, const bv_primitive* p, uint32_t steps )
{
	sampled result = { 0, 0 };
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i].corner;
		bv_vec3 a = mesh->positions[corner[0]];
		bv_vec3 u = plus( mesh->positions[corner[1]], -1, a );
		bv_vec3 v = plus( mesh->positions[corner[2]], -1, a );
		double longest = fmax( length( u ), fmax( length( v ), length( plus( u, -1, v ) ) ) );
		result.spacing = fmax( result.spacing, longest / steps );
		for ( uint32_t k = 0; k <= steps; ++k )
		{
			for ( uint32_t l = 0; k + l <= steps; ++l )
			{
				bv_vec3 x = plus( plus( a, (double)k / steps, u ), (double)l / steps, v );
				result.most = fmax( result.most, primitive_distance( p, x ) );
			}
		}
	}
	return result;
}

static inline sampled sample_surface( const bvb_mesh* mesh, const bv_primitive* p, uint32_t steps )
{
	sampled result = { 0, 0 };
	for ( int part = 0; part < ( p->kind == bv_primitive_box ? 6 : 3 ); ++part )
	{
		for ( uint32_t k = 0; k <= steps; ++k )
		{
			for ( uint32_t l = 0; l <= steps; ++l )
			{
				bv_vec3 x = surface_point( p, part, (double)k / steps, (double)l / steps );
				result.most = fmax( result.most, mesh_distance( mesh, x ) );

				// Any other point is within one step of a sample in each of two directions.
				if ( k > 0 && l > 0 )
				{
					bv_vec3 y = surface_point( p, part, ( k - 1.0 ) / steps, (double)l / steps );
					bv_vec3 z = surface_point( p, part, (double)k / steps, ( l - 1.0 ) / steps );
					double step = length( plus( x, -1, y ) ) + length( plus( x, -1, z ) );
					result.spacing = fmax( result.spacing, 1.2 * step );
				}
			}
		}
	}
	return result;
}
