// Poses and transforms; transforms from quaternions and matrices, and back. See bv/base.h.
//
// The orthonormal matrix nearest to a given one is its polar factor, by the iteration R <- R (3 - R^T R) / 2
// (Bjorck and Bowie 1971): from 1e-4 it converges quadratically. The quaternion of a matrix begins with its
// largest coordinate (Shepperd 1978).

#include "bv/base.h"
#include "runtime/math/matrix.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

static const double least_scale = 0x1p-100;
static const double largest_scale = 0x1p100;

bv_pose bv_pose_identity( void )
{
	return ( bv_pose ){ .rotation = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
}

bool bv_pose_is_rigid( const bv_pose* pose )
{
	const double( *r )[3] = pose->rotation;
	return bvmath_is_frame( ( bv_vec3 ){ r[0][0], r[0][1], r[0][2] },
	                        ( bv_vec3 ){ r[1][0], r[1][1], r[1][2] },
	                        ( bv_vec3 ){ r[2][0], r[2][1], r[2][2] } ) &&
	       isfinite( bvmath_norm1( pose->translation ) );
}

bv_transform bv_transform_identity( void )
{
	return ( bv_transform ){ .pose = bv_pose_identity(), .scale = 1 };
}

bv_transform bv_transform_of_pose( const bv_pose* pose )
{
	return ( bv_transform ){ .pose = *pose, .scale = 1 };
}

bool bv_transform_is_valid( const bv_transform* t )
{
	return bv_pose_is_rigid( &t->pose ) && t->scale >= 1 / largest_scale && t->scale <= largest_scale;
}

bv_vec3 bv_transform_point( const bv_transform* t, bv_vec3 p )
{
	bv_vec3 scaled = bv_scale( t->scale, p );
	scaled.x = t->mirror ? -scaled.x : scaled.x;
	return bv_add( bvmath_rotate( &t->pose, scaled ), t->pose.translation );
}

// The inverse by cofactors: the rotation is within 1e-4 of an orthonormal one, so that nothing cancels.
bvmath_matrix bvmath_inverse_of( const bv_pose* pose )
{
	bv_vec3 row[3];
	for ( int i = 0; i < 3; ++i )
	{
		row[i] = ( bv_vec3 ){ pose->rotation[i][0], pose->rotation[i][1], pose->rotation[i][2] };
	}
	bv_vec3 x = bv_cross( row[1], row[2] );
	bv_vec3 y = bv_cross( row[2], row[0] );
	bv_vec3 z = bv_cross( row[0], row[1] );
	double d = bv_dot( row[0], x );
	return ( bvmath_matrix ){
		{ { x.x / d, y.x / d, z.x / d }, { x.y / d, y.y / d, z.y / d }, { x.z / d, y.z / d, z.z / d } }
	};
}

// With a reflection m of its own a turns the rotation round: m X = (m X m) m.
bv_transform bv_transform_between( const bv_transform* a, const bv_transform* b )
{
	bvmath_matrix back = bvmath_inverse_of( &a->pose );
	bv_vec3 apart = bv_sub( b->pose.translation, a->pose.translation );
	bv_transform out = { .scale = b->scale / a->scale, .mirror = a->mirror != b->mirror };
	out.pose.translation = bv_scale( 1 / a->scale, bvmath_times( &back, apart ) );
	out.pose.translation.x = a->mirror ? -out.pose.translation.x : out.pose.translation.x;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			const double( *r )[3] = b->pose.rotation;
			double sum = bv_dot( back.row[i], ( bv_vec3 ){ r[0][j], r[1][j], r[2][j] } );
			out.pose.rotation[i][j] = a->mirror && ( i == 0 ) != ( j == 0 ) ? -sum : sum;
		}
	}
	return out;
}

bv_transform bv_transform_translation( double x, double y, double z )
{
	bv_transform out = bv_transform_identity();
	out.pose.translation = bv_vec3_make( x, y, z );
	return out;
}

bv_status bv_transform_from_trs( bv_vec3 translation, bv_quaternion q, double scale, bv_transform* out )
{
	double square = ( q.x * q.x + q.y * q.y ) + ( q.z * q.z + q.w * q.w );
	double size = fabs( scale );
	if ( !out || !bv_quaternion_is_valid( q ) || !( size >= least_scale ) || !( size <= largest_scale ) ||
	     !isfinite( bvmath_norm1( translation ) ) )
	{
		return bv_error_argument;
	}
	// The reflection in the origin is one in the plane x = 0 and half a turn about x.
	double turn = scale < 0 ? -1 : 1;
	double s = 2 / square;
	*out = ( bv_transform ){
		.pose = { .rotation = { { 1 - s * ( q.y * q.y + q.z * q.z ), turn * ( s * ( q.x * q.y - q.z * q.w ) ),
		                          turn * ( s * ( q.x * q.z + q.y * q.w ) ) },
		                        { s * ( q.x * q.y + q.z * q.w ), turn * ( 1 - s * ( q.x * q.x + q.z * q.z ) ),
		                          turn * ( s * ( q.y * q.z - q.x * q.w ) ) },
		                        { s * ( q.x * q.z - q.y * q.w ), turn * ( s * ( q.y * q.z + q.x * q.w ) ),
		                          turn * ( 1 - s * ( q.x * q.x + q.y * q.y ) ) } },
		          .translation = translation },
		.scale = size,
		.mirror = scale < 0,
	};
	return bv_ok;
}

bv_status bv_transform_from_trsf( const float translation[3], const float q[4], float scale,
                                  bv_transform* out )
{
	return translation && q
	           ? bv_transform_from_trs( bv_vec3_make( translation[0], translation[1], translation[2] ),
	                                    ( bv_quaternion ){ q[0], q[1], q[2], q[3] }, scale, out )
	           : bv_error_argument;
}

bv_status bv_transform_from_quaternion( bv_quaternion rotation, bv_vec3 translation, bv_transform* out )
{
	return bv_transform_from_trs( translation, rotation, 1, out );
}

bv_status bv_transform_from_quaternionf( const float rotation[4], const float translation[3],
                                         bv_transform* out )
{
	return bv_transform_from_trsf( translation, rotation, 1, out );
}

// @return the largest difference of axis^T axis from the identity
static double products_of( const bv_vec3 axis[3], double product[3][3] )
{
	double most = 0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			product[i][j] = bv_dot( axis[i], axis[j] ) - ( i == j );
			most = bvmath_max( most, fabs( product[i][j] ) );
		}
	}
	return most;
}

// @param axis  columns, orthonormal to 1e-4 or so
static void orthonormalize( bv_vec3 axis[3] )
{
	enum
	{
		most_steps = 5, // three are enough; those that follow change nothing but roundings
	};
	double product[3][3];
	for ( int step = 0; step < most_steps && products_of( axis, product ) > 0x1p-50; ++step )
	{
		bv_vec3 next[3];
		for ( int i = 0; i < 3; ++i )
		{
			bv_vec3 over = bv_scale( product[0][i], axis[0] );
			over = bv_add( over, bv_scale( product[1][i], axis[1] ) );
			over = bv_add( over, bv_scale( product[2][i], axis[2] ) );
			next[i] = bv_sub( axis[i], bv_scale( 0.5, over ) );
		}
		memcpy( axis, next, sizeof next );
	}
}

static bv_pose pose_of( const bv_vec3 axis[3], bv_vec3 translation )
{
	return ( bv_pose ){ { { axis[0].x, axis[1].x, axis[2].x },
		                  { axis[0].y, axis[1].y, axis[2].y },
		                  { axis[0].z, axis[1].z, axis[2].z } },
		                translation };
}

bv_pose bvmath_orthonormal( const bv_pose* pose )
{
	const double( *r )[3] = pose->rotation;
	bv_vec3 axis[3];
	for ( int i = 0; i < 3; ++i )
	{
		axis[i] = bv_vec3_make( r[0][i], r[1][i], r[2][i] );
	}
	orthonormalize( axis );
	return pose_of( axis, pose->translation );
}

static bool from_columns( const bv_vec3 column[3], bv_vec3 translation, bv_transform* out )
{
	double x = bv_length( column[0] );
	double y = bv_length( column[1] );
	double z = bv_length( column[2] );
	double scale = x + ( ( y - x ) + ( z - x ) ) / 3;
	if ( !( scale >= least_scale && scale <= largest_scale ) )
	{
		return false;
	}
	bool mirror = bv_dot( bv_cross( column[0], column[1] ), column[2] ) < 0;
	bv_vec3 axis[3];
	for ( int i = 0; i < 3; ++i )
	{
		double unit = mirror && i == 0 ? -scale : scale;
		axis[i] = bv_vec3_make( column[i].x / unit, column[i].y / unit, column[i].z / unit );
	}
	bv_pose pose = pose_of( axis, translation );
	if ( !bv_pose_is_rigid( &pose ) )
	{
		return false;
	}
	orthonormalize( axis );
	bv_transform made = { pose_of( axis, translation ), scale, mirror };
	if ( !bv_transform_is_valid( &made ) )
	{
		return false;
	}
	*out = made;
	return true;
}

bv_status bv_transform_from_matrix( const double m[16], bv_transform* out )
{
	const double most = 1e-6;
	if ( !m || !out ||
	     !( fabs( m[3] ) <= most && fabs( m[7] ) <= most && fabs( m[11] ) <= most &&
	        fabs( m[15] - 1 ) <= most ) )
	{
		return bv_error_argument;
	}
	const bv_vec3 column[3] = { { m[0], m[1], m[2] }, { m[4], m[5], m[6] }, { m[8], m[9], m[10] } };
	return from_columns( column, bv_vec3_make( m[12], m[13], m[14] ), out ) ? bv_ok : bv_error_argument;
}

bv_status bv_transform_from_matrixf( const float matrix[16], bv_transform* out )
{
	double wide[16];
	for ( int i = 0; matrix && i < 16; ++i )
	{
		wide[i] = matrix[i];
	}
	return bv_transform_from_matrix( matrix ? wide : NULL, out );
}

void bv_transform_to_matrix( const bv_transform* transform, double matrix[16] )
{
	const bv_transform t = *transform;
	const double translation[3] = { t.pose.translation.x, t.pose.translation.y, t.pose.translation.z };
	for ( int i = 0; i < 3; ++i )
	{
		matrix[i] = ( t.mirror ? -t.scale : t.scale ) * t.pose.rotation[i][0];
		matrix[4 + i] = t.scale * t.pose.rotation[i][1];
		matrix[8 + i] = t.scale * t.pose.rotation[i][2];
		matrix[12 + i] = translation[i];
		matrix[4 * i + 3] = 0;
	}
	matrix[15] = 1;
}

void bv_transform_to_matrixf( const bv_transform* transform, float matrix[16] )
{
	double wide[16];
	bv_transform_to_matrix( transform, wide );
	for ( int i = 0; i < 16; ++i )
	{
		matrix[i] = (float)wide[i];
	}
}

bv_quaternion bv_transform_to_quaternion( const bv_transform* transform )
{
	const double( *r )[3] = transform->pose.rotation;
	// Four times the squares of x, y, z, w.
	const double square[4] = { 1 + ( r[0][0] - r[1][1] - r[2][2] ), 1 + ( r[1][1] - r[2][2] - r[0][0] ),
		                       1 + ( r[2][2] - r[0][0] - r[1][1] ), 1 + ( r[0][0] + r[1][1] + r[2][2] ) };
	int largest = 3;
	for ( int i = 0; i < 3; ++i )
	{
		largest = square[i] > square[largest] ? i : largest;
	}
	// Four times the products with the largest one.
	double q[4];
	q[largest] = square[largest];
	if ( largest == 3 )
	{
		q[0] = r[2][1] - r[1][2];
		q[1] = r[0][2] - r[2][0];
		q[2] = r[1][0] - r[0][1];
	}
	else
	{
		int j = ( largest + 1 ) % 3;
		int k = ( largest + 2 ) % 3;
		q[j] = r[j][largest] + r[largest][j];
		q[k] = r[k][largest] + r[largest][k];
		q[3] = r[k][j] - r[j][k];
	}
	double length = sqrt( ( q[0] * q[0] + q[1] * q[1] ) + ( q[2] * q[2] + q[3] * q[3] ) );
	double first = q[3] != 0 ? q[3] : q[0] != 0 ? q[0] : q[1] != 0 ? q[1] : q[2];
	length = first < 0 ? -length : length;
	// Adding 0 makes a negative zero positive.
	return ( bv_quaternion ){ q[0] / length + 0, q[1] / length + 0, q[2] / length + 0, q[3] / length + 0 };
}

bv_vec3 bv_transform_direction( const bv_transform* t, bv_vec3 d )
{
	d.x = t->mirror ? -d.x : d.x;
	return bvmath_rotate( &t->pose, d );
}

bv_transform bv_transform_inverse( const bv_transform* transform )
{
	bv_transform identity = bv_transform_identity();
	return bv_transform_between( transform, &identity );
}

// With a reflection m of its own a turns the rotation of b round: m X = (m X m) m.
bv_transform bv_transform_compose( const bv_transform* a, const bv_transform* b )
{
	bv_transform out = { .scale = a->scale * b->scale, .mirror = a->mirror != b->mirror };
	out.pose.translation = bv_transform_point( a, b->pose.translation );
	for ( int j = 0; j < 3; ++j )
	{
		const double( *r )[3] = b->pose.rotation;
		bv_vec3 column = bv_transform_direction( a, bv_vec3_make( r[0][j], r[1][j], r[2][j] ) );
		column = a->mirror && j == 0 ? bv_negate( column ) : column;
		out.pose.rotation[0][j] = column.x;
		out.pose.rotation[1][j] = column.y;
		out.pose.rotation[2][j] = column.z;
	}
	return out;
}
