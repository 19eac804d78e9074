import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Scope } from '#contract/scopes';
import { Database, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { mayUseTokens } from '../identity/user.policy';
import type { User } from '../identity/user.entity';
import { documentAppValues } from './app-documents';
import { APP_BY_CLIENT_ID, PUT_DOCUMENT_APP, LOCK_APP_SHARED, type AppRow } from './app.query';
import { AuthorizationServer, type WaitingAuthorization } from './authorization-server';
import { mustAsk } from './consent.rules';
import { CONSENT, unusedSince } from './grant.query';
import { GrantsCommands } from './grants.commands';
import { redirectTarget, type RedirectTarget } from './redirect-addresses';
import { documentHostOf, hasDocument, requestedAccess } from './requested-access';

/** The app that requests an authorization, as shown on the consent page. */
export interface RequestingApp {
  readonly name: string;
  readonly homepage: string | null;
  readonly iconKey: string | null;
  /** The host of the app's metadata document; null for an app without such a document. */
  readonly documentHost: string | null;
}

/** The data of the consent page. */
export interface Question {
  readonly uid: string;
  readonly app: RequestingApp;
  readonly redirectUri: string;
  readonly target: RedirectTarget;
  readonly scopes: readonly Scope[];
  /** Whether the account cannot allow apps, because tokens are forbidden for it (`mayUseTokens`). */
  readonly isAccountRefused: boolean;
  /**
   * Whether an earlier consent is sufficient, so that the person is not asked (`mustAsk`). False if `isAccountRefused`.
   */
  readonly isAlreadyAllowed: boolean;
}

/** Shows an app's request for authorization to the person, and stores the person's answer (APP-12 to APP-14). */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly database: Database,
    private readonly server: AuthorizationServer,
    private readonly grants: GrantsCommands,
    private readonly clock: Clock,
  ) {}

  /**
   * The data of the consent page. Null if no authorization with this `uid` waits in this browser, if its app is not
   * found, or if its redirect address is not accepted.
   */
  async question(request: IncomingMessage, uid: string, user: User): Promise<Question | null> {
    const waiting = await this.server.waitingAuthorization(request, uid);
    return waiting && this.questionOf(waiting, user);
  }

  /**
   * Allows the authorization and returns the path to which the browser is sent. Null if the authorization does not wait
   * or is already answered, if the app is suspended or deleted (`lockApp`), or if the account is refused (`mayAllow`).
   */
  async allow(request: IncomingMessage, uid: string, user: User): Promise<string | null> {
    const waiting = await this.server.waitingAuthorization(request, uid);
    if (!waiting || !this.mayAllow(user)) return null;
    const isAnswered = await this.database
      .transaction(async (tx) => {
        const app = await this.lockApp(tx, waiting);
        if (!app) return false;
        const grantId = await this.grants.create(tx, app, { userId: user.id, ...requestedAccess(waiting.params) });
        const isFirst = await this.server.finish(tx, request, uid, { userId: user.id, grantId });
        // A second answer must not create a second grant.
        if (!isFirst) throw new AnsweredAlready();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof AnsweredAlready) return false;
        throw error;
      });
    return isAnswered ? this.server.resumePath(uid) : null;
  }

  /**
   * Denies the authorization and returns the path to which the browser is sent. Null if the authorization does not wait
   * or is already answered, or if the app is suspended or deleted. `lockApp` creates a missing row even for a denial,
   * because the library redirects only to an app that has a row.
   */
  async deny(request: IncomingMessage, uid: string): Promise<string | null> {
    const waiting = await this.server.waitingAuthorization(request, uid);
    if (!waiting) return null;
    const isAnswered = await this.database.transaction(
      async (tx) => (await this.lockApp(tx, waiting)) !== null && this.server.finish(tx, request, uid, 'denied'),
    );
    return isAnswered ? this.server.resumePath(uid) : null;
  }

  mayAllow(user: User): boolean {
    return mayUseTokens(user, this.clock.now());
  }

  private async questionOf(waiting: WaitingAuthorization, user: User): Promise<Question | null> {
    const { client, params, prompts, uid } = waiting;
    const redirectUri = String(params.redirect_uri);
    const target = redirectTarget(redirectUri);
    if (!target) return null;
    const { scopes } = requestedAccess(params);
    const consentParameters = [user.id, client.clientId, unusedSince(this.clock.now())];
    const [consent] = await this.database.rows<{ scopes: Scope[] }>(CONSENT, consentParameters);
    const [app] = await this.database.rows<AppRow>(APP_BY_CLIENT_ID, [client.clientId]);
    const isAccountRefused = !this.mayAllow(user);
    return {
      uid,
      app: {
        name: client.clientName ?? '',
        homepage: client.clientUri ?? null,
        iconKey: app?.icon_key ?? null,
        documentHost: documentHostOf(client.clientId),
      },
      redirectUri,
      target,
      scopes,
      isAccountRefused,
      isAlreadyAllowed:
        !isAccountRefused && !mustAsk({ remembered: consent?.scopes ?? null, requested: scopes, target, prompts }),
    };
  }

  /**
   * Locks the app's row until the transaction ends. If a metadata document describes the app and the app has no row,
   * the row is created. Null if the app is suspended, or if an app without such a document was deleted.
   */
  private async lockApp(tx: Transaction, { client }: WaitingAuthorization): Promise<AppRow | null> {
    const [stored] = await tx.rows<AppRow>(LOCK_APP_SHARED, [client.clientId]);
    if (stored) return stored.suspended_at === null ? stored : null;
    if (!hasDocument(client.clientId)) return null;
    const [created] = await tx.rows<AppRow>(PUT_DOCUMENT_APP, documentAppValues(client, this.clock.now()));
    return created && created.suspended_at === null ? created : null;
  }
}

class AnsweredAlready extends Error {}
