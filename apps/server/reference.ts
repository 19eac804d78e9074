import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { REFUSALS } from '#contract/refusals';

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
  return { ...document, components: { ...document.components, responses: { Refused: REFUSED } } };
}

/** The error envelope, once for all routes. */
const REFUSED = {
  description: 'Any refusal: the same envelope everywhere; `errors` only with `validation_failed`',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message', 'code'],
        properties: {
          message: { type: 'string', description: 'for people; may be localized' },
          code: { type: 'string', enum: Object.keys(REFUSALS) },
          errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        },
      },
    },
  },
};

/** /openapi.json and /docs, outside the API; the document is made when it is first asked for. */
export function serveReference(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Events API',
    raw: ['json'],
  });
}
