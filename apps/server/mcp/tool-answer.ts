import { randomBytes } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ShapedResponse } from './shapes';

/** The key in `_meta` under which the JSON pointers to texts by other people are listed. */
const META_KEY_BY_OTHERS = 'events/by_others';

/**
 * Returns a tool's answer. In the text for the model, the texts of other people are in a separate section between two
 * lines with a random word. The word differs in each answer, so a person cannot write a text that ends the section.
 */
export function toolAnswer({ value, byOthers }: ShapedResponse): CallToolResult {
  const word = randomBytes(9).toString('base64url');
  const withPlaceholders = structuredClone(value);
  const texts = byOthers.map((pointer, n) => {
    const [parent, name] = parentOf(withPlaceholders, pointer);
    const text = String(parent[name]);
    parent[name] = `[text ${n + 1}]`;
    return `[text ${n + 1}] ${pointer}\n${text}`;
  });
  const lines = [
    JSON.stringify(withPlaceholders),
    ...(texts.length > 0 ? [`--- texts by other people ${word}`, ...texts, `--- end of texts ${word}`] : []),
  ];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: value,
    ...(texts.length > 0 ? { _meta: { [META_KEY_BY_OTHERS]: [...byOthers] } } : {}),
  };
}

/** Returns an API error as a tool's answer, with the address of the page that explains the error's code. */
export function toolRefusal(body: unknown, baseUrl: string): CallToolResult {
  const { code, message, errors } = body as { code: string; message: string; errors?: unknown };
  const text = JSON.stringify({ code, message, ...(errors ? { errors } : {}), help: `${baseUrl}/docs/errors/${code}` });
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Returns the object that contains the value at the JSON pointer, and the name of the property with this value. */
function parentOf(root: unknown, pointer: string): [Record<string, unknown>, string] {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
  const name = steps.pop() ?? '';
  let parent = root as Record<string, unknown>;
  for (const step of steps) parent = parent[step] as Record<string, unknown>;
  return [parent, name];
}
