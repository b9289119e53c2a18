# SPDX-License-Identifier: MIT
"""Reads SPIR-V: which floating-point operations may be contracted, which values may lose precision."""

import struct

FLOAT_OPERATIONS = {127, 129, 131, 133, 136, 140, 141}  # negate, + - * / and remainders
DECORATE, NO_CONTRACTION, RELAXED = 71, 42, 0


def instructions(binary):
    """Yields the opcode and the operands of each instruction."""
    words = struct.unpack(f"<{len(binary) // 4}I", binary)
    at = 5
    while at < len(words):
        length = words[at] >> 16
        yield words[at] & 0xFFFF, words[at + 1:at + length]
        at += length


def relaxed(binary):
    """Returns the number of values that may have less precision than floats."""
    return sum(op == DECORATE and args[1] == RELAXED for op, args in instructions(binary))


def contractible(binary):
    """Returns the number of floating-point operations, and of those that may be contracted."""
    decorated = {args[0] for op, args in instructions(binary)
                 if op == DECORATE and args[1] == NO_CONTRACTION}
    results = [args[1] for op, args in instructions(binary) if op in FLOAT_OPERATIONS]
    return len(results), sum(result not in decorated for result in results)
