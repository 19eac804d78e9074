import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import type { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/**
 * The id, slug or code of one object of each kind. All objects have the same owner. The people (for example
 * `participant` and `requester`) have a relation to the owner's event or group.
 */
export type Belongings = Readonly<Record<Kind, string>>;

export const KINDS = [
  'event',
  'image',
  'photo',
  'comment',
  'expense',
  'payment',
  'ticket',
  'doorLink',
  'spareTicket',
  'checkInCode',
  'participant',
  'waitlisted',
  'group',
  'member',
  'requester',
  'series',
  'post',
  'postId',
  'postComment',
  'puls',
  'webhook',
  'delivery',
  'notice',
  'passwordEvent',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Creates an event, a group, a series and a post of an owner, and objects that belong to these objects or to the owner.
 * If `isPublic` is false, a stranger does not see the event, the group, the series and the post. The post is then a
 * draft, on which nobody can comment, so `postComment` is the id of the post. `passwordEvent` is always public. If the
 * option `puls` is false, no Puls post is created, and the result contains '' as `puls`.
 */
export async function belongingsOf(
  server: TestServer,
  owner: Person,
  { isPublic, puls }: { readonly isPublic: boolean; readonly puls: boolean },
): Promise<Belongings> {
  const ids = server.app.get(PublicIds);
  const { guest, waitlisted, member, requester } = await server.people('guest', 'waitlisted', 'member', 'requester');
  const image = new Blob([new Uint8Array(await picture())]);
  /** Returns the created object in the response. Throws if the request failed. */
  const createdIn = async (answer: Promise<Answer>): Promise<{ id: string; code: string; slug: string }> => {
    const { status, text, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return [body.data].flat()[0];
  };
  const { api } = owner;
  const { id: event, eventId } = await buildEvent(server, owner, {
    is_public: isPublic,
    photos_enabled: true,
    join_mode: 'tickets',
    starts_at: inDays(3),
    with: [
      [guest, 'confirmed'],
      [waitlisted, 'waitlisted'],
    ],
  });
  const { id: passwordEvent } = await buildEvent(server, owner, {
    is_public: true,
    join_mode: 'password',
    join_password: `heslo ${owner.slug} ${isPublic}`,
  });
  await createdIn(api.upload(`/events/${event}/images`, [['images[]', image]]));
  const eventImage = await createdIn(api.upload(`/events/${event}/images`, [['images[]', image]]));
  const photo = await createdIn(api.upload(`/events/${event}/photos`, [['photos[]', image]]));
  const comment = await createdIn(api.post(`/events/${event}/comments`, { body: 'Ahoj' }));
  const expense = await createdIn(api.post(`/events/${event}/expenses`, { title: 'Dort', amount: 10 }));
  const payment = await createdIn(
    api.post(`/events/${event}/expenses/payments`, { to: guest.slug, amount: 1, currency: 'CZK' }),
  );
  const doorLink = await createdIn(api.post(`/events/${event}/door/links`, { name: 'Brána' }));
  const ticket = await createdIn(api.post(`/events/${event}/tickets`, { count: 1 }));
  const spareTicket = await createdIn(api.post(`/events/${event}/tickets`, { count: 1 }));
  await createdIn(api.put(`/events/${event}/itinerary`, { title: 'Plán', stops: [{ title: 'Start' }] }));
  const [{ code }] = (await server.sql(
    'SELECT check_in_code AS code FROM participations WHERE event_id = $1 AND user_id = $2',
    [eventId, guest.userId],
  )) as [{ code: string }];
  const group = await buildGroup(server, owner, {
    is_public: isPublic,
    with: [
      [member, 'member'],
      [requester, 'requested'],
    ],
  });
  const series = await buildSeries(server, owner, { is_public: isPublic });
  const post = await createdIn(
    api.post('/posts', {
      title: 'Článek',
      body: 'text',
      categories: ['kolo'],
      status: isPublic ? 'published' : 'draft',
    }),
  );
  const postComment = await createdIn(
    api
      .post(`/posts/${post.slug}/comments`, { body: 'Ahoj' })
      .then((answer) => (answer.status === 201 ? answer : api.get(`/posts/${post.slug}`))),
  );
  const pulsId = puls
    ? (
        await createdIn(
          api.upload('/puls', [
            ['latitude', '50'],
            ['longitude', '14'],
            ['body', 'Ahoj'],
          ]),
        )
      ).id
    : '';
  const [webhook] = await server.sql<{ id: number }>(
    `INSERT INTO webhooks (user_id, url, description, secret_sealed, position, created_at, updated_at)
     VALUES ($1, 'http://127.0.0.1:9/', 'x', 'sealed', '0', now(), now()) RETURNING id::int`,
    [owner.userId],
  );
  const [delivery] = await server.sql<{ id: number }>(
    `INSERT INTO webhook_deliveries (webhook_id, message_id, body, status, created_at)
     VALUES ($1::bigint, 'msg_' || $1::text, '{"type":"event.updated","data":{}}', 'delivered', now())
     RETURNING id::int`,
    [webhook!.id],
  );
  const [notice] = await server.sql<{ id: number }>(
    `INSERT INTO notifications (user_id, kind, event_id, event_title, event_starts_at, created_at)
     VALUES ($1, 'cancellation', $2, 'Piknik', now(), now()) RETURNING id::int`,
    [owner.userId, eventId],
  );
  return {
    event,
    passwordEvent,
    image: eventImage.id,
    photo: photo.id,
    comment: comment.id,
    expense: expense.id,
    payment: payment.id,
    ticket: ticket.code,
    doorLink: doorLink.id,
    spareTicket: spareTicket.code,
    checkInCode: code,
    participant: guest.slug,
    waitlisted: waitlisted.slug,
    group: group.id,
    member: member.slug,
    requester: requester.slug,
    series: series.id,
    post: post.slug,
    postId: post.id,
    postComment: postComment.id,
    puls: pulsId,
    webhook: ids.encode('webhook', webhook!.id),
    delivery: ids.encode('webhook_delivery', delivery!.id),
    notice: ids.encode('notice', notice!.id),
  };
}
