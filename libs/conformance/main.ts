import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conformance } from './conformance';
import type { ApiDocument } from './document';

const USAGE = `Usage: events-conformance --base URL --token TOKEN [--write] [--document FILE]

Holds a server against what the Events API's document promises: shapes, refusals, headers, pages, tags. Reads only,
unless --write lets it make a private event, try changes on it, and delete it. Another document than the package's
own (docs/openapi.json of its version) is taken with --document. Ends with 1 when a promise is not kept, 2 when it
cannot run. At 60 requests a minute it takes several minutes.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      token: { type: 'string' },
      document: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { base, token, write, help } = values;
  if (help || base === undefined || token === undefined) {
    (help ? process.stdout : process.stderr).write(USAGE);
    return help ? 0 : 2;
  }
  const document = JSON.parse(readFileSync(values.document ?? join(__dirname, 'openapi.json'), 'utf8')) as ApiDocument;
  const { failures, requests } = await conformance({
    document,
    base,
    token,
    write,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  for (const line of failures) process.stdout.write(`not kept: ${line}\n`);
  process.stdout.write(
    `${failures.length === 0 ? 'Everything is kept' : `${failures.length} promises are not kept`}: version ${document.info.version}, ${requests} requests.\n`,
  );
  return failures.length === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
