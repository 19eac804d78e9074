import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath, type SchemaObject } from '@nestjs/swagger';
import { ChangeResource } from './change.resource';
import type { NewChanges } from './changes.reader';

/** A page of changes. `meta` has the next cursor instead of page numbers. */
export interface ChangesBody {
  data: readonly ChangeResource[];
  links: { first: null; last: null; prev: null; next: null };
  meta: { cursor: string; has_more: boolean };
}

export function changesBody({ entries, cursor, hasMore }: NewChanges): ChangesBody {
  return {
    data: entries,
    links: { first: null, last: null, prev: null, next: null },
    meta: { cursor, has_more: hasMore },
  };
}

const ALWAYS_NULL: SchemaObject = {
  type: 'string',
  nullable: true,
  enum: [null],
  description: 'always null: the response has no links to other pages',
};
const EVENT_STREAM = {
  type: 'string',
  description:
    'Server-sent events. The first event has no data; its `id` is the cursor at which the stream begins. After it, the stream has one event for each change, with the entry as JSON in `data` and its cursor in `id`. Between the events, there may be comment lines, which begin with a colon; clients ignore them.',
} as const;

/** Documents the two forms of the response: the JSON body of `changesBody`, and the stream. */
export function AnswersChanges(): MethodDecorator {
  const links = {
    type: 'object',
    description: 'four nulls; every list has this field',
    required: ['first', 'last', 'prev', 'next'],
    properties: { first: ALWAYS_NULL, last: ALWAYS_NULL, prev: ALWAYS_NULL, next: ALWAYS_NULL },
  };
  const meta = {
    type: 'object',
    required: ['cursor', 'has_more'],
    description: 'how to continue',
    properties: {
      cursor: { type: 'string', description: 'the position after this page, for the next request' },
      has_more: {
        type: 'boolean',
        description: 'whether there were more entries after this page when the response was sent',
      },
    },
  };
  const data = { type: 'array', items: { $ref: getSchemaPath(ChangeResource) }, description: 'the entries, in order' };
  return applyDecorators(
    ApiExtraModels(ChangeResource),
    ApiResponse({
      status: 200,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            title: 'Changes',
            required: ['data', 'links', 'meta'],
            properties: { data, links, meta },
          },
        },
        'text/event-stream': { schema: EVENT_STREAM },
      },
    }),
  );
}
