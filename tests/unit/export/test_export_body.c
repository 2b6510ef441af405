// Exported bodies: what collides, by what a file has, and where shapes lie, by the definitions of URDF's angles and of quaternions.

#include "support.h"

#include "runtime/math/vec.h"

#include <stdio.h>

static bvb_export gather( fixture* f, const bv_file* file, const char* what )
{
	bvb_export out;
	bvb_error error = { "" };
	bv_status status = bvb_export_gather( file, what, f->arena, &out, &error );
	assert_string_equal( error.message, "" );
	assert_int_equal( status, bv_ok );
	return out;
}

static void refuse( fixture* f, const bv_file* file, const char* what, bv_status expected,
                    const char* message )
{
	bvb_export out;
	bvb_error error = { "" };
	assert_int_equal( bvb_export_gather( file, what, f->arena, &out, &error ), expected );
	assert_string_equal( error.message, message );
	assert_int_equal( out.object_count, 0 );
}

// Of the tetrahedra between the triangles and the first vertex, so that no digits are lost far from the origin.
static double volume_of( const bvb_mesh* mesh )
{
	double volume = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double c[3][3];
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[i].corner[k]];
			c[k][0] = p.x - mesh->positions[0].x;
			c[k][1] = p.y - mesh->positions[0].y;
			c[k][2] = p.z - mesh->positions[0].z;
		}
		volume += c[0][0] * ( c[1][1] * c[2][2] - c[1][2] * c[2][1] ) +
		          c[0][1] * ( c[1][2] * c[2][0] - c[1][0] * c[2][2] ) +
		          c[0][2] * ( c[1][0] * c[2][1] - c[1][1] * c[2][0] );
	}
	return volume / 6;
}

// A box that is recognized, in parts, with a mass: what it collides as follows from what is asked for, and from what there is.
static void a_body_collides_as_the_first_that_there_is( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.recognize = ( bvb_tolerance ){ .value = 0.0625 };
	options.sections |= 1u << bvb_section_parts;
	options.mass = 12;
	static const struct
	{
		const char* what;
		bool recognized;
		bvb_sections without;
		bvb_collider collider;
		const char* name;
		uint32_t objects;
	} cases[] = {
		{ "body", true, 0, bvb_collider_primitive, "box", 2 },
		{ "body", false, 0, bvb_collider_convex, "part_0", 2 },
		{ "body", false, 1u << bvb_section_parts, bvb_collider_convex, "hull", 2 },
		{ "body", false, 1u << bvb_section_parts | 1u << bvb_section_hull, bvb_collider_mesh, "mesh", 1 },
		{ "body", true, 1u << bvb_section_mesh | 1u << bvb_section_tree, bvb_collider_primitive, "box", 1 },
		{ "body=parts", true, 0, bvb_collider_convex, "part_0", 2 },
		{ "body=hull", true, 0, bvb_collider_convex, "hull", 2 },
		{ "body=mesh", true, 0, bvb_collider_mesh, "mesh", 1 },
		{ "body=primitive", true, 0, bvb_collider_primitive, "box", 2 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		bvb_asset_options own = options;
		own.recognize.value = cases[i].recognized ? own.recognize.value : 0;
		own.sections = options.sections & ~cases[i].without & ~( 1u << bvb_section_errors );
		bvb_export out = gather( f, build_file( f, &mesh, &own ), cases[i].what );
		assert_int_equal( out.object_count, cases[i].objects );
		assert_int_equal( out.body->colliders, 1 );
		assert_int_equal( out.objects->collider, cases[i].collider );
		assert_string_equal( out.objects->name, cases[i].name );
		assert_int_equal( out.objects->primitive != NULL, cases[i].collider == bvb_collider_primitive );
		assert_true( fabs( volume_of( &out.objects->mesh ) - 6 ) < 1e-5 );
		assert_true( out.body->has_mass && out.body->mass.mass == 12 );

		// Formats that know no bodies get what collides; URDF gets a file for each mesh.
		bvb_export_files files;
		bvb_error error;
		assert_int_equal( bvb_export_encode( &out, "a.b/x.obj", f->arena, &files, &error ), bv_ok );
		const char* other = cases[i].objects == 2 ? "o mesh\n" : "o part";
		assert_null( memmem( files.files->data, files.files->size, other, strlen( other ) ) );
		assert_int_equal( bvb_export_encode( &out, "a.b/x.urdf", f->arena, &files, &error ), bv_ok );
		assert_int_equal( files.count,
		                  1 + cases[i].objects - ( cases[i].collider == bvb_collider_primitive ) );
		assert_string_equal( files.files->path, "a.b/x.urdf" );
		char path[64];
		snprintf( path, sizeof path, "a.b/x_%s.obj",
		          cases[i].collider == bvb_collider_primitive ? "mesh" : cases[i].name );
		assert_true( files.count == 1 || strcmp( files.files[1].path, path ) == 0 );
	}
}

// Of no thickness: a sheet is a box of the mesh's extents to the recognizer, but no shape that engines take.
static void what_is_flat_is_no_primitive( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 3, 0 }, { 0, 3, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 2, 1, 0 }, { 3, 2, 0 } };
	bvb_mesh mesh = mesh_of( f, p, 4, t, 4 );
	bvb_asset_options options = plain_options();
	options.recognize = ( bvb_tolerance ){ .value = 0.0625 };
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_export out = gather( f, file, "body" );
	bv_recognized recognized;
	assert_true( bv_file_get_recognized( file, &recognized ) );
	bv_primitive box;
	assert_true( bv_file_get_primitive( file, bv_primitive_box, &box ) );
	bool thick = (float)box.box.half_extents[2] > 0;
	assert_int_equal( out.objects->collider, recognized.best == bv_primitive_box && thick
	                                             ? bvb_collider_primitive
	                                             : bvb_collider_convex );
	assert_false( out.body->has_mass );
}

// The columns of the rotation that turns about x, then y, then z, by URDF's definition; and of a quaternion x, y, z, w.
static void columns_of_angles( const double a[3], double out[3][3] )
{
	double c[3], s[3];
	for ( int i = 0; i < 3; ++i )
	{
		c[i] = cos( a[i] );
		s[i] = sin( a[i] );
	}
	const double columns[3][3] = {
		{ c[2] * c[1], s[2] * c[1], -s[1] },
		{ c[2] * s[1] * s[0] - s[2] * c[0], s[2] * s[1] * s[0] + c[2] * c[0], c[1] * s[0] },
		{ c[2] * s[1] * c[0] + s[2] * s[0], s[2] * s[1] * c[0] - c[2] * s[0], c[1] * c[0] },
	};
	memcpy( out, columns, sizeof columns );
}

static void columns_of_quaternion( const double q[4], double out[3][3] )
{
	double x = q[0], y = q[1], z = q[2], w = q[3];
	assert_true( fabs( x * x + y * y + z * z + w * w - 1 ) < 1e-14 );
	const double columns[3][3] = {
		{ 1 - 2 * ( y * y + z * z ), 2 * ( x * y + z * w ), 2 * ( x * z - y * w ) },
		{ 2 * ( x * y - z * w ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z + x * w ) },
		{ 2 * ( x * z + y * w ), 2 * ( y * z - x * w ), 1 - 2 * ( x * x + y * y ) },
	};
	memcpy( out, columns, sizeof columns );
}

// Reads the numbers behind a key.
static void find_numbers( const bvb_export_files* files, const char* key, int count, double* out )
{
	const char* end = (const char*)files->files->data + files->files->size;
	const char* at = memmem( files->files->data, files->files->size, key, strlen( key ) );
	assert_non_null( at );
	at += strlen( key );
	for ( int i = 0; i < count; ++i )
	{
		char text[40] = { 0 };
		size_t length = strcspn( at, ", \"]" );
		assert_true( length < sizeof text && at + length < end );
		memcpy( text, at, length );
		out[i] = strtod( text, NULL );
		at += length + 1;
	}
}

// All frames of signed coordinate axes, right-handed, where angles of frames have their poles, and the same all but there.
static void frames_are_told_as_they_are( void** state )
{
	fixture* f = *state;
	int frames = 0;
	const double tilts[] = { 0, 1e-15, 1e-9, 5e-8, 1e-7, 1e-4, 0.5 };
	for ( int i = 0; i < 7 * 36; ++i )
	{
		int one = i % 3;
		int two = ( one + 1 + i / 3 % 2 ) % 3;
		double axis[3][3] = { { 0 } };
		axis[0][one] = i / 6 % 2 ? 1 : -1;
		axis[1][two] = i / 12 % 3 - 1;
		if ( axis[1][two] == 0 )
		{
			continue;
		}
		// Tilted from the first axis to the second.
		double tilt = tilts[i / 36];
		double first[3], second[3];
		for ( int k = 0; k < 3; ++k )
		{
			first[k] = cos( tilt ) * axis[0][k] + sin( tilt ) * axis[1][k];
			second[k] = cos( tilt ) * axis[1][k] - sin( tilt ) * axis[0][k];
		}
		bv_primitive p = { .kind = bv_primitive_box, .box.half_extents = { 1, 2, 3 } };
		p.box.axis[0] = ( bv_vec3 ){ first[0], first[1], first[2] };
		p.box.axis[1] = ( bv_vec3 ){ second[0], second[1], second[2] };
		p.box.axis[2] = bv_cross( p.box.axis[0], p.box.axis[1] );
		bvb_export_object box = { .name = "box", .collider = bvb_collider_primitive, .primitive = &p };
		const bvb_export_body body = { .colliders = 1 };
		const bvb_export out = { .objects = &box, .object_count = 1, .body = &body };
		for ( int urdf = 0; urdf < 2; ++urdf )
		{
			bvb_export_files files;
			bvb_error error;
			double numbers[4];
			double columns[3][3];
			assert_int_equal( bvb_export_encode( &out, urdf ? "x.urdf" : "x.glb", f->arena, &files, &error ),
			                  bv_ok );
			find_numbers( &files, urdf ? "rpy=\"" : "\"rotation\":[", urdf ? 3 : 4, numbers );
			if ( urdf )
			{
				columns_of_angles( numbers, columns );
			}
			else
			{
				columns_of_quaternion( numbers, columns );
			}
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 d =
					bv_sub( p.box.axis[k], ( bv_vec3 ){ columns[k][0], columns[k][1], columns[k][2] } );
				assert_true( bvmath_norm1( d ) < ( urdf ? 2e-7 : 1e-14 ) );
			}
		}
		++frames;
	}
	assert_int_equal( frames, 7 * 24 );
}

// A capsule and a cylinder along each axis, both ways: their ends are where the place and the length put them.
static void segments_lie_as_they_do( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 36; ++i )
	{
		const double tilt = i / 12 == 0 ? 0 : i / 12 == 1 ? 1e-9 : 0.75;
		double d[3] = { tilt / 2, -tilt / 3, tilt / 4 };
		d[i % 3] += i / 3 % 2 ? 4 : -4;
		const bv_vec3 ends[2] = { { 1, 2, 3 }, { 1 + d[0], 2 + d[1], 3 + d[2] } };
		bv_primitive p = { .kind = i / 6 % 2 ? bv_primitive_capsule : bv_primitive_cylinder };
		p.capsule = ( bv_capsule ){ .ends = { ends[0], ends[1] }, .radius = 0.5 };
		p.cylinder = ( bv_cylinder ){ .ends = { ends[0], ends[1] }, .radius = 0.5 };
		bvb_export_object object = { .name = "it", .collider = bvb_collider_primitive, .primitive = &p };
		const bvb_export_body body = { .colliders = 1 };
		const bvb_export out = { .objects = &object, .object_count = 1, .body = &body };
		for ( int urdf = 0; urdf < 2; ++urdf )
		{
			bvb_export_files files;
			bvb_error error;
			double numbers[4], at[3], length, columns[3][3];
			assert_int_equal( bvb_export_encode( &out, urdf ? "x.urdf" : "x.glb", f->arena, &files, &error ),
			                  bv_ok );
			find_numbers( &files, urdf ? "rpy=\"" : "\"rotation\":[", urdf ? 3 : 4, numbers );
			find_numbers( &files, urdf ? "xyz=\"" : "\"translation\":[", 3, at );
			find_numbers( &files, urdf ? "length=\"" : "\"height\":", 1, &length );
			if ( urdf )
			{
				columns_of_angles( numbers, columns );
			}
			else
			{
				columns_of_quaternion( numbers, columns );
			}
			const double* along = columns[urdf ? 2 : 1];
			double sign = along[i % 3] * d[i % 3] < 0 ? -1 : 1;
			for ( int k = 0; k < 2; ++k )
			{
				double half = ( k ? sign : -sign ) * length / 2;
				bv_vec3 end = { at[0] + half * along[0], at[1] + half * along[1], at[2] + half * along[2] };
				assert_true( bvmath_norm1( bv_sub( end, ends[k] ) ) < 1e-12 );
			}
		}
	}
}

static void a_robot_holds_bodies_only( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_export out = gather( f, file, "hull" );
	bvb_export_files files;
	bvb_error error;
	assert_int_equal( bvb_export_encode( &out, "x.urdf", f->arena, &files, &error ), bv_error_argument );
	assert_string_equal( error.message, "x.urdf: URDF can store bodies only (--export body,PATH)" );
	out = gather( f, file, "body" );
	static const char* const wrong[] = { "\xff.urdf", "a\nb.urdf", "\xc2\x80.urdf", "x/\x7f.urdf" };
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_int_equal( bvb_export_encode( &out, wrong[i], f->arena, &files, &error ), bv_error_argument );
	}
	assert_int_equal( bvb_export_encode( &out, "\xff/x.urdf", f->arena, &files, &error ), bv_ok );
	refuse( f, file, "body=parts", bv_error_input, "has no convex parts (bvbuild --decompose makes them)" );
	refuse( f, file, "body=box", bv_error_argument,
	        "body: 'box' is not one of primitive, parts, hull, mesh" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_body_collides_as_the_first_that_there_is ),
		fixture_test( what_is_flat_is_no_primitive ),
		fixture_test( frames_are_told_as_they_are ),
		fixture_test( segments_lie_as_they_do ),
		fixture_test( a_robot_holds_bodies_only ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
