import { OperatorError } from '#platform/config/operator-error';
import { terminal } from './terminal';

/**
 * Prints a command's result as one JSON document, by default to stdout.
 * @throws OperatorError if the document cannot be written, for example to a full disk or to a program that has ended
 */
export async function print(result: unknown, stream: NodeJS.WritableStream = terminal().stdout): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // Without a listener the error would end the process with a stack trace.
    const fail = (error: Error): void => reject(new OperatorError(`The result cannot be written: ${error.message}`));
    stream.once('error', fail);
    stream.write(`${JSON.stringify(result, null, 2)}\n`, (error) => {
      if (error) return fail(error);
      stream.removeListener('error', fail);
      resolve();
    });
  });
}
