import { createRequire } from 'node:module';

/**
 * Returns a function that loads the module at its first call and returns the module. So the start of a process does not
 * wait for modules that many processes never need.
 * Example: `const qrcode = lazily<typeof import('qrcode')>(__filename, 'qrcode')`, then `qrcode().toString(…)`.
 *
 * Use `lazily` in synchronous functions, and `await import('…')` in asynchronous functions.
 *
 * @param importer the file that imports the module; a relative `name` is relative to this file
 */
export function lazily<Module>(importer: string, name: string): () => Module {
  let loaded: { readonly module: Module } | undefined;
  return () => (loaded ??= { module: createRequire(importer)(name) as Module }).module;
}
