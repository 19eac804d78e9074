import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ObjectionsService, type DecisionRow } from '#areas/moderation/objections.service';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { SignedIn } from '../account/signed-in';
import { fieldErrors, formValues, readFields } from '../forms';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { ownForms } from '../session';
import { translator } from '../texts';
import { ObjectionDto } from './moderation.dto';
import { shownSnapshot } from './snapshot';

const DAY_MS = 86_400_000;

/** A decision as its author sees it, and where they object to it. */
interface Place {
  readonly row: DecisionRow;
  readonly path: string;
}

/** /account/decisions/{id} for who is signed in, /objections/{key} for who has the mail: what was decided about one's own, and the form to object (MOD-50, MOD-51). */
@Injectable()
export class DecisionPages {
  constructor(
    private readonly pages: Pages,
    private readonly signedIn: SignedIn,
    private readonly objections: ObjectionsService,
    private readonly wire: WireFormat,
  ) {}

  serve(fastify: FastifyInstance): void {
    const ours = ownForms(fastify);
    fastify.get(
      '/account/decisions/:id',
      this.signedIn.only(async (member, reply, request) =>
        this.show(member, reply, await this.own(request, member.user.id)),
      ),
    );
    fastify.post(
      '/account/decisions/:id',
      ours,
      this.signedIn.only(async (member, reply, request) =>
        this.object(member, reply, request, await this.own(request, member.user.id)),
      ),
    );
    fastify.get('/objections/:key', async (request, reply) =>
      this.show(await this.pages.reader(request), reply, await this.mailed(request)),
    );
    fastify.post('/objections/:key', ours, async (request, reply) =>
      this.object(await this.pages.reader(request), reply, request, await this.mailed(request)),
    );
  }

  private async object(
    reader: Reader,
    reply: FastifyReply,
    { body }: FastifyRequest,
    place: Place,
  ): Promise<FastifyReply> {
    const values = formValues(body);
    try {
      await this.objections.object(Number(place.row.id), (await readFields(ObjectionDto, values)).objection);
    } catch (error) {
      return this.show(
        reader,
        reply,
        place,
        { value: values.objection, errors: fieldErrors(error, reader.locale) },
        422,
      );
    }
    // Whether it was this one or one before: the page tells.
    return this.pages.goTo(reply, place.path);
  }

  private show(
    reader: Reader,
    reply: FastifyReply,
    { row, path }: Place,
    outcome: { value?: string | undefined; errors: Record<string, string> } = { errors: {} },
    status = 200,
  ): Promise<FastifyReply> {
    const ends =
      row.action === 'ban' && row.days !== null ? new Date(row.decided_at.getTime() + row.days * DAY_MS) : null;
    return this.pages.show(
      reader,
      reply,
      'decision',
      {
        title: translator(reader.locale)('decision_title'),
        about: { type: 'decision', id: Number(row.id) },
        form: true,
        row,
        path,
        ends,
        days: LIMITS.moderation.kept / 86_400,
        objectable: this.objections.objectable(row),
        shown: shownSnapshot(row.subject_type, row.snapshot, this.wire),
        ...outcome,
      },
      status,
    );
  }

  private async own({ params }: FastifyRequest, userId: number): Promise<Place> {
    const { id: hashid } = params as { id: string };
    const id = this.wire.ids.decode('decision', hashid);
    const row = id === null ? null : await this.objections.ofAuthor(id, userId);
    if (!row) throw new Refusal('not_found');
    return { row, path: `/account/decisions/${hashid}` };
  }

  private async mailed({ params }: FastifyRequest): Promise<Place> {
    const { key } = params as { key: string };
    const row = await this.objections.byKey(key);
    if (!row) throw new Refusal('not_found');
    return { row, path: `/objections/${encodeURIComponent(key)}` };
  }
}
