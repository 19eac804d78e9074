import windowsZones from 'node-ical/windowsZones.json';
import { isTimeZone } from '#platform/time/time-zone';
import { calendarDrafts } from './calendar-drafts';
import { fieldsOf, type EventDraft } from './event-draft';
import { pageDrafts } from './page-drafts';
import { WINDOWS_ZONES } from './windows-zones';

const PRAGUE = 'Europe/Prague';
const NOW = new Date('2030-06-01T10:00:00Z');
const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'SUMMARY:Koncert', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join(
    '\r\n',
  );
const first = (drafts: EventDraft[] | null): EventDraft => drafts![0]!;
const timesIn = ({ startsAt, endsAt, isAllDay }: EventDraft) => [
  startsAt?.toISOString() ?? null,
  endsAt?.toISOString() ?? null,
  isAllDay,
];

// IMP-2
describe('an event of a calendar file', () => {
  const OWN_ZONE = [
    'BEGIN:VTIMEZONE',
    'TZID:Office',
    'BEGIN:STANDARD',
    'TZOFFSETFROM:+0900',
    'TZOFFSETTO:+0900',
    'DTSTART:19700101T000000',
    'END:STANDARD',
    'END:VTIMEZONE',
  ];
  it.each([
    [
      'times in UTC',
      ['DTSTART:20310601T170000Z', 'DTEND:20310601T193000Z'],
      '2031-06-01T17:00',
      '2031-06-01T19:30',
      false,
    ],
    [
      'a duration instead of an end',
      ['DTSTART:20310601T170000Z', 'DURATION:PT1H30M'],
      '2031-06-01T17:00',
      '2031-06-01T18:30',
      false,
    ],
    ['a start in a known zone', ['DTSTART;TZID=America/New_York:20310704T190000'], '2031-07-04T23:00', null, false],
    ['a start without a zone', ['DTSTART:20310601T190000'], '2031-06-01T17:00', null, false],
    ['a start in an unknown zone', ['DTSTART;TZID=Nowhere:20310601T190000'], '2031-06-01T17:00', null, false],
    [
      'a day without a time',
      ['DTSTART;VALUE=DATE:20310601', 'DTEND;VALUE=DATE:20310602'],
      '2031-05-31T22:00',
      null,
      true,
    ],
    ['a recurrence', ['DTSTART:20300101T170000Z', 'RRULE:FREQ=WEEKLY'], '2030-06-04T17:00', null, false],
    [
      'separate dates in a zone that differs from the zone of the start',
      ['DTSTART;TZID=Europe/Prague:20300101T190000', 'RDATE;TZID=America/New_York:20300704T190000'],
      '2030-07-04T23:00',
      null,
      false,
    ],
    [
      'separate dates without a zone',
      ['DTSTART;TZID=America/New_York:20300101T190000', 'RDATE:20300704T190000'],
      '2030-07-04T23:00',
      null,
      false,
    ],
    [
      'a start before all separate dates',
      ['DTSTART:20300620T170000Z', 'RDATE:20300704T170000Z,20300705T170000Z'],
      '2030-06-20T17:00',
      null,
      false,
    ],
    ['a recurrence every second', ['DTSTART:20310601T170000Z', 'RRULE:FREQ=SECONDLY'], '2031-06-01T17:00', null, false],
    [
      'a recurrence that is over',
      ['DTSTART:20200101T170000Z', 'RRULE:FREQ=DAILY;COUNT=2'],
      '2020-01-01T17:00',
      null,
      false,
    ],
    [
      'an end before the start',
      ['DTSTART:20310601T170000Z', 'DTEND:20310601T160000Z'],
      '2031-06-01T17:00',
      null,
      false,
    ],
    [
      'a start in a zone of Windows',
      ['DTSTART;TZID=Eastern Standard Time:20310704T190000', 'DTEND;TZID=W. Europe Standard Time:20310705T020000'],
      '2031-07-04T23:00',
      '2031-07-05T00:00',
      false,
    ],
    ['29 February, each year', ['DTSTART:20280229T170000Z', 'RRULE:FREQ=YEARLY'], '2032-02-29T17:00', null, false],
    [
      '29 February, every third year, with the month in the rule',
      ['DTSTART;TZID=Europe/Prague:20160229T190000', 'RRULE:FREQ=YEARLY;INTERVAL=3;BYMONTH=2'],
      '2040-02-29T18:00',
      null,
      false,
    ],
    [
      'two yearly dates, the first on 29 February',
      ['DTSTART;VALUE=DATE:20280229', 'RRULE:FREQ=YEARLY;COUNT=2'],
      '2032-02-28T23:00',
      null,
      true,
    ],
    [
      'the 60th day of each year, and 29 February as the first day',
      ['DTSTART:20280229T170000Z', 'RRULE:FREQ=YEARLY;BYYEARDAY=60'],
      '2031-03-01T17:00',
      null,
      false,
    ],
    [
      '31 May, each year, with two months in the rule',
      ['DTSTART;TZID=Europe/Prague:20200531T190000', 'RRULE:FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=4,5'],
      '2031-05-31T17:00',
      null,
      false,
    ],
    [
      '31 August, each year, with the months June and August in the rule',
      ['DTSTART:20200831T170000Z', 'RRULE:FREQ=YEARLY;BYMONTH=6,8'],
      '2030-08-31T17:00',
      null,
      false,
    ],
    [
      '30 March, each year, with the months February and March in the rule',
      ['DTSTART:20200330T170000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=30'],
      '2031-03-30T17:00',
      null,
      false,
    ],
    [
      'a recurrence in Prague whose end (UNTIL, in UTC) is exactly the start of its last date',
      ['DTSTART;TZID=Europe/Prague:20300501T180000', 'RRULE:FREQ=WEEKLY;UNTIL=20300605T160000Z'],
      '2030-06-05T16:00',
      null,
      false,
    ],
    [
      'a recurrence in New York whose end (UNTIL, in UTC) is two hours before the next date would start',
      ['DTSTART;TZID=America/New_York:20300501T180000', 'RRULE:FREQ=WEEKLY;UNTIL=20300605T200000Z'],
      '2030-05-01T22:00',
      null,
      false,
    ],
    ['an impossible start', ['DTSTART:20311399T990000Z'], null, null, false],
    ['a day that does not exist', ['DTSTART:20310230T170000Z'], null, null, false],
    ['no start', [], null, null, false],
  ])('has the correct start and end if the file contains %s', (_, lines, start, end, isAllDay) => {
    const whole = (text: string | null) => text && `${text}:00.000Z`;
    expect(timesIn(first(calendarDrafts(calendar(...lines), PRAGUE, NOW)))).toEqual([
      whole(start),
      whole(end),
      isAllDay,
    ]);
  });

  it('may name a time zone of Windows; its IANA zone is the same as in the library node-ical', () => {
    const zonesOfNodeIcal: Readonly<Record<string, { iana: string[] }>> = windowsZones;
    for (const [name, zone] of WINDOWS_ZONES)
      expect([name, isTimeZone(zone), zone]).toEqual([name, true, zonesOfNodeIcal[name]?.iana[0]]);
  });

  it.each([
    ['in an unknown zone', ['DTSTART;TZID=Nowhere:20310601T190000'], true],
    ['in UTC and an end in an unknown zone', ['DTSTART:20310601T170000Z', 'DTEND;TZID=Nowhere:20310601T190000'], true],
    ['in a zone of Windows', ['DTSTART;TZID=GMT Standard Time:20310601T190000'], false],
    ['without a zone', ['DTSTART:20310601T190000'], false],
    ['on a day in an unknown zone', ['DTSTART;VALUE=DATE;TZID=Nowhere:20310601'], false],
  ])(
    'has a note about an unknown zone only if a time of the event is in such a zone: a start %s',
    (_, lines, isZoneUnknown) =>
      expect(first(calendarDrafts(calendar(...lines), PRAGUE, NOW)).isZoneUnknown).toBe(isZoneUnknown),
  );

  it('has the correct start in a time zone that the file defines', () => {
    const text = calendar('DTSTART;TZID=Office:20310601T190000').replace(
      'BEGIN:VEVENT',
      `${OWN_ZONE.join('\r\n')}\r\nBEGIN:VEVENT`,
    );
    expect(first(calendarDrafts(text, PRAGUE, NOW)).startsAt?.toISOString()).toBe('2031-06-01T10:00:00.000Z');
  });

  describe('with dates that differ from the rule', () => {
    const WEEKLY = ['UID:1', 'DTSTART;TZID=Europe/Prague:20300101T190000', 'RRULE:FREQ=WEEKLY'];
    const changed = (...lines: string[]) => ['END:VEVENT', 'BEGIN:VEVENT', ...lines];
    const movedTo = (start: string) =>
      changed('UID:1', 'SUMMARY:Zkouška', 'RECURRENCE-ID:20300604T170000Z', `DTSTART:${start}`, 'DURATION:PT1H');
    const HOURS = Array.from({ length: 600 }, (_, hour) =>
      new Date(Date.UTC(2030, 5, 1, hour)).toISOString().replace(/[-:]|\.000/g, ''),
    );
    const cancelled = changed(
      'UID:1',
      'SUMMARY:Koncert',
      'RECURRENCE-ID:20300604T170000Z',
      'DTSTART:20300604T170000Z',
      'STATUS:CANCELLED',
    );

    it.each([
      ['moved within the week', movedTo('20300605T080000Z'), 'Zkouška', '2030-06-05T08:00', '2030-06-05T09:00'],
      [
        'moved by an entry without a title',
        changed('UID:1', 'RECURRENCE-ID:20300604T170000Z', 'DTSTART:20300605T080000Z'),
        'Koncert',
        '2030-06-05T08:00',
        null,
      ],
      ['moved to a time after the following date', movedTo('20300615T080000Z'), 'Koncert', '2030-06-11T17:00', null],
      ['moved into the past', movedTo('20300530T080000Z'), 'Koncert', '2030-06-11T17:00', null],
      [
        'unchanged, because the other entry refers to no date of the rule',
        changed('UID:1', 'SUMMARY:Koncert', 'RECURRENCE-ID:20300604', 'DTSTART:20300611T170000Z'),
        'Koncert',
        '2030-06-04T17:00',
        null,
      ],
      ['cancelled', cancelled, 'Koncert', '2030-06-11T17:00', null],
    ])('has the correct next date if the first upcoming date of the rule is %s', (_, lines, title, start, end) => {
      const drafts = calendarDrafts(calendar(...WEEKLY, ...lines), PRAGUE, NOW)!;
      expect(drafts.map((draft) => [draft.title, ...timesIn(draft)])).toEqual([
        [title, `${start}:00.000Z`, end && `${end}:00.000Z`, false],
      ]);
    });

    it.each([
      [
        'the next day, if its only date is moved to the next day',
        ['DTSTART:20300604T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=1', ...movedTo('20300605T080000Z')],
        'Zkouška',
        '2030-06-05T08:00',
      ],
      [
        'the next day, if it does not recur and its date is moved to the next day',
        ['DTSTART:20300604T170000Z', ...movedTo('20300605T080000Z')],
        'Zkouška',
        '2030-06-05T08:00',
      ],
      [
        'the changed date, if its only date is moved into the past',
        ['DTSTART:20300604T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=1', ...movedTo('20300530T080000Z')],
        'Zkouška',
        '2030-05-30T08:00',
      ],
      [
        'the remaining date, if one of two upcoming dates is moved and the other one is cancelled',
        [
          'DTSTART:20300604T170000Z',
          'RRULE:FREQ=WEEKLY;COUNT=2',
          ...movedTo('20300620T080000Z'),
          ...changed('UID:1', 'RECURRENCE-ID:20300611T170000Z', 'DTSTART:20300611T170000Z', 'STATUS:CANCELLED'),
        ],
        'Zkouška',
        '2030-06-20T08:00',
      ],
      [
        'its first date, if all upcoming dates are cancelled',
        ['DTSTART:20300528T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=2', ...cancelled],
        'Koncert',
        '2030-05-28T17:00',
      ],
      [
        'its first date that is not excluded, if all dates are in the past',
        ['DTSTART:20300101T170000Z', 'RRULE:FREQ=WEEKLY;UNTIL=20300120T000000Z', 'EXDATE:20300101T170000Z'],
        'Koncert',
        '2030-01-08T17:00',
      ],
      [
        'its first separate date, if its start is excluded',
        ['DTSTART:20300620T170000Z', 'EXDATE:20300620T170000Z', 'RDATE:20300704T170000Z'],
        'Koncert',
        '2030-07-04T17:00',
      ],
      [
        'the date after 600 excluded dates',
        ['DTSTART:20300601T000000Z', 'RRULE:FREQ=HOURLY', `EXDATE:${HOURS.join(',')}`],
        'Koncert',
        '2030-06-26T00:00',
      ],
      [
        'the next day, if the file excludes the whole first day',
        ['DTSTART;TZID=Europe/Prague:20300602T003000', 'RRULE:FREQ=HOURLY', 'EXDATE;VALUE=DATE:20300602'],
        'Koncert',
        '2030-06-02T22:30',
      ],
      [
        'its first date, if the file excludes the same local time in another zone',
        ['DTSTART;TZID=Europe/Prague:20300604T190000', 'RRULE:FREQ=WEEKLY', 'EXDATE:20300604T190000Z'],
        'Koncert',
        '2030-06-04T17:00',
      ],
      [
        'its second date, if the file excludes the first date by its time in UTC',
        ['DTSTART;TZID=Europe/Prague:20300604T190000', 'RRULE:FREQ=WEEKLY', 'EXDATE:20300604T170000Z'],
        'Koncert',
        '2030-06-11T17:00',
      ],
      [
        'its second date, if the file excludes the first date by a time without a zone (the zone of the start applies)',
        ['DTSTART;TZID=America/New_York:20300604T190000', 'RRULE:FREQ=WEEKLY', 'EXDATE:20300604T190000'],
        'Koncert',
        '2030-06-11T23:00',
      ],
      [
        'its second day, if the file excludes the first day by a time instead of a day',
        ['DTSTART;VALUE=DATE:20300604', 'RRULE:FREQ=DAILY', 'EXDATE:20300604T000000Z'],
        'Koncert',
        '2030-06-04T22:00',
      ],
    ])('starts on %s', (_, lines, title, start) => {
      const drafts = calendarDrafts(calendar('UID:1', ...lines), PRAGUE, NOW)!;
      expect(drafts.map((draft) => [draft.title, draft.startsAt?.toISOString()])).toEqual([
        [title, `${start}:00.000Z`],
      ]);
    });

    it.each([
      ['all its dates are cancelled', ['DTSTART:20300604T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=1', ...cancelled]],
      ['it is cancelled as a whole', ['SUMMARY:Koncert', 'DTSTART:20300604T170000Z', 'STATUS:CANCELLED']],
      [
        'the file contains only the cancellation of a date',
        ['RECURRENCE-ID:20300604T170000Z', 'DTSTART:20300604T170000Z', 'STATUS:CANCELLED'],
      ],
    ])('is not found if %s', (_, lines) =>
      expect(calendarDrafts(calendar('UID:1', ...lines), PRAGUE, NOW)).toEqual([]),
    );

    it('is found if the file contains only one date of the recurrence', () => {
      const drafts = calendarDrafts(
        calendar('UID:1', 'RECURRENCE-ID:20310604T170000Z', 'DTSTART:20310605T080000Z'),
        PRAGUE,
        NOW,
      )!;
      expect(drafts.map(({ startsAt }) => startsAt?.toISOString())).toEqual(['2031-06-05T08:00:00.000Z']);
    });
  });

  it('is read without a new Intl.DateTimeFormat for each excluded date, because creating a format is slow', () => {
    const formats = jest.spyOn(Intl, 'DateTimeFormat');
    const excluded = Array.from({ length: 500 }, (_, n) => `EXDATE;TZID=Europe/Prague:20310601T${190000 + (n % 60)}`);
    try {
      calendarDrafts(calendar('DTSTART:20310601T170000Z', 'RRULE:FREQ=DAILY', ...excluded), PRAGUE, NOW);
      expect(formats.mock.calls.length).toBeLessThan(10);
    } finally {
      formats.mockRestore();
    }
  });

  it('has the title, description and place of the file, even with folded lines and a byte order mark', () => {
    const text = `\uFEFF${calendar('DESCRIPTION:První\\nDruhý\\, řádek', 'LOCATION:Klub\\, Dlouhá 7', 'GEO:50.0875;14.4213', 'DTSTART:20310601T170000Z').replace('Koncert', 'Kon\r\n cert')}`;
    expect(first(calendarDrafts(text, PRAGUE, NOW))).toMatchObject({
      title: 'Koncert',
      description: 'První\nDruhý, řádek',
      locationName: 'Klub',
      locationAddress: 'Dlouhá 7',
      latitude: 50.0875,
      longitude: 14.4213,
    });
  });

  it('is found in each calendar of a file', () => {
    const text = [calendar('DTSTART:20310601T170000Z'), calendar('DTSTART:20310602T170000Z')].join('\r\n');
    expect(calendarDrafts(text, PRAGUE, NOW)).toHaveLength(2);
  });

  it.each(['', '<html></html>', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x', '\u0089PNG'])(
    'is not found in %j',
    (text) => expect(calendarDrafts(text, PRAGUE, NOW)).toBeNull(),
  );
});

// IMP-3
describe('an event of a web page', () => {
  const EVENT = {
    '@type': 'Event',
    name: 'Koncert &amp; tanec',
    startDate: '2031-06-01T19:00:00+02:00',
    endDate: '2031-06-01T22:00:00+02:00',
    location: { '@type': 'Place', name: 'Klub', address: { streetAddress: 'Dlouhá 7', addressLocality: 'Praha' } },
    offers: [
      { price: '250', priceCurrency: 'CZK' },
      { price: 5, priceCurrency: 'EUR' },
      { price: '', priceCurrency: 'CZK' },
    ],
  };
  const page = (...data: unknown[]) =>
    data.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('');

  it.each([
    ['an object', EVENT],
    ['a list', [{ '@type': 'WebSite' }, EVENT]],
    ['a graph', { '@graph': [{ '@type': 'Organization' }, EVENT] }],
    ['the main object of a page', { '@type': 'WebPage', mainEntity: EVENT }],
    [
      'an item of a list',
      { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', position: 1, item: EVENT }] },
    ],
    [
      'an event with a part that is also an event (only the whole is found)',
      { ...EVENT, subEvent: [{ ...EVENT, name: 'Zkouška' }] },
    ],
    [
      'an object with a virtual location and a place',
      { ...EVENT, location: [{ '@type': 'VirtualLocation' }, EVENT.location] },
    ],
    ['an object of a subtype', { ...EVENT, '@type': 'https://schema.org/MusicEvent' }],
    ['an object with several types', { ...EVENT, '@type': ['Place', 'Festival'] }],
    [
      'an object whose values are lists',
      {
        ...EVENT,
        name: [EVENT.name],
        startDate: [EVENT.startDate],
        endDate: [EVENT.endDate],
        location: { ...EVENT.location, address: [EVENT.location.address] },
      },
    ],
  ])('is found in %s', (_, data) => {
    expect(pageDrafts(`<p>x<script>var y = 1;</script>${page(data)}`, PRAGUE)).toEqual([
      {
        title: 'Koncert & tanec',
        description: null,
        startsAt: new Date('2031-06-01T17:00:00Z'),
        endsAt: new Date('2031-06-01T20:00:00Z'),
        isAllDay: false,
        isZoneUnknown: false,
        locationName: 'Klub',
        locationAddress: 'Dlouhá 7, Praha',
        latitude: null,
        longitude: null,
        priceCzk: 250,
      },
    ]);
  });

  it.each([
    ['2031-06-01', '2031-05-31T22:00:00.000Z', true],
    ['2031-06-01T19:00', '2031-06-01T17:00:00.000Z', false],
    ['2031-06-01T19:00:00+0200', '2031-06-01T17:00:00.000Z', false],
    ['2031-06-01T19:00+02', '2031-06-01T17:00:00.000Z', false],
    ['next week', null, false],
    ['2031-02-30T19:00:00+02:00', null, false],
    ['2031-06-31T19:00Z', null, false],
    ['2031-06-01T24:00:00Z', null, false],
    ['2031-06-01T19:00:00+99:00', null, false],
  ])('has the correct start if its startDate is %j', (startDate, start, isAllDay) =>
    expect(timesIn(pageDrafts(page({ ...EVENT, startDate, endDate: null }), PRAGUE)[0]!)).toEqual([
      start,
      null,
      isAllDay,
    ]),
  );

  it.each([
    ['Jaro &#8211; l&eacute;to', 'Jaro – léto'],
    ['Rock&#x27;n&#039;roll &lt;3', "Rock'n'roll <3"],
    ['1 < 2 & 3', '1 < 2 & 3'],
    ['<p>První<br>řádek</p><p>druhý</p>', 'První\nřádek\ndruhý'],
    ['<style>p{color:red}</style><div>První</div><div>druhý</div>', 'První\ndruhý'],
  ])('has the description %j as a text without tags and entities', (description, text) =>
    expect(pageDrafts(page({ ...EVENT, description }), PRAGUE)[0]!.description).toBe(text),
  );

  it.each([
    [{ latitude: '50.0875', longitude: 14.4213 }, [50.0875, 14.4213]],
    [[{ latitude: 50.0875, longitude: 14.4213 }], [50.0875, 14.4213]],
    [{ latitude: '', longitude: '' }, [null, null]],
    [{ latitude: null, longitude: true }, [null, null]],
  ])('has the position that the page states, or no position: %j', (geo, expected) => {
    const [draft] = pageDrafts(page({ ...EVENT, location: { ...EVENT.location, geo } }), PRAGUE);
    expect([draft!.latitude, draft!.longitude]).toEqual(expected);
  });

  it('is found even if the page also contains unreadable data and objects of other kinds', () => {
    const broken = '<script type="application/ld+json">{broken</script>';
    const others = [{ '@type': 'Recipe', name: 'Guláš' }, { '@type': { toString: 1 } }, { '@type': [[[]], null] }];
    expect(pageDrafts(broken + page(...others, EVENT), PRAGUE)).toHaveLength(1);
  });
});

// IMP-4
describe('the form of a draft', () => {
  it('has escaped and shortened texts, and notes for the person who completes the form', () => {
    const draft = first(calendarDrafts(calendar('DTSTART;VALUE=DATE:20310601'), PRAGUE, NOW));
    const long = { ...draft, title: 'x'.repeat(300), description: 'a <b>\n\nb' };
    const { fields, notes } = fieldsOf(long);
    expect([...fields.title]).toHaveLength(100);
    expect(fields.description).toBe('<p>a &lt;b&gt;</p><p>b</p>');
    expect(notes).toEqual(['all_day', 'cut']);
    expect(fieldsOf({ ...draft, startsAt: null }).notes).toEqual(['no_start']);
    expect(fieldsOf({ ...draft, isAllDay: false, isZoneUnknown: true }).notes).toEqual(['unknown_zone']);
  });

  it.each(['1899-12-31T12:00:00Z', '+010000-01-01T12:00:00Z'])(
    'has no start if the year of the start is not supported: %s',
    (start) => {
      const draft = { ...first(calendarDrafts(calendar('DTSTART:20310601T190000Z'), PRAGUE, NOW)) };
      const { fields, notes } = fieldsOf({ ...draft, startsAt: new Date(start) });
      expect([fields.starts_at, fields.ends_at, notes]).toEqual([null, null, ['no_start']]);
    },
  );
});
