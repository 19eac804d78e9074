import { terminal } from './terminal';

/** Prints a command's result as one JSON document, by default to stdout. */
export function print(answer: unknown, stream: NodeJS.WritableStream = terminal().stdout): void {
  stream.write(`${JSON.stringify(answer, null, 2)}\n`);
}
