import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { NO_LINKS } from '#platform/http/page';
import { noLinksSchema } from '#platform/http/page-schemas';
import type { PulsFeed } from './puls.service';
import { PulsResource } from './puls.resource';

/** The body of the feed's response: a list without pages (PULS-9). */
export interface FeedBody {
  data: PulsResource[];
  links: typeof NO_LINKS;
  meta: { total: number; limit: number; radius_km: number };
}

export function feedBody({ posts, total, limit, radiusKm }: PulsFeed): FeedBody {
  return {
    data: posts,
    links: NO_LINKS,
    meta: { total, limit, radius_km: radiusKm },
  };
}

/** Adds the response of the feed to the OpenAPI document. */
export function AnswersFeed(): MethodDecorator {
  const links = noLinksSchema('four nulls, because the feed has no pages; every list has this field');
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
