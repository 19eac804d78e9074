// docs/openapi.json against Redocly's recommended rules: no error and no warning may be left.
import { resolve } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

const config = await createConfig({ extends: ['recommended'] });
const problems = await lint({ ref: resolve(ROOT, 'docs/openapi.json'), config });
for (const { severity, ruleId, message, location } of problems) console.error(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
if (problems.length > 0) process.exitCode = 1;
