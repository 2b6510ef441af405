// Poses and motions from a file. See poses.h.
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

// A pose of a row, for messages.
typedef struct pose_role
{
	const char* what; // as in "the pose is not rigid"
	const char* of;   // behind the name of a part of it
} pose_role;

static const pose_role only_role = { "pose", "" };

enum
{
	role_start,
	role_end,
	role_a_start, // of FILE
	role_a_end,
	roles,
};

static const pose_role motion_roles[roles] = {
	[role_start] = { "start pose", " of the start pose" },
	[role_end] = { "end pose", " of the end pose" },
	[role_a_start] = { "start pose of FILE", " of the start pose of FILE" },
	[role_a_end] = { "end pose of FILE", " of the end pose of FILE" },
};

static const char* const prefixes[roles] = {
	[role_start] = "start_",
	[role_end] = "end_",
	[role_a_start] = "a_start_",
	[role_a_end] = "a_end_",
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
static const char labels[] =
	"name|label|id|index|i|n|pose|motion|frame|frame_id|seq|time|timestamp|stamp|t|sec|nsec|secs|nsecs";

static const table_form pose_form = {
	.columns = names,
	.count = columns,
	.orders = orders,
	.order_count = sizeof orders / sizeof *orders,
	.labels = labels,
	.what = "poses",
};

static const table_form motion_form = {
	.columns = names,
	.count = columns,
	.labels = labels,
	.what = "motions",
	.groups = prefixes,
	.group_count = roles,
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

// @param first  of the columns of the pose
static bv_status check_columns( const char* path, const table_form* form, const table* t, int first,
                                const pose_role* role, bvb_error* error )
{
	bool turned = has_some( t, first + rotation, 9 );
	bool by_quaternion = has_some( t, first + quaternion, 4 );
	bv_status status = bv_ok;
	if ( turned && by_quaternion )
	{
		return bvbase_fail( error, bv_error_input, "%s:%u: columns of a quaternion and of a matrix%s", path,
		                    t->head, role->of );
	}
	if ( !turned && !by_quaternion && t->unused )
	{
		const char* p = form->groups ? form->groups[first / columns] : "";
		return bvbase_fail(
			error, bv_error_input,
			"%s:%u: column '%.40s' is not known; a rotation is %sqx, %sqy, %sqz, %sqw or %sr00 "
			"... %sr22",
			path, t->head, t->unused, p, p, p, p, p, p );
	}
	status = turned ? require_columns( path, form, t, first + rotation, 9, error ) : status;
	status = status == bv_ok && by_quaternion ? require_columns( path, form, t, first + quaternion, 4, error )
	                                          : status;
	status = status == bv_ok ? require_columns( path, form, t, first + translation, 3, error ) : status;
	return status == bv_ok && has_some( t, first + bottom, 4 )
	           ? require_columns( path, form, t, first + bottom, 4, error )
	           : status;
}

// @param value  the columns of the pose in a row
// @param field  where they are in a row, or -1
static bv_status make_pose( const char* path, uint32_t line, const double* value, const int* field,
                            const pose_role* role, bv_pose* out, bvb_error* error )
{
	const double* move = value + translation;
	*out = bv_pose_identity();
	out->translation = ( bv_vec3 ){ move[0], move[1], move[2] };
	if ( !( fmax( fmax( fabs( move[0] ), fabs( move[1] ) ), fabs( move[2] ) ) <= BV_MAX_LENGTH ) )
	{
		return bvbase_fail( error, bv_error_input, "%s:%u: the translation of the %s exceeds 1.6e60", path,
		                    line, role->what );
	}
	if ( field[bottom] >= 0 )
	{
		const double* last = value + bottom;
		if ( last[0] != 0 || last[1] != 0 || last[2] != 0 || last[3] != 1 )
		{
			return bvbase_fail( error, bv_error_input,
			                    "%s:%u: the last row of the matrix%s is %.6g %.6g %.6g %.6g and not 0 0 0 1 "
			                    "(matrices are row by row)",
			                    path, line, role->of, last[0], last[1], last[2], last[3] );
		}
	}
	if ( field[quaternion] >= 0 )
	{
		const double* q = value + quaternion;
		bv_transform placed;
		if ( bv_transform_from_quaternion( ( bv_quaternion ){ q[0], q[1], q[2], q[3] }, out->translation,
		                                   &placed ) != bv_ok )
		{
			return bvbase_fail(
				error, bv_error_input,
				"%s:%u: the quaternion%s has the length %.6g; within 1 %% of 1 it is normalized", path, line,
				role->of, hypot( hypot( q[0], q[1] ), hypot( q[2], q[3] ) ) );
		}
		*out = placed.pose;
	}
	else if ( field[rotation] >= 0 )
	{
		memcpy( out->rotation, value + rotation, sizeof out->rotation );
		if ( !bv_pose_is_rigid( out ) )
		{
			return bvbase_fail( error, bv_error_input, "%s:%u: the %s is not rigid", path, line, role->what );
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
	bv_status status = read_table( path, &pose_form, arena, &read, error );
	status = status == bv_ok ? check_columns( path, &pose_form, &read, 0, &only_role, error ) : status;
	*count = status == bv_ok ? read.rows : 0;
	*poses = status == bv_ok ? bvb_arena_allocate( arena, read.rows, sizeof **poses ) : NULL;
	if ( status == bv_ok && !*poses )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < *count && status == bv_ok; ++i )
	{
		status = make_pose( path, read.lines[i], read.values + (size_t)columns * i, read.field, &only_role,
		                    *poses + i, error );
	}
	if ( status == bv_ok && !quiet )
	{
		print_notes( path, &read );
	}
	return status;
}

// Either all poses of FILE or none.
static bv_status check_motion_columns( const char* path, const table* t, int* used, bvb_error* error )
{
	bool both = has_some( t, columns * role_a_start, 2 * columns );
	bv_status status = bv_ok;
	*used = both ? roles : role_a_start;
	for ( int i = 0; i < *used && status == bv_ok; ++i )
	{
		status = check_columns( path, &motion_form, t, columns * i, motion_roles + i, error );
	}
	return status;
}

// @param used  the number of poses in a row
static bv_status make_motion( const char* path, const table* t, uint32_t row, int used, pose_motion* out,
                              bvb_error* error )
{
	const double* value = t->values + (size_t)columns * roles * row;
	bv_pose pose[roles];
	bv_status status = bv_ok;
	pose[role_a_start] = pose[role_a_end] = bv_pose_identity();
	for ( int i = 0; i < used && status == bv_ok; ++i )
	{
		status = make_pose( path, t->lines[row], value + columns * i, t->field + columns * i,
		                    motion_roles + i, pose + i, error );
	}
	if ( status == bv_ok )
	{
		out->line = t->lines[row];
		out->start[0] = pose[role_a_start];
		out->start[1] = pose[role_start];
		out->end[0] = pose[role_a_end];
		out->end[1] = pose[role_end];
	}
	return status;
}

bv_status read_motions( const char* path, bool quiet, bvb_arena* arena, pose_motion** motions,
                        uint32_t* count, bvb_error* error )
{
	table read;
	int used = 0;
	bv_status status = read_table( path, &motion_form, arena, &read, error );
	status = status == bv_ok ? check_motion_columns( path, &read, &used, error ) : status;
	*count = status == bv_ok ? read.rows : 0;
	*motions = status == bv_ok ? bvb_arena_allocate( arena, read.rows, sizeof **motions ) : NULL;
	if ( status == bv_ok && !*motions )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < *count && status == bv_ok; ++i )
	{
		status = make_motion( path, &read, i, used, *motions + i, error );
	}
	if ( status == bv_ok && !quiet )
	{
		print_notes( path, &read );
	}
	return status;
}
