import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldErrors, formValues, readFields } from '../forms';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { ChangeEmailDto, ChangePasswordDto } from './account.dto';
import { AccountLinks } from './account-links';
import { Accounts, EmailTaken, PasswordChanged } from './accounts';
import { OwnPassword } from './own-password';
import { SignIns } from './sign-ins';
import { SignedIn, type Member } from './signed-in';

interface Outcome {
  readonly done?: 'password' | 'email' | 'email_sent' | null;
  readonly errors?: Record<string, string>;
  readonly email?: string;
}

/** /account/security: address and password, each changed only by who knows the password (MAIL-8, MAIL-9). */
@Injectable()
export class SecurityPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
    private readonly password: OwnPassword,
    private readonly signIns: SignIns,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      '/account/security',
      this.signedIn.only((member, reply, { query }) => {
        const done = (['password', 'email', 'email_sent'] as const).find((one) => one in (query as object)) ?? null;
        return this.show(member, reply, { done });
      }),
    );
    fastify.post(
      '/account/security/password',
      ours,
      this.signedIn.only((member, reply, request) => this.changePassword(member, reply, request)),
    );
    fastify.post(
      '/account/security/email',
      ours,
      this.signedIn.only((member, reply, request) => this.changeEmail(member, reply, request)),
    );
  }

  private async changePassword(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    try {
      const { current_password, password } = await readFields(ChangePasswordDto, formValues(request.body));
      if (!(await this.password.isKnown(member.user, current_password, request)))
        return this.refuse(member, reply, 'current_password');
      // It ends every session, this one too; who has just shown the password stays.
      await this.signIns.begin(request, await this.accounts.setPassword(member.user, password));
    } catch (error) {
      if (error instanceof PasswordChanged) return this.refuse(member, reply, 'current_password');
      return this.show(member, reply, { errors: fieldErrors(error, member.locale) }, 422);
    }
    return this.pages.goTo(reply, '/account/security?password');
  }

  private async changeEmail(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const values = formValues(request.body);
    try {
      const { email, email_password } = await readFields(ChangeEmailDto, values);
      if (!(await this.password.isKnown(member.user, email_password, request)))
        return this.refuse(member, reply, 'email_password', values.email);
      if (this.links.isOn) await this.links.askForEmail(member.user, email, member.locale);
      else await this.accounts.setEmail(member.user, email);
    } catch (error) {
      if (error instanceof PasswordChanged) return this.refuse(member, reply, 'email_password', values.email);
      if (error instanceof EmailTaken)
        return this.show(
          member,
          reply,
          { errors: { email: translator(member.locale)('email_not_possible') }, email: values.email ?? '' },
          422,
        );
      return this.show(member, reply, { errors: fieldErrors(error, member.locale), email: values.email ?? '' }, 422);
    }
    return this.pages.goTo(reply, `/account/security?${this.links.isOn ? 'email_sent' : 'email'}`);
  }

  private refuse(member: Member, reply: FastifyReply, field: string, email?: string): Promise<FastifyReply> {
    return this.show(
      member,
      reply,
      { errors: { [field]: translator(member.locale)('wrong_password') }, ...(email !== undefined && { email }) },
      422,
    );
  }

  private show(
    member: Member,
    reply: FastifyReply,
    { done = null, errors = {}, email = '' }: Outcome,
    status = 200,
  ): Promise<FastifyReply> {
    const content = {
      title: translator(member.locale)('security'),
      tab: 'security',
      done,
      errors,
      email,
      current: member.user.email,
    } as const;
    return this.pages.show(member, reply, 'security', content, status);
  }
}
