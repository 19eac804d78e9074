import { LIMITS } from '#contract/limits';
import { decoded, pathOf } from '#platform/http/paths';
import { redactedLine } from '#platform/logging/redaction';
import { CODES_IN_TEXT } from '../participation/codes';

/** Route parameters with secret values. The log contains the name of such a parameter instead of its value. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([':code']);
/** Parts of a path that a client or a proxy may add or remove. The comparison with a route ignores these parts. */
const REMOVABLE_PARTS: ReadonlySet<string> = new Set(['', '.', '..']);

/** The path of a route in the form of the OpenAPI document: `/api/v1/events/{id}` for `/api/v1/events/:id`. */
export function templateOf(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}');
}

/**
 * Replaces secrets in paths. A part of a path is replaced if a route has a secret parameter at the same position, and
 * all earlier parts match this route. A text that looks like a ticket code or a check-in code is replaced at any
 * position.
 */
export class RequestPaths {
  private readonly secretRoutes: readonly (readonly string[])[];

  /** @param routes all routes as in Fastify, such as `/api/v1/events/:id` */
  constructor(routes: readonly string[]) {
    this.secretRoutes = [...new Set(routes)]
      .map((route) => route.split('/').slice(1))
      .filter((parts) => parts.some((part) => SECRET_PARAMETERS.has(part)));
  }

  /** The path of a requested URL, without the query and without secrets. */
  loggedPath(url: string): string {
    return loggedText(this.withoutCodes(pathOf(url).slice(0, 4 * LIMITS.request_log.path)), LIMITS.request_log.path);
  }

  private withoutCodes(path: string): string {
    const parts = path.split('/');
    const names = parts.map(decoded);
    const positions = [...parts.keys()].filter((n) => !REMOVABLE_PARTS.has(names[n] ?? ''));
    const comparedNames = positions.map((n) => names[n]?.toLowerCase());
    for (const [n, name] of names.entries()) {
      const shown = name.replace(CODES_IN_TEXT, '{code}');
      if (shown !== name) parts[n] = shown;
    }
    for (const route of this.secretRoutes) {
      const secretIndex = route.findIndex((part) => SECRET_PARAMETERS.has(part));
      const position = positions[secretIndex];
      if (position === undefined) continue;
      const matches = route.slice(0, secretIndex).every((part, n) => part.startsWith(':') || part === comparedNames[n]);
      if (matches) parts[position] = templateOf(route[secretIndex] ?? '');
    }
    // Decoded parts may contain control characters. PostgreSQL refuses a text with NUL, and then all entries of the
    // log that are written in the same statement are lost.
    return parts.join('/').replace(/\p{Cc}/gu, encodeURIComponent);
  }
}

/** The form in which the log stores a text of the client: shortened, and without parts that look like a token. */
export function loggedText(text: string, maxLength: number): string {
  return redactedLine(text).slice(0, maxLength);
}
