/** The JSON text of one item of a page. It is written into the response unchanged (page.ts). */
export class RenderedJson {
  constructor(readonly text: string) {}
}

/**
 * Splits the JSON of `object` into pieces (`RenderedJson.text`). The values of the fields in `gaps` differ between
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
      pieces.push(text);
      text = '';
    } else text += JSON.stringify(value);
  }
  return [...pieces, `${text}}`];
}
