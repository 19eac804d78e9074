import { join } from 'node:path';
import sharp from 'sharp';

type Colour = readonly [number, number, number];
type Size = { readonly width: number; readonly height: number };

/** Colours of a landscape: the sky at the top, the sky near the hills, and the hills from far to near. */
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
const AVATAR = { width: 400, height: 400 };
const SUN: Colour = [255, 246, 220];
/**
 * The standard deviation (sigma) of the Gaussian blur, in pixels. Only every second point of a drawing is computed, and
 * the blur hides the visible steps at edges.
 */
const BLUR_SIGMA = 1.2;

/** Draws a landscape whose hills are sine curves. The name determines the landscape. Returns the path of the file. */
export async function drawLandscape(folder: string, name: string, size = LANDSCAPE): Promise<string> {
  const seed = seedOf(name);
  const [skyTop, skyBottom, ...hills] = PALETTES[seed % PALETTES.length] as (typeof PALETTES)[number];
  const sun = { x: 240 + (seed % 7) * 120, y: 176 + (seed % 5) * 32, r: 50 + (seed % 4) * 12 };
  const ridges = Array.from({ length: LANDSCAPE.width }, (_, x) =>
    hills.map(
      (_hill, i) =>
        LANDSCAPE.height * (0.48 + i * 0.16) +
        60 * Math.sin(x / (170 - i * 35) + seed + i * 2) +
        18 * Math.sin(x / 41 + seed * i),
    ),
  );
  const sky = Array.from({ length: LANDSCAPE.height }, (_, y) => mix(skyTop, skyBottom, y / (LANDSCAPE.height * 0.6)));
  return draw(join(folder, `${name}.jpg`), LANDSCAPE, size, (x, y) => {
    const hill = (ridges[x] as number[]).findLastIndex((ridge) => y > ridge);
    if (hill >= 0) return hills[hill] as Colour;
    return isWithin(x - sun.x, y - sun.y, sun.r) ? SUN : (sky[y] as Colour);
  });
}

/** Draws a portrait: head and shoulders on a plain colour. Returns the path of the file. */
export async function drawAvatar(folder: string, name: string): Promise<string> {
  const seed = seedOf(name);
  const [, backdrop, skin, shirt] = PALETTES[seed % PALETTES.length] as (typeof PALETTES)[number];
  const face = mix(skin, [255, 226, 200], 0.6);
  return draw(join(folder, `${name}.jpg`), AVATAR, AVATAR, (x, y) => {
    if (isWithin(x - 200, (y - 160) * 0.88, 76)) return face;
    return isWithin((x - 200) * 0.8, y - 408, 144) ? shirt : backdrop;
  });
}

/**
 * Writes a JPEG file of the size `size`. The function `colourAt` returns the colour of one point in a drawing of the
 * size `drawing`. Only every second point in each direction is computed, because this is four times faster.
 */
async function draw(
  path: string,
  drawing: Size,
  size: Size,
  colourAt: (x: number, y: number) => Colour,
): Promise<string> {
  const [width, height] = [drawing.width / 2, drawing.height / 2];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) for (const channel of colourAt(x * 2, y * 2)) pixels[at++] = channel;
  }
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize(size.width, size.height)
    .blur(BLUR_SIGMA)
    .jpeg({ quality: 88 })
    .toFile(path);
  return path;
}

function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
}

function isWithin(x: number, y: number, radius: number): boolean {
  return x * x + y * y < radius * radius;
}

function mix(a: Colour, b: Colour, share: number): Colour {
  const t = Math.min(1, Math.max(0, share));
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}
