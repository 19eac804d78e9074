import { join } from 'node:path';
import sharp from 'sharp';

type Colour = readonly [number, number, number];

/** Colours: sky above, sky below, and the hills from far to near. */
const PALETTES: readonly (readonly [Colour, Colour, Colour, Colour, Colour])[] = [
  [
    [255, 214, 165],
    [255, 173, 173],
    [160, 134, 166],
    [104, 98, 138],
    [53, 56, 92],
  ],
  [
    [187, 225, 250],
    [240, 244, 230],
    [150, 190, 160],
    [96, 148, 112],
    [46, 92, 70],
  ],
  [
    [38, 42, 82],
    [214, 122, 110],
    [104, 70, 104],
    [64, 44, 80],
    [28, 24, 48],
  ],
  [
    [246, 232, 196],
    [236, 196, 138],
    [204, 142, 94],
    [150, 92, 70],
    [88, 54, 52],
  ],
];
const LANDSCAPE = { width: 1200, height: 800 };
const AVATAR = 400;
/** The distance of the points of a hill's line, in pixels. */
const STEP = 8;

/** Draws an evening landscape with sine curves. Each name gives a different landscape. */
export async function drawLandscape(folder: string, name: string, { width, height } = LANDSCAPE): Promise<string> {
  const seed = seedOf(name);
  const [above, below, ...hills] = PALETTES[seed % PALETTES.length] as (typeof PALETTES)[number];
  const sun = {
    x: LANDSCAPE.width * (0.2 + (seed % 7) / 10),
    y: LANDSCAPE.height * (0.22 + (seed % 5) / 25),
    r: 50 + (seed % 4) * 12,
  };
  const ridges = hills.map((colour, i) => {
    const points = Array.from({ length: LANDSCAPE.width / STEP + 1 }, (_, n) => {
      const x = n * STEP;
      const y =
        LANDSCAPE.height * (0.48 + i * 0.16) +
        60 * Math.sin(x / (170 - i * 35) + seed + i * 2) +
        18 * Math.sin(x / 41 + seed * i);
      return `${x},${y.toFixed(1)}`;
    });
    return `<polygon fill="${rgb(colour)}" points="0,${LANDSCAPE.height} ${points.join(' ')} ${LANDSCAPE.width},${LANDSCAPE.height}"/>`;
  });
  return draw(
    join(folder, `${name}.jpg`),
    { width, height },
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${LANDSCAPE.width} ${LANDSCAPE.height}" preserveAspectRatio="none">
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${rgb(above)}"/><stop offset="0.6" stop-color="${rgb(below)}"/></linearGradient>
      <rect width="100%" height="100%" fill="url(#sky)"/>
      <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="rgb(255,246,220)"/>
      ${ridges.join('')}
    </svg>`,
  );
}

/** Draws a portrait: head and shoulders on a plain colour. */
export async function drawAvatar(folder: string, name: string): Promise<string> {
  const seed = seedOf(name);
  const [, backdrop, skin, shirt] = PALETTES[seed % PALETTES.length] as (typeof PALETTES)[number];
  return draw(
    join(folder, `${name}.jpg`),
    { width: AVATAR, height: AVATAR },
    `<svg xmlns="http://www.w3.org/2000/svg" width="${AVATAR}" height="${AVATAR}" viewBox="0 0 100 100">
      <rect width="100" height="100" fill="${rgb(backdrop)}"/>
      <ellipse cx="50" cy="102" rx="45" ry="36" fill="${rgb(shirt)}"/>
      <ellipse cx="50" cy="40" rx="19" ry="21.6" fill="${rgb(skin)}"/>
      <ellipse cx="50" cy="40" rx="19" ry="21.6" fill="rgb(255,226,200)" fill-opacity="0.6"/>
    </svg>`,
  );
}

async function draw(path: string, size: { width: number; height: number }, svg: string): Promise<string> {
  await sharp(Buffer.from(svg)).resize(size.width, size.height).jpeg({ quality: 88 }).toFile(path);
  return path;
}

function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
}

function rgb(colour: Colour): string {
  return `rgb(${colour.join(',')})`;
}
