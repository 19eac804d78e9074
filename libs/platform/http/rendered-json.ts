/**
 * JSON text that is sent unchanged: an item of a page (page.ts).
 *
 * `bytes` is UTF-8 with one character per byte: V8 needs half the memory for it compared with a text beyond Latin-1,
 * and copies it without encoding. Encoding would be a tenth of Node's time for a page of Discover.
 */
export class RenderedJson {
  constructor(readonly bytes: string) {}
}

export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * The JSON of `object` in pieces (`RenderedJson.bytes`), one more than there are `gaps`: the values of these fields,
 * which differ between responses, go between the pieces.
 * @param gaps names of fields, in the object's order
 */
export function jsonAround<Shape extends object>(object: Shape, gaps: readonly (keyof Shape & string)[]): string[] {
  const pieces: string[] = [];
  let text = '{';
  for (const [name, value] of Object.entries(object) as [keyof Shape & string, unknown][]) {
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    if (gaps.includes(name)) {
      pieces.push(bytesOf(text));
      text = '';
    } else text += JSON.stringify(value);
  }
  return [...pieces, bytesOf(`${text}}`)];
}
