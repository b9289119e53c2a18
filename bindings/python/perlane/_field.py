# SPDX-License-Identifier: MIT
"""Field, a noise of options, and Expression, which combines fields."""

from __future__ import annotations

import operator
import re
import reprlib
from ctypes import addressof, c_char_p, c_double, c_uint64, c_void_p
from functools import partial
from inspect import Parameter, Signature
from itertools import count
from typing import TYPE_CHECKING, Any, Callable, Union

import numpy as np
from numpy.typing import NDArray

from ._arguments import finite, sequence
from ._library import CellArrays, Grid, NoiseMemory, Params, check, library, text_of
from ._map import map_of
from ._noise import Addresses, Floats, Members, Noise, Reals, Wholes
from ._options import LOOKS, OPTIONS, encode, set_option, set_text, value_of
from ._tables import TABLES, set_tables, split_tables, table_of, table_words

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import Attributes, Keywords, Look, Preset
else:
    Attributes = object


class Cells(Members):
    """Cells of cellular noise, a grid of each: what Field.cells returns. id, f1, f2, dx, dy = cells."""

    id: NDArray[np.uint32]
    """Number of the cell of the nearest point, which all samples of its region share."""
    f1: Floats
    """Distance to the nearest point, in cells."""
    f2: Floats
    """Distance to the second nearest point, in cells."""
    dx: Floats
    """Offset of the nearest point along x, in units of position."""
    dy: Any = None
    """None without this axis, as dz."""
    dz: Any = None
    edge: Any = None
    """Distance to the border of the nearest point's region, in cells; the last, if asked for."""


class Scattered(Members):
    """Points of cellular noise, an array of each: what Field.scatter returns. x, y, id, number = points."""

    x: NDArray[np.float64]
    """Position along x."""
    y: Any = None
    """None without this axis, as z."""
    z: Any = None
    id: NDArray[np.uint32]
    """Number of the point's cell, as Cells.id."""
    number: Floats
    """Another, evenly distributed in -1 .. 1: compare it with a density."""


class Operand(Noise):
    """A noise that is an operand of operators and functions, which return expressions."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Expression:
        call = _FUNCTIONS.get(ufunc.__name__)
        if call is None or method != "__call__" or options:
            name = f"numpy.{ufunc.__name__}"
            raise TypeError(f"{name} takes no fields: fill first, as in {name}(field.fill(shape))")
        made: Expression = call(*[a if isinstance(a, Operand) else _number(a) for a in operands])
        return made

    def __add__(self, other: Operable) -> Expression:
        return _sum(self, "+", other)

    def __radd__(self, other: Operable) -> Expression:
        return _sum(other, "+", self)

    def __sub__(self, other: Operable) -> Expression:
        return _sum(self, "-", other)

    def __rsub__(self, other: Operable) -> Expression:
        return _sum(other, "-", self)

    def __mul__(self, other: Operable) -> Expression:
        return _product(self, "*", other)

    def __rmul__(self, other: Operable) -> Expression:
        return _product(other, "*", self)

    def __truediv__(self, other: Operable) -> Expression:
        return _product(self, "/", other)

    def __rtruediv__(self, other: Operable) -> Expression:
        return _product(other, "/", self)

    def __and__(self, other: Operable) -> Expression:
        return minimum(self, other)

    def __or__(self, other: Operable) -> Expression:
        return maximum(self, other)

    def __invert__(self) -> Expression:
        return 1 - self

    __rand__, __ror__ = __and__, __or__

    def __neg__(self) -> Expression:
        return _combine("-{}", _OPERAND, (self, _OPERAND))

    def __abs__(self) -> Expression:
        return _call("abs", self)

    def __ge__(self, other: Operable) -> Expression:
        return step(other, self)

    def __le__(self, other: Operable) -> Expression:
        return step(self, other)

    def __lt__(self, other: Operable) -> Expression:
        return 1 - step(other, self)

    def __gt__(self, other: Operable) -> Expression:
        return 1 - step(self, other)


class _Value:
    """An option or a table as an attribute."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, field: Field | None, owner: Any = None) -> Any:
        if field is None:
            return self
        is_table = self.name in TABLES
        return field._tables.get(self.name) if is_table else value_of(field._params, self.name)

    def __set__(self, field: Field, value: Any) -> None:
        change = f"{self.name}={reprlib.repr(value)}"
        raise AttributeError(f"fields do not change: field.replace({change}) returns another")


class Field(Operand, Attributes):
    """A field of noise: a function from a position of 1 to 4 coordinates to one float.

    ``Field("octaves=8 seed=7")``, ``Field(octaves=8, seed=7)`` and both together: keywords come
    after the text. The same text makes the same bits here, in C, in the command and in JavaScript.
    Fields are immutable and may be used by any number of threads at once.

    Positions and shapes of grids are rows first, as in NumPy: x is the last axis. Points, and
    options with a value for each axis, are x first.

    Raises a TypeError for an unknown option or a value of the wrong type, a ValueError for a value
    that is not accepted; both name the option and what it accepts.

    >>> Field(seed=7, octaves=8, fractal="ridged")
    Field('seed=7 octaves=8 fractal=ridged')
    >>> Field(octaves=33)
    Traceback (most recent call last):
    ValueError: octaves must be a whole number from 1 to 32, not 33
    """

    __slots__ = ("_look", "_params", "_tables")

    def __init__(self, text: str | None = None, /, **options: Unpack[Keywords]) -> None:
        params = Params()
        library.perlane_params_init(params)
        text, tables = split_tables(text)
        if text is not None:
            set_text(params, text)
        for name, value in options.items():
            if name in TABLES:
                tables.pop(name, None)
                if value is not None:
                    tables[name] = table_of(name, value)
            else:
                set_option(params, name, value)
        set_tables(params, tables, options)
        noise = NoiseMemory()
        check(library.perlane_init(noise, params), library.perlane_explain_params, params)
        self._noise = noise  # it refers to the gradient grid, which the tables keep alive
        self._look = None
        self._params = params
        self._tables = tables
        self._text = text_of(library.perlane_params_print, params)
        warp = self.warp_rounds * self.warp_octaves * 8 if self.warp_amplitude else 0
        self._cost = (self.octaves + warp) * (8 if self.basis == "cellular" else 1)

    @classmethod
    def preset(cls, name: Preset, /, **options: Unpack[Keywords]) -> Field:
        """Returns the field of another noise library, one of ``perlane.PRESETS``, with changes.

        >>> Field.preset("improved", frequency=1).points(3.14, 42, 7)
        0.13691994547843933
        """
        if name in LOOKS:
            raise ValueError(f"{name!r} is a look, not a preset: Field.look({name!r})")
        return cls("preset=" + "?".join(str(name).split()), **options)

    @classmethod
    def look(cls, name: Look, /, width: float = 1024, **options: Unpack[Keywords]) -> Field:
        """Returns a look, one of ``perlane.LOOKS``, with changes, for grids of this width.

        >>> Field.look("island", width=256, seed=7).fill((256, 256)).shape
        (256, 256)
        """
        params = Params()
        if name not in LOOKS:
            raise ValueError(f"look must be one of {', '.join(LOOKS)}, not {name!r}")
        if library.perlane_look(params, encode(name), finite("width", width)) != 0:
            raise ValueError(f"width: expected a number from 1 to 2^53, not {width!r}")
        field = cls(text_of(library.perlane_params_print, params), **options)
        field._look = name, width
        return field

    # ---- Identity ----

    def options(self) -> dict[str, Any]:
        """Returns the value of every option, and the tables. ``Field(**field.options())`` is equal.

        Each is an attribute, too.

        >>> field = Field("octaves=8", period=4)
        >>> field.octaves, field.options()["period"]
        (8, (4, 4, 4, 4))
        """
        return {**{name: value_of(self._params, name) for name in OPTIONS}, **self._tables}

    def replace(self, **changes: Unpack[Keywords]) -> Field:
        """Returns a field with other values of some options. ``copy.replace`` does the same.

        >>> Field(seed=7, octaves=8).replace(octaves=4)
        Field('seed=7 octaves=4')
        """
        # A table selects what uses it.
        chosen = {"gradients" if n == "gradient_table" else "hash" for n in changes if n in TABLES}
        words = [each for each in self._text.split() if each.partition("=")[0] not in chosen]
        tables: Any = self._tables
        field = type(self)(" ".join(words), **{**tables, **changes})
        field._look = self._look
        return field

    __replace__ = replace

    def _identity(self) -> tuple[Any, ...]:
        tables = sorted((name, a.shape, a.tobytes()) for name, a in self._tables.items())
        return (self._text, *tables)

    def __repr__(self) -> str:
        tables = "".join(f", {name}=<{a.dtype} {a.shape}>" for name, a in self._tables.items())
        return f"Field({self._text!r}{tables})"

    def __reduce__(self) -> tuple[Any, ...]:
        tables: Any = self._tables
        return partial(type(self), **tables), (self._text,), (None, {"_look": self._look})

    def _words(self) -> tuple[list[str], list[str]]:
        return self._text.split(), table_words(self._tables)

    def _rivers(self) -> Noise:
        if self.valleys == 0:
            return super()._rivers()
        plain: Any = {"contrast": 1, "curve": None, "terraces": 0, "value_scale": -1, "value_offset": 0.875}
        return self.replace(valley_output="river", **plain)

    def at(self, *position: Operable) -> Expression:
        """Returns the field at another position, 1 to 4 coordinates, which may be expressions.

        One that begins with a coordinate, ``perlane.x + 20 * a``, is added to it in double.

        >>> hills, a = Field(seed=1, octaves=6), Field(seed=2)
        >>> hills.at(perlane.x + 20 * a, perlane.y).formula
        'at(x + 20 * f1, y, f2)'
        """
        return _call("at", *position, self)

    def cells(
        self, shape: Wholes, *, first: Wholes = 0, origin: Reals = 0, step: Reals = 1,
        threads: int = 1, edge: bool = False,
    ) -> Cells:  # fmt: skip
        """Returns which cell of cellular noise each sample of a grid belongs to, and its point.

        Other fields can be evaluated at the point, so that they have one value for each region.
        Arguments are those of ``fill``; with edge=True the distance to borders is among the results.
        Raises a ValueError unless basis="cellular", and with edge unless cell_metric="euclidean".

        >>> cells = Field(basis="cellular", frequency=0.05).cells((48, 64))
        >>> y, x = np.mgrid[:48, :64]
        >>> temperature = Field(seed=3).points(x + cells.dx, y + cells.dy)
        """
        map_ = map_of(self, shape, first=first, origin=origin, step=step)
        dims = map_.ndim

        def call(piece: Grid, id: int, f1: int, f2: int, *at: int) -> Any:
            to = CellArrays(id, Addresses(*at[:dims]), f1, f2, *at[dims:])
            return library.perlane_fill_cells(self._noise, piece, to)

        names = ["id", "f1", "f2", "dx", "dy", "dz"][: 3 + dims] + ["edge"] * bool(edge)
        arrays = dict(zip(names, self._run(map_, threads, call, count=len(names))))
        arrays["id"] = arrays["id"].view(np.uint32)
        return Cells(**arrays)

    def scatter(self, low: Reals, high: Reals) -> Scattered:
        """Returns the points of cellular noise in a box, to place things at: one in each cell.

        low, high: the box's corners, x first, 1 to 3 coordinates: the points from low up to, but
            without, high, so that boxes side by side have each point once. They come cell by cell.

        Points whose number is below a field's value there have that field as density. A smaller jitter
        keeps points apart. Raises a ValueError unless basis="cellular", and for a field with a warp.

        >>> trees = Field(seed=4, basis="cellular", frequency=0.2).scatter((0, 0), (300, 200))
        >>> forest = Field(seed=5, frequency=0.02, octaves=3).points(trees.x, trees.y)
        >>> kept = trees.number < forest
        """
        corners = [sequence(each) or [each] for each in (low, high)]
        dims = len(corners[0])
        if not 1 <= dims <= 3 or len(corners[1]) != dims:
            raise ValueError("low and high must have as many coordinates, 1 to 3")
        ends = [(c_double * dims)(*(finite(name, v) for v in c)) for name, c in zip(("low", "high"), corners)]
        count = c_uint64()
        arguments = self._noise, dims, *ends
        check(library.perlane_scatter(*arguments, 0, None, None, None, count))
        room = count.value
        axes = [np.empty(room) for _ in range(dims)]
        ids, numbers = np.empty(room, np.uint32), np.empty(room, np.float32)
        to = (c_void_p * dims)(*(axis.ctypes.data for axis in axes))
        check(library.perlane_scatter(*arguments, room, to, ids.ctypes.data, numbers.ctypes.data, count))
        return Scattered(**dict(zip("xyz", axes)), id=ids, number=numbers)


_SUM, _PRODUCT, _OPERAND = range(3)  # how tightly a formula's parts are bound
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*", re.ASCII)  # no exponent of a number
_DEFINITION = re.compile(r"(?:[\s;]|#.*\n)*([A-Za-z_]\w*)\s*=([^;\n#]*)", re.ASCII)


def _plain(text: str) -> str:
    """The text with the expressions and looks in the place of their names: definitions of fields, and a formula."""
    noise, fields = NoiseMemory(), (NoiseMemory * 16)()
    check(library.perlane_expression_init_text(noise, encode(text), 16, fields, None))
    *definitions, formula = text_of(library.perlane_expression_text, noise).split(";")
    parts: dict[str, str] = {}

    def whole(text: str) -> str:
        return _NAME.sub(lambda found: parts.get(found[0], found[0]), text)

    kept = []
    for definition in definitions:
        name, value = definition.split("=", 1)
        if value and "=" not in value:
            parts[name] = f"({whole(value)})"
        else:
            kept.append(definition)
    return ";".join([*kept, whole(formula)])


class Expression(Operand):
    """Fields combined by operations on their values, with a field's grids, points and files.

    Operators and functions such as ``perlane.minimum`` return it. They take fields, expressions,
    numbers, and the coordinates ``perlane.x`` to ``perlane.w``. A comparison is 1 where it is true
    and 0 elsewhere; ``&`` is the minimum, ``|`` the maximum, ``~a`` is 1 - a. ``Expression`` reads a text, whose fields are keywords or defined in the text.

    >>> plains, peaks = Field(octaves=4), Field(seed=2, octaves=6, fractal="ridged")
    >>> land = perlane.where(plains < 0.1, plains, peaks - 0.01 * perlane.y)
    >>> land.fill((480, 640)).dtype
    dtype('float32')
    >>> Expression("max(a, b)", a=plains, b=peaks)
    Expression('max(a, b)', a=Field('octaves=4'), b=Field('seed=2 octaves=6 fractal=ridged'))
    >>> Expression("a = octaves=4; max(a, 0)").text
    'a=octaves=4;max(a,0)'

    Raises a ValueError for a text that is no expression, or exceeds the limits of the C library.
    """

    __slots__ = ("_fields", "_formula", "_level")

    def __init__(self, text: str, /, **fields: Field) -> None:
        if not isinstance(text, str):
            raise TypeError(f"Expression: expected a text, not {text!r:.200}")
        for name, field in fields.items():
            if not isinstance(field, Field):
                raise TypeError(f"{name}: expected a perlane.Field, not {field!r:.200}")
        option = encode(" ".join(["expression", *(name.replace(" ", r"\x20") for name in fields)]))
        if problem := text_of(library.perlane_explain_text, option, encode(text)):
            raise ValueError(problem)
        whole, is_defined = text, not fields  # in the text
        while is_defined and (definition := _DEFINITION.match(text)):
            options = definition[2].strip()
            if options.startswith("look=") or (options and "=" not in options):
                text = _plain(whole)
                fields.clear()
                continue
            fields[definition[1]] = Field(options)
            text = text[definition.end() :]
        self._formula = " ".join(re.sub("#.*", "", text).split()).strip("; ")
        self._level = _OPERAND if _NAME.fullmatch(self._formula) else _SUM
        self._fields = fields  # which the noise refers to
        self._cost = 1 + sum(field._cost for field in fields.values())
        self._noise = NoiseMemory()
        names = (c_char_p * len(fields))(*map(encode, fields))
        noises = (c_void_p * len(fields))(*[addressof(each._noise) for each in fields.values()])
        given = encode(self._formula), len(fields), names
        check(library.perlane_expression_init(self._noise, *given, noises))
        self._text = text_of(library.perlane_expression_text, self._noise)

    @property
    def formula(self) -> str:
        """The expression without the definitions of its fields."""
        return self._formula

    @property
    def fields(self) -> dict[str, Field]:
        """The fields by their names in the formula."""
        return dict(self._fields)

    def _identity(self) -> tuple[Any, ...]:
        tables = ((n, f._identity()) for n, f in self._fields.items() if f._tables)
        return (self._text, *sorted(tables))

    def __repr__(self) -> str:
        fields = "".join(f", {name}={field!r}" for name, field in self._fields.items())
        return f"Expression({self._formula!r}{fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._fields), (self._formula,)

    def __bool__(self) -> bool:
        raise TypeError(
            "an expression is neither true nor false: use perlane.where, minimum and maximum, "
            "and (low < a) & (a < high) for a between two values"
        )

    def _words(self) -> tuple[list[str], list[str]]:
        for name, field in self._fields.items():
            if field._tables:
                raise ValueError(f"{name}: an expression with tables cannot be written as text")
        return [f"expression={self._text.replace(' ', '&')}"], []  # one word


Operable = Union[Operand, float]  # what operators and functions take


# ---- Operations ----


def _number(value: Any) -> float:
    return finite("operand", value, "a Field, an Expression or a finite number")


def _word(value: Any, least: int, fields: dict[str, Field]) -> str:
    """Returns an operand as text, in parentheses if needed, and adds its fields to `fields`."""
    if isinstance(value, Expression):
        formula, level, own = value._formula, value._level, value._fields
    elif isinstance(value, Field):
        formula, level, own = "f1", _OPERAND, {"f1": value}
    else:
        number = repr(_number(value))
        return number[:-2] if number.endswith(".0") else number
    names = {}
    for name, field in own.items():
        known = next((n for n, f in fields.items() if f == field), name)
        numbers = count(2)
        while fields.get(known, field) != field:
            known = f"{name.rstrip('0123456789')}{next(numbers)}"
        fields[known] = field
        names[name] = known
    text = _NAME.sub(lambda found: names.get(found[0], found[0]), formula)
    return text if level >= least else f"({text})"


def _combine(form: str, level: int, *operands: tuple[Any, int]) -> Expression:
    """Returns a formula of operands, each with the level from which it needs no parentheses."""
    fields: dict[str, Field] = {}
    result = Expression(form.format(*[_word(*each, fields) for each in operands]), **fields)
    result._level = level
    return result


def _sum(a: Any, sign: str, b: Any) -> Expression:
    return _combine(f"{{}} {sign} {{}}", _SUM, (a, _SUM), (b, _PRODUCT))


def _product(a: Any, sign: str, b: Any) -> Expression:
    return _combine(f"{{}} {sign} {{}}", _PRODUCT, (a, _PRODUCT), (b, _OPERAND))


def _call(name: str, *operands: Any) -> Expression:
    form = f"{name}({', '.join(['{}'] * len(operands))})"
    return _combine(form, _OPERAND, *[(each, _SUM) for each in operands])


def minimum(a: Operable, b: Operable) -> Expression:
    """Returns the smaller of two values, at each position."""
    return _call("min", a, b)


def maximum(a: Operable, b: Operable) -> Expression:
    """Returns the larger of two values."""
    return _call("max", a, b)


def sqrt(a: Operable) -> Expression:
    """Returns the square root, NaN for values below 0."""
    return _call("sqrt", a)


def floor(a: Operable) -> Expression:
    """Returns the largest whole number that is not above the value."""
    return _call("floor", a)


def mix(a: Operable, b: Operable, t: Operable) -> Expression:
    """Returns a blend: a where t is 0, b where t is 1."""
    return _call("mix", a, b, t)


def where(condition: Operable, a: Operable, b: Operable) -> Expression:
    """Returns b where the condition is below 0.5, a elsewhere; the other may be NaN there.

    condition: a comparison such as ``field < 0.2``, a product of comparisons, or any mask. `mix`
    blends by a mask.

    >>> perlane.where(perlane.x < 10, 1, 2).points([9, 10])
    array([1., 2.], dtype=float32)
    """
    return _call("select", b, a, condition)


def clamp(a: Operable, low: Operable, high: Operable) -> Expression:
    """Returns the value limited to the range from `low` to `high`."""
    return _call("clamp", a, low, high)


def smooth(low: Operable, high: Operable, a: Operable) -> Expression:
    """Returns smoothstep: 0 up to `low`, 1 from `high` on, smooth in between."""
    return _call("smooth", low, high, a)


def step(edge: Operable, a: Operable) -> Expression:
    """Returns 0 where the value is below `edge`, 1 elsewhere."""
    return _call("step", edge, a)


def smooth_min(a: Operable, b: Operable, k: float) -> Expression:
    """Returns the smaller of two values, its crease rounded where they are closer than k."""
    return _call("smooth_min", a, b, k)


def smooth_max(a: Operable, b: Operable, k: float) -> Expression:
    """Returns the larger of two values, its crease rounded where they are closer than k."""
    return _call("smooth_max", a, b, k)


_FUNCTIONS: dict[str, Callable[..., Any]] = {  # by the names of NumPy's; operators of its numbers, too
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "negative": operator.neg, "absolute": abs, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge, "bitwise_and": operator.and_,
    "bitwise_or": operator.or_, "invert": operator.invert, "minimum": minimum, "maximum": maximum,
    "sqrt": sqrt, "floor": floor,
}  # fmt: skip
x, y, z, w = map(Expression, "xyzw")  # the coordinates of the position


def _describe() -> None:
    """Gives Field the options as keywords and attributes, and their sentences."""
    options = OPTIONS.values()
    keywords = {**{option.name: option.default for option in options}, **dict.fromkeys(TABLES)}
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=d) for name, d in keywords.items()
    ]
    for name in keywords:
        setattr(Field, name, _Value(name))
    text = Parameter("text", Parameter.POSITIONAL_ONLY, default=None)
    setattr(Field, "__signature__", Signature([text, *parameters]))
    lines = [f"{o.name}: {o.summary} Accepts {o.accepts}; default {o.default}." for o in options]
    lines += [f"{name}: {accepts}." for name, accepts in TABLES.items()]
    Field.__doc__ = "\n    ".join([Field.__doc__ or "", "Options:\n", *lines]) + "\n"


_describe()
