import { inflateSync } from 'node:zlib';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { renderSvg, readQr } from '#testing/qr';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/** Tests docs/rules/door.md: the codes that participants show at the door, and the tickets that organizers print. */
describe('codes for the door', () => {
  let server: TestServer;
  let jana: Person, petr: Person;
  let organizer: Visitor, participant: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana', { email: 'jana@example.org', password: 'correct horse' });
    petr = await server.person('petr', { email: 'petr@example.org', password: 'correct horse' });
    [organizer, participant] = [new Visitor(server), new Visitor(server)];
    await organizer.submit('/sign-in', { email: 'jana@example.org', password: 'correct horse' });
    await participant.submit('/sign-in', { email: 'petr@example.org', password: 'correct horse' });
  });
  afterAll(() => server.stop());

  async function fileOf(id: string, visitor: Visitor): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
    const response = await fetch(`${server.origin}/events/${id}/tickets.pdf`, {
      headers: { cookie: visitor.cookie },
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }
  /** Returns the number of pages of a PDF file, and its drawing instructions without compression. */
  function contentOf(pdf: Buffer): { pages: number; instructions: string } {
    const text = pdf.toString('latin1');
    const streams = [...text.matchAll(/stream\r?\n/g)].map(({ index, 0: keyword }) => {
      try {
        return inflateSync(pdf.subarray(index + keyword.length)).toString('latin1');
      } catch {
        return '';
      }
    });
    return { pages: (text.match(/\/Type\s*\/Page(?![a-z])/g) ?? []).length, instructions: streams.join('\n') };
  }

  // DOOR-2
  it('are shown as a QR code and as text on the event page, but only to the participant', async () => {
    const event = await buildEvent(server, jana);
    const { check_in_code: code } = (await petr.api.post(`/events/${event.id}/join`)).body.data.viewer;
    const { html } = await participant.get(`/events/${event.id}`);
    expect(html).toContain(`<p class="letters">${code}</p>`);
    const svg = /<svg[^>]*shape-rendering[\s\S]*?<\/svg>/.exec(html)![0];
    expect(await readQr(await renderSvg(svg))).toMatchObject({ text: code, quietZone: 4, corner: 255, darkest: 0 });
    for (const other of [organizer, new Visitor(server)])
      expect((await other.get(`/events/${event.id}`)).html).not.toContain(code);
    await petr.api.delete(`/events/${event.id}/join`);
    expect((await participant.get(`/events/${event.id}`)).html).not.toContain('class="letters"');
  });

  // DOOR-14
  it('are printed with one page for each ticket, and the title may contain any characters', async () => {
    const titles = [
      'Příliš žluťoučký kůň',
      ') Tj /Type /Page >> endobj (',
      '🎉 Oslava \\ (závorky',
      `${'Dlouhý název '.repeat(7)}!`,
    ];
    for (const title of titles) {
      const event = await buildEvent(server, jana, {
        title,
        join_mode: 'tickets',
        location_name: '<b>Klub</b> ) ET Q',
      });
      await jana.api.post(`/events/${event.id}/tickets`, { count: 7 });
      const { status, headers, bytes } = await fileOf(event.id, organizer);
      expect([
        status,
        headers.get('content-type'),
        headers.get('cache-control'),
        headers.get('content-disposition'),
      ]).toEqual([200, 'application/pdf', 'no-store', `inline; filename="tickets-${event.id}.pdf"`]);
      expect([
        bytes.subarray(0, 5).toString(),
        /%%EOF\s*$/.test(bytes.toString('latin1')),
        contentOf(bytes).pages,
      ]).toEqual(['%PDF-', true, 7]);
      // Texts are drawn as glyphs of the embedded font, so no text can be interpreted as a PDF command.
      expect(contentOf(bytes).instructions).not.toContain('Type /Page');
      expect(bytes.toString('latin1')).toMatch(/\/FontFile2/);
    }
  });

  // DOOR-14
  it('are printed with the title, except characters that the font does not contain, such as emoji', async () => {
    const event = await buildEvent(server, jana, { title: 'Značka® ♥ ⏰ 🎉', join_mode: 'tickets' });
    await jana.api.post(`/events/${event.id}/tickets`, { count: 1 });
    // The PDF lists the characters whose glyphs it contains, as hexadecimal numbers.
    const { instructions } = contentOf((await fileOf(event.id, organizer)).bytes);
    expect(['010d', '00ae', '2665', '23f0', 'd83c'].map((code) => instructions.includes(`<${code}`))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  // DOOR-14
  it('are printed only for the organizer, and only if the event has tickets', async () => {
    const event = await buildEvent(server, jana, { join_mode: 'tickets' });
    expect((await fileOf(event.id, organizer)).status).toBe(404);
    await jana.api.post(`/events/${event.id}/tickets`, { count: 1 });
    expect([
      (await fileOf(event.id, organizer)).status,
      (await fileOf(event.id, participant)).status,
      (await fileOf('nowhereatall', organizer)).status,
    ]).toEqual([200, 404, 404]);
    const signedOut = await fileOf(event.id, new Visitor(server));
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`/events/${event.id}/tickets.pdf`)}`,
    ]);
  });

  // DOOR-14
  it('are printed on 500 pages for 500 tickets', async () => {
    const event = await buildEvent(server, jana, { join_mode: 'tickets' });
    for (let i = 0; i < 5; i++) await jana.api.post(`/events/${event.id}/tickets`, { count: 100 });
    expect(contentOf((await fileOf(event.id, organizer)).bytes).pages).toBe(500);
  });
});
