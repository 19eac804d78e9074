import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of views and assets: beside this file when running from the sources, in the sources' folder when running
 * from dist/. They have no build step.
 */
export function webFolder(name: 'views' | 'assets'): string {
  const beside = join(__dirname, name);
  return existsSync(beside) ? beside : join(__dirname, '..', '..', '..', 'libs', 'web', name);
}
