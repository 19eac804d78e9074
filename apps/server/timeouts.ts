/** Milliseconds in which a client must send the headers of a request. */
export const HEADERS_TIMEOUT = 5_000;
/**
 * Milliseconds in which a client must send a whole request: at most 30 seconds in each of the three queues of
 * `BodyGate`, 120 seconds for the longest upload, and a reserve of 10 seconds.
 */
export const REQUEST_TIMEOUT = 220_000;
