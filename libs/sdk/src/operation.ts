import type { operations } from './generated/schema.ts';
import type { CallOptions } from './options.ts';

/** How an operation is sent and read: a row of the generated table. */
export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with `{name}` for arguments. */
  readonly path: string;
  /** either: as JSON unless there is a file among the fields. */
  readonly body?: 'json' | 'form' | 'either';
  /** Fields of a form that stand for several parts, `name[]` on the wire. */
  readonly lists?: readonly string[];
  /** Where there is a body: what stands in the query all the same. */
  readonly query?: readonly string[];
  /** What callers get: `data` of the envelope, all of it, a page, or what is no JSON. Nothing without. */
  readonly answer?: 'data' | 'whole' | 'page' | 'text' | 'blob';
}

export type OperationId = keyof operations;

type Parameters<Id extends OperationId, Where extends 'path' | 'query'> = operations[Id]['parameters'] extends {
  [Key in Where]?: infer Named;
}
  ? NonNullable<Named> extends infer Fields
    ? [Fields] extends [never]
      ? unknown
      : Fields
    : unknown
  : unknown;

type Contents<Id extends OperationId> = operations[Id] extends { requestBody?: { content: infer Content } }
  ? Content
  : never;
/** Of a body in several forms: the one that can carry files, with lists under their plain names. */
type Body<Id extends OperationId> = [Contents<Id>] extends [never]
  ? unknown
  : Contents<Id> extends { 'multipart/form-data': infer Form }
    ? Listed<Form>
    : Contents<Id> extends { 'application/json': infer Json }
      ? Json
      : unknown;
type Listed<Form> = { [Key in keyof Form as Key extends `${infer Name}[]` ? Name : Key]: Form[Key] };

type Flat<Fields> = { [Key in keyof Fields]: Fields[Key] };

/** What an operation takes: the names in its path, its query and the fields of its body, in one object. */
export type Arguments<Id extends OperationId> = Flat<
  Parameters<Id, 'path'> & Parameters<Id, 'query'> & (Contents<Id> extends never ? unknown : OptionalBody<Id>)
>;
/** Where the body may be left out, so may its fields. */
type OptionalBody<Id extends OperationId> = operations[Id] extends { requestBody: unknown }
  ? Body<Id>
  : Partial<Body<Id>>;

type Success<Id extends OperationId> = operations[Id]['responses'] extends infer All
  ? {
      [Status in keyof All]: Status extends 200 | 201 | 202
        ? All[Status] extends { content: infer Content }
          ? Content
          : never
        : never;
    }[keyof All]
  : never;

/** What a successful call gives: `data` of an envelope that has nothing else, the whole envelope, a text, a Blob, or nothing (204). */
export type Result<Id extends OperationId> = [Success<Id>] extends [never] ? void : Read<Success<Id>>;
type Read<Content> = Content extends { 'application/json': infer Json }
  ? Unwrapped<Json>
  : Content extends { 'text/csv': unknown } | { 'image/svg+xml': unknown }
    ? string
    : Blob;
type Unwrapped<Json> = Json extends { data: infer Data }
  ? Exclude<keyof Json, 'data'> extends never
    ? Data
    : Json
  : Json;

/** One element of an operation's pages. */
export type Item<Id extends OperationId> = Result<Id> extends { data: readonly (infer One)[] } ? One : never;

type NothingRequired<Fields> = Record<never, never> extends Fields ? true : false;
type Call<Id extends OperationId, Gives> =
  NothingRequired<Arguments<Id>> extends true
    ? (args?: Arguments<Id>, options?: CallOptions) => Gives
    : (args: Arguments<Id>, options?: CallOptions) => Gives;

/** A result with the answer it came in: `status`, `headers` (`ETag`, `Location`, `X-RateLimit-Remaining` …). The answer's body is read already. */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: Response;
}

interface Paged<Id extends OperationId> {
  /** Everything, page after page as it is asked for: `for await (const event of client.discoverEvents.all({ q: 'tea' }))`. */
  readonly all: Call<Id, AsyncGenerator<Item<Id>, void, undefined>>;
}

/** One operation, to be called. Throws `Refusal` when the server refuses. */
export type Method<Id extends OperationId> = Call<Id, Promise<Result<Id>>> & {
  /** The same call with the answer's status and headers. */
  readonly withResponse: Call<Id, Promise<WithResponse<Result<Id>>>>;
} & ('page' extends keyof Parameters<Id, 'query'> ? Paged<Id> : unknown);

type Refused<Response> = Response extends { content: { 'application/json': { code: infer Code } } } ? Code : never;
/** The codes that an operation can be refused with: `RefusalCodeOf<'joinEvent'>`. */
export type RefusalCodeOf<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: Refused<operations[Id]['responses'][Status]>;
}[keyof operations[Id]['responses']];
