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

/** Draws an evening landscape with sine curves. Each name gives a different landscape. */
export async function drawLandscape(folder: string, name: string, { width, height } = LANDSCAPE): Promise<string> {
  const seed = seedOf(name);
  const scale = width / LANDSCAPE.width;
  const [above, below, ...hills] = PALETTES[seed % PALETTES.length] as (typeof PALETTES)[number];
  const sun = {
    x: width * (0.2 + (seed % 7) / 10),
    y: height * (0.22 + (seed % 5) / 25),
    r: (50 + (seed % 4) * 12) * scale,
  };
  const pixels = Buffer.alloc(width * height * 3);
  for (let x = 0; x < width; x++) {
    const ridges = hills.map(
      (_, i) =>
        height * (0.48 + i * 0.16) +
        60 * scale * Math.sin(x / scale / (170 - i * 35) + seed + i * 2) +
        18 * scale * Math.sin(x / scale / 41 + seed * i),
    );
    for (let y = 0; y < height; y++) {
      const hill = hills.findLast((_, i) => y > (ridges[i] as number));
      const bright = Math.max(0, 1 - Math.max(0, Math.hypot(x - sun.x, y - sun.y) - sun.r) / 6);
      paint(pixels, (y * width + x) * 3, hill ?? mix(mix(above, below, y / (height * 0.6)), [255, 246, 220], bright));
    }
  }
  const path = join(folder, `${name}.jpg`);
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toFile(path);
  return path;
}

/** A portrait: head and shoulders on a plain colour. */
export async function drawAvatar(folder: string, name: string): Promise<string> {
  const seed = seedOf(name);
  const [, backdrop, skin, shirt] = PALETTES[seed % PALETTES.length] as (typeof PALETTES)[number];
  const pixels = Buffer.alloc(AVATAR * AVATAR * 3);
  for (let y = 0; y < AVATAR; y++) {
    for (let x = 0; x < AVATAR; x++) {
      const head = Math.hypot(x - AVATAR / 2, (y - AVATAR * 0.4) * 0.88) < AVATAR * 0.19;
      const body = Math.hypot((x - AVATAR / 2) * 0.8, y - AVATAR * 1.02) < AVATAR * 0.36;
      paint(pixels, (y * AVATAR + x) * 3, head ? mix(skin, [255, 226, 200], 0.6) : body ? shirt : backdrop);
    }
  }
  const path = join(folder, `${name}.jpg`);
  await sharp(pixels, { raw: { width: AVATAR, height: AVATAR, channels: 3 } })
    .jpeg({ quality: 88 })
    .toFile(path);
  return path;
}

function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
}

function mix(a: Colour, b: Colour, share: number): Colour {
  const t = Math.min(1, Math.max(0, share));
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

function paint(pixels: Buffer, at: number, [r, g, b]: Colour): void {
  pixels[at] = r;
  pixels[at + 1] = g;
  pixels[at + 2] = b;
}
