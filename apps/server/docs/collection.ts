import { createHash } from 'node:crypto';
import type { OpenAPIObject } from '@nestjs/swagger';
import { FILE } from '../document/body-examples';
import { operationsOf, type Node, type Operation, type PlacedOperation } from '../document/schema';
import { TAG_GROUPS } from '../document/tags';

/**
 * The OpenAPI document as a collection for the program Bruno. The collection has a folder for each part of the API, a
 * request with an example for each operation, and an environment with the address of the service and an empty field for
 * the token. All requests use this address and token.
 */
export function brunoCollection(document: OpenAPIObject, origin: string): Node {
  const operations = operationsOf(document.paths);
  const folders = TAG_GROUPS.flatMap(({ tags }) => Object.keys(tags)).map((tag, i) => ({
    ...idAndName(tag),
    type: 'folder',
    seq: i + 1,
    items: operations.filter(({ operation }) => operation.tags?.includes(tag)).map((one, k) => requestOf(one, k + 1)),
  }));
  const variables = [variable('baseUrl', origin, false), variable('token', '', true)];
  return {
    ...idAndName('Events API'),
    version: '1',
    items: folders,
    activeEnvironmentUid: uid('This server'),
    environments: [{ ...idAndName('This server'), variables }],
    root: { request: { auth: { mode: 'bearer', bearer: { token: '{{token}}' } } } },
    brunoConfig: { version: '1', name: 'Events API', type: 'collection' },
  };
}

function requestOf({ path, method, operation }: PlacedOperation, seq: number): Node {
  const { operationId, summary = '', description = '', parameters = [], requestBody } = operation;
  const inPathOrQuery = parameters.filter(({ in: where }) => where === 'path' || where === 'query');
  const params = inPathOrQuery.map((one) => ({
    uid: uid(`${operationId} ${String(one.name)}`),
    name: String(one.name),
    value: one.in === 'query' && one.example !== undefined ? String(one.example as number | string) : '',
    description: typeof one.description === 'string' ? one.description : null,
    type: String(one.in),
    enabled: one.in === 'path' || one.required === true,
  }));
  const query = params
    .filter(({ type, enabled }) => type === 'query' && enabled)
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const url = `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return {
    ...idAndName(operationId),
    type: 'http-request',
    seq,
    request: {
      url,
      method: method.toUpperCase(),
      headers: [],
      params,
      auth: { mode: 'inherit' },
      body: bodyOf(operationId, requestBody),
      docs: `${summary}. ${description}`,
    },
  };
}

/**
 * The request's body: JSON if the operation accepts JSON, otherwise a form, or none if the operation has no body. The
 * user selects the form's files in Bruno.
 */
function bodyOf(operationId: string, requestBody: Operation['requestBody']): Node {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  if (json) return { mode: 'json', json: JSON.stringify(json.example, null, 2) };
  if (!form) return { mode: 'none' };
  const fields = Object.entries((form.example ?? {}) as Node).map(([name, value]) => {
    const isFile = [value].flat().includes(FILE);
    return {
      uid: uid(`${operationId} ${name}`),
      type: isFile ? 'file' : 'text',
      name,
      value: isFile ? [] : String(value),
      enabled: true,
    };
  });
  return { mode: 'multipartForm', multipartForm: fields };
}

function variable(name: string, value: string, secret: boolean): Node {
  return { uid: uid(`variable ${name}`), name, value, type: 'text', enabled: true, secret };
}

function idAndName(name: string): { uid: string; name: string } {
  return { uid: uid(name), name };
}

/** The id of an item, derived from its name: 21 letters and digits, as Bruno requires. */
function uid(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 21);
}
