import { Injectable } from '@nestjs/common';
import type { User } from '#areas/identity/user.entity';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { Database } from '#platform/database/database';
import type { FormRefusal } from '../form/form-refusal';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import { tooManyAttempts } from './sign-in-attempts';
import { SignIns } from './sign-ins';

/** Values that the page passes on until the sign-in is complete. */
export interface AfterStep {
  /** The page to open after signing in. */
  readonly next: string | null;
  /** The draft of a form that was sent after its session had ended (`ExpiredForms`). */
  readonly draft: string | undefined;
}

/** The page that asks for the second step of signing in. */
@Injectable()
export class SignInStepView {
  constructor(
    private readonly database: Database,
    private readonly secondStep: SecondStepCommands,
    private readonly signIns: SignIns,
  ) {}

  /** `failed`: why the second step failed, or the refusal after too many attempts; null if nothing failed. */
  async show(
    reader: Reader,
    user: User,
    { next, draft }: AfterStep,
    failed: 'step_wrong' | 'passkey_failed' | FormRefusal | null = null,
  ): Promise<View> {
    const { totpSince, passkeys } = await this.secondStep.stateOf(this.database, user.id);
    const refusal = typeof failed === 'string' ? null : failed;
    return view(
      'step',
      {
        title: translator(reader.locale)('step_title'),
        hasVisitorForm: true,
        next,
        draft,
        failed: refusal ? null : failed,
        refused: refusal && tooManyAttempts(reader.locale),
        hasTotp: totpSince !== null,
        passkeys: passkeys > 0 && this.signIns.passkeysAreOn,
      },
      refusal?.status ?? (failed ? 422 : 200),
    ).withHeaders(refusal?.headers ?? {});
  }
}
