import * as qrcode from 'qrcode';

/** Light on all sides, in modules: what ISO/IEC 18004 wants around a code. */
const QUIET_ZONE = 4;
/** A module in pixels: a code of sixteen letters is 256 or more across, which a camera reads from a screen an arm away. */
const MODULE_PIXELS = 8;
const CORRECTION = 'M';

/** A QR code as an SVG picture, dark on light whatever it stands on: paths alone, nothing that runs. */
export function qrSvg(text: string): Promise<string> {
  return qrcode.toString(text, { type: 'svg', margin: QUIET_ZONE, errorCorrectionLevel: CORRECTION });
}

/** The same as a PNG picture. */
export function qrPng(text: string): Promise<Buffer> {
  return qrcode.toBuffer(text, {
    type: 'png',
    margin: QUIET_ZONE,
    scale: MODULE_PIXELS,
    errorCorrectionLevel: CORRECTION,
  });
}

/** The rows of a code, true where it is dark; without the quiet zone. */
export function qrModules(text: string): boolean[][] {
  const { size, data } = qrcode.create(text, { errorCorrectionLevel: CORRECTION }).modules;
  return Array.from({ length: size }, (_, row) => Array.from(data.subarray(row * size, (row + 1) * size), Boolean));
}
