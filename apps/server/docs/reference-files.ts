import { readFileSync } from 'node:fs';
import { Served } from './served';

/** The files of swagger-ui-dist for the reference, by the paths that serve them. */
const FILES = {
  '/docs/swagger-ui.js': [
    () => require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    'text/javascript; charset=utf-8',
  ],
  '/docs/swagger-ui.css': [() => require.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'],
} as const;

export type ReferencePath = keyof typeof FILES;
export const REFERENCE_PATHS = Object.keys(FILES) as ReferencePath[];

const loaded = new Map<ReferencePath, Served>();

/** Each file is read at its first request. Its source map is not served, so the reference to it is removed. */
export function referenceFile(path: ReferencePath): Served {
  const [find, type] = FILES[path];
  const file =
    loaded.get(path) ??
    new Served(type, readFileSync(find(), 'utf8').replace(/\s*(\/\/|\/\*)# sourceMappingURL=.*$/, '\n'));
  loaded.set(path, file);
  return file;
}
