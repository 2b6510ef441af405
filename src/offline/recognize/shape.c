// Signed distances of primitives, their derivatives and bounds. See shape.h.

#include "offline/recognize/shape.h"

#include "offline/base/frame.h"
#include "runtime/math/vec.h"

#include <math.h>

// A cylinder always has an axis: what is shorter is flat up to binary32's rounding.
static const double least_length = 0x1p-22;

static bv_vec3 axis_of( const bvrecog_shape* s )
{
	double length = bvmath_length( s->along );
	return length > 0 ? bv_scale( 1 / length, s->along ) : ( bv_vec3 ){ 1, 0, 0 };
}

// A point as a rod's axis sees it.
typedef struct shape_foot
{
	double share;   // of the way from the first end to the second, of the point's projection
	double radial;  // distance from the axis
	bv_vec3 across; // from the axis to the point
} shape_foot;

static shape_foot foot_on( const bvrecog_shape* s, bool clamped, bv_vec3 p )
{
	bv_vec3 d = bv_sub( p, s->ends[0] );
	double squared = bv_dot( s->along, s->along );
	shape_foot f = { .share = squared > 0 ? bv_dot( d, s->along ) / squared : 0.5 };
	if ( clamped )
	{
		f.share = bvmath_max( 0, bvmath_min( f.share, 1 ) );
	}
	f.across = bv_sub( d, bv_scale( f.share, s->along ) );
	f.radial = bvmath_length( f.across );
	return f;
}

// Whichever direction serves where none is better than others.
static bv_vec3 outward( const shape_foot* f, const bvrecog_shape* s )
{
	return f->radial > 0 ? bv_scale( 1 / f->radial, f->across ) : bvbase_perpendicular( axis_of( s ) );
}

// A point as a cylinder sees it: how far it is beyond the side and beyond the nearer end.
typedef struct rod_view
{
	shape_foot foot;
	double length;
	bv_vec3 unit;  // along the axis
	int end;       // the nearer one
	double radial; // beyond the side, or negative
	double axial;  // beyond that end, or negative
} rod_view;

static rod_view view_of( const bvrecog_shape* s, bv_vec3 p )
{
	rod_view v = { .foot = foot_on( s, false, p ), .length = bvmath_length( s->along ) };
	v.unit = bv_scale( 1 / v.length, s->along );
	v.end = v.foot.share > 0.5;
	double height = bv_dot( bv_sub( p, s->ends[v.end] ), v.unit );
	v.axial = v.end ? height : -height;
	v.radial = v.foot.radial - s->radius;
	return v;
}

// How much of the distance is along two or three directions that are at right angles: of those beyond which
// the point is all, inside the nearest. @return the distance
static double weigh( const double* beyond, int count, double* weight )
{
	double squared = 0;
	int nearest = 0;
	for ( int i = 0; i < count; ++i )
	{
		weight[i] = bvmath_max( beyond[i], 0 );
		squared += weight[i] * weight[i];
		nearest = beyond[i] > beyond[nearest] ? i : nearest;
	}
	double distance = sqrt( squared );
	for ( int i = 0; i < count; ++i )
	{
		weight[i] = distance > 0 ? weight[i] / distance : i == nearest;
	}
	return distance > 0 ? distance : beyond[nearest];
}

// A point as a box sees it.
typedef struct box_view
{
	bv_vec3 offset;   // from the center
	double beyond[3]; // the sides, or negative
	double sign[3];   // which of the two sides
} box_view;

static box_view box_view_of( const bvrecog_shape* s, bv_vec3 p )
{
	box_view v = { .offset = bv_sub( p, s->center ) };
	for ( int i = 0; i < 3; ++i )
	{
		double at = bv_dot( s->axis[i], v.offset );
		v.sign[i] = at < 0 ? -1 : 1;
		v.beyond[i] = fabs( at ) - s->half[i];
	}
	return v;
}

static bv_vec3 box_normal( const bvrecog_shape* s, const box_view* v, const double weight[3] )
{
	bv_vec3 normal = bv_scale( weight[0] * v->sign[0], s->axis[0] );
	normal = bv_add( normal, bv_scale( weight[1] * v->sign[1], s->axis[1] ) );
	return bv_add( normal, bv_scale( weight[2] * v->sign[2], s->axis[2] ) );
}

int bvrecog_shape_parameters( bv_primitive_kind kind )
{
	return kind == bv_primitive_box ? 9 : kind == bv_primitive_sphere ? 4 : 7;
}

double bvrecog_shape_distance( const bvrecog_shape* shape, bv_vec3 p )
{
	double weight[3];
	switch ( shape->kind )
	{
	case bv_primitive_box:
	{
		box_view v = box_view_of( shape, p );
		return weigh( v.beyond, 3, weight );
	}
	case bv_primitive_cylinder:
	{
		rod_view v = view_of( shape, p );
		return weigh( ( double[2] ){ v.radial, v.axial }, 2, weight );
	}
	default: return foot_on( shape, true, p ).radial - shape->radius;
	}
}

bvrecog_near bvrecog_shape_near( const bvrecog_shape* shape, bv_vec3 p )
{
	double weight[3];
	bvrecog_near near;
	switch ( shape->kind )
	{
	case bv_primitive_box:
	{
		box_view v = box_view_of( shape, p );
		near.distance = weigh( v.beyond, 3, weight );
		near.normal = box_normal( shape, &v, weight );
		return near;
	}
	case bv_primitive_cylinder:
	{
		rod_view v = view_of( shape, p );
		near.distance = weigh( ( double[2] ){ v.radial, v.axial }, 2, weight );
		near.normal = bv_add( bv_scale( weight[0], outward( &v.foot, shape ) ),
		                      bv_scale( v.end ? weight[1] : -weight[1], v.unit ) );
		return near;
	}
	default:
	{
		shape_foot f = foot_on( shape, true, p );
		near.distance = f.radial - shape->radius;
		near.normal = outward( &f, shape );
		return near;
	}
	}
}

static void put( double* row, bv_vec3 v )
{
	row[0] = v.x;
	row[1] = v.y;
	row[2] = v.z;
}

static double box_derivatives( const bvrecog_shape* s, bv_vec3 p, double* row )
{
	double weight[3];
	box_view v = box_view_of( s, p );
	double distance = weigh( v.beyond, 3, weight );
	bv_vec3 normal = box_normal( s, &v, weight );
	put( row, bv_cross( normal, v.offset ) );
	put( row + 3, bv_negate( normal ) );
	for ( int i = 0; i < 3; ++i )
	{
		row[6 + i] = -weight[i];
	}
	return distance;
}

// Moving one end turns the discs too: the disc at the end e has the distance u (p - e), whose unit vector u
// changes by what the ends move across the axis, divided by the length.
static double cylinder_derivatives( const bvrecog_shape* s, bv_vec3 p, double* row )
{
	double weight[2];
	rod_view v = view_of( s, p );
	double distance = weigh( ( double[2] ){ v.radial, v.axial }, 2, weight );
	bv_vec3 side = bv_scale( -weight[0], outward( &v.foot, s ) );
	bv_vec3 turn = bv_scale( ( v.end ? weight[1] : -weight[1] ) / v.length, v.foot.across );
	bv_vec3 away = bv_scale( v.end ? -weight[1] : weight[1], v.unit );
	bv_vec3 first = bv_sub( bv_scale( 1 - v.foot.share, side ), turn );
	bv_vec3 second = bv_add( bv_scale( v.foot.share, side ), turn );
	put( row, v.end ? first : bv_add( first, away ) );
	put( row + 3, v.end ? bv_add( second, away ) : second );
	row[6] = -weight[0];
	return distance;
}

double bvrecog_shape_derivatives( const bvrecog_shape* shape, bv_vec3 p,
                                  double row[bvrecog_shape_parameters_most] )
{
	switch ( shape->kind )
	{
	case bv_primitive_box: return box_derivatives( shape, p, row );
	case bv_primitive_cylinder: return cylinder_derivatives( shape, p, row );
	default:
	{
		shape_foot f = foot_on( shape, true, p );
		bv_vec3 normal = bv_negate( outward( &f, shape ) );
		bool sphere = shape->kind == bv_primitive_sphere;
		put( row, bv_scale( sphere ? 1 : 1 - f.share, normal ) );
		put( row + 3, bv_scale( f.share, normal ) );
		row[sphere ? 3 : 6] = -1;
		return f.radial - shape->radius;
	}
	}
}

static double box_support( const bvrecog_shape* s, bv_vec3 direction, double* row )
{
	double support = bv_dot( direction, s->center );
	bv_vec3 turn = { 0, 0, 0 };
	for ( int i = 0; i < 3; ++i )
	{
		double along = bv_dot( direction, s->axis[i] );
		support += fabs( along ) * s->half[i];
		turn = bv_add( turn,
		               bv_scale( along < 0 ? -s->half[i] : s->half[i], bv_cross( s->axis[i], direction ) ) );
		row[6 + i] = fabs( along );
	}
	put( row, turn );
	put( row + 3, direction );
	return support;
}

static double rod_support( const bvrecog_shape* s, bv_vec3 direction, double* row )
{
	double first = bv_dot( direction, s->ends[0] );
	double second = bv_dot( direction, s->ends[1] );
	double spread = 1;
	bv_vec3 tilt = { 0, 0, 0 };
	if ( s->kind == bv_primitive_cylinder )
	{
		bv_vec3 unit = axis_of( s );
		double along = bv_dot( direction, unit );
		bv_vec3 across = bv_sub( direction, bv_scale( along, unit ) );
		spread = bvmath_length( across );
		tilt = spread > 0 ? bv_scale( s->radius * along / ( spread * bvmath_length( s->along ) ), across )
		                  : tilt;
	}
	bv_vec3 none = { 0, 0, 0 };
	bool sphere = s->kind == bv_primitive_sphere;
	put( row + 3, bv_sub( second > first ? direction : none, tilt ) );
	put( row, bv_add( second > first && !sphere ? none : direction, tilt ) );
	row[sphere ? 3 : 6] = spread;
	return bvmath_max( first, second ) + spread * s->radius;
}

double bvrecog_shape_support_derivatives( const bvrecog_shape* shape, bv_vec3 direction,
                                          double row[bvrecog_shape_parameters_most] )
{
	return shape->kind == bv_primitive_box ? box_support( shape, direction, row )
	                                       : rod_support( shape, direction, row );
}

double bvrecog_shape_support( const bvrecog_shape* shape, bv_vec3 direction )
{
	double row[bvrecog_shape_parameters_most];
	return bvrecog_shape_support_derivatives( shape, direction, row );
}

double bvrecog_shape_depth( const bvrecog_shape* shape )
{
	switch ( shape->kind )
	{
	case bv_primitive_box: return bvmath_min( shape->half[0], bvmath_min( shape->half[1], shape->half[2] ) );
	case bv_primitive_cylinder: return bvmath_min( shape->radius, bvmath_length( shape->along ) / 2 );
	default: return shape->radius;
	}
}

double bvrecog_shape_farthest( const bvrecog_shape* shape, bv_vec3 p )
{
	if ( shape->kind == bv_primitive_box )
	{
		box_view v = box_view_of( shape, p );
		double squared = 0;
		for ( int i = 0; i < 3; ++i )
		{
			double farthest = v.beyond[i] + 2 * shape->half[i];
			squared += farthest * farthest;
		}
		return sqrt( squared );
	}
	return bvmath_max( bvmath_length( bv_sub( p, shape->ends[0] ) ),
	                   bvmath_length( bv_sub( p, shape->ends[1] ) ) ) +
	       shape->radius;
}

// With u = 2^-53 and m the sum of all lengths that enter, coordinates are within u m of what they stand for,
// the axes of a decoded box are orthonormal to 36 u, and each result is reached in some twenty operations on
// numbers up to m. 2^-43 m is ten times that.
double bvrecog_shape_grain( const bvrecog_shape* shape )
{
	double size = 4;
	if ( shape->kind == bv_primitive_box )
	{
		size += bvmath_norm1( shape->center ) + shape->half[0] + shape->half[1] + shape->half[2];
	}
	else
	{
		size += bvmath_norm1( shape->ends[0] ) + bvmath_norm1( shape->ends[1] ) + shape->radius;
	}
	return 0x1p-43 * size;
}

// The rotation by 2 atan |g| about g (Rodrigues).
static bv_vec3 turned( bv_vec3 g, bv_vec3 v )
{
	bv_vec3 across = bv_cross( g, v );
	bv_vec3 change = bv_add( across, bv_cross( g, across ) );
	return bv_add( v, bv_scale( 2 / ( 1 + bv_dot( g, g ) ), change ) );
}

bvrecog_shape bvrecog_shape_rod( bv_primitive_kind kind, bv_vec3 first, bv_vec3 second, double radius )
{
	return ( bvrecog_shape ){
		.kind = kind,
		.ends = { first, second },
		.along = bv_sub( second, first ),
		.radius = bvmath_max( radius, 0 ),
	};
}

static bvrecog_shape with_length( const bvrecog_shape* s, bv_vec3 unit, double length )
{
	bv_vec3 middle = bv_add( s->ends[0], bv_scale( 0.5, bv_sub( s->ends[1], s->ends[0] ) ) );
	bv_vec3 half = bv_scale( length / 2, unit );
	bvrecog_shape changed =
		bvrecog_shape_rod( s->kind, bv_sub( middle, half ), bv_add( middle, half ), s->radius );
	changed.along = bv_scale( length, unit );
	return changed;
}

double bvrecog_shape_length( const bvrecog_shape* shape )
{
	return bvmath_length( shape->along );
}

bvrecog_shape bvrecog_shape_with_length( const bvrecog_shape* shape, double length )
{
	return with_length( shape, axis_of( shape ), length );
}

static bvrecog_shape moved_box( const bvrecog_shape* shape, const double* change )
{
	bvrecog_shape moved = *shape;
	bv_vec3 half_turn = bv_scale( 0.5, ( bv_vec3 ){ change[0], change[1], change[2] } );
	moved.center = bv_add( shape->center, ( bv_vec3 ){ change[3], change[4], change[5] } );
	for ( int i = 0; i < 3; ++i )
	{
		moved.axis[i] = turned( half_turn, shape->axis[i] );
		moved.half[i] = bvmath_max( shape->half[i] + change[6 + i], 0 );
	}
	return moved;
}

bvrecog_shape bvrecog_shape_moved( const bvrecog_shape* shape, const double* change )
{
	if ( shape->kind == bv_primitive_box )
	{
		return moved_box( shape, change );
	}
	bool sphere = shape->kind == bv_primitive_sphere;
	const double* other = sphere ? change : change + 3;
	bv_vec3 first = bv_add( shape->ends[0], ( bv_vec3 ){ change[0], change[1], change[2] } );
	bv_vec3 second = bv_add( shape->ends[1], ( bv_vec3 ){ other[0], other[1], other[2] } );
	bvrecog_shape moved =
		bvrecog_shape_rod( shape->kind, first, second, shape->radius + change[sphere ? 3 : 6] );
	bool too_short = shape->kind == bv_primitive_cylinder && bvmath_length( moved.along ) < least_length;
	return too_short ? with_length( &moved, axis_of( shape ), least_length ) : moved;
}

bvrecog_shape bvrecog_shape_swollen( const bvrecog_shape* shape, double by )
{
	bvrecog_shape swollen = *shape;
	for ( int i = 0; i < 3; ++i )
	{
		swollen.half[i] = bvmath_max( shape->half[i] + by, 0 );
	}
	swollen.radius = bvmath_max( shape->radius + by, 0 );
	double length = bvmath_max( bvmath_length( shape->along ) + 2 * by, least_length );
	return shape->kind == bv_primitive_cylinder ? bvrecog_shape_with_length( &swollen, length ) : swollen;
}
