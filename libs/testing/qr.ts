import jsQR from 'jsqr';
import sharp from 'sharp';

/** A QR code that was read from a picture. */
export interface SeenCode {
  readonly text: string | undefined;
  /**
   * Width of the light area to the left of the code, in modules (the squares of a QR code). The value is correct only
   * for codes of the QR versions 1 to 3.
   */
  readonly quietZone: number;
  /** Grey value of the top left pixel; 255 is white. */
  readonly corner: number;
  /** Grey value of the darkest pixel; 0 is black. */
  readonly darkest: number;
}

/**
 * Reads the QR code in a PNG. `text` is undefined if no code can be read; a light code on a dark background is not
 * read.
 */
export async function readQr(picture: Buffer): Promise<SeenCode> {
  const { data, info } = await sharp(picture)
    .flatten({ background: 'white' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const bright = Array.from({ length: width * height }, (_, i) => data[i * 4] ?? 0);
  const columns = Array.from({ length: width }, (_, x) =>
    Math.min(...Array.from({ length: height }, (_, y) => bright[y * width + x] ?? 0)),
  );
  const code = jsQR(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' });
  const { topLeftCorner, topRightCorner } = code?.location ?? { topLeftCorner: { x: 0 }, topRightCorner: { x: 1 } };
  const modules = code ? code.version * 4 + 17 : 1;
  const module = (topRightCorner.x - topLeftCorner.x) / modules;
  return {
    text: code?.data,
    quietZone: Math.round(columns.findIndex((value) => value < 128) / module),
    corner: bright[0] ?? 0,
    darkest: Math.min(...columns),
  };
}

const PIXELS_PER_MODULE = 8;

/**
 * Draws an SVG as a PNG. The SVG must consist of a light square and a path of dark horizontal strokes. Each stroke is
 * one module high.
 */
export async function renderSvg(svg: string): Promise<Buffer> {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const [, light = '', square = ''] = /<path fill="(#\w+)" d="([^"]+)"/.exec(svg) ?? [];
  const [, dark = '', strokes = ''] = /<path stroke="(#\w+)" d="([^"]+)"/.exec(svg) ?? [];
  if (!size || light !== '#ffffff' || dark !== '#000000' || square !== `M0 0h${size}v${size}H0z`)
    throw new Error(`unexpected SVG: ${svg.slice(0, 200)}`);
  const grid = Buffer.alloc(size * size, 255);
  let [x, y] = [0, 0];
  for (const [, command, first, second] of strokes.matchAll(/([Mmh])(-?[\d.]+)(?:\s?(-?[\d.]+))?/g)) {
    const [a, b] = [Number(first), Number(second ?? 0)];
    if (command === 'h') {
      grid.fill(0, Math.floor(y) * size + x, Math.floor(y) * size + x + a);
      x += a;
    } else [x, y] = command === 'M' ? [a, b] : [x + a, y + b];
  }
  return sharp(grid, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * PIXELS_PER_MODULE, size * PIXELS_PER_MODULE, { kernel: 'nearest' })
    .png()
    .toBuffer();
}
