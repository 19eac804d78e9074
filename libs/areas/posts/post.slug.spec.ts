import { LIMITS } from '#contract/limits';
import { slugsFor } from './post.slug';

const firstOf = (title: string): string => slugsFor(title).next().value;

// POST-5
describe('slugs of posts', () => {
  it.each([
    ['Příliš žluťoučký kůň', 'prilis-zlutoucky-kun'],
    ['  Tři dny v Toskánsku!  ', 'tri-dny-v-toskansku'],
    ['Поездка в Брно', 'poezdka-v-brno'],
    ['🎈🎈🎈', 'post'],
    ['!!! ???', 'post'],
  ])('for the title "%s" have "%s" as the first candidate', (title, slug) => expect(firstOf(title)).toBe(slug));

  it.each(['Piknik', '🎈🎈🎈', 'x'.repeat(150), 'dlouhá slova '.repeat(12)])(
    'are valid, and the first 50 candidates for the same title are all different: %s',
    (title) => {
      const slugs = slugsFor(title);
      const firstSlugs = Array.from({ length: 50 }, () => slugs.next().value);
      expect(new Set(firstSlugs).size).toBe(50);
      for (const slug of firstSlugs) {
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(LIMITS.slug.max);
      }
    },
  );
});
