// What all methods that look for neighbors of particles share. See bvworld/particles.h.
//
// A method visits each pair of neighbors twice: the first time lists are counted, the second time they are filled. Between the two, counts
// become places.

#pragma once

#include "bvworld/particles.h"

#include <math.h>
#include <stdbool.h>

/// A call of bvw_neighbors_find, after its arguments were checked.
typedef struct bvwnear_job
{
	bvw_particles of;
	bvw_particles among;           ///< the same as `of` if there is one set
	bool is_self;                  ///< there is one set
	bvw_neighbors_options options; ///< all defaults replaced
	bool is_periodic;
	double lower[3]; ///< of the positions of both sets
	double upper[3];
	double greatest; ///< absolute value of a coordinate
	double reach;    ///< not below the greatest distance of neighbors
	char* memory;    ///< of the caller
	uint64_t* begin;
	uint32_t* neighbors;
	bool is_filling; ///< the second time
	uint64_t tests;
	uint64_t steps;
	uint32_t depth;
} bvwnear_job;

static inline const double* bvwnear_position( const bvw_particles* set, uint32_t number )
{
	return (const double*)(const void*)( (const char*)(const void*)set->positions +
	                                     (size_t)number * set->stride );
}

static inline double bvwnear_radius( const bvw_particles* set, uint32_t number )
{
	return set->radii ? *(const double*)(const void*)( (const char*)(const void*)set->radii +
	                                                   (size_t)number * set->radii_stride )
	                  : 0;
}

/// Decides whether two particles are neighbors, by the exact values of the numbers. See decide.c.
/// @param a  of `of`
/// @param b  of `among`
bool bvwnear_decide_exactly( const bvwnear_job* job, uint32_t a, uint32_t b );

/// Distances along periodic axes: see bvwnear_decide.
bool bvwnear_decide_periodic( const bvwnear_job* job, uint32_t a, uint32_t b );

/// The same decision as bvwnear_decide_exactly, in floating point where that is certain.
///
/// In units of 2^-53 of themselves, coordinates of the difference err by 1, their squares by 3, the sum of these by 5, the sum of
/// radii by 2 and its square by 5. So the difference of both squares errs by less than 2^-49 of their sum, unless a square
/// is subnormal, which is far less than 2^-49 of 2^-900.
static inline bool bvwnear_decide( const bvwnear_job* job, uint32_t a, uint32_t b )
{
	if ( job->is_periodic )
	{
		return bvwnear_decide_periodic( job, a, b );
	}
	const double* p = bvwnear_position( &job->of, a );
	const double* q = bvwnear_position( &job->among, b );
	double x = p[0] - q[0];
	double y = p[1] - q[1];
	double z = p[2] - q[2];
	double reach = job->options.distance + bvwnear_radius( &job->of, a ) + bvwnear_radius( &job->among, b );
	double squared = x * x + y * y + z * z;
	double limit = reach * reach;
	double error = 0x1p-48 * ( squared + limit );
	if ( error > 0x1p-948 && fabs( squared - limit ) > error )
	{
		return squared < limit;
	}
	return bvwnear_decide_exactly( job, a, b );
}

/// Counts a pair of neighbors, or writes it into lists. Both directions of one set are one pair.
static inline void bvwnear_keep( bvwnear_job* job, uint32_t a, uint32_t b )
{
	if ( job->is_filling )
	{
		job->neighbors[job->begin[a]++] = b;
	}
	else
	{
		++job->begin[a];
	}
}

/// The same, of one set, for two different particles.
static inline void bvwnear_keep_pair( bvwnear_job* job, uint32_t a, uint32_t b )
{
	bvwnear_keep( job, a < b ? a : b, a < b ? b : a );
	if ( !job->options.half )
	{
		bvwnear_keep( job, a < b ? b : a, a < b ? a : b );
	}
}

/// A method: a row of the table in methods.c.
typedef struct bvwnear_method
{
	const char* name;
	const char* help;
	uint64_t ( *bytes )( uint32_t of,
	                     uint32_t among ); ///< memory that it needs; `among` is 0 if there is one set
	void ( *prepare )( bvwnear_job* job ); ///< called once. `begin` has no content yet, and may be used
	void ( *visit )( bvwnear_job* job );   ///< keeps all neighbors
	bool sorts_lists;                      ///< lists come out sorted
	bool takes_periods;
} bvwnear_method;

/// One row for each bvw_neighbors_method.
extern const bvwnear_method* const bvwnear_methods[bvw_neighbors_methods];

extern const bvwnear_method bvwnear_all_pairs;
extern const bvwnear_method bvwnear_sweep;
extern const bvwnear_method bvwnear_grid;
