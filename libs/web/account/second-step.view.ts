import { Injectable } from '@nestjs/common';
import { PasskeysCommands, type Passkey } from '#areas/second-step/passkeys.commands';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { totpAddress } from '#areas/second-step/totp.rules';
import { TotpCommands } from '#areas/second-step/totp.commands';
import { Database } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { qrSvg } from '#platform/text/qr-code';
import { localTime } from '../local-time';
import type { Member } from '../page.decorators';
import { translator } from '../texts';
import { view, type View } from '../view';

/** The result of a submitted form, to show on the page. */
export interface Outcome {
  /** Whether the form has turned the second step on or off; null for other forms. */
  readonly done?: 'on' | 'off' | null;
  /** New recovery codes, shown only once. */
  readonly codes?: readonly string[] | null;
  readonly errors?: Readonly<Record<string, string>>;
}

/** The page about the second step of signing in. */
@Injectable()
export class SecondStepView {
  constructor(
    private readonly database: Database,
    private readonly secondStep: SecondStepCommands,
    private readonly totp: TotpCommands,
    private readonly passkeys: PasskeysCommands,
    private readonly wire: WireFormat,
  ) {}

  async show(member: Member, { done = null, codes = null, errors = {} }: Outcome, status = 200): Promise<View> {
    const { user, locale } = member;
    const { isOn, totpSince, recoveryCodes } = await this.secondStep.stateOf(this.database, user.id);
    const pendingSecret = await this.totp.pendingSecret(user.id);
    return view(
      'second-step',
      {
        title: translator(locale)('second_step_tab'),
        tab: 'second_step',
        done,
        codes,
        errors,
        isOn,
        recoveryCodes,
        totpSince: totpSince && localTime(member, totpSince),
        newTotp:
          pendingSecret === null
            ? null
            : {
                letters: pendingSecret.replace(/(.{4})(?=.)/g, '$1 '),
                qr: await qrSvg(
                  totpAddress(pendingSecret, new URL(this.wire.page('/')).hostname, user.email ?? user.slug),
                ),
              },
        passkeysAreOn: this.passkeys.areSupported,
        passkeys: (await this.passkeys.list(user.id)).map((passkey) => this.row(passkey, member)),
      },
      status,
    );
  }

  private row({ id, name, createdAt, lastUsedAt }: Passkey, member: Member): object {
    return {
      id: this.wire.id('passkey', id),
      name,
      createdAt: localTime(member, createdAt),
      lastUsed: lastUsedAt && localTime(member, lastUsedAt),
    };
  }
}
