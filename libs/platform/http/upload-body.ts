import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, type SchemaObject } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { fieldsOf, schemasOf } from './field-definition';
import type { UploadRules } from './upload-rules';
import type { PendingUpload } from './uploads';

/**
 * `@UploadBody(EVENT_IMAGES) upload: PendingUpload`: the route takes multipart bodies, here and in the OpenAPI document.
 * Nothing is read until `Uploads.receive`.
 */
export function UploadBody(rules: UploadRules): ParameterDecorator {
  const schema = schemaOf(rules);
  const forms = ['multipart/form-data', ...(rules.orJson ? ['application/json'] : [])];
  return (controller, method, index) => {
    RequestUpload(rules)(controller, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(controller, method);
    if (method === undefined || !descriptor) return;
    for (const decorate of [RouteConfig({ takesUpload: true }), ApiConsumes(...forms), ApiBody({ schema })]) {
      decorate(controller, method, descriptor);
    }
  };
}

const RequestUpload = createParamDecorator((rules: UploadRules, context: ExecutionContext): PendingUpload => ({
  request: context.switchToHttp().getRequest<FastifyRequest>(),
  rules,
}));

function schemaOf({ files, fields }: UploadRules): SchemaObject {
  const properties: Record<string, SchemaObject> = fields ? schemasOf(fields) : {};
  const required = fields ? [...fieldsOf(fields).values()].filter(({ options }) => options.required).map(({ name }) => name) : [];
  for (const [name, { min, maxFiles }] of Object.entries(files)) {
    const file = { type: 'string', format: 'binary' } as const;
    const sentAs = maxFiles === undefined ? name : `${name}[]`;
    properties[sentAs] = maxFiles === undefined ? file : { type: 'array', items: file, minItems: min ?? 0, maxItems: maxFiles };
    if (min === 1) required.push(sentAs);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
