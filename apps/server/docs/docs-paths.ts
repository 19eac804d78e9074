/** The paths of files for programs: the OpenAPI document in several forms, and files derived from it. */
export const TEXT_PATHS = [
  '/openapi.json',
  '/openapi.yaml',
  '/openapi-3.0.json',
  '/docs/bruno.json',
  '/llms.txt',
] as const;
export type TextPath = (typeof TEXT_PATHS)[number];

/** The paths of the documentation pages, except the reference (`/docs`) and the page of each error code. */
export const PAGE_PATHS = [
  '/docs/operations',
  '/docs/changes',
  '/docs/webhooks',
  '/docs/security',
  '/docs/embedding',
  '/docs/errors',
] as const;
export type PagePath = (typeof PAGE_PATHS)[number];
