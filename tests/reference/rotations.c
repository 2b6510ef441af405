#include "tests/reference/rotations.h"

#include <math.h>

long_matrix long_matrix_product( const long_matrix* a, const long_matrix* b )
{
	long_matrix out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			out.at[i][j] = a->at[i][0] * b->at[0][j] + a->at[i][1] * b->at[1][j] + a->at[i][2] * b->at[2][j];
		}
	}
	return out;
}

double long_matrix_difference( const long_matrix* a, const long_matrix* b )
{
	long double most = 0;
	for ( int i = 0; i < 9; ++i )
	{
		long double d = fabsl( a->at[i / 3][i % 3] - b->at[i / 3][i % 3] );
		most = d <= most ? most : d;
	}
	return (double)most;
}

long_matrix rotation_about( bv_vec3 axis, long double angle )
{
	long double n[3] = { axis.x, axis.y, axis.z };
	long double length = sqrtl( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
	long double s = sinl( angle );
	long double c = cosl( angle );
	// 1 - cos, without cancellation.
	long double half = sinl( angle / 2 );
	long double rest = 2 * half * half;
	long_matrix out;
	for ( int i = 0; i < 3; ++i )
	{
		n[i] /= length;
	}
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		out.at[i][i] = rest * n[i] * n[i] + c;
		out.at[i][j] = rest * n[i] * n[j] - s * n[k];
		out.at[i][k] = rest * n[i] * n[k] + s * n[j];
	}
	return out;
}

long_matrix rotation_of_xyz( const long double angles[3] )
{
	long_matrix x = rotation_about( ( bv_vec3 ){ 1, 0, 0 }, angles[0] );
	long_matrix y = rotation_about( ( bv_vec3 ){ 0, 1, 0 }, angles[1] );
	long_matrix z = rotation_about( ( bv_vec3 ){ 0, 0, 1 }, angles[2] );
	long_matrix zy = long_matrix_product( &z, &y );
	return long_matrix_product( &zy, &x );
}

long_matrix rotation_of_quaternion( bv_quaternion q )
{
	long double w = q.w;
	long double v[3] = { q.x, q.y, q.z };
	long double square = w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
	long_matrix out;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		out.at[i][i] = ( w * w + v[i] * v[i] - v[j] * v[j] - v[k] * v[k] ) / square;
		out.at[i][j] = 2 * ( v[i] * v[j] - w * v[k] ) / square;
		out.at[i][k] = 2 * ( v[i] * v[k] + w * v[j] ) / square;
	}
	return out;
}

void printed_xyz_of_axis( bv_vec3 r, double angle, bool fixed, double angles[3] )
{
	double s = sin( angle );
	double c = cos( angle );
	double r11 = r.x * r.x * ( 1 - c ) + c;
	double r12 = r.y * r.x * ( 1 - c ) - r.z * s;
	double r21 = r.y * r.x * ( 1 - c ) + r.z * s;
	double root = fixed ? r21 : r12;
	double beta = atan2( -r.z * r.x * ( 1 - c ) + r.y * s, sqrt( r11 * r11 + root * root ) );
	angles[2] = atan2( r21 / cos( beta ), r11 / cos( beta ) );
	angles[1] = beta;
	angles[0] = atan2( ( r.z * r.y * ( 1 - c ) + r.x * s ) / cos( beta ),
	                   ( r.z * r.z * ( 1 - c ) + c ) / cos( beta ) );
}

bv_vec3 printed_quaternion_rotate( bv_quaternion q, bv_vec3 p, bool fixed )
{
	double v = q.x * q.x + q.y * q.y + q.z * q.z;
	double square = q.w * q.w + v;
	double by = fixed ? square : sqrt( square );
	double along = 2 * ( q.x * p.x + q.y * p.y + q.z * p.z );
	double same = q.w * q.w - v;
	return ( bv_vec3 ){
		( same * p.x + along * q.x + 2 * q.w * ( q.y * p.z - q.z * p.y ) ) / by,
		( same * p.y + along * q.y + 2 * q.w * ( q.z * p.x - q.x * p.z ) ) / by,
		( same * p.z + along * q.z + 2 * q.w * ( q.x * p.y - q.y * p.x ) ) / by,
	};
}

long_matrix printed_matrix_of_quaternion( bv_quaternion q, bool fixed )
{
	double w = q.w;
	double v[3] = { q.x, q.y, q.z };
	double square = w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
	long_matrix out;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		out.at[i][i] = ( 2 * ( w * w + v[i] * v[i] ) - ( fixed ? square : 1 ) ) / square;
		out.at[i][j] = 2 * ( v[i] * v[j] - v[k] * w ) / square;
		out.at[i][k] = 2 * ( v[i] * v[k] + v[j] * w ) / square;
	}
	return out;
}

void printed_axis_of_matrix( const double r[3][3], bv_vec3* axis, double* angle )
{
	*angle = acos( ( r[0][0] + r[1][1] + r[2][2] - 1 ) / 2 );
	double by = 2 * sin( *angle );
	*axis = ( bv_vec3 ){ ( r[2][1] - r[1][2] ) / by, ( r[0][2] - r[2][0] ) / by, ( r[1][0] - r[0][1] ) / by };
}

bv_quaternion printed_quaternion_of_matrix( const double r[3][3] )
{
	double w = sqrt( 1 + r[0][0] + r[1][1] + r[2][2] ) / 2;
	double by = 4 * w;
	return ( bv_quaternion ){ ( r[2][1] - r[1][2] ) / by, ( r[0][2] - r[2][0] ) / by,
		                      ( r[1][0] - r[0][1] ) / by, w };
}

long_matrix printed_small_rotation( bv_vec3 r, double angle )
{
	return ( long_matrix ){ { { 1, -angle * r.z, angle * r.y },
		                      { angle * r.z, 1, -angle * r.x },
		                      { -angle * r.y, angle * r.x, 1 } } };
}
