import type { Locale } from '#contract/vocabulary';
import { BRAND } from '../messages/brand';
import { escapedHtml } from '../text/characters';

interface Action {
  readonly text: string;
  readonly url: string;
}

/** The content of a mail, from which its text and its HTML are rendered. No field contains HTML. */
export interface MailContent {
  readonly locale: Locale;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** A link: a button in the HTML, and a separate paragraph in the text. */
  readonly action?: Action | null;
  /** The lines of small print at the end. An `Action` is a line with a link. */
  readonly foot?: readonly (string | Action)[];
}

/**
 * Renders the name of the sender, the subject, the text and the HTML of a mail. Text and HTML have the same content and
 * links. The HTML also has the name of the service, and the subject as a heading.
 */
export function renderMail({ locale, subject, greeting, paragraphs, action = null, foot = [] }: MailContent): {
  senderName: string;
  subject: string;
  text: string;
  html: string;
} {
  const footLines = foot.map((line) => (typeof line === 'string' ? line : `${line.text}: ${line.url}`));
  const text = [
    greeting,
    ...paragraphs,
    ...(action ? [`${action.text}:\n${action.url}`] : []),
    ...(foot.length > 0 ? [`-- \n${footLines.join('\n')}`] : []),
  ];
  const html = [
    `<h1 style="${HEADING}">${htmlOf(subject)}</h1>`,
    ...[greeting, ...paragraphs].map((paragraph) => `<p style="margin:16px 0 0">${htmlOf(paragraph)}</p>`),
    ...(action
      ? [
          `<p style="margin:24px 0 0"><a class="do" href="${htmlOf(action.url)}" style="${BUTTON}">${htmlOf(action.text)}</a></p>`,
        ]
      : []),
    ...(foot.length > 0 ? [`<p class="soft" style="${FOOT}">${foot.map(footLine).join('<br>')}</p>`] : []),
  ];
  return {
    senderName: BRAND[locale],
    subject,
    text: `${text.join('\n\n')}\n`,
    html: page(locale, subject, html.join('\n')),
  };
}

const BRAND_LINE = 'max-width:560px;margin:0 auto;padding:0 24px 14px;font-size:17px;line-height:24px;font-weight:bold';
const HEADING = 'margin:0;font-size:22px;line-height:28px;font-weight:bold;letter-spacing:-0.01em';
const BUTTON =
  'display:inline-block;padding:12px 22px;border-radius:24px;background:#191a1f;color:#ffffff;font-weight:bold;text-decoration:none';
const FOOT =
  'margin:32px 0 0;padding:16px 0 0;border-top:1px solid #e5e1da;font-size:13px;line-height:20px;color:#5a5d66';

function footLine(line: string | Action): string {
  return typeof line === 'string'
    ? htmlOf(line)
    : `<a class="soft" href="${htmlOf(line.url)}" style="color:#5a5d66">${htmlOf(line.text)}</a>`;
}

/**
 * Styles are inline, because many mail programs remove the head. Only the styles for dark mode are in the head.
 */
function page(locale: Locale, title: string, body: string): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${htmlOf(title)}</title>
<style>
@media (prefers-color-scheme: dark) { body, .ground { background: #121317 !important; color: #f0eff0 !important; } .paper { background: #1c1d23 !important; color: #f0eff0 !important; } .soft { color: #a9abb4 !important; border-color: #30323a !important; } .do { background: #f4f2ee !important; color: #17181c !important; } }
</style>
</head>
<body style="margin:0;background:#faf8f5">
<div class="ground" style="padding:24px 12px;background:#faf8f5;color:#191a1f;font:16px/24px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere">
<div style="${BRAND_LINE}">${BRAND[locale]}</div>
<div class="paper" style="max-width:560px;margin:0 auto;padding:28px 24px;border-radius:16px;background:#ffffff;color:#191a1f">
${body}
</div>
</div>
</body>
</html>
`;
}

/** Escapes a text, and also its apostrophes, which `escapedHtml` does not escape. Replaces line breaks by `<br>`. */
function htmlOf(text: string): string {
  return escapedHtml(text).replaceAll("'", '&#39;').replaceAll('\n', '<br>');
}
