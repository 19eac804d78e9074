import { chartOf } from './charts';

const columnSeries = [
  { name: 'requests', as: 'column' },
  { name: 'refusals', as: 'column' },
] as const;

describe('a chart', () => {
  it('stacks columns in proportion to their values', () => {
    const { columns: drawn } = chartOf({
      title: 'a',
      series: columnSeries,
      points: [
        { label: 'Mon', values: [3, 1] },
        { label: 'Tue', values: [8, 0] },
      ],
    });
    const [first, second, third] = drawn;
    expect(drawn.map(({ series, text }) => [series, text])).toEqual([
      [0, 'Mon: requests 3'],
      [1, 'Mon: refusals 1'],
      [0, 'Tue: requests 8'],
    ]);
    expect(first?.height).toBeCloseTo((third?.height ?? 0) * (3 / 8), 0);
    expect((second?.y ?? 0) + (second?.height ?? 0)).toBeCloseTo(first?.y ?? 0, 0);
    expect(third?.x).toBeGreaterThan(first?.x ?? 0);
  });

  it('draws a line through the values, and a grid of whole numbers', () => {
    const { lines, grid } = chartOf({
      title: 'a',
      series: [{ name: 'confirmed', as: 'line' }],
      points: [
        { label: 'Mon', values: [0] },
        { label: 'Tue', values: [2] },
      ],
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.path).toMatch(/^M[\d.]+,154L[\d.]+,14$/);
    expect(grid.map(({ text }) => text)).toEqual(['0', '1', '2']);
  });

  it('draws the value of a single point as a horizontal line across the whole chart', () => {
    const { lines, left, right } = chartOf({
      title: 'a',
      series: [{ name: 'confirmed', as: 'line' }],
      points: [{ label: 'Mon', values: [2] }],
    });
    expect(lines.map(({ path }) => path)).toEqual([`M${left},14H${right}`]);
  });

  it('contains a grid, but no columns and no labels, if there are no points', () => {
    const { columns: drawn, labels, grid } = chartOf({ title: 'a', series: columnSeries, points: [] });
    expect([drawn, labels, grid.length > 0]).toEqual([[], [], true]);
  });

  it('shows the short label of a point on the axis, and the full label at the columns of the point', () => {
    const points = [{ label: 'Mon 23 Nov, 13:00', axis: '23/11', values: [3] }];
    const { labels, columns: drawn } = chartOf({ title: 'a', series: columnSeries, points });
    expect([labels.map(({ text }) => text), drawn.map(({ text }) => text)]).toEqual([
      ['23/11'],
      ['Mon 23 Nov, 13:00: requests 3'],
    ]);
  });

  it('shows a short label only once for adjacent points with the same label, and only every n-th of the remaining labels', () => {
    const points = Array.from({ length: 26 }, (_, n) => {
      const day = String(24 + Math.floor((n + 2) / 4));
      return { label: `${day}, bin ${n}`, axis: day, values: [1] };
    });
    const { labels, columns: drawn } = chartOf({ title: 'a', series: columnSeries, points });
    expect(labels.map(({ text }) => text)).toEqual(['24', '26', '28', '30']);
    expect(labels[1]?.x).toBeCloseTo((drawn[6]?.x ?? 0) + (drawn[6]?.width ?? 0) / 2, 0);
  });

  it('labels at most four points on the axis', () => {
    const points = Array.from({ length: 400 }, (_, n) => ({ label: String(n), values: [n, 1] }));
    expect(chartOf({ title: 'a', series: columnSeries, points }).labels.map(({ text }) => text)).toEqual([
      '0',
      '100',
      '200',
      '300',
    ]);
  });
});
