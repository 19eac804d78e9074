import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module';
import { EndSubscriptionsOfSessions } from './ended-sessions.reaction';
import { PushChoicesCommands } from './push-choices.commands';
import { PushKeys } from './push-keys';
import { PushSending } from './push-sending';
import { PushSubscriptionsService } from './push-subscriptions.service';
import { PushSweepJob } from './push-sweep.job';
import { PushTries } from './push-tries';

@Module({
  imports: [NotificationsModule],
  providers: [
    EndSubscriptionsOfSessions,
    PushChoicesCommands,
    PushKeys,
    PushSending,
    PushSubscriptionsService,
    PushSweepJob,
    PushTries,
  ],
  exports: [PushChoicesCommands, PushKeys, PushSending, PushSubscriptionsService, PushSweepJob],
})
export class PushModule {}
