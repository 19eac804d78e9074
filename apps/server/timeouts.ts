/** Milliseconds in which a client must send the headers of a request. */
export const HEADERS_TIMEOUT = 5_000;
/**
 * Milliseconds in which a client must send a whole request: more than 30 seconds in each of the three queues of
 * `BodyGate`, and the 120 seconds of the longest upload.
 */
export const REQUEST_TIMEOUT = 220_000;
