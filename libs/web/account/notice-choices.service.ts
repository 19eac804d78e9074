import { Injectable } from '@nestjs/common';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import type { NoticeKind } from '#areas/notifications/notice.texts';
import { PushChoicesCommands } from '#areas/push/push-choices.commands';
import type { ReminderHours } from '#contract/vocabulary';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';

/** Choices on /account/notices; null: the choice does not change. */
interface NoticeChoices {
  readonly mails: readonly NoticeKind[] | null;
  readonly pushes: readonly NoticeKind[] | null;
  readonly reminderHours: number | null;
}

/** `notMailed`, `notPushed`: the kinds of notices that the account does not get by mail, or as push messages. */
export interface StoredChoices {
  readonly notMailed: readonly string[];
  readonly notPushed: readonly string[];
  readonly reminderHours: number;
}

/** Stores the choices of the form on /account/notices. */
@Injectable()
export class NoticeChoicesService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly accounts: UsersCommands,
    private readonly mailChoices: MailChoicesCommands,
    private readonly pushChoices: PushChoicesCommands,
  ) {}

  /**
   * Stores either all choices or none. Throws 422 if `reminderHours` is invalid. `check` gets the stored choices of the
   * locked account before the change.
   */
  async save(
    userId: number,
    { mails, pushes, reminderHours }: NoticeChoices,
    check: (stored: StoredChoices) => void,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const user = await this.users.lockById(tx, userId);
      if (!user) throw new Refusal('not_found');
      const [notMailed, notPushed] = [
        await this.mailChoices.stoppedKindsOf(userId, tx),
        await this.pushChoices.stoppedKindsOf(userId, tx),
      ];
      check({ notMailed, notPushed, reminderHours: user.reminderHours });
      if (reminderHours !== null) {
        await this.accounts.update(tx, user, { reminder_hours: reminderHours as ReminderHours });
      }
      if (mails !== null) await this.mailChoices.choose(tx, userId, mails);
      if (pushes !== null) await this.pushChoices.choose(tx, userId, pushes);
    });
  }
}
