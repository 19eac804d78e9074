import { join } from 'node:path';

const FROM_SOURCES = __filename.endsWith('.ts');
const LOADER = ['--conditions=source', '--require', join(__dirname, '../../testing/register-typescript.cjs')];

/**
 * What Node needs to run one of our files in a thread or a process of its own. Compiled, the file is JavaScript; run from
 * the sources, as the tests do, it is TypeScript and needs a loader.
 * @param file its path without the extension
 */
export function runnable(file: string): { readonly path: string; readonly options: string[] } {
  return FROM_SOURCES ? { path: `${file}.ts`, options: LOADER } : { path: `${file}.js`, options: [] };
}
