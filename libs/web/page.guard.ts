import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { FormPages } from './form/form-pages';
import { FormTokens, tokenIn, type OpenedForm } from './form/form-tokens';
import { InvalidFormToken } from './form/invalid-form-token';
import { SessionExpired } from './form/session-expired';
import { localPath } from './local-path';
import { isModerator } from './moderation/moderator';
import { Readers, type Reader } from './readers';
import { formToken, hasValidToken } from './session';
import { SignInRequired } from './sign-in-required';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reader of the page, set by `PageGuard`; null before that, and on routes without this guard. */
    reader: Reader | null;
    /** See `ShowsForbidden`. */
    showsForbidden: boolean;
  }
}

/** Restricts a page to members, or to moderators and admins. Without this decorator, the page is for everybody. */
export const OpenTo = Reflector.createDecorator<'members' | 'moderators'>();
/** Marks a route that takes a form of this service's pages. */
export const TakesForm = Reflector.createDecorator<void, true>({ transform: () => true });

/** Marks pages that answer 403 if the API answers 403. All other pages answer 404 if the API answers 403. */
export const ShowsForbidden = Reflector.createDecorator<void, true>({ transform: () => true });

/**
 * Runs before the handler of a page, and loads the reader. If the page is for members or moderators, a visitor is
 * redirected to the sign-in form. If the page is for moderators, other members get 404. A form must come from a page of
 * this service (`checkForm`).
 */
@Injectable()
export class PageGuard implements CanActivate {
  constructor(
    private readonly readers: Readers,
    private readonly reflector: Reflector,
    private readonly tokens: FormTokens,
    private readonly formPages: FormPages,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const targets = [context.getHandler(), context.getClass()];
    const isForm = this.reflector.getAllAndOverride(TakesForm, targets) ?? false;
    const reader = (request.reader = await this.readers.readerOf(request));
    const openTo = this.reflector.getAllAndOverride(OpenTo, targets) as 'members' | 'moderators' | undefined;
    if (isForm) {
      // A form that a page of another site has sent is refused even with a valid token (PAGE-4).
      if (request.headers['sec-fetch-site'] === 'cross-site') throw new InvalidFormToken();
      const opened = this.tokens.openedFormOf(tokenIn(request));
      // A form that a member opened is refused if the request is not signed in to the account of this member.
      if (opened && reader.user?.id !== opened.owner)
        throw new SessionExpired(opened.owner, this.formPages.pageOf(request.url));
      // A visitor who sends a form for members, perhaps with the token of an ended session, has to sign in first. So
      // the form takes no effect (PAGE-99). A form without any token is checked as usual.
      const mustSignIn = openTo !== undefined && !reader.user && formToken(request) !== '';
      if (!mustSignIn) checkForm(request, reader, opened);
    }
    request.showsForbidden = this.reflector.getAllAndOverride(ShowsForbidden, targets) ?? false;
    if (openTo === undefined) return true;
    if (!reader.user || !reader.session)
      throw new SignInRequired(localPath(isForm ? this.formPages.pageOf(request.url) : request.url));
    if (openTo === 'moderators' && !isModerator(reader.user)) throw new Refusal('not_found');
    return true;
  }
}

/**
 * Throws 403 for a form without the token of the current session. Two kinds of forms do not need this token: a form
 * with a token that the same account got before this session began (PAGE-99), and a visitor's form from this origin.
 */
function checkForm(request: FastifyRequest, { user, session }: Reader, opened: OpenedForm | null): void {
  if (opened && session && opened.at < session.beganAt) return;
  if (!user && isFromThisOrigin(request)) return;
  checkToken(request);
}

/**
 * Whether the browser confirms that a page of this service sent the form. No page can set the header `Sec-Fetch-Site`
 * itself. A visitor's form with the value `same-origin` needs no token: a browser that has no cookie of this service
 * yet, and opens several pages at once, stores only the secret of the last page, so the tokens of the other pages are
 * invalid.
 */
function isFromThisOrigin({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

/** Throws 403 for a form without the token of the sender's session, because another site could have sent the form. */
export function checkToken(request: FastifyRequest): void {
  if (!hasValidToken(request)) throw new InvalidFormToken();
}
