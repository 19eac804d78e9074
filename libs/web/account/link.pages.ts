import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { fieldErrors, type Form, type FormValues } from '../forms';
import { CheckForm, CurrentReader, FormBody, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { newAddress, storeNewAddress } from '../session';
import { translator, type TextKey } from '../texts';
import { view, type View } from '../view';
import { ForgottenDto, NewPasswordDto } from './account.dto';
import { AccountLinks, LinkIsVoid } from './account-links';
import { SignInAttempts } from './sign-in-attempts';

type LinkMessage = 'again_sent' | 'forgot_sent' | 'link_void';

/** The content of the page for a link that is not valid. */
interface VoidLink {
  /** True if the link was for a new address of an existing account. */
  readonly isChange?: boolean;
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
}

/**
 * The pages to which mailed links lead (/confirm, /reset), and the pages on which people request such links (/forgot,
 * /register/…) (MAIL-1 to MAIL-7). Opening a link changes nothing; only the form of the opened page changes something.
 */
@PageController()
export class LinkPages {
  constructor(
    private readonly links: AccountLinks,
    private readonly attempts: SignInAttempts,
  ) {}

  @Get('register/sent')
  registerSent(@CurrentReader() reader: Reader, @Req() request: FastifyRequest): View {
    const say = translator(reader.locale);
    const address = newAddress(request) ?? null;
    const text = say('register_sent_text', { address: address ?? say('register_sent_address') });
    const resendTo = this.links.canSendMail ? address : null;
    const content = { title: say('register_sent'), text, offersRegistration: true, hasVisitorForm: true, resendTo };
    return view('result-text', content);
  }

  @Get('register/sent-again')
  sentAgain(@CurrentReader() reader: Reader): View {
    return this.message(reader, 'again_sent');
  }

  @Post('register/again')
  @CheckForm()
  async sendAgain(
    @CurrentReader() reader: Reader,
    @FormBody(ForgottenDto) form: Form<ForgottenDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    await this.attempts.countForNetwork(request);
    // Without a mail server, no links can be mailed.
    if (!this.links.canSendMail) throw new Refusal('not_found');
    try {
      await this.links.requestAgain(form.read().email, reader.locale);
    } catch (error) {
      const refused = { values: { email: form.values.email }, errors: fieldErrors(error, reader.locale) };
      return this.voidLinkPage(reader, refused, 422);
    }
    return redirectTo('/register/sent-again');
  }

  @Get('forgot/sent')
  forgotSent(@CurrentReader() reader: Reader): View {
    return this.message(reader, 'forgot_sent');
  }

  @Get('forgot')
  forgot(@CurrentReader() reader: Reader): View {
    return this.forgotForm(reader);
  }

  @Post('forgot')
  @CheckForm()
  async requestReset(
    @CurrentReader() reader: Reader,
    @FormBody(ForgottenDto) form: Form<ForgottenDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    await this.attempts.countForNetwork(request);
    if (!this.links.canSendMail) throw new Refusal('not_found');
    try {
      await this.links.askForReset(form.read().email, reader.locale);
    } catch (error) {
      return this.forgotForm(reader, form.values.email, fieldErrors(error, reader.locale));
    }
    return redirectTo('/forgot/sent');
  }

  @Get('reset/:token')
  async newPassword(@CurrentReader() reader: Reader, @Param('token') token: string): Promise<View> {
    return (await this.links.resetLink(token)) ? this.resetForm(reader) : this.message(reader, 'link_void', 410);
  }

  @Post('reset/:token')
  @CheckForm()
  async reset(
    @CurrentReader() reader: Reader,
    @Param('token') token: string,
    @FormBody(NewPasswordDto) form: Form<NewPasswordDto>,
  ): Promise<View | Redirect> {
    try {
      await this.links.reset(token, form.read().password);
    } catch (error) {
      if (error instanceof LinkIsVoid) return this.message(reader, 'link_void', 410);
      return this.resetForm(reader, fieldErrors(error, reader.locale));
    }
    return redirectTo('/sign-in?reset');
  }

  @Get('confirm/:token')
  async askToConfirm(@CurrentReader() reader: Reader, @Param('token') token: string): Promise<View> {
    const link = await this.links.confirmationLink(token);
    if (!link) return this.voidConfirmationPage(reader, token);
    return view('confirm', {
      title: translator(reader.locale)('confirm_title'),
      hasVisitorForm: true,
      address: link.address,
    });
  }

  @Post('confirm/:token')
  @CheckForm()
  async confirm(
    @CurrentReader() reader: Reader,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    try {
      const { kind, userId, nextPath, address } = await this.links.confirm(token);
      storeNewAddress(request, address);
      if (kind === 'email' && userId !== null && reader.user?.id === userId)
        return redirectTo('/account/security?email');
      return redirectTo(`/sign-in?confirmed${nextPath ? `&next=${encodeURIComponent(nextPath)}` : ''}`);
    } catch (error) {
      if (error instanceof LinkIsVoid) return this.voidConfirmationPage(reader, token);
      throw error;
    }
  }

  /**
   * The page for a confirmation link that is not valid. With the form of the page, a person can request a new link for
   * a registration. If the link was for a new address of an account, the page leads to /account/security instead.
   */
  private async voidConfirmationPage(reader: Reader, token: string): Promise<View> {
    const voidLink = await this.links.kindAndAddressOf(token);
    return voidLink?.kind === 'email'
      ? this.voidLinkPage(reader, { isChange: true })
      : this.voidLinkPage(reader, { values: { email: voidLink?.address } });
  }

  private voidLinkPage(reader: Reader, { isChange = false, values = {}, errors = {} }: VoidLink, status = 410): View {
    const title = translator(reader.locale)('link_void');
    return view(
      'link-void',
      { title, hasVisitorForm: true, mail: this.links.canSendMail, isChange, values, errors },
      status,
    );
  }

  private forgotForm(reader: Reader, email = '', errors: Record<string, string> = {}): View {
    if (!this.links.canSendMail) throw new Refusal('not_found');
    const title = translator(reader.locale)('forgot_title');
    return view(
      'forgot',
      { title, hasVisitorForm: true, values: { email }, errors },
      Object.keys(errors).length > 0 ? 422 : 200,
    );
  }

  private resetForm(reader: Reader, errors: Record<string, string> = {}): View {
    const title = translator(reader.locale)('reset_title');
    return view('reset', { title, hasVisitorForm: true, errors }, Object.keys(errors).length > 0 ? 422 : 200);
  }

  private message(reader: Reader, key: LinkMessage, status = 200): View {
    const say = translator(reader.locale);
    const text: TextKey = `${key}_text`;
    return view(
      'result-text',
      {
        title: say(key),
        text: say(text),
        isError: status >= 400,
        isForgotSent: key === 'forgot_sent',
        offersReset: key === 'link_void' && this.links.canSendMail,
      },
      status,
    );
  }
}
