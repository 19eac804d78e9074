const MINUTE_MS = 60_000;

/**
 * Returns a function that returns the latest result of `read`, which is expensive. The function calls `read` at most
 * once a minute, even if Prometheus requests the metrics more often. For the rest of the minute after a failed reading,
 * the function throws the error of this reading.
 */
export function cachedForAMinute<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at >= MINUTE_MS) last = { at, value: read() };
    return last.value;
  };
}
