import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { userViolations } from '#areas/identity/user.rules';
import { GENDERS } from '#contract/vocabulary';
import { withoutControls } from '#platform/text/characters';
import { Clock } from '#platform/time/clock';
import { parseDay } from '#platform/time/input-time';
import { plainDay } from '../form/raw-fields';
import { checkAll, fieldErrors, type Form, type FormValues } from '../forms';
import { ExpiredForms, MAX_DRAFT_FORM_BYTES } from '../form/expired-forms';
import { formRefusal, type FormRefusal } from '../form/form-refusal';
import { localPath } from '../local-path';
import { CheckForm, CurrentReader, FormBody, FormFields, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { newAddress, storeNewAddress } from '../session';
import { ownPlace } from '../places/own-place';
import { sentPlace } from '../places/sent-place';
import { translator } from '../texts';
import { view, View } from '../view';
import { RegisterDto } from './account.dto';
import { AccountLinks } from './account-links';
import { Accounts, EmailTaken } from './accounts';
import { SignInAttempts, tooManyAttempts } from './sign-in-attempts';
import { PAGE_AFTER_SIGN_IN, SignIns } from './sign-ins';
import { SignInStepView } from './sign-in-step.view';

/** The errors and messages that the form to sign in or to register shows. */
interface FormMessages {
  readonly errors?: Record<string, string>;
  /** Whether the sign-in or the registration was refused as a whole, for example because the password is wrong. */
  readonly failed?: boolean;
  /** The refusal because there were too many attempts. */
  readonly refusal?: FormRefusal | null;
  /**
   * The message above the form: the reader has followed a link in a mail (`confirmed`, `reset`), or the second step
   * took too long (`again`).
   */
  readonly notice?: 'confirmed' | 'reset' | 'again' | null;
}

/** /register, /sign-in, /sign-out. */
@PageController()
export class SignInPages {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
    private readonly attempts: SignInAttempts,
    private readonly signIns: SignIns,
    private readonly stepView: SignInStepView,
    private readonly expired: ExpiredForms,
    private readonly clock: Clock,
  ) {}

  @Get('register')
  registerForm(@CurrentReader() reader: Reader, @Query('next') next: unknown): View {
    return this.form('register', reader, localPath(next));
  }

  @Post('register')
  @CheckForm()
  async register(
    @CurrentReader() reader: Reader,
    @FormBody(RegisterDto) form: Form<RegisterDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const next = localPath(form.values.next);
    try {
      await this.attempts.countOrigin(request);
    } catch (error) {
      const refusal = formRefusal(error, {}, reader.locale);
      return this.form('register', reader, next, form.values, { refusal }).withHeaders(refusal.headers);
    }
    try {
      const { email = '', birth_date: day = '', place: typedPlace } = form.values;
      checkAll(
        () => form.read(),
        () =>
          userViolations(
            { email: email.trim(), birth_date: parseDay(plainDay(day.trim())) },
            this.clock.now(),
          ).throwIfAny(),
        () => ownPlace(typedPlace),
      );
      const { place, ...typed } = form.read();
      const fields = { ...typed, place: ownPlace(place) };
      if (this.links.isOn) {
        await this.links.askToRegister(fields, reader.locale, next);
        storeNewAddress(request, fields.email);
        return redirectTo('/register/sent');
      }
      await this.signIns.begin(request, await this.accounts.create({ ...fields, locale: reader.locale }));
    } catch (error) {
      const refused = error instanceof EmailTaken ? { failed: true } : { errors: fieldErrors(error, reader.locale) };
      return this.form('register', reader, next, form.values, refused);
    }
    return redirectTo(next ?? PAGE_AFTER_SIGN_IN);
  }

  @Get('sign-in')
  signInForm(
    @CurrentReader() reader: Reader,
    @Query() query: { readonly next?: unknown },
    @Req() request: FastifyRequest,
  ): View {
    const notice = (['confirmed', 'reset', 'again'] as const).find((one) => one in query) ?? null;
    const values = notice === 'confirmed' ? { email: newAddress(request) } : {};
    return this.form('sign-in', reader, localPath(query.next), values, { notice });
  }

  @Post('sign-in')
  @CheckForm({ maxBytes: MAX_DRAFT_FORM_BYTES })
  async signIn(
    @CurrentReader() reader: Reader,
    @FormFields() values: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    // No account has an address with a NUL, and PostgreSQL does not accept a NUL in a value.
    const email = (values.email ?? '').replaceAll('\0', '').trim();
    const next = localPath(values.next);
    const attempt = await this.attempts.count(request, email).catch((error: unknown) => {
      const refusal = formRefusal(error, {}, reader.locale);
      return (
        this.expired.refuse(reader, values.draft, email, refusal) ??
        this.form('sign-in', reader, next, values, { refusal }).withHeaders(refusal.headers)
      );
    });
    if (attempt instanceof View) return attempt;
    const user = await this.accounts.authenticate(email, withoutControls(values.password ?? '').trim());
    const outcome = user ? await this.signIns.continueAfterPassword(request, user) : 'refused';
    if (outcome === 'refused')
      return (
        this.expired.refuse(reader, values.draft, email) ?? this.form('sign-in', reader, next, values, { failed: true })
      );
    if (user && outcome === 'step' && values.draft !== undefined)
      return this.stepView.show(reader, user, { next, draft: values.draft });
    if (outcome === 'step')
      return redirectTo(`/sign-in/step${next === null ? '' : `?next=${encodeURIComponent(next)}`}`);
    await this.attempts.reset(attempt);
    const target = next ?? PAGE_AFTER_SIGN_IN;
    return (user && (await this.expired.resume(user.id, request, values.draft, target))) ?? redirectTo(target);
  }

  @Post('sign-out')
  @CheckForm()
  async signOut(@Req() request: FastifyRequest): Promise<Redirect> {
    await this.signIns.end(request);
    return redirectTo('/');
  }

  private form(
    name: 'register' | 'sign-in',
    reader: Reader,
    next: string | null,
    values: FormValues = {},
    { errors = {}, failed = false, refusal = null, notice = null }: FormMessages = {},
  ): View {
    const say = translator(reader.locale);
    return view(
      name,
      {
        title: say(name === 'register' ? 'register' : 'sign_in'),
        hasVisitorForm: true,
        mail: this.links.isOn,
        passkeys: this.signIns.passkeysAreOn,
        notice,
        next,
        values: {
          name: values.name,
          email: values.email,
          birth_date: values.birth_date,
          gender: values.gender,
          show_participation: values.show_participation === '1',
          place: values.place,
        },
        places: errors['place'] ? sentPlace(values.place).choices : [],
        genders: GENDERS.toSorted(),
        errors,
        failed,
        refused: refusal && tooManyAttempts(reader.locale),
      },
      refusal?.status ?? (failed || Object.keys(errors).length > 0 ? 422 : 200),
    );
  }
}
