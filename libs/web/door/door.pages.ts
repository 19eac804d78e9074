import { Body, Get, Header, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SendScansDto } from '#areas/participation/door.dto';
import { DoorService } from '#areas/participation/door.service';
import type { Locale } from '#contract/vocabulary';
import { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { webFolder } from '../folder';
import { CheckForm, CurrentMember, CurrentReader, PageController, SignedInOnly, type Member } from '../page.decorators';
import type { Reader } from '../readers';
import { ScriptFilter } from '../script.filter';
import { csrfToken } from '../session';
import { VisibleEvents } from '../public/visible-events';
import { translator, type TextKey } from '../texts';
import { partOf, view, type View } from '../view';

/** Maximum size in bytes of a form with 500 scans, even if every character is escaped. */
const MAX_SCANS_BYTES = 512 * 1024;

/** The texts of the page's script. */
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
  'door_busy',
  'door_gone',
  'door_no_reader',
  'door_signed_out',
  'door_refused',
  'door_check_in',
  'door_undo',
  'door_expected',
  'door_nobody_yet',
  'door_nobody_found',
  'door_person_gone',
  'door_no_camera',
  'door_stop_camera',
  'door_start_camera',
  'door_count',
  'door_not_ready',
  'door_ready',
  'door_link_ended',
] as const satisfies readonly TextKey[];

/** The texts of the page's script as JSON; the names have no prefix `door_`. */
export function scriptTexts(locale: Locale): string {
  const say = translator(locale);
  return JSON.stringify(Object.fromEntries(SCRIPT_TEXTS.map((key) => [key.slice('door_'.length), say(key)])));
}

/**
 * The page on which the organizer checks tickets at the entrance with a phone (DOOR-15, DOOR-16). The page, its script
 * and its service worker work without a network. Scans made without a network are sent later, and are processed like
 * scans that are sent to the API.
 */
@PageController()
export class DoorPages {
  private readonly workerScript = readFileSync(join(webFolder('assets'), 'door-worker.js'), 'utf8');

  constructor(
    private readonly visibleEvents: VisibleEvents,
    private readonly door: DoorService,
  ) {}

  @Get('events/:id/door')
  @SignedInOnly()
  async page(@CurrentMember() member: Member, @Param('id') id: string): Promise<View> {
    const { eventId, event } = await this.visibleEvents.event(id, member);
    const { people } = await this.door.show(member.caller, eventId);
    const say = translator(member.locale);
    return view('door', {
      ...partOf(event.title, say('door')),
      event,
      eventId: event.id,
      path: `/events/${event.id}/door`,
      people,
      texts: scriptTexts(member.locale),
      timezone: member.timezone,
    });
  }

  /** The scope of the service worker is this page only, so the phone stores no other pages. */
  @Get('events/:id/door/worker.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  serviceWorker(@Req() { url }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    reply.header('service-worker-allowed', url.replace(/\/worker\.js.*$/, ''));
    return this.workerScript;
  }

  /**
   * Called by the page's script: returns the data that the phone needs to work without a network. Refusals are JSON
   * too, so that the script can distinguish an ended session from a lost connection.
   */
  @Get('events/:id/door/pack')
  @UseFilters(ScriptFilter)
  async pack(
    @CurrentReader() reader: Reader,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<{ data: object }> {
    const eventId = await this.eventOf(reader, id);
    return { data: { ...(await this.door.show(reader.caller, eventId)), csrf: csrfToken(request) } };
  }

  @Post('events/:id/door/scans')
  @UseFilters(ScriptFilter)
  @CheckForm({ maxBytes: MAX_SCANS_BYTES })
  async receive(
    @CurrentReader() reader: Reader,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<{ data: unknown }> {
    const eventId = await this.eventOf(reader, id);
    const scans = await Input.of(SendScansDto, sentScans(body), 'json');
    return { data: await this.door.receive(reader.caller, eventId, scans) };
  }

  private async eventOf(reader: Reader, id: string): Promise<number> {
    if (!reader.user) throw new Refusal('unauthenticated');
    return (await this.visibleEvents.event(id, reader)).eventId;
  }
}

/**
 * Reads the fields `device` and `scans`; `scans` contains JSON. If the JSON is invalid, `scans` is omitted, and the
 * validation then reports `scans` as missing.
 */
function sentScans(body: unknown): unknown {
  const { device, scans } = (body ?? {}) as { device?: unknown; scans?: unknown };
  try {
    return { device, scans: JSON.parse(String(scans)) as unknown };
  } catch {
    return { device };
  }
}
