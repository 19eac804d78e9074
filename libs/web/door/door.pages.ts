import { Body, Get, Header, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SendScansDto } from '#areas/participation/door.dto';
import { DoorService } from '#areas/participation/door.service';
import { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { parsedJson } from '#platform/text/json';
import { webFolder } from '../folder';
import { formValues } from '../forms';
import { CheckForm, CurrentMember, CurrentReader, PageController, SignedInOnly, type Member } from '../page.decorators';
import type { Reader } from '../readers';
import { ScriptFilter } from '../script.filter';
import { csrfToken } from '../session';
import { VisibleEvents } from '../public/visible-events';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { scriptTexts } from './script-texts';

/** Maximum size in bytes of a form with 500 scans, even if every character is escaped. */
const MAX_SCANS_BYTES = 512 * 1024;

/**
 * The page on which the organizer checks people in at the door with a phone (DOOR-15, DOOR-16). The page, its script
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

  /**
   * The service worker of this page, and of the page of a door link. The scope of each worker is its own page, so the
   * phone stores no other pages.
   */
  @Get(['events/:id/door/worker.js', 'door/:id/worker.js'])
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

/** Reads the fields `device` and `scans`; `scans` contains JSON. Invalid JSON counts as an absent field. */
function sentScans(body: unknown): unknown {
  const { device, scans } = formValues(body);
  return { device, scans: parsedJson(scans) ?? undefined };
}
