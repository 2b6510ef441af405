// Eigenvectors of symmetric 3x3 matrices. See eigen.h.

#include "runtime/math/eigen.h"

#include "runtime/math/vec.h"

#include <math.h>

static void rotate( double a[3][3], double v[3][3], int p, int q )
{
	if ( a[p][q] == 0 )
	{
		return;
	}
	double theta = ( a[q][q] - a[p][p] ) / ( 2 * a[p][q] );
	double t = ( theta < 0 ? -1 : 1 ) / ( fabs( theta ) + sqrt( theta * theta + 1 ) );
	double c = 1 / sqrt( t * t + 1 );
	double s = t * c;

	for ( int k = 0; k < 3; ++k )
	{
		double kp = a[k][p];
		double kq = a[k][q];
		a[k][p] = c * kp - s * kq;
		a[k][q] = s * kp + c * kq;
	}
	for ( int k = 0; k < 3; ++k )
	{
		double pk = a[p][k];
		double qk = a[q][k];
		a[p][k] = c * pk - s * qk;
		a[q][k] = s * pk + c * qk;
	}
	for ( int k = 0; k < 3; ++k )
	{
		double kp = v[k][p];
		double kq = v[k][q];
		v[k][p] = c * kp - s * kq;
		v[k][q] = s * kp + c * kq;
	}
	a[p][q] = 0;
	a[q][p] = 0;
}

void bvmath_eigen_symmetric( double matrix[3][3], bv_vec3 axis[3] )
{
	// Scaled to 1, so that squares neither overflow nor underflow for tiny and huge meshes.
	double largest = 0;
	for ( int i = 0; i < 9; ++i )
	{
		largest = bvmath_max( largest, fabs( matrix[i / 3][i % 3] ) );
	}
	double a[3][3] = { 0 };
	double v[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int i = 0; i < 9 && largest > 0; ++i )
	{
		a[i / 3][i % 3] = matrix[i / 3][i % 3] / largest;
	}

	// Convergence is quadratic: five sweeps are usual, the bound is for safety.
	for ( int sweep = 0; sweep < 32 && fabs( a[0][1] ) + fabs( a[0][2] ) + fabs( a[1][2] ) > 1e-12; ++sweep )
	{
		rotate( a, v, 0, 1 );
		rotate( a, v, 0, 2 );
		rotate( a, v, 1, 2 );
	}

	int order[3] = { 0, 1, 2 };
	for ( int i = 0; i < 2; ++i )
	{
		for ( int j = 0; j < 2; ++j )
		{
			if ( a[order[j + 1]][order[j + 1]] > a[order[j]][order[j]] )
			{
				int other = order[j];
				order[j] = order[j + 1];
				order[j + 1] = other;
			}
		}
	}
	axis[0] = ( bv_vec3 ){ v[0][order[0]], v[1][order[0]], v[2][order[0]] };
	axis[1] = ( bv_vec3 ){ v[0][order[1]], v[1][order[1]], v[2][order[1]] };
	axis[2] = bv_cross( axis[0], axis[1] );
}
