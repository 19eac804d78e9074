import { parser } from 'sax';

export interface AtomText {
  readonly type: string;
  readonly text: string;
}

export interface AtomEntry {
  readonly id: string;
  readonly title: AtomText;
  readonly link: string;
  readonly author: string;
  readonly updated: string;
  readonly published: string | undefined;
  readonly content: AtomText;
  readonly summary: AtomText | undefined;
}

/** An Atom feed, read by a strict XML parser. */
export interface AtomFeed {
  readonly id: string;
  readonly title: string;
  readonly self: string | undefined;
  readonly updated: string;
  readonly entries: readonly AtomEntry[];
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Matches a text whose characters are all allowed in XML 1.0 (production 2 of its grammar). */
const XML_CHARACTERS = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/**
 * Reads an Atom feed. Throws if the text is not well-formed XML or not an Atom feed, and if an element that `AtomFeed`
 * or `AtomEntry` requires is missing or occurs more than once.
 */
export function readFeed(text: string): AtomFeed {
  if (!XML_CHARACTERS.test(text))
    throw new Error('not XML 1.0: the text contains a character that XML 1.0 does not allow');
  const feed = rootOf(text);
  const entries = feed.children.filter(({ name }) => name === 'entry');
  return {
    id: onlyChild(feed, 'id').text,
    title: onlyChild(feed, 'title').text,
    updated: onlyChild(feed, 'updated').text,
    self: feed.children.find(({ name, attributes }) => name === 'link' && attributes.rel === 'self')?.attributes.href,
    entries: entries.map((entry) => ({
      id: onlyChild(entry, 'id').text,
      title: textOf(onlyChild(entry, 'title')),
      link: onlyChild(entry, 'link').attributes.href ?? '',
      author: onlyChild(onlyChild(entry, 'author'), 'name').text,
      updated: onlyChild(entry, 'updated').text,
      published: entry.children.find(({ name }) => name === 'published')?.text,
      content: textOf(onlyChild(entry, 'content')),
      summary: entry.children.filter(({ name }) => name === 'summary').map(textOf)[0],
    })),
  };
}

function rootOf(text: string): Element {
  const reader = parser(true);
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const openElements = [document];
  const add = (more: string): void => void (openElements.at(-1)!.text += more);
  reader.onopentag = ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    openElements.at(-1)!.children.push(element);
    openElements.push(element);
  };
  reader.onclosetag = () => void openElements.pop();
  reader.ontext = add;
  reader.oncdata = add;
  reader.onerror = (error) => {
    throw error;
  };
  reader.write(text).close();
  const [feed] = document.children;
  if (feed?.name !== 'feed' || feed.attributes.xmlns !== 'http://www.w3.org/2005/Atom') throw new Error('no Atom feed');
  return feed;
}

function onlyChild(parent: Element, childName: string): Element {
  const found = parent.children.filter(({ name }) => name === childName);
  if (found.length !== 1) throw new Error(`${parent.name} has ${found.length} elements ${childName} instead of 1`);
  return found[0]!;
}

function textOf({ attributes, text }: Element): AtomText {
  return { type: attributes.type ?? 'text', text };
}
