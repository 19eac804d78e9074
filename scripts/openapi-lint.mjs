// Checks docs/openapi.json with Redocly's recommended rules and the rules below. Fails for each error and each warning.
import { resolve } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const ROOT = resolve(import.meta.dirname, '..');
/**
 * Rules of Redocly that are errors here; in `recommended`, they are off or warnings. They check texts, tags and
 * examples, which are part of the contract.
 */
const FURTHER = [
  'info-contact',
  'operation-description',
  'operation-tag-defined',
  'tag-description',
  'no-invalid-schema-examples',
  'no-invalid-parameter-examples',
];

/** Headers of deprecated operations. They are declared even while no operation is deprecated (DOC-3). */
const MAY_BE_UNUSED = ['#/components/headers/Deprecation', '#/components/headers/Sunset'];

const config = await createConfig({
  extends: ['recommended'],
  rules: Object.fromEntries(FURTHER.map((rule) => [rule, 'error'])),
});
const found = await lint({ ref: resolve(ROOT, 'docs/openapi.json'), config });
const problems = found.filter(
  ({ ruleId, location }) => ruleId !== 'no-unused-components' || !MAY_BE_UNUSED.includes(location[0]?.pointer ?? ''),
);
for (const { severity, ruleId, message, location } of problems)
  console.error(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
if (problems.length > 0) process.exitCode = 1;
