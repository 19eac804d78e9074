import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { LIMITS } from '#contract/limits';
import { formTo, filledIn } from '#testing/forms';
import { clientOf } from '#testing/people';
import { picture } from '#testing/media';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

/** Tests the account pages over HTTP, without scripts: registering, signing in, and the profile. */
describe('the account pages', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ demoData: true })));
  afterAll(() => server.stop());
  // The clock is reset after each test. So each test moves the clock further than the previous test did, and sign-in
  // attempts of earlier tests no longer count.
  let windowCount = 0;
  beforeEach(() => server.clock.forward(++windowCount * (LIMITS.sign_in.window * 1000 + 1)));

  const visitor = () => new Visitor(server);
  const user = (email: string) => server.app.get(UsersReader).byEmail(email);

  // PAGE-1
  it('create an account in the browser’s language, and sign the person in', async () => {
    const jana = new Visitor(server, { 'accept-language': 'cs' });
    expect((await jana.get('/register')).html).toContain('<html lang="cs">');
    expect(await jana.register('jana@example.org', 'Bára Říhová')).toMatchObject({
      status: 303,
      to: '/account/events',
    });
    expect((await jana.get('/account')).html).toContain('value="Bára Říhová"');
    const { slug, locale, passwordHash } = (await user('JANA@example.org'))!;
    expect({ slug, locale }).toEqual({ slug: 'bara-rihova', locale: 'cs' });
    expect(passwordHash).toMatch(/^\$argon2id\$/);
  });

  // PAGE-43
  it('announce every refusal of a form to screen readers', async () => {
    const jana = visitor();
    await jana.register('alerts@example.org');
    const nobody = visitor();
    const wrong: [Visitor, string, Record<string, string>, string?][] = [
      [nobody, '/register', { name: '', email: 'x', password: 'x' }],
      [nobody, '/sign-in', { email: 'nobody@example.org', password: 'wrong horse' }],
      [jana, '/account', { name: '' }],
      [
        jana,
        '/account/security',
        { current_password: 'wrong', password: 'another horse' },
        '/account/security/password',
      ],
      [jana, '/account/security', { current_password: 'wrong', email: 'x' }, '/account/security/email'],
      [jana, '/account/api', { name: '', access: 'read' }],
      [jana, '/account/api/webhooks', { url: 'x' }],
      [jana, '/account/data', { password: 'wrong' }, '/account/data/erase'],
    ];
    for (const [who, page, fields, action] of wrong) {
      const { status, html } = await who.submit(page, fields, action ?? page);
      expect([action ?? page, status >= 400, html.includes('role="alert"')]).toEqual([action ?? page, true, true]);
      // If the form has a summary above it, only the summary is announced, not the errors at the fields.
      if (html.includes('class="card refusal" role="alert"'))
        expect([action ?? page, html.match(/role="alert"/g)]).toEqual([action ?? page, ['role="alert"']]);
      else
        expect([action ?? page, html.match(/<p class="error"(?![^>]*role="alert")[^>]*>/g)]).toEqual([
          action ?? page,
          null,
        ]);
    }
  });

  // PAGE-96
  it('give the focus to a summary that lists all invalid fields in the order of the form', async () => {
    const person = visitor();
    await person.register('souhrn@example.org');
    const summaryOf = ({ html }: Page) =>
      [.../role="alert" tabindex="-1" autofocus>(.*?)<\/div>/s.exec(html)![1]!.matchAll(/href="#(\w+)">([^<]+)/g)].map(
        ([, id, label]) => [id, label, html.includes(`id="${id}"`)],
      );
    expect(summaryOf(await person.submit('/account', { name: ' ' }))).toEqual([
      ['name', 'Name', true],
      ['slug', 'Profile address', true],
      ['locale', 'Language', true],
      ['timezone', 'Time zone', true],
    ]);
    const profile = { name: 'Jana', slug: 'souhrn', locale: 'en', timezone: 'Europe/Prague' };
    expect(summaryOf(await person.submit('/account', { ...profile, iban: 'CZ99' }))).toEqual([
      ['iban', 'IBAN for settling expenses', true],
    ]);
    expect(summaryOf(await visitor().submit('/register', { name: '', email: 'x', password: 'x' }))).toEqual([
      ['name', 'Name', true],
      ['email', 'E-mail', true],
      ['password', 'Password', true],
    ]);
    const several = { name: '', email: 'x', password: 'correct horse', birth_date: '1890-01-01', place: 'Nikdeves' };
    const refused = await visitor().submit('/register', several);
    expect(summaryOf(refused).map(([id]) => id)).toEqual(['name', 'email', 'birth_date', 'place']);
    expect(refused.html).toContain('id="birth_date-error">Enter a valid date in or after 1900');
    expect(summaryOf(await visitor().submit('/report', { address: '', name: '', email: 'x', note: '' }))).toEqual([
      ['reason', 'Reason', true],
      ['note', 'Why it is against the law or the rules', true],
      ['name', 'Your name', true],
    ]);
    const security = { current_password: 'wrong', password: 'another horse' };
    expect(summaryOf(await person.submit('/account/security', security, '/account/security/password'))).toEqual([
      ['current_password', 'Current password', true],
    ]);
    const email = { email: 'x', email_password: '' };
    expect(summaryOf(await person.submit('/account/security', email, '/account/security/email'))).toEqual([
      ['email_password', 'Current password', true],
    ]);
    expect(summaryOf(await person.submit('/account/data', { password: 'x' }, '/account/data/erase'))).toEqual([
      ['password', 'Current password', true],
    ]);
    expect(summaryOf(await person.submit('/account/api', { name: '', access: 'read' }))).toEqual([
      ['name', 'Name', true],
    ]);
    expect(summaryOf(await person.submit('/account/api/webhooks', { url: 'x' }))).toEqual([['url', 'Address', true]]);
    const app = { name: '', homepage: 'x', redirect_uris: 'https://a.example/', type: 'public' };
    expect(summaryOf(await person.submit('/account/apps/own', app))).toEqual([
      ['name', 'Name', true],
      ['homepage', 'Website of the app', true],
    ]);
    const filters = [
      ['/?q=ab&date_from=x&page=-1', ['date_from']],
      ['/groups?lat=50', ['lng']],
      ['/puls?radius_km=x&lat=50&lng=14', ['radius_km']],
      ['/account/requests?status=x', ['status']],
    ] as const;
    for (const [address, names] of filters) {
      const page = await person.get(address);
      expect([address, summaryOf(page).map(([id, , isThere]) => isThere && id)]).toEqual([address, names]);
      expect([address, page.html.match(/role="alert"/g)]).toEqual([address, ['role="alert"']]);
    }
  });

  // PAGE-1
  it('give two people with the same name different slugs', async () => {
    await visitor().register('eva1@example.org', 'Eva Malá');
    await visitor().register('eva2@example.org', 'Eva Malá');
    expect((await user('eva1@example.org'))!.slug).toBe('eva-mala');
    expect((await user('eva2@example.org'))!.slug).toMatch(/^eva-mala-[0-9a-f]{8}$/);
    // A slug has at most 60 characters, including the suffix (ACC-11). Some names contain no letters.
    for (const n of [1, 2]) await visitor().register(`long${n}@example.org`, 'x'.repeat(100));
    expect((await user('long2@example.org'))!.slug).toMatch(/^x{48}-[0-9a-f]{8}$/);
    await visitor().register('wordless@example.org', '🎉');
    expect((await user('wordless@example.org'))!.slug).toMatch(/^user/);
    // ACC-11
    await visitor().register('reserved@example.org', 'Deleted 0123456789abcdef0123');
    expect((await user('reserved@example.org'))!.slug).toMatch(/^user/);
  });

  // PAGE-96
  it('accept a date of birth that is written as in Czech', async () => {
    for (const [n, birth_date] of ['1.5.1990', ' 1. 5. 1990 ', '1990-05-01'].entries()) {
      const person = visitor();
      const fields = { name: 'Ota', email: `den${n}@example.org`, password: 'correct horse', birth_date };
      expect((await person.submit('/register', fields)).status).toBe(303);
      expect((await person.get('/account')).html).toMatch(/name="birth_date"[^>]*value="1990-05-01"/);
    }
  });

  // PAGE-1
  it('show an error at each wrong field, and keep the typed values, but not the password', async () => {
    const page = await visitor().submit('/register', { name: '<b>Ota</b>', email: 'nobody', password: 'short' });
    expect(page.status).toBe(422);
    expect(page.html).toMatch(/id="password-error"[^>]*>[^<]*Enter at least 8 characters\./);
    // PAGE-56
    expect(page.html).toMatch(/id="password"[^>]*aria-describedby="password-error password-hint"/);
    expect(page.html).toContain('value="&lt;b&gt;Ota&lt;/b&gt;"');
    expect(page.html).not.toContain('value="short"');
    // The format of the e-mail address is checked only after all fields have been read without an error.
    expect(
      (await visitor().submit('/register', { name: 'Ota', email: 'nobody', password: 'long enough' })).html,
    ).toContain('id="email-error"');
  });

  // PAGE-103
  it('accept today’s date in Prague as a date of birth, and refuse the next day', async () => {
    server.clock.moveTo('2031-03-04T23:30:00Z');
    const register = (email: string, birth_date: string) =>
      visitor().submit('/register', { name: 'Ota', email, password: 'correct horse', birth_date });
    const refused = await register('born-late@example.org', '2031-03-06');
    expect([refused.status, refused.html.includes('id="birth_date-error"')]).toEqual([422, true]);
    expect((await register('born-today@example.org', '2031-03-05')).status).toBe(303);
    expect((await user('born-today@example.org'))?.birthDate).toBe('2031-03-05');
  });

  // PAGE-2
  it('refuse a registered e-mail address without revealing that it is registered, and do not change the account with this address', async () => {
    await visitor().register('taken@example.org');
    const before = await user('taken@example.org');
    const other = visitor();
    const page = await other.submit('/register', {
      name: 'Mallory',
      email: 'Taken@example.org',
      password: 'other password',
    });
    expect(page.status).toBe(422);
    expect(page.html).toContain('No account can be created with these details.');
    expect(await user('taken@example.org')).toEqual(before);
    expect((await other.get('/account')).to).toBe('/sign-in?next=%2Faccount');
  });

  it('sign a person in with e-mail address and password, and sign the person out', async () => {
    await visitor().register('petr@example.org', 'Petr Svoboda');
    const petr = visitor();
    expect(
      await petr.submit('/sign-in?next=/account', {
        email: ' PETR@example.org',
        password: 'correct horse',
        next: '/account',
      }),
    ).toMatchObject({ status: 303, to: '/account' });
    expect((await petr.get('/account')).status).toBe(200);
    expect(await petr.submit('/account', {}, '/sign-out')).toMatchObject({ status: 303, to: '/' });
    expect((await petr.get('/account')).to).toBe('/sign-in?next=%2Faccount');
    // The forms to register and to sign in ignore spaces around a password.
    await visitor().register('spaces@example.org', 'Ota', ' correct horse');
    for (const password of ['correct horse', ' correct horse '])
      expect((await visitor().submit('/sign-in', { email: 'spaces@example.org', password })).status).toBe(303);
  });

  // PAGE-3
  it('show the same error for a wrong password, an unknown address, an account without a password and a banned account', async () => {
    await visitor().register('known@example.org');
    await visitor().register('banned@example.org');
    await visitor().register('empty@example.org');
    await server.sql(`UPDATE users SET banned = true WHERE email = 'banned@example.org'`);
    await server.sql(`UPDATE users SET password_hash = NULL WHERE email = 'empty@example.org'`);
    const tries = [
      ['known', 'wrong password'],
      ['unknown', 'correct horse'],
      ['banned', 'correct horse'],
      ['empty', 'correct horse'],
    ] as const;
    const pages = [];
    for (const [name, password] of tries) {
      const { status, html } = await visitor().submit('/sign-in', { email: `${name}@example.org`, password });
      pages.push({ status, html: html.replaceAll(name, 'NAME').replace(/name="_csrf" value="[^"]+"/g, '') });
    }
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect(pages[0]?.status).toBe(422);
  });

  // PAGE-3
  it('treat an e-mail address with a NUL like an unknown address', async () => {
    const { status, html } = await visitor().submit('/sign-in', { email: 'a\0b@example.org', password: 'x' });
    expect([status, html.includes('role="alert"')]).toEqual([422, true]);
  });

  // PAGE-1
  it('accept a password with control characters at registration and at sign-in', async () => {
    const [email, password] = ['bell@example.org', 'correct\u0007 horse\u0085'];
    expect((await visitor().register(email, 'Jana', password)).status).toBe(303);
    expect((await visitor().submit('/sign-in', { email, password })).status).toBe(303);
  });

  // PAGE-4
  it('redirect only to pages of this service after signing in and after registering', async () => {
    await visitor().register('next@example.org');
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/\t/evil.example',
    ]) {
      expect(
        (await visitor().submit('/sign-in', { email: 'next@example.org', password: 'correct horse', next })).to,
      ).toBe('/account/events');
    }
    const register = (email: string, next: string) =>
      visitor().submit('/register', { name: 'Ota', email, password: 'correct horse', next });
    expect((await register('next-page@example.org', '/groups')).to).toBe('/groups');
    expect((await register('next-elsewhere@example.org', '//evil.example')).to).toBe('/account/events');
  });

  // PAGE-18
  it('allow one IP address ten sign-in attempts for the same account, and thirty attempts in total', async () => {
    await visitor().register('guessed@example.org');
    server.clock.forward(LIMITS.sign_in.window * 1000 + 1);
    const guess = (email: string) => visitor().submit('/sign-in', { email, password: 'correct horsf' });
    for (let i = 0; i < LIMITS.sign_in.per_ip_and_email; i++)
      expect((await guess('guessed@example.org')).status).toBe(422);
    const refused = await visitor().submit('/sign-in', { email: 'GUESSED@example.org', password: 'correct horse' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.html).toMatch(
      /role="alert">Too many attempts. Please try again in a few minutes.<.*name="email" type="email" value="GUESSED@example.org"/,
    );
    for (let i = LIMITS.sign_in.per_ip_and_email + 1; i < LIMITS.sign_in.per_ip; i++)
      expect((await guess(`somebody${i}@example.org`)).status).toBe(422);
    expect((await guess('another@example.org')).status).toBe(429);
    const late = await visitor().register('late@example.org', 'Late Lída', 'correct horse');
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(late.html).toMatch(/role="alert"[^>]*>.*Too many attempts. Please try again in a few minutes.</);
    expect(late.html).toMatch(/name="name"[^>]*value="Late Lída".*name="email"[^>]*value="late@example.org"/);
    expect(late.html).not.toContain('correct horse');
    server.clock.forward(LIMITS.sign_in.window * 1000 + 1);
    expect(
      (await visitor().submit('/sign-in', { email: 'guessed@example.org', password: 'correct horse' })).status,
    ).toBe(303);
  });

  // PAGE-4
  it('refuse a form without the form token of the current session', async () => {
    const eva = visitor();
    await eva.register('csrf@example.org');
    const stranger = visitor();
    await stranger.get('/sign-in');
    const foreignToken = /name="_csrf" value="([^"]+)"/.exec((await stranger.get('/sign-in')).html)?.[1] as string;
    for (const [path, fields] of [
      ['/account', { name: 'X' }],
      ['/account/api', { name: 'x', access: 'write' }],
      ['/sign-out', {}],
      ['/sign-in', {}],
      ['/register', {}],
      ['/account/avatar', {}],
    ] as const) {
      for (const _csrf of [undefined, 'made-up', foreignToken]) {
        const refused = await eva.post(path, { ...fields, ...(_csrf && { _csrf }) });
        expect([path, refused.status]).toEqual([path, 403]);
        expect(refused.html).toContain('The form has expired');
      }
    }
    const valid = formTo((await eva.get('/account')).html, '/account');
    const sent = await eva.send('POST', valid.action, filledIn(valid, { name: 'X' }), {
      'sec-fetch-site': 'cross-site',
    });
    expect(sent.status).toBe(403);
    expect((await user('csrf@example.org'))!.name).toBe('Jana Nováková');
    expect(
      (await eva.send('POST', '/account', JSON.stringify({ name: 'X' }), { 'content-type': 'application/json' }))
        .status,
    ).toBeGreaterThanOrEqual(400);
  });

  // PAGE-118
  it('accept a form with an invalid form token from a visitor who is not signed in, if the browser reports `same-origin`', async () => {
    const fields = { name: 'Ota', email: 'nobody', password: 'short' };
    const eva = visitor();
    // Pages that a visitor opens at the same time have form tokens of different secrets, and the cookie has only one
    // of these secrets.
    const opened = await Promise.all(Array.from({ length: 3 }, () => visitor().get('/register')));
    for (const { html } of opened) {
      const form = formTo(html, '/register');
      for (const [site, status] of [
        ['same-origin', 422],
        ['same-site', 403],
        ['cross-site', 403],
        ['none', 403],
      ] as const) {
        const sent = await eva.send('POST', form.action, filledIn(form, fields), { 'sec-fetch-site': site });
        expect([site, sent.status]).toEqual([site, status]);
      }
    }
    await eva.register('same-origin@example.org');
    expect(
      (await eva.send('POST', '/sign-out', new URLSearchParams(), { 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(403);
  });

  // PAGE-97
  it('refuse with 412 the form of a profile that was changed after the form was opened, and show the old, the current and the typed value', async () => {
    const jana = visitor();
    await jana.register('two-tabs@example.org');
    const open = async () => formTo((await jana.get('/account')).html, '/account');
    const [first, second, unchanged] = [await open(), await open(), await open()];
    const send = (form: typeof first, typed: Record<string, string>) =>
      jana.send('POST', form.action, filledIn(form, typed));
    expect((await send(unchanged, {})).status).toBe(303);
    const typed = { nickname: 'První', birth_date: '1991-01-01', searchable: '1' };
    expect((await send(first, typed)).status).toBe(303);
    const refused = await send(second, { nickname: 'Druhá', gender: 'female' });
    expect([refused.status, (await user('two-tabs@example.org'))!.nickname]).toEqual([412, 'První']);
    expect(refused.html).toMatch(/role="alert"[^]*href="#nickname"[^]*It is now: “První”[^]*href="#birth_date"/);
    const again = formTo(refused.html, '/account');
    const now = { nickname: 'Druhá', birth_date: '1991-01-01', gender: 'female' };
    for (const field of Object.entries(now)) expect(again.fields).toContainEqual(field);
    expect((await send(again, {})).status).toBe(303);
    expect(await user('two-tabs@example.org')).toMatchObject({
      nickname: 'Druhá',
      birthDate: '1991-01-01',
      gender: 'female',
      searchable: true,
    });
  });

  // PAGE-7
  it('change the profile', async () => {
    const jana = visitor();
    await jana.register('profile@example.org');
    const fields = {
      name: 'Jana Dvořáková',
      nickname: 'Jája',
      slug: 'jaja',
      locale: 'cs',
      timezone: 'America/New_York',
      birth_date: '1990-05-01',
      gender: 'female',
      iban: 'CZ65 0800 0000 1920 0014 5399',
      searchable: '1',
      show_participation: '1',
    };
    expect(await jana.submit('/account', fields)).toMatchObject({ status: 303, to: '/account?saved' });
    const page = await jana.get('/account?saved');
    expect(page.html).toContain('<html lang="cs">');
    expect(page.html).toContain('Uloženo.');
    expect(await user('profile@example.org')).toMatchObject({
      name: 'Jana Dvořáková',
      nickname: 'Jája',
      slug: 'jaja',
      locale: 'cs',
      timezone: 'America/New_York',
      birthDate: '1990-05-01',
      gender: 'female',
      iban: 'CZ6508000000192000145399',
      searchable: true,
      showParticipation: true,
      admin: false,
      verified: false,
    });

    // An empty field deletes the stored value. Fields that the form does not contain cannot be changed.
    await jana.submit('/account', {
      ...fields,
      nickname: '',
      birth_date: '',
      gender: '',
      iban: '',
      searchable: '',
      show_participation: '',
      admin: '1',
      verified: '1',
      premium_until: '2099-01-01T00:00:00Z',
    });
    expect(await user('profile@example.org')).toMatchObject({
      nickname: null,
      birthDate: null,
      gender: null,
      iban: null,
      searchable: false,
      showParticipation: false,
      admin: false,
      verified: false,
    });
  });

  // PAGE-7
  it('show an error at each wrong field of the profile', async () => {
    await visitor().register('first@example.org', 'Někdo První');
    const jana = visitor();
    await jana.register('wrong@example.org');
    const good = { name: 'Jana', slug: 'jana-w', locale: 'en', timezone: 'Europe/Prague' };
    const wrong = [
      ['name', ''],
      ['slug', 'nekdo-prvni'],
      ['slug', 'Ž!'],
      ['slug', '-jana'],
      ['slug', 'deleted-0123456789abcdef0123'],
      ['slug', 'jana-'],
      ['slug', 'j'.repeat(61)],
      ['timezone', 'Mars/Olympus'],
      ['timezone', '+02:00'],
      ['locale', 'de'],
      ['gender', 'x'],
      ['iban', 'CZ00 1'],
      ['birth_date', '2990-01-01'],
      ['birth_date', '1990-02-30'],
    ] as const;
    for (const [field, value] of wrong) {
      const page = await jana.submit('/account', { ...good, [field]: value });
      expect([field, page.status]).toEqual([field, 422]);
      expect(page.html).toContain(`id="${field}-error"`);
      expect(page.html).not.toContain('undefined');
    }
    expect((await user('wrong@example.org'))!.name).toBe('Jana Nováková');
    const longest = `j-${'4'.repeat(58)}`;
    expect((await jana.submit('/account', { ...good, slug: longest })).status).toBe(303);
    expect((await user('wrong@example.org'))!.slug).toBe(longest);
  });

  // PAGE-7
  it('store a profile picture, and report an invalid file', async () => {
    const jana = visitor();
    await jana.register('avatar@example.org');
    const send = async (content: Buffer | string) => {
      const form = new FormData();
      form.append('avatar', new Blob([content]), 'me.jpg');
      const csrf = /avatar\?_csrf=([^"]+)"/.exec((await jana.get('/account')).html)?.[1];
      return jana.send('POST', `/account/avatar?_csrf=${csrf}`, form);
    };
    expect(await send(await picture())).toMatchObject({ status: 303, to: '/account?saved' });
    const src = /<img src="([^"]+)"/.exec((await jana.get('/account')).html)?.[1] as string;
    const key = new URL(src).pathname;
    expect((await jana.send('GET', key)).headers.get('content-type')).toBe('image/jpeg');
    const refused = await send('no picture');
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('This image cannot be read');
    // A picture has at most 5 MB. Bytes after the end of a picture are ignored.
    const small = await picture();
    const ofSize = (bytes: number) => Buffer.concat([small, Buffer.alloc(bytes - small.length)]);
    expect((await send(ofSize(LIMITS.accounts.avatar_bytes + 1))).status).toBe(422);
    expect((await jana.get('/account')).html).toContain(src);
    expect((await send(ofSize(LIMITS.accounts.avatar_bytes))).status).toBe(303);
    expect((await jana.get('/account')).html).not.toContain(src);
    // The previous picture is deleted.
    expect((await jana.send('GET', key)).status).toBe(404);
    const form = new FormData();
    form.append('avatar', new Blob([await picture()]), 'me.jpg');
    expect((await jana.send('POST', '/account/avatar', form)).status).toBe(403);
  });

  // PAGE-6
  it('end every session of an account when its password changes or it is banned', async () => {
    const jana = visitor();
    await jana.register('stolen@example.org');
    const commands = server.app.get(UsersCommands);
    const session = jana.session as string;
    const stolen = (await user('stolen@example.org'))!;
    await server.database.transaction((tx) => commands.update(tx, stolen, { password: 'a new password' }));
    jana.session = session;
    expect((await jana.get('/account')).status).toBe(303);

    const eva = visitor();
    await eva.register('ban@example.org');
    expect((await eva.get('/account')).status).toBe(200);
    const cookie = eva.session as string;
    const setBanned = async (banned: boolean) => {
      const account = (await user('ban@example.org'))!;
      await server.database.transaction((tx) => commands.update(tx, account, { banned }));
      eva.session = cookie;
    };
    await setBanned(true);
    expect((await eva.get('/account')).status).toBe(303);
    await setBanned(false);
    expect((await eva.get('/account')).status).toBe(303);

    // Each request also checks whether the account is banned, even if its session still exists.
    const adam = visitor();
    await adam.register('still@example.org');
    await server.sql(`UPDATE users SET banned = true WHERE email = 'still@example.org'`);
    expect((await adam.get('/account')).status).toBe(303);
  });

  // PAGE-6
  it('set a session cookie with the attributes HttpOnly and SameSite=Lax; without https, the attribute Secure is absent', async () => {
    const cookie = (await visitor().get('/sign-in')).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).not.toMatch(/Secure/);
  });

  // PAGE-6
  it('give no access to the API, which refuses session cookies and form-encoded bodies', async () => {
    const jana = visitor();
    await jana.register('nobearer@example.org');
    expect((await jana.get('/api/v1/user')).status).toBe(401);
    const petr = await server.person('petr');
    const form = await clientOf(server, petr.token).send('POST', '/groups', {
      body: 'name=Klub',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(422);
  });
});
