import { createHash } from 'node:crypto';
import type { EventType } from '#contract/vocabulary';

const WIDTH = 1200;
const HEIGHT = 750;

interface Look {
  /** The colours of the gradient from the upper left to the lower right corner. */
  readonly colours: readonly [string, string];
  /** The colour of the circles. */
  readonly light: string;
  /** Strokes of the symbol in a square of 24 x 24 units, drawn with round ends. */
  readonly symbol: string;
}

const LOOKS: Readonly<Record<EventType, Look>> = {
  drink: { colours: ['#c2491d', '#5d1739'], light: '#ffb37a', symbol: 'M5 3h14l-7 8zM12 11v9M8 21h8M8 6h8' },
  food: {
    colours: ['#1f7a72', '#123a5c'],
    light: '#8fe3c8',
    symbol: 'M7 3v8M4 3v5a3 3 0 0 0 6 0V3M7 11v10M17 3c-3 2-3 8 0 9v9',
  },
  sport: {
    colours: ['#5a3e9b', '#241a55'],
    light: '#c3a6ff',
    symbol: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c-4 5-4 13 0 18M12 3c4 5 4 13 0 18',
  },
  culture: {
    colours: ['#35704a', '#123a39'],
    light: '#b5e8a0',
    symbol: 'M4 4h16v7a8 8 0 0 1-16 0zM9 9h.01M15 9h.01M8.5 13c2 2.5 5 2.5 7 0',
  },
  party: {
    colours: ['#b0591b', '#6b2340'],
    light: '#ffd36e',
    symbol: 'M5 20l4-11 7 7zM13 5c2 0 3-1 3-3M17 11c2-1 4-1 5 1M15 8l4-4',
  },
  walk: { colours: ['#a33268', '#451c58'], light: '#ff9fc4', symbol: 'M3 19l6-10 4 6 3-4 5 8zM16 5a2 2 0 1 0 .01 0' },
  work: { colours: ['#2f5fa8', '#1a2660'], light: '#9cc7ff', symbol: 'M3 8h18v11H3zM9 8V5h6v3M3 13h18M12 12v2' },
  game: {
    colours: ['#75702a', '#2a4220'],
    light: '#ecec8a',
    symbol: 'M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01',
  },
  other: {
    colours: ['#4a5568', '#1d2433'],
    light: '#c6d3ee',
    symbol: 'M12 3l2.6 6.4L21 12l-6.4 2.6L12 21l-2.6-6.4L3 12l6.4-2.6z',
  },
};

/** The symbols of groups (two people) and posts (a written page). Their colours are those of a type of events. */
const SYMBOLS = {
  group: 'M9 4a4 4 0 1 0 .01 0M2 20c0-9 14-9 14 0M16.5 4.5a4 4 0 0 1 0 7M18.5 14.5c2.3 1 3.5 3 3.5 5.5',
  post: 'M5 3h14v18H5zM8.5 8h7M8.5 12h7M8.5 16h4',
} as const;

/**
 * `x`, `y`: the centre of the symbol in pixels. `scale`: the number of pixels per unit (the symbol is 24 units wide).
 */
interface SymbolPlace {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const CENTRE: SymbolPlace = { x: WIDTH / 2, y: 365, scale: 12 };
/** The place of the symbol on a card that also contains text. */
export const CORNER: SymbolPlace = { x: 1030, y: 215, scale: 8 };

/**
 * The drawing for an event, a group or a post without a picture. An event has the colours and the symbol of its type;
 * the other shapes, and the colours of a group or post, are derived from `id` (PAGE-70). The SVG is smaller than 3 KB.
 */
export function drawingOf(
  subject: EventType | keyof typeof SYMBOLS,
  id: string,
  symbolAt: SymbolPlace = CENTRE,
): string {
  const { colours, light, symbol } = lookOf(subject, id);
  const random = pseudoRandomNumbers(id);
  const circles = Array.from({ length: 5 }, () => {
    const [x, y, radius] = [random(WIDTH), random(HEIGHT), 70 + random(230)];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${light}" opacity=".${10 + random(14)}"/>`;
  });
  const waves = [0, 1].map((n) => {
    const [top, swing] = [HEIGHT - 250 + n * 110 + random(50), 50 + random(90)];
    const path = `M0 ${top}C300 ${top - swing} 500 ${top + swing} 720 ${top}S1050 ${top - swing} 1200 ${top + 20}V${HEIGHT}H0z`;
    return `<path d="${path}" fill="#000" opacity=".16"/>`;
  });
  const tilt = random(17) - 8;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" preserveAspectRatio="xMidYMid slice">` +
    `<linearGradient id="g" x2="1" y2="1"><stop stop-color="${colours[0]}"/><stop offset="1" stop-color="${colours[1]}"/></linearGradient>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>${circles.join('')}${waves.join('')}` +
    `<g transform="translate(${symbolAt.x} ${symbolAt.y}) rotate(${tilt}) scale(${symbolAt.scale}) translate(-12 -12)" fill="none" stroke="#fff" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"><path d="${symbol}"/></g></svg>`
  );
}

function lookOf(subject: EventType | keyof typeof SYMBOLS, id: string): Look {
  if (subject !== 'group' && subject !== 'post') return LOOKS[subject];
  const looks = Object.values(LOOKS);
  const look = looks[pseudoRandomNumbers(`${subject} ${id}`)(looks.length)] ?? LOOKS.other;
  return { ...look, symbol: SYMBOLS[subject] };
}

/**
 * Returns a function whose calls return whole numbers from 0 to `below` - 1. Equal texts give equal sequences of
 * numbers.
 */
function pseudoRandomNumbers(text: string): (below: number) => number {
  const digest = createHash('sha256').update(text).digest();
  let index = 0;
  return (below) => {
    const value = digest.readUInt16LE(index % (digest.length - 1));
    index += 1;
    return value % below;
  };
}
