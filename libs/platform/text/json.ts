/** Returns the value of a JSON text that a client sent; null if the text is absent or not valid JSON. */
export function parsedJson(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return null;
  }
}
