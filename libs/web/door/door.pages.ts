import { Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DoorCommands } from '#areas/participation/door.commands';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import { webFolder } from '../folder';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { SeenEvents } from '../public/seen-events';
import { ownForms } from '../session';
import { translator, type TextKey } from '../texts';

type ById = { Params: { id: string } };

/** 500 scans as a form field, every sign of them escaped. */
const SCANS_BYTES = 512 * 1024;

/** What the script says: it has no other words. */
const SCRIPT_TEXTS = [
  'door_in',
  'door_already',
  'door_undone',
  'door_unknown',
  'door_no_place',
  'door_cancelled',
  'door_waiting_to_send',
  'door_all_sent',
  'door_no_network',
  'door_signed_out',
  'door_refused',
  'door_check_in',
  'door_undo',
  'door_expected',
  'door_no_camera',
  'door_stop_camera',
  'door_start_camera',
  'door_count',
  'door_not_ready',
  'door_ready',
] as const satisfies readonly TextKey[];

/**
 * The door for the organizer's phone (DOOR-15): a page, its script and its service worker, which keep working without a network; what
 * was scanned meanwhile goes the way of the API when there is one.
 */
@Injectable()
export class DoorPages {
  private readonly worker = readFileSync(join(webFolder('assets'), 'door-worker.js'), 'utf8');

  constructor(
    private readonly pages: Pages,
    private readonly seen: SeenEvents,
    private readonly door: DoorCommands,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get<ById>('/events/:id/door', async (request, reply) => this.page(request, reply));
    // Its scope is this one page: nothing else of the service is kept on the phone.
    fastify.get<ById>('/events/:id/door/worker.js', async (request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('service-worker-allowed', request.url.replace(/\/worker\.js.*$/, ''))
        .send(this.worker),
    );
    fastify.get<ById>('/events/:id/door/pack', async (request, reply) =>
      this.answer(request, reply, async (reader, eventId) => ({
        ...(await this.door.show(reader.caller, eventId)),
        csrf: reply.generateCsrf(),
      })),
    );
    fastify.post<ById>(
      '/events/:id/door/scans',
      { ...ownForms(fastify), bodyLimit: SCANS_BYTES },
      async (request, reply) =>
        this.answer(request, reply, async (reader, eventId) =>
          this.door.receive(reader.caller, eventId, sentBy(request.body)),
        ),
    );
  }

  private async page(request: FastifyRequest<ById>, reply: FastifyReply): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    const { id } = request.params;
    if (!reader.user)
      return this.pages.goTo(reply, `/sign-in?next=${encodeURIComponent(`/events/${encodeURIComponent(id)}/door`)}`);
    const { eventId, event } = await this.seen.event(id, reader);
    const { people } = await this.door.show(reader.caller, eventId);
    const say = translator(reader.locale);
    const texts = JSON.stringify(Object.fromEntries(SCRIPT_TEXTS.map((key) => [key.slice('door_'.length), say(key)])));
    return this.pages.show(reader, reply, 'door', {
      title: `${say('door')}: ${event.title}`,
      event,
      people,
      texts,
      timezone: reader.timezone,
    });
  }

  /** To the page's script: JSON, refusals too, so that it can tell a session that has ended from a network that is gone. */
  private async answer(
    request: FastifyRequest<ById>,
    reply: FastifyReply,
    work: (reader: Reader, eventId: number) => Promise<unknown>,
  ): Promise<FastifyReply> {
    const reader = await this.pages.reader(request);
    try {
      if (!reader.user) throw new Refusal('unauthenticated');
      const { eventId } = await this.seen.event(request.params.id, reader);
      return await reply.send({ data: await work(reader, eventId) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, headers, body } = envelopeOf(error, reader.locale);
      return reply.code(status).headers(headers).send(body);
    }
  }
}

/** `device`, and `scans` as JSON; what cannot be read is refused as missing. */
function sentBy(body: unknown): unknown {
  const { device, scans } = (body ?? {}) as { device?: unknown; scans?: unknown };
  try {
    return { device, scans: JSON.parse(String(scans)) as unknown };
  } catch {
    return { device };
  }
}
