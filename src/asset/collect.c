// A scene's triangles that count for collision: objects picked, proxies made what their names say and put in
// place of what they stand for.

#include "asset/proxy.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "bvbuild/scene.h"

#include <math.h>
#include <string.h>

// What becomes of an object.
typedef enum action
{
	action_drop,
	action_keep,
	action_shape,
} action;

static action decide( const bvb_items* items, const bool* wanted, uint32_t object )
{
	uint32_t item = items->item[object];
	bvb_proxy proxy = items->proxy[object];
	if ( item == BVB_NO_NAME || ( wanted && !wanted[item] ) )
	{
		return action_drop;
	}
	if ( proxy == bvb_proxy_none )
	{
		return items->items[item].has_proxies ? action_drop : action_keep;
	}
	return proxy == bvb_proxy_mesh ? action_keep : action_shape;
}

// The segments of each object, one after another.
typedef struct segment_lists
{
	uint32_t* first; // of each object and one more, into `segment`
	uint32_t* segment;
} segment_lists;

static bool list_segments( const bvb_scene* scene, bvb_arena* scratch, segment_lists* out )
{
	// Counts are two places late: placing a segment advances the start one place late, which ends up in its
	// place.
	out->first = bvb_arena_allocate( scratch, scene->object_count + (size_t)2, sizeof *out->first );
	out->segment = bvb_arena_allocate( scratch, scene->segment_count, sizeof *out->segment );
	if ( !out->first || !out->segment )
	{
		return false;
	}
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		++out->first[scene->segments[i].object + (size_t)2];
	}
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		out->first[i + (size_t)2] += out->first[i + (size_t)1];
	}
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		out->segment[out->first[scene->segments[i].object + (size_t)1]++] = i;
	}
	return true;
}

// What is being put together. Arrays are as large as they can get; shapes come first, to know their sizes.
typedef struct collector
{
	const bvb_scene* scene;
	const bvb_items* items;
	const bool* wanted;
	bvb_mesh* shapes; // of each object, empty but for shapes
	uint32_t* number; // of each vertex of the scene, its new number + 1
	bvb_scene* out;
} collector;

static uint32_t segment_end( const bvb_scene* scene, uint32_t segment )
{
	return segment + 1 < scene->segment_count ? scene->segments[segment + 1].first_triangle
	                                          : scene->mesh.triangle_count;
}

static bv_status check_point( const bvb_scene* scene, uint32_t object, bv_vec3 p, bvb_error* error )
{
	double largest = fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) );
	if ( isnan( p.x + p.y + p.z ) || isinf( largest ) )
	{
		return bvb_fail( error, bv_error_input, "the proxy '%s' has a coordinate that is not finite",
		                 scene->objects[object] );
	}
	if ( largest > BVB_MAX_COORDINATE )
	{
		return bvb_fail( error, bv_error_limit, "the proxy '%s' has a coordinate larger than 1.3e36",
		                 scene->objects[object] );
	}
	return bv_ok;
}

// The shape of one object. Points may be there several times.
static bv_status make_shape( const collector* c, const segment_lists* lists, uint32_t object,
                             bvb_arena* scratch, bvb_error* error )
{
	const bvb_scene* scene = c->scene;
	uint64_t count = 0;
	for ( uint32_t i = lists->first[object]; i < lists->first[object + (size_t)1]; ++i )
	{
		uint32_t s = lists->segment[i];
		count += 3 * (uint64_t)( segment_end( scene, s ) - scene->segments[s].first_triangle );
	}
	bv_vec3* points = bvb_arena_allocate( scratch, count, sizeof *points );
	if ( !points || count > INT32_MAX )
	{
		return points
		           ? bvb_fail( error, bv_error_limit, "the proxy '%s' is too large", scene->objects[object] )
		           : bvb_fail_memory( error );
	}
	uint32_t used = 0;
	for ( uint32_t i = lists->first[object]; i < lists->first[object + (size_t)1]; ++i )
	{
		uint32_t s = lists->segment[i];
		for ( uint32_t t = scene->segments[s].first_triangle; t < segment_end( scene, s ); ++t )
		{
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 p = scene->mesh.positions[scene->mesh.triangles[t].corner[k]];
				bv_status status = check_point( scene, object, p, error );
				if ( status != bv_ok )
				{
					return status;
				}
				points[used++] = p;
			}
		}
	}
	return used ? bvb_proxy_shape( c->items->proxy[object], points, used, scratch, &c->shapes[object], error )
	            : bv_ok;
}

static bv_status make_shapes( collector* c, bvb_arena* scratch, bvb_error* error )
{
	segment_lists lists;
	if ( !list_segments( c->scene, scratch, &lists ) )
	{
		return bvb_fail_memory( error );
	}
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < c->scene->object_count && status == bv_ok; ++i )
	{
		if ( decide( c->items, c->wanted, i ) == action_shape )
		{
			status = make_shape( c, &lists, i, scratch, error );
		}
	}
	return status;
}

static bv_status allocate( collector* c, bvb_arena* arena, bvb_error* error )
{
	const bvb_scene* scene = c->scene;
	uint64_t vertices = scene->mesh.vertex_count;
	uint64_t triangles = scene->mesh.triangle_count;
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		vertices += c->shapes[i].vertex_count;
		triangles += c->shapes[i].triangle_count;
	}
	if ( vertices > UINT32_MAX - 1 || triangles > UINT32_MAX - 1 )
	{
		return bvb_fail( error, bv_error_limit, "too many triangles" );
	}
	bvb_scene* out = c->out;
	out->mesh.positions = bvb_arena_allocate( arena, vertices, sizeof *out->mesh.positions );
	out->mesh.triangles = bvb_arena_allocate( arena, triangles, sizeof *out->mesh.triangles );
	out->faces = bvb_arena_allocate( arena, triangles, sizeof *out->faces );
	out->segments = bvb_arena_allocate( arena, scene->segment_count, sizeof *out->segments );
	return out->mesh.positions && out->mesh.triangles && out->faces && out->segments
	           ? bv_ok
	           : bvb_fail_memory( error );
}

static void keep_segment( collector* c, uint32_t segment )
{
	const bvb_scene* scene = c->scene;
	bvb_mesh* mesh = &c->out->mesh;
	for ( uint32_t t = scene->segments[segment].first_triangle; t < segment_end( scene, segment ); ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t old = scene->mesh.triangles[t].corner[k];
			if ( c->number[old] == 0 )
			{
				mesh->positions[mesh->vertex_count++] = scene->mesh.positions[old];
				c->number[old] = mesh->vertex_count;
			}
			mesh->triangles[mesh->triangle_count].corner[k] = c->number[old] - 1;
		}
		c->out->faces[mesh->triangle_count++] = scene->faces[t];
	}
}

static void append_shape( collector* c, const bvb_mesh* shape, uint32_t face )
{
	bvb_mesh* mesh = &c->out->mesh;
	uint32_t base = mesh->vertex_count;
	memcpy( mesh->positions + base, shape->positions, shape->vertex_count * sizeof *shape->positions );
	mesh->vertex_count += shape->vertex_count;
	for ( uint32_t t = 0; t < shape->triangle_count; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			mesh->triangles[mesh->triangle_count].corner[k] = base + shape->triangles[t].corner[k];
		}
		c->out->faces[mesh->triangle_count++] = face;
	}
}

// In the scene's order; a shape takes the place of its object's first segment.
static void assemble( collector* c )
{
	const bvb_scene* scene = c->scene;
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		bvb_segment segment = scene->segments[i];
		uint32_t first = segment.first_triangle;
		segment.first_triangle = c->out->mesh.triangle_count;
		action what = decide( c->items, c->wanted, segment.object );
		if ( what == action_keep )
		{
			keep_segment( c, i );
		}
		else if ( what == action_shape && c->shapes[segment.object].triangle_count > 0 )
		{
			append_shape( c, &c->shapes[segment.object], scene->faces[first] );
			c->shapes[segment.object].triangle_count = 0;
		}
		if ( c->out->mesh.triangle_count > segment.first_triangle )
		{
			c->out->segments[c->out->segment_count++] = segment;
		}
	}
}

static bool keeps_all( const bvb_scene* scene, const bvb_items* items, const bool* wanted )
{
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		if ( decide( items, wanted, i ) != action_keep )
		{
			return false;
		}
	}
	return true;
}

bv_status bvb_scene_collect( const bvb_scene* scene, const bvb_items* items, const bool* wanted,
                             bvb_arena* arena, bvb_scene* out, bvb_error* error )
{
	*out = *scene;
	if ( keeps_all( scene, items, wanted ) )
	{
		return bv_ok;
	}
	out->mesh = ( bvb_mesh ){ 0 };
	out->segment_count = 0;

	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvb_fail_memory( error );
	}
	collector c = {
		.scene = scene,
		.items = items,
		.wanted = wanted,
		.shapes = bvb_arena_allocate( scratch, scene->object_count, sizeof *c.shapes ),
		.number = bvb_arena_allocate( scratch, scene->mesh.vertex_count, sizeof *c.number ),
		.out = out,
	};
	bv_status status = c.shapes && c.number ? make_shapes( &c, scratch, error ) : bvb_fail_memory( error );
	if ( status == bv_ok )
	{
		status = allocate( &c, arena, error );
	}
	if ( status == bv_ok )
	{
		assemble( &c );
		status = out->mesh.triangle_count > 0
		             ? bv_ok
		             : bvb_fail( error, bv_error_input, "no triangles are left of the objects picked" );
	}
	bvb_arena_destroy( scratch );
	return status;
}
