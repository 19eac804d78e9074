import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Token } from '#areas/identity/token.entity';
import { LIMITS } from '#contract/limits';
import { TOKEN_DAYS } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { fieldErrors, formValues, type FormValues } from '../forms';
import { localTime } from '../local-time';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { SignedIn, type Member } from './signed-in';
import { TokenSettings, type Made } from './token.settings';

interface Outcome {
  /** The fresh token, shown this once. */
  readonly secret?: string;
  readonly revoked?: boolean;
  /** The form has made its token already. */
  readonly formOver?: boolean;
  /** There was no room for it. */
  readonly isFull?: boolean;
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
}

/** /account/api: the API tab (PAGE-8). */
@Injectable()
export class TokenPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly tokens: TokenSettings,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      '/account/api',
      this.signedIn.only((member, reply, { query }) => {
        return this.show(member, reply, { revoked: (query as { revoked?: unknown }).revoked !== undefined });
      }),
    );

    fastify.post(
      '/account/api',
      ours,
      this.signedIn.only(async (member, reply, { body }) => {
        const values = formValues(body);
        // The page says who may.
        if (!this.tokens.isEligible(member.user)) return this.show(member, reply, {}, 403);
        let made: Made;
        try {
          made = await this.tokens.create(member.user, values);
        } catch (error) {
          return this.show(member, reply, { values, errors: fieldErrors(error, member.locale) }, 422);
        }
        if (made === 'form_over') return this.show(member, reply, { values, formOver: true }, 409);
        return made === 'full'
          ? this.show(member, reply, { values, isFull: true }, 409)
          : this.show(member, reply, made);
      }),
    );

    fastify.get(
      '/account/api/:id/revoke',
      this.signedIn.only(async (member, reply, { params }) => {
        const id = this.wire.ids.decode('token', (params as { id: string }).id);
        const token = id === null ? null : await this.tokens.find(member.user.id, id);
        if (!token) throw new Refusal('not_found');
        return this.pages.show(member, reply, 'revoke', {
          title: translator(member.locale)('revoke_title'),
          tab: 'api',
          token: this.row(token, member),
        });
      }),
    );

    fastify.post(
      '/account/api/:id/revoke',
      ours,
      this.signedIn.only(async ({ user }, reply, { params }) => {
        const id = this.wire.ids.decode('token', (params as { id: string }).id);
        if (id === null || !(await this.tokens.revoke(user.id, id))) throw new Refusal('not_found');
        return this.pages.goTo(reply, '/account/api?revoked');
      }),
    );
  }

  private async show(
    member: Member,
    reply: FastifyReply,
    { secret, revoked = false, formOver = false, isFull = false, values = {}, errors = {} }: Outcome,
    status = 200,
  ): Promise<FastifyReply> {
    const tokens = await this.tokens.list(member.user.id);
    const until = this.tokens.eligibleUntil(member.user);
    const content = {
      title: translator(member.locale)('tokens_title'),
      tab: 'api',
      revoked,
      formOver,
      isFull,
      values,
      errors,
      form_: this.tokens.newForm(),
      days: TOKEN_DAYS,
      tokens: tokens.map((token) => this.row(token, member)),
      eligible: this.tokens.isEligible(member.user),
      refused: status >= 400,
      premiumUntil: until && localTime(member, until),
      full: tokens.length >= LIMITS.tokens.per_account,
      max: LIMITS.tokens.per_account,
      fresh: secret === undefined ? null : { secret, curl: this.curl(secret) },
    } as const;
    return this.pages.show(member, reply, 'api', content, status);
  }

  private row({ id, name, access, tail, lastUsedAt, expiresAt }: Token, member: Member): object {
    return {
      id: this.wire.id('token', id),
      name,
      access,
      tail,
      lastUsed: lastUsedAt && localTime(member, lastUsedAt),
      expires: expiresAt && localTime(member, expiresAt),
    };
  }

  private curl(secret: string): string {
    return `curl -s ${this.wire.page('/api/v1/user')} -H 'Accept: application/json' -H 'Authorization: Bearer ${secret}'`;
  }
}
