import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PushSending } from '#areas/push/push-sending';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { makeDataFolder } from '#platform/config/data-folder';
import { loadSettings } from '#platform/config/load-settings';
import { type Settings } from '#platform/config/settings';
import { Jobs } from '#platform/jobs/jobs';
import { JobScheduler } from '#platform/jobs/job-scheduler';
import { NestLog } from '#platform/logging/nest-log';
import { Ffmpeg } from '#platform/media/ffmpeg';
import { Scratch } from '#platform/media/scratch';
import { thisWorker } from '#platform/workers/worker';
import { cannotListen } from './cannot-listen';
import { newAdapter, setUpServer } from './server.setup';
import { endOnSignalOrMessage, Readiness } from './readiness';
import { ServerModule } from './server.module';

export interface Server {
  readonly app: NestFastifyApplication;
  readonly settings: Settings;
}

/** Prepares the server without listening: settings, database, migrations, areas, routes. */
export async function createServer(): Promise<Server> {
  const settings = loadSettings();
  makeDataFolder(settings.dataDir);
  const adapter = newAdapter(settings);
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.with(settings), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(adapter.getInstance().log, settings.production ? [] : [Jobs.name]),
  });
  await setUpServer(app);
  endOnSignalOrMessage(app.get(Readiness), settings.shutdownDelay, () => app.close());
  return { app, settings };
}

/**
 * Deletes the scratch folders of dead processes, and listens. The first process of the machine also starts the jobs and
 * the sending of webhooks, push messages and mails, except what the settings turn off. After the server has started to
 * listen, this function does not wait for the database, so an unreachable database does not end the process (OPS-10).
 */
export async function open({ app, settings }: Server): Promise<void> {
  await app.get(Scratch).removeFoldersOfDeadProcesses();
  // These tasks run in one process per machine; the database coordinates several machines.
  const isFirst = (thisWorker()?.number ?? 0) === 0;
  await app.init();
  if (isFirst) await app.get(MailDelivery).start();
  await app.listen(settings.port, settings.host).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen('PORT', settings.port, settings.host, error);
  });
  void warnWithoutFfmpeg(app);
  if (!isFirst || !settings.jobs) return;
  app.get(JobScheduler).start();
  app.get(WebhookSending).start();
  if (settings.push) app.get(PushSending).start();
}

/**
 * Logs one line if there is no usable ffmpeg, so that operators notice the problem before users do. The start does not
 * wait for this check, because the check takes longer than the start.
 */
async function warnWithoutFfmpeg(app: NestFastifyApplication): Promise<void> {
  const { program, problems } = await app.get(Ffmpeg).report();
  if (program === null)
    new Logger('ffmpeg').warn(`There is no usable ffmpeg, so videos are refused with 503: ${problems.join('; ')}.`);
}
