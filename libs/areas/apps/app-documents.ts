import https from 'node:https';
import { Injectable } from '@nestjs/common';
import type { Client } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { HostNames } from '#platform/net/host-names';
import { pinnedTo, reachableAddress, type ReachableAddress } from '#platform/net/reachable-address';
import { Clock } from '#platform/time/clock';
import { APP_BY_CLIENT_ID, REFRESH_DOCUMENT_APP, type AppRow } from './app.query';

const { bytes, within } = LIMITS.apps.document;
/** Names of documents are resolved for nobody's account. */
const NOBODY = 0;

/** Client ID metadata documents: apps whose id is the address of a description of themselves (APP-11). */
@Injectable()
export class AppDocuments {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly names: HostNames,
    private readonly clock: Clock,
  ) {}

  /** Reads the document through the guard of addresses. Follows no redirect. */
  async read(address: string): Promise<Response> {
    const target = await reachableAddress(address, this.settings.webhooksAllowPrivate, (name) =>
      this.names.addressesOf(NOBODY, name),
    );
    if (!target) throw new Error('the address leads nowhere open to the world');
    return get(target);
  }

  /** Remembers what the document says, if somebody has connected the app. False for a suspended one. */
  async allow({ clientId, clientName = '', clientUri, redirectUris = [] }: Client): Promise<boolean> {
    const [app] = await this.database.rows<AppRow>(APP_BY_CLIENT_ID, [clientId]);
    if (!app) return true;
    if (app.suspended_at !== null) return false;
    const now = this.clock.now();
    await this.database.autocommit.rows(REFRESH_DOCUMENT_APP, [
      clientId,
      clientName,
      clientUri ?? null,
      redirectUris,
      now,
    ]);
    return true;
  }
}

/** A response with at most one byte more than a document may have. */
function get(target: ReachableAddress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asking = https.request(target.url, {
      agent: false,
      lookup: pinnedTo(target),
      headers: { accept: 'application/json', 'user-agent': 'events-apps' },
    });
    const deadline = setTimeout(() => asking.destroy(new Error('no answer in time')), within * 1000);
    asking.on('error', (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    asking.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        clearTimeout(deadline);
        resolve(responseOf(response.statusCode ?? 0, Buffer.concat(chunks), response.headers['cache-control']));
        asking.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > bytes) finish();
      });
      response.on('end', finish);
      response.on('error', reject);
    });
    asking.end();
  });
}

function responseOf(status: number, body: Buffer, cacheControl: string | undefined): Response {
  // Any other status has the same effect, and not every status may have a body.
  if (status !== 200) return new Response(null, { status: 404 });
  return new Response(body, { headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl } });
}
