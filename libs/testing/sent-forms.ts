import { formsOf, filledIn, type HtmlForm } from './forms';
import type { Page, Visitor } from './visitor';

/** Values to fill in: texts or lists of texts. The value true ticks a box, and false unticks the box. */
type Values = Readonly<Record<string, string | readonly string[] | boolean>>;
type Files = readonly (readonly [string, Blob])[];

/** Returns the page's first form that is sent to `path` and has `content` in its HTML. Throws if no form matches. */
export function formOf({ html }: Page, path: string, content = ''): HtmlForm {
  const form = formsOf(html).find((one) => one.action.split('?')[0] === path && one.html.includes(content));
  if (!form) throw new Error(`The page has no form to ${path}.`);
  return form;
}

/**
 * Sends a form of a page that is already open. A value replaces all values of its field. Files are added only to a
 * multipart form.
 */
export async function sendForm(
  visitor: Visitor,
  form: HtmlForm,
  values: Values = {},
  files: Files = [],
): Promise<Page> {
  const typed = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? (value ? '1' : null) : value]),
  );
  const body = filledIn(form, typed);
  if (body instanceof FormData) for (const [name, file] of files) body.append(name, file, 'file');
  return visitor.send('POST', form.action, body);
}

/** Opens the page, fills in its form to `path` and sends this form. */
export async function fillIn(
  visitor: Visitor,
  page: string,
  path: string,
  values: Values = {},
  files: Files = [],
): Promise<Page> {
  return sendForm(visitor, formOf(await visitor.get(page), path), values, files);
}
