import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { zipOf, type Entry } from './archive';

// DATA-7
describe('an archive that is no longer read', () => {
  it('closes all files that it has opened, and opens at most one file after the file that was being read', async () => {
    const files: Readable[] = [];
    let ended = false;
    async function* entries(): AsyncGenerator<Entry> {
      try {
        for (const path of ['one', 'two', 'three']) {
          const file = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(65_536)));
          files.push(file);
          yield { path, open: async () => file };
        }
      } finally {
        ended = true;
      }
    }
    const archive = zipOf(entries(), new Date());
    await once(archive, 'readable');
    archive.destroy();
    await pause(50);
    expect({ ended, closed: files.map(({ destroyed }) => destroyed) }).toEqual({ ended: true, closed: [true, true] });
  });
});
