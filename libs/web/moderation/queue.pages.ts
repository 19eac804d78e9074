import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CannotDecide, DECISIONS, DecisionsService } from '#areas/moderation/decisions.service';
import { ModerationQueue, type QueueRow } from '#areas/moderation/moderation-queue.reader';
import { PageQueryDto, sliceOf } from '#platform/http/page';
import { idPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { fieldErrors, type Form, type FormValues } from '../forms';
import { CheckForm, CurrentMember, FormBody, ModeratorOnly, PageController, type Member } from '../page.decorators';
import { readListing } from '../listing';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { DecideDto } from './moderation.dto';
import { pathOfObject } from './reported-objects';
import { Snapshots } from './snapshot';

const ReportIdPipe = idPipe('report');

/** The lengths of a ban that the form for a decision offers. A short length is preselected (MOD-62). */
const BAN_DAYS = [1, 3, 7, 14, 30, 90, 365];
const DEFAULT_BAN_DAYS = '7';

interface Outcome {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  readonly refused?: string;
}

/**
 * Three pages for moderators (MOD-60 to MOD-63): the reported objects that wait for a decision; one such object with
 * the form for the decision; all decisions.
 */
@PageController()
@ModeratorOnly()
export class QueuePages {
  constructor(
    private readonly queue: ModerationQueue,
    private readonly decisions: DecisionsService,
    private readonly snapshots: Snapshots,
    private readonly wire: WireFormat,
  ) {}

  @Get('moderation')
  async list(
    @CurrentMember() member: Member,
    @Query('done') done: unknown,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    const { page, neighbours } = await readListing(request, member.locale, PageQueryDto, async (query) =>
      this.queue.page(sliceOf(query)),
    );
    const things = (await this.snapshots.all(page?.items ?? [])).map((row) => ({
      ...row,
      id: this.wire.id('report', row.report_id),
    }));
    return view(
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

  @Get('moderation/history')
  async history(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    const { page, neighbours } = await readListing(request, member.locale, PageQueryDto, async (query) =>
      this.queue.history(sliceOf(query)),
    );
    const decisions = await this.snapshots.all(page?.items ?? []);
    return view(
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

  @Get('moderation/reports/:id')
  one(@CurrentMember() member: Member, @Param('id', ReportIdPipe) id: number): Promise<View> {
    return this.show(member, id);
  }

  @Post('moderation/reports/:id')
  @CheckForm()
  async decide(
    @CurrentMember() member: Member,
    @Param('id', ReportIdPipe) id: number,
    @FormBody(DecideDto) form: Form<DecideDto>,
  ): Promise<View | Redirect> {
    const { values } = form;
    try {
      const { decision, reason, days = null } = form.read();
      await this.decisions.decide(id, { decision, reason, days, actorId: member.user.id });
    } catch (error) {
      if (error instanceof CannotDecide) {
        if (error.code === 'no_report') throw new Refusal('not_found');
        return this.show(member, id, { values, refused: translator(member.locale)(`cannot_${error.code}`) }, 409);
      }
      return this.show(member, id, { values, errors: fieldErrors(error, member.locale) }, 422);
    }
    return redirectTo('/moderation?done');
  }

  private async show(
    member: Member,
    id: number,
    { values = {}, errors = {}, refused }: Outcome = {},
    status = 200,
  ): Promise<View> {
    const found = await this.queue.reportedObject(id);
    // If another moderator has decided in the meantime, the page shows only the reason why the form was refused.
    if (!found && refused === undefined) throw new Refusal('not_found');
    const { row, former } = found ?? { row: null, former: [] };
    return view(
      'moderation-thing',
      {
        title: translator(member.locale)('moderation_thing'),
        tab: 'moderation',
        part: 'queue',
        id: this.wire.id('report', id),
        row,
        former,
        refused,
        isOwn: row?.author === member.user.slug,
        values,
        errors,
        banDays: BAN_DAYS,
        defaultDays: DEFAULT_BAN_DAYS,
        decisions: DECISIONS.filter((one) => one !== 'remove' || row?.subject_type !== 'user'),
        ...(row && {
          shown: await this.snapshots.one(row),
          path: pathOfObject(row.subject_type, slugOf(row) ?? row.subject_sent),
        }),
      },
      status,
    );
  }
}

/**
 * Returns the slug of a reported post or user; null for other objects and for an unknown slug. The path of a post's or
 * user's page contains the slug. `subject_sent` may be an id instead, because a report can contain the id (MOD-101).
 */
function slugOf({ subject_type, snapshot, author }: QueueRow): string | null {
  if (subject_type === 'user') return author;
  return subject_type === 'post' && typeof snapshot['slug'] === 'string' ? snapshot['slug'] : null;
}
