import { Injectable } from '@nestjs/common';
import type { Client } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { guardedFetch } from '#platform/net/guarded-fetch';
import { HostNames } from '#platform/net/host-names';
import { Clock } from '#platform/time/clock';
import { networkOf } from '#platform/net/network-of';
import { APP_BY_CLIENT_ID, PUT_DOCUMENT_APP, REFRESH_DOCUMENT_APP, type AppRow } from './app.query';
import { REGISTRATION_WINDOW } from './oauth/clients.adapter';
import { KeyedHashes } from './secrets';

const { bytes, within } = LIMITS.apps.document;
/** `HostNames` requires an account id, but a document is not read for an account. No account has the id 0. */
const NO_ACCOUNT = 0;

/**
 * Apps with a client ID metadata document: the client id of such an app is the address of a document that describes the
 * app (APP-11).
 */
@Injectable()
export class AppDocuments {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly names: HostNames,
    private readonly keyedHashes: KeyedHashes,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the document with `guardedFetch`. Throws if the address is not reachable from the internet (see the failure
   * `address` of `guardedFetch`), or if too many host names are being resolved. If the document cannot be read for
   * another reason (for example, the response is a redirect or is too large), returns a 404 response.
   */
  async read(address: string): Promise<Response> {
    const limits = { redirects: 0, within: within * 1000, bytes, allowPrivate: this.settings.webhooksAllowPrivate };
    const resolve = (name: string) => this.names.addressesOf(NO_ACCOUNT, name);
    const fetched = await guardedFetch(address, 'application/json', limits, resolve);
    if (fetched === 'address') throw new Error('the address is not reachable from the internet');
    if (typeof fetched === 'string') return new Response(null, { status: 404 });
    const { cacheControl, content } = fetched;
    return new Response(content, { headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl } });
  }

  /**
   * Whether the app may be used: false for a suspended app. If the app is stored and not suspended, also updates the
   * stored app with the content of the document.
   */
  async allow(client: Client): Promise<boolean> {
    const [app] = await this.database.rows<AppRow>(APP_BY_CLIENT_ID, [client.clientId]);
    if (!app) return true;
    if (app.suspended_at !== null) return false;
    await this.database.autocommit.rows(REFRESH_DOCUMENT_APP, documentAppValues(client, this.clock.now()));
    return true;
  }

  /**
   * Stores the app that a document describes, because a device code must belong to a stored app. A new app counts as a
   * registration from the network of the address `ip` (APP-10). If the network has too many registrations, stores
   * nothing and returns the seconds to wait; otherwise returns null.
   */
  async storeForDevice(client: Client, ip: string): Promise<number | null> {
    if ((await this.database.rows<AppRow>(APP_BY_CLIENT_ID, [client.clientId])).length > 0) return null;
    const now = this.clock.now();
    const network = this.keyedHashes.hashOf(networkOf(ip));
    const retryAfter = await REGISTRATION_WINDOW.take(this.database.autocommit, [network], now);
    if (retryAfter !== null) return retryAfter;
    await this.database.autocommit.rows(PUT_DOCUMENT_APP, documentAppValues(client, now));
    return null;
  }
}

/** The values of PUT_DOCUMENT_APP and REFRESH_DOCUMENT_APP. */
export function documentAppValues(
  { clientId, clientName = '', clientUri, redirectUris = [] }: Client,
  readAt: Date,
): unknown[] {
  return [clientId, clientName, clientUri ?? null, redirectUris, readAt];
}
