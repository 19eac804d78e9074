import { Marked, type Tokens } from 'marked';
import { escapedHtml } from '#platform/text/characters';
import { slugify } from '#platform/text/transliterate';

/**
 * Converts a page's Markdown to HTML. The Markdown is part of this repository, so it is not sanitized. Headings get
 * anchors, and code blocks get a class with the name of their language.
 */
export function htmlOf(markdown: string): string {
  return MARKED.parse(markdown, { async: false });
}

/** The second-level headings of a page, for its table of contents. */
export function headingsOf(markdown: string): { readonly id: string; readonly text: string }[] {
  return MARKED.lexer(markdown).flatMap((token) =>
    token.type === 'heading' && token.depth === 2 ? [{ id: idOf(String(token.text)), text: String(token.text) }] : [],
  );
}

/** Returns the anchor of a heading, for example `limits-and-retries` for `Limits and retries`. */
export function idOf(text: string): string {
  return slugify(text);
}

const MARKED = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // Wide code scrolls horizontally. `tabindex` makes the element reachable with the keyboard.
    code({ text, lang }: Tokens.Code): string {
      return `<pre tabindex="0"><code${lang ? ` class="language-${escapedHtml(lang)}"` : ''}>${escapedHtml(text)}</code></pre>\n`;
    },
  },
});
