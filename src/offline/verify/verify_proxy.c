// Proofs about the proxy. See verify.h.

#include "offline/verify/verify.h"

#include "bvbuild/simplify.h"
#include "offline/base/error.h"
#include "offline/base/exact.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <math.h>

static bool copy_proxy( const bv_file* file, const bv_proxy* proxy, bvb_arena* arena, bvb_mesh* out )
{
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, proxy->vertices, sizeof *out->positions ),
		.triangles = bvb_arena_allocate( arena, proxy->triangles, sizeof *out->triangles ),
		.vertex_count = proxy->vertices,
		.triangle_count = proxy->triangles,
	};
	if ( !out->positions || !out->triangles )
	{
		return false;
	}
	for ( uint32_t i = 0; i < proxy->vertices; ++i )
	{
		out->positions[i] = bvfile_local_proxy_vertex( file, i );
	}
	for ( uint32_t i = 0; i < proxy->triangles; ++i )
	{
		bv_file_get_proxy_triangle( file, i, out->triangles[i].corner );
	}
	return true;
}

// Three points are on a line if they are so seen along each of the axes.
static bool is_degenerate( const bvb_mesh* mesh, uint32_t triangle )
{
	bv_vec3 p[3];
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = mesh->positions[mesh->triangles[triangle].corner[k]];
	}
	return bvbase_orient2d( ( bvbase_vec2 ){ p[0].x, p[0].y }, ( bvbase_vec2 ){ p[1].x, p[1].y },
	                        ( bvbase_vec2 ){ p[2].x, p[2].y } ) == 0 &&
	       bvbase_orient2d( ( bvbase_vec2 ){ p[0].y, p[0].z }, ( bvbase_vec2 ){ p[1].y, p[1].z },
	                        ( bvbase_vec2 ){ p[2].y, p[2].z } ) == 0 &&
	       bvbase_orient2d( ( bvbase_vec2 ){ p[0].z, p[0].x }, ( bvbase_vec2 ){ p[1].z, p[1].x },
	                        ( bvbase_vec2 ){ p[2].z, p[2].x } ) == 0;
}

// Measures anew, as finely as writers do, until no point is known to be farther than `sufficient`, or how far
// one is.
static bv_status measure( const bvb_mesh* from, const bvb_mesh* to, double sufficient, double absolute,
                          bvb_arena* arena, bvb_hausdorff* out, bvb_error* error )
{
	bvb_hausdorff_target* target;
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.relative = 0;
	options.absolute = absolute;
	options.sufficient = sufficient;
	options.max_regions = (uint64_t)1 << 24;
	bv_status status = bvb_hausdorff_target_create( to, NULL, 0, arena, &target, error );
	status = status == bv_ok ? bvb_hausdorff_mesh( target, from, &options, out ) : status;
	return status == bv_error_memory ? bvbase_fail_memory( error ) : status;
}

// The upper end is proved, but for what finishing the search would cost; the lower one by a point that is as
// far away.
static bv_status verify_interval( const bvb_mesh* from, const bvb_mesh* to, const bv_interval* stored,
                                  double absolute, const char* what, bvb_arena* arena, bvb_error* error )
{
	bvb_hausdorff found;
	bv_status status = measure( from, to, stored->upper, absolute, arena, &found, error );
	bool good = found.lower <= stored->upper && found.upper <= stored->upper + absolute;
	if ( status == bv_ok && good && found.lower < stored->lower )
	{
		status = measure( from, to, ( 1 - 0x1p-20 ) * stored->lower, absolute, arena, &found, error );
		good = found.upper >= stored->lower;
	}
	return status != bv_ok ? status
	       : good          ? bv_ok
	                       : bvbase_fail( error, bv_error_damaged, "the stored distance %s is wrong", what );
}

static bv_status compare( const bv_proxy* proxy, const bvb_mesh* mesh, const bvb_mesh* own, bvb_arena* arena,
                          bvb_error* error )
{
	double rounding = bvb_simplify_rounding( mesh );
	double absolute = bvmath_max( 0x1p-8 * proxy->tolerance, rounding );
	double most = bvmath_max( proxy->tolerance, rounding );
	if ( proxy->from_proxy.upper > most || proxy->from_mesh.upper > most )
	{
		return bvbase_fail( error, bv_error_damaged,
		                    "the proxy mesh is farther from the mesh than its tolerance" );
	}
	bv_status status = verify_interval( own, mesh, &proxy->from_proxy, absolute,
	                                    "from the proxy mesh to the mesh", arena, error );
	if ( status == bv_ok )
	{
		status = verify_interval( mesh, own, &proxy->from_mesh, absolute, "from the mesh to the proxy mesh",
		                          arena, error );
	}
	uint32_t enclosed = 0;
	status = status == bv_ok ? bvb_count_enclosed( mesh, own, 0, arena, &enclosed, error ) : status;
	return status == bv_ok && enclosed < proxy->enclosed
	           ? bvbase_fail( error, bv_error_damaged,
	                          "the proxy mesh encloses %u triangles, not %u as stored", enclosed,
	                          proxy->enclosed )
	           : status;
}

// The proxy is as far from the mesh as its intervals say, and encloses as many of its triangles as it says.
bv_status bvverify_section_proxy( bvverify_verification* v, bvb_error* error )
{
	const bv_file* file = v->file;
	const bvb_mesh* mesh = v->mesh;
	bvb_arena* scratch = v->scratch;
	bv_proxy proxy;
	bvb_mesh own;
	if ( !bv_file_get_proxy( file, &proxy ) )
	{
		return bv_ok;
	}
	if ( !copy_proxy( file, &proxy, scratch, &own ) )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < own.triangle_count; ++i )
	{
		if ( is_degenerate( &own, i ) )
		{
			return bvbase_fail( error, bv_error_damaged, "triangle %u of the proxy mesh has no area", i );
		}
	}
	bv_status status = mesh ? compare( &proxy, mesh, &own, scratch, error ) : bv_ok;
	if ( status == bv_ok && mesh )
	{
		v->result->errors += 2;
		v->result->enclosures += proxy.enclosed;
	}
	return status;
}
