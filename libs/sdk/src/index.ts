export type { Change, ChangesOptions } from './changes.ts';
export { EventsClient } from './client.ts';
export type { components } from './generated/schema.ts';
export type { RefusalCode } from './generated/operations.ts';
export type { Arguments, Item, Method, OperationId, RefusalCodeOf, Result, WithResponse } from './operation.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export { refused, Refusal, UnexpectedAnswer } from './refusal.ts';
export type { Upload } from './uploads.ts';
