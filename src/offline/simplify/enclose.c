// Which triangles of a mesh are enclosed by a proxy.
//
// The layer just behind a triangle, without its sides, is connected. If no face of a part of the proxy
// reaches into it, that part winds equally often around all of it, and if it does so at least once, each
// point of the triangle is inside of the part or on it. So one point decides: faces are counted that a ray
// crosses which leaves the triangle there backwards.

#include "bvbuild/simplify.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "offline/base/threads.h"
#include "offline/hausdorff/index.h"
#include "offline/simplify/cross.h"
#include "offline/simplify/scale.h"
#include "offline/simplify/surface.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_parts = 32, // of the proxy that a ray may meet
	direction_count = 6,
	start_count = 3,
};

// The proxy, scaled so that no coordinate of either mesh is above 1/8.
typedef struct enclose_enclosure
{
	bvsimplify_surface surface;
	bvhaus_index* index;
	bool* is_open; // of each part, by the vertex that it is called after
} enclose_enclosure;

// A ray, from a point that is known to 2^-54 to one beyond everything, and how often parts wind round its
// start.
typedef struct enclose_ray
{
	bv_vec3 start;
	bv_vec3 end;
	bv_aabb box;
	const bv_vec3* from; // the triangle that it starts on
	bool is_certain;
	uint32_t part_count;
	uint32_t part[most_parts];
	int winding[most_parts];
} enclose_ray;

static void corners_of( const bvsimplify_surface* s, uint32_t face, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = s->positions[s->faces[face].corner[k]];
	}
}

// The sign of dot( a, cross( b, c ) ), where a change of each by 2^-53 and rounding can't make it another
// one; else 0.
static int certain_sign( bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	double value = bv_dot( a, bv_cross( b, c ) );
	double na = bvmath_norm1( a );
	double nb = bvmath_norm1( b );
	double nc = bvmath_norm1( c );
	double error = 0x1p-50 * ( na * nb * nc ) + 0x1p-53 * ( ( na * nb + nb * nc ) + na * nc );
	return value > error ? 1 : value < -error ? -1 : 0;
}

// @return 1 and -1 where a line passes through a triangle that is seen counter-clockwise or clockwise; 0
//         where it does not; 2 where that is uncertain
static int passage( const enclose_ray* r, const bv_vec3 q[3] )
{
	bv_vec3 way = bv_sub( r->end, r->start );
	int positive = 0;
	int negative = 0;
	for ( int k = 0; k < 3; ++k )
	{
		int sign = certain_sign( way, bv_sub( q[k], r->start ), bv_sub( q[( k + 1 ) % 3], r->start ) );
		positive += sign > 0;
		negative += sign < 0;
	}
	return positive > 0 && negative > 0 ? 0 : positive == 3 ? 1 : negative == 3 ? -1 : 2;
}

static int side_of( const bv_vec3 q[3], bv_vec3 p )
{
	return certain_sign( bv_sub( p, q[0] ), bv_sub( q[1], q[0] ), bv_sub( q[2], q[0] ) );
}

static bool is_coplanar( const bv_vec3 q[3], const bv_vec3 t[3] )
{
	return bvbase_orient3d( q[0], q[1], q[2], t[0] ) == 0 && bvbase_orient3d( q[0], q[1], q[2], t[1] ) == 0 &&
	       bvbase_orient3d( q[0], q[1], q[2], t[2] ) == 0;
}

// @return how often the ray leaves what is behind a face, or minus how often it enters it
static int crossing( enclose_ray* r, const bv_vec3 q[3] )
{
	int way = passage( r, q );
	if ( way == 0 )
	{
		return 0;
	}
	int start = side_of( q, r->start );
	int end = side_of( q, r->end );
	if ( start * end > 0 || ( start == 0 && is_coplanar( q, r->from ) ) )
	{
		return 0;
	}
	bool certain = way != 2 && start * end < 0;
	r->is_certain = r->is_certain && certain;
	return certain ? end : 0;
}

static void count_crossing( enclose_ray* r, uint32_t part, int crossing )
{
	uint32_t i = 0;
	while ( i < r->part_count && r->part[i] != part )
	{
		i += 1;
	}
	if ( i == most_parts )
	{
		return;
	}
	if ( i == r->part_count )
	{
		r->part[i] = part;
		r->winding[i] = 0;
		r->part_count += 1;
	}
	r->winding[i] += crossing;
}

static bool overlap( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

// Whether a ray may come near a box: no axis at right angles to both it and one of the box's parts them
// (Ericson 2005, section 5.3.3), and nothing is lost by rounding.
static bool may_meet( const enclose_ray* r, const bv_aabb* box )
{
	if ( !overlap( &r->box, box ) )
	{
		return false;
	}
	bv_vec3 center = bv_scale( 0.5, bv_add( box->lower, box->upper ) );
	bv_vec3 half = bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
	bv_vec3 d = bv_sub( r->end, r->start );
	bv_vec3 to = bv_sub( r->start, center );
	const double slack = 0x1p-45;
	return fabs( to.y * d.z - to.z * d.y ) <= half.y * fabs( d.z ) + half.z * fabs( d.y ) + slack &&
	       fabs( to.z * d.x - to.x * d.z ) <= half.z * fabs( d.x ) + half.x * fabs( d.z ) + slack &&
	       fabs( to.x * d.y - to.y * d.x ) <= half.x * fabs( d.y ) + half.y * fabs( d.x ) + slack;
}

static void follow( const enclose_enclosure* e, bvhaus_index_ref ref, enclose_ray* r )
{
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		uint32_t face = e->index->placed[ref & ~BVHAUS_REF_TRIANGLE].number;
		uint32_t part = e->surface.component[e->surface.faces[face].corner[0]];
		bv_vec3 q[3];
		corners_of( &e->surface, face, q );
		int times = e->is_open[part] ? 0 : crossing( r, q );
		if ( times != 0 )
		{
			count_crossing( r, part, times );
		}
		return;
	}
	const bvhaus_index_node* node = e->index->nodes + ref;
	if ( may_meet( r, e->index->aligned_boxes + ref ) )
	{
		for ( uint32_t i = 0; i < node->child_count && r->is_certain; ++i )
		{
			follow( e, e->index->children[node->first_child + i], r );
		}
	}
}

// A ray from a triangle backwards that meets no side of any face.
static bool find_windings( const enclose_enclosure* e, const bv_vec3 t[3], enclose_ray* r )
{
	static const double weight[start_count][3] = { { 0.34, 0.33, 0.33 },
		                                           { 0.5, 0.27, 0.23 },
		                                           { 0.21, 0.3, 0.49 } };
	static const bv_vec3 direction[direction_count] = {
		{ 0.5773, 0.5312, 0.6201 }, { -0.4127, 0.7193, 0.5588 }, { 0.6934, -0.3719, 0.6171 },
		{ 0.3319, 0.8731, -0.357 }, { 0.8911, 0.2147, -0.3997 }, { -0.1973, 0.3318, 0.9224 },
	};
	for ( int i = 0; i < start_count * direction_count; ++i )
	{
		const double* w = weight[i % start_count];
		*r = ( enclose_ray ){ .from = t, .is_certain = true };
		r->start = bv_add( bv_add( bv_scale( w[0], t[0] ), bv_scale( w[1], t[1] ) ), bv_scale( w[2], t[2] ) );
		for ( int back = 0; back < 2; ++back )
		{
			r->end = bv_add( r->start, bv_scale( back ? -0.75 : 0.75, direction[i / start_count] ) );
			if ( bvbase_orient3d( t[0], t[1], t[2], r->end ) < 0 )
			{
				bv_vec3 ends[2] = { r->start, r->end };
				r->box = bvmath_box_of_points( ends, 2 );
				follow( e, e->index->root, r );
				if ( r->is_certain )
				{
					return true;
				}
				break;
			}
		}
	}
	return false;
}

// Parts that reach behind the triangle do not count any more.
static void leave_out( const enclose_enclosure* e, bvhaus_index_ref ref, const bv_vec3 t[3],
                       const bv_aabb* box, enclose_ray* r )
{
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		uint32_t face = e->index->placed[ref & ~BVHAUS_REF_TRIANGLE].number;
		uint32_t part = e->surface.component[e->surface.faces[face].corner[0]];
		for ( uint32_t i = 0; i < r->part_count; ++i )
		{
			bv_vec3 q[3];
			corners_of( &e->surface, face, q );
			if ( r->part[i] == part && r->winding[i] >= 1 && bvsimplify_reaches_behind( t, q ) )
			{
				r->winding[i] = 0;
			}
		}
		return;
	}
	if ( overlap( box, e->index->aligned_boxes + ref ) )
	{
		const bvhaus_index_node* node = e->index->nodes + ref;
		for ( uint32_t i = 0; i < node->child_count; ++i )
		{
			leave_out( e, e->index->children[node->first_child + i], t, box, r );
		}
	}
}

static bool is_enclosed( const enclose_enclosure* e, const bv_vec3 t[3] )
{
	enclose_ray r;
	if ( !find_windings( e, t, &r ) )
	{
		return false;
	}
	bv_aabb box = bvmath_box_of_points( t, 3 );
	leave_out( e, e->index->root, t, &box, &r );
	for ( uint32_t i = 0; i < r.part_count; ++i )
	{
		if ( r.winding[i] >= 1 )
		{
			return true;
		}
	}
	return false;
}

static void open_all( const bvhaus_index* index, bvhaus_index_ref ref )
{
	if ( !bvhaus_ref_is_triangle( ref ) )
	{
		const bvhaus_index_node* node = bvhaus_index_opened( index, ref );
		for ( uint32_t i = 0; i < node->child_count; ++i )
		{
			open_all( index, index->children[node->first_child + i] );
		}
	}
}

static bool enclose( const bvb_mesh* proxy, bvb_arena* arena, enclose_enclosure* out )
{
	out->index = bvhaus_index_of_triangles( proxy, NULL, proxy->triangle_count, false, arena );
	out->is_open = bvb_arena_allocate( arena, proxy->vertex_count, sizeof *out->is_open );
	if ( !out->index || !out->is_open || !bvsimplify_surface_create( proxy, arena, &out->surface ) )
	{
		return false;
	}
	open_all( out->index, out->index->root );
	for ( uint32_t v = 0; v < proxy->vertex_count; ++v )
	{
		out->is_open[out->surface.component[v]] |= out->surface.open[v];
	}
	return true;
}

bv_status bvb_count_enclosed( const bvb_mesh* mesh, const bvb_mesh* proxy, uint32_t threads, bvb_arena* arena,
                              uint32_t* count, bvb_error* error )
{
	*count = 0;
	if ( mesh->triangle_count == 0 || proxy->triangle_count == 0 )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	int exponent = bvsimplify_exponent_of( mesh );
	int other = bvsimplify_exponent_of( proxy );
	exponent = -3 - ( exponent > other ? exponent : other );
	bvb_mesh m;
	bvb_mesh p;
	enclose_enclosure e;
	bool good = scratch && bvsimplify_copy_scaled( mesh, exponent, scratch, &m ) &&
	            bvsimplify_copy_scaled( proxy, exponent, scratch, &p ) && enclose( &p, scratch, &e );
	uint32_t enclosed = 0;
	if ( good )
	{
		int team = bvbase_thread_team_for( arena, threads, m.triangle_count, 2000 );
#pragma omp parallel for num_threads( team ) schedule( dynamic, 64 ) reduction( + : enclosed )
		for ( uint32_t i = 0; i < m.triangle_count; ++i )
		{
			bv_vec3 t[3];
			for ( int k = 0; k < 3; ++k )
			{
				t[k] = m.positions[m.triangles[i].corner[k]];
			}
			enclosed += is_enclosed( &e, t );
		}
	}
	bvb_arena_destroy( scratch );
	*count = enclosed;
	return good ? bv_ok : bvbase_fail_memory( error );
}
