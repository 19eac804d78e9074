/** The JSON text of one item of a page. It is written into the response unchanged (page.ts). */
export class RenderedJson {
  constructor(readonly text: string) {}
}

/**
 * Returns the JSON of `object` without the values of the fields in `gaps`, which differ between responses. The result
 * is the pieces of text before, between and after these values: one piece more than gaps. The calling code inserts the
 * values between the pieces, in the order of the object's fields.
 *
 * @param gaps names of fields of the object; none of these fields may be undefined
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
