import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeState } from './stored-state';

describe('the stored first state of a sandbox', () => {
  it('is not replaced if another sandbox stored it first, and states of other days are removed', async () => {
    const work = mkdtempSync(join(tmpdir(), 'stored-state-'));
    const [own, cache] = [join(work, 'own'), join(work, 'cache')];
    for (const folder of [own, join(cache, 'today'), join(cache, 'yesterday')]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'maker'), folder);
    }
    await storeState(own, join(cache, 'today'));
    const kept = [readdirSync(cache), readFileSync(join(cache, 'today', 'maker'), 'utf8')];
    rmSync(work, { recursive: true });
    expect(kept).toEqual([['today'], join(cache, 'today')]);
  });
});
