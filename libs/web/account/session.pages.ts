import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { WebSessions } from '#areas/identity/web-sessions';
import { Refusal } from '#platform/http/refusal';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { browserName } from './browser-name';
import { SignIns } from './sign-ins';

/** /account/sessions: the browsers in which an account is signed in (PAGE-20). */
@PageController()
@SignedInOnly()
export class SessionPages {
  constructor(
    private readonly sessions: WebSessions,
    private readonly signIns: SignIns,
  ) {}

  @Get('account/sessions')
  async list(@CurrentMember() member: Member, @Query('ended') ended: unknown): Promise<View> {
    const all = await this.sessions.list(member.session.userId);
    const sessions = all.map(({ id, userAgent, lastSeenAt }) => ({
      id,
      browser: browserName(userAgent),
      lastSeen: localTime(member, lastSeenAt),
      isThisOne: id === member.session.id,
    }));
    // The current session comes first, so that the reader can compare the other sessions with it.
    sessions.sort((one, other) => Number(other.isThisOne) - Number(one.isThisOne));
    return view('sessions', {
      title: translator(member.locale)('sessions_tab'),
      tab: 'sessions',
      sessions,
      ended: ended !== undefined,
    });
  }

  @Post('account/sessions/end-others')
  @CheckForm()
  async endOthers(@CurrentMember() { session }: Member): Promise<Redirect> {
    await this.signIns.endOthers(session);
    return redirectTo('/account/sessions?ended');
  }

  @Post('account/sessions/:id/end')
  @CheckForm()
  async end(
    @CurrentMember() { session }: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<Redirect> {
    if (!(await this.signIns.endOne(session, id))) throw new Refusal('not_found');
    if (id !== session.id) return redirectTo('/account/sessions?ended');
    request.session.delete();
    return redirectTo('/');
  }
}
