import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath, type SchemaObject } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import type { PulsFeed } from './puls.service';
import { PulsResource } from './puls.resource';

/** The feed's response: a list without pages (PULS-9). */
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

const NOTHING: SchemaObject = {
  type: 'string',
  nullable: true,
  enum: [null],
  description: 'always null: the list has no pages',
};

/** Documents the feed. */
export function AnswersFeed(): MethodDecorator {
  const links = {
    type: 'object',
    description: 'four nulls, in the shape that all lists have',
    required: ['first', 'last', 'prev', 'next'],
    properties: { first: NOTHING, last: NOTHING, prev: NOTHING, next: NOTHING },
  };
  const meta = {
    type: 'object',
    description: 'what the list was made with',
    required: ['total', 'limit', 'radius_km'],
    properties: {
      total: {
        type: 'integer',
        description: `posts within the radius, those beyond the limit included; counted up to ${LIMITS.puls.feed.most_counted}`,
      },
      limit: { type: 'integer', description: 'how many posts at most' },
      radius_km: { type: 'number', description: 'kilometres around the place' },
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
