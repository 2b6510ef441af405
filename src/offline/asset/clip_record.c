// The mesh of record of a clip. See clip.h.

#include "offline/asset/clip.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/mesh/clean.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_records = 16, // that are made until one has all triangles
};

// Positions that differ by less are the same, as a share of the longest side of the box of the whole clip: sums over
// joints in another order differ by a few roundings. And a triangle whose height is less has no area.
static const double same_share = 0x1p-22;

static uint32_t clip_vertex( const bvb_scene* scene, uint32_t vertex )
{
	return scene->clip_vertices ? scene->clip_vertices[vertex] : vertex;
}

static bv_vec3 frame_position( const bvb_scene* scene, uint32_t vertex, uint32_t sample )
{
	const bvb_clip* c = scene->clip;
	return c->frames[(size_t)sample * c->vertex_count + clip_vertex( scene, vertex )];
}

bv_status bvasset_clip_check( const bvb_scene* scene, const bvb_asset_options* options, bvb_error* error )
{
	const bvb_clip* c = scene->clip;
	if ( options->record.weld > 0 || options->record.drop_non_finite )
	{
		return bvbase_fail(
			error, bv_error_argument,
			"a clip excludes --weld and --drop-non-finite: poses would be cleaned differently" );
	}
	if ( !( options->sections >> bvb_section_tree & 1 ) )
	{
		return bvbase_fail( error, bv_error_argument, "a clip needs the section 'tree'" );
	}
	bool good = c->samples > 0 && c->segments > 0 && c->segments <= c->samples;
	for ( uint32_t v = 0; v < scene->mesh.vertex_count && good; ++v )
	{
		good = clip_vertex( scene, v ) < c->vertex_count;
	}
	return good ? bv_ok : bvbase_fail( error, bv_error_argument, "the clip is not one of the scene" );
}

// What decides whether vertices are the same, and triangles flat.
typedef struct clip_record
{
	const bvb_scene* scene;
	bv_vec3 lower; // of the whole clip
	double step;
	uint32_t* labels; // of each vertex: the first one with the same trajectory
	uint8_t* flat;    // of each triangle, whether it is flat all the time
	bv_vec3* positions;
} clip_record;

static void measure( clip_record* r )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t s = 0; s < r->scene->clip->samples; ++s )
	{
		for ( uint32_t v = 0; v < r->scene->mesh.vertex_count; ++v )
		{
			bv_vec3 p = frame_position( r->scene, v, s );
			lower = bvmath_least( lower, p );
			upper = bvmath_greatest( upper, p );
		}
	}
	bv_vec3 size = bv_sub( upper, lower );
	r->lower = lower;
	r->step = same_share * bvmath_max( size.x, bvmath_max( size.y, size.z ) );
}

static void snap( const clip_record* r, bv_vec3 p, double out[3] )
{
	double step = r->step > 0 ? r->step : 1;
	out[0] = floor( ( p.x - r->lower.x ) / step + 0.5 );
	out[1] = floor( ( p.y - r->lower.y ) / step + 0.5 );
	out[2] = floor( ( p.z - r->lower.z ) / step + 0.5 );
}

static int compare_snapped( const clip_record* r, bv_vec3 a, bv_vec3 b )
{
	double x[3];
	double y[3];
	snap( r, a, x );
	snap( r, b, y );
	for ( int k = 0; k < 3; ++k )
	{
		if ( x[k] != y[k] )
		{
			return x[k] < y[k] ? -1 : 1;
		}
	}
	return 0;
}

// A vertex while it is sorted. The comparison of qsort has no context of its own.
typedef struct record_vertex
{
	const clip_record* record;
	uint32_t vertex;
} record_vertex;

// At all samples, and where the vertex gets in all segments.
static int compare_motions( const record_vertex* a, const record_vertex* b )
{
	const clip_record* r = a->record;
	const bvb_clip* c = r->scene->clip;
	uint32_t u = clip_vertex( r->scene, a->vertex );
	uint32_t v = clip_vertex( r->scene, b->vertex );
	for ( uint32_t s = 0; s < c->samples && u != v; ++s )
	{
		size_t row = (size_t)s * c->vertex_count;
		int order = compare_snapped( r, c->frames[row + u], c->frames[row + v] );
		if ( order )
		{
			return order;
		}
	}
	for ( uint32_t s = 0; s < c->segments && u != v; ++s )
	{
		size_t row = (size_t)s * c->vertex_count;
		int order = compare_snapped( r, c->swept[row + u].lower, c->swept[row + v].lower );
		order = order ? order : compare_snapped( r, c->swept[row + u].upper, c->swept[row + v].upper );
		if ( order )
		{
			return order;
		}
	}
	return 0;
}

static int compare_vertices( const void* left, const void* right )
{
	const record_vertex* a = left;
	const record_vertex* b = right;
	int order = compare_motions( a, b );
	return order ? order : ( a->vertex > b->vertex ) - ( a->vertex < b->vertex );
}

static bool find_labels( clip_record* r, bvb_arena* scratch )
{
	uint32_t count = r->scene->mesh.vertex_count;
	record_vertex* order = bvb_arena_allocate( scratch, count, sizeof *order );
	r->labels = bvb_arena_allocate( scratch, count, sizeof *r->labels );
	if ( !order || !r->labels )
	{
		return false;
	}
	for ( uint32_t v = 0; v < count; ++v )
	{
		order[v] = ( record_vertex ){ r, v };
	}
	qsort( order, count, sizeof *order, compare_vertices );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool same = i > 0 && compare_motions( order + i - 1, order + i ) == 0;
		r->labels[order[i].vertex] = same ? r->labels[order[i - 1].vertex] : order[i].vertex;
	}
	return true;
}

// Whether a triangle has an area at a sample: whether its least height is above the step.
static bool has_area( const clip_record* r, uint32_t triangle, uint32_t sample )
{
	const uint32_t* c = r->scene->mesh.triangles[triangle].corner;
	bv_vec3 p = frame_position( r->scene, c[0], sample );
	bv_vec3 u = bv_sub( frame_position( r->scene, c[1], sample ), p );
	bv_vec3 v = bv_sub( frame_position( r->scene, c[2], sample ), p );
	bv_vec3 w = bv_sub( v, u );
	bv_vec3 normal = bv_cross( u, v );
	double longest = bvmath_max( bv_dot( u, u ), bvmath_max( bv_dot( v, v ), bv_dot( w, w ) ) );
	return bv_dot( normal, normal ) > r->step * r->step * longest;
}

static bool find_flat( clip_record* r, bvb_arena* scratch )
{
	const bvb_mesh* m = &r->scene->mesh;
	r->flat = bvb_arena_allocate( scratch, m->triangle_count, sizeof *r->flat );
	for ( uint32_t t = 0; r->flat && t < m->triangle_count; ++t )
	{
		r->flat[t] = true;
		for ( uint32_t s = 0; s < r->scene->clip->samples && r->flat[t]; ++s )
		{
			r->flat[t] = !has_area( r, t, s );
		}
	}
	return r->flat;
}

// @return the first triangle that is flat at a sample only; UINT32_MAX if there is none
static uint32_t find_lost( const clip_record* r, uint32_t sample )
{
	const bvb_mesh* m = &r->scene->mesh;
	for ( uint32_t t = 0; t < m->triangle_count; ++t )
	{
		if ( !r->flat[t] && !has_area( r, t, sample ) )
		{
			return t;
		}
	}
	return UINT32_MAX;
}

// Labels of a triangle's corners, the least first.
typedef struct record_triangle
{
	uint32_t label[3];
} record_triangle;

static record_triangle labels_of( const clip_record* r, uint32_t triangle )
{
	const uint32_t* c = r->scene->mesh.triangles[triangle].corner;
	uint32_t l[3] = { r->labels[c[0]], r->labels[c[1]], r->labels[c[2]] };
	int first = l[0] < l[1] ? ( l[0] < l[2] ? 0 : 2 ) : ( l[1] < l[2] ? 1 : 2 );
	return ( record_triangle ){ { l[first], l[( first + 1 ) % 3], l[( first + 2 ) % 3] } };
}

static int compare_triangles( const void* left, const void* right )
{
	const record_triangle* a = left;
	const record_triangle* b = right;
	for ( int k = 0; k < 3; ++k )
	{
		if ( a->label[k] != b->label[k] )
		{
			return a->label[k] < b->label[k] ? -1 : 1;
		}
	}
	return 0;
}

// Rounding can flatten a triangle that has an area. Duplicates may go: they are so all the time.
// @param lost  receives a triangle that is missing; UINT32_MAX if there is none
static bool find_dropped( const clip_record* r, const bvb_mesh* record, bvb_arena* scratch, uint32_t* lost )
{
	const bvb_mesh* m = &r->scene->mesh;
	bool* kept = bvb_arena_allocate( scratch, m->triangle_count, sizeof *kept );
	record_triangle* known = bvb_arena_allocate( scratch, record->triangle_count, sizeof *known );
	*lost = UINT32_MAX;
	if ( !kept || !known )
	{
		return false;
	}
	for ( uint32_t i = 0; i < record->triangle_count; ++i )
	{
		kept[record->origin[i]] = true;
		known[i] = labels_of( r, record->origin[i] );
	}
	qsort( known, record->triangle_count, sizeof *known, compare_triangles );
	for ( uint32_t t = 0; t < m->triangle_count && *lost == UINT32_MAX; ++t )
	{
		record_triangle own = labels_of( r, t );
		bool gone = !kept[t] && !r->flat[t] &&
		            !bsearch( &own, known, record->triangle_count, sizeof own, compare_triangles );
		*lost = gone ? t : UINT32_MAX;
	}
	return true;
}

static void take_pose( const clip_record* r, uint32_t sample )
{
	for ( uint32_t v = 0; v < r->scene->mesh.vertex_count; ++v )
	{
		r->positions[v] = frame_position( r->scene, v, sample );
	}
}

static bv_status fail_lost( const clip_record* r, uint32_t lost, uint32_t sample, bvb_error* error )
{
	return bvbase_fail(
		error, bv_error_input,
		"clip '%.200s': no sample has all triangles that have an area at some sample: face %u of the "
		"source has none at sample %u",
		r->scene->clip->name, r->scene->faces ? r->scene->faces[lost] : lost, sample );
}

static bv_status choose( clip_record* r, const bvb_record_options* options, bvb_arena* arena,
                         bvb_arena* scratch, bvasset_clip* out, bvb_record* record, bvb_error* error )
{
	int records = 0;
	uint32_t first_lost = UINT32_MAX;
	uint32_t first_sample = 0;
	bvb_mesh pose = r->scene->mesh;
	pose.positions = r->positions;
	for ( uint32_t s = 0; s < r->scene->clip->samples && records < most_records; ++s )
	{
		uint32_t lost = find_lost( r, s );
		if ( lost == UINT32_MAX )
		{
			records += 1;
			take_pose( r, s );
			bv_status status = bvmesh_record_labeled( &pose, r->labels, options, arena, record, error );
			if ( status != bv_ok )
			{
				return status;
			}
			if ( !find_dropped( r, &record->mesh, scratch, &lost ) )
			{
				return bvbase_fail_memory( error );
			}
		}
		if ( lost == UINT32_MAX )
		{
			out->record = s;
			return bv_ok;
		}
		first_sample = first_lost == UINT32_MAX ? s : first_sample;
		first_lost = first_lost == UINT32_MAX ? lost : first_lost;
	}
	return fail_lost( r, first_lost, first_sample, error );
}

static bv_status prepare( clip_record* r, bvb_arena* scratch, bvb_error* error )
{
	const bvb_mesh* m = &r->scene->mesh;
	for ( size_t i = 0; i < 3 * (size_t)m->triangle_count; ++i )
	{
		if ( m->triangles[i / 3].corner[i % 3] >= m->vertex_count )
		{
			return bvbase_fail( error, bv_error_input, "triangle %u refers to vertex %u of %u",
			                    (uint32_t)( i / 3 ), m->triangles[i / 3].corner[i % 3], m->vertex_count );
		}
	}
	r->positions = bvb_arena_allocate( scratch, m->vertex_count, sizeof *r->positions );
	measure( r );
	return r->positions && find_labels( r, scratch ) && find_flat( r, scratch ) ? bv_ok
	                                                                            : bvbase_fail_memory( error );
}

// Sums and differences of coordinates must be finite as floats, at all samples.
static bv_status check_range( const bvasset_clip* c, bvb_error* error )
{
	double most = 0;
	for ( uint32_t s = 0; s < c->scene->clip->segments; ++s )
	{
		for ( uint32_t v = 0; v < c->scene->mesh.vertex_count; ++v )
		{
			bv_aabb box = bvasset_clip_swept( c, v, s );
			most = bvmath_max( most, bvmath_max( bvmath_norm1( box.lower ), bvmath_norm1( box.upper ) ) );
		}
	}
	return most <= BVB_MAX_COORDINATE
	           ? bv_ok
	           : bvbase_fail( error, bv_error_limit, "clip '%.200s': a vertex moves farther than 1.3e36",
	                          c->scene->clip->name );
}

bv_status bvasset_clip_record( const bvb_scene* scene, const bvb_record_options* options, bvb_arena* arena,
                               bvasset_clip* out, bvb_record* record, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	clip_record r = { .scene = scene };
	*out = ( bvasset_clip ){ .scene = scene };
	bv_status status = prepare( &r, scratch, error );
	status = status == bv_ok ? choose( &r, options, arena, scratch, out, record, error ) : status;
	out->placing = ( bvmesh_placing ){ options->up, bvb_record_scale( options ) };
	out->center = record->center;
	out->radius = record->radius;
	out->offset = record->offset;
	out->displacement = record->largest_displacement;
	bvb_arena_destroy( scratch );
	return status == bv_ok ? check_range( out, error ) : status;
}

static bv_vec3 to_record( const bvasset_clip* c, bv_vec3 p )
{
	p = bv_sub( bvmesh_place( &c->placing, p ), c->center );
	return bv_sub( ( bv_vec3 ){ p.x / c->radius, p.y / c->radius, p.z / c->radius }, c->offset );
}

bv_vec3 bvasset_clip_position( const bvasset_clip* c, uint32_t vertex, uint32_t sample )
{
	return to_record( c, frame_position( c->scene, vertex, sample ) );
}

// Each step of to_record rounds by at most 2^-53 of its result, and no result is larger than these sums.
static double rounding_of( const bvasset_clip* c, double a, double b, double center, double offset )
{
	double size = c->placing.scale * bvmath_max( fabs( a ), fabs( b ) ) + fabs( center );
	return 0x1p-50 * ( size / c->radius + fabs( offset ) );
}

bv_aabb bvasset_clip_swept( const bvasset_clip* c, uint32_t vertex, uint32_t segment )
{
	const bvb_clip* clip = c->scene->clip;
	bv_aabb box = clip->swept[(size_t)segment * clip->vertex_count + clip_vertex( c->scene, vertex )];
	bv_vec3 a = to_record( c, box.lower );
	bv_vec3 b = to_record( c, box.upper );

	// The rotation only permutes coordinates and changes signs, which the largest absolute value covers.
	bv_vec3 p = bvmesh_place( &( bvmesh_placing ){ c->placing.up, 1 }, box.lower );
	bv_vec3 q = bvmesh_place( &( bvmesh_placing ){ c->placing.up, 1 }, box.upper );
	bv_vec3 wide = { c->displacement + rounding_of( c, p.x, q.x, c->center.x, c->offset.x ),
		             c->displacement + rounding_of( c, p.y, q.y, c->center.y, c->offset.y ),
		             c->displacement + rounding_of( c, p.z, q.z, c->center.z, c->offset.z ) };
	return ( bv_aabb ){ bv_sub( bvmath_least( a, b ), wide ), bv_add( bvmath_greatest( a, b ), wide ) };
}

void bvasset_clip_find_vertices( const bvasset_clip* c, const bvb_mesh* mesh, uint32_t* out )
{
	for ( size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i )
	{
		uint32_t corner = mesh->triangles[i / 3].corner[i % 3];
		out[corner] = c->scene->mesh.triangles[mesh->origin[i / 3]].corner[i % 3];
	}
}
