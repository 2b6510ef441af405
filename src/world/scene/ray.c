// Rays through objects that are made of files. See bvworld/scene.h.
//
// The broad phase reports boxes in the order in which the ray enters them, and its callback casts the ray at one mesh. The result
// of a mesh does not depend on what was found before: hits do not depend on the order of calls.
//
// The time at which the line of a ray o + t * d meets the plane of the triangle p, q, r is t = n * ( p - o ) / n * d with the normal
// n = ( q - p ) x ( r - p ). It is computed in interval arithmetic, relative to where the object is, so that it is not wider far away
// from the origin of the world.

#include "world/scene/interval.h"
#include "world/scene/scene.h"

typedef struct ray_line
{
	bv_interval origin[3]; // relative to the translation of the object
	bv_interval direction[3];
} ray_line;

static ray_line line_of( const bvwscene_object* o, const bv_ray* ray )
{
	ray_line out;
	for ( int k = 0; k < 3; ++k )
	{
		double to = bvmath_component( o->placement->pose.translation, k );
		out.origin[k] =
			bvwscene_minus( bvwscene_exactly( bvmath_component( ray->origin, k ) ), bvwscene_exactly( to ) );
		out.direction[k] = bvwscene_exactly( bvmath_component( ray->direction, k ) );
	}
	return out;
}

static bv_interval dot( const bv_interval a[3], const bv_interval b[3] )
{
	bv_interval sum = bvwscene_plus( bvwscene_times( a[0], b[0] ), bvwscene_times( a[1], b[1] ) );
	return bvwscene_plus( sum, bvwscene_times( a[2], b[2] ) );
}

static void subtract( const bv_interval a[3], const bv_interval b[3], bv_interval out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bvwscene_minus( a[k], b[k] );
	}
}

static void cross( const bv_interval a[3], const bv_interval b[3], bv_interval out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3;
		int j = ( k + 2 ) % 3;
		out[k] = bvwscene_minus( bvwscene_times( a[i], b[j] ), bvwscene_times( a[j], b[i] ) );
	}
}

// A vertex, relative to the translation of the object.
static void get_corner( const bvwscene_object* o, uint32_t vertex, bv_interval out[3] )
{
	const bv_transform* t = o->placement;
	bv_vec3 p = bv_file_get_vertex( o->file, vertex );
	const double at[3] = { t->mirror ? -p.x : p.x, p.y, p.z };
	bv_interval scaled[3];
	for ( int k = 0; k < 3; ++k )
	{
		scaled[k] = bvwscene_times( bvwscene_exactly( t->scale ), bvwscene_exactly( at[k] ) );
	}
	for ( int k = 0; k < 3; ++k )
	{
		const double* r = t->pose.rotation[k];
		const bv_interval row[3] = { bvwscene_exactly( r[0] ), bvwscene_exactly( r[1] ),
			                         bvwscene_exactly( r[2] ) };
		out[k] = dot( row, scaled );
	}
}

// When the line is in the box of the triangle.
static bv_interval time_in_box( const ray_line* l, bv_interval corner[3][3] )
{
	double lower = -INFINITY;
	double upper = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		if ( l->direction[k].lower == 0 )
		{
			continue;
		}
		bv_interval side = {
			bvmath_min( bvmath_min( corner[0][k].lower, corner[1][k].lower ), corner[2][k].lower ),
			bvmath_max( bvmath_max( corner[0][k].upper, corner[1][k].upper ), corner[2][k].upper )
		};
		bv_interval time = bvwscene_over( bvwscene_minus( side, l->origin[k] ), l->direction[k] );
		lower = bvmath_max( lower, time.lower );
		upper = bvmath_min( upper, time.upper );
	}
	// The ray may pass the triangle within rounding errors.
	return ( bv_interval ){ bvmath_min( lower, upper ), bvmath_max( lower, upper ) };
}

bv_interval bvwscene_time_of( const bvwscene_object* object, uint32_t triangle, const bv_ray* ray )
{
	uint32_t vertex[3];
	bv_interval corner[3][3];
	bv_interval side[3][3]; // from the origin of the ray to a corner, and from there to both others
	bv_interval normal[3];
	ray_line l = line_of( object, ray );
	bv_file_get_triangle( object->file, triangle, vertex );
	for ( int i = 0; i < 3; ++i )
	{
		get_corner( object, vertex[i], corner[i] );
		subtract( corner[i], i == 0 ? l.origin : corner[0], side[i] );
	}
	cross( side[1], side[2], normal );
	bv_interval along = dot( normal, l.direction );
	return bvwscene_contains_zero( along ) ? time_in_box( &l, corner )
	                                       : bvwscene_over( dot( normal, side[0] ), along );
}

// A query: what its callback gets.
typedef struct scene_query
{
	const bvw_scene* scene;
	const bv_ray* ray;
	bool has_failed;
} scene_query;

static bool meets( void* context, double end, bvw_hit* hit )
{
	scene_query* q = context;
	(void)end;
	bvwscene_object object;
	bv_ray_result r = { .found = false };
	bool is_there = bvwscene_look_up( q->scene, hit->number, &object );
	if ( !is_there ||
	     ( object.file && bv_mesh_cast_ray( object.file, object.placement, q->ray, NULL, &r ) != bv_ok ) )
	{
		q->has_failed = true;
		return false;
	}
	if ( r.found )
	{
		hit->time = bvwscene_time_of( &object, r.at.triangle, q->ray );
	}
	return r.found;
}

bv_status bvw_scene_cast_ray( const bvw_scene* scene, const bv_ray* ray, const bvw_cast_options* options,
                              bvw_hit* hits, bv_ray_result* surfaces, uint32_t most, bvw_found* found )
{
	scene_query q = { scene, ray, false };
	bvw_cast_options o = options ? *options : bvw_cast_options_default();
	if ( !bvwscene_is_valid( scene ) || !found || o.callback )
	{
		return bv_error_argument;
	}
	o.callback = meets;
	o.context = &q;
	bvw_found count = { 0, 0 };
	bv_status status = bvw_broadphase_cast_ray( scene->world, ray, &o, hits, most, &count );
	if ( status != bv_ok || q.has_failed )
	{
		return bv_error_argument;
	}
	for ( uint32_t i = 0; surfaces && i < count.count; ++i )
	{
		bvwscene_object object;
		bvwscene_look_up( scene, hits[i].number, &object );
		bv_mesh_cast_ray( object.file, object.placement, ray, NULL, surfaces + i );
	}
	*found = count;
	return bv_ok;
}
