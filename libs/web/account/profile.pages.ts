import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { userViolations } from '#areas/identity/user.rules';
import { GENDERS, LOCALES, type Locale } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { check, choicesOf, plainForm, select, text } from '../form/plan';
import { rawFields, type ApiValues, type RawFields } from '../form/raw-fields';
import { FormConflict } from '../form/form-precondition';
import { refuseOutdated, shownValues, type ShownValues } from '../form/shown-values';
import { fieldErrors, readFields, textIn, type FormValues } from '../forms';
import { chosenLanguage, languageCookie } from '../language';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { ownPlace } from '../places/own-place';
import { sentPlace } from '../places/sent-place';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { ProfileDto } from './account.dto';
import { ProfileService } from './profile.service';

const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { cs: 'Čeština', en: 'English' };

/**
 * The fields of the form. A hidden field contains the values that the form showed, so that changes by another request
 * are detected (PAGE-97).
 */
const PROFILE = plainForm(
  'profile',
  text('name', 'name'),
  text('nickname', 'nickname'),
  text('slug', 'slug'),
  select(
    'locale',
    'locale',
    LOCALES.map((value) => ({ value, name: LANGUAGE_NAMES[value] })),
  ),
  text('timezone', 'timezone'),
  text('birth_date', 'birth_date', { type: 'date' }),
  select('gender', 'gender', choicesOf(GENDERS, 'gender_')),
  text('iban', 'iban'),
  text('place', 'place_own'),
  check('searchable', 'searchable'),
  check('show_participation', 'show_participation'),
);

/** /account: the profile. */
@PageController()
@SignedInOnly()
export class ProfilePages {
  constructor(
    private readonly profile: ProfileService,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  @Get('account')
  page(@CurrentMember() member: Member, @Query('saved') saved: unknown): View {
    return this.show(member, textsOf(member.user), {}, { saved: saved !== undefined });
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
    const raw = sentFieldsOf(request);
    try {
      const { place, ...profile } = await this.read(fields);
      const placeField = place === undefined ? {} : { place: ownPlace(place, member.user.place) };
      await this.profile.save(member.user.id, { ...profile, ...placeField }, (user) =>
        refuseOutdated(PROFILE, raw, member, valuesOf(user)),
      );
      // A language cookie of this browser takes precedence over the profile (PAGE-72), so the cookie changes too.
      if (profile.locale !== member.user.locale && chosenLanguage(request) !== null)
        reply.header('set-cookie', languageCookie(profile.locale, this.settings.baseUrl));
    } catch (error) {
      if (error instanceof FormConflict)
        return this.show(member, {}, {}, { shown: shownValues(PROFILE, member, error.current, raw, error) });
      const shown = shownValues(PROFILE, member, valuesOf(member.user), raw);
      return this.show(member, fields, fieldErrors(error, member.locale), { shown });
    }
    return redirectTo('/account?saved');
  }

  @Post('account/avatar')
  @CheckForm({ takesUpload: true })
  async saveAvatar(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    try {
      await this.profile.saveAvatar(member.user.id, request);
    } catch (error) {
      return this.show(member, textsOf(member.user), fieldErrors(error, member.locale));
    }
    return redirectTo('/account?saved');
  }

  private async read(fields: FormValues): Promise<ProfileDto> {
    const profile = await readFields(ProfileDto, fields);
    userViolations({ birth_date: profile.birth_date }, this.clock.now()).throwIfAny();
    return profile;
  }

  private show(
    member: Member,
    sentValues: FormValues,
    sentErrors: Record<string, string>,
    { saved = false, shown }: { saved?: boolean; shown?: ShownValues } = {},
  ): View {
    const { user, locale } = member;
    const { hidden, labels, conflict } = shown ?? shownValues(PROFILE, member, valuesOf(user));
    const { values, errors } = conflict ?? { values: sentValues, errors: sentErrors };
    return view(
      'profile',
      {
        title: translator(locale)('profile'),
        tab: 'profile',
        values: {
          ...values,
          searchable: values.searchable === '1',
          show_participation: values.show_participation === '1',
        },
        places: !conflict && errors['place'] ? sentPlace(values.place).choices : [],
        errors,
        labels: { avatar: 'avatar', ...labels },
        conflict,
        hidden,
        saved,
        languages: Object.entries(LANGUAGE_NAMES),
        genders: GENDERS.toSorted(),
        avatar: this.wire.thumbOrNull(user.avatarKey, { isPublic: true }),
        profileUrl: `/people/${user.slug}`,
      },
      conflict ? 412 : Object.keys(errors).length > 0 ? 422 : 200,
    );
  }
}

/** Returns `0` for a box that is not ticked, because browsers do not send such a box. */
function boxOf(value: string | undefined): '1' | '0' {
  return value === '1' ? '1' : '0';
}

/** The fields as they were sent. `place` can be sent by a radio button and by a text field. */
function sentFieldsOf({ body }: FastifyRequest): RawFields {
  const raw = rawFields(body);
  const place = textIn(raw['place']);
  return place === undefined ? raw : { ...raw, place: [place] };
}

function valuesOf(user: User): ApiValues {
  const { name, nickname, slug, locale, timezone, birthDate, gender, iban, searchable, showParticipation } = user;
  return {
    name,
    nickname,
    slug,
    locale,
    timezone,
    birth_date: birthDate,
    gender,
    iban,
    place: user.place?.name ?? null,
    searchable,
    show_participation: showParticipation,
  };
}

/** The values as texts for the view. */
function textsOf(user: User): FormValues {
  const texts = Object.entries(valuesOf(user)).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? boxOf(value ? '1' : '0') : ((value ?? '') as string),
  ]);
  return Object.fromEntries(texts) as FormValues;
}
