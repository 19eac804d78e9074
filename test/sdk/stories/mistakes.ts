// Each line after a comment `@ts-expect-error` is a mistake that the types of the package must reject. If one of these
// lines has no error, this file does not compile (test/sdk/package.spec.ts).
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
  // @ts-expect-error the operation has no pages
  client.getUser.all();
  // @ts-expect-error a file is needed, not a text
  await client.uploadGroupAvatar({ id: 'x', avatar: 'y' });
  // @ts-expect-error no such error code
  if (refused(error, 'event_fulll')) return;
  // @ts-expect-error not an error code of this operation
  const code: RefusalCodeOf<'getUser'> = 'event_full';
  if (refused(error, 'event_full')) {
    // @ts-expect-error `refused` narrows the type of the code
    if (error.code === 'cannot_join') console.log(code);
  }
}
