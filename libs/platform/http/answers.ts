import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { RefusalCode } from '#contract/refusals';
import { CURSOR_LINKS, CURSOR_META, PAGE_LINKS, PAGE_META } from './page-schemas';

/** A response with a single object. */
export interface One<Resource> {
  data: Resource;
}

/** Wraps a single object: `{"data": {…}}` (WIRE-24). */
export function one<Resource>(resource: Resource): One<Resource> {
  return { data: resource };
}

/** The schemas of further members of `meta`, for the OpenAPI document. */
export type MetaSchemas = Readonly<Record<string, { readonly type: string; readonly description: string }>>;

interface AnswerOptions {
  status?: number;
  description?: string;
  meta?: MetaSchemas;
}

interface PageOptions extends AnswerOptions {
  /** Whether clients can read the list also by cursor, and not only by page number. */
  byCursor?: boolean;
  /** Name of the schema of a page whose items have several shapes. */
  name?: string;
  /** The field that distinguishes the kinds of items, and the class of the items for each value of this field. */
  discriminator?: { readonly field: string; readonly shapes: Readonly<Record<string, Type>> };
}

/** Documents a response with one object. */
export function Answers(resource: Type, { status = 200, description = '', meta }: AnswerOptions = {}): MethodDecorator {
  const data = { allOf: [{ $ref: getSchemaPath(resource) }], description: 'the object' };
  const properties = {
    data,
    ...(meta && {
      meta: {
        type: 'object',
        required: Object.keys(meta),
        properties: meta,
        description: 'further information about this answer',
      },
    }),
  };
  return applyDecorators(
    ApiExtraModels(resource),
    ApiResponse({ status, description, schema: { type: 'object', required: Object.keys(properties), properties } }),
  );
}

/** Documents a response with a list that is not divided into pages. */
export function AnswersList(resource: Type, { status = 200, description = '' }: AnswerOptions = {}): MethodDecorator {
  const data = { type: 'array', items: { $ref: getSchemaPath(resource) }, description: 'the objects' };
  return applyDecorators(
    ApiExtraModels(resource),
    ApiResponse({ status, description, schema: { type: 'object', required: ['data'], properties: { data } } }),
  );
}

/**
 * Documents the `Page` that the handler returns. If there are several `resources`, each item has the shape of one of
 * them.
 */
export function AnswersPage(
  resources: Type | readonly Type[],
  { description = '', meta, byCursor = false, name, discriminator }: PageOptions = {},
): MethodDecorator {
  const shapes = [resources].flat();
  const pageMeta = byCursor ? CURSOR_META : PAGE_META;
  const items = shapes.map((shape) => ({ $ref: getSchemaPath(shape) }));
  const withDiscriminator = discriminator && {
    discriminator: {
      propertyName: discriminator.field,
      mapping: Object.fromEntries(
        Object.entries(discriminator.shapes).map(([value, shape]) => [value, getSchemaPath(shape)]),
      ),
    },
  };
  const properties = {
    data: {
      type: 'array',
      items: items.length === 1 ? items[0] : { oneOf: items, ...withDiscriminator },
      description: 'the entries of this page',
    },
    links: byCursor ? CURSOR_LINKS : PAGE_LINKS,
    meta: { ...pageMeta, properties: { ...pageMeta.properties, ...meta } },
  };
  return applyDecorators(
    ApiExtraModels(...shapes),
    ApiResponse({
      status: 200,
      description,
      schema: { type: 'object', ...(name && { title: name }), required: ['data', 'links', 'meta'], properties },
    }),
  );
}

/** Documents a response with status 204. */
export function AnswersNothing(description = ''): MethodDecorator {
  return ApiResponse({ status: 204, description });
}

/**
 * Documents the errors about visibility, rights and state that the route can return. apps/server/document/refusals.ts
 * adds the errors of all routes, of all routes that write, and of all routes with a parameter in the path (404). A
 * route with several `@Refuses` decorators has the codes of all of them.
 */
export function Refuses(...codes: readonly RefusalCode[]): MethodDecorator {
  return (controller, method, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const earlierCodes = refusalCodes.get(handler) ?? [];
    refusalCodes.set(handler, [...earlierCodes, ...codes]);
    ApiExtension(REFUSED_WITH, [...earlierCodes, ...codes])(controller, method, descriptor);
  };
}

/**
 * The name of the extension with the codes of `Refuses`. In the OpenAPI document, apps/server/document replaces this
 * extension by responses.
 */
export const REFUSED_WITH = 'x-refused-with';
const refusalCodes = new WeakMap<object, readonly RefusalCode[]>();
