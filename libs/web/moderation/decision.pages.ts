import { Get, Param, Post } from '@nestjs/common';
import { ObjectionsService, type DecisionRow } from '#areas/moderation/objections.service';
import { LIMITS } from '#contract/limits';
import { DecisionIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { fieldErrors, type Form } from '../forms';
import {
  CheckForm,
  CurrentMember,
  CurrentReader,
  FormBody,
  PageController,
  SignedInOnly,
  type Member,
} from '../page.decorators';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { ObjectionDto } from './moderation.dto';
import { shownSnapshot } from './snapshot';

const DAY_MS = 86_400_000;

/** A decision as the author of the content sees it. `path` is the path of its page, to which its form is also sent. */
interface DecisionPage {
  readonly row: DecisionRow;
  readonly path: string;
}

/**
 * A decision about the reader's content, and the form to object: /account/decisions/{id} for a member,
 * /objections/{key} from the link in a mail (MOD-50, MOD-51).
 */
@PageController()
export class DecisionPages {
  constructor(
    private readonly objections: ObjectionsService,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/decisions/:id')
  @SignedInOnly()
  async own(@CurrentMember() member: Member, @Param('id', DecisionIdPipe) id: number): Promise<View> {
    return this.show(member, await this.ofAuthor(id, member));
  }

  @Post('account/decisions/:id')
  @SignedInOnly()
  @CheckForm()
  async submitOwn(
    @CurrentMember() member: Member,
    @Param('id', DecisionIdPipe) id: number,
    @FormBody(ObjectionDto) form: Form<ObjectionDto>,
  ): Promise<View | Redirect> {
    return this.submitObjection(member, form, await this.ofAuthor(id, member));
  }

  @Get('objections/:key')
  async mailed(@CurrentReader() reader: Reader, @Param('key') key: string): Promise<View> {
    return this.show(reader, await this.byKey(key));
  }

  @Post('objections/:key')
  @CheckForm()
  async submitMailed(
    @CurrentReader() reader: Reader,
    @Param('key') key: string,
    @FormBody(ObjectionDto) form: Form<ObjectionDto>,
  ): Promise<View | Redirect> {
    return this.submitObjection(reader, form, await this.byKey(key));
  }

  private async submitObjection(
    reader: Reader,
    form: Form<ObjectionDto>,
    decision: DecisionPage,
  ): Promise<View | Redirect> {
    try {
      await this.objections.addObjection(Number(decision.row.id), form.read().objection);
    } catch (error) {
      return this.show(
        reader,
        decision,
        { value: form.values.objection, errors: fieldErrors(error, reader.locale) },
        422,
      );
    }
    // If the author has already objected, or the time for objections has ended, the text of this form is not stored.
    // The page then shows the earlier objection, or that the time has ended.
    return redirectTo(decision.path);
  }

  private show(
    reader: Reader,
    { row, path }: DecisionPage,
    outcome: { value?: string | undefined; errors: Record<string, string> } = { errors: {} },
    status = 200,
  ): View {
    const ends =
      row.action === 'ban' && row.days !== null ? new Date(row.decided_at.getTime() + row.days * DAY_MS) : null;
    return view(
      'decision',
      {
        title: translator(reader.locale)('decision_title'),
        about: { type: 'decision', id: Number(row.id) },
        hasVisitorForm: true,
        row,
        path,
        ends,
        objectionDays: LIMITS.moderation.kept / 86_400,
        mayObject: this.objections.mayObject(row),
        shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
        ...outcome,
      },
      status,
    );
  }

  private async ofAuthor(id: number, { user }: Member): Promise<DecisionPage> {
    const row = await this.objections.ofAuthor(id, user.id);
    if (!row) throw new Refusal('not_found');
    return { row, path: `/account/decisions/${this.wire.id('decision', id)}` };
  }

  private async byKey(key: string): Promise<DecisionPage> {
    const row = await this.objections.byKey(key);
    if (!row) throw new Refusal('not_found');
    return { row, path: `/objections/${encodeURIComponent(key)}` };
  }
}
