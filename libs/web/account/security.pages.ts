import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConnectionsService } from '#areas/apps/connections.service';
import { fieldErrors, type Form } from '../forms';
import { CheckForm, CurrentMember, FormBody, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { ChangeEmailDto, ChangePasswordDto } from './account.dto';
import { AccountLinks } from './account-links';
import { Accounts, EmailTaken, PasswordChangedMeanwhile } from './accounts';
import { OwnPassword } from './own-password';
import { SignIns } from './sign-ins';

interface Outcome {
  readonly done?: 'password' | 'email' | 'email_sent' | null;
  readonly errors?: Record<string, string>;
  readonly email?: string;
  /** The number of connected apps after a change of the password. The page then offers to disconnect the apps. */
  readonly apps?: number;
}

/**
 * /account/security: a member changes the e-mail address or the password. Both changes require the current password
 * (MAIL-8, MAIL-9).
 */
@PageController()
@SignedInOnly()
export class SecurityPages {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
    private readonly password: OwnPassword,
    private readonly signIns: SignIns,
    private readonly connections: ConnectionsService,
  ) {}

  @Get('account/security')
  async page(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    const done = (['password', 'email', 'email_sent'] as const).find((one) => one in query) ?? null;
    // A new password does not disconnect apps (APP-16), so the page then offers to disconnect them.
    const apps = done === 'password' ? (await this.connections.list(member.user.id)).length : 0;
    return this.show(member, { done, apps });
  }

  @Post('account/security/password')
  @CheckForm()
  async changePassword(
    @CurrentMember() member: Member,
    @FormBody(ChangePasswordDto) form: Form<ChangePasswordDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    try {
      const { current_password, password } = form.read();
      if (!(await this.password.isCorrect(member.user, current_password, request)))
        return this.wrongPassword(member, 'current_password');
      // A new password ends every session. The member has just entered the current password, so this browser gets a new
      // session.
      await this.signIns.begin(request, await this.accounts.setPassword(member.user, password));
    } catch (error) {
      if (error instanceof PasswordChangedMeanwhile) return this.wrongPassword(member, 'current_password');
      return this.show(member, { errors: fieldErrors(error, member.locale) }, 422);
    }
    return redirectTo('/account/security?password');
  }

  @Post('account/security/email')
  @CheckForm()
  async changeEmail(
    @CurrentMember() member: Member,
    @FormBody(ChangeEmailDto) form: Form<ChangeEmailDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const newAddress = form.values.email ?? '';
    try {
      const { email, email_password } = form.read();
      if (!(await this.password.isCorrect(member.user, email_password, request)))
        return this.wrongPassword(member, 'email_password', newAddress);
      if (this.links.canSendMail) await this.links.askForEmail(member.user, email, member.locale);
      else await this.accounts.setEmail(member.user, email);
    } catch (error) {
      if (error instanceof PasswordChangedMeanwhile) return this.wrongPassword(member, 'email_password', newAddress);
      const errors =
        error instanceof EmailTaken
          ? { email: translator(member.locale)('email_not_possible') }
          : fieldErrors(error, member.locale);
      return this.show(member, { errors, email: newAddress }, 422);
    }
    return redirectTo(`/account/security?${this.links.canSendMail ? 'email_sent' : 'email'}`);
  }

  private wrongPassword(member: Member, field: string, email = ''): View {
    return this.show(member, { errors: { [field]: translator(member.locale)('wrong_password') }, email }, 422);
  }

  private show(member: Member, { done = null, errors = {}, email = '', apps = 0 }: Outcome, status = 200): View {
    return view(
      'security',
      {
        title: translator(member.locale)('security_tab'),
        tab: 'security',
        done,
        errors,
        email,
        appCount: apps,
        currentEmail: member.user.email,
      },
      status,
    );
  }
}
