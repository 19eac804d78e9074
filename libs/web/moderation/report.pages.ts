import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { emailViolations } from '#areas/identity/user.rules';
import { ReportsService } from '#areas/moderation/reports.service';
import { AnonymousReportsService } from '#areas/moderation/anonymous-reports.service';
import { REPORT_REASONS } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { wantsPage } from '#platform/http/error-pages';
import { Refusal } from '#platform/http/refusal';
import { SignInAttempts } from '../account/sign-in-attempts';
import { errorsForPeople, formValues, readFields, type FormValues } from '../forms';
import { FormKeys, keyFor } from '../form/form-keys';
import { formRefusal } from '../form/form-refusal';
import { rawFields } from '../form/raw-fields';
import { CheckForm, CurrentReader, FormFields, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { ReportFormDto, AnonymousReportDto } from './moderation.dto';
import { pathOfObject, reportedObjectAt, reportedObjectNamed, type ReportedObjectName } from './reported-objects';

/**
 * A refused report: the sent values, and the errors by field. `refused` is the text of a refusal that concerns no
 * field, or of a refusal of the object that the link to the form named.
 */
interface Outcome {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  readonly refused?: string | undefined;
}

/** The page /report: readers with or without an account report content to the moderators (MOD-70 to MOD-73). */
@PageController()
export class ReportPages {
  constructor(
    private readonly reports: ReportsService,
    private readonly anonymousReports: AnonymousReportsService,
    private readonly attempts: SignInAttempts,
    private readonly keys: FormKeys,
    private readonly settings: Settings,
  ) {}

  @Get('report')
  page(@CurrentReader() reader: Reader, @Query() query: object): View | Promise<View> {
    const { type, id, sent } = formValues(query);
    const object = reportedObjectNamed(type, id);
    if (sent === undefined) return this.show(reader, object);
    const say = translator(reader.locale);
    return view('result-text', {
      title: say('report_sent'),
      text: say(reader.user ? 'report_sent_member' : this.hasMail ? 'report_sent_text' : 'report_sent_no_mail'),
      offersReset: false,
      back: object && pathOfObject(object.type, object.id),
    });
  }

  @Post('report')
  @CheckForm()
  async report(
    @CurrentReader() reader: Reader,
    @FormFields() values: FormValues,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const linkedObject = reportedObjectNamed(values.type, values.id);
    try {
      if (!reader.user) await this.attempts.countForNetwork(request);
      const object = linkedObject ?? reportedObjectAt(values.address ?? '', this.settings.baseUrl);
      const send = async () => {
        await this.send(reader, object, values);
        const hasPage = object !== null && pathOfObject(object.type, object.id) !== null;
        return redirectTo(
          hasPage ? `/report?sent&type=${object.type}&id=${encodeURIComponent(object.id)}` : '/report?sent',
        );
      };
      return await (reader.user ? this.keys.once(request, reader.user.id, rawFields(request.body), send) : send());
    } catch (error) {
      const { status, headers, text, errors } = formRefusal(error, {}, reader.locale);
      const hasFieldErrors = Object.keys(errors).length > 0;
      // Programs get the code of the refusal (PAGE-21).
      if (!hasFieldErrors && !wantsPage(request)) throw error;
      const { subject_id: objectError, ...others } = errorsForPeople(errors, reader.locale);
      const outcome: Outcome = {
        values,
        errors: { ...others, ...(objectError !== undefined && { address: objectError }) },
        refused: !hasFieldErrors ? text : linkedObject ? objectError : undefined,
      };
      return (await this.show(reader, linkedObject, outcome, status)).withHeaders(headers);
    }
  }

  private get hasMail(): boolean {
    return this.settings.smtpUrl !== null;
  }

  private async send(reader: Reader, object: ReportedObjectName | null, values: FormValues): Promise<void> {
    const subject = { subject_type: object?.type ?? 'event', subject_id: object?.id ?? '' } as const;
    if (reader.user) {
      const { reason, note = null } = await readFields(ReportFormDto, values);
      if (!object) throw Refusal.invalid('subject_id', 'unknown');
      await this.reports.create({ id: reader.user.id }, { ...subject, reason, note });
      return;
    }
    const {
      name,
      email,
      reason,
      note,
      good_faith: isInGoodFaith,
    } = await readFields(AnonymousReportDto, { ...values, good_faith: values.good_faith ?? '0' });
    emailViolations(email).throwIfAny();
    if (!isInGoodFaith) throw Refusal.invalid('good_faith', 'required');
    if (!object) throw Refusal.invalid('subject_id', 'unknown');
    await this.anonymousReports.create({ ...subject, name, email, reason, note, locale: reader.locale });
  }

  private async show(
    reader: Reader,
    object: ReportedObjectName | null,
    { values = {}, errors = {}, refused }: Outcome = {},
    status = 200,
  ): Promise<View> {
    const shownObject =
      object && (await this.anonymousReports.nameFor(object.type, object.id, reader.user?.id ?? null));
    if (object && !shownObject) throw new Refusal('not_found');
    return view(
      'report',
      {
        title: translator(reader.locale)('report_title'),
        hasVisitorForm: true,
        thing: object,
        name: shownObject?.name,
        isOwn: shownObject?.isOwn ?? false,
        reasons: REPORT_REASONS,
        key: keyFor(values),
        values,
        errors,
        refused,
        hasMail: this.hasMail,
      },
      status,
    );
  }
}
