import { PULS_TAGS, RICH_TEXT_TAGS } from '#contract/vocabulary';
import { faultOf, HOSTILE } from '#testing/hostile-html';
import { cleanHtml, hasVisibleText, plainText } from './html';

const REL = 'rel="nofollow noopener ugc"';
const rich = (html: string) => cleanHtml(html, RICH_TEXT_TAGS);

describe('clean HTML', () => {
  // WIRE-20
  it.each(RICH_TEXT_TAGS.filter((tag) => tag !== 'br' && tag !== 'a'))(
    'contains <%s> without its attributes',
    (tag) => {
      expect(rich(`<${tag} class="x" style="top:0" onclick="y()" data-z=1>text</${tag}>`)).toBe(
        `<${tag}>text</${tag}>`,
      );
    },
  );

  it.each([
    [
      'a link',
      '<a href="https://example.org/?a=1&b=2" target=_top id=x>x</a>',
      `<a href="https://example.org/?a=1&amp;b=2" ${REL}>x</a>`,
    ],
    ['a mail address', '<a href="mailto:jana@example.org">x</a>', `<a href="mailto:jana@example.org" ${REL}>x</a>`],
    ['a link in capitals', '<A HREF="HTTP://EXAMPLE.ORG/Ab">x</A>', `<a href="http://example.org/Ab" ${REL}>x</a>`],
    [
      'a link with a rel of its own',
      '<a rel=opener href=https://example.org>x</a>',
      `<a href="https://example.org/" ${REL}>x</a>`,
    ],
    ['a relative link', '<a href="/events/1">x</a>', `<a ${REL}>x</a>`],
    ['a link without a scheme', '<a href="//example.org">x</a>', `<a ${REL}>x</a>`],
    ['a link to another scheme', '<a href="ftp://example.org/">x</a>', `<a ${REL}>x</a>`],
    ['a line break', 'a<br class=x>b<br/>c', 'a<br />b<br />c'],
    ['unclosed elements', '<ul><li>jedna<li>dvě', '<ul><li>jedna</li><li>dvě</li></ul>'],
    ['overlapping elements', '<b><i>x</b></i>', '<b><i>x</i></b>'],
    ['text with special characters', '1 < 2 & 3 > 2 "x"', '1 &lt; 2 &amp; 3 &gt; 2 "x"'],
    ['entities', '&lt;b&gt; &amp;lt; &copy;', '&lt;b&gt; &amp;lt; ©'],
    ['a tag that is not allowed', '<h5>nadpis</h5><div><p>text</p></div>', 'nadpis<p>text</p>'],
    ['comments', 'a<!-- <b>x</b> -->b', 'ab'],
    ['scripts and styles', 'a<script>x()</script><style>p{}</style>b', 'ab'],
    ['Czech letters and emoji', '<p>Žluťoučký kůň 🐎</p>', '<p>Žluťoučký kůň 🐎</p>'],
  ])('has the expected form for %s', (_what, html, clean) => expect(rich(html)).toBe(clean));

  // PULS-1
  it('contains only the tags that a Puls post may have', () => {
    expect(cleanHtml('<p><b>a</b></p><a href="https://example.org">b</a><ul><li>c</li></ul><br>', PULS_TAGS)).toBe(
      '<b>a</b>bc<br />',
    );
  });
});

// WIRE-20
describe('nested elements', () => {
  const nested = (depth: number) => `${'<b>'.repeat(depth)}x${'</b>'.repeat(depth)}`;

  it('remain up to a depth of 32; deeper elements are replaced by their text', () => {
    expect(rich(nested(32))).toBe(nested(32));
    expect(rich(nested(33))).toBe(nested(32));
    expect(rich(`<p>${nested(100)}</p>`)).toBe(`<p>${nested(31)}</p>`);
  });
});

// WIRE-20
describe('hostile texts', () => {
  it.each(HOSTILE)('are made harmless: %j', (text) => {
    for (const html of [text, `<p>před ${text} po</p>`, `${text}${text}`]) {
      for (const tags of [RICH_TEXT_TAGS, PULS_TAGS]) {
        const clean = cleanHtml(html, tags);
        expect(faultOf(clean, tags)).toBeNull();
        expect(cleanHtml(clean, tags)).toBe(clean);
      }
      expect(plainText(html)).not.toMatch(/<[a-z/!?]/i);
      expect(plainText(plainText(html))).toBe(plainText(html));
    }
  });

  it.each([
    '<b>',
    '<',
    '</b>',
    '<!--',
    "<a title='",
    '<a href="https://example.org">',
    '&amp;',
    '<p>',
    '<script>',
    '<![CDATA[',
    '<b x=1 ',
  ])('are cleaned in limited time if they repeat %j', (part) => {
    const html = part.repeat(20_000 / part.length);
    expect(faultOf(rich(html), RICH_TEXT_TAGS)).toBeNull();
    expect(plainText(html)).not.toMatch(/<[a-z/!?]/i);
  });
});

describe('the work of cleaning', () => {
  /**
   * Returns the number of calls of `String.replace` during the cleaning. The sanitizer makes a few calls to escape each
   * text that the parser returns.
   */
  const replacements = (html: string): number => {
    const replace = jest.spyOn(String.prototype, 'replace');
    try {
      hasVisibleText(rich(html));
      return replace.mock.calls.length;
    } finally {
      replace.mockRestore();
    }
  };

  it.each(['<', '< ', '<1'])('does not increase with the number of %j', (part) => {
    expect(replacements(part.repeat(20_000 / part.length))).toBe(replacements(part.repeat(5_000 / part.length)));
    expect(replacements(`<p>${part.repeat(5_000)}</p>`)).toBeLessThan(100);
  });
});

// CMT-2
describe('plain text', () => {
  it.each([
    ['<b>Ahoj</b> <i>lidi</i>', 'Ahoj lidi'],
    ['1 < 2 & 3 > 2 "tak"', '1 < 2 & 3 > 2 "tak"'],
    ['Mám tě <3', 'Mám tě <3'],
    ['&lt;b&gt; &amp; &quot;', '&lt;b&gt; &amp; &quot;'],
    ['když a <b tak', 'když a < b tak'],
    ['<script>alert(1)</script>Nazdar', 'Nazdar'],
    ['<<b>script>alert(1)<<b>/script>x', 'x'],
    ['řádek\nřádek', 'řádek\nřádek'],
    ['  <p> </p> ', ''],
    ['🎉 <3 🎉', '🎉 <3 🎉'],
    ['&lt;b&gt; <i>x</i> &amp;amp;', '&lt;b&gt; x &amp;amp;'],
  ])('of %j is %j', (text, expected) => expect(plainText(text)).toBe(expected));
});

// WIRE-13
describe('visible text', () => {
  it.each([
    ['<p>x</p>', true],
    ['<p></p><br />', false],
    ['<b> &nbsp;\u200b\u00ad</b>', false],
    ['&lt;', true],
    ['🎉', true],
    ['', false],
  ])('is contained in %j: %s', (html, visible) =>
    expect(hasVisibleText(cleanHtml(html, RICH_TEXT_TAGS))).toBe(visible),
  );
});

describe('cleaning', () => {
  it('escapes every `<` of a text or an address, in any position, and replaces an unpaired surrogate', () => {
    expect(rich('< <b>1 < 2 &lt; &amp;lt; 🎉<🎉</b><')).toBe('&lt; <b>1 &lt; 2 &lt; &amp;lt; 🎉&lt;🎉</b>&lt;');
    expect(rich('<a href="https://example.org/?q=< &lt;b">x</a>')).toBe(
      `<a href="https://example.org/?q=%3C%20%3Cb" ${REL}>x</a>`,
    );
    expect(rich('half \udc3c of a pair')).toBe('half \ufffd of a pair');
  });

  it.each([
    ['<p>a&#7;b&#x1b;c\u0007</p>', '<p>abc</p>'],
    ['<p>a&#9;b&#10;c</p>', '<p>a\tb\nc</p>'],
  ])('removes control characters except tabs and line ends: %j becomes %j', (html, clean) =>
    expect(cleanHtml(html, RICH_TEXT_TAGS)).toBe(clean),
  );

  it.each(['https://a:b@example.org/', 'https://a@example.org/', 'http://:b@example.org/', 'https:///a:b@example.org'])(
    'removes the address of a link if the address contains a user name or a password: %s',
    (href) => {
      expect(cleanHtml(`<a href="${href}">x</a>`, RICH_TEXT_TAGS)).toBe('<a rel="nofollow noopener ugc">x</a>');
    },
  );
});
