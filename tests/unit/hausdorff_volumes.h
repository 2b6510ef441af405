// Volumes of every type that distances can be measured from, under one name, and what must hold of every interval.

#pragma once

#include "support.h"

#include "tests/reference/sampling.h"

typedef enum any_kind
{
	any_aabb,
	any_obb,
	any_sphere,
	any_kdop,
	any_hull,
	any_capsule,
	any_rss,
	any_cylinder,
	any_prism,
	any_mesh,
	any_kinds,
} any_kind;

static const char* const any_names[any_kinds] = { "aabb",    "obb", "sphere",   "kdop",  "hull",
	                                              "capsule", "rss", "cylinder", "prism", "mesh" };

// A volume; points and hull go together.
typedef struct any_volume
{
	any_kind kind;
	bv_aabb aabb;
	bv_obb obb;
	bv_sphere sphere;
	bv_kdop kdop;
	const bv_vec3* points;
	bvb_hull hull;
	bv_capsule capsule;
	bv_rss rss;
	bv_cylinder cylinder;
	bv_prism prism;
	bvb_mesh mesh;
} any_volume;

static inline bv_status any_measure( bvb_hausdorff_target* target, const any_volume* v,
                                     const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	switch ( v->kind )
	{
	case any_aabb: return bvb_hausdorff_aabb( target, &v->aabb, options, out );
	case any_obb: return bvb_hausdorff_obb( target, &v->obb, options, out );
	case any_sphere: return bvb_hausdorff_sphere( target, &v->sphere, options, out );
	case any_kdop: return bvb_hausdorff_kdop( target, &v->kdop, options, out );
	case any_hull: return bvb_hausdorff_hull( target, v->points, &v->hull, options, out );
	case any_capsule: return bvb_hausdorff_capsule( target, &v->capsule, options, out );
	case any_rss: return bvb_hausdorff_rss( target, &v->rss, options, out );
	case any_cylinder: return bvb_hausdorff_cylinder( target, &v->cylinder, options, out );
	case any_prism: return bvb_hausdorff_prism( target, &v->prism, options, out );
	default: return bvb_hausdorff_mesh( target, &v->mesh, options, out );
	}
}

// The reference's form of it.
static inline volume* any_points( const any_volume* v )
{
	switch ( v->kind )
	{
	case any_aabb: return volume_of_aabb( &v->aabb );
	case any_obb: return volume_of_obb( &v->obb );
	case any_sphere: return volume_of_sphere( &v->sphere );
	case any_kdop: return volume_of_kdop( &v->kdop );
	case any_hull: return volume_of_hull( v->points, &v->hull );
	case any_capsule: return volume_of_capsule( &v->capsule );
	case any_rss: return volume_of_rss( &v->rss );
	case any_cylinder: return volume_of_cylinder( &v->cylinder );
	case any_prism: return volume_of_prism( &v->prism );
	default: return volume_of_mesh( &v->mesh );
	}
}

static inline any_volume any_of_hull( fixture* f, const bv_vec3* points, uint32_t count )
{
	any_volume v = { .kind = any_hull, .points = points };
	bvb_error error = { "" };
	if ( bvb_hull_compute( points, count, f->arena, &v.hull, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return v;
}

static inline bvb_hausdorff_target* target_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_hausdorff_target* target;
	bvb_error error = { "" };
	if ( bvb_hausdorff_target_create( mesh, NULL, 0, f->arena, &target, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return target;
}

static inline const bvb_winding* winding_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_winding* winding;
	bvb_error error = { "" };
	if ( bvb_winding_create( mesh, f->arena, &winding, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return winding;
}

static inline double larger_of_coordinates( double most, bv_vec3 p )
{
	return fmax( most, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
}

// How far rounding can move a computed point of the volume: samples of it are made, and corners of k-DOPs and capsules
// found, in binary64.
static inline double rounding_of( const volume* v, const bvb_mesh* mesh )
{
	bv_aabb bounds = volume_bounds( v );
	double most = larger_of_coordinates( larger_of_coordinates( 0, bounds.lower ), bounds.upper );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		most = larger_of_coordinates( most, mesh->positions[i] );
	}
	return 0x1p-46 * most;
}

// What makes an interval false whatever the true distance is; null if nothing does.
// @param v  the reference's form of `from`
static inline const char* interval_fault( const bvb_hausdorff* r, const bvb_hausdorff_options* options,
                                          const any_volume* from, const volume* v, const nearest_faces* faces,
                                          double rounding )
{
	// How much of its width an interval may owe to rounding on each side. The planes of a solid hull's faces may be as far
	// off as qhull errs, some 1e-10 of its coordinates.
	bool planes = from->kind == any_hull && options->measure != bvb_hausdorff_surface;
	double slack = ( planes ? 0x1p15 : 0x1p7 ) * rounding;
	if ( !( 0 <= r->lower && r->lower <= r->upper && r->upper < INFINITY ) )
	{
		return "the bounds are not in order";
	}
	bool reached = r->upper - slack <= ( r->lower + slack ) * ( 1 + options->relative ) ||
	               r->upper - slack <= r->lower + slack + options->absolute;
	if ( !reached && ( options->max_regions == 0 || r->regions < options->max_regions ) )
	{
		return "the interval is wider than asked for";
	}
	if ( !volume_contains( v, options->measure == bvb_hausdorff_surface, r->witness, rounding ) )
	{
		return "the witness is no point that counts";
	}
	double distance = sampling_distance( faces, options->measure, r->witness );
	// On the surface it takes exact arithmetic to tell what is inside.
	bool undecided = options->measure == bvb_hausdorff_outside && r->lower <= rounding;
	if ( !undecided && !( r->lower <= distance * ( 1 + 0x1p-51 ) ) )
	{
		return "the witness is nearer than the lower bound";
	}
	if ( !( r->lower >= distance * ( 1 - 1e-9 ) - slack ) )
	{
		return "the witness is farther than the lower bound";
	}
	return NULL;
}
