import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CannotDecide } from '#areas/moderation/decisions.service';
import { ObjectionsService, type DecisionRow } from '#areas/moderation/objections.service';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { Member } from '../account/signed-in';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { Pages } from '../pages';
import { ownForms } from '../session';
import { translator } from '../texts';
import { AnswerDto } from './moderation.dto';
import { Moderators } from './moderators';
import { shownSnapshot } from './snapshot';

const MOST_LISTED = 200;

interface Outcome {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  readonly refused?: string;
}

/** /moderation/objections: what authors object to, and how it is answered (MOD-52, MOD-60). */
@Injectable()
export class ObjectionPages {
  constructor(
    private readonly pages: Pages,
    private readonly moderators: Moderators,
    private readonly objections: ObjectionsService,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get(
      '/moderation/objections',
      this.moderators.only((member, reply, request) => this.list(member, reply, 'done' in (request.query as object))),
    );
    fastify.get(
      '/moderation/objections/:id',
      this.moderators.only(async (member, reply, request) => this.show(member, reply, await this.decisionOf(request))),
    );
    fastify.post(
      '/moderation/objections/:id',
      ownForms(fastify),
      this.moderators.only((member, reply, request) => this.answer(member, reply, request)),
    );
  }

  private async list(member: Member, reply: FastifyReply, done: boolean): Promise<FastifyReply> {
    const waiting = await this.objections.waiting(MOST_LISTED);
    const objections = waiting.map((row) => ({
      ...row,
      id: this.wire.id('decision', row.id),
      shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
    }));
    return this.pages.show(member, reply, 'moderation-objections', {
      title: translator(member.locale)('moderation_objections'),
      tab: 'moderation',
      part: 'objections',
      wide: true,
      objections,
      done,
    });
  }

  private async answer(member: Member, reply: FastifyReply, request: FastifyRequest): Promise<FastifyReply> {
    const [row, values] = [await this.decisionOf(request), formValues(request.body)];
    try {
      const { answer, reason } = await readFields(AnswerDto, values);
      await this.objections.answer(Number(row.id), { granted: answer === 'grant', reason, actorId: member.user.id });
    } catch (error) {
      if (error instanceof CannotDecide)
        return this.show(
          member,
          reply,
          await this.decisionOf(request),
          { values, refused: translator(member.locale)(`cannot_${error.code}`) },
          409,
        );
      return this.show(member, reply, row, { values, errors: fieldErrors(error, member.locale) }, 422);
    }
    return this.pages.goTo(reply, '/moderation/objections?done');
  }

  private async show(
    member: Member,
    reply: FastifyReply,
    row: DecisionRow,
    { values = {}, errors = {}, refused }: Outcome = {},
    status = 200,
  ): Promise<FastifyReply> {
    const hindrance = await this.objections.hindranceFor(row, member.user.id);
    return this.pages.show(
      member,
      reply,
      'moderation-objection',
      {
        title: translator(member.locale)('moderation_objection'),
        tab: 'moderation',
        part: 'objections',
        id: this.wire.id('decision', row.id),
        row,
        shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
        values,
        errors,
        refused,
        hindrance: hindrance && translator(member.locale)(`cannot_${hindrance}`),
      },
      status,
    );
  }

  /** 404 for what nobody objected to. */
  private async decisionOf({ params }: FastifyRequest): Promise<DecisionRow> {
    const id = this.wire.ids.decode('decision', (params as { id: string }).id);
    const row = id === null ? null : await this.objections.byId(id);
    if (!row || row.objection === null) throw new Refusal('not_found');
    return row;
  }
}
