// Poses from a file. See poses.h.
//
// The order of quaternions without a header is that of ROS and of the TUM RGB-D benchmark (Sturm et al. 2012),
// which also begins its rows with a time; 12 values are the upper rows of a matrix, as in the KITTI odometry
// benchmark (Geiger et al. 2012).

#include "cli/poses.h"

#include "cli/table.h"
#include "offline/base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	rotation = 0,    // nine columns, row by row
	translation = 9, // three
	quaternion = 12, // x, y, z, w
	bottom = 16,     // the last row of a matrix
	columns = 20,
};

static const char* const names[columns] = {
	"r00|m00",
	"r01|m01",
	"r02|m02",
	"r10|m10",
	"r11|m11",
	"r12|m12",
	"r20|m20",
	"r21|m21",
	"r22|m22",
	"tx|x|m03|position.x|translation.x",
	"ty|y|m13|position.y|translation.y",
	"tz|z|m23|position.z|translation.z",
	"qx|q_x|orientation.x|rotation.x|quaternion.x",
	"qy|q_y|orientation.y|rotation.y|quaternion.y",
	"qz|q_z|orientation.z|rotation.z|quaternion.z",
	"qw|q_w|orientation.w|rotation.w|quaternion.w",
	"m30",
	"m31",
	"m32",
	"m33",
};

static const table_order orders[] = {
	{ 3, { 9, 10, 11 } },
	{ 7, { 9, 10, 11, 12, 13, 14, 15 } },
	{ 8, { -1, 9, 10, 11, 12, 13, 14, 15 } },
	{ 12, { 0, 1, 2, 9, 3, 4, 5, 10, 6, 7, 8, 11 } },
	{ 16, { 0, 1, 2, 9, 3, 4, 5, 10, 6, 7, 8, 11, 16, 17, 18, 19 } },
};

// A file without a rotation has columns besides the translation only if they say which pose it is: another
// one may be a rotation in some other form.
static const table_form form = {
	.columns = names,
	.count = columns,
	.orders = orders,
	.order_count = sizeof orders / sizeof *orders,
	.labels = "name|label|id|index|i|n|pose|frame|frame_id|seq|time|timestamp|stamp|t|sec|nsec|secs|nsecs",
	.what = "poses",
};

// Whether the file has one of the columns of a range.
static bool has_some( const table* t, int first, int count )
{
	for ( int i = first; i < first + count; ++i )
	{
		if ( t->field[i] >= 0 )
		{
			return true;
		}
	}
	return false;
}

static bv_status check_columns( const char* path, const table* t, bvb_error* error )
{
	bool turned = has_some( t, rotation, 9 );
	bool by_quaternion = has_some( t, quaternion, 4 );
	bv_status status = bv_ok;
	if ( turned && by_quaternion )
	{
		return bvbase_fail( error, bv_error_input, "%s:%u: columns of a quaternion and of a matrix", path,
		                    t->head );
	}
	if ( !turned && !by_quaternion && t->unused )
	{
		return bvbase_fail( error, bv_error_input,
		                    "%s:%u: column '%.40s' is not known; a rotation is qx, qy, qz, qw or r00 ... r22",
		                    path, t->head, t->unused );
	}
	status = turned ? require_columns( path, &form, t, rotation, 9, error ) : status;
	status =
		status == bv_ok && by_quaternion ? require_columns( path, &form, t, quaternion, 4, error ) : status;
	status = status == bv_ok ? require_columns( path, &form, t, translation, 3, error ) : status;
	return status == bv_ok && has_some( t, bottom, 4 ) ? require_columns( path, &form, t, bottom, 4, error )
	                                                   : status;
}

static bv_status make_pose( const char* path, const table* t, uint32_t row, bv_pose* out, bvb_error* error )
{
	const double* value = t->values + (size_t)columns * row;
	const double* move = value + translation;
	uint32_t line = t->lines[row];
	*out = bv_pose_identity();
	out->translation = ( bv_vec3 ){ move[0], move[1], move[2] };
	if ( !( fmax( fmax( fabs( move[0] ), fabs( move[1] ) ), fabs( move[2] ) ) <= BV_MAX_LENGTH ) )
	{
		return bvbase_fail( error, bv_error_input, "%s:%u: the translation of the pose exceeds 1.6e60", path,
		                    line );
	}
	if ( t->field[bottom] >= 0 )
	{
		const double* last = value + bottom;
		if ( last[0] != 0 || last[1] != 0 || last[2] != 0 || last[3] != 1 )
		{
			return bvbase_fail( error, bv_error_input,
			                    "%s:%u: the last row of the matrix is %.6g %.6g %.6g %.6g and not 0 0 0 1 "
			                    "(matrices are row by row)",
			                    path, line, last[0], last[1], last[2], last[3] );
		}
	}
	if ( t->field[quaternion] >= 0 )
	{
		const double* q = value + quaternion;
		bv_transform placed;
		if ( bv_transform_from_quaternion( ( bv_quaternion ){ q[0], q[1], q[2], q[3] }, out->translation,
		                                   &placed ) != bv_ok )
		{
			return bvbase_fail(
				error, bv_error_input,
				"%s:%u: the quaternion has the length %.6g; within 1 %% of 1 it is normalized", path, line,
				hypot( hypot( q[0], q[1] ), hypot( q[2], q[3] ) ) );
		}
		*out = placed.pose;
	}
	else if ( t->field[rotation] >= 0 )
	{
		memcpy( out->rotation, value + rotation, sizeof out->rotation );
		if ( !bv_pose_is_rigid( out ) )
		{
			return bvbase_fail( error, bv_error_input, "%s:%u: the pose is not rigid", path, line );
		}
	}
	return bv_ok;
}

static void print_notes( const char* path, const table* t )
{
	if ( t->head == 0 && t->field[quaternion] >= 0 )
	{
		fprintf( stderr, "bvinspect: %s: without a header, rows of %d are read as %stx ty tz qx qy qz qw\n",
		         path, t->fields, t->field[translation] > 0 ? "time " : "" );
	}
	if ( t->unused )
	{
		fprintf( stderr, "bvinspect: %s: column '%.40s' is not used\n", path, t->unused );
	}
}

bv_status read_poses( const char* path, bool quiet, bvb_arena* arena, bv_pose** poses, uint32_t* count,
                      bvb_error* error )
{
	table read;
	bv_status status = read_table( path, &form, arena, &read, error );
	status = status == bv_ok ? check_columns( path, &read, error ) : status;
	*count = status == bv_ok ? read.rows : 0;
	*poses = status == bv_ok ? bvb_arena_allocate( arena, read.rows, sizeof **poses ) : NULL;
	if ( status == bv_ok && !*poses )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < *count && status == bv_ok; ++i )
	{
		status = make_pose( path, &read, i, *poses + i, error );
	}
	if ( status == bv_ok && !quiet )
	{
		print_notes( path, &read );
	}
	return status;
}
