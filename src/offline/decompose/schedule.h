// When each step of a decomposition has to end so that the whole keeps to its time budget, and what is told of its
// progress.

#pragma once

#include "bvbuild/decompose.h"
#include "offline/decompose/shape.h"

/// What is expected of a step and of what follows it. Estimates, for the progress only.
typedef struct bvdecomp_forecast
{
	double seconds; ///< that the step takes, before anything of it is done
	double rest;    ///< how long what follows takes beside the step
	double after;   ///< seconds that what follows takes besides
} bvdecomp_forecast;

/// What is known of the parts when a step begins.
typedef struct bvdecomp_outlook
{
	double parts;   ///< how many there are
	double room;    ///< how many more there may be
	double failing; ///< how many are too far off, for other reasons than their few corners
	double capped;  ///< how many cuts those with too few corners need, roughly
} bvdecomp_outlook;

/// The time of one decomposition.
typedef struct bvdecomp_schedule
{
	double ( *clock )( void );  ///< bvbase_clock
	double begin;               ///< of the clock
	double budget;              ///< seconds; infinite for no limit
	double end_of_search;       ///< of the clock: parts are not cut or merged any more
	double end_of_making;       ///< of the clock: what is made later is made in a hurry
	double end_of_proof;        ///< of the clock: what is not certified by then stays uncertain
	double per_sample;          ///< seconds that it takes to find out whether a point is inside, roughly
	bvdecomp_forecast forecast; ///< of the step
	double begin_of_step;       ///< of the clock
	double searched;            ///< seconds that the search took
	double proved;              ///< seconds that the last certificates took
	uint32_t proofs;            ///< how many times certificates were begun
	double openness; ///< 0 for shapes with no open edges, near 1 if many are looked at for each point
	double told;     ///< the progress told last
	bool failed;     ///< whether parts were cut again that were too far off
	bool convex;     ///< whether the shape is cut for its few corners only
	bool hurried;    ///< there is no time for a search at all
	bool stopped;    ///< whoever is told of the progress has said so
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

/// Begins the search, whose progress is told from then on.
void bvdecomp_schedule_begin_search( bvdecomp_schedule* schedule, bool convex );

/// Begins to make and to certify parts.
void bvdecomp_schedule_begin_proof( bvdecomp_schedule* schedule, uint32_t parts );

/// Corrects the forecast when all parts are made.
/// @param known  without how many fail
void bvdecomp_schedule_end_making( bvdecomp_schedule* schedule, const bvdecomp_outlook* known );

/// Corrects the forecast when all parts are certified roughly.
/// @param wide   share of the parts that are certified again
/// @param known  what is known of the parts by then
void bvdecomp_schedule_halve_proof( bvdecomp_schedule* schedule, double wide, const bvdecomp_outlook* known );

/// Begins to cut parts that failed.
void bvdecomp_schedule_begin_cutting( bvdecomp_schedule* schedule, const bvdecomp_outlook* known );

/// Tells the progress of a step that searches. May be called by one thread at a time.
/// @param done  share of the step's time, 0 to 1, an estimate
/// @return false when there is no time left for it, or whoever is told has said so
bool bvdecomp_schedule_search( bvdecomp_schedule* schedule, double done );

/// @return whether there is no time left for searching
bool bvdecomp_schedule_is_over( const bvdecomp_schedule* schedule );

/// Tells the progress of making parts, before they are certified.
/// @param done  share of the parts that are made, 0 to 1
void bvdecomp_schedule_make( bvdecomp_schedule* schedule, double done );

/// Tells the progress of a step that certifies. May be called by one thread at a time.
/// @param done  share of the step's time, 0 to 1, an estimate
/// @return false when there is no time left, or whoever is told has said so
bool bvdecomp_schedule_proof( bvdecomp_schedule* schedule, double done );

/// @param points  of the part that is to be made
/// @return whether it has to be made in a hurry
bool bvdecomp_schedule_is_late( const bvdecomp_schedule* schedule, uint32_t points );
