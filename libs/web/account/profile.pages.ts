import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { WireFormat } from '#platform/http/wire-format';
import { Violations } from '#platform/http/violations';
import { Clock } from '#platform/time/clock';
import { pragueDay } from '#platform/time/prague';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { ProfileDto } from './account.dto';
import { ProfileSettings } from './profile.settings';
import { SignedIn, type Member } from './signed-in';

/** /account: the profile. */
@Injectable()
export class ProfilePages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly settings: ProfileSettings,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      '/account',
      this.signedIn.only((member, reply, { query }) => {
        const saved = (query as { saved?: unknown }).saved !== undefined;
        return this.show(member, reply, valuesOf(member.user), {}, saved);
      }),
    );

    fastify.post(
      '/account',
      ours,
      this.signedIn.only(async (member, reply, { body }) => {
        const values = formValues(body);
        const sent = { ...values, searchable: values.searchable === '1' ? '1' : '0' };
        try {
          await this.settings.save(member.user.id, await this.read(sent));
        } catch (error) {
          return this.show(member, reply, sent, fieldErrors(error, member.locale));
        }
        return this.pages.goTo(reply, '/account?saved');
      }),
    );

    fastify.post(
      '/account/avatar',
      { ...ours, config: { takesUpload: true } },
      this.signedIn.only(async (member, reply, request) => {
        try {
          await this.settings.saveAvatar(member.user.id, request);
        } catch (error) {
          return this.show(member, reply, valuesOf(member.user), fieldErrors(error, member.locale));
        }
        return this.pages.goTo(reply, '/account?saved');
      }),
    );
  }

  private async read(sent: FormValues): Promise<ProfileDto> {
    const profile = await readFields(ProfileDto, sent);
    const errors = new Violations();
    if (profile.birth_date && profile.birth_date > pragueDay(this.clock.now()))
      errors.add('birth_date', 'not_in_the_future');
    errors.throwIfAny();
    return profile;
  }

  private show(
    member: Member,
    reply: FastifyReply,
    values: FormValues,
    errors: Record<string, string>,
    saved = false,
  ): Promise<FastifyReply> {
    const { user, locale } = member;
    const content = {
      title: translator(locale)('account'),
      tab: 'profile',
      values: { ...values, searchable: values.searchable === '1' },
      errors,
      saved,
      avatar: this.wire.thumbOrNull(user.avatarKey, { isPublic: true }),
      profileUrl: `/people/${user.slug}`,
    } as const;
    return this.pages.show(member, reply, 'profile', content, Object.keys(errors).length > 0 ? 422 : 200);
  }
}

function valuesOf({ name, nickname, slug, locale, timezone, birthDate, gender, iban, searchable }: User): FormValues {
  return {
    name,
    nickname: nickname ?? '',
    slug,
    locale,
    timezone,
    birth_date: birthDate ?? '',
    gender: gender ?? '',
    iban: iban ?? '',
    searchable: searchable ? '1' : '0',
  };
}
