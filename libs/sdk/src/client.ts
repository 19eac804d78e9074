import { changesOf, type Change, type ChangesOptions } from './changes.ts';
import { OPERATIONS, type Methods } from './generated/operations.ts';
import type { Operation } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { itemsOf } from './pages.ts';
import { requestOf } from './request.ts';
import { jsonOf, Transport, type Answer } from './transport.ts';

type Args = Readonly<Record<string, unknown>>;

/**
 * The client has one method for each operation of the API; the name of the method is the id of the operation. The
 * client also has the method `changes`, which follows the feed of changes with as many requests as necessary.
 */
export interface EventsClient extends Methods {
  /**
   * Yields the changes that concern the caller, in order: all changes after `cursor`, or by default all changes from
   * now on. The iteration ends only if it throws, for example after an abort or a refusal. Store the cursor of each
   * change after processing it, so that no change is lost when the client or the server restarts.
   */
  readonly changes: (options?: ChangesOptions) => AsyncGenerator<Change, void, undefined>;
}

/** `new EventsClient({ token: 'evt_…', baseUrl: 'https://events.example' })` */
export const EventsClient = class {
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    for (const [id, operation] of Object.entries(OPERATIONS))
      Object.assign(this, { [id]: methodOf(transport, operation) });
    Object.assign(this, { changes: (options?: ChangesOptions) => changesOf(transport, options) });
  }
} as unknown as new (options: ClientOptions) => EventsClient;

function methodOf(transport: Transport, operation: Operation): unknown {
  const withResponse = async (
    args: Args = {},
    options?: CallOptions,
  ): Promise<{ data: unknown; response: Response }> => {
    const answer = await transport.send(await requestOf(operation, args), options);
    return { data: await read(operation, answer), response: answer.response };
  };
  const method = async (args?: Args, options?: CallOptions): Promise<unknown> =>
    (await withResponse(args, options)).data;
  return Object.assign(
    method,
    { withResponse },
    operation.answer === 'page' && {
      all: (args?: Args, options?: CallOptions) => itemsOf(method, args, options, operation.before),
    },
  );
}

async function read({ answer }: Operation, { body, response }: Answer): Promise<unknown> {
  if (answer === undefined) return undefined;
  if (answer === 'blob') return body;
  if (answer === 'text') return body.text();
  const json = await jsonOf({ body, response });
  return answer === 'data' ? json.data : json;
}
