// Ends the region of AVX2 code that level_avx2.h begins.

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
