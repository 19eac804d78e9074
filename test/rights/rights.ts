import type { RefusalCode } from '#contract/refusals';
import type { Person } from '#testing/people';
import { inDays } from '#testing/times';
import { SOCIAL_FORMS } from './social-forms';
import type { Belongings } from './belongings';

/**
 * `own`: objects of the stranger, who sends all requests. `seen`: public objects of another person. `hidden`: private
 * objects of that person, which the stranger cannot see.
 */
export type Whose = 'own' | 'seen' | 'hidden';

export interface World extends Readonly<Record<Whose, Belongings>> {
  /** The person to whom the objects in `seen` and `hidden` belong. */
  readonly owner: Person;
  /** The person to whom the objects in `own` belong. */
  readonly stranger: Person;
  /** Objects of the owner's account. */
  readonly accountObjects: Readonly<
    Record<'token' | 'session' | 'passkey' | 'push' | 'decision' | 'objectedDecision' | 'report', string>
  >;
}

/**
 * The expected refusal: an error code (with ` on FIELD` for a 422 with field errors), or the status of a response
 * without a code. The status is 200 for scans at the door, which are refused one by one in the response.
 */
export type Refused = RefusalCode | `${RefusalCode} on ${string}` | number;
type Expected = Refused | 'allowed';

/**
 * The expected responses to the stranger's requests, by the object in the path (`seen` or `hidden`, see `Whose`). For
 * `allowed`, the test sends no request. For a path with two objects, a key such as `own+seen` gives the response if the
 * first object is `own` and the second object is `seen`. Such a key takes precedence over `seen`, `hidden` and `inner`.
 */
export interface Rights extends Partial<Record<`${Whose}+${Whose}`, Expected>> {
  readonly seen?: Expected;
  readonly hidden?: Expected;
  /** For a path with two objects: the response if only the first object belongs to the stranger. */
  readonly inner?: Expected;
  /** A valid body, so that the request can be refused only because of the object in the path. */
  readonly json?: (world: World) => Record<string, unknown>;
  /** The name of the form part with a file. */
  readonly form?: string;
  /**
   * Requests whose bodies refer to objects of another person, or to the stranger's objects of another event or post.
   */
  readonly bodies?: (
    world: World,
  ) => readonly (readonly [path: string, json: Record<string, unknown>, expected: Refused])[];
}

/** For operations of the organizer, owner or author only: others get 403 if they see the object, otherwise 404. */
const OWNER_ONLY: Rights = { seen: 'forbidden', hidden: 'not_found' };
/** For operations that everybody who sees the object may call. */
const READABLE: Rights = { seen: 'allowed', hidden: 'not_found' };
/** For operations on objects that only their owner sees: always 404. */
const INVISIBLE: Rights = { seen: 'not_found', hidden: 'not_found' };
/** Like OWNER_ONLY, for paths with two objects (see `Rights.inner`). */
const withInner = (inner: Expected, more: Rights = {}): Rights => ({ ...OWNER_ONLY, inner, ...more });

const scan = (code: string): Record<string, unknown> => ({
  device: 'x',
  scans: [{ code, scanned_at: new Date(Date.now() - 1000).toISOString() }],
});
/** Check-in codes and tickets of the owner's events. */
const codes = ({ seen, hidden }: World): readonly string[] => [
  seen.checkInCode,
  hidden.checkInCode,
  seen.ticket,
  hidden.ticket,
];

/**
 * Every operation with an id in its path or with a body. A text is the reason why the operation is not tested here.
 */
export const OPERATIONS: Readonly<Record<string, Rights | string>> = {
  'PUT /blocks/{slug}': 'everybody may block everybody',
  'DELETE /blocks/{slug}': 'the request can end only blocks by the account that sends it',
  'GET /users/{slug}': 'everybody may find people who are searchable; for other people see test/users/search.spec.ts',
  'POST /notices/read': {
    bodies: ({ seen, hidden }) =>
      [seen, hidden].map(({ notice }) => ['/notices/read', { up_to: notice }, 'validation_failed on up_to'] as const),
  },

  'POST /groups': 'the request contains no id',
  'GET /groups/{id}': READABLE,
  'PATCH /groups/{id}': { ...OWNER_ONLY, json: () => ({ name: 'Cizí' }) },
  'DELETE /groups/{id}': OWNER_ONLY,
  'POST /groups/{id}/invite-link': OWNER_ONLY,
  'POST /groups/{id}/join': READABLE,
  'DELETE /groups/{id}/join': { seen: 'not_related', hidden: 'not_found' },
  'GET /groups/{id}/members': OWNER_ONLY,
  'POST /groups/{id}/members': { ...OWNER_ONLY, json: ({ own }) => ({ user: own.participant }) },
  'POST /groups/{id}/members/{slug}/approve': withInner('not_requested'),
  'DELETE /groups/{id}/members/{slug}': withInner('not_related'),
  'POST /groups/{id}/avatar': { ...OWNER_ONLY, form: 'avatar' },
  'DELETE /groups/{id}/avatar': OWNER_ONLY,
  'POST /groups/{id}/cover': { ...OWNER_ONLY, form: 'cover' },
  'DELETE /groups/{id}/cover': OWNER_ONLY,
  'GET /groups/{id}/events': OWNER_ONLY,
  'PUT /groups/{id}/events/{eventId}/interest': withInner('not_found', { 'own+seen': 'allowed' }),
  'DELETE /groups/{id}/events/{eventId}/interest': withInner('not_found'),

  'POST /events': {
    bodies: ({ seen, hidden }) =>
      [seen, hidden].map(
        ({ group }) =>
          [
            '/events',
            { title: 'Piknik', starts_at: inDays(3).toISOString(), group },
            'validation_failed on group',
          ] as const,
      ),
  },
  'GET /events/{id}': OWNER_ONLY,
  'PATCH /events/{id}': { ...OWNER_ONLY, json: () => ({ title: 'Cizí' }) },
  'DELETE /events/{id}': OWNER_ONLY,
  'POST /events/{id}/images': { ...OWNER_ONLY, form: 'images[]' },
  'DELETE /events/{id}/images/{imageId}': withInner('not_found'),
  'POST /events/{id}/images/{imageId}/primary': withInner('not_found'),
  'POST /events/{id}/join': {
    seen: 'invalid_ticket_code',
    hidden: 'cannot_join',
    bodies: ({ own, seen, hidden, stranger }) => [
      [`/events/${seen.event}/join`, { ticket_code: hidden.spareTicket }, 'invalid_ticket_code'],
      [`/events/${seen.event}/join`, { ticket_code: own.spareTicket }, 'invalid_ticket_code'],
      [`/events/${hidden.event}/join`, { ticket_code: hidden.spareTicket }, 'cannot_join'],
      [`/events/${seen.passwordEvent}/join`, { password: `heslo ${stranger.slug} true` }, 'wrong_password'],
    ],
  },
  'DELETE /events/{id}/join': { seen: 'not_participant', hidden: 'not_found' },
  'POST /events/{id}/waitlist': { seen: 'cannot_join', hidden: 'cannot_join' },
  'GET /events/{id}/participants': OWNER_ONLY,
  'POST /events/{id}/participants': { ...OWNER_ONLY, json: ({ own }) => ({ user: own.participant }) },
  'DELETE /events/{id}/participants/{slug}': withInner('not_participant'),
  'POST /events/{id}/participants/{slug}/promote': withInner('not_participant'),
  'PUT /events/{id}/participants/{slug}/check-in': withInner('not_participant'),
  'DELETE /events/{id}/participants/{slug}/check-in': withInner('not_participant'),
  'POST /events/{id}/check-in': {
    ...OWNER_ONLY,
    json: ({ seen }) => ({ code: seen.checkInCode }),
    bodies: (world) =>
      codes(world).map((code) => [`/events/${world.own.event}/check-in`, { code }, 'not_found'] as const),
  },
  'GET /events/{id}/door': OWNER_ONLY,
  'GET /events/{id}/door/links': OWNER_ONLY,
  'POST /events/{id}/door/links': { ...OWNER_ONLY, json: () => ({ name: 'Cizí' }) },
  'DELETE /events/{id}/door/links/{linkId}': withInner('not_found'),
  'POST /events/{id}/door/scans': {
    ...OWNER_ONLY,
    json: ({ seen }) => scan(seen.checkInCode),
    bodies: (world) => codes(world).map((code) => [`/events/${world.own.event}/door/scans`, scan(code), 200] as const),
  },
  'GET /events/{id}/my-code.svg': { seen: 'not_participant', hidden: 'not_found' },
  'GET /events/{id}/my-code.png': { seen: 'not_participant', hidden: 'not_found' },
  'GET /events/{id}/tickets': OWNER_ONLY,
  'POST /events/{id}/tickets': { ...OWNER_ONLY, json: () => ({ count: 1 }) },
  'DELETE /events/{id}/tickets/{code}': withInner('not_found'),
  'GET /discover/events/{id}': READABLE,

  'POST /series': 'the request contains no id',
  'GET /series/{id}': INVISIBLE,
  'PATCH /series/{id}': { ...INVISIBLE, json: () => ({ title: 'Cizí' }) },
  'POST /series/{id}/cancel': INVISIBLE,
  'GET /series/{id}/events': INVISIBLE,

  'POST /posts': {
    bodies: ({ seen, hidden }) =>
      [seen, hidden].map(
        ({ event }) =>
          [
            '/posts',
            { title: 'Článek', body: 'text', categories: ['kolo'], event_id: event },
            'validation_failed on event_id',
          ] as const,
      ),
  },
  'GET /posts/{slug}': READABLE,
  'PATCH /posts/{slug}': {
    ...OWNER_ONLY,
    json: () => ({ title: 'Cizí' }),
    bodies: ({ own, seen, hidden }) =>
      [seen, hidden].map(
        ({ event }) => [`/posts/${own.post}`, { event_id: event }, 'validation_failed on event_id'] as const,
      ),
  },
  'DELETE /posts/{slug}': OWNER_ONLY,
  'POST /posts/{slug}/cover': { ...OWNER_ONLY, form: 'cover' },
  'DELETE /posts/{slug}/cover': OWNER_ONLY,

  'GET /events/{id}/comments': READABLE,
  'POST /events/{id}/comments': {
    seen: 'comment_forbidden',
    hidden: 'not_found',
    json: () => ({ body: 'Ahoj' }),
    bodies: ({ own, seen, hidden }) =>
      [seen.comment, hidden.comment, own.postComment].map(
        (parent) => [`/events/${own.event}/comments`, { body: 'Ahoj', parent }, 'parent_invalid'] as const,
      ),
  },
  'GET /posts/{slug}/comments': READABLE,
  'POST /posts/{slug}/comments': {
    ...READABLE,
    json: () => ({ body: 'Ahoj' }),
    bodies: ({ own, seen, hidden }) =>
      [seen.postComment, hidden.comment, own.comment].map(
        (parent) => [`/posts/${own.post}/comments`, { body: 'Ahoj', parent }, 'parent_invalid'] as const,
      ),
  },
  'DELETE /comments/{id}': OWNER_ONLY,

  'GET /events/{id}/participants.csv': OWNER_ONLY,
  'GET /events/{id}/stats': OWNER_ONLY,
  'GET /events/{id}/messages': OWNER_ONLY,
  'POST /events/{id}/messages': { ...OWNER_ONLY, json: () => ({ text: 'Cizí', to: 'all' }) },
  'GET /events/{id}/expenses': OWNER_ONLY,
  'POST /events/{id}/expenses': {
    ...OWNER_ONLY,
    json: () => ({ title: 'Dort', amount: 1 }),
    bodies: ({ own, seen, owner }) => [
      [`/events/${own.event}/expenses`, { title: 'Dort', amount: 1, paid_by: owner.slug }, 'participant_not_eligible'],
      [
        `/events/${own.event}/expenses`,
        { title: 'Dort', amount: 1, shared_with: [seen.participant] },
        'participant_not_eligible',
      ],
    ],
  },
  'DELETE /events/{id}/expenses/{expenseId}': withInner('not_found'),
  'GET /events/{id}/expenses.csv': OWNER_ONLY,
  'POST /events/{id}/expenses/payments': {
    ...OWNER_ONLY,
    json: ({ owner }) => ({ to: owner.slug, amount: 1, currency: 'CZK' }),
    bodies: ({ own, seen }) => [
      [
        `/events/${own.event}/expenses/payments`,
        { to: seen.participant, amount: 1, currency: 'CZK' },
        'participant_not_eligible',
      ],
      [
        `/events/${own.event}/expenses/payments`,
        { from: own.participant, to: seen.participant, amount: 1, currency: 'CZK' },
        'forbidden',
      ],
    ],
  },
  'DELETE /events/{id}/expenses/payments/{paymentId}': withInner('not_found'),

  'POST /puls': 'the request contains no id',
  // No hidden Puls post exists (`belongingsOf`). Because of `allowed`, the test sends no request for this case.
  'DELETE /puls/{id}': { seen: 'not_owner', hidden: 'allowed' },

  'GET /events/{id}/photos': READABLE,
  'POST /events/{id}/photos': { seen: 'upload_forbidden', hidden: 'not_found', form: 'photos[]' },
  'DELETE /events/{id}/photos/{photoId}': {
    seen: 'photo_not_found',
    'seen+seen': 'photo_forbidden',
    hidden: 'not_found',
    inner: 'photo_not_found',
  },
  'GET /events/{id}/itinerary': READABLE,
  'PUT /events/{id}/itinerary': { ...OWNER_ONLY, json: () => ({ title: 'Cizí', stops: [{ title: 'x' }] }) },
  'DELETE /events/{id}/itinerary': OWNER_ONLY,

  'POST /reports': {
    bodies: ({ hidden }) =>
      (
        [
          ['event', hidden.event],
          ['series', hidden.series],
          ['group', hidden.group],
          ['post', hidden.post],
          ['post', hidden.postId],
          ['comment', hidden.comment],
          ['photo', hidden.photo],
        ] as const
      ).map(
        ([subject_type, subject_id]) =>
          ['/reports', { subject_type, subject_id, reason: 'spam' }, 'validation_failed on subject_id'] as const,
      ),
  },
  'POST /webhooks': 'the request contains no id',
  'GET /webhooks/{id}': INVISIBLE,
  'PATCH /webhooks/{id}': { ...INVISIBLE, json: () => ({ description: 'cizí' }) },
  'DELETE /webhooks/{id}': INVISIBLE,
  'POST /webhooks/{id}/rotate': INVISIBLE,
  'POST /webhooks/{id}/test': INVISIBLE,
  'GET /webhooks/{id}/deliveries': INVISIBLE,
  'POST /webhooks/{id}/deliveries/{deliveryId}/retry': { ...INVISIBLE, inner: 'not_found' },
};

/** A form with the id or secret of another person's object, and the status of the response. */
export interface Attempt {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly status: number;
}

const WEBHOOK = '/account/api/webhooks';
/** Attempts with a webhook of another person. */
const attemptsWithWebhook =
  (action = ''): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) =>
    [seen, hidden].map((one) => ({ path: `${WEBHOOK}/${one.webhook}${action}`, status: 404 }));
const OWN_ACCOUNT = 'the form concerns only the account that is signed in';
const LINK = 'everybody who has the secret link may use it: test/account-mail';

/** Attempts with an event of another organizer: 403 if the stranger sees the event, otherwise 404. */
const attemptsWithEvent =
  (suffix: string, fields: Attempt['fields'] = {}): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) => [
    { path: `/events/${seen.event}${suffix}`, fields, status: 403 },
    { path: `/events/${hidden.event}${suffix}`, fields, status: 404 },
  ];
/** Attempts with a person, picture, ticket or door link of another organizer's event. */
const attemptsWithPart =
  (
    list: string,
    part: 'participant' | 'image' | 'spareTicket' | 'doorLink',
    suffix: string,
  ): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) => [
    { path: `/events/${seen.event}/${list}/${seen[part]}${suffix}`, status: 403 },
    { path: `/events/${hidden.event}/${list}/${hidden[part]}${suffix}`, status: 404 },
  ];
/** Attempts with a series of another organizer. Only the organizer sees a series, so the response is 404. */
const attemptsWithSeries =
  (suffix: string, fields: Attempt['fields'] = {}): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) =>
    [seen, hidden].map((one) => ({ path: `/series/${one.series}${suffix}`, fields, status: 404 }));

/** Every POST path outside the API; most are forms of pages. A text is the reason why the path is not tested here. */
export const FORMS: Readonly<Record<string, ((world: World) => readonly Attempt[]) | string>> = {
  '/account': OWN_ACCOUNT,
  '/account/avatar': OWN_ACCOUNT,
  '/account/api': OWN_ACCOUNT,
  '/account/api/:id/revoke': ({ accountObjects }) => [
    { path: `/account/api/${accountObjects.token}/revoke`, status: 404 },
  ],
  '/account/apps/own': OWN_ACCOUNT,
  '/account/apps/disconnect-all': OWN_ACCOUNT,
  '/account/apps/:id/disconnect':
    'the form only ends grants of the account that is signed in (test/oauth/connections.spec.ts)',
  '/account/apps/own/:id':
    'the form concerns only apps of the account that is signed in (test/oauth/app-lifecycle.spec.ts)',
  '/account/apps/own/:id/icon':
    'the form concerns only apps of the account that is signed in (test/oauth/app-lifecycle.spec.ts)',
  '/account/apps/own/:id/rotate':
    'the form concerns only apps of the account that is signed in (test/oauth/app-lifecycle.spec.ts)',
  '/account/apps/own/:id/delete':
    'the form concerns only apps of the account that is signed in (test/oauth/app-lifecycle.spec.ts)',
  '/oauth/consent/:uid': 'only the browser that began the authorization can send the form (test/oauth/attacks.spec.ts)',
  '/oauth/device_authorization': 'apps send this request, not people (test/oauth/attacks.spec.ts)',
  '/oauth/register': 'apps send this request, not people (test/oauth/attacks.spec.ts)',
  '/oauth/revoke': 'apps send this request, not people (test/oauth/attacks.spec.ts)',
  '/oauth/token': 'apps send this request, not people (test/oauth/attacks.spec.ts)',
  '/language': OWN_ACCOUNT,
  '/device':
    'everybody who knows the code of the device may allow or deny its request (test/oauth/app-lifecycle.spec.ts)',
  [WEBHOOK]: OWN_ACCOUNT,
  [`${WEBHOOK}/:id`]: attemptsWithWebhook(),
  [`${WEBHOOK}/:id/delete`]: attemptsWithWebhook('/delete'),
  [`${WEBHOOK}/:id/rotate`]: attemptsWithWebhook('/rotate'),
  [`${WEBHOOK}/:id/pause`]: attemptsWithWebhook('/pause'),
  [`${WEBHOOK}/:id/activate`]: attemptsWithWebhook('/activate'),
  [`${WEBHOOK}/:id/test`]: attemptsWithWebhook('/test'),
  [`${WEBHOOK}/:id/deliveries/:delivery/retry`]: ({ own, seen }) =>
    [
      [own, seen],
      [seen, own],
      [seen, seen],
    ].map(([outer, inner]) => ({
      path: `${WEBHOOK}/${outer!.webhook}/deliveries/${inner!.delivery}/retry`,
      status: 404,
    })),
  '/account/sessions/end-others': OWN_ACCOUNT,
  '/account/sessions/:id/end': ({ accountObjects }) => [
    { path: `/account/sessions/${accountObjects.session}/end`, status: 404 },
  ],
  '/account/security/password': OWN_ACCOUNT,
  '/account/security/email': OWN_ACCOUNT,
  '/account/second-step/app': OWN_ACCOUNT,
  '/account/second-step/app/confirm': OWN_ACCOUNT,
  '/account/second-step/app/off': OWN_ACCOUNT,
  '/account/second-step/recovery': OWN_ACCOUNT,
  '/account/second-step/passkeys': OWN_ACCOUNT,
  '/account/second-step/passkeys/options': OWN_ACCOUNT,
  '/account/second-step/passkeys/:id/remove': ({ accountObjects }) => [
    {
      path: `/account/second-step/passkeys/${accountObjects.passkey}/remove`,
      fields: { password: 'correct horse' },
      status: 404,
    },
  ],
  '/account/data/export': OWN_ACCOUNT,
  '/account/data/erase': OWN_ACCOUNT,
  '/account/data/keep': OWN_ACCOUNT,
  '/account/notices/mails': OWN_ACCOUNT,
  '/account/notices/push': 'the form concerns only the browser that sends it',
  '/account/notices/push/:id/remove': ({ accountObjects }) => [
    { path: `/account/notices/push/${accountObjects.push}/remove`, status: 404 },
  ],
  '/account/notices/read': ({ seen }) => [
    { path: '/account/notices/read', fields: { up_to: seen.notice }, status: 422 },
  ],
  '/account/decisions/:id': ({ accountObjects }) => [
    { path: `/account/decisions/${accountObjects.decision}`, fields: { text: 'Nesouhlasím' }, status: 404 },
  ],
  ...SOCIAL_FORMS,
  '/groups/join/:code': 'everybody who has the invite link may use it: test/groups',
  '/objections/:key': LINK,
  '/reset/:token': LINK,
  '/confirm/:token': LINK,
  '/unsubscribe/:key/:kind': LINK,
  '/account/events/calendar/renew': OWN_ACCOUNT,
  '/register/again': 'everybody may enter any email address',
  '/forgot': 'everybody may enter any email address',
  '/register': 'the request contains no id',
  '/sign-in': ({ owner, stranger }) => [
    {
      path: '/sign-in',
      fields: { email: `${owner.slug}@example.org`, password: `the password of ${stranger.slug}` },
      status: 422,
    },
  ],
  '/sign-in/step': 'the form concerns only the account that is signing in: test/web/second-step.spec.ts',
  '/sign-in/step/options': 'the form concerns only the account that is signing in: test/web/second-step.spec.ts',
  '/sign-in/step/passkey': 'the form concerns only the account that is signing in: test/web/passkeys.spec.ts',
  '/sign-in/passkey': 'a passkey alone gives access to its account: test/web/passkeys.spec.ts',
  '/sign-in/passkey/options': 'the request contains no id',
  '/sign-out': OWN_ACCOUNT,
  '/moderation/reports/:id': ({ accountObjects }) => [
    { path: `/moderation/reports/${accountObjects.report}`, fields: { decision: 'dismiss', reason: 'x' }, status: 404 },
  ],
  '/mcp': 'each tool sends a request to the API; the operations of the API are tested above',
  '/moderation/objections/:id': ({ accountObjects }) => [
    {
      path: `/moderation/objections/${accountObjects.objectedDecision}`,
      fields: { answer: 'grant', reason: 'x' },
      status: 404,
    },
  ],
  '/report': ({ hidden }) =>
    (
      [
        ['event', hidden.event],
        ['group', hidden.group],
        ['series', hidden.series],
        ['post', hidden.post],
        ['comment', hidden.comment],
        ['photo', hidden.photo],
      ] as const
    ).map(([type, id]) => ({ path: '/report', fields: { type, id, reason: 'spam' }, status: 404 })),
  '/events/new':
    'the form may contain the id of a group, but only the owner and members may use the group: test/groups/roles.spec.ts',
  '/events/import': 'the form contains no id: test/web/import.spec.ts',
  '/series/new': 'the request contains no id',
  '/series/:id/edit': attemptsWithSeries('/edit', { title: 'Cizí' }),
  '/series/:id/edit/cancel': attemptsWithSeries('/edit/cancel'),
  '/events/:id/edit': attemptsWithEvent('/edit', { title: 'Cizí' }),
  '/events/:id/edit/images': attemptsWithEvent('/edit/images'),
  '/events/:id/edit/images/:imageId/primary': attemptsWithPart('edit/images', 'image', '/primary'),
  '/events/:id/edit/images/:imageId/delete': attemptsWithPart('edit/images', 'image', '/delete'),
  '/events/:id/edit/cancel': attemptsWithEvent('/edit/cancel'),
  '/events/:id/edit/delete': attemptsWithEvent('/edit/delete'),
  '/events/:id/people/invite': attemptsWithEvent('/people/invite', { user: 'nobody' }),
  '/events/:id/people/message': attemptsWithEvent('/people/message', { text: 'Cizí', to: 'all' }),
  '/events/:id/people/door-links': attemptsWithEvent('/people/door-links', { name: 'Cizí' }),
  '/events/:id/people/door-links/:linkId/delete': attemptsWithPart('people/door-links', 'doorLink', '/delete'),
  '/events/:id/people/check-in': attemptsWithEvent('/people/check-in', { code: 'x' }),
  ...Object.fromEntries(
    ['approve', 'decline', 'promote', 'remove', 'ban', 'unban', 'check-in', 'undo'].map((button) => [
      `/events/:id/people/:slug/${button}`,
      attemptsWithPart('people', 'participant', `/${button}`),
    ]),
  ),
  '/events/:id/tickets': attemptsWithEvent('/tickets', { count: '1' }),
  '/events/:id/tickets/:code/delete': attemptsWithPart('tickets', 'spareTicket', '/delete'),
  '/events/:id/join': ({ seen, hidden }) => [
    { path: `/events/${hidden.event}/join`, fields: { ticket_code: hidden.spareTicket }, status: 409 },
    { path: `/events/${seen.event}/join`, fields: { ticket_code: hidden.spareTicket }, status: 422 },
  ],
  '/events/:id/leave': ({ seen, hidden }) => [
    { path: `/events/${hidden.event}/leave`, status: 404 },
    { path: `/events/${seen.event}/leave`, status: 409 },
  ],
  '/events/:id/waitlist': ({ hidden }) => [{ path: `/events/${hidden.event}/waitlist`, status: 409 }],
  '/events/:id/door/scans': ({ seen, hidden }) =>
    [seen, hidden].map(({ event, checkInCode: code }) => ({
      path: `/events/${event}/door/scans`,
      fields: { device: 'x', scans: JSON.stringify([{ code, scanned_at: new Date(Date.now() - 1000).toISOString() }]) },
      status: event === seen.event ? 403 : 404,
    })),
};
