// What libbv and libbvworld use of Microsoft's C library, for compilers on machines without it.

#pragma once

#define INFINITY      ( (float)( 1e300 * 1e300 ) )
#define NAN           ( INFINITY * 0.0f )
#define isnan( x )    ( ( x ) != ( x ) )
#define isfinite( x ) ( ( x ) - ( x ) == 0 )
#define isinf( x )    ( !isnan( x ) && !isfinite( x ) )
#define signbit( x )  ( __builtin_signbit( x ) )

double fabs( double );
double sqrt( double );
double floor( double );
double ceil( double );
double trunc( double );
double rint( double );
double nearbyint( double );
double fmin( double, double );
double fmax( double, double );
double fma( double, double, double );
double ldexp( double, int );
double frexp( double, int* );
double nextafter( double, double );
double copysign( double, double );
double fmod( double, double );
float fabsf( float );
float sqrtf( float );
float floorf( float );
float ceilf( float );
float fminf( float, float );
float fmaxf( float, float );
float nextafterf( float, float );
float copysignf( float, float );
