import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsentsService, type Question } from '#areas/apps/consents.service';
import { formActionOf } from '#areas/apps/redirect-addresses';
import type { FormValues } from '../forms';
import { allowFormTo } from '../headers';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { AppWords } from './app-words';

/**
 * /oauth/consent: a person allows or denies an app access to their account (APP-12). `uid` in the paths is the id under
 * which the OAuth library stores the request of the app.
 */
@PageController()
@SignedInOnly()
export class ConsentPages {
  constructor(
    private readonly consents: ConsentsService,
    private readonly words: AppWords,
  ) {}

  @Get('oauth/consent/:uid')
  async ask(
    @CurrentMember() member: Member,
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    const question = await this.consents.question(request.raw, uid, member.user);
    if (!question) return expiredPage(member);
    if (!question.isAlreadyAllowed) return this.show(member, question, reply);
    const next = await this.consents.allow(request.raw, uid, member.user);
    return next === null ? expiredPage(member) : redirectTo(next);
  }

  @Post('oauth/consent/:uid')
  @CheckForm()
  async answer(
    @CurrentMember() member: Member,
    @Param('uid') uid: string,
    @FormFields() { decision }: FormValues,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    const question = await this.consents.question(request.raw, uid, member.user);
    if (!question) return expiredPage(member);
    if (decision === 'deny') return redirectOrExpired(member, await this.consents.deny(request.raw, uid));
    if (decision !== 'allow' || question.isAccountRefused) return this.show(member, question, reply);
    return redirectOrExpired(member, await this.consents.allow(request.raw, uid, member.user));
  }

  private show(member: Member, question: Question, reply: FastifyReply): View {
    // The page's Content-Security-Policy (`form-action`) must allow the app's address, because the browser follows the
    // form's redirect to the app.
    allowFormTo(reply, formActionOf(question.redirectUri));
    const { app, target, scopes, isAccountRefused, uid } = question;
    return view(
      'consent',
      {
        title: translator(member.locale)('consent_title', { app: app.name }),
        action: `/oauth/consent/${uid}`,
        app: this.words.appOf(app),
        target: this.words.targetOf(target, member.locale),
        scopes: this.words.scopesOf(scopes, member.locale),
        refused: isAccountRefused,
        device: null,
      },
      isAccountRefused ? 403 : 200,
    );
  }
}

function redirectOrExpired(member: Member, path: string | null): View | Redirect {
  return path === null ? expiredPage(member) : redirectTo(path);
}

function expiredPage({ locale }: Member): View {
  const say = translator(locale);
  return view('outcome', { title: say('consent_over'), text: say('consent_over_text') }, 404);
}
