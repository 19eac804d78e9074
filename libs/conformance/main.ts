import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conformance } from './conformance';
import type { ApiDocument } from './document';

const USAGE = `Usage: events-conformance --base URL --token TOKEN [--write] [--document FILE]

Checks that a server behaves as the OpenAPI document of the Events API declares: response bodies, error codes, headers,
lists in pages, ETags. Without --write, the program only reads. With --write, the program also creates, changes and
deletes a private event. With --document, the program uses FILE instead of the document in the package
(docs/openapi.json of the package's version).
The exit code is 1 if the server does not meet a promise, and 2 if the program cannot run. With a limit of 60 requests
per minute, a run takes several minutes.
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
  for (const line of failures) process.stdout.write(`not met: ${line}\n`);
  process.stdout.write(
    `${failures.length === 0 ? 'All promises are met' : `${failures.length} promises are not met`}: version ${document.info.version}, ${requests} requests.\n`,
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
