import * as qrcode from 'qrcode';

/** The width of the empty margin around a code, in modules (squares of the code), as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;
/**
 * Pixels per module. The smallest code with its margin is then 232 pixels wide, so that a camera can read it from a
 * screen at arm's length.
 */
const MODULE_PIXELS = 8;
const CORRECTION = 'M';

/** A QR code as an SVG picture, dark on a light background. The SVG contains only paths, no scripts. */
export function qrSvg(text: string): Promise<string> {
  return qrcode.toString(text, { type: 'svg', margin: QUIET_ZONE, errorCorrectionLevel: CORRECTION });
}

/** A QR code as a PNG picture. */
export function qrPng(text: string): Promise<Buffer> {
  return qrcode.toBuffer(text, {
    type: 'png',
    margin: QUIET_ZONE,
    scale: MODULE_PIXELS,
    errorCorrectionLevel: CORRECTION,
  });
}

/** The rows of a code, without the margin; true for dark modules. */
export function qrModules(text: string): boolean[][] {
  const { size, data } = qrcode.create(text, { errorCorrectionLevel: CORRECTION }).modules;
  return Array.from({ length: size }, (_, row) => Array.from(data.subarray(row * size, (row + 1) * size), Boolean));
}
