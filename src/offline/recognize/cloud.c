// The choice of points that stand for a mesh. See cloud.h.

#include "offline/recognize/cloud.h"

#include "offline/fit/surface.h"

#include <math.h>

enum
{
	triangles_most = 2048, // of which areas are computed
	corners_most = 8192,   // of a hull whose support is computed
};

// The hull's corners have the extent of all vertices.
static bool find_place( const bvb_mesh* mesh, const bvb_hull* hull, bvrecog_place* out )
{
	bv_vec3 lower = mesh->positions[hull->vertices[0]];
	bv_vec3 upper = lower;
	for ( uint32_t i = 1; i < hull->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[hull->vertices[i]];
		lower = bvmath_least( lower, p );
		upper = bvmath_greatest( upper, p );
	}
	bv_vec3 size = bv_sub( upper, lower );
	double longest = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	if ( !isfinite( longest ) || !( longest > 0x1p-500 ) )
	{
		return false;
	}
	int exponent;
	frexp( longest, &exponent );
	out->origin = bv_add( lower, bv_scale( 0.5, size ) );
	out->unit = ldexp( 1, exponent );
	out->inverse = ldexp( 1, -exponent );
	return true;
}

static bvfit_face face_at( const bvrecog_cloud* cloud, const bvb_mesh* mesh, uint32_t triangle )
{
	bv_vec3 corner[3];
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvrecog_place_in( &cloud->place, mesh->positions[mesh->triangles[triangle].corner[k]] );
	}
	return bvfit_face_of( corner );
}

// The additive sequence of the plastic number spreads points evenly over squares (M. Roberts 2018); folded,
// over triangles.
static bv_vec3 point_in( const bvfit_face* face, uint32_t index )
{
	double u = 0.5 + 0.7548776662466927 * index;
	double v = 0.5 + 0.5698402909980532 * index;
	u -= floor( u );
	v -= floor( v );
	bool folded = u + v > 1;
	bv_vec3 first = bv_scale( folded ? 1 - u : u, bv_sub( face->corner[1], face->corner[0] ) );
	bv_vec3 second = bv_scale( folded ? 1 - v : v, bv_sub( face->corner[2], face->corner[0] ) );
	return bv_add( face->corner[0], bv_add( first, second ) );
}

static void add_surface_point( bvrecog_cloud* cloud, const bvfit_face* face )
{
	bv_vec3 normal =
		bv_cross( bv_sub( face->corner[1], face->corner[0] ), bv_sub( face->corner[2], face->corner[0] ) );
	double length = sqrt( bv_dot( normal, normal ) );
	cloud->normal[cloud->count] = length > 0 ? bv_scale( 1 / length, normal ) : ( bv_vec3 ){ 0, 0, 0 };
	cloud->point[cloud->count] = point_in( face, cloud->count );
	cloud->count += 1;
}

// At even steps of the area, triangle after triangle.
static void spread_over_surface( bvrecog_cloud* cloud, const bvb_mesh* mesh )
{
	bool all = mesh->triangle_count <= triangles_most;
	uint32_t count = all ? mesh->triangle_count : triangles_most;
	double total = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfit_face face = face_at( cloud, mesh, all ? i : bvrecog_spread( i, mesh->triangle_count ) );
		total += face.area;
	}
	double passed = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfit_face face = face_at( cloud, mesh, all ? i : bvrecog_spread( i, mesh->triangle_count ) );
		passed += face.area;
		while ( cloud->count < bvrecog_cloud_surface &&
		        passed * bvrecog_cloud_surface >= total * ( cloud->count + 0.5 ) )
		{
			add_surface_point( cloud, &face );
		}
	}
	cloud->surface = cloud->count;
}

// Directions: a spiral whose turns are as far apart as the steps on it are long, opposite ones in pairs for
// the sides of what stands upright. (R. Swinbank, R. J. Purser, "Fibonacci grids", 2006)
static void spread_directions( bvrecog_cloud* cloud )
{
	// The cosine and the sine of the golden angle.
	const double cosine = -0.7373688780783197;
	const double sine = 0.6754902942615238;
	cloud->directions = bvrecog_cloud_directions;
	double x = 1;
	double y = 0;
	for ( int i = 0; i < bvrecog_cloud_directions / 2; ++i )
	{
		double z = ( i + 0.5 ) / ( bvrecog_cloud_directions / 2 );
		double r = sqrt( 1 - z * z );
		cloud->direction[2 * i] = ( bv_vec3 ){ r * x, r * y, z };
		cloud->direction[2 * i + 1] = ( bv_vec3 ){ -r * x, -r * y, -z };
		double turned = cosine * x - sine * y;
		y = sine * x + cosine * y;
		x = turned;
	}
}

static void find_support( bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull, uint32_t count )
{
	for ( int k = 0; k < bvrecog_cloud_directions; ++k )
	{
		cloud->support[k] = -INFINITY;
	}
	cloud->exact_support = count == hull->vertex_count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t vertex = hull->vertices[cloud->exact_support ? i : bvrecog_spread( i, hull->vertex_count )];
		bv_vec3 p = bvrecog_place_in( &cloud->place, mesh->positions[vertex] );
		for ( int k = 0; k < bvrecog_cloud_directions; ++k )
		{
			cloud->support[k] = bvmath_max( cloud->support[k], bv_dot( cloud->direction[k], p ) );
		}
	}
}

bool bvrecog_cloud_create( const bvb_mesh* mesh, const bvb_hull* hull, bvrecog_cloud* out )
{
	out->count = 0;
	if ( mesh->triangle_count == 0 || hull->vertex_count == 0 || !find_place( mesh, hull, &out->place ) )
	{
		return false;
	}
	spread_over_surface( out, mesh );
	bool all = mesh->vertex_count <= bvrecog_cloud_vertices;
	for ( uint32_t i = 0; i < ( all ? mesh->vertex_count : bvrecog_cloud_vertices ); ++i )
	{
		uint32_t vertex = all ? i : bvrecog_spread( i, mesh->vertex_count );
		bvrecog_cloud_add( out, bvrecog_place_in( &out->place, mesh->positions[vertex] ) );
	}
	all = hull->vertex_count <= bvrecog_cloud_corners;
	for ( uint32_t i = 0; i < ( all ? hull->vertex_count : bvrecog_cloud_corners ); ++i )
	{
		uint32_t vertex = hull->vertices[all ? i : bvrecog_spread( i, hull->vertex_count )];
		bvrecog_cloud_add( out, bvrecog_place_in( &out->place, mesh->positions[vertex] ) );
	}
	spread_directions( out );
	all = hull->vertex_count <= corners_most;
	find_support( out, mesh, hull, all ? hull->vertex_count : corners_most );
	return true;
}

void bvrecog_cloud_find_support( bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull )
{
	if ( !cloud->exact_support )
	{
		find_support( cloud, mesh, hull, hull->vertex_count );
	}
}

void bvrecog_cloud_add_direction( bvrecog_cloud* cloud, bv_vec3 direction, double support )
{
	if ( cloud->directions < bvrecog_cloud_directions_most )
	{
		cloud->direction[cloud->directions] = direction;
		cloud->support[cloud->directions++] = support;
	}
}

double bvrecog_hull_reach( const bvrecog_place* place, const bvb_mesh* mesh, const bvb_hull* hull,
                           bv_vec3 direction )
{
	double reach = -INFINITY;
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		bv_vec3 p = bvrecog_place_in( place, mesh->positions[hull->vertices[i]] );
		reach = bvmath_max( reach, bv_dot( direction, p ) );
	}
	return reach;
}

void bvrecog_cloud_add( bvrecog_cloud* cloud, bv_vec3 point )
{
	if ( cloud->count < bvrecog_cloud_most )
	{
		cloud->point[cloud->count++] = point;
	}
}
