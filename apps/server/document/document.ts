import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { REFUSED_WITH } from '#platform/http/answers';
import { answerHeaders } from './answer-headers';
import { AnswerExamples } from './answer-examples';
import { addExamples, inDaysAfter } from './examples';
import { addFormats } from './formats';
import { HEADERS, IDEMPOTENCY_KEY, IF_MATCH, IF_NONE_MATCH, PREFER } from './headers';
import { introduction } from './introduction';
import { nameSchemas } from './names';
import { withNullTypes } from './null-types';
import { codesOf, FIELD_ERRORS, refusalExamples, RefusalResponses } from './refusals';
import { isNode, operationsOf, refTo, type Node, type Operation, type PlacedOperation } from './schema';
import { securityOf, securitySchemes } from './security';
import { TAG_GROUPS } from './tags';
import { WEBHOOK_MESSAGE, webhooks } from './webhooks';

/** Options for the OpenAPI document. */
export interface DocumentOptions {
  /** The public origin of the server; null for docs/openapi.json, which is the same for all servers. */
  readonly baseUrl: string | null;
  /** Times in examples are some days before or after this time. */
  readonly now: Date;
}

/** The origin in docs/openapi.json: a reserved example domain. */
const EXAMPLE_ORIGIN = 'https://events.example';

/** Builds the OpenAPI 3.1 document of the API, for docs/openapi.json and for the running server. */
export function apiDocument(app: NestFastifyApplication, { baseUrl, now }: DocumentOptions): OpenAPIObject {
  const config = new DocumentBuilder().addSecurityRequirements('token').build();
  const swaggerDocument = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_controller, method) => method,
  });
  const document = withNullTypes(swaggerDocument as unknown as Node) as unknown as MutableDocument;
  const placed = operationsOf(document.paths);
  for (const one of placed) describe(one);
  nameSchemas(
    document,
    placed.map(({ operation }) => operation),
  );
  const { schemas } = document.components;
  addFormats(schemas);

  const refusals = new RefusalResponses();
  const usedCodes = new Set(placed.flatMap(codesOf));
  const readablePaths = placed.filter(({ method }) => method === 'get').map(({ path }) => path);
  for (const one of placed) addResponses(one, refusals, readablePaths);
  const origin = baseUrl ?? EXAMPLE_ORIGIN;
  addExamples(placed, schemas, now, origin);
  Object.assign(schemas, refusals.schemas, { FieldErrors: FIELD_ERRORS, WebhookMessage: WEBHOOK_MESSAGE });

  return {
    openapi: '3.1.0',
    info: {
      title: 'Events',
      version: packageVersion(),
      summary: 'Browse public events; create and run your own; join.',
      description: introduction(origin),
      license: { name: 'Not given yet: all rights reserved', identifier: 'LicenseRef-not-given-yet' },
      contact: { name: 'The people who run this server', ...(baseUrl !== null && { url: baseUrl }) },
    },
    servers: [baseUrl === null ? { url: '/', description: 'The server that serves this document' } : { url: baseUrl }],
    security: document.security,
    tags: TAG_GROUPS.flatMap(({ tags }) => Object.entries(tags).map(([name, description]) => ({ name, description }))),
    'x-tagGroups': TAG_GROUPS.map(({ name, tags }) => ({ name, tags: Object.keys(tags) })),
    paths: document.paths,
    webhooks: webhooks(
      new AnswerExamples(schemas, inDaysAfter(now), origin).exampleOf(refTo('schemas', 'WebhookMessage')),
    ),
    components: {
      securitySchemes: securitySchemes(origin),
      schemas: sorted(schemas),
      responses: sorted(refusals.responses),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, IfMatch: IF_MATCH, IfNoneMatch: IF_NONE_MATCH, Prefer: PREFER },
      headers: HEADERS,
      examples: refusalExamples(usedCodes),
    },
  } as unknown as OpenAPIObject;
}

interface MutableDocument extends Node {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Node> };
}

/**
 * Sets the texts of an operation: the first sentence of its handler's comment becomes the summary, and the other
 * sentences become the description. Marks the fields for files in the JSON body as ignored. Declares each path
 * parameter as a string and gives it a description. Throws if tags.ts does not contain a tag of the operation.
 */
function describe({ path, operation }: PlacedOperation): void {
  const text = (operation.summary ?? '').replace(/\s+/g, ' ');
  operation.summary = /^.*?[^.…](?=\.(?:\s|$))/.exec(text)?.[0] ?? text;
  operation.description = text.slice(operation.summary.length + 1).trim();
  ignoreFilesInJson(operation);
  for (const tag of operation.tags ?? []) {
    if (!TAG_GROUPS.some(({ tags }) => Object.hasOwn(tags, tag)))
      throw new Error(`the tag ${tag} of ${operation.operationId} is not described in apps/server/document/tags.ts`);
  }
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'path') continue;
    const name = String(parameter.name);
    parameter.schema = { type: 'string' };
    parameter.description = path.includes(`/events/{${name}}`)
      ? 'hashid, or the numeric id'
      : (OTHER_PATH_PARAMETERS[name] ?? 'hashid');
  }
}

/**
 * Swagger gives the form and the JSON body of an operation the same schema. JSON cannot contain files, so in the schema
 * of the JSON body the fields for files are ignored texts. They stay in the schema, because a former version of the
 * document had them.
 */
function ignoreFilesInJson({ requestBody }: Operation): void {
  const media = requestBody?.content['application/json'];
  if (!media || !isNode(media.schema.properties)) return;
  const properties = Object.entries(media.schema.properties).map(([name, schema]) =>
    isNode(schema) && schema.format === 'binary' ? [name, IGNORED_FILE] : [name, schema],
  );
  media.schema = { ...media.schema, properties: Object.fromEntries(properties) };
}

/** The schema of a file's field in a JSON body. */
const IGNORED_FILE = {
  type: ['string', 'null'],
  deprecated: true,
  description: 'ignored in JSON; send the file as `multipart/form-data`',
};

/** Descriptions of the path parameters that are not hashids. */
const OTHER_PATH_PARAMETERS: Record<string, string> = { slug: 'slug', code: 'ticket code' };

/**
 * Adds to an operation its error responses, the response 304 of a GET, the parameters that many operations share, and
 * its security. Successful responses and the 304 get headers. A response without a description gets a default text.
 */
function addResponses(placed: PlacedOperation, refusals: RefusalResponses, readablePaths: readonly string[]): void {
  const { operation } = placed;
  if (placed.method === 'get')
    operation.responses['304'] = {
      description: 'Not modified: `If-None-Match` contains the `ETag` of the current answer.',
    };
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === '') response.description = successOf(placed, Number(status));
    response.headers = { ...answerHeaders(placed, Number(status), response, readablePaths), ...response.headers };
  }
  Object.assign(operation.responses, refusals.answersTo(placed));
  const parameters = [
    placed.method === 'get' ? 'IfNoneMatch' : 'IdempotencyKey',
    ...(codesOf(placed).includes('precondition_failed') ? ['IfMatch'] : []),
    'Prefer',
  ];
  operation.parameters = [
    ...(operation.parameters ?? []),
    ...parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  operation.security = securityOf(operation);
  delete operation[REFUSED_WITH];
}

/** The description of a successful response, if the route declares none. */
function successOf({ method }: PlacedOperation, status: number): string {
  if (status === 200 && method === 'get') return 'The requested data';
  return (
    {
      200: 'The change was made; the body is its result',
      201: 'Created: the new resource',
      202: 'Accepted: the state of the work, which is not complete yet',
      204: 'The change was made; there is no body',
    }[status] ?? 'Success'
  );
}

/**
 * Reads the version from the nearest package.json: in this folder or a folder above it. The distance is not fixed,
 * because compiled files are one folder deeper than the sources.
 */
function packageVersion(folder = __dirname): string {
  const file = join(folder, 'package.json');
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    : packageVersion(dirname(folder));
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
