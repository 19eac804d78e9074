import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSALS } from '#contract/refusals';

const TESTS = join(__dirname, '..');

/** WIRE-36: each error code of the catalogue must occur in another file below test/. */
describe('the error codes of the catalogue', () => {
  const sourceOfTests = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('every-code.spec.ts'))
    .map((file) => readFileSync(join(TESTS, file), 'utf8'))
    .join('\n');

  it.each(Object.keys(REFUSALS))('occur in a test: %s', (code) => {
    expect(sourceOfTests).toMatch(new RegExp(`\\b${code}\\b`));
  });
});
