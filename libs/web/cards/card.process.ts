import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp, { type OverlayOptions } from 'sharp';
import { escapedHtml } from '#platform/text/characters';
import { CARD, type CardContent } from './card-content';

const { resolve } = createRequire(__filename);
const FONT = { file: resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'), family: 'DejaVu Sans Bold' };
const EDGE_PX = 72;
/** Darkens the picture, most at the bottom, so that white letters are readable on every picture. */
const SHADE = `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"><linearGradient id="g" x2="0" y2="1"><stop offset=".15" stop-color="#000" stop-opacity=".1"/><stop offset="1" stop-color="#000" stop-opacity=".82"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/></svg>`;

/** Reads the description of a card from the first file, and writes the card to the second file. Started by `Cards`. */
async function main([description, card]: string[]): Promise<void> {
  if (description === undefined || card === undefined) throw new Error('Two files are needed.');
  const { background, title, when, brand } = JSON.parse(await readFile(description, 'utf8')) as CardContent;
  const date = await text(when, 30, CARD.width - 2 * EDGE_PX, '#ffffffdd');
  const name = await text(title, 58, CARD.width - 2 * EDGE_PX, '#ffffff', 3);
  const logo = await text(brand, 26, 600, '#ffffffee');
  const bottom = CARD.height - EDGE_PX;
  const layers: OverlayOptions[] = [
    { input: Buffer.from(SHADE), left: 0, top: 0 },
    { input: logo.data, left: EDGE_PX, top: EDGE_PX - 10 },
    { input: date.data, left: EDGE_PX, top: bottom - date.info.height },
    { input: name.data, left: EDGE_PX, top: bottom - date.info.height - 28 - name.info.height },
  ];
  await sharp('svg' in background ? Buffer.from(background.svg) : background.path)
    .resize(CARD.width, CARD.height, { fit: 'cover' })
    .composite(layers)
    .removeAlpha()
    // A palette makes the file of a photo smaller. For a drawing, a palette would dither the colours and make the file
    // larger.
    .png('svg' in background ? { compressionLevel: 9 } : { palette: true, quality: 90 })
    .toFile(card);
}

/**
 * Renders a text. A text of more than `lines` lines is shortened, and “…” is added. The cut is between two words; a
 * text of one word is cut inside this word.
 */
async function text(
  content: string,
  size: number,
  width: number,
  colour: string,
  lines = 1,
): ReturnType<typeof renderText> {
  for (let shown = content, isCut = false; ; isCut = true, shown = shortened(shown)) {
    const image = await renderText(shown + (isCut ? '…' : ''), size, width, colour);
    if (image.info.height <= size * 1.25 * lines || shown.length <= 1) return image;
  }
}

/** The text without its last word. If the text is one word, a tenth of its characters is removed at the end. */
function shortened(text: string): string {
  const words = text.split(/\s+/);
  if (words.length > 1) return words.slice(0, -1).join(' ');
  const characters = [...text];
  return characters.slice(0, Math.floor(characters.length * 0.9)).join('');
}

function renderText(
  content: string,
  size: number,
  width: number,
  colour: string,
): Promise<{ data: Buffer; info: sharp.OutputInfo }> {
  return sharp({
    text: {
      text: `<span foreground="${colour}">${escapedHtml(content) || ' '}</span>`,
      font: `${FONT.family} ${size}px`,
      fontfile: FONT.file,
      width,
      wrap: 'word-char',
      rgba: true,
      dpi: 72,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
