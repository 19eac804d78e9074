import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The objects with texts that the files in libs/web/texts export. */
function exportedTexts(): object[] {
  const folder = join(__dirname, 'texts');
  return readdirSync(folder).flatMap((file) =>
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the files are found in the folder
    Object.values(require(join(folder, file)) as object).filter((one): one is object => typeof one === 'object'),
  );
}

describe('the texts of the pages', () => {
  it('have different keys in all files, because a text would silently replace another text with the same key', () => {
    const keys = exportedTexts().flatMap((texts) => Object.keys(texts));
    expect(keys.length).toBeGreaterThan(700);
    expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([]);
  });
});
