// Errors of nodes and primitives, measured again. See verify.h.

#include "offline/verify/verify.h"

#include "offline/base/error.h"
#include "offline/hausdorff/from_file.h"
#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// A node's value may be above what is found, never below; everything else is the same to the last bit,
// because the same arithmetic is done again.
static bv_status compare_errors( const bvfile_errors_view* stored, const bvb_tree* tree,
                                 const bvb_tree_errors* found, bvb_error* error )
{
	const bvfile_errors* head = stored->head;
	for ( uint32_t i = 0; i < head->nodes; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		double size = bvfile_size_of( &node.volume );
		bool surface = bvfile_error_value( stored->nodes[i][0], size ) >= found->nodes[i].surface_upper;
		bool solid = bvfile_error_value( stored->nodes[i][1], size ) >= found->nodes[i].solid_upper;
		if ( !surface || !solid )
		{
			return bvbase_fail( error, bv_error_damaged, "the %s error of node %u exceeds the stored bound",
			                    surface ? "solid" : "surface", i );
		}
	}
	for ( uint32_t i = 0; i < head->levels; ++i )
	{
		if ( memcmp( stored->levels + i, found->levels + i, sizeof *stored->levels ) != 0 )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "the stored errors of level %u differ from those of its nodes", i );
		}
	}
	if ( memcmp( &head->surface, &found->surface, sizeof head->surface ) != 0 ||
	     memcmp( &head->solid, &found->solid, sizeof head->solid ) != 0 )
	{
		return bvbase_fail( error, bv_error_damaged,
		                    "the stored errors of the root differ from those of its nodes" );
	}
	if ( memcmp( &head->all, &found->all, sizeof head->all ) != 0 )
	{
		return bvbase_fail( error, bv_error_damaged,
		                    "the stored errors over all nodes differ from those of the nodes" );
	}
	return bv_ok;
}

// The errors of all nodes are those that measuring them again gives.
bv_status bvverify_section_errors( bvverify_verification* v, bvb_error* error )
{
	bvb_arena* arena = v->scratch;
	bvfile_view view = bvfile_view_of( v->file );
	const char* section = bvfile_find( view.header, bvfile_section_errors );
	if ( !section )
	{
		return bv_ok;
	}
	bvb_tree* tree = bvhaus_file_tree( v->file, arena );
	if ( !tree )
	{
		return bvbase_fail_memory( error );
	}
	bvfile_errors_view stored = bvfile_errors_view_of( section );
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	options.relative = stored.head->relative;
	options.floor = stored.head->floor;

	// As it is done now, or else as it was done when the file may have been written.
	bv_status status = bv_error_damaged;
	bvb_error ignored;
	for ( int i = 0; i < 2 && status == bv_error_damaged; ++i )
	{
		bvb_tree_errors found;
		options.regions_only = i > 0;
		bvb_error* told = i == 0 ? error : &ignored;
		status = bvb_hausdorff_tree( v->mesh, tree, &options, arena, &found, told );
		status = status == bv_ok ? compare_errors( &stored, tree, &found, told ) : status;
	}
	v->result->errors += status == bv_ok ? 2 * (uint64_t)stored.head->nodes : 0;
	return status;
}

static bv_status measure_surface( bvb_hausdorff_target* target, const bv_primitive* primitive,
                                  double tolerance, bvb_hausdorff* out )
{
	// However odd the primitive is, it takes no longer than this, and the interval is valid.
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.relative = 0.1;
	options.absolute = tolerance / 10;
	options.max_regions = 1 << 14;
	switch ( primitive->kind )
	{
	case bv_primitive_box: return bvb_hausdorff_obb( target, &primitive->box, &options, out );
	case bv_primitive_sphere: return bvb_hausdorff_sphere( target, &primitive->sphere, &options, out );
	case bv_primitive_capsule: return bvb_hausdorff_capsule( target, &primitive->capsule, &options, out );
	default: return bvb_hausdorff_cylinder( target, &primitive->cylinder, &options, out );
	}
}

// To the surface of what lies between three pairs of planes at right angles, of a point that is so far beyond
// each pair.
static double corner_distance( double a, double b, double c )
{
	double most = bvmath_max( a, bvmath_max( b, c ) );
	double x = bvmath_max( a, 0 );
	double y = bvmath_max( b, 0 );
	double z = bvmath_max( c, 0 );
	return most < 0 ? -most : sqrt( x * x + y * y + z * z );
}

// A point by the axis of a capsule or a cylinder.
typedef struct axial
{
	double along;  // from the middle of the axis
	double beside; // from the line
	double half;   // of the axis's length
} axial;

static axial axial_of( const bv_vec3 ends[2], bv_vec3 p )
{
	bv_vec3 axis = bv_sub( ends[1], ends[0] );
	bv_vec3 from = bv_sub( p, ends[0] );
	double length = sqrt( bv_dot( axis, axis ) );
	double along = length > 0 ? bv_dot( from, axis ) / length : 0;
	bv_vec3 foot = bv_sub( from, bv_scale( length > 0 ? along / length : 0, axis ) );
	return ( axial ){ fabs( along - length / 2 ), sqrt( bv_dot( foot, foot ) ), length / 2 };
}

// To the primitive's surface, with the rounding of binary64.
static double surface_distance( const bv_primitive* primitive, bv_vec3 p )
{
	const bv_obb* box = &primitive->box;
	const double* h = box->half_extents;
	bv_vec3 d;
	axial a;
	double beyond;
	switch ( primitive->kind )
	{
	case bv_primitive_box:
		d = bv_sub( p, box->center );
		return corner_distance( fabs( bv_dot( d, box->axis[0] ) ) - h[0],
		                        fabs( bv_dot( d, box->axis[1] ) ) - h[1],
		                        fabs( bv_dot( d, box->axis[2] ) ) - h[2] );
	case bv_primitive_sphere:
		d = bv_sub( p, primitive->sphere.center );
		return fabs( sqrt( bv_dot( d, d ) ) - primitive->sphere.radius );
	case bv_primitive_capsule:
		a = axial_of( primitive->capsule.ends, p );
		beyond = bvmath_max( a.along - a.half, 0 );
		return fabs( sqrt( beyond * beyond + a.beside * a.beside ) - primitive->capsule.radius );
	default:
		a = axial_of( primitive->cylinder.ends, p );
		return corner_distance( a.along - a.half, a.beside - primitive->cylinder.radius, -HUGE_VAL );
	}
}

// Of the numbers that make up a primitive.
static double size_of( const bv_primitive* primitive )
{
	const double* h = primitive->box.half_extents;
	const bv_sphere* sphere = &primitive->sphere;
	const bv_capsule* capsule = &primitive->capsule;
	const bv_cylinder* cylinder = &primitive->cylinder;
	switch ( primitive->kind )
	{
	case bv_primitive_box: return bvmath_norm1( primitive->box.center ) + h[0] + h[1] + h[2];
	case bv_primitive_sphere: return bvmath_norm1( sphere->center ) + sphere->radius;
	case bv_primitive_capsule:
		return bvmath_norm1( capsule->ends[0] ) + bvmath_norm1( capsule->ends[1] ) + capsule->radius;
	default: return bvmath_norm1( cylinder->ends[0] ) + bvmath_norm1( cylinder->ends[1] ) + cylinder->radius;
	}
}

// No vertex is farther from the surface than any point of the mesh is said to be.
static bool holds_vertices( const bvb_mesh* mesh, const bv_primitive* primitive )
{
	double size = size_of( primitive );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		double distance = surface_distance( primitive, p );
		double rounding = 0x1p-46 * ( size + bvmath_norm1( p ) );
		if ( !( distance - rounding <= primitive->from_mesh.upper ) )
		{
			return false;
		}
	}
	return true;
}

// The primitives are where their errors say.
bv_status bvverify_section_primitives( bvverify_verification* v, bvb_error* error )
{
	const bv_file* file = v->file;
	const bvb_mesh* mesh = v->mesh;
	bv_recognized recognized;
	bvb_hausdorff_target* target;
	if ( !mesh || !bv_file_get_recognized( file, &recognized ) )
	{
		return bv_ok;
	}
	bv_status status = bvb_hausdorff_target_create( mesh, NULL, 0, v->scratch, &target, error );
	for ( int i = 0; i < bv_primitive_kinds && status == bv_ok; ++i )
	{
		bv_primitive primitive;
		bvb_hausdorff found;
		bvfile_local_primitive( file, (bv_primitive_kind)i, &primitive );
		status = measure_surface( target, &primitive, recognized.tolerance, &found );
		if ( status == bv_error_memory )
		{
			return bvbase_fail_memory( error );
		}
		const bv_interval* stored = &primitive.from_surface;
		if ( status != bv_ok || found.lower > stored->upper || stored->lower > found.upper ||
		     !holds_vertices( mesh, &primitive ) )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "the stored error of the primitive %s differs from the true one",
			                    bvb_primitive_name( primitive.kind ) );
		}
		v->result->errors += 1;
	}
	return status;
}
