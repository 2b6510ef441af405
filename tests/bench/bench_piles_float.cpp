// bench_piles with Bullet in single precision, on the poses that bench_piles has written: one program cannot have both.

#include "tests/bench/bench_piles.cpp" // NOLINT

static_assert( sizeof( btScalar ) == sizeof( float ), "Bullet's single precision build" );
