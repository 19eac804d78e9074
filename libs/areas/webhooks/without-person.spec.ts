import { withoutPerson } from './without-person';

const JANA = { slug: 'jana', name: 'Jana Nováková', nickname: 'Janča', avatar_url: 'https://example.org/jana.jpg' };
const SUBJECT = {
  type: 'participant',
  id: 'jana',
  url: 'https://example.org/api/v1/events/abc/participants',
  event: 'abc',
  user: 'jana',
};

/** A message with these parts in its `data`, after the erasure of the person with this slug. */
const erased = (parts: object, slug = 'jana') => {
  const message = { type: 'participant.created', previous: null, data: { cursor: 'c', subject: SUBJECT, ...parts } };
  return JSON.parse(withoutPerson(JSON.stringify(message), slug, 'x1'));
};

// DATA-10
describe('a stored webhook message after the erasure of a person', () => {
  it('contains no name, nickname, picture or slug of the person; everything else is unchanged', () => {
    expect(erased({ by: JANA })).toEqual({
      type: 'participant.created',
      previous: null,
      data: {
        cursor: 'c',
        subject: { ...SUBJECT, id: 'x1', user: 'x1' },
        by: { slug: 'x1', name: 'deleted', nickname: null, avatar_url: null },
      },
    });
  });

  it('still contains the data of other people whose slugs only begin with the slug of the erased person', () => {
    const by = { ...JANA, slug: 'jana-2' };
    expect(erased({ by }).data).toEqual({ cursor: 'c', subject: { ...SUBJECT, id: 'x1', user: 'x1' }, by });
  });

  it.each([
    ['a part of an address', 'participants', { subject: SUBJECT, by: null }],
    ['the type of the subject', 'participant', { subject: SUBJECT, by: null }],
    [
      'the slug of a post',
      'vylet',
      {
        subject: { type: 'post', id: 'vylet', url: 'https://example.org/api/v1/posts/vylet', event: null, user: null },
        by: JANA,
      },
    ],
  ])('is unchanged if the slug of the person occurs only as %s: %s', (_, slug, parts) => {
    expect(erased(parts, slug).data).toEqual({ cursor: 'c', ...parts });
  });
});
