import { ServerResponse, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Client, Interaction, Provider } from 'oidc-provider';
import { Settings } from '#platform/config/settings';
import { Database, type Transaction } from '#platform/database/database';
import { pathOf } from '#platform/http/paths';
import { newAppTokenSecret } from '../identity/app-tokens.commands';
import { AppDocuments } from './app-documents';
import { OAuthStorage } from './oauth/adapter';
import { callWith, currentCall, type LibraryAnswer } from './oauth/call';
import { loadLibrary } from './oauth/library';
import { newProvider, OAUTH_PATHS } from './oauth/provider';
import { hasDocument } from './requested-access';

export { OAUTH_PATHS, RESOURCE_PATHS } from './oauth/provider';
export type { LibraryAnswer } from './oauth/call';

/** A request to one of the endpoints, with its whole body. */
export interface OAuthRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | null;
  readonly ip: string;
}

/** An app's request for authorization that waits for the answer of the person in the browser. */
export interface WaitingAuthorization {
  readonly uid: string;
  readonly client: Client;
  readonly params: Readonly<Record<string, unknown>>;
  readonly prompts: ReadonlySet<string>;
}

/**
 * The OAuth authorization server: the library `oidc-provider` with this service's tables. The library handles each
 * request in one transaction, except the first request of an authorization (see `answer`). The transaction can be
 * retried like any other transaction, because the library's response depends only on the request and the database. The
 * library is loaded when it is first needed.
 */
@Injectable()
export class AuthorizationServer {
  private loading: Promise<{ provider: Provider; handle: ReturnType<Provider['callback']> }> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly storage: OAuthStorage,
    private readonly documents: AppDocuments,
    private readonly database: Database,
  ) {}

  /** Returns the library's response. For a request that the library must not receive, returns a 400 or 429. */
  async answer(request: OAuthRequest): Promise<LibraryAnswer> {
    if (hasNul(request)) return REFUSED_NUL;
    // The browser's first request runs without a transaction, because it may read the app's document (see
    // `AppDocuments`) over the network, which is not allowed inside a transaction. The request stores the authorization
    // in one row. It may also update the app from the document; the two writes do not depend on each other.
    if (pathOf(request.url) === OAUTH_PATHS.authorization) return this.call(request, null);
    const retryAfter = await this.readDocumentOf(request);
    if (retryAfter !== null) return tooManyApps(retryAfter);
    return this.database.transaction((tx) => this.call(request, tx));
  }

  /**
   * The authorization `uid`; null if it does not wait for an answer in the browser that sent `request`, or if its app
   * is not found.
   */
  async waitingAuthorization(request: IncomingMessage, uid: string): Promise<WaitingAuthorization | null> {
    const { provider } = await this.library();
    const interaction = await this.interactionOf(provider, request, uid);
    if (!interaction) return null;
    const client = await provider.Client.find(String(interaction.params.client_id)).catch(() => undefined);
    if (!client) return null;
    const { params } = interaction;
    const prompts = new Set(typeof params.prompt === 'string' ? params.prompt.split(' ') : []);
    return { uid, client, params, prompts };
  }

  /**
   * Stores the person's answer to the authorization. Returns false if the authorization is already answered or does not
   * wait in the browser that sent `request`.
   */
  async finish(
    tx: Transaction,
    request: IncomingMessage,
    uid: string,
    result: { readonly userId: number; readonly grantId: string } | 'denied',
  ): Promise<boolean> {
    const { provider } = await this.library();
    return currentCall.run(callWith(tx), async () => {
      const interaction = await this.interactionOf(provider, request, uid);
      if (!interaction || interaction.result) return false;
      interaction.result =
        result === 'denied'
          ? { error: 'access_denied', error_description: 'the person has not allowed access' }
          : {
              login: { accountId: String(result.userId), remember: false },
              select_account: {},
              consent: { grantId: result.grantId },
            };
      await interaction.persist();
      return true;
    });
  }

  /** The path to which the browser is sent after `finish`. */
  resumePath(uid: string): string {
    return `${OAUTH_PATHS.authorization}/${uid}`;
  }

  private async interactionOf(
    provider: Provider,
    request: IncomingMessage,
    uid: string,
  ): Promise<Interaction | undefined> {
    const interaction = await provider
      .interactionDetails(request, new ServerResponse(request))
      .catch((error: unknown) => {
        if ((error as { error?: unknown }).error === 'invalid_request') return undefined;
        throw error;
      });
    return interaction?.uid === uid ? interaction : undefined;
  }

  private async call(request: OAuthRequest, tx: Transaction | null): Promise<LibraryAnswer> {
    const { handle } = await this.library();
    const call = callWith(tx, request.ip);
    const incoming = messageOf(request);
    await currentCall.run(call, () => handle(incoming, new ServerResponse(incoming)));
    if (call.error !== null) throw call.error as Error;
    if (!call.answer) throw new Error('the library has not produced a response');
    return call.answer;
  }

  /**
   * Reads the app's document, if the app has one, before the transaction begins. Inside the transaction, the library
   * then finds the app in the database. Returns the seconds to wait if a device code is refused because of too many new
   * apps; otherwise null.
   */
  private async readDocumentOf({ headers, body, url, ip }: OAuthRequest): Promise<number | null> {
    const clientId =
      new URLSearchParams(body?.toString('latin1') ?? '').get('client_id') ?? basicUser(headers.authorization);
    if (!clientId || !hasDocument(clientId)) return null;
    const { provider } = await this.library();
    const client = await currentCall.run(callWith(null), () => provider.Client.find(clientId)).catch(() => undefined);
    const isForDevice = pathOf(url) === OAUTH_PATHS.device_authorization;
    return client && isForDevice ? this.documents.storeForDevice(client, ip) : null;
  }

  private library(): NonNullable<AuthorizationServer['loading']> {
    return (this.loading ??= loadLibrary().then((library) => {
      const provider = newProvider(library, {
        settings: this.settings,
        storage: this.storage,
        // A document is read before the transaction begins (`readDocumentOf`). Inside the transaction, the library uses
        // neither the network nor a second database connection, and finds only stored apps.
        readDocument: async (address) =>
          isInTransaction() ? new Response(null, { status: 404 }) : this.documents.read(address),
        allowDocument: async (client) => !isInTransaction() && this.documents.allow(client),
      });
      // Access tokens have the same format as tokens that people create.
      Object.assign(provider.AccessToken.prototype, {
        generateTokenId(this: { format?: string }): string {
          this.format = 'opaque';
          return newAppTokenSecret();
        },
      });
      return { provider, handle: provider.callback() };
    }));
  }
}

const NUL = /%00|\0/;
const NUL_ERROR = { error: 'invalid_request', error_description: 'a parameter contains a NUL character' };
/** PostgreSQL does not store a NUL, and no valid parameter contains one. */
const REFUSED_NUL: LibraryAnswer = {
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(NUL_ERROR),
  page: NUL_ERROR,
};

function tooManyApps(retryAfter: number): LibraryAnswer {
  const error = { error: 'temporarily_unavailable', error_description: 'too many new apps from this address' };
  return {
    status: 429,
    headers: { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(retryAfter) },
    body: JSON.stringify(error),
    page: null,
  };
}

/**
 * Whether the query or the form contains a NUL. The body of a registration is JSON: `validateMetadata` checks its
 * fields.
 */
function hasNul({ url, body }: OAuthRequest): boolean {
  const isForm = body !== null && pathOf(url) !== OAUTH_PATHS.registration;
  return NUL.test(url) || (isForm && NUL.test(body.toString('latin1')));
}

function isInTransaction(): boolean {
  return currentCall.getStore()?.tx != null;
}

/** A new request object for each call of the library, so that a repeated call can read the body again. */
function messageOf({ method, url, headers, body, ip }: OAuthRequest): IncomingMessage {
  return Object.assign(Readable.from(body ? [body] : []), {
    method,
    url,
    headers,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    complete: true,
    socket: { encrypted: false, remoteAddress: ip },
  }) as unknown as IncomingMessage;
}

function basicUser(authorization: string | undefined): string | null {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  try {
    return decodeURIComponent(user);
  } catch {
    return null;
  }
}
