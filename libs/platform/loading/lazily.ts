import { createRequire } from 'node:module';

/**
 * A module that many a process never needs, loaded when it is first asked for, so that no start waits for its files:
 * `const pdfkit = lazily<typeof import('pdfkit')>(__filename, 'pdfkit')`, then `pdfkit().default`.
 * For what is needed within a function that cannot wait; one that can says `await import('…')`.
 *
 * @param importer the file that asks: a relative `name` is relative to it
 */
export function lazily<Module>(importer: string, name: string): () => Module {
  let loaded: { readonly module: Module } | undefined;
  return () => (loaded ??= { module: createRequire(importer)(name) as Module }).module;
}
