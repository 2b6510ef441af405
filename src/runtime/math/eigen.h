// Eigenvectors of symmetric 3x3 matrices.

#pragma once

#include "bv/base.h"

/// Cyclic Jacobi rotations until the off-diagonal entries are below 1e-12 of the largest (Jacobi 1846; Golub
/// and Van Loan, section 8.5). Uses sqrt only, so that the result is the same everywhere.
/// @param matrix  symmetric, finite; not changed
/// @param axis    receives an orthonormal right-handed frame of eigenvectors, largest eigenvalue first
void bvmath_eigen_symmetric( double matrix[3][3], bv_vec3 axis[3] );
