import type { Type } from '@nestjs/common';
import type { Job } from '#platform/jobs/job';
import { ChangesSweepJob } from '#platform/changes/changes-sweep.job';
import { MediaSweepJob } from '#platform/media/media-sweep.job';
import { KeptAnswersSweepJob } from '#platform/retries/kept-answers-sweep.job';
import { AccountMailsSweepJob } from './account-mail/account-mails-sweep.job';
import { AppsSweepJob } from './apps/apps-sweep.job';
import { LiveEventsJob } from './discover/live-events.job';
import { NamesSweepJob } from './identity/names-sweep.job';
import { BansLiftJob } from './moderation/bans-lift.job';
import { RemovedDeleteJob } from './moderation/removed-delete.job';
import { EventChangesJob } from './notifications/event-changes.job';
import { RemindersJob } from './notifications/reminders.job';
import { JoinedDigestJob } from './participation/joined-digest.job';
import { OffersSweepJob } from './participation/offers-sweep.job';
import { NoticesSweepJob } from './notifications/notices-sweep.job';
import { AccountErasuresJob } from './own-data/account-erasures.job';
import { DataExportsJob } from './own-data/data-exports.job';
import { RequestLogSweepJob } from './requests/request-log-sweep.job';
import { PulsExpireJob } from './puls/puls-expire.job';
import { PushSweepJob } from './push/push-sweep.job';
import { SeriesExtendJob } from './series/series-extend.job';
import { WebhooksSweepJob } from './webhooks/webhooks-sweep.job';

/** All scheduled jobs, in the order in which they run if several are due at the same time. */
export const JOBS: readonly Type<Job>[] = [
  BansLiftJob,
  EventChangesJob,
  RemindersJob,
  OffersSweepJob,
  JoinedDigestJob,
  NamesSweepJob,
  LiveEventsJob,
  PulsExpireJob,
  MediaSweepJob,
  SeriesExtendJob,
  KeptAnswersSweepJob,
  ChangesSweepJob,
  NoticesSweepJob,
  AccountMailsSweepJob,
  WebhooksSweepJob,
  RequestLogSweepJob,
  PushSweepJob,
  AppsSweepJob,
  RemovedDeleteJob,
  DataExportsJob,
  AccountErasuresJob,
];
