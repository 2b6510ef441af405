// Affine transforms of nodes. See place.h.

#include "formats/gltf/place.h"

bvgltf_place bvgltf_place_identity( void )
{
	return ( bvgltf_place ){ { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } }, false };
}

bool bvgltf_place_mirrors( const bvgltf_place* place )
{
	const double( *m )[4] = place->matrix;
	double determinant = m[0][0] * ( m[1][1] * m[2][2] - m[1][2] * m[2][1] ) -
	                     m[0][1] * ( m[1][0] * m[2][2] - m[1][2] * m[2][0] ) +
	                     m[0][2] * ( m[1][0] * m[2][1] - m[1][1] * m[2][0] );
	return determinant < 0;
}

// The rotation as I + 2 (w [v]x + [v]x^2) / |q|^2, which needs no unit quaternion.
bvgltf_place bvgltf_place_of( const double translation[3], const double rotation[4], const double scale[3] )
{
	double x = rotation[0];
	double y = rotation[1];
	double z = rotation[2];
	double w = rotation[3];
	double s = 2 / ( x * x + y * y + z * z + w * w );
	const double turn[3][3] = {
		{ 1 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		{ s * ( x * y + w * z ), 1 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		{ s * ( x * z - w * y ), s * ( y * z + w * x ), 1 - s * ( x * x + y * y ) },
	};
	bvgltf_place out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out.matrix[i][k] = turn[i][k] * scale[k];
		}
		out.matrix[i][3] = translation[i];
	}
	bool flat = scale[0] == 0 || scale[1] == 0 || scale[2] == 0;
	out.mirrored = !flat && ( ( scale[0] < 0 ) ^ ( scale[1] < 0 ) ^ ( scale[2] < 0 ) );
	return out;
}

bvgltf_place bvgltf_place_of_matrix( const double columns[16] )
{
	bvgltf_place out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			out.matrix[i][k] = columns[4 * k + i];
		}
	}
	out.mirrored = bvgltf_place_mirrors( &out );
	return out;
}

bvgltf_place bvgltf_place_compose( const bvgltf_place* outer, const bvgltf_place* inner )
{
	bvgltf_place product = { .mirrored = outer->mirrored != inner->mirrored };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = outer->matrix[i];
		const double( *m )[4] = inner->matrix;
		for ( int k = 0; k < 4; ++k )
		{
			product.matrix[i][k] = row[0] * m[0][k] + row[1] * m[1][k] + row[2] * m[2][k];
		}
		product.matrix[i][3] += row[3];
	}
	return product;
}

bool bvgltf_place_is_identity( const bvgltf_place* place )
{
	for ( int i = 0; i < 12; ++i )
	{
		if ( place->matrix[i / 4][i % 4] != ( i / 4 == i % 4 ) )
		{
			return false;
		}
	}
	return true;
}
