import { withoutPerson } from './without-person';

const JANA = { slug: 'jana', name: 'Jana Nováková', nickname: 'Janča', avatar_url: 'https://example.org/jana.jpg' };

describe('a stored webhook message without an erased person', () => {
  // DATA-10
  it('names neither the person nor the slug, and keeps everything else', () => {
    const message = {
      type: 'participant.joined',
      previous: null,
      data: {
        subject: {
          type: 'participant',
          id: 'jana',
          url: 'https://example.org/api/v1/events/abc/participants',
          user: 'jana',
        },
        by: JANA,
      },
    };
    expect(JSON.parse(withoutPerson(JSON.stringify(message), 'jana', 'x1'))).toEqual({
      ...message,
      data: {
        subject: { ...message.data.subject, id: 'x1', user: 'x1' },
        by: { slug: 'x1', name: 'deleted', nickname: null, avatar_url: null },
      },
    });
  });

  // DATA-10
  it.each([
    ['https://example.org/posts/jana/comments', 'https://example.org/posts/x1/comments'],
    ['https://example.org/people/jana', 'https://example.org/people/x1'],
    ['https://example.org/posts/jana-2', 'https://example.org/posts/jana-2'],
    ['jana-2', 'jana-2'],
    ['jana je tu', 'jana je tu'],
  ])('contains the text %s as %s', (text, expected) => {
    expect(JSON.parse(withoutPerson(JSON.stringify({ texts: [text] }), 'jana', 'x1'))).toEqual({ texts: [expected] });
  });

  // DATA-10
  it('keeps other people whose slugs only begin with the slug of the erased person', () => {
    const body = JSON.stringify({ by: { ...JANA, slug: 'jana-2' }, subject: { user: 'jana' } });
    expect(JSON.parse(withoutPerson(body, 'jana', 'x1'))).toEqual({
      by: { ...JANA, slug: 'jana-2' },
      subject: { user: 'x1' },
    });
  });
});
