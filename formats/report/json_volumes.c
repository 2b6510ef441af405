// Volumes in the JSON report.

#include "bvbuild/fit.h"
#include "formats/report/json.h"

void json_put_axes( json_writer* w, cJSON* to, const bv_vec3 axis[3] )
{
	cJSON* axes = json_put_array( w, to, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		json_append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

cJSON* json_put_obb( json_writer* w, cJSON* to, const char* key, const bv_obb* box )
{
	cJSON* obb = json_put_object( w, to, key );
	json_put_vec3( w, obb, "center", box->center );
	json_put_axes( w, obb, box->axis );
	json_append_numbers( w, json_put_array( w, obb, "half_extents" ), box->half_extents, 3 );
	json_put_number( w, obb, "volume", bv_obb_volume( box ) );
	return obb;
}

cJSON* json_put_kdop( json_writer* w, cJSON* to, const char* key, const bv_kdop* kdop )
{
	cJSON* object = json_put_object( w, to, key );
	json_put_number( w, object, "k", kdop->k );
	json_append_numbers( w, json_put_array( w, object, "lower" ), kdop->lower, BV_KDOP_DIRECTIONS );
	json_append_numbers( w, json_put_array( w, object, "upper" ), kdop->upper, BV_KDOP_DIRECTIONS );
	json_put_number( w, object, "volume", bvb_kdop_volume( kdop ) );
	return object;
}

cJSON* json_put_sphere( json_writer* w, cJSON* to, const char* key, const bv_sphere* ball )
{
	cJSON* sphere = json_put_object( w, to, key );
	json_put_vec3( w, sphere, "center", ball->center );
	json_put_number( w, sphere, "radius", ball->radius );
	json_put_number( w, sphere, "volume", bv_sphere_volume( ball ) );
	return sphere;
}

cJSON* json_put_thick_segment( json_writer* w, cJSON* to, const char* key, const bv_vec3 ends[2],
                               double radius, double volume )
{
	cJSON* object = json_put_object( w, to, key );
	cJSON* array = json_put_array( w, object, "ends" );
	for ( int i = 0; i < 2; ++i )
	{
		json_append_row( w, array, ( const double[3] ){ ends[i].x, ends[i].y, ends[i].z } );
	}
	json_put_number( w, object, "radius", radius );
	json_put_number( w, object, "volume", volume );
	return object;
}

cJSON* json_put_capsule( json_writer* w, cJSON* to, const bv_capsule* capsule )
{
	return json_put_thick_segment( w, to, "capsule", capsule->ends, capsule->radius,
	                               bv_capsule_volume( capsule ) );
}

cJSON* json_put_rss( json_writer* w, cJSON* to, const char* key, const bv_rss* rss )
{
	cJSON* object = json_put_object( w, to, key );
	json_put_vec3( w, object, "center", rss->center );
	json_put_axes( w, object, rss->axis );
	json_append_numbers( w, json_put_array( w, object, "half_extents" ), rss->half_extents, 2 );
	json_put_number( w, object, "radius", rss->radius );
	json_put_number( w, object, "volume", bv_rss_volume( rss ) );
	return object;
}

cJSON* json_put_aabb( json_writer* w, cJSON* to, const char* key, const bv_aabb* box )
{
	cJSON* aabb = json_put_object( w, to, key );
	json_put_vec3( w, aabb, "lower", box->lower );
	json_put_vec3( w, aabb, "upper", box->upper );
	json_put_number( w, aabb, "volume", bv_aabb_volume( box ) );
	return aabb;
}

static cJSON* json_put_prism( json_writer* w, cJSON* to, const char* key, const bv_prism* prism )
{
	cJSON* object = json_put_object( w, to, key );
	json_put_vec3( w, object, "center", prism->box.center );
	json_put_axes( w, object, prism->box.axis );
	json_append_numbers( w, json_put_array( w, object, "half_extents" ), prism->box.half_extents, 3 );
	json_put_number( w, object, "volume", bv_prism_volume( prism ) );
	return object;
}

cJSON* json_put_node_volume( json_writer* w, cJSON* to, const char* key, const bv_volume* volume )
{
	switch ( volume->type )
	{
	case bv_volume_obb: return json_put_obb( w, to, key, &volume->obb );
	case bv_volume_aabb: return json_put_aabb( w, to, key, &volume->aabb );
	case bv_volume_sphere: return json_put_sphere( w, to, key, &volume->sphere );
	case bv_volume_rss: return json_put_rss( w, to, key, &volume->rss );
	case bv_volume_prism: return json_put_prism( w, to, key, &volume->prism );
	default: return json_put_kdop( w, to, key, &volume->kdop );
	}
}
