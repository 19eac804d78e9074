import type { Adapter, AdapterPayload } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { SlidingWindow } from '#platform/database/sliding-window';
import { networkOf } from '#platform/net/network-of';
import { APP_BY_CLIENT_ID, INSERT_APP, type AppRow } from '../app.query';
import { isNative } from '../redirect-addresses';
import { NullAdapter, type StorageOfCall } from './rows';
import { tooMany } from './refusals';

const { apps } = LIMITS;

/** Counts the apps that were registered without an account, for each network (`networkOf`, APP-10). */
export const REGISTRATION_WINDOW = new SlidingWindow({
  name: 'apps_registrations',
  table: 'app_registrations',
  key: ['network'],
  timestamps: 'registered_at',
  ...apps.registrations,
});

/**
 * Apps as clients of the library `oidc-provider`. `find` returns undefined for a suspended app, and for an app whose
 * metadata document (APP-11) must be read again.
 */
export class ClientRows extends NullAdapter {
  constructor(private readonly storage: StorageOfCall) {
    super();
  }

  /** Stores a dynamic registration. A refused registration does not count towards the limit. */
  override async upsert(...[id, payload]: Parameters<Adapter['upsert']>): Promise<void> {
    const { writes, times, ip, keyedHashes } = this.storage();
    const { client_name = '', client_uri = null, redirect_uris = [] } = payload;
    const now = times.now();
    const retryAfter = await REGISTRATION_WINDOW.take(writes, [keyedHashes.hashOf(networkOf(ip))], now);
    if (retryAfter !== null) throw tooMany('too many registrations from this address', retryAfter);
    await writes.rows(INSERT_APP, [id, 'registration', null, client_name, client_uri, redirect_uris, false, null, now]);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { reads, times } = this.storage();
    const [app] = await reads.rows<AppRow>(APP_BY_CLIENT_ID, [id]);
    if (!app || app.suspended_at !== null) return undefined;
    // If the result is undefined, the library reads the metadata document.
    if (app.origin === 'document' && (app.document_read_at ?? app.created_at) <= times.nowMinus(apps.document.kept))
      return undefined;
    return metadataOf(app, times.now());
  }
}

/** Instead of client secrets, the metadata contains their hashes, which `compareClientSecret` (provider.ts) reads. */
function metadataOf(app: AppRow, now: Date): AdapterPayload {
  const former = app.former_secret_until !== null && app.former_secret_until > now ? app.former_secret_hash : null;
  const hashes = [app.secret_hash, former].filter((one) => one !== null);
  return {
    ...clientFields(app.redirect_uris),
    client_id: app.client_id,
    client_name: app.name,
    ...(app.homepage === null ? {} : { client_uri: app.homepage }),
    token_endpoint_auth_method: app.is_confidential ? 'client_secret_basic' : 'none',
    ...(app.is_confidential ? { client_secret: hashes.join('.') } : {}),
  };
}

/** The metadata that depends on the redirect addresses, and `response_modes`, which is the same for all apps. */
export function clientFields(redirectUris: readonly string[]): Pick<
  AdapterPayload,
  'redirect_uris' | 'application_type' | 'response_types' | 'grant_types'
> & {
  response_modes: string[];
} {
  return {
    redirect_uris: [...redirectUris],
    application_type: isNative(redirectUris) ? 'native' : 'web',
    response_types: redirectUris.length > 0 ? ['code'] : [],
    response_modes: ['query'],
    grant_types: [
      ...(redirectUris.length > 0 ? ['authorization_code'] : []),
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
  };
}
