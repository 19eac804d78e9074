import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { renderSvg, readQr } from '#testing/qr';
import { TestServer } from '#testing/test-server';

/** Tests the code that a participant shows at the door (docs/rules/door.md). */
describe('the QR code of a participant', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterAll(() => server.stop());

  async function pictureOf(who: Person, id: string, kind: 'svg' | 'png') {
    const response = await fetch(`${server.origin}/api/v1/events/${id}/my-code.${kind}`, {
      headers: { authorization: `Bearer ${who.token}` },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  // DOOR-1
  it.each(['svg', 'png'] as const)(
    'as %s contains exactly viewer.check_in_code, dark on light, and no other content',
    async (kind) => {
      const event = await buildEvent(server, jana);
      const { check_in_code: code } = (await petr.api.post(`/events/${event.id}/join`)).body.data.viewer;
      const { status, headers, bytes } = await pictureOf(petr, event.id, kind);
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        kind === 'svg' ? 'image/svg+xml; charset=utf-8' : 'image/png',
        'no-store',
      ]);
      expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
      const read = await readQr(kind === 'svg' ? await renderSvg(bytes.toString()) : bytes);
      expect(read).toEqual({ text: code, quietZone: 4, corner: 255, darkest: 0 });
      if (kind === 'svg') expect(bytes.toString()).not.toMatch(/<script|foreignObject|\son\w+\s*=|href\s*=|style/i);
      expect((await petr.api.send('HEAD', `/events/${event.id}/my-code.${kind}`)).status).toBe(200);

      await petr.api.delete(`/events/${event.id}/join`);
      expect((await pictureOf(petr, event.id, kind)).status).toBe(409);
      await petr.api.post(`/events/${event.id}/join`);
      expect((await readQr((await pictureOf(petr, event.id, 'png')).bytes)).text).not.toBe(code);
    },
  );

  // DOOR-1
  it.each(['svg', 'png'] as const)(
    'as %s is available only to confirmed participants: other people get 404, 403 or 409',
    async (kind) => {
      const { ota, iva } = await server.people('ota', 'iva');
      const event = await buildEvent(server, jana, {
        with: [
          [petr, 'pending'],
          [ota, 'banned'],
        ],
      });
      const privateEvent = await buildEvent(server, jana, {
        is_public: false,
        with: [
          [ota, 'banned'],
          [iva, 'confirmed'],
        ],
      });
      const refusalCode = async (who: Person, id: string) =>
        (await who.api.get(`/events/${id}/my-code.${kind}`)).body?.code;
      expect(await Promise.all([petr, eva, jana, ota].map((who) => refusalCode(who, event.id)))).toEqual([
        'not_participant',
        'not_participant',
        'not_participant',
        'banned',
      ]);
      expect(await Promise.all([eva, ota, petr].map((who) => refusalCode(who, privateEvent.id)))).toEqual([
        'not_found',
        'not_found',
        'not_found',
      ]);
      expect([
        await refusalCode(petr, 'nowhereatall'),
        (await iva.api.get(`/events/${privateEvent.id}/my-code.${kind}`)).status,
      ]).toEqual(['not_found', 200]);
    },
  );
});
