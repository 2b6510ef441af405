// Volumes in the JSON report.

#include "bvbuild/fit.h"
#include "offline/report/json.h"

// Adds three unit vectors as rows.
static void put_axes( bvreport_json_writer* w, cJSON* to, const bv_vec3 axis[3] )
{
	cJSON* axes = bvreport_json_put_array( w, to, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		bvreport_json_append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

cJSON* bvreport_json_put_obb( bvreport_json_writer* w, cJSON* to, const char* key, const bv_obb* box )
{
	cJSON* obb = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, obb, "center", box->center );
	put_axes( w, obb, box->axis );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, obb, "half_extents" ), box->half_extents,
	                              3 );
	bvreport_json_put_number( w, obb, "volume", bv_obb_volume( box ) );
	return obb;
}

cJSON* bvreport_json_put_kdop( bvreport_json_writer* w, cJSON* to, const char* key, const bv_kdop* kdop )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	bvreport_json_put_number( w, object, "k", kdop->k );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "lower" ), kdop->lower,
	                              BV_KDOP_DIRECTIONS );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "upper" ), kdop->upper,
	                              BV_KDOP_DIRECTIONS );
	bvreport_json_put_number( w, object, "volume", bvb_kdop_volume( kdop ) );
	return object;
}

cJSON* bvreport_json_put_sphere( bvreport_json_writer* w, cJSON* to, const char* key, const bv_sphere* ball )
{
	cJSON* sphere = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, sphere, "center", ball->center );
	bvreport_json_put_number( w, sphere, "radius", ball->radius );
	bvreport_json_put_number( w, sphere, "volume", bv_sphere_volume( ball ) );
	return sphere;
}

cJSON* bvreport_json_put_thick_segment( bvreport_json_writer* w, cJSON* to, const char* key,
                                        const bv_vec3 ends[2], double radius, double volume )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	cJSON* array = bvreport_json_put_array( w, object, "ends" );
	for ( int i = 0; i < 2; ++i )
	{
		bvreport_json_append_row( w, array, ( const double[3] ){ ends[i].x, ends[i].y, ends[i].z } );
	}
	bvreport_json_put_number( w, object, "radius", radius );
	bvreport_json_put_number( w, object, "volume", volume );
	return object;
}

cJSON* bvreport_json_put_capsule( bvreport_json_writer* w, cJSON* to, const bv_capsule* capsule )
{
	return bvreport_json_put_thick_segment( w, to, "capsule", capsule->ends, capsule->radius,
	                                        bv_capsule_volume( capsule ) );
}

cJSON* bvreport_json_put_rss( bvreport_json_writer* w, cJSON* to, const char* key, const bv_rss* rss )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, object, "center", rss->center );
	put_axes( w, object, rss->axis );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "half_extents" ), rss->half_extents,
	                              2 );
	bvreport_json_put_number( w, object, "radius", rss->radius );
	bvreport_json_put_number( w, object, "volume", bv_rss_volume( rss ) );
	return object;
}

cJSON* bvreport_json_put_aabb( bvreport_json_writer* w, cJSON* to, const char* key, const bv_aabb* box )
{
	cJSON* aabb = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, aabb, "lower", box->lower );
	bvreport_json_put_vec3( w, aabb, "upper", box->upper );
	bvreport_json_put_number( w, aabb, "volume", bv_aabb_volume( box ) );
	return aabb;
}

static cJSON* bvreport_json_put_prism( bvreport_json_writer* w, cJSON* to, const char* key,
                                       const bv_prism* prism )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, object, "center", prism->box.center );
	put_axes( w, object, prism->box.axis );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "half_extents" ),
	                              prism->box.half_extents, 3 );
	bvreport_json_put_number( w, object, "volume", bv_prism_volume( prism ) );
	return object;
}

cJSON* bvreport_json_put_node_volume( bvreport_json_writer* w, cJSON* to, const char* key,
                                      const bv_volume* volume )
{
	switch ( volume->type )
	{
	case bv_volume_obb: return bvreport_json_put_obb( w, to, key, &volume->obb );
	case bv_volume_aabb: return bvreport_json_put_aabb( w, to, key, &volume->aabb );
	case bv_volume_sphere: return bvreport_json_put_sphere( w, to, key, &volume->sphere );
	case bv_volume_rss: return bvreport_json_put_rss( w, to, key, &volume->rss );
	case bv_volume_prism: return bvreport_json_put_prism( w, to, key, &volume->prism );
	default: return bvreport_json_put_kdop( w, to, key, &volume->kdop );
	}
}
