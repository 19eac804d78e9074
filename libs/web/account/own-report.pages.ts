import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReportsService } from '#areas/moderation/reports.service';
import type { ReportSubject } from '#contract/vocabulary';
import { PageQueryDto } from '#platform/http/page';
import { pathOfObject } from '../moderation/reported-objects';
import { ActingPageController, CurrentMember, type Member } from '../page.decorators';
import { readListing } from '../listing';
import { translator } from '../texts';
import { view, type View } from '../view';

/** /account/reports: the reports that the reader has sent, and the decisions about these reports. */
@ActingPageController()
export class OwnReportPages {
  constructor(private readonly reports: ReportsService) {}

  @Get('account/reports')
  async list(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View> {
    const { page, ...listing } = await readListing(request, member.locale, PageQueryDto, (query) =>
      this.reports.listForPage(member.caller, query),
    );
    const title = translator(member.locale)('reports_tab');
    if (!page) return view('own-reports', { ...listing, title, tab: 'reports', reports: [] }, 422);
    const about = { type: 'report', id: null } as const;
    return view('own-reports', {
      ...listing,
      title,
      tab: 'reports',
      about,
      reports: page.items.map((one) => ({
        ...one,
        path: one.isRemoved ? null : pathOfReported(one.subject_type, one.subject_id, one.slug),
      })),
    });
  }
}

/**
 * The path of the reported object's page; null if this kind of object has no page, or if a post or user has no slug.
 */
function pathOfReported(type: ReportSubject, id: string, slug: string | null): string | null {
  const idOrSlug = type === 'post' || type === 'user' ? slug : id;
  return idOrSlug === null ? null : pathOfObject(type, idOrSlug);
}
