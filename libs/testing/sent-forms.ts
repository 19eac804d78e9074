import type { Page, Visitor } from './visitor';

type Values = Readonly<Record<string, string | readonly string[] | boolean>>;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => NAMED[name] ?? whole);
}

/** A form of a page, with the fields as a browser would send them. */
export interface FoundForm {
  /** With its query. */
  readonly action: string;
  readonly isMultipart: boolean;
  readonly html: string;
  readonly fields: readonly (readonly [string, string])[];
}

/** The form with this path as its action, and with this text inside. */
export function formOf({ html }: Page, path: string, holding = ''): FoundForm {
  for (const [whole, attributes = ''] of html.matchAll(/<form([^>]*)>[\s\S]*?<\/form>/g)) {
    const action = decoded(/action="([^"]*)"/.exec(attributes)?.[1] ?? '');
    if (action.split('?')[0] !== path || !attributes.includes('method="post"') || !whole.includes(holding)) continue;
    return { action, isMultipart: attributes.includes('multipart/form-data'), html: whole, fields: fieldsOf(whole) };
  }
  throw new Error(`The page has no form to ${path}.`);
}

/** Opens nothing: sends the form of a page that was opened before. Lists replace all values of their name. */
export async function sendForm(
  visitor: Visitor,
  form: FoundForm,
  values: Values = {},
  files: readonly (readonly [string, Blob])[] = [],
): Promise<Page> {
  const kept = form.fields.filter(([name]) => !(name in values));
  const typed = Object.entries(values).flatMap(([name, value]) =>
    value === false ? [] : [value === true ? '1' : value].flat().map((one) => [name, one] as const),
  );
  const pairs = [...kept, ...typed];
  if (!form.isMultipart)
    return visitor.send(
      'POST',
      form.action,
      new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])),
    );
  const body = new FormData();
  for (const [name, value] of pairs) body.append(name, value);
  for (const [name, file] of files) body.append(name, file, 'file');
  return visitor.send('POST', form.action, body);
}

/** Opens the page, fills in its form and sends it. */
export async function fillIn(
  visitor: Visitor,
  page: string,
  path: string,
  values: Values = {},
  files: readonly (readonly [string, Blob])[] = [],
): Promise<Page> {
  return sendForm(visitor, formOf(await visitor.get(page), path), values, files);
}

function fieldsOf(form: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const parts = form.matchAll(
    /<input([^>]*)>|<textarea([^>]*)>([\s\S]*?)<\/textarea>|<select([^>]*)>([\s\S]*?)<\/select>/g,
  );
  for (const [, input, area, text = '', select, options = ''] of parts) {
    const attributes = input ?? area ?? select ?? '';
    const name = /\bname="([^"]*)"/.exec(attributes)?.[1];
    const type = /\btype="([^"]*)"/.exec(attributes)?.[1];
    if (name === undefined || type === 'file') continue;
    if ((type === 'checkbox' || type === 'radio') && !/\bchecked\b/.test(attributes)) continue;
    const chosen = /<option value="([^"]*)"[^>]*\bselected\b/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
    const value =
      input === undefined
        ? area === undefined
          ? (chosen?.[1] ?? '')
          : text.replace(/^\n/, '')
        : (/\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '');
    found.push([name, decoded(value)]);
  }
  return found;
}
