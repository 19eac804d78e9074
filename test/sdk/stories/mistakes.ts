// Code that the package's types must refuse: each line below is an error, or compiling this file fails
// (test/sdk/package.spec.ts).
import { EventsClient, refused, type RefusalCodeOf } from '@events-service/sdk';

export async function mistakes(client: EventsClient, error: unknown): Promise<void> {
  // @ts-expect-error an id is needed
  await client.getEvent();
  // @ts-expect-error a title is needed
  await client.createEvent({ starts_at: '2035-05-01T16:00:00Z' });
  // @ts-expect-error no such field
  await client.joinEvent({ id: 'x', pasword: 'y' });
  // @ts-expect-error no such type of event
  await client.discoverEvents({ type: 'war' });
  // @ts-expect-error no pages
  client.getUser.all();
  // @ts-expect-error a file, no text
  await client.uploadGroupAvatar({ id: 'x', avatar: 'y' });
  // @ts-expect-error no such code
  if (refused(error, 'event_fulll')) return;
  // @ts-expect-error not a code of this operation
  const code: RefusalCodeOf<'getUser'> = 'event_full';
  if (refused(error, 'event_full')) {
    // @ts-expect-error narrowed
    if (error.code === 'cannot_join') console.log(code);
  }
}
