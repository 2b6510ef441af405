// URDF, written: wiki.ros.org/urdf/XML, elements `link`, `inertial`, `collision`, `visual` and `geometry`.
// See write.h.
//
// Angles of a frame are turns about the fixed axes x, y and z in this order (roll, pitch, yaw); cylinders lie
// along z.

#include "formats/urdf/write.h"

#include "formats/obj/write.h"
#include "offline/base/error.h"
#include "offline/export/output.h"
#include "runtime/file/utf8.h"
#include "runtime/math/angle.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The path of a robot, taken apart.
typedef struct names
{
	const char* path;
	size_t folder; // how long what is before its name is
	size_t stem;   // how long it is without the extension, folder included
} names;

static names take_apart( const char* path )
{
	const char* slash = strrchr( path, '/' );
	size_t folder = slash ? (size_t)( slash + 1 - path ) : 0;
	return ( names ){ path, folder, (size_t)( strrchr( path, '.' ) - path ) };
}

static bool is_text( const char* text, size_t length )
{
	for ( size_t i = 0; i < length; )
	{
		size_t character = bvfile_utf8_character( text + i, length - i );
		if ( character == 0 || bvfile_utf8_is_control( text + i ) )
		{
			return false;
		}
		i += character;
	}
	return true;
}

static void put_escaped( bvexport_output* o, const char* text, size_t length )
{
	for ( size_t i = 0; i < length; ++i )
	{
		switch ( text[i] )
		{
		case '&': bvexport_output_text( o, "&amp;" ); break;
		case '<': bvexport_output_text( o, "&lt;" ); break;
		case '>': bvexport_output_text( o, "&gt;" ); break;
		case '"': bvexport_output_text( o, "&quot;" ); break;
		default: bvexport_output_bytes( o, text + i, 1 ); break;
		}
	}
}

static void put_number( bvexport_output* o, const char* name, double value )
{
	bvexport_output_text( o, " " );
	bvexport_output_text( o, name );
	bvexport_output_text( o, "=\"" );
	bvexport_output_number( o, value );
	bvexport_output_text( o, "\"" );
}

static void put_three( bvexport_output* o, const char* name, bv_vec3 v )
{
	const double at[3] = { v.x, v.y, v.z };
	bvexport_output_text( o, " " );
	bvexport_output_text( o, name );
	bvexport_output_text( o, "=\"" );
	for ( int k = 0; k < 3; ++k )
	{
		bvexport_output_text( o, k ? " " : "" );
		bvexport_output_number( o, at[k] + 0.0 );
	}
	bvexport_output_text( o, "\"" );
}

// @param angles  roll, pitch and yaw
static void put_origin( bvexport_output* o, bv_vec3 at, bv_vec3 angles )
{
	bvexport_output_text( o, "      <origin" );
	put_three( o, "xyz", at );
	put_three( o, "rpy", angles );
	bvexport_output_text( o, "/>\n" );
}

// Of the rotation that brings the coordinate axes to these. Near straight up yaw and roll are turns about one
// axis, and there is no roll: what that is off by is no more than what rounding does to the others.
static bv_vec3 angles_of( const bv_vec3 axis[3] )
{
	double level = sqrt( axis[0].x * axis[0].x + axis[0].y * axis[0].y );
	double pitch = bvmath_atan2( -axis[0].z, level );
	if ( level < 0x1p-24 )
	{
		return ( bv_vec3 ){ 0, pitch, bvmath_atan2( -axis[1].x, axis[1].y ) };
	}
	return ( bv_vec3 ){ bvmath_atan2( axis[1].z, axis[2].z ), pitch, bvmath_atan2( axis[0].y, axis[0].x ) };
}

// Of one that brings z to a direction, which need not be of unit length: without a roll the third axis of
// roll, pitch and yaw is (cos yaw sin pitch, sin yaw sin pitch, cos pitch).
static bv_vec3 angles_of_z( bv_vec3 to )
{
	double level = sqrt( to.x * to.x + to.y * to.y );
	return ( bv_vec3 ){ 0, bvmath_atan2( level, to.z ), level > 0 ? bvmath_atan2( to.y, to.x ) : 0 };
}

static void begin_collision( bvexport_output* o, const char* name, const char* end )
{
	bvexport_output_text( o, "    <collision name=\"" );
	bvexport_output_text( o, name );
	bvexport_output_text( o, end );
	bvexport_output_text( o, "\">\n" );
}

static void begin_shape( bvexport_output* o, const char* name, const char* end, bv_vec3 at, bv_vec3 angles )
{
	begin_collision( o, name, end );
	put_origin( o, at, angles );
	bvexport_output_text( o, "      <geometry>" );
}

static void end_shape( bvexport_output* o )
{
	bvexport_output_text( o, "/></geometry>\n    </collision>\n" );
}

static void put_sphere( bvexport_output* o, const char* name, const char* end, bv_vec3 center, double radius )
{
	begin_shape( o, name, end, center, ( bv_vec3 ){ 0, 0, 0 } );
	bvexport_output_text( o, "<sphere" );
	put_number( o, "radius", radius );
	end_shape( o );
}

static void put_cylinder( bvexport_output* o, const char* name, const bv_vec3 ends[2], double radius,
                          bv_vec3 offset )
{
	bv_vec3 d = bv_sub( ends[1], ends[0] );
	bv_vec3 middle = bv_scale( 0.5, bv_add( ends[0], ends[1] ) );
	begin_shape( o, name, "", bv_add( middle, offset ), angles_of_z( d ) );
	bvexport_output_text( o, "<cylinder" );
	put_number( o, "radius", radius );
	put_number( o, "length", sqrt( bv_dot( d, d ) ) );
	end_shape( o );
}

// @param offset  of the file, in which the primitive is
static void put_primitive( bvexport_output* o, const char* name, const bv_primitive* p, bv_vec3 offset )
{
	const double* h = p->box.half_extents;
	switch ( p->kind )
	{
	case bv_primitive_box:
		begin_shape( o, name, "", bv_add( p->box.center, offset ), angles_of( p->box.axis ) );
		bvexport_output_text( o, "<box" );
		put_three( o, "size", ( bv_vec3 ){ 2 * h[0], 2 * h[1], 2 * h[2] } );
		end_shape( o );
		break;
	case bv_primitive_sphere:
		put_sphere( o, name, "", bv_add( p->sphere.center, offset ), p->sphere.radius );
		break;
	case bv_primitive_capsule:
		put_cylinder( o, name, p->capsule.ends, p->capsule.radius, offset );
		put_sphere( o, name, "_bottom", bv_add( p->capsule.ends[0], offset ), p->capsule.radius );
		put_sphere( o, name, "_top", bv_add( p->capsule.ends[1], offset ), p->capsule.radius );
		break;
	default: put_cylinder( o, name, p->cylinder.ends, p->cylinder.radius, offset ); break;
	}
}

// Files of meshes have positions without the offset: those who read them may have binary32 only.
static void put_mesh( bvexport_output* o, const bvb_export* from, const char* file )
{
	if ( !bvmath_is_zero( from->offset ) )
	{
		put_origin( o, from->offset, ( bv_vec3 ){ 0, 0, 0 } );
	}
	bvexport_output_text( o, "      <geometry><mesh filename=\"" );
	put_escaped( o, file, strlen( file ) );
	bvexport_output_text( o, "\"/></geometry>\n" );
}

static void put_inertial( bvexport_output* o, const bv_mass* mass, bv_vec3 offset )
{
	const double( *inertia )[3] = mass->inertia;
	bvexport_output_text( o, "    <inertial>\n" );
	put_origin( o, bv_add( mass->center_of_mass, offset ), ( bv_vec3 ){ 0, 0, 0 } );
	bvexport_output_text( o, "      <mass" );
	put_number( o, "value", mass->mass );
	bvexport_output_text( o, "/>\n      <inertia" );
	put_number( o, "ixx", inertia[0][0] );
	put_number( o, "ixy", inertia[0][1] );
	put_number( o, "ixz", inertia[0][2] );
	put_number( o, "iyy", inertia[1][1] );
	put_number( o, "iyz", inertia[1][2] );
	put_number( o, "izz", inertia[2][2] );
	bvexport_output_text( o, "/>\n    </inertial>\n" );
}

// @param meshes  of each object, the path of its file; null of primitives
static void put_robot( bvexport_output* o, const bvb_export* from, const names* n, const char* const* meshes )
{
	bvexport_output_text( o, "<?xml version=\"1.0\"?>\n<!-- bvbuild " BV_VERSION " -->\n<robot name=\"" );
	put_escaped( o, n->path + n->folder, n->stem - n->folder );
	bvexport_output_text( o, "\">\n  <link name=\"body\">\n" );
	if ( from->body->has_mass )
	{
		put_inertial( o, &from->body->mass, from->offset );
	}
	for ( uint32_t i = 0; i < from->object_count; ++i )
	{
		const bvb_export_object* object = from->objects + i;
		if ( object->collider == bvb_collider_none )
		{
			bvexport_output_text( o, "    <visual name=\"" );
			bvexport_output_text( o, object->name );
			bvexport_output_text( o, "\">\n" );
			put_mesh( o, from, meshes[i] + n->folder );
			bvexport_output_text( o, "    </visual>\n" );
		}
		else if ( object->collider == bvb_collider_primitive )
		{
			put_primitive( o, object->name, object->primitive, from->offset );
		}
		else
		{
			begin_collision( o, object->name, "" );
			put_mesh( o, from, meshes[i] + n->folder );
			bvexport_output_text( o, "    </collision>\n" );
		}
	}
	bvexport_output_text( o, "  </link>\n</robot>\n" );
}

// An OBJ file for each object that is not one of URDF's own.
static bv_status write_meshes( const bvb_export* from, const names* n, bvb_arena* arena,
                               bvb_export_files* out, const char** meshes, bvb_error* error )
{
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < from->object_count && status == bv_ok; ++i )
	{
		const bvb_export_object* object = from->objects + i;
		if ( object->collider == bvb_collider_primitive )
		{
			continue;
		}
		size_t room = n->stem + strlen( object->name ) + sizeof "_.obj";
		char* path = bvb_arena_allocate( arena, room, 1 );
		if ( !path )
		{
			return bvbase_fail_memory( error );
		}
		snprintf( path, room, "%.*s_%s.obj", (int)n->stem, n->path, object->name );
		bvb_file_bytes* file = out->files + out->count++;
		const bvb_export one = { .objects = from->objects + i, .object_count = 1 };
		file->path = meshes[i] = path;
		status = bvobj_write_obj( &one, arena, &file->data, &file->size, error );
	}
	return status;
}

bv_status bvurdf_write_urdf( const bvb_export* from, const char* path, bvb_arena* arena,
                             bvb_export_files* out, bvb_error* error )
{
	names n = take_apart( path );
	if ( !from->body )
	{
		return bvbase_fail( error, bv_error_argument, "%s: URDF can store bodies only (--export body,PATH)",
		                    path );
	}
	if ( !is_text( path + n.folder, strlen( path + n.folder ) ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "%s: the file name has characters that XML cannot represent", path );
	}
	const char** meshes = bvb_arena_allocate( arena, from->object_count, sizeof *meshes );
	*out =
		( bvb_export_files ){ bvb_arena_allocate( arena, from->object_count + (size_t)1, sizeof *out->files ),
		                      1 };
	if ( !meshes || !out->files )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = write_meshes( from, &n, arena, out, meshes, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bvexport_output o = { 0 };
	put_robot( &o, from, &n, meshes );
	out->files->path = path;
	return bvexport_output_finish( &o, arena, &out->files->data, &out->files->size, error );
}
