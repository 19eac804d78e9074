import { gzipSync } from 'node:zlib';
import { LIMITS } from '#contract/limits';
import { formsOf, formTo, filledIn, type TypedValues } from '#testing/forms';
import { ScriptedServer, type Turn } from '#testing/scripted-server';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

const calendar = (...events: string[][]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const CONCERT = ['SUMMARY:Koncert & spol.', 'DTSTART:20310601T190000', 'LOCATION:Klub\\, Dlouhá 7'];
const respondWith =
  (body: string | Buffer, headers: Record<string, string> = {}): Turn =>
  (response) =>
    void response.writeHead(200, headers).end(body);

describe('the import of events', () => {
  let server: TestServer;
  let otherSite: ScriptedServer;
  let browser: Visitor;
  let memberCount = 0;
  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
    otherSite = await ScriptedServer.start();
  });
  beforeEach(async () => {
    otherSite.forget();
    browser = await newMember();
  });
  afterAll(async () => {
    otherSite.stop();
    await server.stop();
  });

  const newMember = async (): Promise<Visitor> => {
    const visitor = new Visitor(server);
    await visitor.register(`clen${++memberCount}@example.org`);
    return visitor;
  };
  const send = async (typed: TypedValues, file: string | Buffer | null = null, visitor = browser): Promise<Page> => {
    const { html } = await visitor.get('/events/import');
    const form = formTo(html, '/events/import');
    const body = filledIn(form, typed) as FormData;
    if (file !== null) body.append('file', new Blob([file]), 'akce.ics');
    return visitor.send('POST', form.action, body);
  };
  const importFromSite = (turns: Turn[], path = '/akce.ics'): Promise<Page> => {
    otherSite.turns = turns;
    return send({ url: otherSite.origin + path });
  };
  const formFields = ({ html }: Page): Record<string, string> => Object.fromEntries(formTo(html, '/events/new').fields);
  const eventCount = async (): Promise<number> =>
    Number((await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM events'))[0]?.n);

  // IMP-1
  it('fills in the form of a new event, and creates the event only when the form is sent', async () => {
    const before = await eventCount();
    const page = await send({}, calendar(CONCERT));
    expect([page.status, await eventCount()]).toEqual([200, before]);
    expect(formFields(page)).toMatchObject({
      title: 'Koncert & spol.',
      starts_at: '2031-06-01T19:00',
      location_name: 'Klub',
      location_address: 'Dlouhá 7',
      join_mode: 'open',
    });
    const form = formTo(page.html, '/events/new');
    const sent = await browser.send('POST', form.action, filledIn(form, {}));
    expect([sent.status, await eventCount()]).toEqual([303, before + 1]);
  });

  // IMP-1
  it('has a form at /events/import for members; two pages (a new event, and the list of own events) link to this form', async () => {
    expect((await browser.get('/events/new')).html).toContain('href="/events/import"');
    expect((await browser.get('/account/events')).html).toContain('href="/events/import"');
    const stranger = await new Visitor(server).get('/events/import');
    expect([stranger.status, stranger.to]).toEqual([303, '/sign-in?next=%2Fevents%2Fimport']);
  });

  // IMP-1
  it('lets the person select one of several events in a file, and lists first the event that starts next', async () => {
    const page = await send(
      {},
      calendar(
        ['SUMMARY:Minulá', 'DTSTART:20200101T100000Z'],
        ['SUMMARY:Pozdější', 'DTSTART:20330601T100000Z'],
        ['SUMMARY:Nejbližší', 'DTSTART;VALUE=DATE:20320601'],
      ),
    );
    expect([page.status, page.html.match(/<h2>[^<]+/g)]).toEqual([
      200,
      ['<h2>Nejbližší', '<h2>Pozdější', '<h2>Minulá'],
    ]);
    expect(page.html).toContain('Tuesday, 1 June 2032 (all day)');
    const [first] = formsOf(page.html).filter(({ action }) => action.endsWith('/events/import'));
    const formPage = await browser.send('POST', first!.action, filledIn(first!, {}));
    expect([formPage.status, formFields(formPage)['title'], formFields(formPage)['starts_at']]).toEqual([
      200,
      'Nejbližší',
      '2032-06-01T00:00',
    ]);
    expect(formPage.html).toMatch(/id="field-starts_at-mark">The event lasts all day/);
  });

  // IMP-4
  it('marks the title as a field to be filled in if the file has none', async () => {
    const lines = ['DTSTART:20330601T100000Z'];
    const page = await send({}, calendar(lines));
    expect([page.status, formFields(page)['title'], formFields(page)['starts_at']]).toEqual([
      200,
      '',
      '2033-06-01T12:00',
    ]);
    expect(page.html).toMatch(/id="field-title-mark">The title is missing/);
    const choice = await send({}, calendar(lines, ['SUMMARY:Koncert', ...lines]));
    expect(choice.html.match(/<h2>[^<]+/g)).toEqual(['<h2>without a title', '<h2>Koncert']);
    const [first] = formsOf(choice.html).filter(({ action }) => action.endsWith('/events/import'));
    const chosen = await browser.send('POST', first!.action, filledIn(first!, {}));
    expect(chosen.html).toMatch(/id="field-title-mark">The title is missing/);
  });

  // IMP-1
  it('offers only as many events of a file as the limit allows, and shows whether there are more', async () => {
    const { choices } = LIMITS.imports;
    for (const count of [choices, choices + 1]) {
      const all = Array.from({ length: count }, (_, n) => [`SUMMARY:Akce ${n}`, 'DTSTART:20330601T100000Z']);
      const { html } = await send({}, calendar(...all));
      expect([html.match(/<h2>/g)?.length, html.includes('There are more events')]).toEqual([choices, count > choices]);
    }
  });

  // IMP-1
  it.each([
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '1',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
  ])(
    'shows the form of a new event even if the start of the selected event is unusual or invalid: %s',
    async (starts_at) => {
      const { html } = await browser.get('/events/import');
      const form = formTo(html, '/events/import');
      const body = filledIn(form, {}) as FormData;
      body.set('draft', JSON.stringify({ fields: { title: 'Koncert', starts_at, ends_at: starts_at } }));
      const page = await browser.send('POST', form.action, body);
      expect([page.status, formFields(page)['title']]).toEqual([200, 'Koncert']);
    },
  );

  // IMP-2
  it.each(['00000101T000000', '99991231T235959Z', '00000101T000000Z'])(
    'reads a file with one event and a file with two events if the events start at %s',
    async (start) => {
      expect((await send({}, calendar(['SUMMARY:Koncert', `DTSTART:${start}`]))).status).toBe(200);
      expect(
        (await send({}, calendar(['SUMMARY:A', `DTSTART:${start}`], ['SUMMARY:B', `DTSTART:${start}`]))).status,
      ).toBe(200);
    },
  );

  // IMP-2
  it('shows a note at the field of the start if the time zone in the file is not known', async () => {
    const page = await send({}, calendar(['SUMMARY:Koncert', 'DTSTART;TZID=Nowhere:20310601T190000']));
    expect(formFields(page)['starts_at']).toBe('2031-06-01T19:00');
    expect(page.html).toMatch(/id="field-starts_at-mark">The time zone in the file is not known/);
  });

  // IMP-3
  it('reads the structured data of a page about an event', async () => {
    const data = { '@type': 'Event', name: 'Vernisáž', startDate: '2031-06-01', description: 'x'.repeat(6000) };
    const page = await importFromSite([
      respondWith(`<html><script type="application/ld+json">${JSON.stringify(data)}</script></html>`),
    ]);
    expect([page.status, formFields(page)['title'], formFields(page)['starts_at']]).toEqual([
      200,
      'Vernisáž',
      '2031-06-01T00:00',
    ]);
    expect(page.html).toContain('id="field-description-mark"');
    const form = formTo(page.html, '/events/new');
    expect((await browser.send('POST', form.action, filledIn(form, { starts_at: '2031-06-01T18:00' }))).status).toBe(
      303,
    );
  });

  // IMP-7
  it('reads a page and a calendar in the encoding that the other site states, or in UTF-8', async () => {
    const page = (head: string) =>
      `<html><head>${head}<script type="application/ld+json">{"@type":"Event","name":"Žižkov žije","startDate":"2031-06-01T19:00"}</script></head></html>`;
    // The letters Ž and ž have different bytes in windows-1250 and ISO-8859-2.
    const encoded = (text: string, upper: number, lower: number) =>
      Buffer.from(
        text.replaceAll('Ž', String.fromCharCode(upper)).replaceAll('ž', String.fromCharCode(lower)),
        'latin1',
      );
    const importedTitle = async (...[body, headers]: Parameters<typeof respondWith>) =>
      formFields(await importFromSite([respondWith(body, headers)])).title;
    const meta = '<meta charset="windows-1250">';
    const ics = calendar(['SUMMARY:Žižkov žije', 'DTSTART:20310601T190000']);
    expect([
      await importedTitle(encoded(page(''), 0x8e, 0x9e), { 'content-type': 'text/html; charset=windows-1250' }),
      await importedTitle(encoded(page(''), 0xae, 0xbe), { 'content-type': 'text/html;Charset="ISO-8859-2"' }),
      await importedTitle(encoded(ics, 0xae, 0xbe), { 'content-type': 'text/calendar; charset=iso-8859-2' }),
      await importedTitle(encoded(page(meta), 0x8e, 0x9e), { 'content-type': 'text/html' }),
      await importedTitle(page(''), { 'content-type': 'text/html; charset=unknown-1' }),
      await importedTitle(Buffer.from(`\uFEFF${page(meta)}`)),
      await importedTitle(ics),
    ]).toEqual(Array.from({ length: 7 }, () => 'Žižkov žije'));
  });

  // IMP-7
  it('reads a file in which a line is folded between the two bytes of a letter', async () => {
    const folded = Buffer.from(
      Buffer.from(calendar(['SUMMARY:Žižkov', 'DTSTART:20310601T190000']))
        .toString('latin1')
        .replace('\xbdi', '\r\n \xbdi'),
      'latin1',
    );
    const fetched = await importFromSite([respondWith(folded, { 'content-type': 'text/calendar' })]);
    expect([formFields(await send({}, folded)).title, formFields(fetched).title]).toEqual(['Žižkov', 'Žižkov']);
  });

  // IMP-5
  it('follows at most three redirects, and sends no cookies', async () => {
    const redirectTo =
      (location: string): Turn =>
      (response) =>
        void response.writeHead(302, { location }).end();
    const page = await importFromSite([
      redirectTo('/1'),
      redirectTo('/2'),
      redirectTo('/3'),
      respondWith(calendar(CONCERT)),
    ]);
    expect([page.status, otherSite.requests.length]).toEqual([200, 4]);
    expect(otherSite.requests.every(({ headers }) => headers.cookie === undefined)).toBe(true);
    const withFourRedirects = await importFromSite([
      redirectTo('/1'),
      redirectTo('/2'),
      redirectTo('/3'),
      redirectTo('/4'),
      respondWith(calendar(CONCERT)),
    ]);
    expect(withFourRedirects.status).toBe(422);
  });

  // IMP-5
  it('answers 422 with an error at the field if the server cannot fetch the address or read the file, and shows the typed address again', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 32));
    const refused = [
      await importFromSite([respondWith(bomb, { 'content-encoding': 'gzip' })]),
      await importFromSite([respondWith('<html></html>')]),
      await importFromSite([(response) => void response.destroy()]),
      await send({ url: 'ftp://example.org/a.ics' }),
      await send({ url: 'https://me:secret@127.0.0.1/a.ics' }),
      await send({ url: `https://${'a'.repeat(300)}.example/a.ics` }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 422));
    for (const { html } of refused) expect(html).toContain('id="field-url-error"');
    expect(refused[1]!.html).toContain(`value="${otherSite.origin}/akce.ics"`);
    const empty = await send({ url: '' });
    expect(empty.status).toBe(422);
    expect(empty.html).toMatch(
      /id="field-file-error">(Choose a file, or type an address|Vyberte soubor, nebo napište)/,
    );
    const noCalendar = await send({}, '\u0089PNG');
    expect([noCalendar.status, noCalendar.html.includes('id="field-file-error"')]).toEqual([422, true]);
    // PAGE-98
    expect(noCalendar.html).toMatch(/choose the files again|vybrat znovu/);
    const large = await send({}, Buffer.alloc(LIMITS.imports.bytes + 1, 32));
    expect([large.status, large.html.includes('id="field-file-error"')]).toEqual([422, true]);
  });

  // IMP-5
  it('fetches from private addresses only if the operator allows this', async () => {
    const strictServer = await TestServer.start();
    try {
      const visitor = new Visitor(strictServer);
      await visitor.register('clen@example.org');
      for (const url of [otherSite.origin, 'https://127.0.0.1/a.ics', 'webcal://localhost/a.ics', 'https://10.0.0.1/'])
        expect((await send({ url }, null, visitor)).status).toBe(422);
      expect(otherSite.requests).toEqual([]);
    } finally {
      await strictServer.stop();
    }
  });

  // IMP-2
  it('stops at the time limit when it reads a recurrence rule that has no dates', async () => {
    const limits: { reading: number } = LIMITS.imports;
    const replacedLimit = jest.replaceProperty(limits, 'reading', 1);
    const hostile = ['SUMMARY:Nikdy', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'];
    try {
      expect((await send({}, calendar(hostile))).status).toBe(422);
    } finally {
      replacedLimit.restore();
    }
    expect((await send({}, calendar(CONCERT))).status).toBe(200);
  });

  // IMP-6
  it('is limited to 20 imports an hour for each account, even with parallel requests', async () => {
    const { html } = await browser.get('/events/import');
    const form = formTo(html, '/events/import');
    const attempt = async (): Promise<Page> => {
      const body = filledIn(form, {}) as FormData;
      body.append('file', new Blob([calendar(CONCERT)]), 'a.ics');
      return browser.send('POST', form.action, body);
    };
    const pages: Page[] = [];
    // The server receives at most four request bodies with files from an account at the same time (LIM-9).
    for (let n = 0; n < 6; n++) pages.push(...(await Promise.all(Array.from({ length: 4 }, attempt))));
    expect(pages.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(20);
    const refused = pages.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(refused.html).toContain('role="alert"');
    server.clock.forward(3_601_000);
    expect((await attempt()).status).toBe(200);
  });
});
