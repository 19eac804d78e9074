/** What programs read: the document in several forms, and what is made of it. */
export const TEXT_PATHS = [
  '/openapi.json',
  '/openapi.yaml',
  '/openapi-3.0.json',
  '/docs/bruno.json',
  '/llms.txt',
] as const;
export type TextPath = (typeof TEXT_PATHS)[number];

/** Pages of a fixed path, but the first, which has the reference below it. */
export const PAGE_PATHS = ['/docs/operations', '/docs/changes', '/docs/webhooks', '/docs/errors'] as const;
export type PagePath = (typeof PAGE_PATHS)[number];
