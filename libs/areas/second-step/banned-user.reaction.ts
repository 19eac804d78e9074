import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { UserBanned } from '../identity/user.signal';
import { SecondStepCommands } from './second-step.commands';

/** A ban ends the pending sign-ins of the account (STEP-1). They do not continue after the end of the ban. */
@Injectable()
export class EndPendingSignIns implements Reaction<UserBanned> {
  constructor(private readonly secondStep: SecondStepCommands) {}

  async react(tx: Transaction, { userId }: UserBanned): Promise<void> {
    await this.secondStep.endPendingSignIns(tx, userId);
  }
}
