import type { Adapter, AdapterPayload } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { scopesIn } from '#contract/scopes';
import { APP_TOKEN, DELETE_APP_TOKEN, INSERT_APP_TOKEN, type AppTokenRow } from '../code.query';
import { hashOf } from '../secrets';
import { NoRows, type StorageNow } from './adapter';
import { invalidGrant } from './refusals';

/** Access tokens. Requests of the API find them by their own statement (identity/authentication.query.ts). */
export class AccessTokenRows extends NoRows {
  constructor(private readonly now: StorageNow) {
    super();
  }

  /** The grant may have ended at this moment: then nothing is issued. */
  override async upsert(...[id, { grantId, scope = '' }]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, moments } = this.now();
    const values = [hashOf(id), grantId, scopesIn(scope), moments.after(LIMITS.apps.access_token), moments.now()];
    if ((await writes.rows(INSERT_APP_TOKEN, values)).length === 0) throw invalidGrant();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, moments } = this.now();
    const [row] = await reads.rows<AppTokenRow>(APP_TOKEN, [hashOf(id)]);
    if (!row || row.expires_at <= moments.now()) return undefined;
    return {
      ...moments.until(row.expires_at),
      jti: id,
      kind: 'AccessToken',
      clientId: row.client_id,
      accountId: row.user_id,
      grantId: row.grant_id,
      scope: row.scopes.join(' '),
    };
  }

  override async destroy(id: string): Promise<void> {
    await this.now().writes.rows(DELETE_APP_TOKEN, [hashOf(id)]);
  }
}
