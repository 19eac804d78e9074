import type { Kind } from './belongings';
import type { World } from './rights';

interface Attempt {
  readonly path: string;
  readonly fields?: Record<string, string>;
  readonly status: number;
}

/**
 * Two attempts of the stranger (`World.stranger`). By default, the attempt with an object that the stranger sees is
 * refused with 403, and the attempt with a hidden object is refused with 404.
 */
function seenAndHidden(
  path: (objects: World['seen']) => string,
  fields: Record<string, string> = {},
  [seenStatus, hiddenStatus] = [403, 404],
): (world: World) => readonly Attempt[] {
  return ({ seen, hidden }) => [
    { path: path(seen), fields, status: seenStatus ?? 403 },
    { path: path(hidden), fields, status: hiddenStatus ?? 404 },
  ];
}

/**
 * Two attempts of the stranger to delete a part (for example a photo) of another person's object. If the path begins
 * with the stranger's own object, the part is not found there (404). If the path begins with the other person's object,
 * the request is refused with 403.
 */
function foreignPart(path: (outer: Record<Kind, string>, inner: Record<Kind, string>) => string) {
  return ({ own, seen }: World): readonly Attempt[] => [
    { path: path(own, seen), status: 404 },
    { path: path(seen, seen), status: 403 },
  ];
}

const CONTAINS_NO_ID = 'the form contains no id';

/**
 * The forms of groups, posts, comments, photos, expenses, itineraries, Puls posts and blocks. The value of a form is a
 * function that returns attempts that must be refused, or the reason why the form has no attempts.
 */
export const SOCIAL_FORMS: Readonly<Record<string, ((world: World) => readonly Attempt[]) | string>> = {
  '/groups/new': CONTAINS_NO_ID,
  '/groups/:id/edit': seenAndHidden(({ group }) => `/groups/${group}/edit`, { name: 'Cizí' }),
  '/groups/:id/edit/delete': seenAndHidden(({ group }) => `/groups/${group}/edit/delete`),
  '/groups/:id/edit/:picture/delete': seenAndHidden(({ group }) => `/groups/${group}/edit/avatar/delete`),
  '/groups/:id/join': ({ hidden }) => [{ path: `/groups/${hidden.group}/join`, status: 404 }],
  '/groups/:id/leave': seenAndHidden(({ group }) => `/groups/${group}/leave`, {}, [404, 404]),
  '/groups/:id/interest': ({ seen, hidden, own }) => [
    { path: `/groups/${seen.group}/interest`, fields: { event_id: own.event }, status: 403 },
    { path: `/groups/${hidden.group}/interest`, fields: { event_id: own.event }, status: 404 },
    { path: `/groups/${own.group}/interest`, fields: { event_id: hidden.event }, status: 404 },
  ],
  '/groups/:id/members/:slug/approve': seenAndHidden(
    ({ group, requester }) => `/groups/${group}/members/${requester}/approve`,
  ),
  '/groups/:id/members/:slug/remove': seenAndHidden(({ group, member }) => `/groups/${group}/members/${member}/remove`),
  '/groups/:id/members/invite': ({ seen, hidden, own }) =>
    [seen, hidden].map(({ group }) => ({
      path: `/groups/${group}/members/invite`,
      fields: { user: own.participant },
      status: group === seen.group ? 403 : 404,
    })),
  '/groups/:id/members/invite-link': seenAndHidden(({ group }) => `/groups/${group}/members/invite-link`),
  '/people/:slug/block': 'everybody may block everybody',
  '/people/:slug/unblock': 'the form ends only a block by the account that sends it',
  '/posts/new': ({ seen }) => [
    {
      path: '/posts/new',
      fields: { title: 'Cizí', categories: 'kolo', body: 'x', event_id: seen.event },
      status: 422,
    },
  ],
  '/posts/:slug/edit': seenAndHidden(({ post }) => `/posts/${post}/edit`, { title: 'Cizí' }),
  '/posts/:slug/edit/publish': seenAndHidden(({ post }) => `/posts/${post}/edit/publish`),
  '/posts/:slug/edit/delete': seenAndHidden(({ post }) => `/posts/${post}/edit/delete`),
  '/posts/:slug/edit/cover/delete': seenAndHidden(({ post }) => `/posts/${post}/edit/cover/delete`),
  '/posts/:slug/comments': ({ own, seen, hidden }): readonly Attempt[] => [
    { path: `/posts/${hidden.post}/comments`, fields: { body: 'Ahoj' }, status: 404 },
    { path: `/posts/${own.post}/comments`, fields: { body: 'Ahoj', parent: seen.postComment }, status: 422 },
  ],
  '/comments/:id/delete': seenAndHidden(({ comment }) => `/comments/${comment}/delete`),
  '/events/:id/comments': seenAndHidden(({ event }) => `/events/${event}/comments`, { body: 'Ahoj' }),
  '/events/:id/photos': seenAndHidden(({ event }) => `/events/${event}/photos`),
  '/events/:id/photos/:photoId/delete': foreignPart(
    ({ event }, { photo }) => `/events/${event}/photos/${photo}/delete`,
  ),
  '/events/:id/expenses': seenAndHidden(({ event }) => `/events/${event}/expenses`, { title: 'Dort', amount: '1' }),
  '/events/:id/expenses/:expenseId/delete': foreignPart(
    ({ event }, { expense }) => `/events/${event}/expenses/${expense}/delete`,
  ),
  '/events/:id/expenses/payments': ({ seen, hidden, owner }) =>
    [seen, hidden].map(({ event }) => ({
      path: `/events/${event}/expenses/payments`,
      fields: { to: owner.slug, amount: '1' },
      status: event === seen.event ? 403 : 404,
    })),
  '/events/:id/expenses/payments/:paymentId/delete': foreignPart(
    ({ event }, { payment }) => `/events/${event}/expenses/payments/${payment}/delete`,
  ),
  '/events/:id/itinerary/edit': seenAndHidden(({ event }) => `/events/${event}/itinerary/edit`, {
    title: 'Cizí',
    'stops.0.title': 'x',
  }),
  '/events/:id/itinerary/edit/delete': seenAndHidden(({ event }) => `/events/${event}/itinerary/edit/delete`),
  '/puls/new': CONTAINS_NO_ID,
  '/puls/:id/delete': ({ seen }) => [{ path: `/puls/${seen.puls}/delete`, status: 403 }],
};
