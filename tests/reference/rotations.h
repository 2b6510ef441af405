// Rotations in long double, from the definitions: what conversions of binary64 are compared with. And conversions as
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, appendix A, prints them,
// with their errors, to show what the errors do.
//
// Shares nothing with src.

#pragma once

#include "bv/base.h"

/// Rows of a matrix.
typedef struct long_matrix
{
	long double at[3][3];
} long_matrix;

long_matrix long_matrix_product( const long_matrix* a, const long_matrix* b );

/// @return the largest difference of two entries
double long_matrix_difference( const long_matrix* a, const long_matrix* b );

/// The rotation about an axis, of any length except 0, by Rodrigues' formula.
long_matrix rotation_about( bv_vec3 axis, long double angle );

/// The product of the rotations about the three axes, x first.
long_matrix rotation_of_xyz( const long double angles[3] );

/// The rotation of a quaternion of any length except 0.
long_matrix rotation_of_quaternion( bv_quaternion q );

/// Angles about fixed axes from axis and angle (appendix A). In print, the root of the angle about y has the entry in row 1
/// and column 2 of the matrix where that in row 2 and column 1 belongs. The angles about x and z are divided by the
/// cosine of the angle about y in any case.
/// @param axis    of length 1
/// @param fixed   take the entry in row 2 and column 1
/// @param angles  receives the angles about x, y and z
void printed_xyz_of_axis( bv_vec3 axis, double angle, bool fixed, double angles[3] );

/// A point, rotated by a quaternion. In print, the sum is divided by the length of the quaternion.
/// @param fixed  divide by its square
bv_vec3 printed_quaternion_rotate( bv_quaternion q, bv_vec3 point, bool fixed );

/// The rotation of a quaternion as a matrix. In print, 1 is subtracted on the diagonal, which holds for length 1 only.
/// @param fixed  subtract the square of the length
long_matrix printed_matrix_of_quaternion( bv_quaternion q, bool fixed );

/// Axis and angle from a matrix. In print the angle is an arccosine, and the axis is divided by its sine: not a number
/// for no rotation, for half a turn, and where rounding makes the cosine exceed 1.
void printed_axis_of_matrix( const double rotation[3][3], bv_vec3* axis, double* angle );

/// The quaternion from a matrix. In print it is divided by its real part, which is 0 for half a turn.
bv_quaternion printed_quaternion_of_matrix( const double rotation[3][3] );

/// The rotation by small angles, identity plus cross product, which is not orthonormal.
/// @param axis  of length 1
long_matrix printed_small_rotation( bv_vec3 axis, double angle );
