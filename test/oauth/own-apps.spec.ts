import { LIMITS } from '#contract/limits';
import { CommandLine } from '#testing/command-line';
import { Settings } from '#platform/config/settings';
import { formTo, filledIn } from '#testing/forms';
import { picture } from '#testing/media';
import { OAuthApp, signedInPerson, type BrowserUser } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';
import type { Page } from '#testing/visitor';

const OWN = '/account/apps/own';
const CALLBACK = 'https://app.example.org/callback';
/** The address with the origin of the test server. */
const addressOn = ({ origin }: TestServer, address: string | null) => origin + new URL(address ?? '/', origin).pathname;

describe('an app of a developer', () => {
  let server: TestServer;
  let jana: BrowserUser;

  beforeAll(async () => {
    server = await TestServer.start();
    jana = await signedInPerson(server, 'jana');
  });
  afterAll(() => server.stop());

  const fieldsOf = (fields: Readonly<Record<string, string>>) => ({
    name: 'Moje',
    homepage: '',
    redirect_uris: CALLBACK,
    type: 'public',
    ...fields,
  });
  /** Registers an app. Returns the app and the path of its page. */
  const create = async ({ browser }: BrowserUser, fields: Readonly<Record<string, string>> = {}) => {
    const created = await browser.submit(OWN, fieldsOf(fields));
    expect(created.status).toBe(303);
    const page = created.to ?? '';
    const shown = await browser.get(page);
    const [, clientId = ''] = /<pre id="client-id"[^>]*>([^<]+)/.exec(shown.html) ?? [];
    return { app: new OAuthApp(server, clientId, CALLBACK, secretIn(shown)), page };
  };
  const secretIn = ({ html }: Page) => /<pre id="fresh-secret">([^<]+)/.exec(html)?.[1] ?? null;
  const rotate = async ({ browser }: BrowserUser, page: string) => {
    expect((await browser.submit(page, {}, `${page}/rotate`)).status).toBe(303);
    return secretIn(await browser.get(page));
  };
  const tokenStatus = async ({ api }: { api: { get(path: string): Promise<{ status: number }> } }) =>
    (await api.get('/user')).status;

  // APP-1
  it('cannot be registered if the developer already has ten apps, even if the forms are sent in parallel', async () => {
    const { browser } = await signedInPerson(server, 'eva');
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get(OWN)).html)?.[1] ?? '';
    const answers = await Promise.all(Array.from({ length: 12 }, () => browser.post(OWN, { _csrf, ...fieldsOf({}) })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(303), 409, 409]);
    expect([...(await browser.get(OWN)).html.matchAll(/account\/apps\/own\/\w+"/g)]).toHaveLength(10);
  });

  // PAGE-98
  it('is created only once if the form is sent twice', async () => {
    const { browser } = await signedInPerson(server, 'dvakrat');
    const form = formTo((await browser.get(OWN)).html, OWN);
    const send = () => browser.send('POST', form.action, filledIn(form, fieldsOf({})));
    const [first, second] = [await send(), await send()];
    expect([first.status, second.to]).toEqual([303, first.to]);
    expect([...(await browser.get(OWN)).html.matchAll(/account\/apps\/own\/\w+"/g)]).toHaveLength(1);
  });

  // APP-2
  it('has a name, a homepage and redirect addresses of limited length and number', async () => {
    const eva = await signedInPerson(server, 'eva');
    const long = (length: number) => `https://app.example.org/${'x'.repeat(length - 24)}`;
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `${CALLBACK}/${n}`).join('\r\n');
    const fits = {
      name: 'ž'.repeat(60),
      homepage: long(500),
      redirect_uris: `\n${lines(9)}\n ${long(500)} \n${CALLBACK}/0\n`,
    };
    const { page } = await create(eva, fits);
    const refused: Readonly<Record<string, string>>[] = [
      { name: 'ž'.repeat(61) },
      { homepage: long(501) },
      { redirect_uris: long(501) },
      { redirect_uris: lines(11) },
      { redirect_uris: ' \n ' },
    ];
    for (const wrong of refused) {
      expect([wrong, (await eva.browser.submit(OWN, fieldsOf(wrong))).status]).toEqual([wrong, 422]);
      const { type: _, ...changed } = fieldsOf(wrong);
      expect([wrong, (await eva.browser.submit(page, changed)).status]).toEqual([wrong, 422]);
    }
    const { html } = await eva.browser.get(page);
    expect(html).toContain(`value="${fits.name}"`);
    expect(/<textarea[^>]*>\n?([^<]*)/.exec(html)?.[1]?.split(/\r?\n/)).toEqual([...lines(9).split('\r\n'), long(500)]);
  });

  // APP-2, APP-9
  it('has its new name and new redirect addresses after a change', async () => {
    const { app, page } = await create(jana);
    const other = `${CALLBACK}/other`;
    const changed = { name: 'Přejmenovaná', homepage: 'https://app.example.org/', redirect_uris: other };
    expect((await jana.browser.submit(page, changed)).to).toBe(`${page}?saved`);
    expect((await app.answerConsent(jana.browser, app.authorization())).page.status).toBe(400);
    const { page: consent } = await app.answerConsent(
      jana.browser,
      app.authorization({ redirect_uri: other }),
      'neither',
    );
    for (const text of ['Přejmenovaná', 'https://app.example.org/', 'value="allow"'])
      expect(consent.html).toContain(text);
  });

  // PAGE-97
  it('is not changed by a form that was opened before another change', async () => {
    const { page } = await create(jana);
    const form = formTo((await jana.browser.get(page)).html, page);
    const send = (fields: Record<string, string>) => jana.browser.send('POST', form.action, filledIn(form, fields));
    expect((await send({ homepage: 'https://first.example/' })).status).toBe(303);
    const refused = await send({ name: 'Druhé jméno' });
    expect([refused.status, refused.html.includes('https://first.example/')]).toEqual([412, true]);
    const again = formTo(refused.html, page);
    expect(again.fields).toEqual(
      expect.arrayContaining([
        ['name', 'Druhé jméno'],
        ['homepage', 'https://first.example/'],
      ]),
    );
    expect((await jana.browser.send('POST', again.action, filledIn(again, {}))).status).toBe(303);
  });

  // APP-1, PAGE-98
  it('gets its icon from the registration form, and is not created if the icon is unusable', async () => {
    const { browser } = await signedInPerson(server, 'ikona');
    const { html } = await browser.get(OWN);
    const form = formTo(html, OWN);
    const send = async (icon: Buffer) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fieldsOf({}))) body.append(name, value);
      for (const [name, value] of form.fields) if (name === '_key') body.append(name, value);
      body.append('icon', new Blob([Uint8Array.from(icon)]), 'icon.png');
      return browser.send('POST', form.action, body);
    };
    const refused = await send(Buffer.from('no picture'));
    expect([refused.status, refused.html.includes('id="icon-error"'), refused.html.includes('value="Moje"')]).toEqual([
      422,
      true,
      true,
    ]);
    expect((await browser.get(OWN)).html).not.toMatch(/account\/apps\/own\/\w+"/);
    const icon = await picture();
    const [created, again] = [await send(icon), await send(icon)];
    expect([created.status, again.to]).toEqual([303, created.to]);
    const page = await browser.get(created.to ?? '');
    expect(page.html).toMatch(/<div class="person"><img src="[^"]+"/);
    // PAGE-96
    expect(page.html).toMatch(/role="status">Aplikace je zaregistrovaná\.</);
  });

  // APP-2
  it('can have an icon of at most 1 MB, and a new icon replaces the old icon', async () => {
    const { app, page } = await create(jana);
    const send = async (content: Buffer) => {
      const csrf = /icon\?_csrf=([^"]+)"/.exec((await jana.browser.get(page)).html)?.[1];
      const form = new FormData();
      form.append('icon', new Blob([new Uint8Array(content)]), 'icon.jpg');
      return (await jana.browser.send('POST', `${page}/icon?_csrf=${csrf}`, form)).status;
    };
    const iconOf = async () => {
      const { page: consent } = await app.answerConsent(jana.browser, app.authorization(), 'neither');
      return /<div class="person"><img src="([^"]+)"/.exec(consent.html)?.[1] ?? null;
    };
    expect(await iconOf()).toBeNull();
    expect(await send(await picture())).toBe(303);
    const first = await iconOf();
    expect(await send(Buffer.concat([await picture(), Buffer.alloc(LIMITS.apps.icon_bytes)]))).toBe(422);
    expect(await send(Buffer.from('no picture'))).toBe(422);
    expect(await iconOf()).toBe(first);
    expect(await send(await picture('png'))).toBe(303);
    const second = await iconOf();
    const statuses = () =>
      Promise.all([first, second].map(async (address) => (await fetch(addressOn(server, address))).status));
    expect([second === first, await statuses()]).toEqual([false, [404, 200]]);
    await jana.browser.submit(`${page}/delete`, {});
    expect(await statuses()).toEqual([404, 404]);
  });

  // APP-3
  it('authenticates only with one of its two newest secrets, in the header or in the body; a public client authenticates without a secret', async () => {
    const { app, page } = await create(jana, { type: 'confidential' });
    const second = await rotate(jana, page);
    const third = await rotate(jana, page);
    const errorsWith = async (secret: string | null) => {
      const basic = await new OAuthApp(server, app.clientId, CALLBACK, secret).refresh('nothing');
      const post = await new OAuthApp(server, app.clientId, CALLBACK).refresh('nothing', {
        client_secret: secret ?? '',
      });
      return [basic.body.error, post.body.error];
    };
    expect(await errorsWith(app.secret)).toEqual(['invalid_client', 'invalid_client']);
    for (const secret of [second, third]) expect(await errorsWith(secret)).toEqual(['invalid_grant', 'invalid_grant']);
    const publicApp = await create(jana);
    expect([publicApp.app.secret, (await publicApp.app.refresh('nothing')).body.error]).toEqual([
      null,
      'invalid_grant',
    ]);
    expect((await jana.browser.submit(page, {}, `${publicApp.page}/rotate`)).status).toBe(404);
  });

  // APP-3
  it('has a secret that is shown only once, and not on the page of another app', async () => {
    const { page: other } = await create(jana, { type: 'confidential' });
    const { page } = await create(jana, { type: 'confidential' });
    expect((await jana.browser.submit(page, {}, `${page}/rotate`)).to).toBe(page);
    const shownOn = async (path: string) => secretIn(await jana.browser.get(path));
    expect(await shownOn(other)).toBeNull();
    expect([await shownOn(page), await shownOn(page)]).toEqual([expect.stringMatching(/^evs_/), null]);
  });

  // APP-3
  it('loses its grants when it is deleted; the grants of other apps remain', async () => {
    const [{ app, page }, other] = [await create(jana), await create(jana)];
    const petr = await signedInPerson(server, 'petr');
    const [tokens, kept] = [await app.connect(petr.browser), await other.app.connect(petr.browser)];
    expect((await jana.browser.submit(`${page}/delete`, {})).to).toBe(`${OWN}?deleted`);
    expect([await tokenStatus(tokens), await tokenStatus(kept)]).toEqual([401, 200]);
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_client');
    expect((await app.answerConsent(petr.browser, app.authorization())).page.status).toBe(400);
    expect((await jana.browser.get(page)).status).toBe(404);
    const { html } = await petr.browser.get('/account/apps');
    expect(html.match(/\/disconnect"/g)).toHaveLength(1);
  });

  // APP-21
  it('can get a separate limit of at most 1000000 requests a minute, but only if it is a confidential client', async () => {
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const { app } = await create(jana);
    expect(await cli.refusal('app', 'update', app.clientId, '--ip-window', '5')).toContain('public');
    const confidential = await create(jana, { type: 'confidential' });
    for (const window of ['0', '1000001', '1.5', 'x', '0x64', ''])
      expect(await cli.refusal('app', 'update', confidential.app.clientId, '--ip-window', window)).toContain('1000000');
    await cli.answer('app', 'update', confidential.app.clientId, '--ip-window', '1000000');
    const all = (await cli.answer('app', 'list')) as unknown as { client_id: string; ip_window: number | null }[];
    expect(all.map(({ client_id, ip_window }) => [client_id, ip_window])).toEqual(
      expect.arrayContaining([
        [app.clientId, null],
        [confidential.app.clientId, 1_000_000],
      ]),
    );
  });
});
