import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where views and assets are: beside this file when it runs from the sources, in the sources' folder when it runs from dist/.
 * There is no build step for them.
 */
export function webFolder(name: 'views' | 'assets'): string {
  const beside = join(__dirname, name);
  return existsSync(beside) ? beside : join(__dirname, '..', '..', '..', 'libs', 'web', name);
}
