import { Injectable } from '@nestjs/common';
import { GENDERS } from '#contract/vocabulary';
import type { FormRefusal } from '../form/form-refusal';
import type { FormValues } from '../forms';
import { sentPlace } from '../places/sent-place';
import { VisibleEvents } from '../public/visible-events';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import { AccountLinks } from './account-links';
import { tooManyAttempts } from './sign-in-attempts';
import { SignIns } from './sign-ins';

/** The errors and messages that the form to sign in or to register shows. */
interface FormMessages {
  readonly errors?: Record<string, string>;
  /** Whether the sign-in or the registration was refused as a whole, for example because the password is wrong. */
  readonly failed?: boolean;
  /** Whether the sign-in by a passkey failed. */
  readonly passkeyFailed?: boolean;
  /** The refusal because there were too many attempts. */
  readonly refusal?: FormRefusal | null;
  /**
   * The message above the form: the reader has followed a link in a mail (`confirmed`, `reset`), or the second step
   * took too long (`again`).
   */
  readonly notice?: 'confirmed' | 'reset' | 'again' | null;
}

/** The pages /sign-in and /register. */
@Injectable()
export class SignInView {
  constructor(
    private readonly links: AccountLinks,
    private readonly signIns: SignIns,
    private readonly visibleEvents: VisibleEvents,
  ) {}

  async show(
    name: 'register' | 'sign-in',
    reader: Reader,
    next: string | null,
    values: FormValues = {},
    { errors = {}, failed = false, passkeyFailed = false, refusal = null, notice = null }: FormMessages = {},
  ): Promise<View> {
    const say = translator(reader.locale);
    const isRefused = failed || passkeyFailed || Object.keys(errors).length > 0;
    return view(
      name,
      {
        title: say(name === 'register' ? 'register' : 'sign_in'),
        hasVisitorForm: true,
        mail: this.links.canSendMail,
        passkeys: this.signIns.passkeysAreOn,
        notice,
        next,
        nextEvent: await this.visibleEvents.title(eventIn(next), reader),
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
        passkeyFailed,
        refused: refusal && tooManyAttempts(reader.locale),
      },
      refusal?.status ?? (isRefused ? 422 : 200),
    ).withHeaders(refusal?.headers ?? {});
  }
}

/** The id in the path of a page of an event; null for other paths. */
function eventIn(path: string | null): string | null {
  return /^\/events\/(\w+)(?![^/?#])/.exec(path ?? '')?.[1] ?? null;
}
