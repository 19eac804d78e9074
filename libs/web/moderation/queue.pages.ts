import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CannotDecide, DECISIONS, DecisionsService } from '#areas/moderation/decisions.service';
import { ModerationQueue, type QueueRow } from '#areas/moderation/moderation-queue.reader';
import { PageQueryDto, sliceOf } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { Member } from '../account/signed-in';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { Pages } from '../pages';
import { readListing } from '../public/listing';
import { ownForms } from '../session';
import { translator } from '../texts';
import { DecideDto } from './moderation.dto';
import { Moderators } from './moderators';
import { pathOfThing } from './reported-things';
import { shownSnapshot } from './snapshot';

interface Outcome {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  readonly refused?: string;
}

/** /moderation: what was reported and waits, thing by thing, and what is decided about it (MOD-60 to MOD-62). */
@Injectable()
export class QueuePages {
  constructor(
    private readonly pages: Pages,
    private readonly moderators: Moderators,
    private readonly queue: ModerationQueue,
    private readonly decisions: DecisionsService,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get(
      '/moderation',
      this.moderators.only((member, reply, request) => this.list(member, reply, request)),
    );
    fastify.get(
      '/moderation/history',
      this.moderators.only((member, reply, request) => this.history(member, reply, request)),
    );
    fastify.get(
      '/moderation/reports/:id',
      this.moderators.only((member, reply, request) => this.show(member, reply, idOf(request))),
    );
    fastify.post(
      '/moderation/reports/:id',
      ownForms(fastify),
      this.moderators.only((member, reply, request) => this.decide(member, reply, request)),
    );
  }

  private async list(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const { done } = request.query as { done?: string };
    const { page, neighbours } = await readListing(request, member.locale, PageQueryDto, async (query) =>
      this.queue.page(sliceOf(query)),
    );
    const things = (page?.items ?? []).map((row) => ({
      ...row,
      id: this.wire.id('report', row.report_id),
      shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
    }));
    return this.pages.show(
      member,
      reply,
      'moderation',
      {
        title: translator(member.locale)('moderation'),
        tab: 'moderation',
        part: 'queue',
        wide: true,
        things,
        total: page?.total ?? 0,
        neighbours,
        done: done !== undefined,
      },
      page ? 200 : 422,
    );
  }

  private async history(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const { page, neighbours } = await readListing(request, member.locale, PageQueryDto, async (query) =>
      this.queue.history(sliceOf(query)),
    );
    const decisions = (page?.items ?? []).map((row) => ({
      ...row,
      shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
    }));
    return this.pages.show(
      member,
      reply,
      'moderation-history',
      {
        title: translator(member.locale)('moderation_history'),
        tab: 'moderation',
        part: 'history',
        wide: true,
        decisions,
        neighbours,
      },
      page ? 200 : 422,
    );
  }

  private async decide(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const [id, values] = [idOf(request), formValues(request.body)];
    const reportId = this.wire.ids.decode('report', id);
    if (reportId === null) throw new Refusal('not_found');
    try {
      const { decision, reason, days = null } = await readFields(DecideDto, values);
      await this.decisions.decide(reportId, { decision, reason, days, actorId: member.user.id });
    } catch (error) {
      if (error instanceof CannotDecide) {
        if (error.code === 'no_report') throw new Refusal('not_found');
        return this.show(
          member,
          reply,
          id,
          { values, refused: translator(member.locale)(`cannot_${error.code}`) },
          409,
        );
      }
      return this.show(member, reply, id, { values, errors: fieldErrors(error, member.locale) }, 422);
    }
    return this.pages.goTo(reply, '/moderation?done');
  }

  private async show(
    member: Member,
    reply: FastifyReply,
    id: string,
    { values = {}, errors = {}, refused }: Outcome = {},
    status = 200,
  ): Promise<FastifyReply> {
    const reportId = this.wire.ids.decode('report', id);
    const found = reportId === null ? null : await this.queue.thing(reportId);
    // Decided by another meanwhile: the sentence alone.
    if (!found && refused === undefined) throw new Refusal('not_found');
    const { row, former } = found ?? { row: null, former: [] };
    return this.pages.show(
      member,
      reply,
      'moderation-thing',
      {
        title: translator(member.locale)('moderation_thing'),
        tab: 'moderation',
        part: 'queue',
        id,
        row,
        former,
        refused,
        isOwn: row?.author === member.user.slug,
        values,
        errors,
        decisions: DECISIONS.filter((one) => one !== 'remove' || row?.subject_type !== 'user'),
        ...(row && {
          shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
          path: pathOfThing(row.subject_type, slugOf(row) ?? row.subject_sent),
        }),
      },
      status,
    );
  }
}

/** Of a post or a user, which have their pages by slug and may be reported by id (MOD-101). */
function slugOf({ subject_type, snapshot, author }: QueueRow): string | null {
  if (subject_type === 'user') return author;
  return subject_type === 'post' && typeof snapshot['slug'] === 'string' ? snapshot['slug'] : null;
}

function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}
