// See math.h. intrin.h includes it and names this type.

#pragma once

typedef struct _SETJMP_FLOAT128
{
	unsigned long long part[2];
} SETJMP_FLOAT128;
typedef SETJMP_FLOAT128 jmp_buf[16];
