import { REFUSALS, type RefusalCode } from '#contract/refusals';

/**
 * Statuses of responses to invalid HTTP. These responses belong to no operation, and usually to no readable request.
 */
const STATUSES_WITHOUT_HELP: ReadonlySet<number> = new Set([
  REFUSALS.bad_request.status,
  REFUSALS.request_timeout.status,
  REFUSALS.headers_too_large.status,
]);

/** Whether an error response with this status has a link to the help page of its code (DOC-6). */
export function hasHelpLink(status: number): boolean {
  return !STATUSES_WITHOUT_HELP.has(status);
}

/** The value of the header `Link` with the help page of a code. */
export function helpLink(baseUrl: string, code: RefusalCode): string {
  return `<${baseUrl}/docs/errors/${code}>; rel="help"`;
}
