// Shapes to start from. See start.h.

#include "offline/recognize/start.h"

#include "offline/base/frame.h"
#include "offline/fit/sphere.h"
#include "offline/recognize/sides.h"
#include "runtime/math/eigen.h"

#include <math.h>

enum
{
	axes_most = 9,
	normals_most = 1024, // of a hull
	candidates = 24,     // the largest faces
};

static const bv_vec3 coordinate_axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static void add_square( double matrix[3][3], bv_vec3 v )
{
	double at[3] = { v.x, v.y, v.z };
	for ( int k = 0; k < 9; ++k )
	{
		matrix[k / 3][k % 3] += at[k / 3] * at[k % 3];
	}
}

static bv_vec3 surface_mean( const bvrecog_cloud* cloud )
{
	bv_vec3 mean = { 0, 0, 0 };
	for ( uint32_t i = 0; i < cloud->surface; ++i )
	{
		mean = bv_add( mean, bv_scale( 1.0 / cloud->surface, cloud->point[i] ) );
	}
	return mean;
}

static void principal_axes( const bvrecog_cloud* cloud, bv_vec3 axis[3] )
{
	bv_vec3 mean = surface_mean( cloud );
	double matrix[3][3] = { { 0 } };
	for ( uint32_t i = 0; i < cloud->surface; ++i )
	{
		add_square( matrix, bv_sub( cloud->point[i], mean ) );
	}
	bvmath_eigen_symmetric( matrix, axis );
}

// Of a cylinder, whatever its length, one of them is its axis unless the discs have as much area as the side.
static void normal_axes( const bvrecog_cloud* cloud, bv_vec3 axis[3] )
{
	double matrix[3][3] = { { 0 } };
	for ( uint32_t i = 0; i < cloud->surface; ++i )
	{
		add_square( matrix, cloud->normal[i] );
	}
	bvmath_eigen_symmetric( matrix, axis );
}

static bvrecog_shape box_in( const bvrecog_cloud* cloud, const bv_vec3 axis[3] )
{
	bvrecog_shape box = { .kind = bv_primitive_box, .center = { 0, 0, 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		double lower = INFINITY;
		double upper = -INFINITY;
		for ( uint32_t k = 0; k < cloud->count; ++k )
		{
			double at = bv_dot( axis[i], cloud->point[k] );
			lower = bvmath_min( lower, at );
			upper = bvmath_max( upper, at );
		}
		box.axis[i] = axis[i];
		box.half[i] = ( upper - lower ) / 2;
		box.center = bv_add( box.center, bv_scale( ( lower + upper ) / 2, axis[i] ) );
	}
	return box;
}

// Directions that faces look in, and their areas.
typedef struct facing
{
	bv_vec3 normal[normals_most];
	double area[normals_most];
	uint32_t count;
	uint32_t largest[candidates]; // the faces of most area
	uint32_t largest_count;
} facing;

static void add_facing( facing* f, bv_vec3 normal, double area )
{
	uint32_t index = f->count++;
	f->normal[index] = normal;
	f->area[index] = area;
	uint32_t place = f->largest_count < candidates ? f->largest_count++ : candidates;
	while ( place > 0 && f->area[f->largest[place - 1]] < area )
	{
		if ( place < candidates )
		{
			f->largest[place] = f->largest[place - 1];
		}
		--place;
	}
	if ( place < candidates )
	{
		f->largest[place] = index;
	}
}

static void look_at_hull( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull, facing* f )
{
	uint32_t count = bvrecog_side_count( hull );
	bool all = count <= normals_most;
	for ( uint32_t i = 0; i < ( all ? count : normals_most ); ++i )
	{
		bvrecog_side side;
		uint32_t index = all ? i : bvrecog_spread( i, count );
		if ( bvrecog_side_at( &cloud->place, mesh->positions, hull, index, &side ) )
		{
			add_facing( f, side.normal, side.size );
		}
	}
}

// How much faces across a direction that is already found count.
static double weight_across( bv_vec3 normal, const bv_vec3* found )
{
	if ( !found )
	{
		return 1;
	}
	double along = bv_dot( normal, *found );
	double across = 1 - along * along;
	return across * across * across * across;
}

static double agreement( const facing* f, bv_vec3 direction, const bv_vec3* found )
{
	double sum = 0;
	for ( uint32_t i = 0; i < f->count; ++i )
	{
		double square = bv_dot( f->normal[i], direction );
		square *= square;
		square *= square;
		square *= square;
		sum += f->area[i] * weight_across( f->normal[i], found ) * ( square * square );
	}
	return sum;
}

// The mean of the directions near one, whichever way they point.
static bv_vec3 mean_near( const facing* f, bv_vec3 direction, const bv_vec3* found )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < f->count; ++i )
	{
		double cosine = bv_dot( f->normal[i], direction );
		double square = cosine * cosine;
		square *= square;
		square *= square;
		double weight = f->area[i] * weight_across( f->normal[i], found ) * square * ( square * cosine );
		sum = bv_add( sum, bv_scale( weight, f->normal[i] ) );
	}
	double length = sqrt( bv_dot( sum, sum ) );
	return length > 0 ? bv_scale( 1 / length, sum ) : direction;
}

// The direction, of those of the largest faces, that most of the surface faces.
static bv_vec3 most_faced( const facing* f, const bv_vec3* found )
{
	bv_vec3 best = f->normal[f->largest[0]];
	double most = -1;
	for ( uint32_t i = 0; i < f->largest_count; ++i )
	{
		bv_vec3 direction = f->normal[f->largest[i]];
		double sum = weight_across( direction, found ) * agreement( f, direction, found );
		if ( sum > most )
		{
			most = sum;
			best = direction;
		}
	}
	return mean_near( f, mean_near( f, best, found ), found );
}

static void faced_axes( const facing* f, bv_vec3 axis[3] )
{
	axis[0] = most_faced( f, NULL );
	bv_vec3 second = most_faced( f, &axis[0] );
	second = bv_sub( second, bv_scale( bv_dot( second, axis[0] ), axis[0] ) );
	double length = sqrt( bv_dot( second, second ) );
	axis[1] = length > 0x1p-10 ? bv_scale( 1 / length, second ) : bvbase_perpendicular( axis[0] );
	axis[2] = bv_cross( axis[0], axis[1] );
}

static int start_boxes( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                        bvrecog_shape* out )
{
	int count = 0;
	bv_vec3 axis[3];
	out[count++] = box_in( cloud, coordinate_axes );
	principal_axes( cloud, axis );
	out[count++] = box_in( cloud, axis );
	facing f = { .count = 0 };
	look_at_hull( cloud, mesh, hull, &f );
	if ( f.count > 0 )
	{
		faced_axes( &f, axis );
		out[count++] = box_in( cloud, axis );
	}
	return count;
}

// The least ball round all.
static bvrecog_shape start_sphere( const bvrecog_cloud* cloud )
{
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( cloud->point, cloud->count, &ball );
	bv_vec3 center = bv_add( ball.origin, ball.center );
	return bvrecog_shape_rod( bv_primitive_sphere, center, center, ball.radius );
}

// Round the least circle of what is seen along the axis.
static bvrecog_shape rod_along( const bvrecog_cloud* cloud, bv_vec3 axis, bv_primitive_kind kind )
{
	bv_vec3 u = bvbase_perpendicular( axis );
	bv_vec3 v = bv_cross( axis, u );
	bv_vec3 flat[bvrecog_cloud_most];
	double lower = INFINITY;
	double upper = -INFINITY;
	for ( uint32_t i = 0; i < cloud->count; ++i )
	{
		double height = bv_dot( axis, cloud->point[i] );
		flat[i] = ( bv_vec3 ){ bv_dot( u, cloud->point[i] ), bv_dot( v, cloud->point[i] ), 0 };
		lower = bvmath_min( lower, height );
		upper = bvmath_max( upper, height );
	}
	bvfit_ball circle = { .support_count = 0 };
	bvfit_least_ball( flat, cloud->count, &circle );
	bv_vec3 foot = bv_add( circle.origin, circle.center );
	foot = bv_add( bv_scale( foot.x, u ), bv_scale( foot.y, v ) );

	// Not shorter, so that both kinds have an axis to turn.
	double half = ( upper - lower ) / 2 - ( kind == bv_primitive_capsule ? circle.radius : 0 );
	half = bvmath_max( half, 0x1p-10 * circle.radius );
	double middle = ( lower + upper ) / 2;
	return bvrecog_shape_rod( kind, bv_add( foot, bv_scale( middle - half, axis ) ),
	                          bv_add( foot, bv_scale( middle + half, axis ) ), circle.radius );
}

int bvrecog_start_shapes( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                          bv_primitive_kind kind, bvrecog_shape out[bvrecog_starts_most] )
{
	if ( kind == bv_primitive_box )
	{
		return start_boxes( cloud, mesh, hull, out );
	}
	if ( kind == bv_primitive_sphere )
	{
		out[0] = start_sphere( cloud );
		return 1;
	}
	bv_vec3 axis[axes_most];
	for ( int i = 0; i < 3; ++i )
	{
		axis[i] = coordinate_axes[i];
	}
	principal_axes( cloud, axis + 3 );
	normal_axes( cloud, axis + 6 );
	for ( int i = 0; i < axes_most; ++i )
	{
		out[i] = rod_along( cloud, axis[i], kind );
	}
	return axes_most;
}
