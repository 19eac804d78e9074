import { Get, Param, Post, Query } from '@nestjs/common';
import { CannotDecide } from '#areas/moderation/decisions.service';
import { ObjectionsService, type DecisionRow } from '#areas/moderation/objections.service';
import { DecisionIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { fieldErrors, type Form, type FormValues } from '../forms';
import { CheckForm, CurrentMember, FormBody, ModeratorOnly, PageController, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { AnswerDto } from './moderation.dto';
import { Snapshots } from './snapshot';

const MAX_LISTED = 200;

/** The sent values and the messages that the page shows after a refused answer. */
interface RefusedAnswer {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  readonly refused?: string;
}

/**
 * /moderation/objections: the authors' objections without an answer, and for each objection a page with the form to
 * answer it (MOD-52, MOD-60).
 */
@PageController()
@ModeratorOnly()
export class ObjectionPages {
  constructor(
    private readonly objections: ObjectionsService,
    private readonly snapshots: Snapshots,
    private readonly wire: WireFormat,
  ) {}

  @Get('moderation/objections')
  async list(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    const waiting = await this.objections.unanswered(MAX_LISTED);
    const objections = (await this.snapshots.all(waiting)).map((row) => ({
      ...row,
      id: this.wire.id('decision', row.id),
    }));
    return view('moderation-objections', {
      title: translator(member.locale)('moderation_objections'),
      tab: 'moderation',
      part: 'objections',
      wide: true,
      objections,
      done: 'done' in query,
    });
  }

  @Get('moderation/objections/:id')
  async one(@CurrentMember() member: Member, @Param('id', DecisionIdPipe) id: number): Promise<View> {
    return this.show(member, await this.decisionOf(id));
  }

  @Post('moderation/objections/:id')
  @CheckForm()
  async answer(
    @CurrentMember() member: Member,
    @Param('id', DecisionIdPipe) id: number,
    @FormBody(AnswerDto) form: Form<AnswerDto>,
  ): Promise<View | Redirect> {
    const row = await this.decisionOf(id);
    const { values } = form;
    try {
      const { answer, reason } = form.read();
      await this.objections.answer(Number(row.id), { granted: answer === 'grant', reason, actorId: member.user.id });
    } catch (error) {
      if (error instanceof CannotDecide) {
        const refused = translator(member.locale)(`cannot_${error.code}`);
        return this.show(member, await this.decisionOf(id), { values, refused }, 409);
      }
      return this.show(member, row, { values, errors: fieldErrors(error, member.locale) }, 422);
    }
    return redirectTo('/moderation/objections?done');
  }

  private async show(
    member: Member,
    row: DecisionRow,
    { values = {}, errors = {}, refused }: RefusedAnswer = {},
    status = 200,
  ): Promise<View> {
    const blockedReason = await this.objections.reasonNotToAnswer(row, member.user.id);
    return view(
      'moderation-objection',
      {
        title: translator(member.locale)('moderation_objection'),
        tab: 'moderation',
        part: 'objections',
        id: this.wire.id('decision', row.id),
        row,
        shown: await this.snapshots.one(row),
        values,
        errors,
        refused,
        blockedReason: blockedReason && translator(member.locale)(`cannot_${blockedReason}`),
      },
      status,
    );
  }

  /** Returns the decision. Throws 404 if there is no such decision, or if the author has not objected to it. */
  private async decisionOf(id: number): Promise<DecisionRow> {
    const row = await this.objections.byId(id);
    if (!row || row.objection === null) throw new Refusal('not_found');
    return row;
  }
}
