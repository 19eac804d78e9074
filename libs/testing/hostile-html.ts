/** HTML from which a faulty sanitizer might not remove all scripts and forbidden tags. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//x.test/a.js></sCrIpT >',
  '<scr<script></script>ipt>alert(1)</script>',
  '<script',
  '<script>',
  '<<script>alert(1)//<</script>',
  '<script/src=data:,alert(1)>',
  '</script><script>alert(1)',
  '<style><script>alert(1)</script>',
  '<img src=1 onerror=alert(1)>',
  '<img src="1" onerror="alert(1)"',
  '<image src=1 onerror=alert(1)>',
  '<img alt="<b>" src=1 onerror="alert(1)">',
  '<svg onload=alert(1)><circle/></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x>',
  '<svg><p><style><!--</style><img src=1 onerror=alert(1)>--></style>',
  '<math href="javascript:alert(1)">x</math>',
  '<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=javascript&colon;alert(1)>x</a>',
  '<a href="jAvAsCrIpT:alert(1)">x</a>',
  '<a href="\tjavascript:alert(1)">x</a>',
  '<a href="ja\nva\tscript:alert(1)">x</a>',
  '<a href="ja&NewLine;va&Tab;script&#58;alert(1)">x</a>',
  '<a href="&#0000106&#0000097vascript:alert(1)">x</a>',
  '<a href="\u0007javascript:alert(1)">x</a>',
  '<a href="feed:javascript:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHN2Zz4=">x</a>',
  '<a href="DATA:,x">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="vb\nscript:x">x</a>',
  '<a href="blob:https://example.org/1">x</a>',
  '<a href="\\\\example.org">x</a>',
  '<a href="https:&sol;&sol;">x</a>',
  '<a href=`javascript:alert(1)`>x</a>',
  '<a href="https://example.org/" onclick=alert(1)//">x</a>',
  '<a href=\'https://example.org/"onclick="alert(1)\'>x</a>',
  '<a href="https://example.org/<script>">x</a>',
  '<a href="https://example.org" style="position:fixed" class=c>x</a>',
  '<a/href="https://example.org"/onclick="x">x</a>',
  '<a href="mailto:x@example.org\nbcc:y">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<a href="https://[::1">x</a>',
  '<a href="http://%00">x</a>',
  '<b onmouseover=alert(1)>x</b>',
  '<b/onclick=alert(1)>x',
  '<p style="background:url(x)">x',
  '<br onload=alert(1)>',
  '<h1 id=x name=y>x</h1>',
  '<b\u00a0onclick=alert(1)>x</b>',
  '<iframe src=//x.test></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<object data=x><embed src=y>',
  '<form action=x><button formaction=y>x',
  '<input autofocus onfocus=alert(1)>',
  '<base href=//x.test>',
  '<meta http-equiv=refresh content="0;url=//x.test">',
  '<link rel=stylesheet href=//x.test>',
  '<video><source onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<!-- --><img src=1 onerror=alert(1)> -->',
  '<!--><img src=1 onerror=alert(1)>',
  '<!-- --!><img src=1 onerror=alert(1)>',
  '<!--',
  '<!-- <b>',
  '<!DOCTYPE x [<!ENTITY y "z">]>',
  '<![CDATA[<script>alert(1)</script>',
  '<?xml <b>?>',
  '<noscript><p title="</noscript><img src=1 onerror=alert(1)>">',
  '<textarea></textarea><img src=1 onerror=alert(1)>',
  '<title></title><img src=1 onerror=alert(1)>',
  '<xmp><p title="</xmp><img src=1 onerror=alert(1)>">',
  '<template><img src=1 onerror=alert(1)></template>',
  '<select><option><style></option></select><img src=1 onerror=alert(1)></style>',
  '<table><b><tr><td></b>x</table>',
  '<b><p title="-->"><img src=1 onerror=alert(1)>',
  '<plaintext><b>',
  '<x onclick=alert(1)>y</x>',
  '<b',
  '<',
  '</',
  '<>',
  '</ >',
  '<b>'.repeat(40),
  '</b></i></p>',
  '\ufeff<script>alert(1)</script>',
  '&lt;img src=1 onerror=alert(1)&gt;',
  '&#60;script&#62;',
  '&ltscript&gt',
];

const LINK_ATTRIBUTES = /^( href="(https?:\/\/|mailto:)[^"<>\s]+")? rel="nofollow noopener ugc"$/;

/** Returns the first fault in the output of a sanitizer, or null. This check shares no code with the sanitizer. */
export function faultOf(html: string, allowedTags: readonly string[]): string | null {
  const open: string[] = [];
  for (const [piece] of html.matchAll(/<[^>]*>?|>|[^<>]+/g)) {
    if (!/[<>]/.test(piece)) continue;
    const [, closing = '', tag = '', attributes = ''] = /^<(\/?)([a-z0-9]+)(.*)>$/.exec(piece) ?? [];
    if (!allowedTags.includes(tag)) return `${piece} is not an allowed tag`;
    if (tag === 'br') {
      if (piece !== '<br />') return `${piece} has more than the tag of a line break`;
    } else if (closing) {
      if (attributes !== '' || open.pop() !== tag) return `${piece} closes no open tag`;
    } else {
      open.push(tag);
      const areAllowed = tag === 'a' ? LINK_ATTRIBUTES.test(attributes) : attributes === '';
      if (!areAllowed) return `${piece} has attributes that are not allowed`;
    }
  }
  return open.length === 0 ? null : `${open.join()} not closed`;
}
