import type { Adapter, AdapterPayload } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { hashSecret } from '#platform/text/hash-secret';
import { DELETE_INTERACTION, INTERACTION, PUT_INTERACTION } from '../code.query';
import { END_GRANT, GRANT, unusedSince, type GrantRow } from '../grant.query';
import { NullAdapter, type StorageOfCall } from './rows';

/**
 * Reads and ends grants for the library `oidc-provider`. The library never creates a grant: `ConsentsService` and
 * `DevicesService` create a grant when a person allows an app to use the account.
 */
export class GrantRows extends NullAdapter {
  constructor(private readonly storage: StorageOfCall) {
    super();
  }

  override async upsert(): Promise<void> {
    throw new Error('the library must not create grants: ConsentsService and DevicesService create them');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, times } = this.storage();
    if (!/^\d{1,18}$/.test(id)) return undefined;
    const [row] = await reads.rows<GrantRow>(GRANT, [id, unusedSince(times.now())]);
    if (!row) return undefined;
    const scope = row.scopes.join(' ');
    return {
      ...times.lifetimeUntilDeleted(),
      jti: id,
      kind: 'Grant',
      accountId: row.user_id,
      clientId: row.client_id,
      resources: Object.fromEntries(row.resources.map((resource) => [resource, scope])),
    };
  }

  override async destroy(id: string): Promise<void> {
    await this.storage().writes.rows(END_GRANT, [id]);
  }
}

/** Requests for authorization that wait for the person's answer. */
export class InteractionRows extends NullAdapter {
  constructor(
    private readonly storage: StorageOfCall,
    private readonly baseUrl: string,
  ) {
    super();
  }

  override async upsert(...[id, payload]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, times } = this.storage();
    const { jti: _jti, returnTo: _returnTo, ...rest } = payload as AdapterPayload & { jti?: string; returnTo?: string };
    await writes.rows(PUT_INTERACTION, [hashSecret(id), JSON.stringify(rest), times.nowPlus(LIMITS.apps.interaction)]);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, times } = this.storage();
    const [row] = await reads.rows<{ payload: AdapterPayload; expires_at: Date }>(INTERACTION, [
      hashSecret(id),
      times.now(),
    ]);
    if (!row) return undefined;
    return {
      ...row.payload,
      ...times.lifetimeUntil(row.expires_at),
      jti: id,
      returnTo: `${this.baseUrl}/oauth/authorize/${id}`,
    };
  }

  override async destroy(id: string): Promise<void> {
    await this.storage().writes.rows(DELETE_INTERACTION, [hashSecret(id)]);
  }
}
