import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { WebSessions, type WebSession } from '#areas/identity/web-sessions';
import { Database } from '#platform/database/database';
import { Readers } from '../readers';
import { keepKey, knowDevice } from '../session';

/** The sessions of the pages, begun and ended (PAGE-6, PAGE-20). */
@Injectable()
export class SignIns {
  constructor(
    private readonly database: Database,
    private readonly sessions: WebSessions,
    private readonly readers: Readers,
  ) {}

  /** Signs in who has just shown this account's password. False when it was changed, or the account banned, since. */
  async begin(request: FastifyRequest, user: User): Promise<boolean> {
    const { session: before } = await this.readers.of(request);
    const key = await this.database.transaction(async (tx) => {
      if (before) await this.sessions.end(tx, before.userId, before.id);
      return this.sessions.begin(tx, user, request.headers['user-agent']);
    });
    if (key === null) return false;
    keepKey(request, key);
    if (user.email) knowDevice(request, user.email);
    return true;
  }

  /** Ends the session of this browser, if there is one. */
  async end(request: FastifyRequest): Promise<void> {
    const { session } = await this.readers.of(request);
    if (session) await this.endOne(session, session.id);
    request.session.delete();
  }

  /** Ends one of the account's sessions; false when it has no such. */
  endOne({ userId }: WebSession, id: string): Promise<boolean> {
    return this.database.transaction((tx) => this.sessions.end(tx, userId, id));
  }

  /** Ends all of the account's sessions but this one. */
  endOthers(session: WebSession): Promise<void> {
    return this.database.transaction((tx) => this.sessions.endOthers(tx, session));
  }
}
