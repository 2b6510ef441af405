// Points of volumes. See volumes.h.

#include "tests/reference/volumes.h"

#include "tests/reference/nearest.h"
#include "tests/reference/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __float128 quad;

static const double pi = 3.14159265358979323846;

enum
{
	rim_points = 16,
	planes_most = 2 * BV_KDOP_DIRECTIONS,
	polygon_most = planes_most * planes_most,
};

typedef enum volume_kind
{
	volume_box,
	volume_ball,
	volume_capsule,
	volume_rss,
	volume_cylinder,
	volume_polytope, // a k-DOP or a hull, by the triangles of its surface
	volume_triangles,
} volume_kind;

struct volume
{
	volume_kind kind;
	bv_obb box;
	bv_vec3 ends[2]; // both the center of a ball
	double radius;
	bv_vec3 axis[3]; // the third along the ends
	double half[2];  // of a rectangle swept sphere's rectangle
	double length;
	bv_kdop kdop; // k is 0 for others
	nearest_faces faces;
	double* area;   // of each triangle and those before
	double* inside; // volume between `center` and each triangle and those before
	bv_vec3 center;
	bv_vec3* corner;
	uint32_t corner_count;
};

static volume* volume_create( volume_kind kind, uint32_t corners )
{
	volume* v = calloc( 1, sizeof *v );
	if ( v )
	{
		v->kind = kind;
		v->corner = calloc( corners + 1, sizeof *v->corner );
	}
	if ( !v || !v->corner )
	{
		volume_free( v );
		return NULL;
	}
	return v;
}

void volume_free( volume* v )
{
	if ( v )
	{
		nearest_free( &v->faces );
		free( v->area );
		free( v->inside );
		free( v->corner );
		free( v );
	}
}

volume* volume_of_obb( const bv_obb* box )
{
	volume* v = volume_create( volume_box, 8 );
	if ( !v )
	{
		return NULL;
	}
	v->box = *box;
	v->corner_count = 8;
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3 p = box->center;
		for ( int k = 0; k < 3; ++k )
		{
			p = along( p, i >> k & 1 ? box->half_extents[k] : -box->half_extents[k], box->axis[k] );
		}
		v->corner[i] = p;
	}
	return v;
}

volume* volume_of_aabb( const bv_aabb* box )
{
	bv_vec3 l = box->lower;
	bv_vec3 u = box->upper;
	bv_obb same = { .center = { l.x + ( u.x - l.x ) / 2, l.y + ( u.y - l.y ) / 2, l.z + ( u.z - l.z ) / 2 },
		            .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		            .half_extents = { ( u.x - l.x ) / 2, ( u.y - l.y ) / 2, ( u.z - l.z ) / 2 } };
	if ( !( l.x <= u.x && l.y <= u.y && l.z <= u.z ) )
	{
		return NULL;
	}
	volume* v = volume_of_obb( &same );
	for ( int i = 0; v && i < 8; ++i )
	{
		v->corner[i] = ( bv_vec3 ){ i & 1 ? u.x : l.x, i & 2 ? u.y : l.y, i & 4 ? u.z : l.z };
	}
	return v;
}

// A right-handed frame whose third axis is along `direction`, or any if that is null.
static void frame_along( bv_vec3 direction, bv_vec3 axis[3] )
{
	double length = length_of( direction );
	axis[2] = length > 0 ? along( ( bv_vec3 ){ 0, 0, 0 }, 1 / length, direction ) : ( bv_vec3 ){ 0, 0, 1 };
	bv_vec3 other = fabs( axis[2].x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	bv_vec3 normal = cross( axis[2], other );
	axis[0] = along( ( bv_vec3 ){ 0, 0, 0 }, 1 / length_of( normal ), normal );
	axis[1] = cross( axis[2], axis[0] );
}

static bv_vec3 on_rim( const volume* v, bv_vec3 center, double radius, double turn )
{
	bv_vec3 p = along( center, radius * cos( 2 * pi * turn ), v->axis[0] );
	return along( p, radius * sin( 2 * pi * turn ), v->axis[1] );
}

static volume* round_volume( volume_kind kind, bv_vec3 from, bv_vec3 to, double radius )
{
	volume* v = volume_create( kind, 2 * rim_points + 2 );
	if ( !v )
	{
		return NULL;
	}
	v->ends[0] = from;
	v->ends[1] = to;
	v->radius = radius;
	v->length = length_of( sub( to, from ) );
	frame_along( sub( to, from ), v->axis );
	for ( int i = 0; i < 2 * rim_points; ++i )
	{
		v->corner[v->corner_count++] = on_rim( v, v->ends[i & 1], radius, (double)( i >> 1 ) / rim_points );
	}
	if ( kind != volume_cylinder )
	{
		v->corner[v->corner_count++] = along( from, -radius, v->axis[2] );
		v->corner[v->corner_count++] = along( to, radius, v->axis[2] );
	}
	return v;
}

volume* volume_of_sphere( const bv_sphere* ball )
{
	return round_volume( volume_ball, ball->center, ball->center, ball->radius );
}

volume* volume_of_capsule( const bv_capsule* capsule )
{
	return round_volume( volume_capsule, capsule->ends[0], capsule->ends[1], capsule->radius );
}

// A point from the rectangle's center: on the rectangle, and away from it.
static bv_vec3 rss_point_at( const volume* v, double s, double t, bv_vec3 away )
{
	bv_vec3 p = along( v->ends[0], s * v->half[0], v->axis[0] );
	p = along( p, t * v->half[1], v->axis[1] );
	for ( int k = 0; k < 3; ++k )
	{
		p = along( p, k == 0 ? away.x : k == 1 ? away.y : away.z, v->axis[k] );
	}
	return p;
}

// At each corner of the rectangle the points of the quarter ball along the axes and halfway between them.
volume* volume_of_rss( const bv_rss* rss )
{
	volume* v = volume_create( volume_rss, 4 * 11 );
	if ( !v )
	{
		return NULL;
	}
	v->ends[0] = v->ends[1] = rss->center;
	v->radius = rss->radius;
	for ( int k = 0; k < 3; ++k )
	{
		v->axis[k] = rss->axis[k];
		v->half[k % 2] = rss->half_extents[k % 2];
	}
	for ( int i = 0; i < 4 * 27; ++i )
	{
		bv_vec3 d = { i / 4 % 3 - 1, i / 12 % 3 - 1, i / 36 - 1 };
		double s = i & 1 ? 1 : -1;
		double t = i & 2 ? 1 : -1;
		if ( s * d.x >= 0 && t * d.y >= 0 && length_of( d ) > 0 )
		{
			d = along( ( bv_vec3 ){ 0, 0, 0 }, rss->radius / length_of( d ), d );
			v->corner[v->corner_count++] = rss_point_at( v, s, t, d );
		}
	}
	return v;
}

volume* volume_of_cylinder( const bv_cylinder* cylinder )
{
	return round_volume( volume_cylinder, cylinder->ends[0], cylinder->ends[1], cylinder->radius );
}

// Takes triangles over. They are freed if this fails.
static volume* faceted_volume( volume_kind kind, bv_vec3 ( *triangle )[3], uint32_t count )
{
	volume* v = count > 0 ? volume_create( kind, 3 * count ) : NULL;
	nearest_face* faces = malloc( ( count + 1 ) * sizeof *faces );
	if ( v )
	{
		v->area = calloc( count, sizeof *v->area );
		v->inside = calloc( count, sizeof *v->inside );
	}
	if ( !v || !faces || !v->area || !v->inside )
	{
		free( faces );
		free( triangle );
		volume_free( v );
		return NULL;
	}
	v->faces = ( nearest_faces ){ .face = faces, .count = count };
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		v->corner[i] = triangle[i / 3][i % 3];
		v->center = along( v->center, 1.0 / ( 3.0 * count ), v->corner[i] );
	}
	v->corner_count = 3 * count;
	double area = 0;
	double inside = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		v->faces.face[i] = nearest_face_of( triangle[i] );
		bv_vec3 n = cross( v->faces.face[i].side[0], v->faces.face[i].side[1] );
		area += length_of( n );
		inside += fabs( dot( n, sub( triangle[i][0], v->center ) ) );
		v->area[i] = area;
		v->inside[i] = inside;
	}
	free( triangle );
	return v;
}

volume* volume_of_mesh( const bvb_mesh* mesh )
{
	bv_vec3( *triangle )[3] = malloc( ( mesh->triangle_count + (size_t)1 ) * sizeof *triangle );
	for ( uint32_t i = 0; triangle && i < 3 * mesh->triangle_count; ++i )
	{
		triangle[i / 3][i % 3] = mesh->positions[mesh->triangles[i / 3].corner[i % 3]];
	}
	return triangle ? faceted_volume( volume_triangles, triangle, mesh->triangle_count ) : NULL;
}

volume* volume_of_hull( const bv_vec3* points, const bvb_hull* hull )
{
	bool solid = hull->kind == bv_hull_polyhedron;
	uint32_t fan = hull->vertex_count > 3 ? hull->vertex_count - 2 : 1;
	uint32_t count = solid ? hull->face_count : fan;
	bv_vec3( *triangle )[3] = malloc( ( count + (size_t)1 ) * sizeof *triangle );
	for ( uint32_t i = 0; triangle && i < 3 * count; ++i )
	{
		uint32_t last = hull->vertex_count - 1;
		uint32_t of_fan = i % 3 == 0 ? 0 : i / 3 + i % 3;
		uint32_t vertex = solid ? hull->faces[i / 3].corner[i % 3] : of_fan < last ? of_fan : last;
		triangle[i / 3][i % 3] = points[hull->vertices[vertex]];
	}
	return triangle ? faceted_volume( volume_polytope, triangle, count ) : NULL;
}

// The corners as the definition has them: where t is least, |s| reaches the whole half extent, where it is greatest, 0.
volume* volume_of_prism( const bv_prism* prism )
{
	static const int faces[8][3] = { { 0, 2, 1 }, { 3, 4, 5 }, { 0, 1, 4 }, { 0, 4, 3 },
		                             { 1, 2, 5 }, { 1, 5, 4 }, { 2, 0, 3 }, { 2, 3, 5 } };
	const bv_obb* box = &prism->box;
	bv_vec3 corner[6];
	for ( int i = 0; i < 6; ++i )
	{
		int k = i % 3;
		corner[i] = along( box->center, k == 2 ? box->half_extents[1] : -box->half_extents[1], box->axis[1] );
		corner[i] = along( corner[i], ( k == 0 ? -1 : k == 1 ? 1 : 0 ) * box->half_extents[0], box->axis[0] );
		corner[i] = along( corner[i], i < 3 ? -box->half_extents[2] : box->half_extents[2], box->axis[2] );
	}
	bv_vec3( *triangle )[3] = malloc( 8 * sizeof *triangle );
	for ( int i = 0; triangle && i < 24; ++i )
	{
		triangle[i / 3][i % 3] = corner[faces[i / 3][i % 3]];
	}
	return triangle ? faceted_volume( volume_polytope, triangle, 8 ) : NULL;
}

typedef struct plane
{
	int d[3];
	quad offset; // d . x <= offset
} plane;

static void cross_of( const int a[3], const int b[3], int out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int l = ( k + 1 ) % 3;
		int m = ( k + 2 ) % 3;
		out[k] = a[l] * b[m] - a[m] * b[l];
	}
}

// Directions are of small whole numbers, so that nothing is rounded here unless coordinates differ by a factor of 2^55.
static bool common_point( const plane* planes, int count, const int index[3], bv_vec3* out )
{
	int normal[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		cross_of( planes[index[( k + 1 ) % 3]].d, planes[index[( k + 2 ) % 3]].d, normal[k] );
	}
	const int* first = planes[index[0]].d;
	int determinant = first[0] * normal[0][0] + first[1] * normal[0][1] + first[2] * normal[0][2];
	if ( determinant == 0 )
	{
		return false;
	}
	int sign = determinant > 0 ? 1 : -1;
	quad x[3];
	for ( int k = 0; k < 3; ++k )
	{
		x[k] = sign * ( planes[index[0]].offset * normal[0][k] + planes[index[1]].offset * normal[1][k] +
		                planes[index[2]].offset * normal[2][k] );
	}
	for ( int i = 0; i < count; ++i )
	{
		const int* d = planes[i].d;
		if ( d[0] * x[0] + d[1] * x[1] + d[2] * x[2] > planes[i].offset * ( sign * determinant ) )
		{
			return false;
		}
	}
	quad scale = sign * determinant;
	*out = ( bv_vec3 ){ (double)( x[0] / scale ), (double)( x[1] / scale ), (double)( x[2] / scale ) };
	return true;
}

static int kdop_planes( const bv_kdop* kdop, plane* planes )
{
	int count = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( !bv_kdop_uses( kdop->k, i ) )
		{
			continue;
		}
		bv_vec3 d = bv_kdop_direction( i );
		planes[count++] = ( plane ){ { (int)d.x, (int)d.y, (int)d.z }, kdop->upper[i] };
		planes[count++] = ( plane ){ { -(int)d.x, -(int)d.y, -(int)d.z }, -(quad)kdop->lower[i] };
	}
	return count;
}

typedef struct turned
{
	double angle;
	bv_vec3 point;
} turned;

static int compare_turned( const void* left, const void* right )
{
	double a = ( (const turned*)left )->angle;
	double b = ( (const turned*)right )->angle;
	return ( a > b ) - ( a < b );
}

// The corners of one side in order round it.
static int side_polygon( const plane* planes, int count, int side, turned polygon[polygon_most] )
{
	int corners = 0;
	bv_vec3 middle = { 0, 0, 0 };
	for ( int a = 0; a < count; ++a )
	{
		for ( int b = 0; b < a; ++b )
		{
			bv_vec3 p;
			if ( common_point( planes, count, ( int[3] ){ side, a, b }, &p ) )
			{
				polygon[corners++].point = p;
			}
		}
	}
	for ( int i = 0; i < corners; ++i )
	{
		middle = along( middle, 1.0 / corners, polygon[i].point );
	}
	bv_vec3 axis[3];
	frame_along( ( bv_vec3 ){ planes[side].d[0], planes[side].d[1], planes[side].d[2] }, axis );
	for ( int i = 0; i < corners; ++i )
	{
		bv_vec3 d = sub( polygon[i].point, middle );
		polygon[i].angle = atan2( dot( d, axis[1] ), dot( d, axis[0] ) );
	}
	qsort( polygon, (size_t)corners, sizeof *polygon, compare_turned );
	return corners;
}

volume* volume_of_kdop( const bv_kdop* kdop )
{
	plane planes[planes_most];
	int count = kdop_planes( kdop, planes );
	bv_vec3( *triangle )[3] = malloc( (size_t)planes_most * polygon_most * sizeof *triangle );
	turned* polygon = malloc( polygon_most * sizeof *polygon );
	uint32_t triangles = 0;
	for ( int side = 0; triangle && polygon && side < count; ++side )
	{
		int corners = side_polygon( planes, count, side, polygon );
		for ( int i = 1; i + 1 < corners || ( i == 1 && corners > 0 ); ++i )
		{
			bv_vec3* t = triangle[triangles++];
			t[0] = polygon[0].point;
			t[1] = polygon[i < corners ? i : corners - 1].point;
			t[2] = polygon[i + 1 < corners ? i + 1 : corners - 1].point;
		}
	}
	free( polygon );
	volume* v = triangle ? faceted_volume( volume_polytope, triangle, triangles ) : NULL;
	if ( v )
	{
		v->kdop = *kdop;
	}
	return v;
}

static bv_vec3 box_point( const bv_obb* box, bool surface, const double u[4] )
{
	const double* h = box->half_extents;
	double at[3] = { 2 * u[0] - 1, 2 * u[1] - 1, 2 * u[2] - 1 };
	if ( surface )
	{
		double area[3] = { h[1] * h[2], h[2] * h[0], h[0] * h[1] };
		double sum = area[0] + area[1] + area[2];
		// Of a box without area a side normal to the least extent is all of it.
		int side = h[0] <= h[1] && h[0] <= h[2] ? 0 : h[1] <= h[2] ? 1 : 2;
		double rest = 2 * u[3] - 1;
		if ( sum > 0 )
		{
			double place = fabs( rest ) * sum;
			side = place < area[0] ? 0 : place < area[0] + area[1] ? 1 : 2;
		}
		at[side] = rest < 0 ? -1 : 1;
	}
	bv_vec3 p = box->center;
	for ( int k = 0; k < 3; ++k )
	{
		p = along( p, at[k] * h[k], box->axis[k] );
	}
	return p;
}

static bv_vec3 ball_offset( const volume* v, double radius, double u, double turn )
{
	double height = 2 * u - 1;
	bv_vec3 p = { 0, 0, 0 };
	p = along( p, radius * height, v->axis[2] );
	return on_rim( v, p, radius * sqrt( fmax( 0, 1 - height * height ) ), turn );
}

// Also a ball: it has no length.
static bv_vec3 capsule_point( const volume* v, bool surface, const double u[4] )
{
	double round = surface ? 2 * v->radius : v->radius * 4 / 3;
	if ( u[0] * ( round + v->length ) < v->length )
	{
		bv_vec3 p = along( v->ends[0], u[1] * v->length, v->axis[2] );
		return on_rim( v, p, v->radius * ( surface ? 1 : sqrt( u[3] ) ), u[2] );
	}
	bv_vec3 offset = ball_offset( v, v->radius * ( surface ? 1 : cbrt( u[3] ) ), u[1], u[2] );
	return along( v->ends[dot( offset, v->axis[2] ) > 0], 1, offset );
}

// A box, or two rectangles; two cylinders, cut lengthwise; and a ball, cut crosswise.
static bv_vec3 rss_point( const volume* v, bool surface, const double u[4] )
{
	double a = v->half[0];
	double b = v->half[1];
	double r = v->radius;
	double plates = surface ? 8 * a * b : 8 * a * b * r;
	double sides = surface ? 4 * pi * r * ( a + b ) : 2 * pi * r * r * ( a + b );
	double ball = surface ? 4 * pi * r * r : 4 * pi * r * r * r / 3;
	double place = u[0] * ( plates + sides + ball );
	double s = 2 * u[1] - 1;
	double t = 2 * u[2] - 1;
	if ( place < plates || !( plates + sides + ball > 0 ) )
	{
		double height = surface ? ( u[3] < 0.5 ? -r : r ) : r * ( 2 * u[3] - 1 );
		return rss_point_at( v, s, t, ( bv_vec3 ){ 0, 0, height } );
	}
	if ( place < plates + sides )
	{
		double far = r * ( surface ? 1 : sqrt( u[3] ) );
		double across = far * cos( 2 * pi * u[2] );
		double up = far * sin( 2 * pi * u[2] );
		double side = across < 0 ? -1 : 1;
		return ( place - plates ) * ( a + b ) < sides * a
		           ? rss_point_at( v, s, side, ( bv_vec3 ){ 0, across, up } )
		           : rss_point_at( v, side, s, ( bv_vec3 ){ across, 0, up } );
	}
	double far = r * ( surface ? 1 : cbrt( u[3] ) );
	double rim = far * sqrt( fmax( 0, 1 - s * s ) );
	bv_vec3 away = { rim * cos( 2 * pi * u[2] ), rim * sin( 2 * pi * u[2] ), far * s };
	return rss_point_at( v, away.x < 0 ? -1 : 1, away.y < 0 ? -1 : 1, away );
}

static bv_vec3 cylinder_point( const volume* v, bool surface, const double u[4] )
{
	if ( surface && u[0] * ( v->length + v->radius ) < v->radius )
	{
		return on_rim( v, v->ends[u[3] < 0.5], v->radius * sqrt( u[1] ), u[2] );
	}
	bv_vec3 p = along( v->ends[0], u[1] * v->length, v->axis[2] );
	return on_rim( v, p, v->radius * ( surface ? 1 : sqrt( u[3] ) ), u[2] );
}

// The element of an ascending list that `u` of its last one falls to; evenly if all are 0.
static uint32_t chosen( const double* sums, uint32_t count, double u )
{
	double place = u * sums[count - 1];
	if ( !( sums[count - 1] > 0 ) )
	{
		uint32_t i = (uint32_t)( u * count );
		return i < count ? i : count - 1;
	}
	uint32_t low = 0;
	uint32_t high = count - 1;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( sums[middle] > place )
		{
			high = middle;
		}
		else
		{
			low = middle + 1;
		}
	}
	return low;
}

static bv_vec3 faceted_point( const volume* v, bool surface, const double u[4] )
{
	bool solid = v->kind == volume_polytope && !surface && v->inside[v->faces.count - 1] > 0;
	const nearest_face* face = &v->faces.face[chosen( solid ? v->inside : v->area, v->faces.count, u[0] )];
	double s = sqrt( u[1] );
	bv_vec3 p = along( face->corner[0], s * ( 1 - u[2] ), face->side[0] );
	p = along( p, -s * u[2], face->side[2] );
	return solid ? along( v->center, cbrt( u[3] ), sub( p, v->center ) ) : p;
}

bv_vec3 volume_point( const volume* v, bool surface, const double u[4] )
{
	switch ( v->kind )
	{
	case volume_box: return box_point( &v->box, surface, u );
	case volume_ball:
	case volume_capsule: return capsule_point( v, surface, u );
	case volume_rss: return rss_point( v, surface, u );
	case volume_cylinder: return cylinder_point( v, surface, u );
	case volume_polytope:
	case volume_triangles: break;
	}
	return faceted_point( v, surface, u );
}

const bv_vec3* volume_corners( const volume* v, uint32_t* count )
{
	*count = v->corner_count;
	return v->corner;
}

static void include( bv_aabb* bounds, bv_vec3 p, double radius )
{
	bounds->lower.x = fmin( bounds->lower.x, p.x - radius );
	bounds->lower.y = fmin( bounds->lower.y, p.y - radius );
	bounds->lower.z = fmin( bounds->lower.z, p.z - radius );
	bounds->upper.x = fmax( bounds->upper.x, p.x + radius );
	bounds->upper.y = fmax( bounds->upper.y, p.y + radius );
	bounds->upper.z = fmax( bounds->upper.z, p.z + radius );
}

bv_aabb volume_bounds( const volume* v )
{
	bool round = v->kind == volume_ball || v->kind == volume_capsule || v->kind == volume_cylinder;
	bv_aabb bounds = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	for ( int i = 0; v->kind == volume_rss && i < 4; ++i )
	{
		include( &bounds, rss_point_at( v, i & 1 ? 1 : -1, i & 2 ? 1 : -1, ( bv_vec3 ){ 0, 0, 0 } ),
		         v->radius );
	}
	for ( int i = 0; round && i < 2; ++i )
	{
		include( &bounds, v->ends[i], v->radius );
	}
	for ( uint32_t i = 0; i < v->corner_count; ++i )
	{
		include( &bounds, v->corner[i], 0 );
	}
	return bounds;
}

// How far outside of the nearest plane that bounds it, negative inside: exact inside and a lower bound outside.
static double box_excess( const bv_obb* box, bv_vec3 p )
{
	double most = -INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		most = fmax( most, fabs( dot( box->axis[k], sub( p, box->center ) ) ) - box->half_extents[k] );
	}
	return most;
}

static double capsule_excess( const volume* v, bv_vec3 p )
{
	double t = dot( sub( p, v->ends[0] ), v->axis[2] );
	t = fmin( fmax( t, 0 ), v->length );
	return length_of( sub( p, along( v->ends[0], t, v->axis[2] ) ) ) - v->radius;
}

static double rss_excess( const volume* v, bv_vec3 p )
{
	bv_vec3 d = sub( p, v->ends[0] );
	double s = dot( d, v->axis[0] );
	double t = dot( d, v->axis[1] );
	d = along( d, -fmin( fmax( s, -v->half[0] ), v->half[0] ), v->axis[0] );
	d = along( d, -fmin( fmax( t, -v->half[1] ), v->half[1] ), v->axis[1] );
	return length_of( d ) - v->radius;
}

static double cylinder_excess( const volume* v, bv_vec3 p )
{
	double t = dot( sub( p, v->ends[0] ), v->axis[2] );
	double from_axis = length_of( sub( p, along( v->ends[0], t, v->axis[2] ) ) );
	return fmax( from_axis - v->radius, fmax( -t, t - v->length ) );
}

static double kdop_excess( const bv_kdop* kdop, bv_vec3 p )
{
	double most = -INFINITY;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kdop->k, i ) )
		{
			bv_vec3 d = bv_kdop_direction( i );
			double at = dot( d, p );
			most = fmax( most, fmax( kdop->lower[i] - at, at - kdop->upper[i] ) / length_of( d ) );
		}
	}
	return most;
}

bool volume_contains( const volume* v, bool surface, bv_vec3 point, double slack )
{
	double excess;
	switch ( v->kind )
	{
	case volume_box: excess = box_excess( &v->box, point ); break;
	case volume_ball:
	case volume_capsule: excess = capsule_excess( v, point ); break;
	case volume_rss: excess = rss_excess( v, point ); break;
	case volume_cylinder: excess = cylinder_excess( v, point ); break;
	default:
		if ( nearest_distance( &v->faces, point, NULL ) <= slack )
		{
			return true;
		}
		if ( v->kind == volume_triangles || surface )
		{
			return false;
		}
		return v->kdop.k ? kdop_excess( &v->kdop, point ) <= slack
		                 : nearest_winding( &v->faces, point ) > 0.5;
	}
	return excess <= slack && ( !surface || excess >= -slack );
}
