// Volumes in the JSON report.

#include "bvbuild/fit.h"
#include "offline/report/json.h"
#include "runtime/volume/kinds.h"

// Adds three unit vectors as rows.
static void put_axes( bvreport_json_writer* w, cJSON* to, const bv_vec3 axis[3] )
{
	cJSON* axes = bvreport_json_put_array( w, to, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		bvreport_json_append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

static cJSON* put_kdop( bvreport_json_writer* w, cJSON* to, const char* key, const bv_kdop* kdop )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	bv_kdop placed = *kdop;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		double along = bv_kdop_uses( kdop->k, i ) ? bv_dot( bv_kdop_direction( i ), w->offset ) : 0;
		placed.lower[i] = along != 0 ? kdop->lower[i] + along : kdop->lower[i];
		placed.upper[i] = along != 0 ? kdop->upper[i] + along : kdop->upper[i];
	}
	bvreport_json_put_number( w, object, "k", kdop->k );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "lower" ), placed.lower,
	                              BV_KDOP_DIRECTIONS );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "upper" ), placed.upper,
	                              BV_KDOP_DIRECTIONS );
	bvreport_json_put_number( w, object, "volume", bvb_kdop_volume( kdop ) );
	return object;
}

cJSON* bvreport_json_put_thick_segment( bvreport_json_writer* w, cJSON* to, const char* key,
                                        const bv_vec3 ends[2], double radius, double volume )
{
	cJSON* object = bvreport_json_put_object( w, to, key );
	cJSON* array = bvreport_json_put_array( w, object, "ends" );
	for ( int i = 0; i < 2; ++i )
	{
		bv_vec3 end = bvreport_json_place( w, ends[i] );
		bvreport_json_append_row( w, array, ( const double[3] ){ end.x, end.y, end.z } );
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

static cJSON* put_aabb( bvreport_json_writer* w, cJSON* to, const char* key, const bv_aabb* box )
{
	cJSON* aabb = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, aabb, "lower", bvreport_json_place( w, box->lower ) );
	bvreport_json_put_vec3( w, aabb, "upper", bvreport_json_place( w, box->upper ) );
	bvreport_json_put_number( w, aabb, "volume", bv_aabb_volume( box ) );
	return aabb;
}

static cJSON* put_framed( bvreport_json_writer* w, cJSON* to, const char* key, const bv_volume* volume )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	bvvol_rounded v = bvvol_volume_rounded( volume );
	cJSON* object = bvreport_json_put_object( w, to, key );
	bvreport_json_put_vec3( w, object, "center", bvreport_json_place( w, v.center ) );
	if ( kind->extents > 0 )
	{
		put_axes( w, object, v.axis );
		bvreport_json_append_numbers( w, bvreport_json_put_array( w, object, "half_extents" ), v.half_extents,
		                              kind->extents );
	}
	if ( kind->has_radius )
	{
		bvreport_json_put_number( w, object, "radius", v.radius );
	}
	bvreport_json_put_number( w, object, "volume", bvb_volume_of( volume ) );
	return object;
}

cJSON* bvreport_json_put_volume( bvreport_json_writer* w, cJSON* to, const char* key,
                                 const bv_volume* volume )
{
	switch ( bvvol_kind_of( volume->type )->form )
	{
	case bvvol_form_slabs: return put_kdop( w, to, key, &volume->kdop );
	case bvvol_form_upright: return put_aabb( w, to, key, &volume->aabb );
	default: return put_framed( w, to, key, volume );
	}
}
