// A scene's triangles that count for collision: objects picked, proxies made what their names say and put in
// place of what they stand for.

#include "bvbuild/scene.h"
#include "offline/asset/proxy.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "offline/mesh/offset.h"
#include "runtime/math/vec.h"

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
	const bvb_record_options* record;
	bvb_mesh* shapes;        // of each object, empty but for shapes
	uint32_t* number;        // of each vertex of the scene, its new number + 1
	uint32_t* clip_vertices; // of the result; null without a clip
	bvb_scene* out;
} collector;

static uint32_t segment_end( const bvb_scene* scene, uint32_t segment )
{
	return segment + 1 < scene->segment_count ? scene->segments[segment + 1].first_triangle
	                                          : scene->mesh.triangle_count;
}

static bool is_finite( const bvb_scene* scene, uint32_t triangle )
{
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = scene->mesh.positions[scene->mesh.triangles[triangle].corner[k]];
		if ( !isfinite( p.x ) || !isfinite( p.y ) || !isfinite( p.z ) )
		{
			return false;
		}
	}
	return true;
}

// The shape of one object. Points may be there several times.
static bv_status make_shape( const collector* c, const segment_lists* lists, uint32_t object,
                             const bvasset_proxy_context* in, bvb_arena* scratch, bvb_error* error )
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
		return points ? bvbase_fail( error, bv_error_limit, "the collision object '%s' is too large",
		                             scene->objects[object] )
		              : bvbase_fail_memory( error );
	}
	uint32_t used = 0;
	for ( uint32_t i = lists->first[object]; i < lists->first[object + (size_t)1]; ++i )
	{
		uint32_t s = lists->segment[i];
		for ( uint32_t t = scene->segments[s].first_triangle; t < segment_end( scene, s ); ++t )
		{
			bool finite = is_finite( scene, t );
			if ( !finite && !c->record->drop_non_finite )
			{
				return bvbase_fail( error, bv_error_input,
				                    "the collision object '%s' has a coordinate that is not finite",
				                    scene->objects[object] );
			}
			for ( int k = 0; k < 3 && finite; ++k )
			{
				points[used++] = scene->mesh.positions[scene->mesh.triangles[t].corner[k]];
			}
		}
	}
	if ( used == 0 )
	{
		return bv_ok;
	}
	bv_status status =
		bvasset_proxy_shape( c->items->proxy[object], points, used, in, scratch, &c->shapes[object], error );
	return status == bv_error_limit
	           ? bvbase_fail( error, status,
	                          "the collision object '%s' exceeds the range of double precision",
	                          scene->objects[object] )
	           : status;
}

// The longest side of the box around all objects that are in the mesh.
static double find_side( const collector* c )
{
	const bvb_scene* scene = c->scene;
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		bool in = decide( c->items, c->wanted, scene->segments[i].object ) != action_drop;
		for ( uint32_t t = scene->segments[i].first_triangle; in && t < segment_end( scene, i ); ++t )
		{
			for ( int k = 0; k < 3 && is_finite( scene, t ); ++k )
			{
				bv_vec3 p = scene->mesh.positions[scene->mesh.triangles[t].corner[k]];
				lower = bvmath_least( lower, p );
				upper = bvmath_greatest( upper, p );
			}
		}
	}
	bv_vec3 sides = bv_sub( upper, lower );
	return fmax( 0, fmax( sides.x, fmax( sides.y, sides.z ) ) );
}

static bv_status make_shapes( collector* c, bvb_arena* scratch, bvb_error* error )
{
	segment_lists lists;
	if ( !list_segments( c->scene, scratch, &lists ) )
	{
		return bvbase_fail_memory( error );
	}
	bvasset_proxy_context in = { bvb_record_scale( c->record ), find_side( c ) };
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < c->scene->object_count && status == bv_ok; ++i )
	{
		if ( decide( c->items, c->wanted, i ) == action_shape )
		{
			if ( c->scene->clip )
			{
				return bvbase_fail( error, bv_error_input,
				                    "the collision object '%s' is a shape, which cannot follow a clip (use "
				                    "--proxies ignore or drop)",
				                    c->scene->objects[i] );
			}
			status = make_shape( c, &lists, i, &in, scratch, error );
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
		return bvbase_fail( error, bv_error_limit, "too many triangles" );
	}
	bvb_scene* out = c->out;
	out->mesh.positions = bvb_arena_allocate( arena, vertices, sizeof *out->mesh.positions );
	out->mesh.triangles = bvb_arena_allocate( arena, triangles, sizeof *out->mesh.triangles );
	out->faces = bvb_arena_allocate( arena, triangles, sizeof *out->faces );
	out->segments = bvb_arena_allocate( arena, scene->segment_count, sizeof *out->segments );
	if ( scene->clip )
	{
		c->clip_vertices = bvb_arena_allocate( arena, vertices, sizeof *c->clip_vertices );
		out->clip_vertices = c->clip_vertices;
	}
	return ( c->clip_vertices || !scene->clip ) && out->mesh.positions && out->mesh.triangles && out->faces &&
	               out->segments
	           ? bv_ok
	           : bvbase_fail_memory( error );
}

// @param all  or only triangles that are not finite
static void keep_segment( collector* c, uint32_t segment, bool all )
{
	const bvb_scene* scene = c->scene;
	bvb_mesh* mesh = &c->out->mesh;
	for ( uint32_t t = scene->segments[segment].first_triangle; t < segment_end( scene, segment ); ++t )
	{
		if ( !all && is_finite( scene, t ) )
		{
			continue;
		}
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t old = scene->mesh.triangles[t].corner[k];
			if ( c->number[old] == 0 )
			{
				if ( c->clip_vertices )
				{
					c->clip_vertices[mesh->vertex_count] =
						scene->clip_vertices ? scene->clip_vertices[old] : old;
				}
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
			keep_segment( c, i, true );
		}
		else if ( what == action_shape )
		{
			if ( c->shapes[segment.object].triangle_count > 0 )
			{
				append_shape( c, &c->shapes[segment.object], scene->faces[first] );
				c->shapes[segment.object].triangle_count = 0;
			}

			// Those that the record is to drop stay, to be counted there.
			keep_segment( c, i, false );
		}
		if ( c->out->mesh.triangle_count > segment.first_triangle )
		{
			c->out->segments[c->out->segment_count++] = segment;
		}
	}
}

// Whether three corners are not on one line, decided exactly: a line looks straight along every axis.
static bool has_area( const bv_vec3 corner[3] )
{
	double largest = 0;
	double at[3][3];
	for ( int i = 0; i < 3; ++i )
	{
		memcpy( at[i], ( double[3] ){ corner[i].x, corner[i].y, corner[i].z }, sizeof at[i] );
		largest = fmax( largest, fmax( fabs( at[i][0] ), fmax( fabs( at[i][1] ), fabs( at[i][2] ) ) ) );
	}
	int exponent;
	frexp( largest, &exponent );
	for ( int i = 0; i < 9; ++i )
	{
		// Out of reach for binary32, and its products for binary64.
		double* x = &at[i / 3][i % 3];
		*x = ldexp( *x, -exponent );
		*x = fabs( *x ) < 0x1p-288 ? 0 : *x;
	}
	for ( int u = 0, v = 1; u < 3; ++u, v = ( v + 1 ) % 3 )
	{
		if ( bvbase_orient2d( ( bvbase_vec2 ){ at[0][u], at[0][v] }, ( bvbase_vec2 ){ at[1][u], at[1][v] },
		                      ( bvbase_vec2 ){ at[2][u], at[2][v] } ) != 0 )
		{
			return true;
		}
	}
	return false;
}

// Whether something is left of a triangle when the mesh of record is made; turning changes nothing about
// that. What is not finite and not to be dropped will be refused there.
// @param offset  of the mesh of record
static bool survives( const bvb_scene* scene, uint32_t triangle, const bvb_record_options* record, bool snap,
                      bv_vec3 offset )
{
	if ( !is_finite( scene, triangle ) )
	{
		return !record->drop_non_finite;
	}
	double scale = bvb_record_scale( record );
	bv_vec3 corner[3];
	bv_vec3 snapped[3];
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = scene->mesh.positions[scene->mesh.triangles[triangle].corner[k]];
		corner[k] = ( bv_vec3 ){ p.x * scale, p.y * scale, p.z * scale };
		if ( !( fmax( fabs( corner[k].x ), fmax( fabs( corner[k].y ), fabs( corner[k].z ) ) ) <=
		        BVB_MAX_COORDINATE ) )
		{
			return true;
		}
		corner[k] = bv_sub( corner[k], offset );
		snapped[k] = ( bv_vec3 ){ (float)corner[k].x, (float)corner[k].y, (float)corner[k].z };
	}
	return has_area( corner ) && ( !snap || has_area( snapped ) );
}

// The box around the finite triangles, scaled.
static bv_aabb find_extent( const bvb_scene* scene, double scale )
{
	bv_aabb e = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	for ( uint32_t i = 0; i < scene->mesh.triangle_count; ++i )
	{
		for ( int k = 0; k < 3 && is_finite( scene, i ); ++k )
		{
			bv_vec3 p = bv_scale( scale, scene->mesh.positions[scene->mesh.triangles[i].corner[k]] );
			e.lower = bvmath_least( e.lower, p );
			e.upper = bvmath_greatest( e.upper, p );
		}
	}
	return e;
}

// Whether the mesh is larger than what the record refuses for being too small.
static bool has_extent( const bv_aabb* e )
{
	bv_vec3 sides = bv_sub( e->upper, e->lower );
	return fmax( sides.x, fmax( sides.y, sides.z ) ) >= BVB_MIN_EXTENT;
}

// A proxy of which nothing is left would take what it stands for with it.
static bv_status check_proxies( const collector* c, bvb_arena* scratch, bvb_error* error )
{
	const bvb_scene* out = c->out;
	bool* found = bvb_arena_allocate( scratch, out->object_count, sizeof *found );
	if ( !found )
	{
		return bvbase_fail_memory( error );
	}
	bv_aabb extent = find_extent( out, bvb_record_scale( c->record ) );
	bv_vec3 offset = bvmesh_choose_offset( &extent );
	bool snap = c->record->positions == bvb_positions_float && !c->record->normalize && has_extent( &extent );
	for ( uint32_t i = 0; i < out->segment_count; ++i )
	{
		bool* done = &found[out->segments[i].object];
		*done = *done || c->items->proxy[out->segments[i].object] == bvb_proxy_none;
		for ( uint32_t t = out->segments[i].first_triangle; t < segment_end( out, i ) && !*done; ++t )
		{
			*done = survives( out, t, c->record, snap, offset );
		}
	}
	for ( uint32_t i = 0; i < out->object_count; ++i )
	{
		if ( !found[i] && c->items->proxy[i] != bvb_proxy_none &&
		     decide( c->items, c->wanted, i ) != action_drop )
		{
			return bvbase_fail( error, bv_error_input,
			                    "the collision object '%s' has no triangle with an area", out->objects[i] );
		}
	}
	return bv_ok;
}

// What is to become of the objects.
typedef struct collect_plan
{
	bool keeps_all;
	bool has_proxies;
} collect_plan;

static collect_plan make_plan( const bvb_scene* scene, const bvb_items* items, const bool* wanted )
{
	collect_plan p = { .keeps_all = true };
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		action what = decide( items, wanted, i );
		p.keeps_all = p.keeps_all && what == action_keep;
		p.has_proxies = p.has_proxies || ( what != action_drop && items->proxy[i] != bvb_proxy_none );
	}
	return p;
}

static bv_status collect_some( collector* c, bvb_arena* arena, bvb_arena* scratch, bvb_error* error )
{
	c->out->mesh = ( bvb_mesh ){ 0 };
	c->out->segment_count = 0;
	c->shapes = bvb_arena_allocate( scratch, c->scene->object_count, sizeof *c->shapes );
	c->number = bvb_arena_allocate( scratch, c->scene->mesh.vertex_count, sizeof *c->number );
	bv_status status =
		c->shapes && c->number ? make_shapes( c, scratch, error ) : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		status = allocate( c, arena, error );
	}
	if ( status == bv_ok )
	{
		assemble( c );
	}
	return status;
}

bv_status bvb_scene_collect( const bvb_scene* scene, const bvb_items* items, const bool* wanted,
                             const bvb_record_options* record, bvb_arena* arena, bvb_scene* out,
                             bvb_error* error )
{
	*out = *scene;
	collect_plan p = make_plan( scene, items, wanted );
	if ( p.keeps_all && !p.has_proxies )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	collector c = { .scene = scene, .items = items, .wanted = wanted, .record = record, .out = out };
	bv_status status = p.keeps_all ? bv_ok : collect_some( &c, arena, scratch, error );
	if ( status == bv_ok && p.has_proxies )
	{
		status = check_proxies( &c, scratch, error );
	}
	if ( status == bv_ok && out->mesh.triangle_count == 0 )
	{
		status = bvbase_fail( error, bv_error_input, "the selected objects have no triangles" );
	}
	bvb_arena_destroy( scratch );
	return status;
}
