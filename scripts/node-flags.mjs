/**
 * Node flags for the server: the maximum and initial size, in MiB, of V8's space for new objects.
 *
 * With V8's default maximum of 16 MiB, 2,000 pages of Discover per second fill this space twenty times a second.
 * Objects that requests still use when the space is full are moved to the space for old objects. V8 therefore collects
 * the space for old objects every two seconds, and each such collection takes 6 to 15 ms. With 32 MiB, collections of
 * the space for old objects are rare: the 99th percentile of the latency of Discover's first page is 20 to 50 % lower.
 * Under such a load, the server needs 60 MiB more memory.
 *
 * The initial size is 16 MiB instead of 1 MiB. Nearly all objects that are created at the start are needed later, so
 * collections at the start free little memory. With 16 MiB, the start needs 6 collections instead of 20. This saves 5 %
 * of the start's processor time, and the idle server needs 20 MiB more memory.
 *
 * `MALLOC_ARENA_MAX=2` is set together with these flags. In package.json, the script `start` is `MALLOC_ARENA_MAX=2
 * exec node … || node …`. `exec` replaces the shell, so that npm's signals reach the server: the shell dash would not
 * pass on SIGTERM and would delay SIGINT. The shell of Windows supports neither `exec` nor the assignment, and
 * therefore runs the command after `||`. Other shells never reach the command after `||`, because `exec` does not
 * return.
 *
 * package.json, the Dockerfile and docs/operating/install.md contain the same flags; test/operations/pages.spec.ts
 * checks this.
 */
export const NODE_FLAGS = ['--max-semi-space-size=32', '--min-semi-space-size=16'];
