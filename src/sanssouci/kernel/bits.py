"""Sets of numbers as integers: counting the members, and finding one of them.

Compiled, ``bits.bit_count()`` is one instruction (POPCNT). Finding the n-th member is one too (PDEP) on x86
machines with BMI2; the plain loop below serves all others.
"""

import platform
from collections.abc import Callable
from typing import Any

from .compiler import COMPILES, compiled

if COMPILES:
    import llvmlite.binding
    import numba
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload_method

    _WORD = ir.IntType(64)

    @intrinsic  # type: ignore[untyped-decorator]
    def _count(_typing: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            count = builder.module.declare_intrinsic("llvm.ctpop", [_WORD])
            return builder.call(count, arguments)

        return types.int64(types.int64), generate

    @overload_method(types.Integer, "bit_count")  # type: ignore[untyped-decorator]
    def _bit_count(bits: Any) -> Callable[[Any], Any]:
        def count(bits: Any) -> Any:
            return _count(bits)

        return count

    def _deposits_bits() -> bool:
        """Whether the machine that Numba compiles for has the instruction PDEP."""
        chosen = numba.config.CPU_NAME or numba.config.CPU_FEATURES
        x86 = platform.machine().lower() in ("x86_64", "amd64")
        return x86 and not chosen and bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))

    @intrinsic  # type: ignore[untyped-decorator]
    def _deposit(_typing: Any, _bit: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(_WORD, [_WORD, _WORD])
            deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
            return builder.call(deposit, arguments)

        return types.int64(types.int64, types.int64), generate


@compiled
def first(bits: int) -> int:
    """The smallest member of a set."""
    return ((bits & -bits) - 1).bit_count()  # the lowest bit, less one, has a bit for every smaller number


if COMPILES and _deposits_bits():

    @compiled
    def member(bits: int, place: int) -> int:
        """The member of a set that has ``place`` smaller ones."""
        return first(_deposit(1 << place, bits))  # PDEP moves bit ``place`` to the place-th bit of the mask

else:

    @compiled
    def member(bits: int, place: int) -> int:
        """The member of a set that has ``place`` smaller ones."""
        for _ in range(place):
            bits &= bits - 1  # drops the smallest member
        return first(bits)
