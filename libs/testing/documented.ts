import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const API = '/api/v1/';
const FILE = join(__dirname, '..', '..', 'docs', 'openapi.json');

type Schema = Record<string, unknown>;
interface Described {
  readonly content?: Record<string, { readonly schema: Schema }>;
  readonly $ref?: string;
}
interface Document {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Described> }>>;
  readonly components: { readonly schemas: Record<string, Schema>; readonly responses: Record<string, Described> };
}

/** Holds every answer of a test server against docs/openapi.json: a known status, a documented shape, and nothing beside it. */
export class Documented {
  private static readonly document = JSON.parse(readFileSync(FILE, 'utf8')) as Document;
  private static readonly validators = new Map<Schema, ValidateFunction>();
  private static readonly ajv = addFormats(new Ajv({ strict: false }));

  /** One line for every way in which an answer was not as documented. */
  readonly differences = new Set<string>();

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onSend', async (request, reply, payload) => {
      if (request.routeOptions.url?.startsWith(API) && request.method !== 'HEAD' && request.method !== 'OPTIONS') this.compare(request, reply, payload);
      return payload;
    });
  }

  private compare(request: FastifyRequest, { statusCode }: FastifyReply, payload: unknown): void {
    const path = (request.routeOptions.url as string).replace(/:(\w+)/g, '{$1}');
    const note = (what: string): void => void this.differences.add(`${request.method} ${path} ${statusCode}: ${what}`);
    const responses = Documented.document.paths[path]?.[request.method.toLowerCase()]?.responses;
    const response = responses?.[statusCode] ?? (statusCode >= 400 ? (responses?.[`${Math.floor(statusCode / 100)}XX`] ?? responses?.['default']) : undefined);
    if (!response) return note('is not documented');
    const { content } = response.$ref ? (Documented.document.components.responses[response.$ref.split('/').at(-1) as string] as Described) : response;
    const schema = content?.['application/json']?.schema;
    if (!schema) return payload ? note('has a body that is not documented') : undefined;
    const validate = Documented.validatorOf(schema);
    if (validate(typeof payload === 'string' ? JSON.parse(payload) : payload)) return;
    for (const { instancePath, message, params } of validate.errors ?? []) note(`${instancePath.replace(/\/\d+/g, '/n')} ${message} ${JSON.stringify(params)}`);
  }

  private static validatorOf(schema: Schema): ValidateFunction {
    let validator = Documented.validators.get(schema);
    if (!validator) {
      const components = { schemas: Documented.document.components.schemas };
      validator = Documented.ajv.compile(closed({ ...schema, components }) as Schema);
      Documented.validators.set(schema, validator);
    }
    return validator;
  }
}

/** OpenAPI 3.0 as JSON Schema: `nullable` spelled out (but not for an enum, which has to name null), and objects with nothing but what is documented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)])) as Schema & { nullable?: unknown };
  const isObject = typeof rest.properties === 'object' && rest.type === 'object' && rest.additionalProperties === undefined;
  const whole = isObject ? { ...rest, additionalProperties: false } : rest;
  if (nullable === true && Array.isArray(rest.enum)) return { enum: rest.enum };
  return nullable === true ? { anyOf: [whole, { type: 'null' }] } : whole;
}
