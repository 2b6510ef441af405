// A mesh as a solid. See solid.h.
//
// Whether the surface winds around a point is the sum, over all triangles that a half line from the point crosses, of +1 where
// it leaves through the front and -1 where it enters. The half line is parallel to an axis. Its projection along this axis is a
// point, and the triangle is crossed if its projection winds around that point. A half line that meets an edge or a corner is
// moved by an infinitesimal amount: first along the one, then along the other of the two remaining axes (H. Edelsbrunner,
// E. P. Muecke, "Simulation of Simplicity", 1990). All signs are exact, so the sum is the winding number whatever the mesh.
// It is the same for all points of a ball that contains no point of the surface.

#include "runtime/depth/solid.h"

#include "runtime/math/exact.h"
#include "runtime/math/range.h"
#include "runtime/math/rounding.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/walk.h"
#include "runtime/volume/bound.h"

static void add_box( bvdepth_solid* s, bv_vec3 lower, bv_vec3 upper )
{
	s->lower = bvmath_least( s->lower, lower );
	s->upper = bvmath_greatest( s->upper, upper );
}

static void add_volume( bvdepth_solid* s, const bv_volume* volume )
{
	bvvol_bound bound;
	bvvol_bound_of( volume, &bound );
	const bvvol_rounded* box = &bound.box;
	double more = box->radius + box->slack;
	bv_vec3 reach = { more, more, more };
	for ( int i = 0; i < 3; ++i )
	{
		reach.x += fabs( box->axis[i].x ) * box->half_extents[i];
		reach.y += fabs( box->axis[i].y ) * box->half_extents[i];
		reach.z += fabs( box->axis[i].z ) * box->half_extents[i];
	}
	add_box( s, bv_sub( box->center, reach ), bv_add( box->center, reach ) );
}

static void find_box( bvdepth_solid* s )
{
	const bvfile_view* view = &s->batch.view;
	s->lower = ( bv_vec3 ){ INFINITY, INFINITY, INFINITY };
	s->upper = ( bv_vec3 ){ -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < view->hierarchy->root_triangles; ++i )
	{
		bv_vec3 corner[3];
		bvtree_walk_corners( view, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			add_box( s, corner[k], corner[k] );
		}
	}
	if ( view->hierarchy->root_triangles > 0 )
	{
		return;
	}
	const bvfile_packed_node* root = bvfile_node_at( view, 0 );
	bvfile_node_frame frame = bvfile_node_frame_of( root, &view->hierarchy->grid );
	for ( bvfile_group group = bvfile_group_first( root ); group.count > 0;
	      group = bvfile_group_next( root, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume;
			bvfile_lane_unpack( &group, i, &frame, &volume );
			add_volume( s, &volume );
		}
	}
}

bool bvdepth_solid_begin( const bv_file* file, bvdepth_solid* out )
{
	bv_file_errors errors;
	if ( !bvtree_batch_begin( bvtree_lanes_best(), file, NULL, &out->batch ) )
	{
		return false;
	}
	out->file = file;
	out->closed = out->batch.view.mesh->closed;
	find_box( out );
	bv_vec3 size = { bvmath_max( fabs( out->lower.x ), fabs( out->upper.x ) ),
		             bvmath_max( fabs( out->lower.y ), fabs( out->upper.y ) ),
		             bvmath_max( fabs( out->lower.z ), fabs( out->upper.z ) ) };
	out->magnitude = bvmath_norm1( size ) * ( 1 + 0x1p-40 );
	out->lower = bv_sub( out->lower, bv_scale( 0x1p-50, size ) );
	out->upper = bv_add( out->upper, bv_scale( 0x1p-50, size ) );
	out->thickness = out->closed ? INFINITY : 0;
	// Points that the surface winds around are in each box around it, and in the root's volume unless that is no convex set;
	// all volume types are convex.
	if ( out->closed && bv_file_get_errors( file, &errors ) )
	{
		out->thickness = errors.solid.upper;
	}
	return true;
}

double bvdepth_error_at( const bvdepth_solid* solid, bv_vec3 point )
{
	return 0x1p-46 * ( solid->magnitude + bvmath_norm1( point ) );
}

void bvdepth_measure( const bvdepth_solid* solid, bv_vec3 point, uint32_t near, double more,
                      bvdepth_look* out, bvdepth_tests* tests )
{
	bv_closest_result closest;
	bvtree_find_closest_point( &solid->batch, point, INFINITY, &near, &closest );
	tests->volumes += closest.volume_tests;
	tests->triangles += closest.triangle_tests;
	*out = ( bvdepth_look ){
		.side = bv_side_unknown,
		.distance = closest.distance,
		.error = bvdepth_error_at( solid, point ) + more,
		.nearest = closest.at.point,
		.triangle = closest.at.triangle,
	};
}

// A half line.
typedef struct winding
{
	const bvfile_view* view;
	bv_vec3 from;
	int axis;        // it is parallel to
	int sign;        // 1 or -1: the way that it takes along the axis
	int sum;         // the winding number of what was crossed
	bool is_unknown; // a triangle contains the point itself, or numbers differ too much in size
} winding;

static int sign_of( double value, double error )
{
	return value > error ? 1 : value < -error ? -1 : 0;
}

// The sign of ( q - p ) x ( o - p ) in the plane.
BVSIMD_NOINLINE int exact_turn( winding* w, const double p[2], const double q[2], const double o[2] )
{
	bvmath_exact x[4];
	bvmath_exact y[2];
	for ( int k = 0; k < 2; ++k )
	{
		bvmath_exact_set( p[k], y );
		bvmath_exact_set( q[k], y + 1 );
		bvmath_exact_subtract( y + 1, y, x + k );
		bvmath_exact_set( o[k], y + 1 );
		bvmath_exact_subtract( y + 1, y, x + 2 + k );
	}
	bvmath_exact_multiply( x, x + 3, y );
	bvmath_exact_multiply( x + 1, x + 2, y + 1 );
	bvmath_exact_subtract( y, y + 1, x );
	w->is_unknown |= x->lost;
	return x->sign;
}

static int turn( winding* w, const double p[2], const double q[2], const double o[2] )
{
	double left = ( q[0] - p[0] ) * ( o[1] - p[1] );
	double right = ( q[1] - p[1] ) * ( o[0] - p[0] );
	int sign = sign_of( left - right, 0x1p-50 * ( fabs( left ) + fabs( right ) ) + 0x1p-1000 );
	return sign != 0 ? sign : exact_turn( w, p, q, o );
}

// The sign of the height of a point above a triangle's front.
BVSIMD_NOINLINE int exact_height( winding* w, const bv_vec3 corner[3] )
{
	bvmath_exact3 v[3];
	bvmath_exact3 n;
	bvmath_exact height;
	bvmath_exact3_set( corner[0], &n );
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact3_set( k < 2 ? corner[k + 1] : w->from, v + k );
		bvmath_exact3_subtract( v + k, &n, v + k );
	}
	bvmath_exact3_cross( v, v + 1, &n );
	bvmath_exact3_dot( &n, v + 2, &height );
	w->is_unknown |= height.lost;
	return height.sign;
}

static int height_of( winding* w, const bv_vec3 corner[3] )
{
	bv_vec3 a = bv_sub( corner[1], corner[0] );
	bv_vec3 b = bv_sub( corner[2], corner[0] );
	bv_vec3 d = bv_sub( w->from, corner[0] );
	double error = 0x1p-48 * ( bvmath_norm1( a ) * bvmath_norm1( b ) ) * bvmath_norm1( d ) + 0x1p-1000;
	int sign = sign_of( bv_dot( bv_cross( a, b ), d ), error );
	return sign != 0 ? sign : exact_height( w, corner );
}

// How often the projection of a triangle winds around that of the half line, counterclockwise as seen from where the axis
// points: edges above the point count.
static int count_turns( winding* w, const bv_vec3 corner[3] )
{
	const int u = ( w->axis + 1 ) % 3;
	const int v = ( w->axis + 2 ) % 3;
	const double o[2] = { bvmath_component( w->from, u ), bvmath_component( w->from, v ) };
	double flat[3][2];
	int count = 0;
	for ( int k = 0; k < 3; ++k )
	{
		flat[k][0] = bvmath_component( corner[k], u );
		flat[k][1] = bvmath_component( corner[k], v );
	}
	for ( int k = 0; k < 3; ++k )
	{
		const double* p = flat[k];
		const double* q = flat[( k + 1 ) % 3];
		bool is_left = p[0] <= o[0];
		if ( is_left == ( q[0] <= o[0] ) || ( p[1] < o[1] && q[1] < o[1] ) )
		{
			continue;
		}
		// A point exactly on the edge counts as above it.
		int side = turn( w, p, q, o );
		if ( is_left && side < 0 )
		{
			count -= 1;
		}
		if ( !is_left && side > 0 )
		{
			count += 1;
		}
	}
	return count;
}

static bool add_crossing( void* context, uint32_t triangle )
{
	winding* w = context;
	bv_vec3 corner[3];
	bvtree_walk_corners( w->view, triangle, corner );
	int turns = count_turns( w, corner );
	if ( turns != 0 )
	{
		int height = height_of( w, corner );
		w->is_unknown |= height == 0;
		w->sum += height * turns * w->sign < 0 ? turns * w->sign : 0;
	}
	return true;
}

// Along the axis on which the box around the mesh ends first.
static void choose_way( const bvdepth_solid* s, winding* w, double* length )
{
	*length = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double at = bvmath_component( w->from, k );
		double up = bvmath_component( s->upper, k ) - at;
		double down = at - bvmath_component( s->lower, k );
		if ( bvmath_min( up, down ) < *length )
		{
			w->axis = k;
			w->sign = up < down ? 1 : -1;
			*length = bvmath_min( up, down );
		}
	}
}

// The triangles that come near to the half line, by way of the public query: it is conservative, and its box is larger
// than rounding of the file's offset may ask for.
BVSIMD_NOINLINE bool sum_crossings( const bvdepth_solid* s, winding* w, bvdepth_tests* tests )
{
	double length;
	double more = 4 * bvdepth_error_at( s, w->from );
	bv_vec3 at = w->from;
	choose_way( s, w, &length );
	const bv_vec3* offset = s->batch.view.offset;
	if ( offset )
	{
		at = bv_add( at, *offset );
		more += 0x1p-50 * bvmath_norm1( *offset );
	}
	double lower[3] = { at.x - more, at.y - more, at.z - more };
	double upper[3] = { at.x + more, at.y + more, at.z + more };
	if ( w->sign > 0 )
	{
		upper[w->axis] += length + more;
	}
	else
	{
		lower[w->axis] -= length + more;
	}
	bv_aabb box = { { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
	bv_overlap_options options = { .callback = add_crossing, .context = w };
	bv_overlap_result result;
	if ( bv_mesh_overlap_aabb( s->file, NULL, &box, &options, &result ) != bv_ok )
	{
		return false;
	}
	tests->volumes += result.volume_tests;
	tests->triangles += result.triangle_tests;
	return true;
}

void bvdepth_find_side( const bvdepth_solid* solid, bv_vec3 point, bvdepth_look* look, bvdepth_tests* tests )
{
	look->side = bv_side_unknown;
	if ( !( look->distance > 2 * look->error ) )
	{
		return;
	}
	look->side = bv_side_outside;
	bool is_in_box = point.x > solid->lower.x && point.y > solid->lower.y && point.z > solid->lower.z &&
	                 point.x < solid->upper.x && point.y < solid->upper.y && point.z < solid->upper.z;
	if ( solid->closed && is_in_box )
	{
		winding w = { .view = &solid->batch.view, .from = point };
		bool is_known = sum_crossings( solid, &w, tests ) && !w.is_unknown;
		look->side = !is_known ? bv_side_unknown : w.sum != 0 ? bv_side_inside : bv_side_outside;
	}
}
