import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazily } from './lazily';

/** The tests write two modules: `late` counts how often it is loaded, and `broken` throws when it is loaded. */
describe('a module loaded with `lazily`', () => {
  const loads = globalThis as { lazilyLoaded?: number };
  let folder: string;
  let importer: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lazily-'));
    importer = join(folder, 'importer.js');
    writeFileSync(
      join(folder, 'late.js'),
      'globalThis.lazilyLoaded = (globalThis.lazilyLoaded ?? 0) + 1; module.exports = { answer: 42 };',
    );
    writeFileSync(join(folder, 'broken.js'), 'throw new Error("not yet");');
    delete loads.lazilyLoaded;
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is loaded once, at its first use', () => {
    const late = lazily<{ answer: number }>(importer, './late');
    expect(loads.lazilyLoaded).toBeUndefined();
    expect([late().answer, late().answer, loads.lazilyLoaded]).toEqual([42, 42, 1]);
  });

  it('is loaded again at the next use if the loading has failed', () => {
    const broken = lazily<{ answer: number }>(importer, './broken');
    expect(() => broken()).toThrow('not yet');
    writeFileSync(join(folder, 'broken.js'), 'module.exports = { answer: 7 };');
    expect(broken().answer).toBe(7);
  });
});
