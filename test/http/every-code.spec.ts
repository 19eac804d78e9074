import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSALS } from '#contract/refusals';

const TESTS = join(__dirname, '..');

/** WIRE-36: every code of the catalogue is asserted over HTTP; this test lists the missing ones. */
// WIRE-36
describe('every code of the catalogue', () => {
  const asserted = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('every-code.spec.ts'))
    .map((file) => readFileSync(join(TESTS, file), 'utf8'))
    .join('\n');

  it.each(Object.keys(REFUSALS))('%s is asserted in a test over HTTP', (code) => {
    expect(asserted).toMatch(new RegExp(`\\b${code}\\b`));
  });
});
