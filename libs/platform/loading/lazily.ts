import { createRequire } from 'node:module';

/**
 * Loads a module at its first use, so that the start does not wait for modules that many processes never need: `const
 * qrcode = lazily<typeof import('qrcode')>(__filename, 'qrcode')`, then `qrcode().toString(…)`. Use this in synchronous
 * functions. Asynchronous functions use `await import('…')`.
 *
 * @param importer the importing file, to which a relative `name` is relative
 */
export function lazily<Module>(importer: string, name: string): () => Module {
  let loaded: { readonly module: Module } | undefined;
  return () => (loaded ??= { module: createRequire(importer)(name) as Module }).module;
}
