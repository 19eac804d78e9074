import type { operations } from './generated/schema.ts';
import type { CallOptions } from './options.ts';

/** A row of the generated table `OPERATIONS`: how to send an operation and how to read its response. */
export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below /api/v1, with `{name}` for arguments. */
  readonly path: string;
  /** The encoding of the body. `either`: JSON, or a multipart form if the fields contain a file. */
  readonly body?: 'json' | 'form' | 'either';
  /** Fields of a multipart form that may have several values. Each value is sent as a part `name[]`. */
  readonly lists?: readonly string[];
  /** For an operation with a body: the fields that are sent in the query. */
  readonly query?: readonly string[];
  /**
   * The method's result: `data` of the envelope, the whole envelope, a page, or a body that is not JSON. Absent: the
   * method returns nothing.
   */
  readonly answer?: 'data' | 'whole' | 'page' | 'text' | 'blob';
  /**
   * True if new items appear at the beginning of the list. The next page of such a list is requested with `before`, the
   * id of the last item of the previous page.
   */
  readonly before?: true;
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
/**
 * The body fields of an operation. If the operation accepts several content types, the type that can contain files is
 * used. The names of lists are written without `[]`.
 */
type Body<Id extends OperationId> = [Contents<Id>] extends [never]
  ? unknown
  : Contents<Id> extends { 'multipart/form-data': infer Form }
    ? Listed<Form>
    : Contents<Id> extends { 'application/json': infer Json }
      ? Json
      : unknown;
type Listed<Form> = { [Key in keyof Form as Key extends `${infer Name}[]` ? Name : Key]: Form[Key] };

/**
 * Merges the fields into one object type. A property that may be absent may also be `undefined`, even with
 * `exactOptionalPropertyTypes`.
 */
type Flat<Fields> = {
  [Key in keyof Fields]: Fields[Key] | (Record<never, never> extends Pick<Fields, Key> ? undefined : never);
};

/** Query parameters that contain a list, separated by commas. The client also accepts an array. */
type ListParameter = 'ids' | 'types';
type WithLists<Query> = {
  [Name in keyof Query]: Name extends ListParameter ? Query[Name] | readonly string[] : Query[Name];
};

/** The arguments of an operation: path parameters, query parameters and body fields, in one object. */
export type Arguments<Id extends OperationId> = Flat<
  Parameters<Id, 'path'> &
    WithLists<Parameters<Id, 'query'>> &
    (Contents<Id> extends never ? unknown : OptionalBody<Id>)
>;
/** If the body is optional, all its fields are optional too. */
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

/**
 * The result of a successful call. For JSON: the content of `data`, or the whole envelope if the envelope has more than
 * `data`. For CSV and SVG: a text. For other types: a Blob. For a response without a body: nothing.
 */
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
type Call<Id extends OperationId, Returned> =
  NothingRequired<Arguments<Id>> extends true
    ? (args?: Arguments<Id>, options?: CallOptions) => Returned
    : (args: Arguments<Id>, options?: CallOptions) => Returned;

/**
 * A result with its response: `status`, `headers` (`ETag`, `Location`, `X-RateLimit-Remaining` …). The response's body
 * has already been read.
 */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: Response;
}

interface Paged<Id extends OperationId> {
  /**
   * All items. A page is requested when its items are needed: `for await (const event of
   * client.discoverEvents.all({ q: 'tea' }))`.
   */
  readonly all: Call<Id, AsyncGenerator<Item<Id>, void, undefined>>;
}

/** The method of one operation. Throws `Refusal` if the server refuses the request. */
export type Method<Id extends OperationId> = Call<Id, Promise<Result<Id>>> & {
  /** The same call with the response's status and headers. */
  readonly withResponse: Call<Id, Promise<WithResponse<Result<Id>>>>;
} & ('page' extends keyof Parameters<Id, 'query'> ? Paged<Id> : unknown);

type Refused<Response> = Response extends { content: { 'application/json': { code: infer Code } } } ? Code : never;
/** The error codes that an operation can return: `RefusalCodeOf<'joinEvent'>`. */
export type RefusalCodeOf<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: Refused<operations[Id]['responses'][Status]>;
}[keyof operations[Id]['responses']];
