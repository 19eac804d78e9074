/** A form of a page, and the fields that a browser without scripts would send for it. */
export interface HtmlForm {
  readonly action: string;
  readonly isMultipart: boolean;
  /** The HTML of the whole form element. */
  readonly html: string;
  /** Name and value of each field that is sent, in order. Buttons and file fields are omitted. */
  readonly fields: readonly (readonly [string, string])[];
}

export type TypedValues = Readonly<Record<string, string | readonly string[] | null>>;

/** The POST forms of a page. */
export function formsOf(html: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)]
    .map(([whole, attributes = '', content = '']) => ({ whole, attributes: attributesOf(attributes), content }))
    .filter(({ attributes }) => attributes.get('method') === 'post')
    .map(({ whole, attributes, content }) => ({
      action: attributes.get('action') ?? '',
      isMultipart: attributes.get('enctype') === 'multipart/form-data',
      html: whole,
      fields: [...content.matchAll(/<(input)\b([^>]*)>|<(textarea|select)\b([^>]*)>([\s\S]*?)<\/\3>/g)].flatMap(
        ([, input, ofInput = '', other, ofOther = '', inner = '']) =>
          fieldsOf(input ?? other ?? '', attributesOf(ofInput || ofOther), inner),
      ),
    }));
}

/**
 * Returns the first POST form in which the path of `action` ends with `end`. Throws if the page has no such form.
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
 * Returns the request body of the filled-in form. A value in `typed` replaces all values of the field with the same
 * name. If the value in `typed` is null, the field is not sent, like an unticked box.
 */
export function filledIn(
  { fields, isMultipart }: Pick<HtmlForm, 'fields' | 'isMultipart'>,
  typed: TypedValues,
): URLSearchParams | FormData {
  const body = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields) if (!(name in typed)) body.append(name, value);
  for (const [name, value] of Object.entries(typed)) for (const one of [value ?? []].flat()) body.append(name, one);
  return body;
}

type Attributes = ReadonlyMap<string, string>;

function fieldsOf(tag: string, attributes: Attributes, inner: string): (readonly [string, string])[] {
  const name = attributes.get('name');
  const type = attributes.get('type') ?? 'text';
  const value = attributes.get('value') ?? '';
  if (name === undefined || type === 'file' || type === 'submit') return [];
  if (tag === 'textarea') return [[name, unescaped(inner.replace(/^\n/, ''))]];
  if (tag === 'select') return [[name, selectedOf(inner)]];
  if ((type === 'checkbox' || type === 'radio') && !attributes.has('checked')) return [];
  // Like browsers, removes line breaks from single-line fields.
  return [[name, type === 'hidden' ? value : value.replace(/[\r\n]/g, '')]];
}

function selectedOf(content: string): string {
  const options = [...content.matchAll(/<option\b([^>]*)>([^<]*)/g)].map(([, attributes = '', text = '']) => ({
    attributes: attributesOf(attributes),
    text: unescaped(text).trim().replace(/\s+/g, ' '),
  }));
  const option = options.find(({ attributes }) => attributes.has('selected')) ?? options[0];
  // Like browsers, sends the text of an option without a value.
  return option?.attributes.get('value') ?? option?.text ?? '';
}

/** Maps the names of attributes to their values; an attribute such as `checked` has the value `''`. */
function attributesOf(text: string): Attributes {
  return new Map(
    [...text.matchAll(/([^\s="]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, unescaped(value)]),
  );
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
