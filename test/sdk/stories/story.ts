// This file uses only the installed package, as a client developer would. test/sdk/package.spec.ts compiles this file
// in strict mode and runs the story.
import {
  EventsClient,
  refused,
  type Arguments,
  type components,
  type Item,
  type RefusalCodeOf,
} from '@events-service/sdk';

type OwnEvent = components['schemas']['OwnEvent'];
type Found = Item<'discoverEvents'>;

export interface StoryResult {
  readonly id: string;
  /** The number of uploaded pictures. */
  readonly images: number;
  /** The code of the refusal to join the full event. */
  readonly fullRefusal: string;
  /** The titles of the found events. */
  readonly found: readonly string[];
  /** The number of comments. */
  readonly comments: number;
  /** The payments that settle the expenses (`petr 120.25`). */
  readonly settlement: readonly string[];
  /** The payments that remain at the end. */
  readonly afterPaying: readonly string[];
  readonly csv: string;
  /** Status, code and help address of the refusal for an event that does not exist. */
  readonly missingRefusal: string;
  /** The status of the response when a person leaves the event. */
  readonly leaveStatus: number;
}

/** The address of the server, and the API tokens of three people. */
export interface Cast {
  readonly baseUrl: string;
  readonly jana: string;
  readonly petr: string;
  readonly eva: string;
}

/** Returns the bytes as a web `ReadableStream`, which every runtime supports. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 100) controller.enqueue(bytes.subarray(at, at + 100));
      controller.close();
    },
  });
}

/** Creates an event, calls operations on it (for example join, expenses and comments), and returns the results. */
export async function story({ baseUrl, ...tokens }: Cast, picture: Uint8Array<ArrayBuffer>): Promise<StoryResult> {
  const [jana, petr, eva] = [tokens.jana, tokens.petr, tokens.eva].map(
    (token) => new EventsClient({ token, baseUrl }),
  ) as [EventsClient, EventsClient, EventsClient];

  const input: Arguments<'createEvent'> = {
    title: 'Tea at five',
    starts_at: '2035-05-01T16:00:00Z',
    max_participants: 2,
    join_mode: 'password',
    join_password: 'earl-grey',
  };
  const event: OwnEvent = await jana.createEvent(input);
  const { id } = event;
  const images = await jana.uploadEventImages({ id, images: [new Blob([picture]), picture, streamOf(picture)] });

  const found: Found[] = [];
  for await (const one of petr.discoverEvents.all({ q: 'Tea at five', per_page: 1 })) found.push(one);

  const joined = await petr.joinEvent({ id, password: 'earl-grey' });
  if (joined.viewer.participation !== 'confirmed') throw new Error('petr is not confirmed');
  const fullRefusal: RefusalCodeOf<'joinEvent'> | 'none' = await eva.joinEvent({ id, password: 'earl-grey' }).then(
    () => 'none',
    (error: unknown) => {
      if (refused(error, 'event_full', 'cannot_join')) return error.code;
      throw error;
    },
  );
  await eva.joinEventWaitlist({ id });

  const { data: mine, response } = await jana.getEvent.withResponse({ id });
  const tag = response.headers.get('etag') ?? '';
  await jana.updateEvent({ id, title: `${mine.title}!`, price_note: null }, { ifMatch: tag });

  const { slug } = await petr.getUser();
  await jana.addEventExpense({ id, title: 'Cakes', amount: 240.5 });
  const owed = async (): Promise<string[]> =>
    (await petr.getEventExpenses({ id })).summary['CZK']?.settlement.map(
      ({ from, amount }) => `${from.slug === slug ? 'petr' : from.slug} ${amount}`,
    ) ?? [];
  const settlement = await owed();
  await petr.recordEventPayment({ id, to: (await jana.getUser()).slug, amount: 120.25 });

  let comments = 0;
  await petr.commentOnEvent({ id, body: 'See you there!' });
  await petr.commentOnEvent({ id, image: new Blob([picture], { type: 'image/jpeg' }) });
  for await (const _one of jana.listEventComments.all({ id })) comments += 1;

  const missingRefusal = await jana.getEvent({ id: 'nothing' }).then(
    () => 'there',
    (error: unknown) => (refused(error) ? `${error.status} ${error.code} ${error.help ?? ''}` : 'no refusal'),
  );
  const csv = await jana.downloadEventExpenses({ id });
  const leaving = await eva.leaveEvent.withResponse({ id });
  const noContent: void = leaving.data;
  if (noContent !== undefined) throw new Error('a 204 has content');
  return {
    id,
    fullRefusal,
    settlement,
    missingRefusal,
    csv,
    images: images.length,
    found: found.map(({ title }) => title),
    comments,
    afterPaying: await owed(),
    leaveStatus: leaving.response.status,
  };
}
