import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Get, Injectable, Param, Post, Req, Res, UseFilters, UseGuards, type CanActivate } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PushSubscriptionsService } from '#areas/push/push-subscriptions.service';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { withoutControls } from '#platform/text/characters';
import { toWire } from '#platform/time/wire-time';
import { CachedFile } from '../cached-file';
import { webFolder } from '../folder';
import {
  CheckForm,
  CurrentMember,
  FileController,
  PageController,
  SignedInOnly,
  type Member,
} from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { ScriptFilter } from '../script.filter';
import { browserName } from './browser-name';

/** Answers 404 if PUSH is off. This guard runs before `PageGuard`, which checks the session and the form. */
@Injectable()
export class PushIsOn implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): boolean {
    if (!this.settings.push) throw new Refusal('not_found');
    return true;
  }
}

/**
 * The service worker that shows push messages. Its path is directly below the root of the pages, so it applies to all
 * pages (PUSH-9).
 */
@FileController()
@UseGuards(PushIsOn)
export class PushWorkerPages {
  private readonly worker = readFileSync(join(webFolder('assets'), 'push-worker.js'), 'utf8');

  @Get('push-worker.js')
  file(): CachedFile {
    return new CachedFile('text/javascript; charset=utf-8', this.worker, 'public');
  }
}

/** Adds and removes the browsers to which notices are pushed (PUSH-1, PUSH-2). */
@PageController()
@SignedInOnly()
@UseGuards(PushIsOn)
export class PushPages {
  constructor(private readonly subscriptions: PushSubscriptionsService) {}

  /** Stores the subscription that the script of the page sends as JSON. */
  @Post('account/notices/push')
  @CheckForm()
  @UseFilters(ScriptFilter)
  async subscribe(
    @CurrentMember() { session }: Member,
    @Req() { body, headers, device }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const browser = {
      userId: session.userId,
      sessionId: session.id,
      deviceId: device.get('id') ?? null,
      name: withoutControls(browserName(headers['user-agent'] ?? '')).slice(0, LIMITS.push.name.max),
    };
    const { entry, isNew } = await this.subscriptions.subscribe(browser, body);
    reply.code(isNew ? 201 : 200);
    return { data: { id: entry.id, name: entry.name, created_at: toWire(entry.created_at) } };
  }

  @Post('account/notices/push/:id/remove')
  @CheckForm()
  async remove(@CurrentMember() { user }: Member, @Param('id') id: string): Promise<Redirect> {
    await this.subscriptions.remove(user.id, id);
    return redirectTo('/account/notices?removed#push');
  }
}
