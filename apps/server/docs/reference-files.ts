import { readFileSync } from 'node:fs';
import { CompressedContent } from '#platform/http/compressed-content';

/** The files of swagger-ui-dist that the reference needs, by the paths under which they are served. */
const FILES = {
  '/docs/swagger-ui.js': [
    () => require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    'text/javascript; charset=utf-8',
  ],
  '/docs/swagger-ui.css': [() => require.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'],
} as const;

export type ReferencePath = keyof typeof FILES;
export const REFERENCE_PATHS = Object.keys(FILES) as ReferencePath[];

const loaded = new Map<ReferencePath, CompressedContent>();

/**
 * Returns a file. The first call for the file reads it, and removes the comment that refers to the file's source map,
 * because the source map is not served.
 */
export function referenceFile(path: ReferencePath): CompressedContent {
  const [find, type] = FILES[path];
  const file =
    loaded.get(path) ??
    new CompressedContent(type, readFileSync(find(), 'utf8').replace(/\s*(\/\/|\/\*)# sourceMappingURL=.*$/, '\n'));
  loaded.set(path, file);
  return file;
}
