// Capsules and rectangle swept spheres: volumes against an integral, distances against 113-bit arithmetic, fits against
// bodies that are known and against a search by brute force.

#include "support.h"

#include "runtime/volume/reach.h"

__extension__ typedef __float128 quad;

static const double pi = 3.14159265358979323846;

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bv_vec3 combine( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = combine( a, -1, b );
	return sqrt( dot( d, d ) );
}

static void random_frame( fixture* f, bv_vec3 axis[3] )
{
	double x = random_unit( f ) - 0.5, y = random_unit( f ) - 0.5, z = random_unit( f ) - 0.5;
	double w = random_unit( f ) + 0.01;
	double s = 2 / ( x * x + y * y + z * z + w * w );
	axis[0] = ( bv_vec3 ){ 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) };
	axis[1] = ( bv_vec3 ){ s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) };
	axis[2] = ( bv_vec3 ){ s * ( x * z + w * y ), s * ( y * z - w * x ), 1 - s * ( x * x + y * y ) };
}

static bv_vec3 in_frame( const bv_vec3 axis[3], double x, double y, double z )
{
	bv_vec3 p = combine( ( bv_vec3 ){ 0, 0, 0 }, x, axis[0] );
	return combine( combine( p, y, axis[1] ), z, axis[2] );
}

static bv_vec3 rounded( bv_vec3 p )
{
	volatile float at[3] = { (float)p.x, (float)p.y, (float)p.z };
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}

// At the height z a rectangle swept sphere is the rectangle swollen by s = sqrt( r^2 - z^2 ), of area
// w h + 2 (w + h) s + pi s^2. With z = r sin a the integral over the heights is smooth and Simpson's rule exact enough.
static double integrated_volume( double w, double h, double r )
{
	enum
	{
		steps = 1000,
	};
	double sum = 0;
	for ( int i = 0; i <= steps; ++i )
	{
		double a = pi * ( (double)i / steps - 0.5 );
		double s = r * cos( a );
		double weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
		sum += weight * ( w * h + 2 * ( w + h ) * s + pi * s * s ) * r * cos( a );
	}
	return sum * pi / steps / 3;
}

static void volumes_are_the_integral_of_slices( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		double w = round % 3 ? random_unit( f ) : 0;
		double h = round % 2 ? random_unit( f ) : 0;
		double r = random_unit( f );
		bv_rss rss = { .half_extents = { w / 2, h / 2 }, .radius = r };
		double expected = integrated_volume( w, h, r );
		assert_true( fabs( bv_rss_volume( &rss ) - expected ) < 1e-10 );
		if ( h == 0 )
		{
			bv_vec3 axis[3];
			random_frame( f, axis );
			bv_capsule capsule = { .ends = { axis[0], combine( axis[0], w, axis[1] ) }, .radius = r };
			assert_true( fabs( bv_capsule_volume( &capsule ) - expected ) < 1e-10 );

			// Without the two half balls at its ends it is a cylinder.
			bv_cylinder cylinder = { .ends = { capsule.ends[0], capsule.ends[1] }, .radius = r };
			double balls = bv_sphere_volume( &( bv_sphere ){ .radius = r } );
			assert_true( fabs( bv_cylinder_volume( &cylinder ) - ( expected - balls ) ) < 1e-10 );
		}
	}
}

static quad quad_dot( const quad* a, const quad* b )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void to_quad( bv_vec3 v, quad* out )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static quad clamp( quad x, quad low, quad high )
{
	return x < low ? low : x > high ? high : x;
}

// The squared distance of p from the points c + s a + t b with s and t within bounds. One coordinate at a time converges
// at once for axes that are at right angles but for rounding.
static quad squared_distance( bv_vec3 p, bv_vec3 c, const quad* a, quad s_low, quad s_high, const quad* b,
                              quad t_high )
{
	quad d[3], origin[3], rest[3];
	to_quad( p, d );
	to_quad( c, origin );
	quad aa = quad_dot( a, a );
	quad bb = quad_dot( b, b );
	quad s = 0, t = 0;
	for ( int round = 0; round < 8; ++round )
	{
		for ( int k = 0; k < 3; ++k )
		{
			rest[k] = d[k] - origin[k] - t * b[k];
		}
		s = aa > 0 ? clamp( quad_dot( rest, a ) / aa, s_low, s_high ) : 0;
		for ( int k = 0; k < 3; ++k )
		{
			rest[k] = d[k] - origin[k] - s * a[k];
		}
		t = bb > 0 ? clamp( quad_dot( rest, b ) / bb, -t_high, t_high ) : 0;
	}
	for ( int k = 0; k < 3; ++k )
	{
		rest[k] = d[k] - origin[k] - s * a[k] - t * b[k];
	}
	return quad_dot( rest, rest );
}

// Of 113 bits the last few may be wrong; the bound must hold but for these, and be near but for a few of the 53.
static void assert_is_bound( double bound, quad squared, double size )
{
	assert_true( (quad)bound * bound >= squared * ( 1 - (quad)0x1p-100 ) );
	assert_true( bound <= sqrt( (double)squared ) * ( 1 + 4e-15 ) + 4e-15 * size + 0x1p-900 );
}

// Points anywhere, on the segment but for rounding, beside its ends, and far away; all at several scales.
static void reach_of_a_capsule_is_a_close_upper_bound( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100000; ++round )
	{
		static const double scales[] = { 1, 0x1p-149, 1e-30, 1e30, 0x1p118 };
		double scale = scales[round % 5];
		double far = round % 3 ? 0 : 1000;
		bv_capsule c;
		for ( int i = 0; i < 2; ++i )
		{
			bv_vec3 p = random_point( f );
			c.ends[i] = rounded( ( bv_vec3 ){ scale * ( p.x + far ), scale * p.y, scale * ( p.z - far ) } );
		}
		c.ends[1] = round % 7 ? c.ends[1] : c.ends[0];
		bv_vec3 along = combine( c.ends[1], -1, c.ends[0] );
		bv_vec3 p = combine( c.ends[0], 2 * random_unit( f ) - 0.5, along );
		double beside = ldexp( scale, -(int)( random_bits( f ) % 80 ) );
		bv_vec3 away = random_point( f );
		p = round % 2 ? combine( p, beside, away ) : p;
		quad ends[2][3];
		to_quad( c.ends[0], ends[0] );
		to_quad( c.ends[1], ends[1] );
		const quad none[3] = { 0, 0, 0 };
		const quad exact[3] = { ends[1][0] - ends[0][0], ends[1][1] - ends[0][1], ends[1][2] - ends[0][2] };
		assert_is_bound( bvvol_capsule_reach( &c, p ), squared_distance( p, c.ends[0], exact, 0, 1, none, 0 ),
		                 distance( p, c.ends[0] ) + distance( p, c.ends[1] ) );
	}
}

static void reach_of_a_rectangle_is_a_close_upper_bound( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100000; ++round )
	{
		static const double scales[] = { 1, 1e-30, 1e30 };
		double scale = scales[round % 3];
		bv_rss r = { .half_extents = { scale * random_unit( f ), round % 4 ? scale * random_unit( f ) : 0 } };
		random_frame( f, r.axis );
		bv_vec3 c = random_point( f );
		r.center = ( bv_vec3 ){ scale * c.x, scale * c.y, scale * c.z };
		double at[3];
		for ( int k = 0; k < 3; ++k )
		{
			at[k] = scale * ( 4 * random_unit( f ) - 2 );
		}
		at[2] = round % 2 ? at[2] : ldexp( at[2], -(int)( random_bits( f ) % 80 ) );
		bv_vec3 offset = in_frame( r.axis, at[0], at[1], at[2] );
		bv_vec3 p = combine( r.center, 1, offset );
		quad a[3], b[3];
		to_quad( r.axis[0], a );
		to_quad( r.axis[1], b );
		quad squared = squared_distance( p, r.center, a, -(quad)r.half_extents[0], r.half_extents[0], b,
		                                 r.half_extents[1] );
		assert_is_bound( bvvol_rss_reach( &r, p ), squared, 3 * distance( p, r.center ) );
	}
}

static void reach_of_a_capsule_without_length_is_that_of_a_ball( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 1000; ++round )
	{
		bv_vec3 c = random_point( f );
		bv_vec3 p = random_point( f );
		bv_capsule capsule = { .ends = { c, c } };
		assert_true( bvvol_capsule_reach( &capsule, p ) == bvvol_distance_bound( p, c ) );
	}
}

static bv_capsule fit_capsule( const bv_vec3* points, uint32_t count )
{
	bv_capsule capsule;
	assert_int_equal( bvb_fit_capsule( points, count, &capsule ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_true( bvvol_capsule_reach( &capsule, points[i] ) <= capsule.radius );
	}
	return capsule;
}

static bv_rss fit_rss( const bv_vec3* points, uint32_t count )
{
	bv_rss rss;
	assert_int_equal( bvb_fit_rss( points, count, &rss ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_true( bvvol_rss_reach( &rss, points[i] ) <= rss.radius );
	}
	return rss;
}

// A segment of binary32 numbers and points on it: what encloses them is at least that long and needs no radius.
static void points_on_a_line_have_a_capsule_without_radius( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		bv_vec3 step = { floor( 9 * random_unit( f ) ) - 4, floor( 9 * random_unit( f ) ) - 4, 1 };
		bv_vec3 points[9];
		double least = 8;
		double greatest = 0;
		for ( int i = 0; i < 9; ++i )
		{
			double t = floor( 9 * random_unit( f ) );
			least = fmin( least, t );
			greatest = fmax( greatest, t );
			points[i] = combine( ( bv_vec3 ){ -3, 5, 1 }, t, step );
		}
		bv_capsule capsule = fit_capsule( points, 9 );
		double length = ( greatest - least ) * sqrt( dot( step, step ) );
		assert_true( capsule.radius <= 2e-6 );
		assert_true( fabs( distance( capsule.ends[0], capsule.ends[1] ) - length ) <= 4e-6 );
	}
}

static void coincident_points_have_volumes_without_extent( void** state )
{
	(void)state;
	const bv_vec3 points[3] = { { 3, -0.0, 7 }, { 3, 0, 7 }, { 3, 0, 7 } };
	bv_capsule capsule = fit_capsule( points, 3 );
	assert_true( distance( capsule.ends[0], points[1] ) == 0 && distance( capsule.ends[1], points[1] ) == 0 );
	assert_true( capsule.radius == 0 && !signbit( capsule.ends[0].y ) );
	bv_rss rss = fit_rss( points, 3 );
	assert_true( distance( rss.center, points[1] ) == 0 && rss.half_extents[0] == 0 );
	assert_true( rss.radius < 1e-36 );
}

// On a sphere, by the golden angle.
static bv_vec3 of_sphere( int index, int count )
{
	double z = 1 - ( 2 * index + 1.0 ) / count;
	double s = sqrt( 1 - z * z );
	double a = index * 2.399963229728653;
	return ( bv_vec3 ){ s * cos( a ), s * sin( a ), z };
}

// Points of the surface of a known rectangle swept sphere or, without height, capsule. A body that encloses them has at
// least the volume of their hull, which is less than the known body's by a share that their number decides.
static void of_body( fixture* f, double w, double h, double r, bv_vec3* out, int count )
{
	bv_vec3 axis[3];
	random_frame( f, axis );
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 p = of_sphere( i, count );
		out[i] = rounded( in_frame( axis, 5 + r * p.x + ( p.x < 0 ? -w : w ) / 2,
		                            r * p.y + ( p.y < 0 ? -h : h ) / 2, r * p.z ) );
	}
}

static void points_of_a_capsule_have_a_capsule_as_small( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 40; ++round )
	{
		bv_vec3 points[600];
		double w = 3 * random_unit( f );
		of_body( f, w, 0, 1, points, 600 );
		bv_capsule capsule = fit_capsule( points, 600 );
		double known = integrated_volume( w, 0, 1 );
		assert_true( bv_capsule_volume( &capsule ) <= 1.002 * known );
		assert_true( bv_capsule_volume( &capsule ) >= 0.97 * known );
	}
}

static void points_of_a_plate_have_a_rectangle_swept_sphere_as_small( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 40; ++round )
	{
		bv_vec3 points[600];
		double w = 1 + 5 * random_unit( f );
		double h = 1 + 5 * random_unit( f );
		of_body( f, w, h, 0.5, points, 600 );
		bv_rss rss = fit_rss( points, 600 );
		double known = integrated_volume( w, h, 0.5 );
		assert_true( bv_rss_volume( &rss ) <= 1.01 * known );
		assert_true( bv_rss_volume( &rss ) >= 0.96 * known );
	}
}

// Flat but for the rounding of the frame to binary32; no rectangle round four corners of one is less.
static void a_flat_rectangle_is_found( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 50; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		bv_vec3 points[4];
		for ( int i = 0; i < 4; ++i )
		{
			points[i] = in_frame( axis, i & 1 ? 2 : -2, i & 2 ? 1.5 : -1.5, 0 );
		}
		bv_rss rss = fit_rss( points, 4 );
		double longer = fmax( rss.half_extents[0], rss.half_extents[1] );
		double shorter = fmin( rss.half_extents[0], rss.half_extents[1] );
		assert_true( rss.radius < 1e-5 );
		assert_true( fabs( longer - 2 ) < 1e-4 && fabs( shorter - 1.5 ) < 1e-4 );
	}
}

// The least rectangle round a triangle has twice its area; the search is at most a tenth worse. Each corner is the last one at times, which of
// an odd number has no other beside it.
static void a_triangle_is_in_a_flat_rectangle( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 45; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		double height = 0.2 + random_unit( f );
		bv_vec3 corner[3] = { in_frame( axis, -1, 0, 0 ), in_frame( axis, 1, 0, 0 ),
			                  in_frame( axis, random_unit( f ), height, 0 ) };
		bv_vec3 points[3] = { corner[round % 3], corner[( round + 1 ) % 3], corner[( round + 2 ) % 3] };
		bv_rss rss = fit_rss( points, 3 );
		assert_true( rss.radius < 1e-5 );
		double area = 4 * rss.half_extents[0] * rss.half_extents[1];
		assert_true( area > 0.9999 * 2 * height && area < 1.1 * 2 * height );
	}
}

// The least volume that is swept by a rectangle about the middle of a box and along two of its sides: of many radii, and many ways to leave a
// distance to the corners.
static double swept_about_box( const double half[3] )
{
	enum
	{
		radii = 200,
		ways = 90,
	};
	double best = INFINITY;
	for ( int i = 0; i < 3 * radii * ways; ++i )
	{
		double x = half[i % 3];
		double y = half[( i + 1 ) % 3];
		double z = half[( i + 2 ) % 3];
		double r = z * ( 1 + 0.01 * ( i / 3 % radii ) );
		double reach = sqrt( r * r - z * z );
		double way = pi / 2 * ( i / 3 / radii ) / ( ways - 1 );
		double a = fmax( x - reach * cos( way ), 0 );
		double b = fmax( y - reach * sin( way ), 0 );
		best = fmin( best, 8 * a * b * r + 2 * pi * r * r * ( a + b ) + 4 * pi / 3 * r * r * r );
	}
	return best;
}

// Wherever corners of a box stand among points inside of it: at even places, at odd ones, or last of all.
static void a_box_is_in_what_its_corners_need( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 24; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		const double half[3] = { 1, 0.3 + 0.6 * random_unit( f ), 0.1 + 0.3 * random_unit( f ) };
		bv_vec3 points[17];
		uint32_t count = round % 3 == 2 ? 9 : 16;
		for ( int i = 0; i < 17; ++i )
		{
			bool corner = round % 3 == 2 ? i > 0 : i % 2 == round % 3;
			int k = round % 3 == 2 ? i - 1 : i / 2;
			double size = corner ? 1 : 0;
			points[i] =
				in_frame( axis, size * ( k & 1 ? half[0] : -half[0] ), size * ( k & 2 ? half[1] : -half[1] ),
			              size * ( k & 4 ? half[2] : -half[2] ) );
		}
		bv_rss rss = fit_rss( points, count );
		assert_true( bv_rss_volume( &rss ) <= 1.001 * swept_about_box( half ) );
	}
}

// The capsule may be larger for no set: a ball is one without length, and a capsule a rectangle swept sphere without
// width, but that its frame is rounded.
static void no_capsule_is_larger_than_the_ball_and_no_rectangle_than_the_capsule( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 300; ++round )
	{
		bv_vec3 points[40];
		uint32_t count = 5 + (uint32_t)( random_bits( f ) % 36 );
		double y = 0.2 + random_unit( f );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = rounded( ( bv_vec3 ){ p.x, y * p.y, p.z } );
			points[i] = round % 3 ? points[i] : rounded( of_sphere( (int)i, (int)count ) );
		}
		bv_sphere ball;
		assert_int_equal( bvb_fit_sphere( points, count, &ball ), bv_ok );
		bv_capsule capsule = fit_capsule( points, count );
		bv_rss rss = fit_rss( points, count );
		assert_true( bv_capsule_volume( &capsule ) <= bv_sphere_volume( &ball ) * ( 1 + 1e-15 ) );
		assert_true( bv_rss_volume( &rss ) <= bv_capsule_volume( &capsule ) * ( 1 + 2e-6 ) );
	}
}

typedef struct flat_point
{
	double x;
	double y;
} flat_point;

// The least circle, by all pairs and triples.
static double circle( const flat_point* p, int count, flat_point* center )
{
	double best = INFINITY;
	*center = p[0];
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < count; ++j )
		{
			for ( int k = j; k < count; ++k )
			{
				double ax = p[j].x - p[i].x, ay = p[j].y - p[i].y;
				double bx = p[k].x - p[i].x, by = p[k].y - p[i].y;
				double area = 2 * ( ax * by - ay * bx );
				flat_point c = { p[i].x + ax / 2, p[i].y + ay / 2 };
				if ( k != j && area != 0 )
				{
					double aa = ax * ax + ay * ay, bb = bx * bx + by * by;
					c = ( flat_point ){ p[i].x + ( by * aa - ay * bb ) / area,
						                p[i].y + ( ax * bb - bx * aa ) / area };
				}
				double farthest = 0;
				for ( int n = 0; n < count; ++n )
				{
					farthest = fmax( farthest, hypot( p[n].x - c.x, p[n].y - c.y ) );
				}
				if ( farthest < best )
				{
					best = farthest;
					*center = c;
				}
			}
		}
	}
	return best;
}

// The best of many directions, with the axis through the middle of the least circle, and of many radii.
static double brute_force_volume( const bv_vec3* points, int count )
{
	enum
	{
		directions = 400,
		radii = 60,
	};
	double best = INFINITY;
	for ( int d = 0; d < directions; ++d )
	{
		bv_vec3 axis = of_sphere( d, 2 * directions );
		bv_vec3 u =
			fabs( axis.x ) < 0.7 ? ( bv_vec3 ){ 0, axis.z, -axis.y } : ( bv_vec3 ){ -axis.z, 0, axis.x };
		u = in_frame( ( bv_vec3[3] ){ u, u, u }, 1 / sqrt( dot( u, u ) ), 0, 0 );
		bv_vec3 v = { axis.y * u.z - axis.z * u.y, axis.z * u.x - axis.x * u.z, axis.x * u.y - axis.y * u.x };
		flat_point p[8];
		for ( int i = 0; i < count; ++i )
		{
			p[i] = ( flat_point ){ dot( points[i], u ), dot( points[i], v ) };
		}
		flat_point c;
		double least = circle( p, count, &c );
		for ( int i = 0; i < radii; ++i )
		{
			double r = least * ( 1 + 0.01 * i );
			double lower = INFINITY;
			double upper = -INFINITY;
			for ( int n = 0; n < count; ++n )
			{
				double away = hypot( p[n].x - c.x, p[n].y - c.y );
				double cap = sqrt( fmax( r * r - away * away, 0 ) );
				lower = fmin( lower, dot( points[n], axis ) + cap );
				upper = fmax( upper, dot( points[n], axis ) - cap );
			}
			best = fmin( best, pi * r * r * ( fmax( upper - lower, 0 ) + 4 * r / 3 ) );
		}
	}
	return best;
}

static void no_capsule_by_brute_force_is_much_smaller( void** state )
{
	fixture* f = *state;
	double sum = 0;
	for ( int round = 0; round < 60; ++round )
	{
		bv_vec3 points[6];
		double y = random_unit( f );
		for ( int i = 0; i < 6; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = rounded( ( bv_vec3 ){ p.x, y * p.y, p.z } );
		}
		bv_capsule capsule = fit_capsule( points, 6 );
		double ratio = bv_capsule_volume( &capsule ) / brute_force_volume( points, 6 );
		assert_true( ratio < 1.03 );
		sum += ratio;
	}
	assert_true( sum / 60 < 1 );
}

// More points than the search keeps: those inside of others' hull change little.
static void interior_points_change_little( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		bv_vec3 points[2000];
		bv_vec3 axis[3];
		random_frame( f, axis );
		for ( int i = 0; i < 2000; ++i )
		{
			bv_vec3 p = of_sphere( i, 40 );
			p = i < 40 ? p : random_point( f );
			double scale = i < 40 ? 1 : 0.5;
			points[i] = rounded( in_frame( axis, 3 * scale * p.x, 2 * scale * p.y, scale * p.z ) );
		}
		bv_capsule few_capsule = fit_capsule( points, 40 );
		bv_capsule capsule = fit_capsule( points, 2000 );
		bv_rss few_rss = fit_rss( points, 40 );
		bv_rss rss = fit_rss( points, 2000 );
		assert_true( bv_capsule_volume( &capsule ) < 1.03 * bv_capsule_volume( &few_capsule ) );
		assert_true( bv_rss_volume( &rss ) < 1.03 * bv_rss_volume( &few_rss ) );
	}
}

static void no_point_is_an_error( void** state )
{
	(void)state;
	bv_capsule capsule;
	bv_rss rss;
	assert_int_equal( bvb_fit_capsule( NULL, 0, &capsule ), bv_error_argument );
	assert_int_equal( bvb_fit_rss( NULL, 0, &rss ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( volumes_are_the_integral_of_slices ),
		fixture_test( reach_of_a_capsule_is_a_close_upper_bound ),
		fixture_test( reach_of_a_rectangle_is_a_close_upper_bound ),
		fixture_test( reach_of_a_capsule_without_length_is_that_of_a_ball ),
		fixture_test( points_on_a_line_have_a_capsule_without_radius ),
		fixture_test( coincident_points_have_volumes_without_extent ),
		fixture_test( points_of_a_capsule_have_a_capsule_as_small ),
		fixture_test( points_of_a_plate_have_a_rectangle_swept_sphere_as_small ),
		fixture_test( a_flat_rectangle_is_found ),
		fixture_test( a_triangle_is_in_a_flat_rectangle ),
		fixture_test( a_box_is_in_what_its_corners_need ),
		fixture_test( no_capsule_is_larger_than_the_ball_and_no_rectangle_than_the_capsule ),
		fixture_test( no_capsule_by_brute_force_is_much_smaller ),
		fixture_test( interior_points_change_little ),
		fixture_test( no_point_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
