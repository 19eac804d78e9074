import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

/**
 * A series of numbers. The legend shows its `name`. `as`: the numbers are drawn as parts of stacked columns, or as a
 * line in front of the columns.
 */
export interface Series {
  readonly name: string;
  readonly as: 'column' | 'line';
}

/** The numbers of a chart. `values` are in the order of `series`. */
export interface ChartData {
  /** The title that screen readers read. */
  readonly title: string;
  readonly series: readonly Series[];
  /** `axis`: a shorter label for the axis. */
  readonly points: readonly { readonly label: string; readonly axis?: string; readonly values: readonly number[] }[];
}

/** The geometry of a chart, which views/chart.eta draws as SVG. Each `series` is an index into `legend`. */
export interface Chart {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** The edges of the area with the columns. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly legend: readonly Series[];
  readonly columns: readonly {
    readonly series: number;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly text: string;
  }[];
  readonly lines: readonly { readonly series: number; readonly path: string }[];
  readonly grid: readonly { readonly y: number; readonly text: string }[];
  readonly labels: readonly { readonly x: number; readonly text: string }[];
}

const [WIDTH, HEIGHT] = [480, 200];
/** On a phone, the letters of the labels are 21 units high (style.css). The margins have space for them. */
const MARGINS = { top: 14, right: 28, bottom: 46, left: 52 };
const GRID_LINES = 4;
/** In the unit of `WIDTH`. Without a maximum, a chart with few points would have very wide columns. */
const MAX_COLUMN_WIDTH = 56;
/** Maximum number of labels. More labels would overlap on a phone. */
const MAX_LABELS = 4;

/** Computes the layout of a chart: stacked columns from zero, lines in front of them, a grid of whole numbers. */
export function chartOf({ title, series, points }: ChartData): Chart {
  const [left, right, bottom] = [MARGINS.left, WIDTH - MARGINS.right, HEIGHT - MARGINS.bottom];
  const x = scaleBand<number>(
    points.map((_, index) => index),
    [left, right],
  ).padding(0.15);
  const maximum = Math.max(1, ...points.map(({ values }) => heightOf(series, values)));
  const y = scaleLinear([0, maximum], [bottom, MARGINS.top]).nice(GRID_LINES);
  const centre = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2;
  const width = Math.min(x.bandwidth(), MAX_COLUMN_WIDTH);
  const path = line<number>(
    (_, index) => centre(index),
    (value) => y(value),
  ).digits(1);
  // A line needs two points. The value of a single point is drawn as a horizontal line across the whole chart.
  const lineOf = (values: readonly number[]) =>
    values.length === 1 ? `M${left},${rounded(y(values[0] ?? 0))}H${right}` : (path([...values]) ?? '');

  return {
    title,
    width: WIDTH,
    height: HEIGHT,
    left,
    right,
    bottom,
    legend: series,
    columns: points.flatMap(({ label, values }, index) => {
      let stacked = 0;
      return series.flatMap(({ name, as }, n) => {
        const value = values[n] ?? 0;
        if (as !== 'column' || value === 0) return [];
        const [high, low] = [y(stacked + value), y(stacked)];
        stacked += value;
        const text = `${label}: ${name} ${value}`;
        return [
          {
            series: n,
            x: rounded(centre(index) - width / 2),
            y: rounded(high),
            width: rounded(width),
            height: rounded(low - high),
            text,
          },
        ];
      });
    }),
    lines: series.flatMap(({ as }, n) =>
      as === 'line' ? [{ series: n, path: lineOf(points.map(({ values }) => values[n] ?? 0)) }] : [],
    ),
    grid: y
      .ticks(GRID_LINES)
      .filter(Number.isInteger)
      .map((value) => ({ y: rounded(y(value)), text: String(value) })),
    labels: labelledPoints(points).map(({ index, text }) => ({ x: rounded(centre(index)), text })),
  };
}

/**
 * The points that get a label on the axis. Of adjacent points with the same label, only the first one counts. At most
 * MAX_LABELS of these points are chosen, in equal steps.
 */
function labelledPoints(points: ChartData['points']): { index: number; text: string }[] {
  const firstPoints = points
    .map(({ label, axis = label }, index) => ({ index, text: axis }))
    .filter(({ text }, index, all) => text !== all[index - 1]?.text);
  return firstPoints.filter((_, n) => n % Math.ceil(firstPoints.length / MAX_LABELS) === 0);
}

/** The height that a point needs, in the unit of its values: the maximum of its line values and its column's sum. */
function heightOf(series: readonly Series[], values: readonly number[]): number {
  const valuesOf = (as: Series['as']) => values.filter((_, n) => series[n]?.as === as);
  return Math.max(
    valuesOf('column').reduce((sum, value) => sum + value, 0),
    ...valuesOf('line'),
  );
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
