import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Token } from '#areas/identity/token.entity';
import { LIMITS } from '#contract/limits';
import { NARROW_SCOPES } from '#contract/scopes';
import { TOKEN_DAYS } from '#contract/vocabulary';
import { idPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { scopeText } from '../apps/app-words';
import { FormRunner } from '../form/form-runner';
import { chosenIn, type RawFields } from '../form/raw-fields';
import { errorsForPeople, formValues, type FormValues } from '../forms';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { OwnTokensService } from './own-tokens.service';

const TokenIdPipe = idPipe('token');

interface Outcome {
  /** The new token, shown only once. */
  readonly secret?: string;
  readonly revoked?: boolean;
  /** True if no token was created because the form can no longer be used (`form_over` of `CreateResult`). */
  readonly isFormOver?: boolean;
  /** True if no token was created because the account has the maximum number of tokens. */
  readonly isRefusedAtLimit?: boolean;
  /** Why no token was created, if the refusal concerns no field. */
  readonly refused?: string | null;
  readonly values?: FormValues;
  readonly chosenScopes?: readonly string[];
  readonly errors?: Record<string, string>;
}

/** /account/api: the tab “For developers” (PAGE-8). */
@PageController()
@SignedInOnly()
export class TokenPages {
  constructor(
    private readonly tokens: OwnTokensService,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/api')
  page(@CurrentMember() member: Member, @Query('revoked') revoked: unknown): Promise<View> {
    return this.show(member, { revoked: revoked !== undefined });
  }

  @Post('account/api')
  @CheckForm()
  create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    const sentIn = (raw: RawFields) => ({
      values: formValues(raw),
      chosenScopes: chosenIn(raw, 'scopes', NARROW_SCOPES),
    });
    return this.formRunner.runToView(member, request, {
      action: async (raw) => {
        if (!this.tokens.isEligible(member.user)) throw new Refusal('premium_required');
        const sent = sentIn(raw);
        const result = await this.tokens.create(member.user, sent.values, sent.chosenScopes);
        if (result === 'form_over') return this.show(member, { ...sent, isFormOver: true }, 409);
        return result === 'full'
          ? this.show(member, { ...sent, isRefusedAtLimit: true }, 409)
          : this.show(member, result);
      },
      show: ({ code, text, raw, errors, status }) => {
        const reason = code === 'premium_required' ? translator(member.locale)('tokens_why_not') : text;
        const refused = Object.keys(errors).length > 0 ? null : reason;
        return this.show(member, { ...sentIn(raw), refused, errors: errorsForPeople(errors, member.locale) }, status);
      },
    });
  }

  @Get('account/api/:id/revoke')
  async askToRevoke(@CurrentMember() member: Member, @Param('id', TokenIdPipe) id: number): Promise<View> {
    const token = await this.tokens.find(member.user.id, id);
    if (!token) throw new Refusal('not_found');
    return view('revoke', {
      title: translator(member.locale)('revoke_title'),
      tab: 'api',
      token: this.row(token, member),
    });
  }

  @Post('account/api/:id/revoke')
  @CheckForm()
  async revoke(@CurrentMember() { user }: Member, @Param('id', TokenIdPipe) id: number): Promise<Redirect> {
    if (!(await this.tokens.revoke(user.id, id))) throw new Refusal('not_found');
    return redirectTo('/account/api?revoked');
  }

  private async show(
    member: Member,
    {
      secret,
      revoked = false,
      isFormOver = false,
      isRefusedAtLimit = false,
      refused = null,
      values = {},
      chosenScopes = [],
      errors = {},
    }: Outcome,
    status = 200,
  ): Promise<View> {
    const tokens = await this.tokens.list(member.user.id);
    const until = this.tokens.eligibleUntil(member.user);
    return view(
      'api',
      {
        title: translator(member.locale)('tokens_title'),
        tab: 'api',
        revoked,
        isFormOver,
        isRefusedAtLimit,
        values,
        errors,
        formId: this.tokens.newFormId(),
        days: TOKEN_DAYS,
        scopes: NARROW_SCOPES.map((scope) => ({
          scope,
          isChosen: chosenScopes.includes(scope),
          words: scopeText(scope, member.locale),
        })),
        tokens: tokens.map((token) => this.row(token, member)),
        eligible: this.tokens.isEligible(member.user),
        refused,
        premium: until && premiumText(until, member),
        isAtLimit: tokens.length >= LIMITS.tokens.per_account,
        max: LIMITS.tokens.per_account,
        fresh: secret === undefined ? null : { secret, curl: this.curl(secret) },
      },
      status,
    );
  }

  private row({ id, name, access, scopes, tail, lastUsedAt, expiresAt }: Token, member: Member): object {
    return {
      id: this.wire.id('token', id),
      name,
      access: scopes ? null : access,
      scopes: scopes?.map((scope) => scopeText(scope, member.locale)) ?? null,
      tail,
      lastUsed: lastUsedAt && localTime(member, lastUsedAt),
      expires: expiresAt && localTime(member, expiresAt),
    };
  }

  private curl(secret: string): string {
    return `curl -s ${this.wire.page('/api/v1/user')} -H 'Accept: application/json' -H 'Authorization: Bearer ${secret}'`;
  }
}

/** If Premium lasts until the last allowed year, the text says that Premium does not end. */
function premiumText(until: Date, member: Member): string {
  const say = translator(member.locale);
  if (until.getUTCFullYear() >= LIMITS.years.max) return say('tokens_premium_always');
  return say('tokens_premium_until', { time: localTime(member, until) });
}
