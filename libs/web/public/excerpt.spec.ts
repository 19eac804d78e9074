import { textOfHtml } from '#platform/text/html';
import { excerptOf } from './excerpt';

describe('the text of sanitized HTML', () => {
  it('has a line for each block, no tags, and characters instead of entities', () => {
    expect(textOfHtml('<h2>Sraz</h2><p>Jídlo &amp; <b>pití</b><br>&lt;doma&gt;</p><ul><li>a</li><li>b</li></ul>')).toBe(
      'Sraz\nJídlo & pití\n<doma>\na\nb',
    );
    expect(textOfHtml('<p>&amp;lt;</p>')).toBe('&lt;');
  });
});

describe('an excerpt', () => {
  it('is one line, cut after a whole word if it has spaces, with an ellipsis only if a part is missing', () => {
    expect(excerptOf(' a\n b ')).toBe('a b');
    const words = 'slovo '.repeat(100);
    const excerpt = excerptOf(words);
    expect(excerpt).toMatch(/^(slovo )+slovo…$/);
    expect(words.startsWith(excerpt.slice(0, -1))).toBe(true);
    expect(excerptOf('🧺'.repeat(200))).toBe('🧺'.repeat(200));
    expect(excerptOf('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
  });
});
