import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { userViolations } from '#areas/identity/user.rules';
import { ReportsService } from '#areas/moderation/reports.service';
import { StrangerReportsService } from '#areas/moderation/stranger-reports.service';
import { REPORT_REASONS } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal } from '#platform/http/refusal';
import { SignInAttempts } from '../account/sign-in-attempts';
import { fieldErrors, formValues, readFields, type FormValues } from '../forms';
import { Pages } from '../pages';
import type { Reader } from '../readers';
import { ownForms } from '../session';
import { translator } from '../texts';
import { ReportFormDto, StrangerReportDto } from './moderation.dto';
import { thingAt, thingNamed, type NamedThing } from './reported-things';

interface Outcome {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  readonly refused?: string;
}

/** /report: tells the moderators about a thing, with an account or without one (MOD-70 to MOD-73). */
@Injectable()
export class ReportPages {
  constructor(
    private readonly pages: Pages,
    private readonly reports: ReportsService,
    private readonly strangers: StrangerReportsService,
    private readonly attempts: SignInAttempts,
    private readonly settings: Settings,
  ) {}

  serve(fastify: FastifyInstance): void {
    fastify.get('/report', async (request, reply) => {
      const [reader, { type, id, sent }] = [await this.pages.reader(request), formValues(request.query)];
      if (sent !== undefined)
        return this.pages.show(reader, reply, 'told', {
          title: translator(reader.locale)('report_sent'),
          text: translator(reader.locale)(this.answerable ? 'report_sent_text' : 'report_sent_no_mail'),
          again: false,
        });
      return this.show(reader, reply, thingNamed(type, id));
    });
    fastify.post('/report', ownForms(fastify), async (request, reply) => this.report(request, reply));
  }

  private get answerable(): boolean {
    return this.settings.smtpUrl !== null;
  }

  private async report(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [reader, values] = [await this.pages.reader(request), formValues(request.body)];
    const named = thingNamed(values.type, values.id);
    if (!reader.user) await this.attempts.countOrigin(request);
    try {
      const thing = named ?? thingAt(values.address ?? '', this.settings.baseUrl);
      await this.send(reader, thing, values);
    } catch (error) {
      if (error instanceof Refusal && !error.details.errors) {
        const { status, headers, body } = envelopeOf(error, reader.locale);
        reply.headers(headers);
        return this.show(reader, reply, named, { values, refused: body.message }, status);
      }
      const { subject_id: unknown, ...errors } = fieldErrors(error, reader.locale);
      return this.show(
        reader,
        reply,
        named,
        {
          values,
          errors: { ...errors, ...(unknown !== undefined && { address: unknown }) },
          ...(unknown !== undefined && named && { refused: unknown }),
        },
        422,
      );
    }
    return this.pages.goTo(reply, '/report?sent');
  }

  private async send(reader: Reader, thing: NamedThing | null, values: FormValues): Promise<void> {
    const subject = { subject_type: thing?.type ?? 'event', subject_id: thing?.id ?? '' } as const;
    if (reader.user) {
      const { reason, note = null } = await readFields(ReportFormDto, values);
      if (!thing) throw Refusal.invalid('subject_id', 'unknown');
      await this.reports.create({ id: reader.user.id }, { ...subject, reason, note });
      return;
    }
    const {
      name,
      email,
      reason,
      note,
      good_faith: isMeant,
    } = await readFields(StrangerReportDto, { ...values, good_faith: values.good_faith ?? '0' });
    userViolations({ email }).throwIfAny();
    if (!isMeant) throw Refusal.invalid('good_faith', 'required');
    if (!thing) throw Refusal.invalid('subject_id', 'unknown');
    await this.strangers.create({ ...subject, name, email, reason, note, locale: reader.locale });
  }

  private async show(
    reader: Reader,
    reply: FastifyReply,
    thing: NamedThing | null,
    { values = {}, errors = {}, refused }: Outcome = {},
    status = 200,
  ): Promise<FastifyReply> {
    const named = thing && (await this.strangers.namedFor(thing.type, thing.id, reader.user?.id ?? null));
    if (thing && !named) throw new Refusal('not_found');
    return this.pages.show(
      reader,
      reply,
      'report',
      {
        title: translator(reader.locale)('report_title'),
        form: true,
        thing,
        name: named?.name,
        isOwn: named?.isOwn ?? false,
        reasons: REPORT_REASONS,
        values,
        errors,
        refused,
        isAnswered: this.answerable,
      },
      status,
    );
  }
}
