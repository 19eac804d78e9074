import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { RequestWindows } from '#platform/rate-limit/request-windows';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { localPath } from '../local-path';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { ownForms, signIn } from '../session';
import { sayIn } from '../texts';
import { RegisterDto } from './account.dto';
import { Accounts, EmailTaken } from './accounts';

const AFTERWARDS = '/account/api';

interface Refused {
  readonly errors?: Record<string, string>;
  readonly failed?: boolean;
}

/** /register, /sign-in, /sign-out. */
@Injectable()
export class SignInPages {
  constructor(
    private readonly pages: Pages,
    private readonly accounts: Accounts,
    private readonly windows: RequestWindows,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get('/register', async (request, reply) => this.showRegister(await this.pages.reader(request), reply, nextOf(request)));
    fastify.post('/register', ours, async (request, reply) => this.register(request, reply));
    fastify.get('/sign-in', async (request, reply) => this.showSignIn(await this.pages.reader(request), reply, nextOf(request)));
    fastify.post('/sign-in', ours, async (request, reply) => this.signIn(request, reply));
    fastify.post('/sign-out', ours, async (request, reply) => {
      request.session.delete();
      return this.pages.goTo(reply, '/');
    });
  }

  private async register(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.refuseTooMany('ip', request.ip);
    const reader = await this.pages.reader(request);
    const values = formValues(request.body);
    try {
      signIn(request, await this.accounts.register(readFields(RegisterDto, values), reader.locale));
    } catch (error) {
      const refused = error instanceof EmailTaken ? { failed: true } : { errors: fieldErrors(error, reader.locale) };
      return this.showRegister(reader, reply, localPath(values.next), values, refused);
    }
    return this.pages.goTo(reply, localPath(values.next) ?? AFTERWARDS);
  }

  private async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const values = formValues(request.body);
    const { email = '', password = '' } = values;
    await this.refuseTooMany('ip', request.ip);
    await this.refuseTooMany('email', email.trim().toLowerCase());
    const user = await this.accounts.authenticate(email.trim(), password.trim());
    if (!user) return this.showSignIn(await this.pages.reader(request), reply, localPath(values.next), values, { failed: true });
    signIn(request, user);
    return this.pages.goTo(reply, localPath(values.next) ?? AFTERWARDS);
  }

  private showRegister(reader: Reader, reply: FastifyReply, next: string | null, values: FormValues = {}, refused: Refused = {}): Promise<FastifyReply> {
    return this.showForm('register', reader, reply, next, values, refused);
  }

  private showSignIn(reader: Reader, reply: FastifyReply, next: string | null, values: FormValues = {}, refused: Refused = {}): Promise<FastifyReply> {
    return this.showForm('sign-in', reader, reply, next, values, refused);
  }

  private async showForm(
    view: 'register' | 'sign-in', reader: Reader, reply: FastifyReply, next: string | null, { name, email }: FormValues, { errors = {}, failed = false }: Refused,
  ): Promise<FastifyReply> {
    const title = sayIn(reader.locale)(view === 'register' ? 'register' : 'sign_in');
    const status = failed || Object.keys(errors).length > 0 ? 422 : 200;
    return this.pages.show(reader, reply, view, { title, form: true, next, values: { name, email }, errors, failed }, status);
  }

  private async refuseTooMany(kind: 'ip' | 'email', key: string): Promise<void> {
    const { refused, retryAfterSeconds } = await this.windows.attempt(kind, key);
    if (refused) throw new Refusal('too_many_requests', { retryAfter: retryAfterSeconds });
  }
}

function nextOf({ query }: FastifyRequest): string | null {
  return localPath((query as { next?: unknown }).next);
}
