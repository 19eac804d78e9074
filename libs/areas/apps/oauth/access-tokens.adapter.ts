import type { Adapter, AdapterPayload } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { scopesIn } from '#contract/scopes';
import { deleteAppToken, findAppToken, issueAppToken } from '../../identity/app-tokens.commands';
import { USE_GRANT } from '../grant.query';
import { NullAdapter, type StorageOfCall } from './rows';
import { invalidGrant } from './refusals';

/**
 * Stores, finds and deletes access tokens for `oidc-provider`. Requests to the API look up their tokens with other
 * statements (identity/authentication.query.ts).
 */
export class AccessTokenRows extends NullAdapter {
  constructor(private readonly storage: StorageOfCall) {
    super();
  }

  /** Stores a token of a grant. Throws `invalid_grant` if the grant no longer exists. */
  override async upsert(...[id, { grantId = '', scope = '' }]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, times } = this.storage();
    const createdAt = times.now();
    if ((await writes.rows(USE_GRANT, [grantId, createdAt])).length === 0) throw invalidGrant();
    const expiresAt = times.nowPlus(LIMITS.apps.access_token);
    await issueAppToken(writes, id, { grantId, scopes: scopesIn(scope), expiresAt, createdAt });
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, times } = this.storage();
    const row = await findAppToken(reads, id);
    if (!row || row.expires_at <= times.now()) return undefined;
    return {
      ...times.lifetimeUntil(row.expires_at),
      jti: id,
      kind: 'AccessToken',
      clientId: row.client_id,
      accountId: row.user_id,
      grantId: row.grant_id,
      scope: row.scopes.join(' '),
    };
  }

  override async destroy(id: string): Promise<void> {
    await deleteAppToken(this.storage().writes, id);
  }
}
