import { terminal } from './terminal';

/** The answer of a command: one JSON document, on stdout unless that is taken by something else. */
export function print(answer: unknown, stream: NodeJS.WritableStream = terminal().stdout): void {
  stream.write(`${JSON.stringify(answer, null, 2)}\n`);
}
