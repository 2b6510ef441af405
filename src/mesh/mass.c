// Area, volume, centre of mass and inertia of the solid that a mesh bounds.
//
// Each triangle and a reference point span a tetrahedron of signed volume, and the integrals over these add
// up to those over the solid. The integrals are exact polynomials of the corners (Tonon 2004, "Explicit exact
// formulas for the 3-D tetrahedron inertia tensor"; Eberly 2002, "Polyhedral mass properties"). The reference
// point is the centre of the mesh's box, lengths are scaled by a power of two so that nothing overflows or
// underflows, and sums carry their rounding errors along (Ogita, Rump, Oishi 2005, Sum2), in the order of the
// triangles.

#include "base/core/vec.h"
#include "bvbuild/mesh.h"

#include <math.h>

// A sum and what rounding has taken from it.
typedef struct sum
{
	double value;
	double lost;
} sum;

static void accumulate( sum* s, double x )
{
	double value = s->value + x;
	double x_part = value - s->value;
	double s_part = value - x_part;
	s->lost += ( s->value - s_part ) + ( x - x_part );
	s->value = value;
}

static double total( const sum* s )
{
	return s->value + s->lost;
}

// The integrals about the reference point, in scaled units, times the factor of the field's unit simplex.
typedef struct integrals
{
	sum area;      // times 2
	sum volume;    // times 6
	sum first[3];  // of x, y, z, times 24
	sum second[6]; // of xx, yy, zz, xy, yz, zx, times 120
	double doubt;  // bound of the rounding error in the volume, times 6
} integrals;

// Where the mesh is and how large.
typedef struct frame
{
	bv_vec3 origin; // centre of the box of the triangles
	int exponent;   // no coordinate is farther from the origin than 2^exponent
	double unit;    // 2^-exponent
} frame;

static bv_vec3 shift_exponent( bv_vec3 v, int exponent )
{
	return ( bv_vec3 ){ ldexp( v.x, exponent ), ldexp( v.y, exponent ), ldexp( v.z, exponent ) };
}

static double largest_component( bv_vec3 v )
{
	return fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) );
}

static frame find_frame( const bvb_mesh* mesh )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[t].corner[k]];
			lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
			upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
		}
	}
	frame result = { .origin = bv_add( bv_scale( 0.5, lower ), bv_scale( 0.5, upper ) ) };
	frexp( largest_component( bv_sub( bv_scale( 0.5, upper ), bv_scale( 0.5, lower ) ) ), &result.exponent );

	// The centre is rounded: one more for a corner that is a little beyond. The unit must stay finite.
	result.exponent = result.exponent < -1000 ? -1000 : result.exponent + 1;
	result.unit = ldexp( 1, -result.exponent );
	return result;
}

// Twice the area of the triangle with sides u and v, also where their product underflows.
static double parallelogram( bv_vec3 u, bv_vec3 v, bv_vec3 cross )
{
	if ( largest_component( cross ) > 0x1p-500 )
	{
		return sqrt( bv_dot( cross, cross ) );
	}
	int eu;
	int ev;
	frexp( largest_component( u ), &eu );
	frexp( largest_component( v ), &ev );
	bv_vec3 unit = bv_cross( shift_exponent( u, -eu ), shift_exponent( v, -ev ) );
	return ldexp( sqrt( bv_dot( unit, unit ) ), eu + ev );
}

static void add_triangle( integrals* s, const bv_vec3 corner[3], const frame* f )
{
	bv_vec3 a = bv_scale( f->unit, bv_sub( corner[0], f->origin ) );
	bv_vec3 b = bv_scale( f->unit, bv_sub( corner[1], f->origin ) );
	bv_vec3 c = bv_scale( f->unit, bv_sub( corner[2], f->origin ) );

	// Sides come from the corners themselves: small triangles far from the origin keep their digits.
	bv_vec3 u = bv_scale( f->unit, bv_sub( corner[1], corner[0] ) );
	bv_vec3 v = bv_scale( f->unit, bv_sub( corner[2], corner[0] ) );
	bv_vec3 normal = bv_cross( u, v );
	double volume = bv_dot( a, normal );
	accumulate( &s->area, parallelogram( u, v, normal ) );
	accumulate( &s->volume, volume );
	s->doubt += bv_norm1( a ) * largest_component( u ) * largest_component( v );

	double p[3][3] = { { a.x, b.x, c.x }, { a.y, b.y, c.y }, { a.z, b.z, c.z } };
	double sums[3];
	for ( int i = 0; i < 3; ++i )
	{
		sums[i] = ( p[i][0] + p[i][1] ) + p[i][2];
		accumulate( &s->first[i], volume * sums[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		double square = ( p[i][0] * p[i][0] + p[i][1] * p[i][1] ) + p[i][2] * p[i][2];
		double mixed = ( p[i][0] * p[j][0] + p[i][1] * p[j][1] ) + p[i][2] * p[j][2];
		accumulate( &s->second[i], volume * ( sums[i] * sums[i] + square ) );
		accumulate( &s->second[3 + i], volume * ( sums[i] * sums[j] + mixed ) );
	}
}

static void integrate( const bvb_mesh* mesh, const frame* f, integrals* s )
{
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* index = mesh->triangles[t].corner;
		bv_vec3 corner[3] = { mesh->positions[index[0]], mesh->positions[index[1]],
			                  mesh->positions[index[2]] };
		add_triangle( s, corner, f );
	}
}

// Moves the second moments to the centre of mass (Steiner) and turns them into moments of inertia.
static void set_inertia( const integrals* s, double volume, const double center[3], int exponent,
                         double inertia[3][3] )
{
	double about[6];
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		about[i] = total( &s->second[i] ) / 120 - volume * center[i] * center[i];
		about[3 + i] = total( &s->second[3 + i] ) / 120 - volume * center[i] * center[j];
	}
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		inertia[i][i] = ldexp( about[j] + about[k], 5 * exponent );
		inertia[i][j] = ldexp( 0 - about[3 + i], 5 * exponent );
		inertia[j][i] = inertia[i][j];
	}
}

bool bvb_mass_of_solid( const bvb_mesh* mesh, bv_mass* out )
{
	*out = ( bv_mass ){ 0 };
	if ( mesh->triangle_count == 0 )
	{
		return false;
	}
	frame f = find_frame( mesh );
	integrals s = { 0 };
	integrate( mesh, &f, &s );

	// A sum within its own rounding error is a flat or a double-sided mesh's zero. Of one triangle the
	// rounding is below 16 units of 2^-53 of the product of its sides and the distance to the reference
	// point.
	double volume = total( &s.volume ) / 6;
	out->mass = ldexp( volume, 3 * f.exponent );
	if ( !( fabs( total( &s.volume ) ) > 0x1p-49 * s.doubt ) || !isfinite( out->mass ) || out->mass == 0 )
	{
		out->mass = 0;
		return false;
	}
	double center[3];
	for ( int i = 0; i < 3; ++i )
	{
		center[i] = total( &s.first[i] ) / 24 / volume;
	}
	out->center_of_mass =
		bv_add( f.origin, shift_exponent( ( bv_vec3 ){ center[0], center[1], center[2] }, f.exponent ) );
	set_inertia( &s, volume, center, f.exponent, out->inertia );
	return true;
}

bool bvb_mass_of_surface( const bvb_mesh* mesh, bv_mass* out )
{
	*out = ( bv_mass ){ 0 };
	if ( mesh->triangle_count == 0 )
	{
		return false;
	}
	frame f = find_frame( mesh );
	integrals s = { 0 };
	integrate( mesh, &f, &s );
	out->mass = ldexp( 0.5 * total( &s.area ), 2 * f.exponent );
	return out->mass > 0 && isfinite( out->mass );
}
