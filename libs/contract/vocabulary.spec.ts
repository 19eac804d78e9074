import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES, POST_CATEGORIES, RICH_TEXT_TAGS } from './vocabulary';

/** The text of the rule `id` on a page of docs/rules, as one line; empty if the page does not contain the rule. */
const ruleOf = (page: string, id: string) =>
  new RegExp(`^- \\*\\*${id}\\*\\* ((?:.|\\n(?!- |\\n|#))*)`, 'm')
    .exec(readFileSync(join(__dirname, '../../docs/rules', page), 'utf8'))?.[1]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

describe('the vocabulary', () => {
  // EVT-3
  it('lists the event types of the rule EVT-3, in the same order', () =>
    expect(ruleOf('events.md', 'EVT-3')).toContain(`: ${EVENT_TYPES.join(', ')} (`));

  // POST-2
  it('lists the post categories of the rule POST-2, in the same order', () =>
    expect(ruleOf('posts.md', 'POST-2')).toBe(`Categories: ${POST_CATEGORIES.join(', ')}.`));

  // WIRE-20
  it('lists the HTML tags that the rule WIRE-20 allows in stored HTML', () => {
    const allowed = /`([^`]*)`/.exec(ruleOf('conventions.md', 'WIRE-20'))?.[1]?.split(' ') ?? [];
    expect([...RICH_TEXT_TAGS].sort()).toEqual(allowed.sort());
  });
});
