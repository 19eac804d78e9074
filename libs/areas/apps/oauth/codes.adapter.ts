import type { Adapter, AdapterPayload } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { hashSecret } from '#platform/text/hash-secret';
import {
  CODE,
  DELETE_CODE,
  INSERT_CODE,
  INSERT_DEVICE_CODE,
  TAKE_CODE,
  TAKE_REFRESH_TOKEN,
  type CodeKind,
  type CodeRow,
} from '../code.query';
import { END_GRANT } from '../grant.query';
import { NullAdapter, type StorageOfCall } from './rows';
import { invalidClient, invalidGrant } from './refusals';

const { apps } = LIMITS;

/**
 * The library's payload as JSON, without three things: the value of the code or token, values that have their own
 * columns, and the id of a session.
 */
function storedPayload(payload: AdapterPayload): string {
  const { jti: _, kind: _kind, exp: _exp, iat: _iat, grantId: _grant, clientId: _client, ...rest } = payload;
  const {
    sessionUid: _session,
    consumed: _used,
    userCode: _userCode,
    ...storedFields
  } = rest as Record<string, unknown>;
  return JSON.stringify(storedFields);
}

/** Stores codes or tokens of one kind for the library oidc-provider, in the table `app_codes`. */
abstract class CodeRows extends NullAdapter {
  protected abstract readonly kind: CodeKind;
  protected abstract readonly model: string;
  /** Lifetime of a new row in seconds; null if the row is valid until its grant ends. */
  protected abstract readonly lifetime: number | null;

  constructor(protected readonly storage: StorageOfCall) {
    super();
  }

  /** Stores a code or token. Throws `invalid_grant` if the grant no longer exists. */
  override async upsert(...[id, payload]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, times } = this.storage();
    const expiresAt = this.lifetime === null ? null : times.nowPlus(this.lifetime);
    const values = [hashSecret(id), this.kind, payload.grantId, storedPayload(payload), times.now(), expiresAt];
    if ((await writes.rows(INSERT_CODE, values)).length === 0) throw invalidGrant();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.storage().reads.rows<CodeRow>(CODE, [hashSecret(id), this.kind]);
    return row && this.payloadOf(row, id);
  }

  override async destroy(id: string): Promise<void> {
    await this.storage().writes.rows(DELETE_CODE, [hashSecret(id)]);
  }

  /** Converts a row to the library's payload. A used row counts as not expired, so that a second use ends the grant. */
  protected payloadOf(row: CodeRow, id: string): AdapterPayload {
    const { times } = this.storage();
    const isUsed = this.isUsed(row);
    return {
      ...row.payload,
      ...times.lifetimeUntil(isUsed ? null : row.expires_at),
      jti: id,
      kind: this.model,
      clientId: row.client_id,
      ...(row.grant_id === null ? {} : { grantId: row.grant_id }),
      ...(isUsed ? { consumed: true } : {}),
    };
  }

  protected isUsed({ used_at }: CodeRow): boolean {
    return used_at !== null;
  }

  /**
   * Refuses a code or token that was already used, or whose row no longer exists: ends the grant of the row, if there
   * is one, and throws `invalid_grant`. The second of two concurrent exchanges is refused in the same way. `markedRows`
   * is the result of the statement that marks the row as used; it is empty if the row is used or missing.
   */
  protected async refuseSecondUse(id: string, markedRows: Promise<readonly object[]>): Promise<void> {
    if ((await markedRows).length > 0) return;
    const { reads, writes } = this.storage();
    const [row] = await reads.rows<CodeRow>(CODE, [hashSecret(id), this.kind]);
    if (row?.grant_id) await writes.rows(END_GRANT, [row.grant_id]);
    throw invalidGrant();
  }

  override async consume(id: string): Promise<void> {
    const { writes, times } = this.storage();
    await this.refuseSecondUse(id, writes.rows(TAKE_CODE, [hashSecret(id), times.now()]));
  }
}

export class AuthorizationCodeRows extends CodeRows {
  protected readonly kind = 'code';
  protected readonly model = 'AuthorizationCode';
  protected readonly lifetime = apps.code;
}

/**
 * Refresh tokens. A token still counts as unused for `refresh_again` seconds after its first use, because the response
 * to the first use may have been lost.
 */
export class RefreshTokenRows extends CodeRows {
  protected readonly kind = 'refresh';
  protected readonly model = 'RefreshToken';
  protected readonly lifetime = null;

  protected override isUsed({ used_at }: CodeRow): boolean {
    return used_at !== null && used_at <= this.storage().times.nowMinus(apps.refresh_again);
  }

  override async consume(id: string): Promise<void> {
    const { writes, times } = this.storage();
    await this.refuseSecondUse(
      id,
      writes.rows(TAKE_REFRESH_TOKEN, [hashSecret(id), times.now(), times.nowMinus(apps.refresh_again)]),
    );
  }
}

/** Device codes. A person allows or denies the request on the page /device (devices.service.ts). */
export class DeviceCodeRows extends CodeRows {
  protected readonly kind = 'device';
  protected readonly model = 'DeviceCode';
  protected readonly lifetime = apps.device_code;

  override async upsert(...[id, payload]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, times, keyedHashes } = this.storage();
    const values = [
      hashSecret(id),
      payload.clientId,
      keyedHashes.hashOf(payload.userCode ?? ''),
      storedPayload(payload),
      times.now(),
      times.nowPlus(this.lifetime),
    ];
    if ((await writes.rows(INSERT_DEVICE_CODE, values)).length === 0) throw invalidClient();
  }
}
