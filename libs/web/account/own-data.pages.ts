import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccountErasures } from '#areas/own-data/account-erasures';
import { DataExports } from '#areas/own-data/data-exports';
import { Refusal } from '#platform/http/refusal';
import { fieldErrors, formValues, readFields } from '../forms';
import { localTime } from '../local-time';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { OwnPasswordDto } from './account.dto';
import { OwnPassword } from './own-password';
import { SignIns } from './sign-ins';
import { SignedIn, type Member } from './signed-in';

const MEGABYTE = 2 ** 20;

/** /account/data: everything about oneself as a file, and the end of the account (DATA-4, DATA-5, DATA-8). */
@Injectable()
export class OwnDataPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly exports: DataExports,
    private readonly erasures: AccountErasures,
    private readonly password: OwnPassword,
    private readonly signIns: SignIns,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      '/account/data',
      this.signedIn.only((member, reply, { query }) => {
        return this.show(member, reply, {
          done: (['kept', 'asked'] as const).find((one) => one in (query as object)) ?? null,
        });
      }),
    );
    fastify.post(
      '/account/data/export',
      ours,
      this.signedIn.only(async ({ user }, reply) => {
        await this.exports.ask(user.id);
        return this.pages.goTo(reply, '/account/data');
      }),
    );
    fastify.get(
      '/account/data/export',
      this.signedIn.only((member, reply) => this.download(member, reply)),
    );
    fastify.post(
      '/account/data/erase',
      ours,
      this.signedIn.only((member, reply, request) => this.erase(member, reply, request)),
    );
    fastify.post(
      '/account/data/keep',
      ours,
      this.signedIn.only(async ({ user }, reply) => {
        await this.erasures.takeBack(user.id);
        return this.pages.goTo(reply, '/account/data?kept');
      }),
    );
  }

  private async download({ user }: Member, reply: FastifyReply): Promise<FastifyReply> {
    const archive = await this.exports.open(user.id);
    if (!archive) throw new Refusal('not_found');
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-length': archive.bytes,
        'content-disposition': 'attachment; filename="my-data.zip"',
        'cache-control': 'no-store',
      })
      .send(archive.content);
  }

  private async erase(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    try {
      const { password } = await readFields(OwnPasswordDto, formValues(request.body));
      if (!(await this.password.isKnown(member.user, password, request))) {
        return this.show(member, reply, { errors: { password: translator(member.locale)('wrong_password') } }, 422);
      }
    } catch (error) {
      return this.show(member, reply, { errors: fieldErrors(error, member.locale) }, 422);
    }
    await this.erasures.ask(member.user.id);
    await this.signIns.endOthers(member.session);
    return this.pages.goTo(reply, '/account/data?asked');
  }

  private async show(
    member: Member,
    reply: FastifyReply,
    { done = null, errors = {} }: { done?: 'kept' | 'asked' | null; errors?: Record<string, string> },
    status = 200,
  ): Promise<FastifyReply> {
    const [state, due] = await Promise.all([this.exports.stateOf(member.user.id), this.erasures.dueAt(member.user.id)]);
    const exported = state && {
      ...state,
      until: state.expiresAt && localTime(member, state.expiresAt),
      size:
        state.bytes === null
          ? null
          : `${(state.bytes / MEGABYTE).toLocaleString(member.locale, { maximumFractionDigits: 1, minimumFractionDigits: 1 })} MB`,
    };
    const content = {
      title: translator(member.locale)('data_title'),
      tab: 'data',
      done,
      errors,
      exported,
      due: due && localTime(member, due),
    } as const;
    return this.pages.show(member, reply, 'own-data', content, status);
  }
}
