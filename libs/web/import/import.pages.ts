import { readFile } from 'node:fs/promises';
import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventImportsCommands } from '#areas/events/event-imports.commands';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import type { SpooledFile } from '#platform/uploads/multipart';
import type { FormRefusal } from '../form/form-refusal';
import { FormRunner } from '../form/form-runner';
import { formView } from '../form/form-view';
import { files, formPlan, text } from '../form/plan';
import type { RawFields } from '../form/raw-fields';
import { localDayHeading, localTimes } from '../local-time';
import { NewEventView } from '../organizer/new-event.view';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { translator } from '../texts';
import { view, type View } from '../view';
import { utf8Text } from './decoded-text';
import type { FilledDraft } from './event-draft';
import { ImportFetch } from './import-fetch';
import { ImportFiles } from './import-files';
import { sentDraft, shownDraft } from './sent-draft';

const IMPORT = formPlan('event-import', {
  fields: [
    files('file', 'import_file', { accept: '.ics,text/calendar', hint: 'import_file_hint' }),
    text('url', 'import_url', { hint: 'import_url_hint' }),
  ],
});
const UPLOAD = { file: { maxBytes: LIMITS.imports.bytes, min: 0 } } as const;

/**
 * /events/import: imports an event from a calendar file, or from the address of a calendar or a web page, into the form
 * of a new event (IMP-1).
 */
@ActingPageController()
export class ImportPages {
  constructor(
    private readonly imports: EventImportsCommands,
    private readonly formRunner: FormRunner,
    private readonly fetches: ImportFetch,
    private readonly importFiles: ImportFiles,
    private readonly newEvents: NewEventView,
    private readonly clock: Clock,
  ) {}

  @Get('events/import')
  page(@CurrentMember() member: Member): View {
    return this.show(member);
  }

  @Post('events/import')
  @CheckForm({ plan: IMPORT, files: UPLOAD, maxBytes: LIMITS.imports.form_bytes })
  import(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    return this.formRunner.runToView(member, request, {
      action: (raw, file) => this.showImported(member, raw, file('file')),
      show: (refusal) => this.show(member, refusal),
    });
  }

  private async showImported(member: Member, raw: RawFields, file: SpooledFile | null): Promise<View> {
    const chosen = sentDraft(raw['draft']?.[0] ?? '');
    if (chosen) return this.showFilledForm(member, chosen);
    const address = raw['url']?.[0] ?? '';
    if (!file && address.trim() === '') throw Refusal.invalid('file', 'import_no_source');
    const drafts = file ? await this.draftsOfFile(member, file) : await this.draftsOfAddress(member, address);
    const [first, ...others] = drafts;
    if (!first) throw Refusal.invalid(file ? 'file' : 'url', 'import_nothing');
    return others.length === 0 ? this.showFilledForm(member, first) : this.showChoice(member, drafts);
  }

  private async draftsOfFile(member: Member, { path }: SpooledFile): Promise<readonly FilledDraft[]> {
    await this.imports.countImport(member.user.id);
    return this.draftsOf(member, utf8Text(await readFile(path)), false);
  }

  private async draftsOfAddress(member: Member, typedAddress: string): Promise<readonly FilledDraft[]> {
    const address = this.fetches.addressOf(typedAddress);
    await this.imports.countImport(member.user.id);
    return this.draftsOf(member, await this.fetches.textOf(member.user.id, address), true);
  }

  private draftsOf({ timezone }: Member, text: string, mayBePage: boolean): Promise<readonly FilledDraft[]> {
    return this.importFiles.draftsOf({ text, zone: timezone, now: this.clock.now(), mayBePage });
  }

  private showFilledForm(member: Member, draft: FilledDraft): Promise<View> {
    return this.newEvents.show(member, { ...shownDraft(draft), intro: translator(member.locale)('import_filled') });
  }

  private showChoice(member: Member, found: readonly FilledDraft[]): View {
    const say = translator(member.locale);
    const drafts = found.slice(0, LIMITS.imports.choices);
    const isCut = found.length > drafts.length;
    return view('import-choice', {
      title: say('import_choose'),
      section: 'new',
      limitNote: isCut ? say('import_most', { count: drafts.length }) : null,
      drafts: drafts.map((draft) => ({
        title: draft.fields.title || say('import_no_title'),
        when: this.startText(member, draft),
        json: JSON.stringify(draft),
      })),
    });
  }

  private startText(member: Member, { fields: { starts_at: startsAt }, notes }: FilledDraft): string {
    const say = translator(member.locale);
    if (startsAt === null) return say('import_no_time');
    const start = new Date(startsAt);
    return notes.includes('all_day')
      ? say('import_whole_day', { day: localDayHeading(member, start, this.clock.now()) })
      : localTimes(member, start, null);
  }

  private show(member: Member, refusal: FormRefusal | null = null): View {
    const say = translator(member.locale);
    const content = {
      title: say('import_title'),
      section: 'new',
      formView: formView(IMPORT, member, { refusal }),
    } as const;
    return view('import', content, refusal?.status);
  }
}
