import { Get, Param, type StreamableFile } from '@nestjs/common';
import type { EventStatisticsResource } from '#areas/statistics/statistics.resource';
import { StatisticsService } from '#areas/statistics/statistics.service';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { dateFormat } from '#platform/time/date-format';
import { csvDownload } from '#platform/http/csv-answer';
import { csvFile } from '#platform/text/csv';
import { chartOf } from '../charts';
import { localClock, localShortTime } from '../local-time';
import { ActingPageController, CurrentMember, type Member } from '../page.decorators';
import { VisibleEvents } from '../public/visible-events';
import { translator, type TextKey } from '../texts';
import { partOf, view, type View } from '../view';

/** The text key of a label, and the number for this label. */
type Figure = readonly [name: TextKey, count: number];

/** /events/{id}/stats: an event's numbers for the organizer, and the numbers of each day as a CSV file (STAT-4). */
@ActingPageController()
export class StatisticsPages {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly visibleEvents: VisibleEvents,
  ) {}

  @Get('events/:id/stats')
  async page(@CurrentMember() member: Member, @Param('id') id: string): Promise<View> {
    const { eventId, event } = await this.visibleEvents.event(id, member);
    const numbers = await this.statistics.show(member.caller, eventId);
    const say = translator(member.locale);
    const days = numbers.days.map((day) => ({
      ...day,
      label: dayName(day.day, member, { day: 'numeric', month: 'numeric' }),
      name: dayName(day.day, member, { day: 'numeric', month: 'short', year: 'numeric' }),
    }));
    const checkIns = numbers.check_ins.map(({ at, count }) => ({
      at: localShortTime(member, new Date(at)),
      clock: localClock(member, new Date(at)),
      count,
    }));
    return view('statistics', {
      ...partOf(event.title, say('tools_stats')),
      event: { id, title: event.title },
      figures: figuresOf(numbers),
      days,
      checkIns,
      daysChart: chartOf({
        title: say('statistics_days'),
        series: [
          { name: say('statistics_joined'), as: 'column' },
          { name: say('statistics_left'), as: 'column' },
          { name: say('statistics_total'), as: 'line' },
        ],
        points: days.map(({ label, joined, left, confirmed }) => ({ label, values: [joined, left, confirmed] })),
      }),
      checkInsChart: chartOf({
        title: say('statistics_door'),
        series: [{ name: say('statistics_arrived'), as: 'column' }],
        points: checkIns.map(({ at, clock, count }) => ({ label: at, axis: clock, values: [count] })),
      }),
    });
  }

  @Get('events/:id/stats.csv')
  async file(@CurrentMember() member: Member, @Param('id') id: string): Promise<StreamableFile> {
    const { eventId } = await this.visibleEvents.event(id, member);
    const { days } = await this.statistics.show(member.caller, eventId);
    const rows = days.map(({ day, joined, left, confirmed }) => [{ day }, joined, left, confirmed]);
    return csvDownload(`stats-${id}`, csvFile([['day', 'joined', 'left', 'confirmed'], ...rows]));
  }
}

function figuresOf({ participants, checked_in, waitlist, offers }: EventStatisticsResource): Record<string, Figure[]> {
  return {
    now: [
      ['statistics_confirmed', participants.confirmed],
      ['statistics_checked_in', checked_in],
      ['statistics_pending', participants.pending],
      ['statistics_waitlisted', participants.waitlisted],
      ['statistics_requested', participants.requested],
      ['statistics_declined', participants.declined],
      ['statistics_banned', participants.banned],
    ],
    waitlist: [
      ['statistics_waitlist_joined', waitlist.joined],
      ['statistics_waitlist_promoted', waitlist.promoted],
      ['statistics_waitlist_left', waitlist.left],
    ],
    offers: [
      ['statistics_offers_made', offers.made],
      ['statistics_offers_accepted', offers.accepted],
      ['statistics_offers_declined', offers.declined],
      ['statistics_offers_lapsed', offers.lapsed],
    ],
  };
}

/** Formats a calendar day. Midnight in UTC represents the day, so the format also uses UTC. */
function dayName(day: string, { locale }: Member, parts: Intl.DateTimeFormatOptions): string {
  const format = dateFormat(LANGUAGE_TAGS[locale], { ...parts, timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
