import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath, type SchemaObject } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import type { PulsFeed } from './puls.service';
import { PulsResource } from './puls.resource';

/** The body of the feed's response: a list without pages (PULS-9). */
export interface FeedBody {
  data: PulsResource[];
  links: { first: null; last: null; prev: null; next: null };
  meta: { total: number; limit: number; radius_km: number };
}

export function feedBody({ posts, total, limit, radiusKm }: PulsFeed): FeedBody {
  return {
    data: posts,
    links: { first: null, last: null, prev: null, next: null },
    meta: { total, limit, radius_km: radiusKm },
  };
}

const ALWAYS_NULL: SchemaObject = {
  type: 'string',
  nullable: true,
  enum: [null],
  description: 'always null: the response has no links to other pages',
};

/** Adds the response of the feed to the OpenAPI document. */
export function AnswersFeed(): MethodDecorator {
  const links = {
    type: 'object',
    description: 'four nulls, because the feed has no pages; every list has this field',
    required: ['first', 'last', 'prev', 'next'],
    properties: { first: ALWAYS_NULL, last: ALWAYS_NULL, prev: ALWAYS_NULL, next: ALWAYS_NULL },
  };
  const meta = {
    type: 'object',
    description: 'the number of posts, and the limit and radius that were used',
    required: ['total', 'limit', 'radius_km'],
    properties: {
      total: {
        type: 'integer',
        description: `number of posts within the radius, including posts beyond the limit; counted up to ${LIMITS.puls.feed.max_counted}`,
      },
      limit: { type: 'integer', description: 'maximum number of posts' },
      radius_km: { type: 'number', description: 'radius around the place in kilometres' },
    },
  };
  const data = { type: 'array', items: { $ref: getSchemaPath(PulsResource) }, description: 'the posts, nearest first' };
  return applyDecorators(
    ApiExtraModels(PulsResource),
    ApiResponse({
      status: 200,
      schema: {
        type: 'object',
        title: 'PulsFeed',
        required: ['data', 'links', 'meta'],
        properties: { data, links, meta },
      },
    }),
  );
}
