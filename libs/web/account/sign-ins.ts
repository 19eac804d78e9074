import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { lockAccount } from '#areas/identity/users.reader';
import { WebSessions, type WebSession } from '#areas/identity/web-sessions';
import { PushSubscriptionsService } from '#areas/push/push-subscriptions.service';
import { PasskeysCommands } from '#areas/second-step/passkeys.commands';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { Database, type Transaction } from '#platform/database/database';
import { Readers } from '../readers';
import { storePendingKey, storeKey, rememberDevice } from '../session';

/** The page that is shown after signing in, if no other page was requested. */
export const PAGE_AFTER_SIGN_IN = '/account/events';

/** Begins and ends sessions of the pages (PAGE-6, PAGE-20). */
@Injectable()
export class SignIns {
  constructor(
    private readonly database: Database,
    private readonly sessions: WebSessions,
    private readonly secondStep: SecondStepCommands,
    private readonly passkeys: PasskeysCommands,
    private readonly readers: Readers,
    private readonly pushes: PushSubscriptionsService,
  ) {}

  /** Whether browsers support passkeys for the address of this service. */
  get passkeysAreOn(): boolean {
    return this.passkeys.areSupported;
  }

  /**
   * Continues after the password was verified: signs in, or asks for the second step if the account has one (STEP-1).
   * `refused`: the account has no second step, and the password was changed or the account was banned after the
   * verification.
   */
  async continueAfterPassword(request: FastifyRequest, user: User): Promise<'signed_in' | 'step' | 'refused'> {
    const { session: previous } = await this.readers.readerOf(request);
    const result = await this.database.transaction(async (tx) => {
      await lockAccount(tx, user.id);
      if (!(await this.secondStep.stateOf(tx, user.id)).isOn)
        return { key: await this.signIn(tx, request, user, previous) };
      if (previous) await this.sessions.end(tx, previous.userId, previous.id);
      return { pendingKey: await this.secondStep.beginPendingSignIn(tx, user) };
    });
    if (result.pendingKey !== undefined) {
      storePendingKey(request, result.pendingKey);
      return 'step';
    }
    return storeSignIn(request, user, result.key) ? 'signed_in' : 'refused';
  }

  /**
   * Signs in after a passkey, a second step, a registration or a change of the password. `prove` verifies the passkey
   * or the second step, in the transaction that begins the session. Returns false if `prove` returns false, or if the
   * password was changed or the account was banned after `user` was read.
   */
  async begin(
    request: FastifyRequest,
    user: User,
    prove: (tx: Transaction) => Promise<boolean> = async () => true,
  ): Promise<boolean> {
    const { session: previous } = await this.readers.readerOf(request);
    const key = await this.database.transaction(async (tx) => {
      await lockAccount(tx, user.id);
      return (await prove(tx)) ? this.signIn(tx, request, user, previous) : null;
    });
    return storeSignIn(request, user, key);
  }

  /** Ends the session of this browser, if there is one. */
  async end(request: FastifyRequest): Promise<void> {
    const { session } = await this.readers.readerOf(request);
    if (session) await this.endOne(session, session.id);
    request.session.delete();
  }

  /** Ends one of the account's sessions. Returns false if the account has no such session. */
  endOne({ userId }: WebSession, id: string): Promise<boolean> {
    return this.database.transaction((tx) => this.sessions.end(tx, userId, id));
  }

  /** Ends all of the account's sessions except the given session. */
  endOthers(session: WebSession): Promise<void> {
    return this.database.transaction((tx) => this.sessions.endOthers(tx, session));
  }

  /**
   * The caller must have locked the row of the account. Returns the key of the new session; null if the password was
   * changed or the account was banned after `user` was read.
   */
  private async signIn(
    tx: Transaction,
    request: FastifyRequest,
    user: User,
    previous: WebSession | null,
  ): Promise<string | null> {
    await this.secondStep.endPendingSignIns(tx, user.id);
    if (previous) await this.sessions.end(tx, previous.userId, previous.id);
    const begun = await this.sessions.begin(tx, user, request.headers['user-agent']);
    if (!begun) return null;
    const device = request.device.get('id');
    if (device !== undefined) await this.pushes.moveToSession(tx, user.id, device, begun.id);
    // From now on, this request reads from the primary database, so it sees its own writes.
    request.signedInAccountId = user.id;
    return begun.key;
  }
}

function storeSignIn(request: FastifyRequest, { email }: User, key: string | null): boolean {
  if (key === null) return false;
  storeKey(request, key);
  if (email) rememberDevice(request, email);
  return true;
}
