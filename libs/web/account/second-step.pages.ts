import { Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PasskeysCommands, type Passkey } from '#areas/second-step/passkeys.commands';
import { LIMITS } from '#contract/limits';
import { idPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { withoutControls } from '#platform/text/characters';
import { Clock } from '#platform/time/clock';
import { fieldErrors, type Form, type FormValues } from '../forms';
import {
  CheckForm,
  CurrentMember,
  FormBody,
  FormFields,
  PageController,
  SignedInOnly,
  type Member,
} from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { storeChallenge, takeChallenge } from '../session';
import { translator, type TextKey } from '../texts';
import { view, type View } from '../view';
import { AskPasskeyDto } from './account.dto';
import { OwnPassword } from './own-password';
import { SecondStepService, type TurnedOn } from './second-step.service';
import { SecondStepView } from './second-step.view';

const PAGE = '/account/second-step';
const PasskeyIdPipe = idPipe('passkey');

/**
 * /account/second-step: authenticator app, passkeys and recovery codes. The first POST request of every change requires
 * the password (STEP-3, STEP-4, STEP-7 to STEP-9).
 */
@PageController()
@SignedInOnly()
export class SecondStepPages {
  constructor(
    private readonly password: OwnPassword,
    private readonly secondStep: SecondStepService,
    private readonly passkeys: PasskeysCommands,
    private readonly view: SecondStepView,
    private readonly clock: Clock,
  ) {}

  @Get('account/second-step')
  page(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    return this.view.show(member, { done: 'off' in query ? 'off' : null });
  }

  @Post('account/second-step/app')
  @CheckForm()
  async beginApp(
    @CurrentMember() member: Member,
    @FormFields() { app_password }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    if (!(await this.isPasswordCorrect(member, app_password, request)))
      return this.wrongPassword(member, 'app_password');
    await this.secondStep.beginApp(member.user.id);
    return redirectTo(`${PAGE}#app`);
  }

  @Post('account/second-step/app/confirm')
  @CheckForm()
  async confirmApp(@CurrentMember() member: Member, @FormFields() { code = '' }: FormValues): Promise<View> {
    return this.showResult(member, await this.secondStep.confirmApp(member, code), { code: 'step_wrong' });
  }

  @Get('account/second-step/app/off')
  askToRemoveApp(@CurrentMember() member: Member): View {
    return this.showRemovalForm(member, 'app_off');
  }

  @Post('account/second-step/app/off')
  @CheckForm()
  async removeApp(
    @CurrentMember() member: Member,
    @FormFields() { password }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    if (!(await this.isPasswordCorrect(member, password, request)))
      return this.showRemovalForm(member, 'app_off', true);
    await this.secondStep.removeApp(member.user.id);
    return redirectTo(`${PAGE}?off`);
  }

  @Post('account/second-step/recovery')
  @CheckForm()
  async renewCodes(
    @CurrentMember() member: Member,
    @FormFields() { codes_password }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    if (!(await this.isPasswordCorrect(member, codes_password, request)))
      return this.wrongPassword(member, 'codes_password');
    return this.view.show(member, { codes: await this.secondStep.renewCodes(member.user.id) });
  }

  /** Called by the page's script. Returns the WebAuthn options for a new passkey, or an error message. */
  @Post('account/second-step/passkeys/options')
  @CheckForm()
  async passkeyOptions(
    @CurrentMember() member: Member,
    @FormBody(AskPasskeyDto) form: Form<AskPasskeyDto>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const say = translator(member.locale);
    const refused = (status: number, message: string | undefined): object => {
      reply.code(status);
      return { message };
    };
    try {
      const { passkey_password } = form.read();
      if (!(await this.password.isCorrect(member.user, passkey_password, request)))
        return refused(422, say('wrong_password'));
      if ((await this.passkeys.list(member.user.id)).length >= LIMITS.second_step.passkeys)
        return refused(409, say('passkeys_full', { max: LIMITS.second_step.passkeys }));
    } catch (error) {
      return refused(422, Object.values(fieldErrors(error, member.locale))[0]);
    }
    const options = await this.passkeys.creationOptions(member.user);
    storeChallenge(request, 'add', options.challenge, this.clock.now());
    return options;
  }

  @Post('account/second-step/passkeys')
  @CheckForm()
  async addPasskey(
    @CurrentMember() member: Member,
    @FormFields() { name = '', response }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    const challenge = takeChallenge(request, 'add');
    const turnedOn = challenge && (await this.secondStep.addPasskey(member, passkeyName(name), challenge, response));
    return this.showResult(member, turnedOn, { name: 'passkey_failed' });
  }

  @Get('account/second-step/passkeys/:id/remove')
  async askToRemovePasskey(@CurrentMember() member: Member, @Param('id', PasskeyIdPipe) id: number): Promise<View> {
    return this.showRemovalForm(member, 'passkey_remove', false, (await this.passkeyOf(member, id)).name);
  }

  @Post('account/second-step/passkeys/:id/remove')
  @CheckForm()
  async removePasskey(
    @CurrentMember() member: Member,
    @Param('id', PasskeyIdPipe) id: number,
    @FormFields() { password }: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const { name } = await this.passkeyOf(member, id);
    if (!(await this.isPasswordCorrect(member, password, request)))
      return this.showRemovalForm(member, 'passkey_remove', true, name);
    await this.secondStep.removePasskey(member.user.id, id);
    return redirectTo(`${PAGE}?off`);
  }

  /**
   * Returns false for a wrong password. Control characters and outer spaces are removed first, as in the form to sign
   * in. An empty text is wrong too, but does not count as an attempt.
   */
  private async isPasswordCorrect(
    member: Member,
    typed: string | undefined,
    request: FastifyRequest,
  ): Promise<boolean> {
    const password = withoutControls(typed ?? '').trim();
    return password !== '' && this.password.isCorrect(member.user, password, request);
  }

  private wrongPassword(member: Member, field: 'app_password' | 'codes_password'): Promise<View> {
    return this.view.show(member, { errors: { [field]: translator(member.locale)('wrong_password') } }, 422);
  }

  private showResult(
    member: Member,
    turnedOn: TurnedOn | null,
    errorKeys: Readonly<Record<string, TextKey>>,
  ): Promise<View> {
    if (turnedOn) return this.view.show(member, { done: 'on', codes: turnedOn.codes });
    const say = translator(member.locale);
    const errors = Object.fromEntries(Object.entries(errorKeys).map(([field, key]) => [field, say(key)]));
    return this.view.show(member, { errors }, 422);
  }

  private showRemovalForm(
    member: Member,
    action: 'app_off' | 'passkey_remove',
    isPasswordWrong = false,
    name: string | null = null,
  ): View {
    const say = translator(member.locale);
    return view(
      'second-step-off',
      {
        title: say(action),
        tab: 'second_step',
        name,
        action,
        errors: isPasswordWrong ? { password: say('wrong_password') } : {},
      },
      isPasswordWrong ? 422 : 200,
    );
  }

  private async passkeyOf(member: Member, id: number): Promise<Passkey> {
    const found = (await this.passkeys.list(member.user.id)).find((one) => one.id === id);
    if (!found) throw new Refusal('not_found');
    return found;
  }
}

/**
 * Makes the sent name of a passkey valid. `AskPasskeyDto` validates the name only in the request for the options. A
 * program may send a different name in the later request that adds the passkey.
 */
function passkeyName(sent: string): string {
  const name = withoutControls(sent).replaceAll('\0', '').trim();
  return [...name].slice(0, LIMITS.second_step.name.max).join('') || '–';
}
