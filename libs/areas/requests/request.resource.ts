import { ApiProperty } from '@nestjs/swagger';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { RequestRow } from './request.query';

/** The token of a request. */
export class RequestTokenResource {
  /** hashid */
  id: string;

  /** the token's name at the time of the request */
  name: string;
}

/** A request with a token of the account (LOG-2). */
export class LoggedRequestResource {
  /** hashid */
  id: string;

  /** the `X-Request-Id` of the answer */
  request_id: string;

  /** when the request was received */
  at: string;

  /** the HTTP method */
  method: string;

  /** the path of the operation in the OpenAPI document; null if there is no such operation */
  route: string | null;

  /** the path as it was sent, without the query; a secret in the path is replaced by the name of its parameter */
  path: string;

  /** the status of the answer */
  @ApiProperty({ type: 'integer' })
  status: number;

  /** the code of the refusal; null if the request was not refused */
  code: string | null;

  /** milliseconds until the end of the answer */
  @ApiProperty({ type: 'integer' })
  ms: number;

  /** bytes of the answer's body */
  @ApiProperty({ type: 'integer' })
  bytes: number;

  /** whether the request was a dry run */
  dry_run: boolean;

  /** the token of the request; null for a token of an app or of a door link */
  token: RequestTokenResource | null;

  /** the app that sent the request; null for the account's own tokens and for door links */
  app: string | null;

  /** the `User-Agent` of the request; null if there was none */
  user_agent: string | null;
}

export function loggedRequestResource(row: RequestRow, wire: WireFormat): LoggedRequestResource {
  return {
    id: wire.id('request', row.id),
    request_id: row.request_id,
    at: toWire(row.at),
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    code: row.code,
    ms: row.ms,
    bytes: Number(row.bytes),
    dry_run: row.dry_run,
    token: row.token_id === null ? null : { id: wire.id('token', row.token_id), name: row.token_name ?? '' },
    app: row.app_name,
    user_agent: row.user_agent,
  };
}
