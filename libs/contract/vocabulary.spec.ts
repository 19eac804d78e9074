import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES, POST_CATEGORIES, RICH_TEXT_TAGS } from './vocabulary';

/** The text of the rule with this id in docs/rules, on one line. */
const ruleOf = (page: string, id: string) =>
  new RegExp(`^- \\*\\*${id}\\*\\* ((?:.|\\n(?!- |\\n|#))*)`, 'm')
    .exec(readFileSync(join(__dirname, '../../docs/rules', page), 'utf8'))?.[1]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

describe('the vocabulary', () => {
  // EVT-3
  it('contains the types of events', () =>
    expect(ruleOf('events.md', 'EVT-3')).toContain(`: ${EVENT_TYPES.join(', ')} (`));

  // POST-2
  it('contains the categories of posts', () =>
    expect(ruleOf('posts.md', 'POST-2')).toBe(`Categories: ${POST_CATEGORIES.join(', ')}.`));

  // WIRE-20
  it('contains the tags that stored HTML may contain', () => {
    const allowed = /`([^`]*)`/.exec(ruleOf('conventions.md', 'WIRE-20'))?.[1]?.split(' ') ?? [];
    expect([...RICH_TEXT_TAGS].sort()).toEqual(allowed.sort());
  });
});
