const MINUTE_MS = 60_000;

/** Makes an expensive reading at most once a minute, however often Prometheus scrapes. A failure counts as a reading. */
export function onceAMinute<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at >= MINUTE_MS) last = { at, value: read() };
    return last.value;
  };
}
