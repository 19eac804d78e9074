import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { keepAddress, ownForms } from '../session';
import { translator, type TextKey } from '../texts';
import { ForgottenDto, NewPasswordDto } from './account.dto';
import { AccountLinks, LinkIsVoid } from './account-links';
import { SignInAttempts } from './sign-in-attempts';

type Told = 'register_sent' | 'again_sent' | 'forgot_sent' | 'link_void';

interface Lapsed {
  /** Of the address of an account, and not of a registration. */
  readonly isChange?: boolean;
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
}

/** Where the links in mails lead, and the forgotten password: /confirm, /forgot, /reset (MAIL-1 to MAIL-7). Opening one changes nothing. */
@Injectable()
export class LinkPages {
  constructor(
    private readonly pages: Pages,
    private readonly links: AccountLinks,
    private readonly attempts: SignInAttempts,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get('/register/sent', async (request, reply) =>
      this.tell(await this.pages.reader(request), reply, 'register_sent'),
    );
    fastify.get('/register/sent-again', async (request, reply) =>
      this.tell(await this.pages.reader(request), reply, 'again_sent'),
    );
    fastify.post('/register/again', ours, async (request, reply) => this.sendAgain(request, reply));
    fastify.get('/forgot/sent', async (request, reply) =>
      this.tell(await this.pages.reader(request), reply, 'forgot_sent'),
    );

    fastify.get('/forgot', async (request, reply) => this.showForgot(await this.pages.reader(request), reply));
    fastify.post('/forgot', ours, async (request, reply) => this.forget(request, reply));

    fastify.get('/reset/:token', async (request, reply) => {
      const reader = await this.pages.reader(request);
      return (await this.links.toReset(tokenOf(request)))
        ? this.showReset(reader, reply)
        : this.tell(reader, reply, 'link_void', 410);
    });
    fastify.post('/reset/:token', ours, async (request, reply) => this.reset(request, reply));

    fastify.get('/confirm/:token', async (request, reply) => {
      const reader = await this.pages.reader(request);
      const link = await this.links.toConfirm(tokenOf(request));
      if (!link) return this.showLapsed(reader, reply, request);
      return this.pages.show(reader, reply, 'confirm', {
        title: translator(reader.locale)('confirm_title'),
        form: true,
        address: link.address,
      });
    });
    fastify.post('/confirm/:token', ours, async (request, reply) => this.confirm(request, reply));
  }

  private async forget(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.attempts.countOrigin(request);
    const reader = await this.pages.reader(request);
    if (!this.links.isOn) throw new Refusal('not_found');
    const values = formValues(request.body);
    try {
      await this.links.askForReset((await readFields(ForgottenDto, values)).email, reader.locale);
    } catch (error) {
      return this.showForgot(reader, reply, values.email, fieldErrors(error, reader.locale));
    }
    return this.pages.goTo(reply, '/forgot/sent');
  }

  private async reset(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    try {
      await this.links.reset(tokenOf(request), (await readFields(NewPasswordDto, formValues(request.body))).password);
    } catch (error) {
      if (error instanceof LinkIsVoid) return this.tell(reader, reply, 'link_void', 410);
      return this.showReset(reader, reply, fieldErrors(error, reader.locale));
    }
    return this.pages.goTo(reply, '/sign-in?reset');
  }

  private async confirm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    try {
      const { kind, nextPath, address } = await this.links.confirm(tokenOf(request));
      keepAddress(request, address);
      if (kind === 'email' && reader.user) return this.pages.goTo(reply, '/account/security?email');
      return this.pages.goTo(reply, `/sign-in?confirmed${nextPath ? `&next=${encodeURIComponent(nextPath)}` : ''}`);
    } catch (error) {
      if (error instanceof LinkIsVoid) return this.showLapsed(reader, reply, request);
      throw error;
    }
  }

  private async sendAgain(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.attempts.countOrigin(request);
    const reader = await this.pages.reader(request);
    if (!this.links.isOn) throw new Refusal('not_found');
    const values = formValues(request.body);
    try {
      await this.links.askAgain((await readFields(ForgottenDto, values)).email, reader.locale);
    } catch (error) {
      return this.showVoid(
        reader,
        reply,
        { values: { email: values.email }, errors: fieldErrors(error, reader.locale) },
        422,
      );
    }
    return this.pages.goTo(reply, '/register/sent-again');
  }

  /** A link for confirming that holds no more: a registration gets a new one here, a changed address on its own page. */
  private async showLapsed(reader: Reader, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const lapsed = await this.links.lapsed(tokenOf(request));
    return lapsed?.kind === 'email'
      ? this.showVoid(reader, reply, { isChange: true })
      : this.showVoid(reader, reply, { values: { email: lapsed?.address } });
  }

  private showVoid(
    reader: Reader,
    reply: FastifyReply,
    { isChange = false, values = {}, errors = {} }: Lapsed,
    status = 410,
  ): Promise<FastifyReply> {
    return this.pages.show(
      reader,
      reply,
      'link-void',
      { title: translator(reader.locale)('link_void'), form: true, mail: this.links.isOn, isChange, values, errors },
      status,
    );
  }

  private async showForgot(
    reader: Reader,
    reply: FastifyReply,
    email = '',
    errors: Record<string, string> = {},
  ): Promise<FastifyReply> {
    if (!this.links.isOn) throw new Refusal('not_found');
    const status = Object.keys(errors).length > 0 ? 422 : 200;
    return this.pages.show(
      reader,
      reply,
      'forgot',
      { title: translator(reader.locale)('forgot_title'), form: true, values: { email }, errors },
      status,
    );
  }

  private showReset(reader: Reader, reply: FastifyReply, errors: Record<string, string> = {}): Promise<FastifyReply> {
    const status = Object.keys(errors).length > 0 ? 422 : 200;
    return this.pages.show(
      reader,
      reply,
      'reset',
      { title: translator(reader.locale)('reset_title'), form: true, errors },
      status,
    );
  }

  private tell(reader: Reader, reply: FastifyReply, what: Told, status = 200): Promise<FastifyReply> {
    const say = translator(reader.locale);
    const text: TextKey = `${what}_text`;
    return this.pages.show(
      reader,
      reply,
      'told',
      { title: say(what), text: say(text), again: what === 'link_void' && this.links.isOn },
      status,
    );
  }
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}
