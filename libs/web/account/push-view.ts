import { Injectable } from '@nestjs/common';
import { PushChoicesCommands } from '#areas/push/push-choices.commands';
import { PushKeys } from '#areas/push/push-keys';
import { PushSubscriptionsService } from '#areas/push/push-subscriptions.service';
import { Settings } from '#platform/config/settings';
import { localTime } from '../local-time';
import type { Member } from '../page.decorators';

/**
 * The data about push messages for the page /account/notices. With PUSH=off, the methods return null or an empty list.
 */
@Injectable()
export class PushView {
  constructor(
    private readonly settings: Settings,
    private readonly keys: PushKeys,
    private readonly subscriptions: PushSubscriptionsService,
    private readonly choices: PushChoicesCommands,
  ) {}

  get isOn(): boolean {
    return this.settings.push;
  }

  /** The key with which a browser subscribes, and the member's subscribed browsers. */
  async contentFor(member: Member): Promise<{ key: string; browsers: readonly object[] } | null> {
    if (!this.isOn) return null;
    const browsers = (await this.subscriptions.list(member.user.id)).map(({ id, name, created_at }) => ({
      id,
      name,
      at: localTime(member, created_at),
    }));
    return { key: await this.keys.publicKey(), browsers };
  }

  /** The kinds of notices for which the member has turned off push messages. */
  async stoppedKinds({ user }: Member): Promise<readonly string[]> {
    return this.isOn ? this.choices.stoppedKindsOf(user.id) : [];
  }
}
