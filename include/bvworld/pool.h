// One budget for many searches and sweeps: where it narrows their answers most.
//
//     #include <bvworld/pool.h>
//
//     // Spends up to 10,000 tests on searches of a frame.
//     void narrow( bv_search** searches, uint32_t count, bvw_pool_item* items, void* scratch )
//     {
//         for ( uint32_t i = 0; i < count; ++i )
//             items[i] = ( bvw_pool_item ){ .search = searches[i] };
//         const bv_budget budget = { .tests = 10000 };
//         bvw_pool_report report;
//         bvw_pool_run( items, count, NULL, &budget, scratch, bvw_pool_bytes( count ), &report );
//     }
//
// The widest answer gets the next tests, so that the widest one of all becomes as narrow as possible. Answers are sound whenever the
// budget is spent: see bv/search.h, and bv_sweep_begin in bv/motion.h.
//
// Experimental: may change until the next minor version.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, section 8.1, has a shared container of
// all pairs, and even and weighted shares.

#pragma once

#include "bv/motion.h"
#include "bv/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A search or a sweep of a pool. Zero-initialize it and set one of the two pointers. Keep it from run to run.
typedef struct bvw_pool_item
{
	bv_search* search; ///< null for a sweep
	bv_sweep* sweep;   ///< null for a search

	/// Factor of `width`, for example larger for what is near the viewer; from 2^-100 to 2^100. Default 0, which stands for 1.
	double weight;

	/// Set by runs: `weight` times the width of the answer, 0 when it is done. Of searches upper - lower; of sweeps the time from `lower` to
	/// `upper`, or to 1 if that is infinite.
	double width;

	bool is_known; ///< `width` is set. Reset it when you run the search otherwise
	bool
		is_done; ///< set by runs: the search is finished, or a callback of the sweep has no valid pose: see bv_sweep_run
	uint64_t tests; ///< set by runs: tests that the search has taken since it began
} bvw_pool_item;

/// How a budget is spent.
typedef enum bvw_pool_rule
{
	bvw_pool_widest = 0, ///< the item with the greatest width gets the next tests
	bvw_pool_shares, ///< each item gets a share by its weight; tests that it does not need are lost. To be compared with the other one
	bvw_pool_rules,  ///< the number of rules
} bvw_pool_rule;

/// Options of bvw_pool_run. Zero-initialized options are the defaults.
typedef struct bvw_pool_options
{
	bvw_pool_rule rule; ///< default bvw_pool_widest
	double enough;      ///< items that are no wider get no tests; not negative; default 0
	uint32_t
		slice; ///< tests that the widest item gets at a time; default 0: 8 to 64, by the budget and the number of items
} bvw_pool_options;

/// @return the defaults listed in bvw_pool_options
bvw_pool_options bvw_pool_options_default( void );

/// What a run did.
typedef struct bvw_pool_report
{
	double widest;  ///< greatest width of an item; 0 if all are done
	uint32_t index; ///< of that item, the first one of several; 0 without items
	uint32_t open;  ///< items that are not done and wider than `enough`
	uint64_t tests; ///< taken by this run
} bvw_pool_report;

/// @param count  of items
/// @return the size of the scratch memory of a run, bytes
size_t bvw_pool_bytes( uint32_t count );

/// Continues searches and sweeps until all are done, or narrow enough, or the budget is spent.
///
/// With a budget of tests alone, the result depends on nothing else. The first run computes the width of each item, which takes about
/// a microsecond each whatever the budget is.
/// @param items    `count` of them; searches and sweeps must differ
/// @param options  null for the defaults
/// @param budget   null for no limit
/// @param scratch  4-byte aligned; holds nothing afterwards
/// @param bytes    its size, at least bvw_pool_bytes( count )
/// @param report   receives what the run did; null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if `items` or `scratch` is null although there are items, an item has not exactly
/// one pointer or an invalid weight, an option is out of range, `until` is NaN with `now`, or the memory is misaligned; bv_error_memory,
/// and nothing changes, if it is too small
bv_status bvw_pool_run( bvw_pool_item* items, uint32_t count, const bvw_pool_options* options,
                        const bv_budget* budget, void* scratch, size_t bytes, bvw_pool_report* report );

#ifdef __cplusplus
}
#endif
