import type { ChangeResource } from '../changes/change.resource';

/** The slugs of the people in the change of a message (see `withoutPerson`). */
export function slugsIn({ subject, by }: Pick<ChangeResource, 'subject' | 'by'>): string[] {
  return [...new Set([subject.user, by?.slug ?? null].filter((slug) => slug !== null))];
}

/**
 * Returns the message without the personal data of the person who has this slug. A message contains people in two
 * places: in `by`, and in the subject, if the subject is a participant or a member. `replacement` replaces the slug. In
 * `by`, the name becomes "deleted", and the nickname and the address of the avatar become null.
 */
export function withoutPerson(body: string, slug: string, replacement: string): string {
  const message = JSON.parse(body) as { readonly data: Pick<ChangeResource, 'subject' | 'by'> };
  let { subject, by } = message.data;
  // The `id` of a participant or member is the slug too.
  if (subject.user === slug) subject = { ...subject, id: replacement, user: replacement };
  if (by?.slug === slug) by = { ...by, name: 'deleted', nickname: null, slug: replacement, avatar_url: null };
  return JSON.stringify({ ...message, data: { ...message.data, subject, by } });
}
