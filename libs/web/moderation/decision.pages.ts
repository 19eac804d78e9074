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
import { Snapshots } from './snapshot';

/** A decision as the author of the content sees it. `path`: the path of its page; the form is sent to the same path. */
interface DecisionPage {
  readonly row: DecisionRow;
  readonly path: string;
}

/** The sent text and the messages that the page shows after a refused objection. */
interface Outcome {
  readonly value?: string | undefined;
  readonly errors: Record<string, string>;
  readonly refused?: string;
}

/**
 * A decision about the reader's content, and the form to object: /account/decisions/{id} for a member,
 * /objections/{key} from the link in a mail (MOD-50, MOD-51).
 */
@PageController()
export class DecisionPages {
  constructor(
    private readonly objections: ObjectionsService,
    private readonly snapshots: Snapshots,
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
    const value = form.values.objection;
    try {
      const permission = await this.objections.addObjection(Number(decision.row.id), form.read().objection);
      if (permission === 'yes') return redirectTo(decision.path);
      // A parallel request may have added an objection after this request read the decision.
      const row = (await this.objections.byId(Number(decision.row.id))) ?? decision.row;
      const refused = translator(reader.locale)(`objection_${permission}`);
      return await this.show(reader, { ...decision, row }, { value, refused, errors: {} }, 409);
    } catch (error) {
      return this.show(reader, decision, { value, errors: fieldErrors(error, reader.locale) }, 422);
    }
  }

  private async show(
    reader: Reader,
    { row, path }: DecisionPage,
    outcome: Outcome = { errors: {} },
    status = 200,
  ): Promise<View> {
    return view(
      'decision',
      {
        title: translator(reader.locale)('decision_title'),
        about: { type: 'decision', id: Number(row.id) },
        hasVisitorForm: true,
        row,
        path,
        ends: await this.objections.endOfBan(row),
        objectionDays: LIMITS.moderation.kept / 86_400,
        objectionPermission: this.objections.objectionPermission(row),
        shown: await this.snapshots.one(row),
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
