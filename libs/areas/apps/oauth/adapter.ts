import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Database, type Queryable } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { DELETE_INTERACTION, INTERACTION, PUT_INTERACTION } from '../code.query';
import { END_GRANT, GRANT, type GrantRow } from '../grant.query';
import { hashOf, UserCodes } from '../secrets';
import { AccessTokenRows } from './access-tokens.adapter';
import { currentCall } from './call';
import { ClientRows } from './clients.adapter';
import { AuthorizationCodeRows, DeviceCodeRows, RefreshTokenRows } from './codes.adapter';
import { Moments } from './moments';

/** What the adapters need of the service. */
export interface Storage {
  /** Reads: in the transaction of the call, if there is one. */
  readonly reads: Queryable;
  /** Changes: the same, or one statement by itself. */
  readonly writes: Queryable;
  readonly moments: Moments;
  readonly userCodes: UserCodes;
  readonly ip: string;
}

export type StorageNow = () => Storage;

/**
 * The library's storage in our tables. The library's value of a code or token is its key there; only its hash is stored, and the payload
 * has no copy of it. The library decides by the system's time, the rows by `Clock`.
 */
@Injectable()
export class OAuthStorage {
  private readonly userCodes: UserCodes;
  private readonly moments: Moments;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.userCodes = new UserCodes(settings.appSecret);
    this.moments = new Moments(clock);
  }

  /** The library's `adapter` setting. */
  readonly adapterOf = (model: string): Adapter => {
    switch (model) {
      case 'Client':
        return new ClientRows(this.now);
      case 'Grant':
        return new GrantRows(this.now);
      case 'AccessToken':
        return new AccessTokenRows(this.now);
      case 'AuthorizationCode':
        return new AuthorizationCodeRows(this.now);
      case 'RefreshToken':
        return new RefreshTokenRows(this.now);
      case 'DeviceCode':
        return new DeviceCodeRows(this.now);
      case 'Interaction':
        return new InteractionRows(this.now, this.settings.baseUrl);
      default:
        // Sessions among them: people sign in to our own pages.
        return new NoRows();
    }
  };

  private readonly now: StorageNow = () => {
    const { tx = null, ip = '' } = currentCall.getStore() ?? {};
    return {
      reads: tx ?? this.database,
      writes: tx ?? this.database.autocommit,
      moments: this.moments,
      userCodes: this.userCodes,
      ip,
    };
  };
}

/** A model that is not used: nothing is stored and nothing found. */
export class NoRows implements Adapter {
  async upsert(..._stored: Parameters<Adapter['upsert']>): Promise<void> {}

  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUserCode(_code: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUid(): Promise<undefined> {}

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  /** The rows go with that of the grant. */
  async revokeByGrantId(): Promise<void> {}
}

/** Grants; they are created by the consent page (consents.service.ts). */
class GrantRows extends NoRows {
  constructor(private readonly now: StorageNow) {
    super();
  }

  override async upsert(): Promise<void> {
    throw new Error('grants are created by ConsentsService');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, moments } = this.now();
    if (!/^\d{1,18}$/.test(id)) return undefined;
    const [row] = await reads.rows<GrantRow>(GRANT, [id, moments.before(LIMITS.apps.unused)]);
    if (!row) return undefined;
    const scope = row.scopes.join(' ');
    return {
      ...moments.lasting(),
      jti: id,
      kind: 'Grant',
      accountId: row.user_id,
      clientId: row.client_id,
      resources: Object.fromEntries(row.resources.map((resource) => [resource, scope])),
    } as AdapterPayload;
  }

  override async destroy(id: string): Promise<void> {
    await this.now().writes.rows(END_GRANT, [id]);
  }
}

/** Authorizations that wait for the person. */
class InteractionRows extends NoRows {
  constructor(
    private readonly now: StorageNow,
    private readonly baseUrl: string,
  ) {
    super();
  }

  override async upsert(...[id, payload]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, moments } = this.now();
    const { jti: _jti, returnTo: _returnTo, ...rest } = payload as AdapterPayload & { jti?: string; returnTo?: string };
    await writes.rows(PUT_INTERACTION, [hashOf(id), JSON.stringify(rest), moments.after(LIMITS.apps.interaction)]);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, moments } = this.now();
    const [row] = await reads.rows<{ payload: AdapterPayload; expires_at: Date }>(INTERACTION, [
      hashOf(id),
      moments.now(),
    ]);
    if (!row) return undefined;
    return { ...row.payload, ...moments.until(row.expires_at), jti: id, returnTo: `${this.baseUrl}/oauth/authorize/${id}` };
  }

  override async destroy(id: string): Promise<void> {
    await this.now().writes.rows(DELETE_INTERACTION, [hashOf(id)]);
  }
}
