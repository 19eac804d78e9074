import { PULS_TAGS, RICH_TEXT_TAGS } from '#contract/vocabulary';
import { cleanHtml, hasVisibleText, plainText } from './html';

const REL = 'rel="nofollow noopener ugc"';
const rich = (html: string) => cleanHtml(html, RICH_TEXT_TAGS);

describe('clean HTML', () => {
  it.each(RICH_TEXT_TAGS.filter((tag) => tag !== 'br' && tag !== 'a'))('keeps <%s> without its attributes', (tag) => {
    expect(rich(`<${tag} class="x" style="top:0" onclick="y()" data-z=1>text</${tag}>`)).toBe(`<${tag}>text</${tag}>`);
  });

  it.each([
    ['a link', '<a href="https://example.org/?a=1&b=2" target=_top id=x>x</a>', `<a href="https://example.org/?a=1&amp;b=2" ${REL}>x</a>`],
    ['a mail address', '<a href="mailto:jana@example.org">x</a>', `<a href="mailto:jana@example.org" ${REL}>x</a>`],
    ['a link in capitals', '<A HREF="HTTP://EXAMPLE.ORG/Ab">x</A>', `<a href="http://example.org/Ab" ${REL}>x</a>`],
    ['a link with a rel of its own', '<a rel=opener href=https://example.org>x</a>', `<a href="https://example.org/" ${REL}>x</a>`],
    ['a relative link', '<a href="/events/1">x</a>', `<a ${REL}>x</a>`],
    ['a link without a scheme', '<a href="//example.org">x</a>', `<a ${REL}>x</a>`],
    ['a link to another scheme', '<a href="ftp://example.org/">x</a>', `<a ${REL}>x</a>`],
    ['a line break', 'a<br class=x>b<br/>c', 'a<br />b<br />c'],
    ['what is not closed', '<ul><li>jedna<li>dvě', '<ul><li>jedna</li><li>dvě</li></ul>'],
    ['what is crossed', '<b><i>x</b></i>', '<b><i>x</i></b>'],
    ['text with signs', '1 < 2 & 3 > 2 "x"', '1 &lt; 2 &amp; 3 &gt; 2 "x"'],
    ['entities', '&lt;b&gt; &amp;lt; &copy;', '&lt;b&gt; &amp;lt; ©'],
    ['a tag that is not allowed', '<h5>nadpis</h5><div><p>text</p></div>', 'nadpis<p>text</p>'],
    ['comments', 'a<!-- <b>x</b> -->b', 'ab'],
    ['scripts and styles', 'a<script>x()</script><style>p{}</style>b', 'ab'],
    ['Czech letters and emoji', '<p>Žluťoučký kůň 🐎</p>', '<p>Žluťoučký kůň 🐎</p>'],
  ])('%s', (_what, html, clean) => expect(rich(html)).toBe(clean));

  it('keeps for a Puls post only what it may have', () => {
    expect(cleanHtml('<p><b>a</b></p><a href="https://example.org">b</a><ul><li>c</li></ul><br>', PULS_TAGS)).toBe('<b>a</b>bc<br />');
  });
});

/** Texts meant to smuggle something past a cleaner. */
const HOSTILE = [
  '<script>alert(1)</script>', '<ScRiPt src=//x.test/a.js></sCrIpT >', '<scr<script></script>ipt>alert(1)</script>', '<script', '<script>',
  '<<script>alert(1)//<</script>', '<script/src=data:,alert(1)>', '</script><script>alert(1)', '<style><script>alert(1)</script>',
  '<img src=1 onerror=alert(1)>', '<img src="1" onerror="alert(1)"', '<image src=1 onerror=alert(1)>', '<img alt="<b>" src=1 onerror="alert(1)">',
  '<svg onload=alert(1)><circle/></svg>', '<svg><animate onbegin=alert(1) attributeName=x>', '<svg><p><style><!--</style><img src=1 onerror=alert(1)>--></style>',
  '<math href="javascript:alert(1)">x</math>', '<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">', '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>', '<a href=javascript&colon;alert(1)>x</a>', '<a href="jAvAsCrIpT:alert(1)">x</a>', '<a href="\tjavascript:alert(1)">x</a>',
  '<a href="ja\nva\tscript:alert(1)">x</a>', '<a href="ja&NewLine;va&Tab;script&#58;alert(1)">x</a>', '<a href="&#0000106&#0000097vascript:alert(1)">x</a>',
  '<a href="\u0007javascript:alert(1)">x</a>', '<a href="feed:javascript:alert(1)">x</a>', '<a href="data:text/html;base64,PHN2Zz4=">x</a>', '<a href="DATA:,x">x</a>',
  '<a href="vbscript:x">x</a>', '<a href="vb\nscript:x">x</a>', '<a href="blob:https://example.org/1">x</a>', '<a href="\\\\example.org">x</a>', '<a href="https:&sol;&sol;">x</a>',
  '<a href=`javascript:alert(1)`>x</a>', '<a href="https://example.org/" onclick=alert(1)//">x</a>', '<a href=\'https://example.org/"onclick="alert(1)\'>x</a>',
  '<a href="https://example.org/<script>">x</a>', '<a href="https://example.org" style="position:fixed" class=c>x</a>', '<a/href="https://example.org"/onclick="x">x</a>',
  '<a href="mailto:x@example.org\nbcc:y">x</a>', '<a xlink:href="javascript:alert(1)">x</a>', '<a href="https://[::1">x</a>', '<a href="http://%00">x</a>',
  '<b onmouseover=alert(1)>x</b>', '<b/onclick=alert(1)>x', '<p style="background:url(x)">x', '<br onload=alert(1)>', '<h1 id=x name=y>x</h1>', '<b\u00a0onclick=alert(1)>x</b>',
  '<iframe src=//x.test></iframe>', '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">', '<object data=x><embed src=y>', '<form action=x><button formaction=y>x', '<input autofocus onfocus=alert(1)>',
  '<base href=//x.test>', '<meta http-equiv=refresh content="0;url=//x.test">', '<link rel=stylesheet href=//x.test>', '<video><source onerror=alert(1)>', '<details open ontoggle=alert(1)>',
  '<!-- --><img src=1 onerror=alert(1)> -->', '<!--><img src=1 onerror=alert(1)>', '<!-- --!><img src=1 onerror=alert(1)>', '<!--', '<!-- <b>', '<!DOCTYPE x [<!ENTITY y "z">]>', '<![CDATA[<script>alert(1)</script>', '<?xml <b>?>',
  '<noscript><p title="</noscript><img src=1 onerror=alert(1)>">', '<textarea></textarea><img src=1 onerror=alert(1)>', '<title></title><img src=1 onerror=alert(1)>', '<xmp><p title="</xmp><img src=1 onerror=alert(1)>">',
  '<template><img src=1 onerror=alert(1)></template>', '<select><option><style></option></select><img src=1 onerror=alert(1)></style>', '<table><b><tr><td></b>x</table>',
  '<b><p title="-->"><img src=1 onerror=alert(1)>', '<plaintext><b>', '<x onclick=alert(1)>y</x>', '<b', '<', '</', '<>', '</ >', '<b>'.repeat(40), '</b></i></p>', '\ufeff<script>alert(1)</script>', '&lt;img src=1 onerror=alert(1)&gt;', '&#60;script&#62;', '&ltscript&gt',
];

describe('hostile texts', () => {
  it.each(HOSTILE)('%j', (text) => {
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

  it.each(['<b>', '<', '</b>', '<!--', "<a title='", '<a href="https://example.org">', '&amp;', '<p>', '<script>', '<![CDATA[', '<b x=1 '])('%j again and again comes to an end', (part) => {
    const html = part.repeat(20_000 / part.length);
    expect(faultOf(rich(html), RICH_TEXT_TAGS)).toBeNull();
    expect(plainText(html)).not.toMatch(/<[a-z/!?]/i);
  });
});

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
  ])('%j is %j', (text, plain) => expect(plainText(text)).toBe(plain));
});

describe('visible text', () => {
  it.each([
    ['<p>x</p>', true],
    ['<p></p><br />', false],
    ['<b> &nbsp;\u200b\u00ad</b>', false],
    ['&lt;', true],
    ['🎉', true],
    ['', false],
  ])('%j: %s', (html, visible) => expect(hasVisibleText(cleanHtml(html, RICH_TEXT_TAGS))).toBe(visible));
});

/** What is wrong with HTML that should be clean; read by other means than the cleaner's. */
function faultOf(html: string, allowedTags: readonly string[]): string | null {
  const open: string[] = [];
  for (const [piece] of html.matchAll(/<[^>]*>?|>|[^<>]+/g)) {
    if (!/[<>]/.test(piece)) continue;
    const [, closing = '', tag = '', attributes = ''] = /^<(\/?)([a-z0-9]+)(.*)>$/.exec(piece) ?? [];
    if (!allowedTags.includes(tag)) return `${piece} is no allowed tag`;
    if (tag === 'br') {
      if (piece !== '<br />') return `${piece} is more than a line break`;
    } else if (closing) {
      if (attributes !== '' || open.pop() !== tag) return `${piece} closes nothing`;
    } else {
      open.push(tag);
      if (tag === 'a' ? !/^( href="(https?:\/\/|mailto:)[^"<>\s]+")? rel="nofollow noopener ugc"$/.test(attributes) : attributes !== '') return `${piece} has attributes`;
    }
  }
  return open.length === 0 ? null : `${open.join()} not closed`;
}
