// Angles with the same bits on every machine.

#pragma once

/// The angle of ( x, y ) with the x axis, in [-pi, pi], with signed zeros, infinities and NaN as C's atan2
/// has them. Made of + - * / in a fixed order only, so that the same bits come out everywhere, and at most
/// 1.6 ulps from the true angle.
double bvmath_atan2( double y, double x );

/// The sine and the cosine of an angle, made in the same way. The error of each is below 2^-51 for angles up to 2^20.
/// Infinities and NaN give NaN.
void bvmath_sincos( double angle, double* sine, double* cosine );
