#!/usr/bin/python3
"""Tables and the plot of bench_deform: deform.py CSV SVG. Exits with 1 if a bar of the signal is missed."""

import collections
import csv
import math
import sys

import plots

BAD, GOOD, MOST_FALSE = 2, 1.2, 0.1
ESTIMATES = (
    ("signal", "surfaces of volumes over the geometric mean of the next two references"),
    ("triangles", "over the area of the triangles"),
    ("curve", "over a new tree along a Morton curve, of all triangles"),
    ("root", "over the surface of the root"),
    ("overlap", "mean over nodes of the surfaces of children over that of the node"),
)
WIDTH, LEFT, RIGHT, TOP, PANEL, GAP, ROW = 820, 60, 20, 100, 60, 40, 92


def read(path):
    runs = collections.OrderedDict()
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = (row["volume"], row["deformation"], int(row["variant"]), row["mesh"])
            runs.setdefault(key, []).append({k: float(v) for k, v in row.items() if k not in ("volume", "deformation", "mesh")})
    return runs


def true_ratio(row):
    return sum(row["refit_" + k] for k in ("far", "near", "deep")) / sum(row["again_" + k] for k in ("far", "near", "deep"))


def estimate(name, rows):
    over = {"triangles": "triangles", "curve": "morton", "root": "root"}
    if name == "signal":
        return [row["ratio"] for row in rows]
    values = [row["overlap"] if name == "overlap" else row["tests"] / row[over[name]] for row in rows]
    return [value / values[0] for value in values]


def first(values, holds):
    return next((i for i, value in enumerate(values) if holds(value)), None)


def frame(rows, index):
    return "-" if index is None else str(int(rows[index]["frame"]))


def correlation(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    return xy / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def runs_table(runs, volumes):
    """When a new tree would have paid, and when the signal was raised."""
    head = " | ".join(f"{v}: greatest | twice from | raised" for v in volumes)
    print(f"| deformation | mesh | {head} |")
    print("| --- | --- |" + " ---: | ---: | ---: |" * len(volumes))
    for key in [k for k in runs if k[0] == volumes[0]]:
        cells = []
        for volume in volumes:
            rows = runs.get((volume,) + key[1:])
            if not rows:
                cells += ["", "", ""]
                continue
            true = [true_ratio(row) for row in rows]
            cells += [f"{max(true):.2f}", frame(rows, first(true, lambda r: r >= BAD)), frame(rows, first(rows, lambda r: r["rebuild"] == 1))]
        print(f"| {key[1]} | {key[3]}{', held' if key[1] == 'cloth' and key[2] == 1 else ''} | " + " | ".join(cells) + " |")


def bars_table(runs, volumes):
    """@return how many bars are missed"""
    missed = 0
    print(f"\n| volumes | reach twice the cost | signal raised by then | alarms | false: less than {GOOD} times the cost | bar | met |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for volume in volumes:
        bad = in_time = alarms = false = 0
        for key, rows in runs.items():
            if key[0] != volume:
                continue
            true = [true_ratio(row) for row in rows]
            at = first(true, lambda r: r >= BAD)
            raised = first(rows, lambda r: r["rebuild"] == 1)
            bad += at is not None
            in_time += at is not None and raised is not None and raised <= at
            alarms += sum(row["rebuild"] == 1 for row in rows)
            false += sum(row["rebuild"] == 1 and r < GOOD for row, r in zip(rows, true))
        share = false / alarms if alarms else 0
        met = in_time == bad and share < MOST_FALSE
        missed += not met
        print(f"| {volume} | {bad} | {in_time} | {alarms} | {false} ({100 * share:.1f} %) | all; under {100 * MOST_FALSE:g} % | {'yes' if met else 'no'} |")
    return missed


def estimates_table(runs, volumes):
    """How good each estimate could be at best: with the greatest limit that is in time on all runs."""
    head = " | ".join(f"{v}: correlation | limit | false" for v in volumes)
    print(f"\n| estimate | {head} |")
    print("| --- |" + " ---: | ---: | ---: |" * len(volumes))
    for name, summary in ESTIMATES:
        cells = []
        for volume in volumes:
            points, needed = [], [math.inf]
            for key, rows in runs.items():
                if key[0] == volume:
                    true = [true_ratio(row) for row in rows]
                    guess = estimate(name, rows)
                    at = first(true, lambda r: r >= BAD)
                    needed += [max(guess[: at + 1])] if at is not None else []
                    points += list(zip(guess, true))[1:]
            limit = min(needed)
            raised = [t for g, t in points if g >= limit]
            false = sum(t < GOOD for t in raised)
            r = correlation([math.log(g) for g, _ in points], [math.log(t) for _, t in points])
            cells += [f"{r:.2f}", f"{limit:.2f}", f"{100 * false / max(1, len(raised)):.0f} %"]
        print(f"| {name}: {summary} | " + " | ".join(cells) + " |")


def rebuilds_table(runs, volumes):
    """What rebuilding a part of the triangles in each frame gives."""
    head = " | ".join(f"{v}: mean | greatest | reach twice | us per triangle" for v in volumes)
    print(f"\n| rebuilt in each frame | {head} |")
    print("| --- |" + " ---: | ---: | ---: | ---: |" * len(volumes))
    parts = [key[5:] for key in next(iter(runs.values()))[0] if key.startswith("cost_")]
    for part in [None] + parts:
        cells = []
        for volume in volumes:
            ratios, bad, micros = [], 0, []
            for key, rows in runs.items():
                if key[0] != volume:
                    continue
                again = [sum(row["again_" + k] for k in ("far", "near", "deep")) for row in rows]
                here = [(row["cost_" + part] if part else true_ratio(row) * a) / a for row, a in zip(rows, again)]
                ratios += here[1:]
                bad += max(here) >= BAD
                micros += [1e6 * row["rebuild_seconds_" + part] / row["rebuilt_" + part] for row in rows if part and row["rebuilt_" + part] > 0]
            mean = math.exp(sum(math.log(r) for r in ratios) / len(ratios))
            cells += [f"{mean:.2f}", f"{max(ratios):.2f}", str(bad), f"{sorted(micros)[len(micros) // 2]:.2f}" if micros else "-"]
        name = "nothing" if part is None else "all" if part == "1" else f"1 / {part} of the triangles"
        print(f"| {name} | " + " | ".join(cells) + " |")
    cells = []
    for volume in volumes:
        micros = sorted(1e6 * row["build_seconds"] / row["count"] for key, rows in runs.items() if key[0] == volume for row in rows)
        cells += ["1.00", "1.00", "0", f"{micros[len(micros) // 2]:.2f}"]
    print("| a new hierarchy, built by libbvbuild | " + " | ".join(cells) + " |")


def panel(rows, left, top, width):
    true = [true_ratio(row) for row in rows]
    guess = [row["ratio"] for row in rows]
    scale = plots.Scale([0.9, 10], top + PANEL, top)
    across = width / (len(rows) - 1)
    parts = []
    for value in (1, 2, 5, 10):
        parts.append(f'<path class="grid" d="M{left} {scale.at(value):.1f}h{width}"/>')
    for values, kind in ((true, "ours"), (guess, "second")):
        points = " ".join(f"{left + across * i:.1f},{scale.at(min(max(v, 0.9), 10)):.1f}" for i, v in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{plots.COLOURS[kind]}" stroke-width="1.5"/>')
    raised = "".join(f"M{left + across * i:.1f} {top + PANEL + 2}v6" for i, row in enumerate(rows) if row["rebuild"] == 1)
    parts.append(f'<path d="{raised}" stroke="{plots.COLOURS["third"]}" stroke-width="3"/>')
    parts.append(f'<path class="axis" d="M{left} {top}v{PANEL}h{width}"/>')
    return parts


def draw(runs, volumes, path):
    names = list(dict.fromkeys(key[1] for key in runs))
    width = (WIDTH - LEFT - RIGHT - GAP * (len(volumes) - 1)) / len(volumes)
    parts = plots.legend([("measured", "ours")], 420, 70) + plots.legend([("estimated", "second")], 540, 70) + plots.legend([("raised", "third")], 670, 70)
    for i, name in enumerate(names):
        top = TOP + 24 + i * ROW
        for k, volume in enumerate(volumes):
            rows = next((rows for key, rows in runs.items() if key[:3] == (volume, name, 0)), None)
            left = LEFT + k * (width + GAP)
            if rows:
                parts += panel(rows, left, top, width)
            parts.append(plots.text(left, top - 6, f"{name}, {volume}", "small"))
            for value in (1, 2, 5, 10):
                parts.append(plots.text(left - 6, plots.Scale([0.9, 10], top + PANEL, top).at(value) + 4, str(value), "small", "end"))
    height = TOP + 24 + len(names) * ROW + 20
    parts.append(plots.text(WIDTH / 2, height - 8, "frames 0 to 60; frames with the signal are marked below the axis", "small", "middle"))
    plots.write(path, WIDTH, height, "Cost of queries with a refitted hierarchy over that with a new one",
                "Weighted tests of bv_mesh_collide near contact; up to 10 times; the first mesh of each deformation", parts)


def main():
    runs = read(sys.argv[1])
    volumes = list(dict.fromkeys(key[0] for key in runs))
    runs_table(runs, volumes)
    missed = bars_table(runs, volumes)
    estimates_table(runs, volumes)
    rebuilds_table(runs, volumes)
    draw(runs, volumes, sys.argv[2])
    return missed > 0


sys.exit(main())
