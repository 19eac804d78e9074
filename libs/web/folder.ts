import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of views or assets. They are not compiled, so a server that runs from dist/ also reads them from the
 * source folder.
 */
export function webFolder(name: 'views' | 'assets'): string {
  const folder = join(__dirname, name);
  return existsSync(folder) ? folder : join(__dirname, '..', '..', '..', 'libs', 'web', name);
}
