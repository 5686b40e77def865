"""Statistics over a few runs, and tables as text."""
import math
import statistics

median = statistics.median


def quartiles(values):
    """The first and the third."""
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def variation(values):
    """Coefficient of variation, in percent."""
    return 100 * statistics.stdev(values) / statistics.mean(values)


def geometric_mean(values):
    """Of values that may be zero, which then count as a thousandth."""
    return math.exp(statistics.mean(math.log(max(value, 1e-3)) for value in values))


def spread(values, form="{:.2f}"):
    """The median, and in parentheses the quartiles."""
    first, third = quartiles(values)
    return f"{form} ({form} .. {form})".format(median(values), first, third)


def extremes(values, form="{:.2f}"):
    """The median, and in parentheses the least and the most."""
    return f"{form} ({form} .. {form})".format(median(values), min(values), max(values))


class Table:
    """A table that is printed as a whole, with what it should show above it."""

    def __init__(self, title, target, *columns):
        self.title, self.target, self.rows, self.notes = title, target, [columns], []

    def row(self, *cells):
        cells = tuple(map(str, cells))
        self.rows.append(cells + ("",) * (len(self.rows[0]) - len(cells)))

    def note(self, text):
        self.notes.append(text)

    def __str__(self):
        widths = [max(map(len, column)) for column in zip(*self.rows)]
        columns, *rows = self.rows
        line = lambda row: "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
        lines = [f"## {self.title}", f"target: {self.target}", "", line(columns)]
        lines += [line(["-" * width for width in widths]), *map(line, rows), *self.notes]
        return "\n".join(lines) + "\n"


def met(is_met):
    return "met" if is_met else "MISSED"


def ratio(of, to, most=None):
    """The ratio of two medians and, if there is a limit, whether it is kept. A dash without the other side."""
    if not (of and to):
        return "-"
    value = median(of) / median(to)
    return f"{value:.2f}" if most is None else f"{value:.2f} {met(value <= most)}"
