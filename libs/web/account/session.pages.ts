import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { WebSessions } from '#areas/identity/web-sessions';
import { Refusal } from '#platform/http/refusal';
import { localTime } from '../local-time';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { browserName } from './browser-name';
import { SignedIn, type Member } from './signed-in';
import { SignIns } from './sign-ins';

/** /account/sessions: where one is signed in (PAGE-20). */
@Injectable()
export class SessionPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly sessions: WebSessions,
    private readonly signIns: SignIns,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      '/account/sessions',
      this.signedIn.only((member, reply, { query }) => {
        return this.show(member, reply, (query as { ended?: unknown }).ended !== undefined);
      }),
    );

    fastify.post(
      '/account/sessions/end-others',
      ours,
      this.signedIn.only(async ({ session }, reply) => {
        await this.signIns.endOthers(session);
        return this.pages.goTo(reply, '/account/sessions?ended');
      }),
    );

    fastify.post(
      '/account/sessions/:id/end',
      ours,
      this.signedIn.only(async ({ session }, reply, request) => {
        const { id } = request.params as { id: string };
        if (!(await this.signIns.endOne(session, id))) throw new Refusal('not_found');
        if (id !== session.id) return this.pages.goTo(reply, '/account/sessions?ended');
        request.session.delete();
        return this.pages.goTo(reply, '/');
      }),
    );
  }

  private async show(member: Member, reply: FastifyReply, ended: boolean): Promise<FastifyReply> {
    const all = await this.sessions.list(member.session.userId);
    const sessions = all.map(({ id, userAgent, lastSeenAt }) => ({
      id,
      browser: browserName(userAgent),
      lastSeen: localTime(member, lastSeenAt),
      isThisOne: id === member.session.id,
    }));
    // This one is what the others are compared with.
    sessions.sort((one, other) => Number(other.isThisOne) - Number(one.isThisOne));
    return this.pages.show(member, reply, 'sessions', {
      title: translator(member.locale)('sessions_title'),
      tab: 'sessions',
      sessions,
      ended,
    });
  }
}
