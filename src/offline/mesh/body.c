// The body that moves in a simulation: chosen from the mass properties of a mesh, and scaled to a density or
// a mass.
//
// A density applies to a volume. Therefore the solid is chosen if there is one, and otherwise the hull, as
// most engines do for open meshes. A mass can also be distributed over a surface, so a flat mesh is treated
// as a sheet.
//
// Shells that face inward are subtracted. If they are not cavities of others, the sum can have a center of
// mass anywhere, and an inertia that no body has. Then the hull is used, too. The bounds of second moments are
// those of Popoviciu 1935: the variance of what is on an interval is at most a quarter of its square.

#include "bvbuild/mesh.h"
#include "offline/base/error.h"

#include <float.h>
#include <math.h>

bool bvb_body_choose( const bool has[3], bool from_mass, bv_mass_of* of )
{
	*of = has[bv_mass_of_solid]  ? bv_mass_of_solid
	      : has[bv_mass_of_hull] ? bv_mass_of_hull
	                             : bv_mass_of_surface;
	return has[*of] && ( from_mass || *of != bv_mass_of_surface );
}

bool bvb_body_is_possible( const bv_mass* mass, const bv_aabb* box )
{
	const double lower[3] = { box->lower.x, box->lower.y, box->lower.z };
	const double upper[3] = { box->upper.x, box->upper.y, box->upper.z };
	const double center[3] = { mass->center_of_mass.x, mass->center_of_mass.y, mass->center_of_mass.z };
	double moment[3];
	bv_vec3 axis[3];
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		size = fmax( size, upper[i] - lower[i] );
	}

	// Rounding errors of thin bodies, for which a second moment is a difference of nearly equal numbers.
	double slack = fabs( mass->mass ) * ( 0x1p-30 * size * size );
	double sign = mass->mass < 0 ? -1 : 1;
	bool possible = true;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		double half = ( upper[i] - lower[i] ) / 2;
		double second = sign * ( mass->inertia[j][j] + mass->inertia[k][k] - mass->inertia[i][i] ) / 2;
		possible = possible && center[i] >= lower[i] - 0x1p-40 * size &&
		           center[i] <= upper[i] + 0x1p-40 * size && sign * mass->inertia[i][i] >= 0 &&
		           second >= -slack && second <= fabs( mass->mass ) * ( half * half ) + slack;
	}
	if ( possible )
	{
		bvb_principal_axes( mass, moment, axis );
		possible = sign * moment[0] >= -slack && sign * ( moment[0] + moment[1] - moment[2] ) >= -slack;
	}
	return possible;
}

// Below the least normal number digits are lost, and at 0 engines take a mass for an infinite one.
static bool is_number( double x )
{
	return x >= DBL_MIN && x <= DBL_MAX;
}

bool bvb_body_fill( const bv_mass* base, bv_mass_of of, bool from_mass, double value, bv_body* out )
{
	double measure = fabs( base->mass );
	*out = ( bv_body ){ .of = of, .from_mass = from_mass };
	out->density = from_mass ? value / measure : value;
	out->mass.mass = from_mass ? value : value * measure;
	out->mass.center_of_mass = base->center_of_mass;
	bool good = is_number( out->density ) && is_number( out->mass.mass );
	double sign = base->mass < 0 ? -1 : 1;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			// Adding 0 makes +0 of -0.
			out->mass.inertia[i][k] = out->density * ( sign * base->inertia[i][k] ) + 0.0;
			good = good && isfinite( out->mass.inertia[i][k] );
		}
		good = good && out->mass.inertia[i][i] >= 0;
	}
	return good;
}

bv_status bvb_body_make( const bv_mass bodies[3], const bool has[3], const bv_aabb* box, bool from_mass,
                         double value, bv_body* out, bvb_error* error )
{
	bv_mass_of of;
	bool usable[3];
	if ( !( value > 0 && value <= DBL_MAX ) )
	{
		return bvbase_fail( error, bv_error_argument, "the %s is not a positive number",
		                    from_mass ? "mass" : "density" );
	}
	for ( int i = 0; i < 3; ++i )
	{
		usable[i] = has[i] && bvb_body_is_possible( bodies + i, box );
	}
	if ( !bvb_body_choose( usable, from_mass, &of ) )
	{
		return bvbase_fail( error, bv_error_input,
		                    "%s, so a density gives it no mass (use --mass to treat it as a sheet)",
		                    has[bv_mass_of_hull] ? "is so thin that rounding errors exceed its volume"
		                                         : "is flat and has no volume" );
	}
	return bvb_body_fill( bodies + of, of, from_mass, value, out )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_limit, "a %s of %g exceeds the range of double precision",
	                          from_mass ? "mass" : "density", value );
}
