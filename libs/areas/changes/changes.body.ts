import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { NO_LINKS } from '#platform/http/page';
import { noLinksSchema } from '#platform/http/page-schemas';
import { ChangeResource } from './change.resource';
import type { NewChanges } from './changes.reader';

/** A page of changes. `meta` has the next cursor instead of page numbers. */
export interface ChangesBody {
  data: readonly ChangeResource[];
  links: typeof NO_LINKS;
  meta: { cursor: string; has_more: boolean };
}

export function changesBody({ entries, cursor, hasMore }: NewChanges): ChangesBody {
  return {
    data: entries,
    links: NO_LINKS,
    meta: { cursor, has_more: hasMore },
  };
}

const EVENT_STREAM = {
  type: 'string',
  description:
    'Server-sent events. The first event has no data; its `id` is the cursor at which the stream begins. After it, the stream has one event for each change, with the entry as JSON in `data` and its cursor in `id`. Between the events, there may be comment lines, which begin with a colon; clients ignore them. An `id` without `data` may follow such a line: it is the position that the stream has reached, from which a client can continue.',
} as const;

/** Documents the two forms of the response: the JSON body of `changesBody`, and the stream. */
export function AnswersChanges(): MethodDecorator {
  const links = noLinksSchema('four nulls; every list has this field');
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
