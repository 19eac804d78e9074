import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { userViolations } from '#areas/identity/user.rules';
import { Settings } from '#platform/config/settings';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { fieldErrors, readFields, type FormValues } from '../forms';
import { chosenLanguage, languageCookie } from '../language';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { ownPlace } from '../places/own-place';
import { sentPlace } from '../places/sent-place';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { ProfileDto } from './account.dto';
import { ProfileSettings } from './profile.settings';

/** /account: the profile. */
@PageController()
@SignedInOnly()
export class ProfilePages {
  constructor(
    private readonly profileSettings: ProfileSettings,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  @Get('account')
  page(@CurrentMember() member: Member, @Query('saved') saved: unknown): View {
    return this.show(member, valuesOf(member.user), {}, saved !== undefined);
  }

  @Post('account')
  @CheckForm()
  async save(
    @CurrentMember() member: Member,
    @FormFields() values: FormValues,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<View | Redirect> {
    const fields = {
      ...values,
      searchable: boxOf(values.searchable),
      show_participation: boxOf(values.show_participation),
    };
    try {
      const { place, ...profile } = await this.read(fields);
      const placeField = place === undefined ? {} : { place: ownPlace(place, member.user.place) };
      await this.profileSettings.save(member.user.id, { ...profile, ...placeField });
      // A language cookie of this browser takes precedence over the profile (PAGE-72), so the cookie changes too.
      if (profile.locale !== member.user.locale && chosenLanguage(request) !== null)
        reply.header('set-cookie', languageCookie(profile.locale, this.settings.baseUrl));
    } catch (error) {
      return this.show(member, fields, fieldErrors(error, member.locale));
    }
    return redirectTo('/account?saved');
  }

  @Post('account/avatar')
  @CheckForm({ takesUpload: true })
  async saveAvatar(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    try {
      await this.profileSettings.saveAvatar(member.user.id, request);
    } catch (error) {
      return this.show(member, valuesOf(member.user), fieldErrors(error, member.locale));
    }
    return redirectTo('/account?saved');
  }

  private async read(fields: FormValues): Promise<ProfileDto> {
    const profile = await readFields(ProfileDto, fields);
    userViolations({ birth_date: profile.birth_date }, this.clock.now()).throwIfAny();
    return profile;
  }

  private show(member: Member, values: FormValues, errors: Record<string, string>, saved = false): View {
    const { user, locale } = member;
    return view(
      'profile',
      {
        title: translator(locale)('account'),
        tab: 'profile',
        values: {
          ...values,
          searchable: values.searchable === '1',
          show_participation: values.show_participation === '1',
        },
        places: errors['place'] ? sentPlace(values.place).choices : [],
        errors,
        saved,
        avatar: this.wire.thumbOrNull(user.avatarKey, { isPublic: true }),
        profileUrl: `/people/${user.slug}`,
      },
      Object.keys(errors).length > 0 ? 422 : 200,
    );
  }
}

/** Returns `0` for a box that is not ticked, because browsers do not send such a box. */
function boxOf(value: string | undefined): '1' | '0' {
  return value === '1' ? '1' : '0';
}

function valuesOf(user: User): FormValues {
  const { name, nickname, slug, locale, timezone, birthDate, gender, iban, searchable, showParticipation } = user;
  return {
    name,
    nickname: nickname ?? '',
    slug,
    locale,
    timezone,
    birth_date: birthDate ?? '',
    gender: gender ?? '',
    iban: iban ?? '',
    place: user.place?.name ?? '',
    searchable: searchable ? '1' : '0',
    show_participation: showParticipation ? '1' : '0',
  };
}
