import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { Clock } from '#platform/time/clock';
import { formValues } from '../forms';
import { localPath } from '../local-path';
import { Pages } from '../pages';
import { keepChallenge, ownForms, takeChallenge, type ChallengePurpose } from '../session';
import { translator } from '../texts';
import { AccountLinks } from './account-links';
import { SecondSteps } from './second-steps';
import { SignInAttempts } from './sign-in-attempts';
import { AFTERWARDS, SignIns } from './sign-ins';

/** /sign-in/step: what is asked for after the password; /sign-in/passkey: a passkey instead of it (STEP-1 to STEP-6). */
@Injectable()
export class StepPages {
  constructor(
    private readonly pages: Pages,
    private readonly steps: SecondSteps,
    private readonly attempts: SignInAttempts,
    private readonly signIns: SignIns,
    private readonly links: AccountLinks,
    private readonly clock: Clock,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get('/sign-in/step', async (request, reply) =>
      this.show(request, reply, localPath((request.query as { next?: unknown }).next)),
    );
    fastify.post('/sign-in/step', ours, async (request, reply) => this.proveByCode(request, reply));

    fastify.post('/sign-in/step/options', ours, async (request, reply) => {
      await this.attempts.countOrigin(request);
      const user = await this.steps.half(request);
      return user
        ? this.ask(request, reply, 'step', await this.steps.askToShow({ userId: user.id }))
        : reply.code(403).send({ message: await this.sayAgain(request) });
    });
    fastify.post('/sign-in/step/passkey', ours, async (request, reply) => this.proveByPasskey(request, reply));

    fastify.post('/sign-in/passkey/options', ours, async (request, reply) => {
      await this.attempts.countOrigin(request);
      return this.ask(request, reply, 'sign_in', await this.steps.askToShow('anybody'));
    });
    fastify.post('/sign-in/passkey', ours, async (request, reply) => this.signInByPasskey(request, reply));
  }

  private async proveByCode(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.attempts.countOrigin(request);
    const { code = '', next } = formValues(request.body);
    const user = await this.steps.half(request);
    if (!user) return this.pages.goTo(reply, '/sign-in?again');
    if (!(await this.steps.proveByCode(request, user, code)))
      return this.show(request, reply, localPath(next), 'step_wrong');
    return this.pages.goTo(reply, localPath(next) ?? AFTERWARDS);
  }

  private async proveByPasskey(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.attempts.countOrigin(request);
    const { response, next } = formValues(request.body);
    const user = await this.steps.half(request);
    if (!user) return this.pages.goTo(reply, '/sign-in?again');
    const asked = takeChallenge(request, 'step');
    if (!asked || !(await this.steps.proveByPasskey(request, user, asked, response)))
      return this.show(request, reply, localPath(next), 'passkey_failed');
    return this.pages.goTo(reply, localPath(next) ?? AFTERWARDS);
  }

  private async signInByPasskey(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.attempts.countOrigin(request);
    const { response, next } = formValues(request.body);
    const asked = takeChallenge(request, 'sign_in');
    if (asked && (await this.steps.signInByPasskey(request, asked, response)))
      return this.pages.goTo(reply, localPath(next) ?? AFTERWARDS);
    const reader = await this.pages.reader(request);
    const content = {
      title: translator(reader.locale)('sign_in'),
      form: true,
      mail: this.links.isOn,
      passkeys: this.signIns.passkeysAreOn,
      told: null,
      next: localPath(next),
      values: {},
      errors: {},
      failed: false,
      passkeyFailed: true,
    };
    return this.pages.show(reader, reply, 'sign-in', content, 422);
  }

  private ask(
    request: FastifyRequest,
    reply: FastifyReply,
    purpose: ChallengePurpose,
    options: { readonly challenge: string },
  ): FastifyReply {
    keepChallenge(
      request,
      purpose,
      options.challenge,
      this.clock.now().getTime() + LIMITS.second_step.challenge * 1000,
    );
    return reply.send(options);
  }

  private async show(
    request: FastifyRequest,
    reply: FastifyReply,
    next: string | null,
    failed: 'step_wrong' | 'passkey_failed' | null = null,
  ): Promise<FastifyReply> {
    const user = await this.steps.half(request);
    if (!user) return this.pages.goTo(reply, '/sign-in?again');
    const reader = await this.pages.reader(request);
    const { totpSince, passkeys } = await this.steps.standing(user.id);
    const content = {
      title: translator(reader.locale)('step_title'),
      form: true,
      next,
      failed,
      hasApp: totpSince !== null,
      passkeys: passkeys > 0 && this.signIns.passkeysAreOn,
    };
    return this.pages.show(reader, reply, 'step', content, failed ? 422 : 200);
  }

  private async sayAgain(request: FastifyRequest): Promise<string> {
    return translator((await this.pages.reader(request)).locale)('sign_in_again');
  }
}
