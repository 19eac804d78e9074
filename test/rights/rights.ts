import type { RefusalCode } from '#contract/refusals';
import type { Person } from '#testing/people';
import { inDays } from '#testing/times';
import { SOCIAL_FORMS } from './social-forms';
import type { Belongings } from './belongings';

/**
 * `own`: objects of the stranger who sends the request. `seen` and `hidden`: objects of another person, either public
 * or private. The stranger does not see private objects.
 */
export type Whose = 'own' | 'seen' | 'hidden';

export interface World extends Readonly<Record<Whose, Belongings>> {
  readonly owner: Person;
  readonly stranger: Person;
  /** Objects of the owner's account. */
  readonly accounts: Readonly<
    Record<'token' | 'session' | 'passkey' | 'push' | 'decision' | 'objected' | 'report', string>
  >;
}

/** A code, with ` on FIELD` for a 422 with errors. A number if the response has no code. */
export type Refused = RefusalCode | `${RefusalCode} on ${string}` | number;
type Expected = Refused | 'allowed';

/** The responses of an operation, by the owner of the object in its path. */
export interface Rights extends Partial<Record<`${Whose}+${Whose}`, Expected>> {
  readonly seen?: Expected;
  readonly hidden?: Expected;
  /**
   * The response if the first parameter of the path is an object of the stranger and the second is an object of another
   * person.
   */
  readonly inner?: Expected;
  /** A body that is valid apart from the object in the path. */
  readonly json?: (world: World) => Record<string, unknown>;
  /** The name of the form part with a file. */
  readonly form?: string;
  /** Bodies that refer to objects of another person. */
  readonly bodies?: (
    world: World,
  ) => readonly (readonly [path: string, json: Record<string, unknown>, expected: Refused])[];
}

/** For operations of organizers: 403 if the stranger sees the object, otherwise 404. */
const ORGANIZERS: Rights = { seen: 'forbidden', hidden: 'not_found' };
const READABLE: Rights = { seen: 'allowed', hidden: 'not_found' };
const ACCOUNTS: Rights = { seen: 'not_found', hidden: 'not_found' };
const events = (inner: Expected, more: Rights = {}): Rights => ({ ...ORGANIZERS, inner, ...more });

const scan = (code: string): Record<string, unknown> => ({
  device: 'x',
  scans: [{ code, scanned_at: new Date(Date.now() - 1000).toISOString() }],
});
const codes = ({ seen, hidden }: World): readonly string[] => [seen.code, hidden.code, seen.ticket, hidden.ticket];

/**
 * Every operation with an id in its path or with a body. A text is the reason why the operation cannot refer to objects
 * of other people.
 */
export const OPERATIONS: Readonly<Record<string, Rights | string>> = {
  'PUT /blocks/{slug}': 'everybody may block everybody',
  'DELETE /blocks/{slug}': 'it names a person, whom everybody may name',
  'GET /users/{slug}': 'everybody finds everybody who is searchable; test/users/search.spec.ts has the others',
  'POST /notices/read': {
    bodies: ({ seen, hidden }) =>
      [seen, hidden].map(({ notice }) => ['/notices/read', { up_to: notice }, 'validation_failed on up_to'] as const),
  },

  'POST /groups': 'it names nothing',
  'GET /groups/{id}': READABLE,
  'PATCH /groups/{id}': { ...ORGANIZERS, json: () => ({ name: 'Cizí' }) },
  'DELETE /groups/{id}': ORGANIZERS,
  'POST /groups/{id}/invite-link': ORGANIZERS,
  'POST /groups/{id}/join': READABLE,
  'DELETE /groups/{id}/join': { seen: 'not_related', hidden: 'not_found' },
  'GET /groups/{id}/members': ORGANIZERS,
  'POST /groups/{id}/members': { ...ORGANIZERS, json: ({ own }) => ({ user: own.participant }) },
  'POST /groups/{id}/members/{slug}/approve': events('not_requested'),
  'DELETE /groups/{id}/members/{slug}': events('not_related'),
  'POST /groups/{id}/avatar': { ...ORGANIZERS, form: 'avatar' },
  'DELETE /groups/{id}/avatar': ORGANIZERS,
  'POST /groups/{id}/cover': { ...ORGANIZERS, form: 'cover' },
  'DELETE /groups/{id}/cover': ORGANIZERS,
  'GET /groups/{id}/events': ORGANIZERS,
  'PUT /groups/{id}/events/{eventId}/interest': events('not_found', { 'own+seen': 'allowed' }),
  'DELETE /groups/{id}/events/{eventId}/interest': events('not_found'),

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
  'GET /events/{id}': ORGANIZERS,
  'PATCH /events/{id}': { ...ORGANIZERS, json: () => ({ title: 'Cizí' }) },
  'DELETE /events/{id}': ORGANIZERS,
  'POST /events/{id}/images': { ...ORGANIZERS, form: 'images[]' },
  'DELETE /events/{id}/images/{imageId}': events('not_found'),
  'POST /events/{id}/images/{imageId}/primary': events('not_found'),
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
  'GET /events/{id}/participants': ORGANIZERS,
  'POST /events/{id}/participants': { ...ORGANIZERS, json: ({ own }) => ({ user: own.participant }) },
  'DELETE /events/{id}/participants/{slug}': events('not_participant'),
  'POST /events/{id}/participants/{slug}/promote': events('not_participant'),
  'PUT /events/{id}/participants/{slug}/check-in': events('not_participant'),
  'DELETE /events/{id}/participants/{slug}/check-in': events('not_participant'),
  'POST /events/{id}/check-in': {
    ...ORGANIZERS,
    json: ({ seen }) => ({ code: seen.code }),
    bodies: (world) =>
      codes(world).map((code) => [`/events/${world.own.event}/check-in`, { code }, 'not_found'] as const),
  },
  'GET /events/{id}/door': ORGANIZERS,
  'GET /events/{id}/door/links': ORGANIZERS,
  'POST /events/{id}/door/links': { ...ORGANIZERS, json: () => ({ name: 'Cizí' }) },
  'DELETE /events/{id}/door/links/{linkId}': events('not_found'),
  'POST /events/{id}/door/scans': {
    ...ORGANIZERS,
    json: ({ seen }) => scan(seen.code),
    bodies: (world) => codes(world).map((code) => [`/events/${world.own.event}/door/scans`, scan(code), 200] as const),
  },
  'GET /events/{id}/my-code.svg': { seen: 'not_participant', hidden: 'not_found' },
  'GET /events/{id}/my-code.png': { seen: 'not_participant', hidden: 'not_found' },
  'GET /events/{id}/tickets': ORGANIZERS,
  'POST /events/{id}/tickets': { ...ORGANIZERS, json: () => ({ count: 1 }) },
  'DELETE /events/{id}/tickets/{code}': events('not_found'),
  'GET /discover/events/{id}': READABLE,

  'POST /series': 'it names nothing',
  'GET /series/{id}': ACCOUNTS,
  'PATCH /series/{id}': { ...ACCOUNTS, json: () => ({ title: 'Cizí' }) },
  'POST /series/{id}/cancel': ACCOUNTS,
  'GET /series/{id}/events': ACCOUNTS,

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
    ...ORGANIZERS,
    json: () => ({ title: 'Cizí' }),
    bodies: ({ own, seen, hidden }) =>
      [seen, hidden].map(
        ({ event }) => [`/posts/${own.post}`, { event_id: event }, 'validation_failed on event_id'] as const,
      ),
  },
  'DELETE /posts/{slug}': ORGANIZERS,
  'POST /posts/{slug}/cover': { ...ORGANIZERS, form: 'cover' },
  'DELETE /posts/{slug}/cover': ORGANIZERS,

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
  'DELETE /comments/{id}': ORGANIZERS,

  'GET /events/{id}/participants.csv': ORGANIZERS,
  'GET /events/{id}/stats': ORGANIZERS,
  'GET /events/{id}/messages': ORGANIZERS,
  'POST /events/{id}/messages': { ...ORGANIZERS, json: () => ({ text: 'Cizí', to: 'all' }) },
  'GET /events/{id}/expenses': ORGANIZERS,
  'POST /events/{id}/expenses': {
    ...ORGANIZERS,
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
  'DELETE /events/{id}/expenses/{expenseId}': events('not_found'),
  'GET /events/{id}/expenses.csv': ORGANIZERS,
  'POST /events/{id}/expenses/payments': {
    ...ORGANIZERS,
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
  'DELETE /events/{id}/expenses/payments/{paymentId}': events('not_found'),

  'POST /puls': 'it names nothing',
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
  'PUT /events/{id}/itinerary': { ...ORGANIZERS, json: () => ({ title: 'Cizí', stops: [{ title: 'x' }] }) },
  'DELETE /events/{id}/itinerary': ORGANIZERS,

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
  'POST /webhooks': 'it names nothing',
  'GET /webhooks/{id}': ACCOUNTS,
  'PATCH /webhooks/{id}': { ...ACCOUNTS, json: () => ({ description: 'cizí' }) },
  'DELETE /webhooks/{id}': ACCOUNTS,
  'POST /webhooks/{id}/rotate': ACCOUNTS,
  'POST /webhooks/{id}/test': ACCOUNTS,
  'GET /webhooks/{id}/deliveries': ACCOUNTS,
  'POST /webhooks/{id}/deliveries/{deliveryId}/retry': { ...ACCOUNTS, inner: 'not_found' },
};

/** A form that refers to another person's object by id or secret. */
export interface Attempt {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly status: number;
}

const WEBHOOK = '/account/api/webhooks';
/** A webhook of another person. */
const webhook =
  (action = ''): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) =>
    [seen, hidden].map((one) => ({ path: `${WEBHOOK}/${one.webhook}${action}`, status: 404 }));
const OWN_ACCOUNT = 'it is about the account that is signed in and names nothing';
const LINK = 'the secret of the link is the whole right, regardless of who opens it: test/account-mail';

/** An event of another organizer: 403 if the stranger sees it, otherwise 404. */
const ofEvent =
  (end: string, fields: Attempt['fields'] = {}): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) => [
    { path: `/events/${seen.event}${end}`, fields, status: 403 },
    { path: `/events/${hidden.event}${end}`, fields, status: 404 },
  ];
/** A person, picture or ticket of another organizer's event. */
const ofPart =
  (
    list: string,
    part: 'participant' | 'image' | 'spareTicket' | 'doorLink',
    end: string,
  ): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) => [
    { path: `/events/${seen.event}/${list}/${seen[part]}${end}`, status: 403 },
    { path: `/events/${hidden.event}/${list}/${hidden[part]}${end}`, status: 404 },
  ];
const ofSeries =
  (end: string, fields: Attempt['fields'] = {}): ((world: World) => readonly Attempt[]) =>
  ({ seen, hidden }) =>
    [seen, hidden].map((one) => ({ path: `/series/${one.series}${end}`, fields, status: 404 }));

/** Every form of the pages. A text is the reason why the form cannot refer to objects of other people. */
export const FORMS: Readonly<Record<string, ((world: World) => readonly Attempt[]) | string>> = {
  '/account': OWN_ACCOUNT,
  '/account/avatar': OWN_ACCOUNT,
  '/account/api': OWN_ACCOUNT,
  '/account/api/:id/revoke': ({ accounts }) => [{ path: `/account/api/${accounts.token}/revoke`, status: 404 }],
  '/account/apps/own': OWN_ACCOUNT,
  '/account/apps/disconnect-all': OWN_ACCOUNT,
  '/account/apps/:id/disconnect': 'ends only what the own account has granted (test/oauth/lives.spec.ts)',
  '/account/apps/own/:id': 'the own apps of the account (test/oauth/lives.spec.ts)',
  '/account/apps/own/:id/icon': 'the own apps of the account (test/oauth/lives.spec.ts)',
  '/account/apps/own/:id/rotate': 'the own apps of the account (test/oauth/lives.spec.ts)',
  '/account/apps/own/:id/delete': 'the own apps of the account (test/oauth/lives.spec.ts)',
  '/oauth/consent/:uid': 'belongs to the browser that asked (test/oauth/attacks.spec.ts)',
  '/oauth/device_authorization': 'is a request of an app (test/oauth/attacks.spec.ts)',
  '/oauth/register': 'is a request of an app (test/oauth/attacks.spec.ts)',
  '/oauth/revoke': 'is a request of an app (test/oauth/attacks.spec.ts)',
  '/oauth/token': 'is a request of an app (test/oauth/attacks.spec.ts)',
  '/language': OWN_ACCOUNT,
  '/device': 'whoever knows the code of the device answers it (test/oauth/lives.spec.ts)',
  [WEBHOOK]: OWN_ACCOUNT,
  [`${WEBHOOK}/:id`]: webhook(),
  [`${WEBHOOK}/:id/delete`]: webhook('/delete'),
  [`${WEBHOOK}/:id/rotate`]: webhook('/rotate'),
  [`${WEBHOOK}/:id/pause`]: webhook('/pause'),
  [`${WEBHOOK}/:id/activate`]: webhook('/activate'),
  [`${WEBHOOK}/:id/test`]: webhook('/test'),
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
  '/account/sessions/:id/end': ({ accounts }) => [{ path: `/account/sessions/${accounts.session}/end`, status: 404 }],
  '/account/security/password': OWN_ACCOUNT,
  '/account/security/email': OWN_ACCOUNT,
  '/account/second-step/app': OWN_ACCOUNT,
  '/account/second-step/app/confirm': OWN_ACCOUNT,
  '/account/second-step/app/off': OWN_ACCOUNT,
  '/account/second-step/recovery': OWN_ACCOUNT,
  '/account/second-step/passkeys': OWN_ACCOUNT,
  '/account/second-step/passkeys/options': OWN_ACCOUNT,
  '/account/second-step/passkeys/:id/remove': ({ accounts }) => [
    {
      path: `/account/second-step/passkeys/${accounts.passkey}/remove`,
      fields: { password: 'correct horse' },
      status: 404,
    },
  ],
  '/account/data/export': OWN_ACCOUNT,
  '/account/data/erase': OWN_ACCOUNT,
  '/account/data/keep': OWN_ACCOUNT,
  '/account/notices/mails': OWN_ACCOUNT,
  '/account/notices/push': 'it is about the browser that sends it, and names nothing',
  '/account/notices/push/:id/remove': ({ accounts }) => [
    { path: `/account/notices/push/${accounts.push}/remove`, status: 404 },
  ],
  '/account/notices/read': ({ seen }) => [
    { path: '/account/notices/read', fields: { up_to: seen.notice }, status: 422 },
  ],
  '/account/decisions/:id': ({ accounts }) => [
    { path: `/account/decisions/${accounts.decision}`, fields: { text: 'Nesouhlasím' }, status: 404 },
  ],
  ...SOCIAL_FORMS,
  '/groups/join/:code': 'the invite link is the whole right, regardless of who opens it: test/groups',
  '/objections/:key': LINK,
  '/reset/:token': LINK,
  '/confirm/:token': LINK,
  '/unsubscribe/:key/:kind': LINK,
  '/account/events/calendar/renew': OWN_ACCOUNT,
  '/register/again': 'it names an address, which everybody may name',
  '/forgot': 'it names an address, which everybody may name',
  '/register': 'it names nothing',
  '/sign-in': ({ owner, stranger }) => [
    {
      path: '/sign-in',
      fields: { email: `${owner.slug}@example.org`, password: `the password of ${stranger.slug}` },
      status: 422,
    },
  ],
  '/sign-in/step': 'the second step of one account: test/web/second-step.spec.ts',
  '/sign-in/step/options': 'the second step of one account: test/web/second-step.spec.ts',
  '/sign-in/step/passkey': 'the second step of one account: test/web/passkeys.spec.ts',
  '/sign-in/passkey': 'a passkey is the whole right to its account: test/web/passkeys.spec.ts',
  '/sign-in/passkey/options': 'it names nothing',
  '/sign-out': OWN_ACCOUNT,
  '/moderation/reports/:id': ({ accounts }) => [
    { path: `/moderation/reports/${accounts.report}`, fields: { decision: 'dismiss', reason: 'x' }, status: 404 },
  ],
  '/mcp': 'a tool is a request to the API, whose operations are tried above',
  '/moderation/objections/:id': ({ accounts }) => [
    { path: `/moderation/objections/${accounts.objected}`, fields: { answer: 'grant', reason: 'x' }, status: 404 },
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
  '/events/new': 'it names a group of the account: test/events',
  '/events/import': 'it names nothing of the service: test/web/import.spec.ts',
  '/series/new': 'it names nothing',
  '/series/:id/edit': ofSeries('/edit', { title: 'Cizí' }),
  '/series/:id/edit/cancel': ofSeries('/edit/cancel'),
  '/events/:id/edit': ofEvent('/edit', { title: 'Cizí' }),
  '/events/:id/edit/images': ofEvent('/edit/images'),
  '/events/:id/edit/images/:imageId/primary': ofPart('edit/images', 'image', '/primary'),
  '/events/:id/edit/images/:imageId/delete': ofPart('edit/images', 'image', '/delete'),
  '/events/:id/edit/cancel': ofEvent('/edit/cancel'),
  '/events/:id/edit/delete': ofEvent('/edit/delete'),
  '/events/:id/people/invite': ofEvent('/people/invite', { user: 'nobody' }),
  '/events/:id/people/message': ofEvent('/people/message', { text: 'Cizí', to: 'all' }),
  '/events/:id/people/door-links': ofEvent('/people/door-links', { name: 'Cizí' }),
  '/events/:id/people/door-links/:linkId/delete': ofPart('people/door-links', 'doorLink', '/delete'),
  '/events/:id/people/check-in': ofEvent('/people/check-in', { code: 'x' }),
  ...Object.fromEntries(
    ['approve', 'decline', 'promote', 'remove', 'ban', 'unban', 'check-in', 'undo'].map((button) => [
      `/events/:id/people/:slug/${button}`,
      ofPart('people', 'participant', `/${button}`),
    ]),
  ),
  '/events/:id/tickets': ofEvent('/tickets', { count: '1' }),
  '/events/:id/tickets/:code/delete': ofPart('tickets', 'spareTicket', '/delete'),
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
    [seen, hidden].map(({ event, code }) => ({
      path: `/events/${event}/door/scans`,
      fields: { device: 'x', scans: JSON.stringify([{ code, scanned_at: new Date(Date.now() - 1000).toISOString() }]) },
      status: event === seen.event ? 403 : 404,
    })),
};
