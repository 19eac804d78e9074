import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of views or assets. They are not compiled, so a server that runs from dist/ also reads them from the
 * source folder.
 */
export function webFolder(name: 'views' | 'assets'): string {
  const beside = join(__dirname, name);
  return existsSync(beside) ? beside : join(__dirname, '..', '..', '..', 'libs', 'web', name);
}
