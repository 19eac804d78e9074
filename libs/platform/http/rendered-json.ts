/**
 * The JSON text of one item of a page. It is written into the response unchanged (page.ts).
 *
 * Each character of `bytes` is one byte of the UTF-8 text. V8 stores such a string with one byte per character, and
 * Node copies it without encoding. A normal string with characters beyond Latin-1 would need twice as much memory, and
 * encoding it would take a tenth of Node's time for a page of Discover.
 */
export class RenderedJson {
  constructor(readonly bytes: string) {}
}

export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * Splits the JSON of `object` into pieces (`RenderedJson.bytes`). The values of the fields in `gaps` differ between
 * responses. The calling code inserts them between the pieces, in the object's order. There is one more piece than
 * gaps.
 *
 * @param gaps names of fields that are not undefined in the object
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
