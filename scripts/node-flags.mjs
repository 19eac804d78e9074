/**
 * Flags of Node for the server. V8 halves new objects' room, 16 MiB, and at 2,000 pages of Discover a second fills it
 * twenty times a second: what a request still needs then is kept as if it were to stay, and all memory is gone through every two seconds, 6 to 15 ms a time.
 * With 32 MiB that is rare: the first page's p99 is a fifth to a half less, for 60 MiB more under such a load. It begins with 16 and not with 1, for a start
 * keeps nearly all it makes: 6 collections instead of 20, a twentieth of its processor time, for 20 MiB more at rest.
 * `MALLOC_ARENA_MAX=2` is set beside them. `npm start` replaces the shell by `exec`, so that npm's signals reach the server: dash would not pass on
 * SIGTERM, and would hold back SIGINT. Windows' shell knows neither `exec` nor the variable and runs the command after `||`; others never come to it.
 * package.json, the Dockerfile and docs/operating/install.md say the same (test/operations/pages.spec.ts).
 */
export const NODE_FLAGS = ['--max-semi-space-size=32', '--min-semi-space-size=16'];
