// A body as glTF's extensions KHR_implicit_shapes and KHR_physics_rigid_bodies say it. See body.h.
//
// Both are drafts. Names and meanings are those in KhronosGroup/glTF: KHR_implicit_shapes as of commit
// 16d6bff (a release candidate), KHR_physics_rigid_bodies as of 2026-06, since when a collider's geometry
// names a mesh and no longer a node (fastgltf 149 follows it there).
//
// One node is the body: it has the motion, if a mass is known, and the mesh to look at. Its children are the
// colliders, each where its shape has its origin. A node without motion is a thing that stands still.

#include "formats/gltf/body.h"

#include "runtime/math/vec.h"

#include <math.h>

static void put_numbers( bvexport_output* o, const char* key, const double* numbers, int count )
{
	bvexport_output_text( o, "\"" );
	bvexport_output_text( o, key );
	bvexport_output_text( o, "\":[" );
	for ( int i = 0; i < count; ++i )
	{
		bvexport_output_text( o, i ? "," : "" );
		bvexport_output_number( o, numbers[i] );
	}
	bvexport_output_text( o, "]" );
}

void bvgltf_put_vector( bvexport_output* o, const char* key, bv_vec3 v )
{
	put_numbers( o, key, ( const double[3] ){ v.x, v.y, v.z }, 3 );
}

static void put_number( bvexport_output* o, const char* key, double number )
{
	bvexport_output_text( o, "\"" );
	bvexport_output_text( o, key );
	bvexport_output_text( o, "\":" );
	bvexport_output_number( o, number );
}

// The quaternion x, y, z, w of the rotation that brings the coordinate axes to these; from the greatest of
// its parts, so that nothing cancels (Shepperd 1978, "Quaternion from rotation matrix").
static void find_rotation( const bv_vec3 axis[3], double q[4] )
{
	double x = axis[0].x;
	double y = axis[1].y;
	double z = axis[2].z;
	const double squares[4] = { 1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z };
	const double xy[2] = { axis[0].y + axis[1].x, axis[0].y - axis[1].x };
	const double zx[2] = { axis[0].z + axis[2].x, axis[2].x - axis[0].z };
	const double yz[2] = { axis[1].z + axis[2].y, axis[1].z - axis[2].y };
	const double rows[4][4] = {
		{ squares[0], xy[0], zx[0], yz[1] },
		{ xy[0], squares[1], yz[0], zx[1] },
		{ zx[0], yz[0], squares[2], xy[1] },
		{ yz[1], zx[1], xy[1], squares[3] },
	};
	int greatest = 0;
	for ( int i = 1; i < 4; ++i )
	{
		greatest = squares[i] > squares[greatest] ? i : greatest;
	}
	const double* row = rows[greatest];
	double length = sqrt( row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3] );
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = row[i] / length + 0.0;
	}
}

// Of y to a direction, the shortest. Ends of capsules and cylinders may change places, so that it is never
// half a turn.
static void find_rotation_of_y( bv_vec3 to, double q[4] )
{
	double length = sqrt( bv_dot( to, to ) );
	to = bv_scale( ( to.y < 0 ? -1 : 1 ) / length, to );
	double w = 1 + to.y;
	double norm = sqrt( to.z * to.z + to.x * to.x + w * w );
	q[0] = to.z / norm + 0.0;
	q[1] = 0;
	q[2] = -to.x / norm + 0.0;
	q[3] = w / norm;
}

static void put_segment_shape( bvexport_output* o, const char* type, const bv_vec3 ends[2], double radius )
{
	bv_vec3 d = bv_sub( ends[1], ends[0] );
	bvexport_output_text( o, type );
	put_number( o, "height", sqrt( bv_dot( d, d ) ) );
	bvexport_output_text( o, "," );
	put_number( o, "radiusBottom", radius );
	bvexport_output_text( o, "," );
	put_number( o, "radiusTop", radius );
}

static void put_shape( bvexport_output* o, const bv_primitive* p )
{
	switch ( p->kind )
	{
	case bv_primitive_box:
		bvexport_output_text( o, "{\"type\":\"box\",\"box\":{" );
		put_numbers( o, "size",
		             ( const double[3] ){ 2 * p->box.half_extents[0], 2 * p->box.half_extents[1],
		                                  2 * p->box.half_extents[2] },
		             3 );
		break;
	case bv_primitive_sphere:
		bvexport_output_text( o, "{\"type\":\"sphere\",\"sphere\":{" );
		put_number( o, "radius", p->sphere.radius );
		break;
	case bv_primitive_capsule:
		put_segment_shape( o, "{\"type\":\"capsule\",\"capsule\":{", p->capsule.ends, p->capsule.radius );
		break;
	default:
		put_segment_shape( o, "{\"type\":\"cylinder\",\"cylinder\":{", p->cylinder.ends, p->cylinder.radius );
		break;
	}
	bvexport_output_text( o, "}}" );
}

// Where a shape's origin is, and how it lies.
static void put_place( bvexport_output* o, const bv_primitive* p )
{
	double q[4] = { 0, 0, 0, 1 };
	bv_vec3 at = p->kind == bv_primitive_box ? p->box.center : p->sphere.center;
	if ( p->kind == bv_primitive_box )
	{
		find_rotation( p->box.axis, q );
	}
	else if ( p->kind != bv_primitive_sphere )
	{
		const bv_vec3* ends = p->kind == bv_primitive_capsule ? p->capsule.ends : p->cylinder.ends;
		at = bv_scale( 0.5, bv_add( ends[0], ends[1] ) );
		find_rotation_of_y( bv_sub( ends[1], ends[0] ), q );
	}
	bvgltf_put_vector( o, "translation", at );
	bvexport_output_text( o, "," );
	put_numbers( o, "rotation", q, 4 );
	bvexport_output_text( o, "," );
}

static bool has_shapes( const bvb_export* from )
{
	return from->body->colliders > 0 && from->objects[0].collider == bvb_collider_primitive;
}

void bvgltf_put_extensions( bvexport_output* o, const bvb_export* from )
{
	bvexport_output_text( o, ",\"extensionsUsed\":[" );
	bvexport_output_text( o, has_shapes( from ) ? "\"KHR_implicit_shapes\"," : "" );
	bvexport_output_text( o, "\"KHR_physics_rigid_bodies\"]" );
	if ( has_shapes( from ) )
	{
		bvexport_output_text( o, ",\"extensions\":{\"KHR_implicit_shapes\":{\"shapes\":[" );
		for ( uint32_t i = 0; i < from->body->colliders; ++i )
		{
			bvexport_output_text( o, i ? "," : "" );
			put_shape( o, from->objects[i].primitive );
		}
		bvexport_output_text( o, "]}}" );
	}
}

// What is no positive number would be an infinite one; engines find their own inertia where there is none.
static void put_motion( bvexport_output* o, const bv_mass* mass )
{
	double moments[3];
	bv_vec3 axis[3];
	double q[4];
	bvb_principal_axes( mass, moments, axis );
	bvexport_output_text( o, "\"motion\":{" );
	put_number( o, "mass", mass->mass );
	bvexport_output_text( o, "," );
	bvgltf_put_vector( o, "centerOfMass", mass->center_of_mass );
	if ( moments[0] > 0 && moments[1] > 0 && moments[2] > 0 )
	{
		find_rotation( axis, q );
		bvexport_output_text( o, "," );
		put_numbers( o, "inertiaDiagonal", moments, 3 );
		bvexport_output_text( o, "," );
		put_numbers( o, "inertiaOrientation", q, 4 );
	}
	bvexport_output_text( o, "}" );
}

static void put_count( bvexport_output* o, const char* key, uint32_t count )
{
	bvexport_output_text( o, key );
	bvexport_output_count( o, count );
}

static void put_collider( bvexport_output* o, const bvb_export_object* object, uint32_t shape, uint32_t mesh )
{
	bvexport_output_text( o, ",{\"name\":\"" );
	bvexport_output_text( o, object->name );
	bvexport_output_text( o, "\"," );
	if ( object->primitive )
	{
		put_place( o, object->primitive );
	}
	bvexport_output_text( o, "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{" );
	if ( object->primitive )
	{
		put_count( o, "\"shape\":", shape );
	}
	else
	{
		put_count( o, "\"mesh\":", mesh );
		bvexport_output_text( o, object->collider == bvb_collider_convex ? ",\"convexHull\":true" : "" );
	}
	bvexport_output_text( o, "}}}}}" );
}

void bvgltf_put_body( bvexport_output* o, const bvb_export* from, const uint32_t* mesh )
{
	const bvb_export_body* body = from->body;
	uint32_t last = from->object_count - 1;
	bvexport_output_text( o, "{\"name\":\"body\"" );
	if ( !bvmath_is_zero( from->offset ) )
	{
		bvexport_output_text( o, "," );
		bvgltf_put_vector( o, "translation", from->offset );
	}
	if ( last >= body->colliders || from->objects[last].collider == bvb_collider_mesh )
	{
		put_count( o, ",\"mesh\":", mesh[last] );
	}
	bvexport_output_text( o, ",\"children\":[" );
	for ( uint32_t i = 0; i < body->colliders; ++i )
	{
		put_count( o, i ? "," : "", i + 1 );
	}
	bvexport_output_text( o, "]" );
	if ( body->has_mass )
	{
		bvexport_output_text( o, ",\"extensions\":{\"KHR_physics_rigid_bodies\":{" );
		put_motion( o, &body->mass );
		bvexport_output_text( o, "}}" );
	}
	bvexport_output_text( o, "}" );
	for ( uint32_t i = 0; i < body->colliders; ++i )
	{
		put_collider( o, from->objects + i, i, mesh[i] );
	}
}
