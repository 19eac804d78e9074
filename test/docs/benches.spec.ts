import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

// The programs in these folders are not compiled, and other tests run only a few of them. For most programs, only this
// test notices that the path of a loaded module is wrong.
it.each(['bench', 'scripts'])('the programs in %s/ load only compiled modules whose source files exist', (folder) => {
  const programs = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mjs'),
  );
  const loaded = programs.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/'(?:[./]*dist\/)?((?:libs|apps)\/[\w./-]+)\.js'/g),
    ].map(([, module = '']) => ({ file, module })),
  );
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter(({ module }) => !existsSync(join(ROOT, `${module}.ts`)))).toEqual([]);
});
