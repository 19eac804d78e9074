import formbody from '@fastify/formbody';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { LinkPages } from './account/link.pages';
import { NoticePages } from './account/notice.pages';
import { MyEventsPages } from './account/my-events.pages';
import { OwnDataPages } from './account/own-data.pages';
import { ProfilePages } from './account/profile.pages';
import { SecondStepPages } from './account/second-step.pages';
import { SecurityPages } from './account/security.pages';
import { SessionPages } from './account/session.pages';
import { StepPages } from './account/step.pages';
import { SignInPages } from './account/sign-in.pages';
import { TokenPages } from './account/token.pages';
import { WebhookPages } from './account/webhook.pages';
import { UnsubscribePages } from './account/unsubscribe.pages';
import { serveAssets } from './assets';
import { answerFailures, errorPages } from './failures';
import { pageHeaders } from './headers';
import { CalendarPages } from './calendars/calendar.pages';
import { DoorPages } from './door/door.pages';
import { TicketPages } from './door/ticket.pages';
import { FeedPages } from './feeds/feed.pages';
import { DecisionPages } from './moderation/decision.pages';
import { ObjectionPages } from './moderation/objection.pages';
import { QueuePages } from './moderation/queue.pages';
import { ReportPages } from './moderation/report.pages';
import { Pages } from './pages';
import { EventPages } from './public/event.pages';
import { ExplorePages } from './public/explore.pages';
import { GroupPages } from './public/group.pages';
import { JoiningPages } from './public/joining.pages';
import { PersonPages } from './public/person.pages';
import { PulsPages } from './public/puls.pages';
import { SeriesPages } from './public/series.pages';
import { PostPages } from './public/post.pages';
import { SitePages } from './site.pages';
import { keepSessions } from './session';

const PARTS = [
  SignInPages,
  StepPages,
  ProfilePages,
  SessionPages,
  TokenPages,
  WebhookPages,
  NoticePages,
  LinkPages,
  SecurityPages,
  SecondStepPages,
  OwnDataPages,
  UnsubscribePages,
  EventPages,
  JoiningPages,
  ExplorePages,
  MyEventsPages,
  SeriesPages,
  PulsPages,
  GroupPages,
  PostPages,
  PersonPages,
  SitePages,
  CalendarPages,
  FeedPages,
  DoorPages,
  TicketPages,
  QueuePages,
  ObjectionPages,
  DecisionPages,
  ReportPages,
] as const;

/**
 * The pages for people, beside the API on the same server: their headers, sessions, forms and errors are their own, in a
 * Fastify plugin that shares nothing with the API's routes. Call it once, before `app.init()`.
 */
export function serveWeb(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const settings = app.get(Settings);
  const pages = app.get(Pages);
  const writeHeaders = pageHeaders(settings);
  const showError = errorPages(pages, writeHeaders);
  let web: FastifyInstance = fastify;
  fastify.decorate('answerByPage', (status, request, reply) => showError(web, status, request, reply));
  void fastify.register(async (plugin) => {
    web = plugin;
    web.addHook('onRequest', async (_request, reply) => writeHeaders(reply));
    await keepSessions(web, settings);
    web.removeContentTypeParser('application/json');
    await web.register(formbody, { bodyLimit: LIMITS.accounts.form_bytes });
    answerFailures(web);
    serveAssets(web);
    web.addHook('onRequest', async ({ url }) => {
      if (holdsNul(url)) throw new Refusal('not_found');
    });
    for (const part of PARTS) app.get<{ serve(web: FastifyInstance): void }>(part).serve(web);
  });
}

/** The database could not even be asked for it. */
function holdsNul(url: string): boolean {
  return url.split('?', 1)[0]?.includes('%00') ?? false;
}
