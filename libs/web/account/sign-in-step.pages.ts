import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { PasskeysCommands } from '#areas/second-step/passkeys.commands';
import { Clock } from '#platform/time/clock';
import type { FormValues } from '../forms';
import { ExpiredForms, MAX_DRAFT_FORM_BYTES } from '../form/expired-forms';
import { formRefusal } from '../form/form-refusal';
import { localPath } from '../local-path';
import { CheckForm, CurrentReader, FormFields, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { storeChallenge, takeChallenge, type ChallengePurpose } from '../session';
import { translator } from '../texts';
import type { View } from '../view';
import { SignInAttempts } from './sign-in-attempts';
import { SignInStepView } from './sign-in-step.view';
import { SignInStepsService } from './sign-in-steps.service';
import { SignInView } from './sign-in.view';
import { PAGE_AFTER_SIGN_IN } from './sign-ins';

/** The WebAuthn options for the page's script. The class below reads only the challenge. */
interface Options {
  readonly challenge: string;
}

/**
 * /sign-in/step: the second step after the password; /sign-in/passkey: a passkey in place of the password (STEP-1 to
 * STEP-6).
 */
@PageController()
export class SignInStepPages {
  constructor(
    private readonly steps: SignInStepsService,
    private readonly passkeys: PasskeysCommands,
    private readonly attempts: SignInAttempts,
    private readonly signInView: SignInView,
    private readonly stepView: SignInStepView,
    private readonly expired: ExpiredForms,
    private readonly clock: Clock,
  ) {}

  @Get('sign-in/step')
  async page(
    @CurrentReader() reader: Reader,
    @Query('next') next: unknown,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const user = await this.steps.pendingUser(request);
    if (!user) return redirectTo('/sign-in?again');
    return this.stepView.show(reader, user, { next: localPath(next), draft: undefined });
  }

  @Post('sign-in/step')
  @CheckForm({ maxBytes: MAX_DRAFT_FORM_BYTES })
  verifyCode(
    @CurrentReader() reader: Reader,
    @FormFields() values: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const { code = '' } = values;
    return this.complete(reader, request, values, 'step_wrong', (user) => this.steps.verifyCode(request, user, code));
  }

  @Post('sign-in/step/options')
  @CheckForm({ maxBytes: MAX_DRAFT_FORM_BYTES })
  async stepOptions(
    @CurrentReader() reader: Reader,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Options | { readonly message: string }> {
    await this.attempts.countForNetwork(request);
    const user = await this.steps.pendingUser(request);
    if (user) return this.withStoredChallenge(request, 'step', await this.passkeys.requestOptions({ userId: user.id }));
    reply.code(403);
    return { message: translator(reader.locale)('sign_in_again') };
  }

  @Post('sign-in/step/passkey')
  @CheckForm({ maxBytes: MAX_DRAFT_FORM_BYTES })
  verifyPasskey(
    @CurrentReader() reader: Reader,
    @FormFields() values: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.complete(reader, request, values, 'passkey_failed', async (user) => {
      const challenge = takeChallenge(request, 'step');
      return challenge !== null && (await this.steps.verifyPasskey(request, user, challenge, values.response));
    });
  }

  @Post('sign-in/passkey/options')
  @CheckForm()
  async passkeyOptions(@Req() request: FastifyRequest): Promise<Options> {
    await this.attempts.countForNetwork(request);
    return this.withStoredChallenge(request, 'sign_in', await this.passkeys.requestOptions('anybody'));
  }

  @Post('sign-in/passkey')
  @CheckForm()
  async signInByPasskey(
    @CurrentReader() reader: Reader,
    @FormFields() { response, next }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const refusal = await this.attempts.countForNetwork(request).then(
      () => null,
      (error: unknown) => formRefusal(error, {}, reader.locale),
    );
    const challenge = refusal ? null : takeChallenge(request, 'sign_in');
    if (challenge && (await this.steps.signInByPasskey(request, challenge, response)))
      return redirectTo(localPath(next) ?? PAGE_AFTER_SIGN_IN);
    return this.signInView.show('sign-in', reader, localPath(next), {}, { refusal, passkeyFailed: !refusal });
  }

  /**
   * Stores the challenge of the options in the session, and returns the options. The stored challenge is valid for a
   * limited time, and only for `purpose`.
   */
  private withStoredChallenge(request: FastifyRequest, purpose: ChallengePurpose, options: Options): Options {
    storeChallenge(request, purpose, options.challenge, this.clock.now());
    return options;
  }

  /**
   * Calls `signIn`, which verifies the second step and completes the sign-in. If `signIn` returns false, the page shows
   * the text with the key `failureText`. If `draft` contains a form that was sent after its session had ended, this
   * form is shown again after the sign-in (PAGE-99).
   */
  private async complete(
    reader: Reader,
    request: FastifyRequest,
    { next: sentNext, draft }: FormValues,
    failureText: 'step_wrong' | 'passkey_failed',
    signIn: (user: User) => Promise<boolean>,
  ): Promise<View | Redirect> {
    const next = localPath(sentNext);
    try {
      await this.attempts.countForNetwork(request);
      const user = await this.steps.pendingUser(request);
      if (!user) return (await this.expired.signInAgain(reader, draft)) ?? redirectTo('/sign-in?again');
      if (!(await signIn(user))) return await this.stepView.show(reader, user, { next, draft }, failureText);
      const page = next ?? PAGE_AFTER_SIGN_IN;
      return (await this.expired.resume(user.id, request, draft, page)) ?? redirectTo(page);
    } catch (error) {
      const refusal = formRefusal(error, {}, reader.locale);
      const user = await this.steps.pendingUser(request);
      if (user) return this.stepView.show(reader, user, { next, draft }, refusal);
      const form = await this.expired.signInAgain(reader, draft, refusal);
      if (!form) throw error;
      return form;
    }
  }
}
