import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { fieldErrors, formValues, readFields } from '../forms';
import { Pages } from '../pages';
import { keepChallenge, ownForms, takeChallenge } from '../session';
import { translator, type TextKey } from '../texts';
import { AskPasskeyDto, OwnPasswordDto } from './account.dto';
import { OwnPassword } from './own-password';
import { SecondStepSettings, type TurnedOn } from './second-step.settings';
import { SecondStepView, type Outcome } from './second-step.view';
import { SignedIn, type Member } from './signed-in';

const PAGE = '/account/second-step';
type Sent = Readonly<Record<string, string | undefined>>;

/** /account/second-step: an app, passkeys and recovery codes, each changed only by who knows the password (STEP-3, STEP-4, STEP-7 to STEP-9). */
@Injectable()
export class SecondStepPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly password: OwnPassword,
    private readonly settings: SecondStepSettings,
    private readonly view: SecondStepView,
    private readonly clock: Clock,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      PAGE,
      this.signedIn.only((member, reply, { query }) =>
        this.view.show(member, reply, { done: 'off' in (query as object) ? 'off' : null }),
      ),
    );

    fastify.post(
      `${PAGE}/app`,
      ours,
      this.withPassword('app_password', async (member, reply) => {
        await this.settings.beginApp(member.user.id);
        return this.pages.goTo(reply, `${PAGE}#app`);
      }),
    );
    fastify.post(
      `${PAGE}/app/confirm`,
      ours,
      this.signedIn.only(async (member, reply, { body }) => {
        const on = await this.settings.confirmApp(member, formValues(body).code ?? '');
        return this.told(member, reply, on, { code: 'step_wrong' });
      }),
    );
    fastify.get(
      `${PAGE}/app/off`,
      this.signedIn.only((member, reply) => this.askOff(member, reply, 'app_off')),
    );
    fastify.post(
      `${PAGE}/app/off`,
      ours,
      this.signedIn.only(async (member, reply, request) => {
        if (!(await this.knows(member, request))) return this.askOff(member, reply, 'app_off', true);
        await this.settings.removeApp(member.user.id);
        return this.pages.goTo(reply, `${PAGE}?off`);
      }),
    );

    fastify.post(
      `${PAGE}/recovery`,
      ours,
      this.withPassword('codes_password', async (member, reply) => {
        return this.view.show(member, reply, { codes: await this.settings.renewCodes(member.user.id) });
      }),
    );

    this.servePasskeys(fastify);
  }

  private servePasskeys(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.post(
      `${PAGE}/passkeys/options`,
      ours,
      this.signedIn.only((member, reply, request) => this.ask(member, reply, request)),
    );
    fastify.post(
      `${PAGE}/passkeys`,
      ours,
      this.signedIn.only(async (member, reply, request) => {
        const { name, response } = formValues(request.body);
        const asked = takeChallenge(request, 'add');
        const on =
          asked &&
          (await this.settings.addPasskey(
            member,
            (name ?? '').trim().slice(0, LIMITS.second_step.name.max) || '–',
            asked,
            response,
          ));
        return this.told(member, reply, on, { name: 'passkey_failed' });
      }),
    );
    fastify.get(
      `${PAGE}/passkeys/:id/remove`,
      this.signedIn.only(async (member, reply, request) => {
        return this.askOff(member, reply, 'passkey_remove', false, (await this.passkeyOf(member, request)).name);
      }),
    );
    fastify.post(
      `${PAGE}/passkeys/:id/remove`,
      ours,
      this.signedIn.only(async (member, reply, request) => {
        const { id, name } = await this.passkeyOf(member, request);
        if (!(await this.knows(member, request))) return this.askOff(member, reply, 'passkey_remove', true, name);
        await this.settings.removePasskey(member.user.id, id);
        return this.pages.goTo(reply, `${PAGE}?off`);
      }),
    );
  }

  /** Asked by a script: what the browser makes a passkey by, or what is wrong. */
  private async ask(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const say = translator(member.locale);
    try {
      const { passkey_password } = await readFields(AskPasskeyDto, formValues(request.body));
      if (!(await this.password.isKnown(member.user, passkey_password, request)))
        return reply.code(422).send({ message: say('wrong_password') });
      if (!(await this.view.passkeysFit(member.user.id)))
        return reply.code(409).send({ message: say('passkeys_full', { max: LIMITS.second_step.passkeys }) });
    } catch (error) {
      return reply.code(422).send({ message: Object.values(fieldErrors(error, member.locale))[0] });
    }
    const options = await this.view.askToMake(member.user);
    keepChallenge(request, 'add', options.challenge, this.clock.now().getTime() + LIMITS.second_step.challenge * 1000);
    return reply.send(options);
  }

  /** For who shows the password in the field of that name. */
  private withPassword(
    field: 'app_password' | 'codes_password',
    then: (member: Member, reply: FastifyReply) => Promise<FastifyReply>,
  ): ReturnType<SignedIn['only']> {
    return this.signedIn.only(async (member, reply, request) => {
      if (await this.knows(member, request, field)) return then(member, reply);
      return this.view.show(member, reply, { errors: { [field]: translator(member.locale)('wrong_password') } }, 422);
    });
  }

  private async knows(member: Member, request: FastifyRequest, field = 'password'): Promise<boolean> {
    const sent: Sent = formValues(request.body);
    const typed = sent[field]?.trim() ?? '';
    return (
      typed !== '' &&
      this.password.isKnown(member.user, (await readFields(OwnPasswordDto, { password: typed })).password, request)
    );
  }

  private told(
    member: Member,
    reply: FastifyReply,
    on: TurnedOn | null,
    wrong: Readonly<Record<string, TextKey>>,
  ): Promise<FastifyReply> {
    const say = translator(member.locale);
    const outcome: Outcome = on
      ? { done: 'on', codes: on.codes }
      : { errors: Object.fromEntries(Object.entries(wrong).map(([field, key]) => [field, say(key)])) };
    return this.view.show(member, reply, outcome, on ? 200 : 422);
  }

  private askOff(
    member: Member,
    reply: FastifyReply,
    what: 'app_off' | 'passkey_remove',
    wrong = false,
    name: string | null = null,
  ): Promise<FastifyReply> {
    const say = translator(member.locale);
    return this.pages.show(
      member,
      reply,
      'second-step-off',
      {
        title: say(what),
        tab: 'second_step',
        name,
        does: what,
        errors: wrong ? { password: say('wrong_password') } : {},
      },
      wrong ? 422 : 200,
    );
  }

  private async passkeyOf(member: Member, { params }: FastifyRequest): Promise<{ id: number; name: string }> {
    const found = await this.view.passkey(member.user.id, (params as { id: string }).id);
    if (!found) throw new Refusal('not_found');
    return found;
  }
}
