// When each step of a decomposition has to end so that the whole keeps to its time budget, and what is told of its
// progress.

#pragma once

#include "bvbuild/decompose.h"
#include "offline/decompose/shape.h"

/// The time of one decomposition.
typedef struct bvdecomp_schedule
{
	double begin;          ///< of bvbase_clock
	double budget;         ///< seconds; infinite for no limit
	double end_of_search;  ///< of bvbase_clock: parts are not cut or merged any more
	double end_of_making;  ///< of bvbase_clock: what is made later is made in a hurry
	double end_of_proof;   ///< of bvbase_clock: what is not certified by then stays uncertain
	double per_sample;     ///< seconds that it takes to find out whether a point is inside, roughly
	double begin_of_step;  ///< of bvbase_clock
	double prepared;       ///< seconds before the first step
	double rest;           ///< how long what follows the step takes beside it, an estimate
	double rest_of_search; ///< the same of the search
	double told;           ///< the progress told last
	bool hurried;          ///< there is no time for a search at all
	bool stopped;          ///< whoever is told of the progress has said so
	bvb_decompose_progress* progress; ///< null for none
	void* progress_context;           ///< passed on
} bvdecomp_schedule;

/// Starts the clock.
void bvdecomp_schedule_begin( const bvb_decompose_options* options, bvdecomp_schedule* out );

/// How many open edges there is time to look at before the shape is known.
/// @param wanted  how many there would be without a budget
uint64_t bvdecomp_schedule_work( const bvdecomp_schedule* schedule, uint64_t wanted );

/// Finds out how long samples take, as soon as those of the shape are taken.
void bvdecomp_schedule_time_samples( bvdecomp_schedule* schedule, uint32_t samples );

/// Divides the time, as soon as the shape is known.
void bvdecomp_schedule_divide( bvdecomp_schedule* schedule, const bvdecomp_shape* shape );

/// Finds out whether there is too little time to prepare a search.
/// @return `hurried`
bool bvdecomp_schedule_hurry( bvdecomp_schedule* schedule, const bvb_mesh* mesh, bool convex );

/// How many grid points of the field there is time for.
/// @param wanted  how many there would be without a budget
uint32_t bvdecomp_schedule_cells( const bvdecomp_schedule* schedule, uint32_t wanted );

/// Begins a step whose progress is told from then on: the search, cutting what failed, or certifying.
/// @param rest  how long what follows takes beside it, an estimate
void bvdecomp_schedule_begin_step( bvdecomp_schedule* schedule, double rest );

/// Tells the progress of a step that searches. May be called by one thread at a time.
/// @param done  share of the step's time, 0 to 1, an estimate
/// @return false when there is no time left for it, or whoever is told has said so
bool bvdecomp_schedule_search( bvdecomp_schedule* schedule, double done );

/// @return whether there is no time left for searching
bool bvdecomp_schedule_is_over( const bvdecomp_schedule* schedule );

/// Tells the progress of a step that certifies. May be called by one thread at a time.
/// @param done  share of the step's time, 0 to 1, an estimate
/// @return false when there is no time left, or whoever is told has said so
bool bvdecomp_schedule_proof( bvdecomp_schedule* schedule, double done );

/// @param points  of the part that is to be made
/// @return whether it has to be made in a hurry
bool bvdecomp_schedule_is_late( const bvdecomp_schedule* schedule, uint32_t points );
