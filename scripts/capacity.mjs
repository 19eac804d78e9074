/**
 * `npm run capacity` shows the resources that an installation with 100,000, 1 million, 10 million or 100 million people
 * needs, and the number of people at which each resource of one primary database server is exhausted
 * (bench/capacity/model.mjs). `--cores`, `--memory` (GiB) and `--disk` (TB) describe another primary. `--write` writes
 * the tables into docs/operating/growth.md and draws docs/pictures/growth.svg. `--check` (part of `npm run check`)
 * fails if these two files are not current.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scaleLog } from 'd3-scale';
import { format } from 'prettier';
import { writeOrCompare } from './generated-file.mjs';
import { needs, peopleAtLimits, shareOf, valuesOf } from '../bench/capacity/model.mjs';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/operating/growth.md');
const PICTURE = join(ROOT, 'docs/pictures/growth.svg');
const STEPS = [1e6, 1e7, 1e8];
const SIZING_PEOPLE = 100_000;
const MARKERS = {
  needs: 'needs of 1, 10 and 100 million people',
  limits: 'resources of one primary',
  sizing: 'sizing for operators',
};

/**
 * Returns the figures of the JSON files in bench/capacity. The figures of behaviour.json and primary.json are returned
 * without their units and reasons. The arguments replace figures of primary.json.
 */
export function figuresOf({ cores, memory, disk } = {}) {
  const read = (name) => JSON.parse(readFileSync(join(ROOT, 'bench/capacity', `${name}.json`), 'utf8'));
  const primary = valuesOf(read('primary'));
  const overrides = Object.entries({ cores, memory, disk }).filter(([, value]) => value !== undefined);
  for (const [name, value] of overrides) {
    const number = Number(value);
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
    primary[name] = number;
  }
  return { costs: read('costs'), behaviour: valuesOf(read('behaviour')), primary };
}

/**
 * Rows of the table of required resources. A row is the name of a resource, and its amount for each number of people.
 */
function needsRows(figures) {
  const all = STEPS.map((people) => needs(people, figures));
  const row = (name, show) => [name, ...all.map((need) => show(need))];
  const groups = Object.keys(all[0].groups);
  return [
    row('requests a second at the peak', (need) => number(need.requests)),
    row('Node: cores', (need) => number(need.nodeCores)),
    row('Node: memory, GiB', (need) => number(need.nodeMemory)),
    row('primary: cores with read replicas', (need) => number(need.primaryCores)),
    row('primary: cores without replicas', (need) => number(need.allReadsOnPrimary)),
    row('replicas: cores in total', (need) => number(need.replicaCores)),
    row('primary: memory for indexes and rows in use, GiB', (need) => number(need.memory)),
    row('connections without PgBouncer', (need) => number(need.connections)),
    row(`disk after ${figures.primary.years} years, TB`, (need) => number(need.disk)),
    row('growth of the disk a year, TB', (need) => number(need.grows)),
    ...groups.map((group) =>
      row(
        `— ${group}: TB (growth a year)`,
        ({ groups: sizes }) => `${number(sizes[group].bytes)} (${number(sizes[group].grows)})`,
      ),
    ),
    row('write-ahead log a day, GB', (need) => number(need.log)),
    row('write-ahead log at the peak, MB a second', (need) => number(need.logPeak)),
    row('transactions a day, million', (need) => number(need.transactions)),
    row('entries of the feed a second at the peak', (need) => number(need.feed)),
    row('streams open at the peak', (need) => number(need.streams)),
    row('Redis commands a second at the peak', (need) => number(need.redis)),
    row('mails a day', (need) => number(need.mails)),
    row('push messages a day', (need) => number(need.pushes)),
    row('webhook messages a day', (need) => number(need.webhooks)),
    row('stored files: growth a year, TB', (need) => number(need.files)),
  ];
}

function limitRows(figures) {
  return peopleAtLimits(figures).map((resource) => [
    resource.name,
    people(resource.people),
    ...STEPS.map((step) => `${number(shareOf(resource, step, figures) * 100)} %`),
    resource.then,
  ]);
}

/** The rows of the table for 100,000 accounts, a small installation. Most costs were measured at this size. */
function sizingRows(figures) {
  const need = needs(SIZING_PEOPLE, figures);
  return [
    ['requests a second at the peak', number(need.requests)],
    ['Node: cores; memory', `${number(need.nodeCores)}; ${number(need.nodeMemory * 1024)} MiB`],
    ['PostgreSQL: cores, without read replicas', number(need.allReadsOnPrimary)],
    ['PostgreSQL: memory for indexes and rows in use', `${number(need.memory * 1024)} MiB`],
    [`PostgreSQL: disk after ${figures.primary.years} years`, `${number(need.disk * 1000)} GB`],
    ['PostgreSQL: growth each year after the first', `${number(need.grows * 1000)} GB`],
    ['write-ahead log a day', `${number(need.log)} GB`],
    ['stored files: growth a year', `${number(need.files * 1000)} GB`],
    ['mails a day', number(need.mails)],
  ];
}

/** A number as text, rounded to two significant digits: `1,200`, `0.034`. */
export function number(value) {
  if (value === 0) return '0';
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = Number(value.toPrecision(2));
  return rounded.toLocaleString('en', { maximumFractionDigits: Math.min(6, digits) });
}

/** A number of people as text: `1.2 million`, `850,000`. */
function people(count) {
  return count >= 1e6 ? `${number(count / 1e6)} million` : number(count);
}

function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, n) => (n === 0 ? '---' : '--:'))), ...rows.map((row) => line(row))].join('\n');
}

function tablesOf(figures) {
  const steps = STEPS.map((step) => `${step / 1e6} million people`);
  return {
    needs: markdown(['', ...steps], needsRows(figures)),
    limits: markdown(
      ['resource', 'exhausted at (people)', ...steps.map((step) => `used by ${step}`), 'next step'],
      limitRows(figures),
    ),
    sizing: markdown(['for 100,000 accounts', ''], sizingRows(figures)),
  };
}

/**
 * Returns an SVG picture with a bar for each resource, on a logarithmic scale. The length of a bar shows the number of
 * people at which the resource is exhausted.
 */
export function drawing(figures) {
  const bars = peopleAtLimits(figures);
  const [left, right, top, rowHeight] = [300, 70, 64, 30];
  const [width, height] = [900, top + bars.length * rowHeight + 30];
  const x = scaleLog([1e6, 1e10], [left, width - right]).clamp(true);
  const bottom = top + bars.length * rowHeight;
  const text = (attributes, content) =>
    `<text ${attributes}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
  const { cores, memory, disk } = figures.primary;
  const grid = [1e6, 1e7, 1e8, 1e9, 1e10].flatMap((tick) => [
    `<line x1="${oneDecimal(x(tick))}" y1="${top - 8}" x2="${oneDecimal(x(tick))}" y2="${bottom}" stroke="#9aa4b2" stroke-dasharray="3 3"/>`,
    text(`x="${oneDecimal(x(tick))}" y="${bottom + 18}" text-anchor="middle"`, people(tick)),
  ]);
  const rows = bars.flatMap((bar, index) => {
    const y = top + index * rowHeight;
    const [begin, end] = [x(1e6), x(bar.people)];
    const inside = end - begin > 110;
    return [
      text(`x="${left - 10}" y="${y + 19}" text-anchor="end"`, bar.name),
      `<rect x="${oneDecimal(begin)}" y="${y + 4}" width="${oneDecimal(Math.max(2, end - begin))}" height="${rowHeight - 9}" rx="3" fill="#2f6f8f"/>`,
      text(
        `x="${oneDecimal(inside ? end - 8 : end + 8)}" y="${y + 19}" text-anchor="${inside ? 'end' : 'start'}" fill="${inside ? '#ffffff' : '#1c2430'}"`,
        people(bar.people),
      ),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="13" fill="#1c2430">
<title>Number of people at which each resource of one primary is exhausted</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${text(`x="20" y="26" font-size="16" font-weight="bold"`, 'Which resource of one primary is exhausted first')}
${text(`x="20" y="46"`, `${cores} cores, ${memory} GiB of memory, ${disk} TB of disk; people with an account, logarithmic scale`)}
${[...grid, ...rows].join('\n')}
</svg>
`;
}

function oneDecimal(coordinate) {
  return Number(coordinate.toFixed(1));
}

/** Returns `page`, a text in Markdown, with the tables between the markers of the page. */
async function pageWith(tables, page) {
  for (const [name, title] of Object.entries(MARKERS)) {
    const [begin, end] = [`<!-- begin: ${title} -->`, `<!-- end: ${title} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${PAGE} has no markers "${title}"`);
    page = `${page.slice(0, from)}${begin}\n\n${tables[name]}\n\n${page.slice(to)}`;
  }
  return format(page, { parser: 'markdown', printWidth: 120, proseWrap: 'always' });
}

async function main() {
  const { values } = parseArgs({
    options: {
      cores: { type: 'string' },
      memory: { type: 'string' },
      disk: { type: 'string' },
      write: { type: 'boolean' },
      check: { type: 'boolean' },
    },
  });
  const figures = figuresOf(values);
  const tables = tablesOf(figures);
  if (!values.write && !values.check) {
    const { cores, memory, disk } = figures.primary;
    console.log(`A primary with ${cores} cores, ${memory} GiB of memory and ${disk} TB of disk.\n`);
    for (const table of Object.values(tables))
      console.log(await format(table, { parser: 'markdown', printWidth: 200 }));
    const [first] = peopleAtLimits(figures);
    return console.log(`${first.name}: exhausted first, at ${people(first.people)} people. Next step: ${first.then}.`);
  }
  const page = await pageWith(tables, readFileSync(PAGE, 'utf8'));
  const areCurrent = [
    [PAGE, page],
    [PICTURE, drawing(figures)],
  ].map(([path, content]) => writeOrCompare(path, content, 'npm run capacity -- --write'));
  if (!areCurrent.includes(false))
    console.log('Capacity: docs/operating/growth.md and docs/pictures/growth.svg are current.');
}

if (process.argv[1] === import.meta.filename)
  await main().catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
