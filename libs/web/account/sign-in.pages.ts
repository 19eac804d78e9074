import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { userViolations } from '#areas/identity/user.rules';
import { withoutControls } from '#platform/text/characters';
import { Clock } from '#platform/time/clock';
import { parseDay } from '#platform/time/input-time';
import { plainDay } from '../form/raw-fields';
import { checkAll, fieldErrors, type Form, type FormValues } from '../forms';
import { ExpiredForms, MAX_DRAFT_FORM_BYTES } from '../form/expired-forms';
import { formRefusal } from '../form/form-refusal';
import { localPath } from '../local-path';
import { CheckForm, CurrentReader, FormBody, FormFields, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { newAddress, storeNewAddress } from '../session';
import { ownPlace } from '../places/own-place';
import { View } from '../view';
import { RegisterDto } from './account.dto';
import { AccountLinks } from './account-links';
import { Accounts, EmailTaken } from './accounts';
import { SignInAttempts } from './sign-in-attempts';
import { SignInView } from './sign-in.view';
import { PAGE_AFTER_SIGN_IN, SignIns } from './sign-ins';
import { SignInStepView } from './sign-in-step.view';

/** The pages for registration and sign-in, and the form that signs a person out. */
@PageController()
export class SignInPages {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: AccountLinks,
    private readonly attempts: SignInAttempts,
    private readonly signIns: SignIns,
    private readonly signInView: SignInView,
    private readonly stepView: SignInStepView,
    private readonly expired: ExpiredForms,
    private readonly clock: Clock,
  ) {}

  @Get('register')
  registerForm(@CurrentReader() reader: Reader, @Query('next') next: unknown): Promise<View> {
    return this.signInView.show('register', reader, localPath(next));
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
      await this.attempts.countForNetwork(request);
    } catch (error) {
      const refusal = formRefusal(error, {}, reader.locale);
      return this.signInView.show('register', reader, next, form.values, { refusal });
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
      if (this.links.canSendMail) {
        await this.links.askToRegister(fields, reader.locale, next);
        storeNewAddress(request, fields.email);
        return redirectTo('/register/sent');
      }
      await this.signIns.begin(request, await this.accounts.create({ ...fields, locale: reader.locale }));
    } catch (error) {
      const refused = error instanceof EmailTaken ? { failed: true } : { errors: fieldErrors(error, reader.locale) };
      return this.signInView.show('register', reader, next, form.values, refused);
    }
    return redirectTo(next ?? PAGE_AFTER_SIGN_IN);
  }

  @Get('sign-in')
  signInForm(
    @CurrentReader() reader: Reader,
    @Query() query: { readonly next?: unknown },
    @Req() request: FastifyRequest,
  ): Promise<View> {
    const notice = (['confirmed', 'reset', 'again'] as const).find((one) => one in query) ?? null;
    const values = notice === 'confirmed' ? { email: newAddress(request) } : {};
    return this.signInView.show('sign-in', reader, localPath(query.next), values, { notice });
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
        this.signInView.show('sign-in', reader, next, values, { refusal })
      );
    });
    if (attempt instanceof View) return attempt;
    const user = await this.accounts.authenticate(email, withoutControls(values.password ?? '').trim());
    const outcome = user ? await this.signIns.continueAfterPassword(request, user) : 'refused';
    if (outcome === 'refused')
      return (
        this.expired.refuse(reader, values.draft, email) ??
        this.signInView.show('sign-in', reader, next, values, { failed: true })
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
}
