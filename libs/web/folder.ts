import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of views or assets. If the build has not copied these files to dist/, they are read from the source
 * folder.
 */
export function webFolder(name: 'views' | 'assets'): string {
  const folder = join(__dirname, name);
  return existsSync(folder) ? folder : join(__dirname, '..', '..', '..', 'libs', 'web', name);
}
