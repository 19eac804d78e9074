import { Get, Post, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccountErasures } from '#areas/own-data/account-erasures';
import { DataExports } from '#areas/own-data/data-exports';
import { Refusal } from '#platform/http/refusal';
import { fieldErrors, type Form } from '../forms';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, FormBody, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { OwnPasswordDto } from './account.dto';
import { OwnPassword } from './own-password';
import { SignIns } from './sign-ins';

/** /account/data: the export of an account's data, and the deletion of the account (DATA-4, DATA-5, DATA-8). */
@PageController()
@SignedInOnly()
export class OwnDataPages {
  constructor(
    private readonly exports: DataExports,
    private readonly erasures: AccountErasures,
    private readonly password: OwnPassword,
    private readonly signIns: SignIns,
  ) {}

  @Get('account/data')
  page(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    return this.show(member, { done: (['kept', 'asked'] as const).find((one) => one in query) ?? null });
  }

  @Post('account/data/export')
  @CheckForm()
  async askForExport(@CurrentMember() { user }: Member): Promise<Redirect> {
    await this.exports.request(user.id);
    return redirectTo('/account/data');
  }

  @Get('account/data/export')
  async download(@CurrentMember() { user }: Member): Promise<StreamableFile> {
    const archive = await this.exports.open(user.id);
    if (!archive) throw new Refusal('not_found');
    return new StreamableFile(archive.content, {
      type: 'application/zip',
      length: archive.bytes,
      disposition: 'attachment; filename="my-data.zip"',
    });
  }

  @Post('account/data/erase')
  @CheckForm()
  async erase(
    @CurrentMember() member: Member,
    @FormBody(OwnPasswordDto) form: Form<OwnPasswordDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    try {
      const { password } = form.read();
      if (!(await this.password.isCorrect(member.user, password, request))) {
        return await this.show(member, { errors: { password: translator(member.locale)('wrong_password') } }, 422);
      }
    } catch (error) {
      return this.show(member, { errors: fieldErrors(error, member.locale) }, 422);
    }
    await this.erasures.request(member.user.id);
    await this.signIns.endOthers(member.session);
    return redirectTo('/account/data?asked');
  }

  @Post('account/data/keep')
  @CheckForm()
  async keepAccount(@CurrentMember() { user }: Member): Promise<Redirect> {
    await this.erasures.withdraw(user.id);
    return redirectTo('/account/data?kept');
  }

  private async show(
    member: Member,
    { done = null, errors = {} }: { done?: 'kept' | 'asked' | null; errors?: Record<string, string> },
    status = 200,
  ): Promise<View> {
    const [state, due] = await Promise.all([this.exports.stateOf(member.user.id), this.erasures.dueAt(member.user.id)]);
    const exported = state && {
      ...state,
      until: state.expiresAt && localTime(member, state.expiresAt),
      size: state.bytes === null ? null : sizeText(state.bytes, member),
    };
    return view(
      'own-data',
      {
        title: translator(member.locale)('data_title'),
        tab: 'data',
        done,
        errors,
        exported,
        due: due && localTime(member, due),
      },
      status,
    );
  }
}

/** A size of less than 0.1 MB is shown in kB. */
function sizeText(bytes: number, { locale }: Member): string {
  const [amount, unit, digits] = bytes < 1e5 ? [Math.ceil(bytes / 1e3), 'kB', 0] : [bytes / 1e6, 'MB', 1];
  const format = { maximumFractionDigits: digits, minimumFractionDigits: digits };
  return `${amount.toLocaleString(locale, format)} ${unit}`;
}
