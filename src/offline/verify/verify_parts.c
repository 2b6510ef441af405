// Proofs about the convex parts. See verify.h.

#include "offline/verify/verify.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/decompose/closed.h"
#include "offline/decompose/convex.h"
#include "offline/verify/verify_bodies.h"
#include "offline/verify/verify_team.h"
#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// A part taken out of the file.
typedef struct hull
{
	bv_part info;
	bvb_mesh mesh;        // its corners and faces
	uint32_t* everything; // 0, 1, 2 ...: the corners that a bvb_hull names
} hull;

// Room for the largest part, which serves all of them.
static bool make_hull( bvb_arena* arena, hull* out )
{
	size_t faces = (size_t)bvfile_part_faces( 1, BVB_MAX_PART_VERTICES );
	*out = ( hull ){
		.mesh.positions = bvb_arena_allocate( arena, BVB_MAX_PART_VERTICES, sizeof *out->mesh.positions ),
		.mesh.triangles = bvb_arena_allocate( arena, faces, sizeof *out->mesh.triangles ),
		.everything = bvb_arena_allocate( arena, BVB_MAX_PART_VERTICES, sizeof *out->everything ),
	};
	for ( uint32_t i = 0; out->everything && i < BVB_MAX_PART_VERTICES; ++i )
	{
		out->everything[i] = i;
	}
	return out->mesh.positions && out->mesh.triangles && out->everything;
}

static void get_hull( const bv_file* file, uint32_t part, hull* out )
{
	bvfile_local_part( file, part, &out->info );
	out->mesh.vertex_count = out->info.vertices;
	out->mesh.triangle_count = out->info.faces;
	for ( uint32_t i = 0; i < out->info.vertices; ++i )
	{
		out->mesh.positions[i] = bvfile_local_part_vertex( file, part, i );
	}
	for ( uint32_t i = 0; i < out->info.faces; ++i )
	{
		bv_file_get_part_triangle( file, part, i, out->mesh.triangles[i].corner );
	}
}

// Of hulls that qhull makes, corners lie outside of faces by some 1e-11 of the coordinates that it works
// with, and as much may be amiss with the corners of a face: where it is thin that tilts its plane, and the
// more so the farther away a corner is that it is compared with. The triple product is a sum of six products
// of three differences, each of which errs by less than 2^-50 of itself.
static bool is_convex( const hull* h )
{
	const bv_aabb* box = &h->info.box;
	double reach = 0;
	for ( int side = 0; side < 2; ++side )
	{
		bv_vec3 p = side ? box->upper : box->lower;
		reach = bvmath_max( reach, bvmath_largest( p ) );
	}
	double slack = 0x1p-36 * reach;
	for ( uint32_t f = 0; f < h->mesh.triangle_count; ++f )
	{
		const uint32_t* corner = h->mesh.triangles[f].corner;
		bv_vec3 a = h->mesh.positions[corner[0]];
		bv_vec3 u = bv_sub( h->mesh.positions[corner[1]], a );
		bv_vec3 v = bv_sub( h->mesh.positions[corner[2]], a );
		bv_vec3 normal = bv_cross( u, v );
		double length = sqrt( bv_dot( normal, normal ) );
		double longest = bvmath_max( bvmath_norm1( u ), bvmath_norm1( v ) );
		for ( uint32_t i = 0; i < h->mesh.vertex_count; ++i )
		{
			bv_vec3 w = bv_sub( h->mesh.positions[i], a );
			double rounding = 0x1p-50 * ( bvmath_norm1( u ) * bvmath_norm1( v ) * bvmath_norm1( w ) );
			double tilt = longest * bvmath_norm1( w );
			if ( bv_dot( normal, w ) > slack * ( length + tilt ) + rounding )
			{
				return false;
			}
		}
	}
	return true;
}

// Equal to the last bit: the same arithmetic on the same faces.
static bool is_mass_of( const hull* h )
{
	bv_mass mass;
	return bvb_mass_of_solid( &h->mesh, &mass ) && memcmp( &mass, &h->info.mass, sizeof mass ) == 0;
}

static bv_status verify_shape( const hull* h, uint32_t part, bvb_error* error )
{
	return !is_convex( h ) ? bvbase_fail( error, bv_error_damaged, "part %u is not convex", part )
	       : !is_mass_of( h )
	           ? bvbase_fail( error, bv_error_damaged,
	                          "the stored mass properties of part %u differ from those of its faces", part )
	           : bv_ok;
}

// What parts are measured against.
typedef struct shape
{
	bvb_mesh mesh;             // without vertices when the file has none
	const bvb_winding* inside; // null for a surface
	bvb_mesh measured;         // the mesh, with caps where these close an open one
	bvdecomp_moved moved;      // by how far caps move it
	bvb_hausdorff_options options;
	double size; // of the mesh's box, to measure to a small part of
	double
		bulge; // how far a point of the mesh's hull can be from the shape; infinite where that is not known
} shape;

static const uint64_t most_regions = 1 << 16;
static const uint64_t least_of_open = 1 << 10;
static const uint64_t shared_by_open = 1 << 18;

static double size_of( const bvb_mesh* mesh )
{
	bv_aabb box = bvmath_box_of_points( mesh->positions, mesh->vertex_count );
	return bvmath_norm1( bv_sub( box.upper, box.lower ) );
}

// Of a mesh without extent there is no hull.
static bv_status find_bulge( const bvdecomp_shape* solid, shape* out, bvb_arena* arena, bvb_error* error )
{
	bvdecomp_convex convex;
	bool has_extent = solid->frame.size > 0 && solid->frame.size < INFINITY;
	bv_status status = has_extent ? bvdecomp_find_convex( solid, arena, &convex, error ) : bv_ok;
	out->bulge = has_extent && status == bv_ok ? convex.bound : INFINITY;
	return status == bv_error_memory ? status : bv_ok;
}

// @return bv_ok; bv_error_memory
static bv_status close_shape( bvdecomp_shape* solid, double tolerance, shape* out, bvb_arena* arena,
                              bvb_error* error )
{
	// By how much caps widen what is found is not for the file to say.
	static const double most = 0.02; // of the size
	bool has_extent = solid->frame.size > 0 && solid->frame.size < INFINITY;
	tolerance = bvmath_min( tolerance, most * solid->frame.size );
	bv_status status = has_extent ? bvdecomp_close_shape( solid, tolerance, INFINITY, arena, error ) : bv_ok;
	out->measured = solid->mesh;
	out->moved = solid->moved;
	return status;
}

static bv_status make_shape( const bvb_mesh* mesh, const bv_decomposition_info* info, bvb_arena* arena,
                             shape* out, bvb_error* error )
{
	*out = ( shape ){ .mesh = *mesh,
		              .measured = *mesh,
		              .options = bvb_hausdorff_options_default(),
		              .size = size_of( mesh ),
		              .bulge = INFINITY };
	bvb_winding* winding = NULL;
	bv_status status = bv_ok;
	if ( info->solid )
	{
		bvdecomp_shape solid;
		status = bvdecomp_shape_create( mesh, bvb_decompose_solid, 0, arena, &solid, error );
		out->mesh = solid.mesh;
		out->inside = solid.inside;
		status = status == bv_ok ? close_shape( &solid, info->tolerance, out, arena, error ) : status;
		status = status == bv_ok ? find_bulge( &solid, out, arena, error ) : status;
		winding = solid.inside;
	}
	out->options.measure = info->solid ? bvb_hausdorff_outside : bvb_hausdorff_solid;
	out->options.inside = winding;
	out->options.relative = 0.02;
	out->options.absolute = 0x1p-13 * out->size;

	// However odd the parts are, it takes no longer than this, and the intervals are valid.
	uint64_t share = shared_by_open / info->parts;
	bool closed = !winding || bvb_winding_is_closed( winding );
	out->options.max_regions = closed ? most_regions : share > least_of_open ? share : least_of_open;
	return status;
}

// Whether a stored interval meets that of a distance from what was measured.
static bool meet( const bv_interval* stored, const shape* s, double lower, double upper )
{
	return lower - s->moved.removed <= stored->upper && stored->lower <= upper + s->moved.added;
}

// Measures a part until it is known to be no farther than `sufficient`, or how far it is. Both that interval
// and the stored one hold the true value, so they meet.
static bool meets( const hull* h, const bvb_hull* polyhedron, const shape* s, double sufficient,
                   bvb_hausdorff_target* target, bv_status* status, bvb_hausdorff* found )
{
	bvb_hausdorff_options options = s->options;
	options.sufficient = bvmath_max( sufficient - s->moved.added, 0 );
	*status = bvb_hausdorff_hull( target, h->mesh.positions, polyhedron, &options, found );
	return *status == bv_ok && meet( &h->info.concavity, s, found->lower, found->upper );
}

// The distance from the hull of a mesh is a convex function: no point of the part is farther from there than the
// part's farthest corner, and the shape is at most the bulge away from that.
static bool meets_at_corners( const hull* h, const shape* s, bvb_hausdorff_target* target, bv_status* status )
{
	bvb_hausdorff_options options = s->options;
	options.relative = options.absolute = 0;
	double lower = 0;
	double upper = 0;
	*status = bv_ok;
	for ( uint32_t i = 0; i < h->mesh.vertex_count && *status == bv_ok; ++i )
	{
		bv_aabb corner = { h->mesh.positions[i], h->mesh.positions[i] };
		bvb_hausdorff found;
		*status = bvb_hausdorff_aabb( target, &corner, &options, &found );
		lower = *status == bv_ok ? bvmath_max( lower, found.lower ) : lower;
		upper = *status == bv_ok ? bvmath_max( upper, found.upper ) : upper;
	}
	return *status == bv_ok && meet( &h->info.concavity, s, lower, upper + s->bulge );
}

static bool meets_everywhere( const hull* h, const shape* s, bvb_hausdorff_target* target, bv_status* status )
{
	bvb_hull polyhedron = {
		.kind = bv_hull_polyhedron,
		.vertices = h->everything,
		.vertex_count = h->mesh.vertex_count,
		.faces = h->mesh.triangles,
		.face_count = h->mesh.triangle_count,
		.volume = h->info.mass.mass,
	};

	// The upper end is proved as it is. Where nothing on the way is about as far as the lower one, that is
	// looked for again.
	const bv_interval* stored = &h->info.concavity;
	bvb_hausdorff found;
	bool good = meets( h, &polyhedron, s, stored->upper, target, status, &found );
	if ( good && found.lower < 0.98 * stored->lower )
	{
		good = meets( h, &polyhedron, s, ( 1 - 0x1p-20 ) * stored->lower, target, status, &found );
	}
	return good;
}

static bv_status verify_concavity( const hull* h, uint32_t part, const shape* s, bvb_hausdorff_target* target,
                                   bvb_error* error )
{
	bv_status status;
	bool good = s->bulge < INFINITY ? meets_at_corners( h, s, target, &status )
	                                : meets_everywhere( h, s, target, &status );
	if ( status == bv_error_memory )
	{
		return bvbase_fail_memory( error );
	}
	return good ? bv_ok
	            : bvbase_fail( error, bv_error_damaged,
	                           "the stored distance of part %u from the shape is wrong", part );
}

// Each triangle is in the list of a part, or nothing was made to cover it.
static bv_status verify_triangles( const bv_file* file, const bvb_mesh* mesh, bvb_arena* arena,
                                   bvb_error* error )
{
	bv_decomposition_info info = bv_file_get_decomposition( file );
	if ( !info.has_triangles )
	{
		return bv_ok;
	}
	bool* listed = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *listed );
	if ( !listed )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < info.parts; ++i )
	{
		const uint32_t* triangles;
		uint32_t count = bv_file_get_part_triangles( file, i, &triangles );
		for ( uint32_t k = 0; k < count; ++k )
		{
			listed[triangles[k]] = true;
		}
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( !listed[i] )
		{
			return bvbase_fail( error, bv_error_damaged, "triangle %u is in no part's list", i );
		}
	}
	return bv_ok;
}

// What all parts are verified against.
typedef struct parts_task
{
	const bv_file* file;
	const shape* shape;
} parts_task;

// What a thread has of its own: a target serves one measurement at a time.
typedef struct parts_worker
{
	const parts_task* task;
	hull part;
	bvb_hausdorff_target* target; // null without a mesh
} parts_worker;

static bv_status begin_worker( const void* shared, bvb_arena* arena, void* own, bvb_error* error )
{
	parts_worker* w = own;
	*w = ( parts_worker ){ .task = shared };
	const shape* s = w->task->shape;
	if ( !make_hull( arena, &w->part ) )
	{
		return bvbase_fail_memory( error );
	}
	return s->mesh.vertex_count > 0
	           ? bvb_hausdorff_target_create( &s->measured, NULL, 0, arena, &w->target, error )
	           : bv_ok;
}

static bv_status verify_part( void* own, uint32_t part, bvb_error* error )
{
	parts_worker* w = own;
	get_hull( w->task->file, part, &w->part );
	bv_status status = verify_shape( &w->part, part, error );
	return status == bv_ok && w->target ? verify_concavity( &w->part, part, w->task->shape, w->target, error )
	                                    : status;
}

static bv_status verify_all( const bv_file* file, uint32_t parts, const shape* s, const bvb_arena* arena,
                             bvb_error* error )
{
	static const bvverify_verifier verifier = { sizeof( parts_worker ), begin_worker, verify_part };
	return bvverify_each( &verifier, &( parts_task ){ file, s }, parts, 1, arena, error );
}

// What rounding may do to places is added to the distance.
static bv_status verify_cover( const bv_file* file, const shape* s, const bvb_arena* arena, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bvverify_bodies bodies;
	bv_status status = scratch ? bvverify_take_bodies( file, &s->mesh, scratch, &bodies, error )
	                           : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		double distance = bv_file_get_decomposition( file ).uncovered + 0x1p-40 * bodies.reach;
		const bvb_winding* inside = s->inside;
		status = bvverify_cover( &bodies, &s->mesh, distance, scratch, error );
		status = status == bv_ok && inside && bvb_winding_is_closed( inside )
		             ? bvverify_inside( &bodies, inside, distance, scratch, error )
		             : status;
	}
	bvb_arena_destroy( scratch );
	return status;
}

// The parts are convex, have the masses of their faces, are as far from the shape as their intervals say, are
// neighbors where they meet, were made for all triangles, and leave out no more than is said.
bv_status bvverify_section_parts( bvverify_verification* v, bvb_error* error )
{
	const bv_file* file = v->file;
	const bvb_mesh* mesh = v->mesh;
	bvb_arena* arena = v->scratch;
	bv_decomposition_info info = bv_file_get_decomposition( file );
	if ( info.parts == 0 )
	{
		return bv_ok;
	}
	shape s = { .size = 0 };
	bv_status status = mesh ? make_shape( mesh, &info, arena, &s, error ) : bv_ok;
	status = status == bv_ok ? verify_all( file, info.parts, &s, arena, error ) : status;
	v->result->errors += status == bv_ok && mesh ? info.parts : 0;
	status = status == bv_ok ? bvverify_neighbors( file, arena, error ) : status;
	status = status == bv_ok && mesh ? verify_triangles( file, mesh, arena, error ) : status;
	return status == bv_ok && mesh ? verify_cover( file, &s, arena, error ) : status;
}
