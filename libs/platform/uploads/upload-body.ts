import {
  createParamDecorator,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, type SchemaObject } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { catchError, type Observable } from 'rxjs';
import { fieldsOf } from '../http/declared-fields';
import { declareOnHandler, withDecorators } from '../http/input';
import { readUnreadForm } from './multipart';
import { Refusal } from '../http/refusal';
import { declareBody, declareFileFields } from '../http/strict';
import type { UploadRules } from './upload-rules';
import type { PendingUpload } from './uploads';

/**
 * `@UploadBody(EVENT_IMAGES) upload: PendingUpload` declares, for the route and in the OpenAPI document, that the route
 * accepts multipart bodies. `Uploads.receive` reads the body. If the route refuses the request before this call,
 * `ReadFormBeforeRefusal` reads a body that is a form.
 */
export function UploadBody(rules: UploadRules): ParameterDecorator {
  const schema = schemaOf(rules);
  const forms = ['multipart/form-data', ...(rules.orJson ? ['application/json'] : [])];
  return withDecorators(
    PendingUploadParam(rules),
    declareOnHandler(declareBody, rules.fields ?? null),
    declareOnHandler(declareFileFields, rules.orJson ? Object.keys(rules.files) : []),
    UseInterceptors(new ReadFormBeforeRefusal(rules)),
    RouteConfig({ takesUpload: true, uploadRules: rules }),
    ApiConsumes(...forms),
    ApiBody({ schema }),
  );
}

const PendingUploadParam = createParamDecorator((rules: UploadRules, context: ExecutionContext): PendingUpload => ({
  request: context.switchToHttp().getRequest<FastifyRequest>(),
  rules,
}));

/**
 * Reads a form that is still unread when the route refuses the request. If the form cannot be read, the response is the
 * error of the form instead of the refusal.
 */
class ReadFormBeforeRefusal implements NestInterceptor {
  constructor(private readonly rules: UploadRules) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof Refusal) await readUnreadForm(request, this.rules);
        throw error;
      }),
    );
  }
}

function schemaOf({ files, fields }: UploadRules): SchemaObject {
  const declared = fields ? [...fieldsOf(fields)] : [];
  const properties = Object.fromEntries(
    declared.map(([name, { required: _, isArray: __, ...schema }]) => [name, schema as SchemaObject]),
  );
  const required = declared.filter(([, field]) => field.required).map(([name]) => name);
  for (const [name, { min, maxFiles, maxBytes }] of Object.entries(files)) {
    const file = { type: 'string', format: 'binary' } as const;
    const sentAs = maxFiles === undefined ? name : `${name}[]`;
    const size = `at most ${maxBytes / 1024 ** 2} MB`;
    properties[sentAs] =
      maxFiles === undefined
        ? { ...file, description: `a file of ${size}` }
        : { type: 'array', items: file, minItems: min ?? 0, maxItems: maxFiles, description: `files of ${size} each` };
    if (min === 1) required.push(sentAs);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
