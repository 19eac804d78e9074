import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { RefusalCode } from '#contract/refusals';

/** What Fastify calls the JSON it makes. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** A single object on the wire. */
export interface One<Resource> {
  data: Resource;
}

/** Wraps a single object: `{"data": {…}}` (WIRE-24). */
export function one<Resource>(resource: Resource): One<Resource> {
  return { data: resource };
}

const LINK = { type: 'string', format: 'uri' } as const;
const LINK_OR_NULL = { ...LINK, nullable: true } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const PAGE_LINKS = {
  type: 'object', required: ['first', 'last', 'prev', 'next'],
  properties: { first: LINK, last: LINK, prev: LINK_OR_NULL, next: LINK_OR_NULL },
};
const PAGE_META = {
  type: 'object', required: ['current_page', 'from', 'last_page', 'path', 'per_page', 'to', 'total'],
  properties: {
    current_page: COUNT, from: { ...COUNT, nullable: true }, last_page: COUNT, path: LINK, per_page: COUNT,
    to: { ...COUNT, nullable: true }, total: COUNT,
  },
};

interface AnswerOptions {
  status?: number;
  description?: string;
  /** Further members of `meta`. */
  meta?: Record<string, { type: string }>;
}

interface PageOptions extends AnswerOptions {
  /** What the schema of a page of several shapes is called. */
  name?: string;
  /** Of several shapes: the field that tells them apart, and the shape of each of its values. */
  discriminator?: { readonly field: string; readonly shapes: Readonly<Record<string, Type>> };
}

/** Documents an answer of one object. */
export function Answers(resource: Type, { status = 200, description = '', meta }: AnswerOptions = {}): MethodDecorator {
  const properties = { data: { $ref: getSchemaPath(resource) }, ...(meta && { meta: { type: 'object', properties: meta } }) };
  return applyDecorators(
    ApiExtraModels(resource),
    ApiResponse({ status, description, schema: { type: 'object', required: ['data'], properties } }),
  );
}

/** Documents an answer of several objects that is no page. */
export function AnswersList(resource: Type, { status = 200, description = '' }: AnswerOptions = {}): MethodDecorator {
  const data = { type: 'array', items: { $ref: getSchemaPath(resource) } };
  return applyDecorators(
    ApiExtraModels(resource),
    ApiResponse({ status, description, schema: { type: 'object', required: ['data'], properties: { data } } }),
  );
}

/** Documents the `Page` that the handler returns; of several shapes each item has one of them. */
export function AnswersPage(resources: Type | readonly Type[], { description = '', meta, name, discriminator }: PageOptions = {}): MethodDecorator {
  const shapes = [resources].flat();
  const items = shapes.map((shape) => ({ $ref: getSchemaPath(shape) }));
  const told = discriminator && {
    discriminator: {
      propertyName: discriminator.field,
      mapping: Object.fromEntries(Object.entries(discriminator.shapes).map(([value, shape]) => [value, getSchemaPath(shape)])),
    },
  };
  const properties = {
    data: { type: 'array', items: items.length === 1 ? items[0] : { oneOf: items, ...told } },
    links: PAGE_LINKS,
    meta: { ...PAGE_META, properties: { ...PAGE_META.properties, ...meta } },
  };
  return applyDecorators(
    ApiExtraModels(...shapes),
    ApiResponse({ status: 200, description, schema: { type: 'object', ...(name && { title: name }), required: ['data', 'links', 'meta'], properties } }),
  );
}

/** Documents a 204. */
export function AnswersNothing(description = ''): MethodDecorator {
  return ApiResponse({ status: 204, description });
}

/**
 * Documents which refusals a route may answer with beside those that any of its kind may (apps/server/document/refusals.ts): what
 * visibility, rights and state say. Given more than once, the codes add up.
 */
export function Refuses(...codes: readonly RefusalCode[]): MethodDecorator {
  return (controller, method, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const known = own.get(handler) ?? [];
    own.set(handler, [...known, ...codes]);
    ApiExtension(REFUSED_WITH, [...known, ...codes])(controller, method, descriptor);
  };
}

/** Where the document finds them. */
export const REFUSED_WITH = 'x-refused-with';
const own = new WeakMap<object, readonly RefusalCode[]>();
