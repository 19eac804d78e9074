/**
 * Flags of Node for the server, in MiB of V8's space for new objects. With V8's default of 16, this space is filled
 * twenty times a second at 2,000 pages of Discover per second. Objects that requests still use at that time count as
 * old, so V8 collects all memory every two seconds, for 6 to 15 ms. With 32 this is rare: the p99 of the first page is
 * a fifth to a half lower, for 60 MiB more memory under such a load. The initial size is 16 instead of 1, because
 * nearly all objects of the start are needed later. The start then takes 6 collections instead of 20, which saves a
 * twentieth of its processor time, for 20 MiB more memory when idle.
 *
 * `MALLOC_ARENA_MAX=2` is set together with these flags. `npm start` replaces the shell by `exec`, so that npm's
 * signals reach the server: dash would not pass on SIGTERM and would delay SIGINT. Windows' shell supports neither
 * `exec` nor the variable, and runs the command after `||`; other shells never run it. package.json, the Dockerfile and
 * docs/operating/install.md contain the same flags (test/operations/pages.spec.ts).
 */
export const NODE_FLAGS = ['--max-semi-space-size=32', '--min-semi-space-size=16'];
