import { DocumentBuilder, SwaggerModule, type OpenAPIObject, type SchemaObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { LIMITS } from '#contract/limits';
import { REFUSALS } from '#contract/refusals';

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ParameterObject = Exclude<NonNullable<OperationObject['parameters']>[number], { $ref: string }>;
type ResponsesObject = OperationObject['responses'];

/** The OpenAPI document of the API as it is built: the same that docs/openapi.json keeps. */
export function openApiDocument(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Events')
    .setDescription('Browse public events; create and run your own; join.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token from the account settings, API tab' }, 'token')
    .addSecurityRequirements('token')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  namingNull(document);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of METHODS.flatMap((method) => operations[method] ?? [])) {
      spellOutPath(path, operation);
      operation.responses = withRefusals(operation.responses);
    }
    for (const operation of WRITING_METHODS.flatMap((method) => operations[method] ?? [])) {
      operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
    }
  }
  return {
    ...document,
    components: { ...document.components, schemas: { ...document.components?.schemas, Refusal: REFUSAL }, responses: { Refused: REFUSED } },
  };
}

/** OpenAPI 3.0 wants null among the values of an enum that may be null; swagger leaves it out. */
function namingNull(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { nullable, enum: values } = schema as { nullable?: unknown; enum?: unknown };
  if (nullable === true && Array.isArray(values) && !values.includes(null)) values.push(null);
  Object.values(schema).forEach(namingNull);
}

/** Handlers get ids decoded, so swagger takes them for numbers; on the wire they are texts. */
function spellOutPath(path: string, { parameters = [] }: OperationObject): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.in !== 'path') continue;
    const ofEvent = path.includes(`/events/{${parameter.name}}`);
    parameter.schema = { type: 'string' };
    parameter.description = ofEvent ? 'hashid, or the numeric id' : (NO_HASHIDS[parameter.name] ?? 'hashid');
  }
}

const NO_HASHIDS: Record<string, string> = { slug: 'slug', code: 'ticket code' };

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

const WRITING_METHODS = ['put', 'post', 'patch', 'delete'] as const;

const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Sent again with the same key, the change is not made again: the first answer is given, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: LIMITS.retries.key.min, maxLength: LIMITS.retries.key.max },
};

/** Any route may refuse; those with codes of their own say which. */
function withRefusals(responses: ResponsesObject): ResponsesObject {
  const own = responses['4XX'];
  return { ...responses, ...(own && { '4XX': { ...own, content: REFUSED.content } }), default: { $ref: '#/components/responses/Refused' } };
}

/** The error envelope, once for all routes. */
const REFUSAL: SchemaObject = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'for people; may be localized' },
    code: { type: 'string', enum: Object.keys(REFUSALS) },
    errors: {
      type: 'object', description: 'only with `validation_failed`: texts by dotted field', additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const REFUSED = {
  description: 'Any refusal: the same envelope everywhere',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

/** /openapi.json and /docs, outside the API; the document is made when it is first asked for. */
export function serveReference(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Events API',
    raw: ['json'],
  });
}
