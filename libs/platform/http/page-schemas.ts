import type { SchemaObject } from '@nestjs/swagger';

// The schemas of `links` and `meta` in lists, for the OpenAPI document.

const LINK = { type: 'string', format: 'uri' } as const;
const LINK_OR_NULL = { ...LINK, nullable: true } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const COUNT_OR_NULL = { ...COUNT, nullable: true } as const;
export const PAGE_LINKS = {
  type: 'object',
  required: ['first', 'last', 'prev', 'next'],
  description: 'addresses of other pages, with the query parameters of this request',
  properties: {
    first: { ...LINK, description: 'the first page' },
    last: { ...LINK, description: 'the last page' },
    prev: { ...LINK_OR_NULL, description: 'the previous page; null on the first page' },
    next: { ...LINK_OR_NULL, description: 'the next page; null on the last page' },
  },
};
export const PAGE_META = {
  type: 'object',
  required: ['current_page', 'from', 'last_page', 'path', 'per_page', 'to', 'total'],
  description: 'where this page is in the list',
  properties: {
    current_page: { ...COUNT, description: 'number of this page' },
    from: {
      ...COUNT_OR_NULL,
      description: 'position of the first entry of this page in the list, from 1; null on an empty page',
    },
    last_page: { ...COUNT, description: 'number of the last page' },
    path: { ...LINK, description: 'address of the list without its query' },
    per_page: { ...COUNT, description: 'entries on a full page' },
    to: { ...COUNT_OR_NULL, description: 'position of the last entry of this page in the list; null on an empty page' },
    total: { ...COUNT, description: 'entries on all pages' },
  },
};

/**
 * Marks a field that is null only in responses to requests with the parameter `cursor`. scripts/openapi-changes.mjs
 * reads this extension.
 */
const WITH_CURSOR = { 'x-null-with': 'cursor' } as const;
/**
 * The links of a list that clients can read by page number or by cursor. A page requested by cursor has no page number
 * and no links.
 */
export const CURSOR_LINKS = {
  ...PAGE_LINKS,
  description:
    'addresses of other pages, with the query parameters of this request; null if the request contains `cursor`',
  properties: {
    ...PAGE_LINKS.properties,
    first: { ...LINK_OR_NULL, ...WITH_CURSOR, description: 'the first page; null if the request contains `cursor`' },
    last: { ...LINK_OR_NULL, ...WITH_CURSOR, description: 'the last page; null if the request contains `cursor`' },
    prev: {
      ...LINK_OR_NULL,
      description: 'the previous page; null on the first page, and if the request contains `cursor`',
    },
    next: {
      ...LINK_OR_NULL,
      description: 'the next page; null on the last page, and if the request contains `cursor`',
    },
  },
};
export const CURSOR_META = {
  ...PAGE_META,
  required: [...PAGE_META.required, 'next_cursor'],
  properties: {
    ...PAGE_META.properties,
    current_page: {
      ...COUNT_OR_NULL,
      ...WITH_CURSOR,
      description: 'number of this page; null if the request contains `cursor`',
    },
    from: {
      ...COUNT_OR_NULL,
      description:
        'position of the first entry of this page in the list, from 1; null on an empty page, and if the request contains `cursor`',
    },
    last_page: {
      ...COUNT_OR_NULL,
      ...WITH_CURSOR,
      description: 'number of the last page; null if the request contains `cursor`',
    },
    to: {
      ...COUNT_OR_NULL,
      description:
        'position of the last entry of this page in the list; null on an empty page, and if the request contains `cursor`',
    },
    next_cursor: {
      type: 'string',
      nullable: true,
      description: 'send it as `cursor` for the entries after this page; null on the last page',
    },
  },
};

const ALWAYS_NULL: SchemaObject = {
  type: 'string',
  nullable: true,
  enum: [null],
  description: 'always null: the response has no links to other pages',
};

/** Returns the schema of `links` in a list that has no pages (`NO_LINKS`). */
export function noLinksSchema(description: string): SchemaObject {
  return {
    type: 'object',
    description,
    required: ['first', 'last', 'prev', 'next'],
    properties: { first: ALWAYS_NULL, last: ALWAYS_NULL, prev: ALWAYS_NULL, next: ALWAYS_NULL },
  };
}
