import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { BOUNDARY, multipartBody } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';

/** WIRE-37, WIRE-40: a request with an unreadable body is refused before visibility and ownership are checked. */
describe('an unreadable form', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let event: BuiltEvent;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
    event = await buildEvent(server, petr);
  });
  afterAll(() => server.stop());

  const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
  const readableForm = multipartBody([{ name: 'a', filename: 'a.jpg', content: Buffer.alloc(2000) }]);
  const send = (path: string, body: Buffer, type = TYPE) =>
    jana.api.send('POST', path, { body, headers: { 'content-type': type } });
  /** Paths, and the status of the response to a readable form that jana sends to the path. */
  const pathsWithStatus = () =>
    [
      ['/events/nowhere/images', 404],
      [`/events/${event.id}/images`, 403],
      [`/events/${event.id}/photos`, 403],
      ['/events/nowhere/photos', 404],
      ['/events/nowhere/comments', 404],
      ['/posts/nowhere/comments', 404],
      ['/posts/nowhere/cover', 404],
      ['/groups/nowhere/avatar', 404],
    ] as const;

  // WIRE-40, WIRE-37
  it.each([
    ['has no boundary', readableForm, 'multipart/form-data'],
    ['has another boundary', readableForm, 'multipart/form-data; boundary=other'],
    ['is incomplete', readableForm.subarray(0, 900), TYPE],
    [
      'has too many parts',
      multipartBody(Array.from({ length: 101 }, (_, i) => ({ name: `a${i}`, content: 'x' }))),
      TYPE,
    ],
  ])('that %s is refused before visibility and ownership are checked', async (_, body, type) => {
    for (const [path] of pathsWithStatus()) {
      const answer = await send(path, body, type);
      expect([path, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([path, 422, ['body']]);
    }
  });

  // WIRE-55
  it('is refused with 422 if the text of a field is not UTF-8 or contains the character U+FFFD', async () => {
    const { id } = await buildEvent(server, jana);
    for (const content of [Buffer.from([0x61, 0xff]), '\ufffd']) {
      const answer = await send(`/events/${id}/comments`, multipartBody([{ name: 'body', content }]));
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['body']]);
    }
    const answer = await send(`/events/${id}/comments`, multipartBody([{ name: 'body', content: 'Žižkov' }]));
    expect([answer.status, answer.body.data?.body]).toEqual([201, 'Žižkov']);
  });

  // WIRE-42
  it('that is far too large is refused with 413 before visibility is checked', async () => {
    const answer = await send(
      '/groups/nowhere/avatar',
      multipartBody([{ name: 'avatar', filename: 'a.jpg', content: Buffer.alloc(30 * 1024 * 1024) }]),
    );
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  // WIRE-37
  it('is refused on paths where a readable form gets 403 or 404', async () => {
    for (const [path, status] of pathsWithStatus())
      expect([path, (await send(path, readableForm)).status]).toEqual([path, status]);
  });
});
