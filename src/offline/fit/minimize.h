// Minimization without derivatives.

#pragma once

#include "runtime/math/vec.h"

enum
{
	bvfit_simplex_most = 8, ///< parameters
};

/// What is to be made small.
typedef double bvfit_cost_function( const void* context, const double* parameter );

/// The simplex search of J. A. Nelder and R. Mead, 1965, with the usual coefficients 1, 2, 1/2 and 1/2. Of
/// equal vertices the older one counts as better, so that the result is the same everywhere.
/// @param cost       finite wherever it is called
/// @param count      of parameters, at most bvfit_simplex_most
/// @param parameter  where to start and the result, never worse
/// @param step       by which each parameter is changed for the other vertices of the first simplex
/// @param calls      of the function, at most this many and a few
/// @param tolerance  stop when the best and the worst vertex differ by less than this share
/// @return the cost of the result
double bvfit_nelder_mead( bvfit_cost_function* cost, const void* context, int count, double* parameter,
                          const double* step, int calls, double tolerance );

/// Goes from `start` upwards in steps that double while the cost falls, and then to and fro in halving ones.
/// @param cost   of one parameter
/// @param start  also the least value tried
/// @param step   the first
/// @param calls  of the function, at most this many and one
/// @return the best value met
double bvfit_search_upwards( bvfit_cost_function* cost, const void* context, double start, double step,
                             int calls );
