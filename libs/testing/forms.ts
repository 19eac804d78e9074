/** A form of a page, and the fields that a browser without scripts would send for it. */
export interface HtmlForm {
  readonly action: string;
  readonly isMultipart: boolean;
  /** The HTML of the whole form element. */
  readonly html: string;
  /** Name and value of each field that is sent, in order, without buttons and chosen files. */
  readonly fields: readonly (readonly [string, string])[];
}

export type TypedValues = Readonly<Record<string, string | readonly string[] | null>>;

/** The POST forms of a page. */
export function formsOf(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)]
    .filter(([, attributes = '']) => /method="post"/.test(attributes))
    .map(([whole, attributes = '', content = '']) => ({
      action: attributeOf(attributes, 'action') ?? '',
      isMultipart: attributes.includes('multipart/form-data'),
      html: whole,
      fields: [...content.matchAll(/<(input)\b([^>]*)>|<(textarea|select)\b([^>]*)>([\s\S]*?)<\/\3>/g)].flatMap(
        ([, input, ofInput = '', other, ofOther = '', inner = '']) =>
          fieldsOf(input ?? other ?? '', ofInput || ofOther, inner),
      ),
    }));
}

/**
 * Returns the first POST form of a page whose action has a path that ends with `end`. Throws if there is no such form.
 */
export function formTo(html: string, end: string): HtmlForm {
  const form = formsOf(html).find(({ action }) => (action.split('?', 1)[0] ?? '').endsWith(end));
  if (!form)
    throw new Error(
      `no form to ${end}: ${formsOf(html)
        .map(({ action }) => action)
        .join(', ')}`,
    );
  return form;
}

/**
 * The request body of the form. A value in `typed` replaces all values of the field with the same name. If the value
 * in `typed` is null, the field is not sent, like an unticked box.
 */
export function typeInto(
  { fields, isMultipart }: Pick<HtmlForm, 'fields' | 'isMultipart'>,
  typed: TypedValues,
): URLSearchParams | FormData {
  const body = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) if (!(name in typed)) body.append(name, value);
  for (const [name, value] of Object.entries(typed)) for (const one of [value ?? []].flat()) body.append(name, one);
  return body;
}

function fieldsOf(tag: string, attributes: string, inner: string): (readonly [string, string])[] {
  const [name, type] = [attributeOf(attributes, 'name'), attributeOf(attributes, 'type') ?? 'text'];
  if (name === null || type === 'file' || type === 'submit') return [];
  if (tag === 'textarea') return [[name, unescaped(inner.replace(/^\n/, ''))]];
  if (tag === 'select') return [[name, selectedOf(inner)]];
  if ((type === 'checkbox' || type === 'radio') && !/\bchecked\b/.test(attributes)) return [];
  const value = attributeOf(attributes, 'value') ?? '';
  // Like browsers, removes line breaks from single-line fields.
  return [[name, type === 'hidden' ? value : value.replace(/[\r\n]/g, '')]];
}

function selectedOf(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
  return attributeOf(all.find((one) => /\bselected\b/.test(one)) ?? all[0] ?? '', 'value') ?? '';
}

function attributeOf(attributes: string, name: string): string | null {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? null : unescaped(value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
