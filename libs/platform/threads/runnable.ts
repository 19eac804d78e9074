import { join } from 'node:path';

const FROM_SOURCES = __filename.endsWith('.ts');
const LOADER = ['--conditions=events-source', '--require', join(__dirname, '../../testing/register-typescript.cjs')];

/**
 * Returns the path of a file that is to run in a thread or a process, and the options of Node for the file. A compiled
 * file is JavaScript. If the service runs from its sources (for example in tests), the file is TypeScript and needs a
 * loader.
 *
 * @param file the path of the file without its extension
 */
export function runnable(file: string): { readonly path: string; readonly options: string[] } {
  return FROM_SOURCES ? { path: `${file}.ts`, options: LOADER } : { path: `${file}.js`, options: [] };
}
