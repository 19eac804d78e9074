import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { localPath } from '../local-path';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { confirmedAddress, ownForms } from '../session';
import { translator } from '../texts';
import { RegisterDto } from './account.dto';
import { AccountLinks } from './account-links';
import { Accounts, EmailTaken } from './accounts';
import { SignInAttempts } from './sign-in-attempts';
import { AFTERWARDS, SignIns } from './sign-ins';

interface Refused {
  readonly errors?: Record<string, string>;
  readonly failed?: boolean;
  /** What has just happened: a link in a mail did it, or the second step took too long. */
  readonly told?: 'confirmed' | 'reset' | 'again' | null;
}

/** /register, /sign-in, /sign-out. */
@Injectable()
export class SignInPages {
  constructor(
    private readonly pages: Pages,
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
    private readonly attempts: SignInAttempts,
    private readonly signIns: SignIns,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get('/register', async (request, reply) =>
      this.showRegister(await this.pages.reader(request), reply, nextOf(request)),
    );
    fastify.post('/register', ours, async (request, reply) => this.register(request, reply));
    fastify.get('/sign-in', async (request, reply) => {
      const told = (['confirmed', 'reset', 'again'] as const).find((one) => one in (request.query as object)) ?? null;
      return this.showSignIn(
        await this.pages.reader(request),
        reply,
        nextOf(request),
        told === 'confirmed' ? { email: confirmedAddress(request) } : {},
        { told },
      );
    });
    fastify.post('/sign-in', ours, async (request, reply) => this.signIn(request, reply));
    fastify.post('/sign-out', ours, async (request, reply) => {
      await this.signIns.end(request);
      return this.pages.goTo(reply, '/');
    });
  }

  private async register(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.attempts.countOrigin(request);
    const reader = await this.pages.reader(request);
    const values = formValues(request.body);
    try {
      if (this.links.isOn) {
        await this.links.askToRegister(await readFields(RegisterDto, values), reader.locale, localPath(values.next));
        return this.pages.goTo(reply, '/register/sent');
      }
      await this.signIns.begin(
        request,
        await this.accounts.register(await readFields(RegisterDto, values), reader.locale),
      );
    } catch (error) {
      const refused = error instanceof EmailTaken ? { failed: true } : { errors: fieldErrors(error, reader.locale) };
      return this.showRegister(reader, reply, localPath(values.next), values, refused);
    }
    return this.pages.goTo(reply, localPath(values.next) ?? AFTERWARDS);
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const values = formValues(request.body);
    const email = (values.email ?? '').trim();
    const attempt = await this.attempts.count(request, email);
    const user = await this.accounts.authenticate(email, (values.password ?? '').trim());
    const next = localPath(values.next);
    const shown = user ? await this.signIns.passwordShown(request, user) : 'refused';
    if (shown === 'refused')
      return this.showSignIn(await this.pages.reader(request), reply, next, values, { failed: true });
    if (shown === 'step')
      return this.pages.goTo(reply, `/sign-in/step${next === null ? '' : `?next=${encodeURIComponent(next)}`}`);
    await this.attempts.forgive(attempt);
    return this.pages.goTo(reply, next ?? AFTERWARDS);
  }

  private showRegister(
    reader: Reader,
    reply: FastifyReply,
    next: string | null,
    values: FormValues = {},
    refused: Refused = {},
  ): Promise<FastifyReply> {
    return this.showForm('register', reader, reply, next, values, refused);
  }

  private showSignIn(
    reader: Reader,
    reply: FastifyReply,
    next: string | null,
    values: FormValues = {},
    refused: Refused = {},
  ): Promise<FastifyReply> {
    return this.showForm('sign-in', reader, reply, next, values, refused);
  }

  private async showForm(
    view: 'register' | 'sign-in',
    reader: Reader,
    reply: FastifyReply,
    next: string | null,
    { name, email }: FormValues,
    { errors = {}, failed = false, told = null }: Refused,
  ): Promise<FastifyReply> {
    const title = translator(reader.locale)(view === 'register' ? 'register' : 'sign_in');
    const status = failed || Object.keys(errors).length > 0 ? 422 : 200;
    return this.pages.show(
      reader,
      reply,
      view,
      {
        title,
        form: true,
        mail: this.links.isOn,
        passkeys: this.signIns.passkeysAreOn,
        told,
        next,
        values: { name, email },
        errors,
        failed,
      },
      status,
    );
  }
}

function nextOf({ query }: FastifyRequest): string | null {
  return localPath((query as { next?: unknown }).next);
}
