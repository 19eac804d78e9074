import { Injectable } from '@nestjs/common';
import type { User } from '#areas/identity/user.entity';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import { SecondSteps } from './second-steps';
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
export class StepView {
  constructor(
    private readonly steps: SecondSteps,
    private readonly signIns: SignIns,
  ) {}

  async show(
    reader: Reader,
    user: User,
    { next, draft }: AfterStep,
    failed: 'step_wrong' | 'passkey_failed' | null = null,
  ): Promise<View> {
    const { totpSince, passkeys } = await this.steps.stateOf(user.id);
    return view(
      'step',
      {
        title: translator(reader.locale)('step_title'),
        hasVisitorForm: true,
        next,
        draft,
        failed,
        hasApp: totpSince !== null,
        passkeys: passkeys > 0 && this.signIns.passkeysAreOn,
      },
      failed ? 422 : 200,
    );
  }
}
