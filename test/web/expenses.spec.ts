import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { LIMITS } from '#contract/limits';
import { browsersOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { filledIn } from '#testing/forms';
import type { Person } from '#testing/people';
import { renderSvg, readQr } from '#testing/qr';
import { fillIn, formOf, sendForm } from '#testing/sent-forms';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import type { Visitor } from '#testing/visitor';

// PAGE-86, PAGE-87, PAGE-88, PAGE-89
describe('the pages for expenses, plans, posts and Puls posts', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let janaBrowser: Visitor, petrBrowser: Visitor, evaBrowser: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    [janaBrowser, petrBrowser, evaBrowser] = await browsersOf(server, jana, petr, eva);
  });
  afterAll(() => server.stop());

  it('let the organizer add an expense, and a participant pay with a QR code and record the payment', async () => {
    await server.sql(`UPDATE users SET iban = 'CZ6508000000192000145399' WHERE slug = $1`, [jana.slug]);
    const { id } = await buildEvent(server, jana, { is_public: true, title: 'Chata' });
    await petr.api.post(`/events/${id}/join`);
    const page = `/events/${id}/expenses`;
    const form = formOf(await janaBrowser.get(page), page);
    const values = { title: 'Nákup', amount: '1 200,50', currency: 'EUR' };
    expect((await sendForm(janaBrowser, form, values)).to).toBe(page);
    expect((await sendForm(janaBrowser, form, values)).to).toBe(page);
    const { data } = (await jana.api.get(page)).body;
    expect(data.expenses).toHaveLength(1);
    expect(data.expenses[0]).toMatchObject({ amount: 1200.5, currency: 'EUR', paid_by: { slug: jana.slug } });
    expect(data.expenses[0].shared_with).toHaveLength(2);
    const wrong = await fillIn(janaBrowser, page, page, { title: 'Nákup', amount: 'moc' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('value="moc"');

    const shown = await petrBrowser.get(page);
    // Amounts have the same format as the prices of events.
    expect(shown.html).toContain('€1,200.50');
    // PAGE-36: the organizer's page has the QR codes of all payers. Each code is a separate picture, which the browser
    // loads only when the picture becomes visible.
    const received = (await janaBrowser.get(page)).html;
    expect(received).toMatch(/<img src="[^"]+kind=spd" alt="[^"]+" loading="lazy">/);
    expect(received).not.toContain('<svg');
    const { payment } = (await petr.api.get(page)).body.data.summary.EUR.settlement[0];
    const drawings = await Promise.all([...shown.html.matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([svg]) => renderSvg(svg)));
    const texts = (await Promise.all(drawings.map((one) => readQr(one)))).map(({ text }) => text);
    expect(texts).toEqual([payment.spd, payment.epc]);
    const png = /href="([^"]+kind=spd)"/.exec(shown.html)![1]!.replaceAll('&amp;', '&');
    const picture = await fetch(server.origin + png, { headers: { cookie: petrBrowser.cookie } });
    expect((await readQr(Buffer.from(await picture.arrayBuffer()))).text).toBe(payment.spd);

    expect((await fillIn(petrBrowser, page, `${page}/payments`)).to).toBe(page);
    const after = (await petr.api.get(page)).body.data.summary.EUR;
    expect(after.settlement).toEqual([]);
    expect(after.payments[0]).toMatchObject({ amount: 600.25, from: { slug: petr.slug }, to: { slug: jana.slug } });
    const deletion = `${page}/payments/${after.payments[0].id}/delete`;
    expect((await janaBrowser.get(page)).html).not.toContain(deletion);
    await fillIn(petrBrowser, page, deletion);
    await fillIn(janaBrowser, page, `${page}/${data.expenses[0].id}/delete`);
    expect((await jana.api.get(page)).body.data.expenses).toEqual([]);
    expect((await evaBrowser.get(page)).status).toBe(403);
    expect((await petrBrowser.get(`${page}.csv`)).headers.get('content-type')).toContain('text/csv');
  });

  // PAGE-86
  it('show a QR code for each payment of a person who has to pay two other people, and answer 404 to requests for other codes', async () => {
    const { ann, ben, cyr } = await server.people('ann', 'ben', 'cyr');
    const accounts = new Map([
      [ann.slug, 'CZ6508000000192000145399'],
      [ben.slug, 'DE89370400440532013000'],
    ]);
    for (const [slug, iban] of accounts) await server.sql('UPDATE users SET iban = $2 WHERE slug = $1', [slug, iban]);
    const { id } = await buildEvent(server, ann, {
      with: [
        [ben, 'confirmed'],
        [cyr, 'confirmed'],
      ],
    });
    const page = `/events/${id}/expenses`;
    for (const [currency, factor] of [
      ['EUR', 1],
      ['CZK', 25],
    ] as const)
      for (const [{ slug }, amount] of [
        [ann, 30],
        [ben, 20],
      ] as const)
        await ann.api.post(page, {
          title: 'Jídlo',
          amount: amount * factor,
          currency,
          paid_by: slug,
          shared_with: [cyr.slug],
        });
    const [browser] = await browsersOf(server, cyr);
    const { html } = await browser.get(page);
    const { summary } = (await cyr.api.get(page)).body.data;
    for (const [currency, kinds] of [
      ['EUR', ['spd', 'epc']],
      ['CZK', ['spd']],
    ] as const) {
      const { settlement } = summary[currency];
      expect(settlement.map((one: { to: { slug: string } }) => one.to.slug).sort()).toEqual(
        [...accounts.keys()].sort(),
      );
      for (const { to, payment } of settlement)
        for (const kind of kinds) {
          const query = new URLSearchParams({ currency, from: cyr.slug, to: to.slug, kind });
          expect(html).toContain(`${page}/code.png?${query.toString().replaceAll('&', '&amp;')}`);
          const picture = await fetch(`${server.origin}${page}/code.png?${query.toString()}`, {
            headers: { cookie: browser.cookie },
          });
          const { text } = await readQr(Buffer.from(await picture.arrayBuffer()));
          expect(text).toBe(payment[kind]);
          expect(text).toContain(accounts.get(to.slug));
        }
    }
    const unknown: Record<string, string>[] = [
      { currency: 'EUR', from: cyr.slug, to: cyr.slug },
      { currency: 'EUR', from: ann.slug, to: ben.slug },
      { currency: 'USD', from: cyr.slug, to: ann.slug },
      { currency: 'CZK', from: cyr.slug, to: ann.slug, kind: 'epc' },
    ];
    for (const query of unknown)
      expect((await browser.get(`${page}/code.png?${new URLSearchParams(query).toString()}`)).status).toBe(404);
  });

  // PAGE-86, PAY-4
  it('let the organizer record a payment by a person who has left the event but still shares an expense', async () => {
    const { id } = await buildEvent(server, jana, {
      is_public: true,
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
      ],
    });
    const page = `/events/${id}/expenses`;
    await jana.api.post(page, { title: 'Dřevo', amount: 100, shared_with: [petr.slug] });
    await petr.api.delete(`/events/${id}/join`);
    const form = formOf(await janaBrowser.get(page), `${page}/payments`, '<select');
    expect(form.html.match(/<option[^>]*>/g)?.filter((option) => option.includes(petr.slug))).toHaveLength(2);
    const values = { from: petr.slug, to: jana.slug, amount: '40' };
    expect((await sendForm(janaBrowser, form, values)).to).toBe(page);
    const { payments } = (await jana.api.get(page)).body.data.summary.CZK;
    expect(payments).toMatchObject([{ from: { slug: petr.slug }, to: { slug: jana.slug }, amount: 40 }]);
    expect((await janaBrowser.get(page)).html).not.toContain(`value="${petr.slug}" checked`);
  });

  // PAGE-86, PAY-1
  it('have a payment form that lists a person who has left the event; an error links to the field of this form, not to the field with the same name in another form', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true, with: [[petr, 'confirmed']] });
    const page = `/events/${id}/expenses`;
    await jana.api.post(page, { title: 'Chata', amount: 100 });
    await petr.api.delete(`/events/${id}/join`);
    const html = formOf(await janaBrowser.get(page), `${page}/payments`, 'payment-field-amount').html;
    expect(html).toContain(`<option value="${petr.slug}"`);
    const values = { from: petr.slug, to: jana.slug, amount: 'moc' };
    const form = formOf(await janaBrowser.get(page), `${page}/payments`, 'payment-field-amount');
    const refused = await sendForm(janaBrowser, form, values);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('<a href="#payment-field-amount">');
    expect(refused.html).not.toContain('<a href="#field-amount">');
    expect((await sendForm(janaBrowser, form, { ...values, amount: '20' })).to).toBe(page);
  });

  // PAGE-86
  it('have a payment form in which the reader is selected as the payer and another person as the receiver', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true, with: [[petr, 'confirmed']] });
    const page = `/events/${id}/expenses`;
    for (const [browser, me, other] of [
      [janaBrowser, jana, petr],
      [petrBrowser, petr, jana],
    ] as const) {
      const { fields } = formOf(await browser.get(page), `${page}/payments`, '<select');
      expect(Object.fromEntries(fields)).toMatchObject({ from: me.slug, to: other.slug });
    }
  });

  // PAGE-86, PAGE-96, PAY-3
  it('refuse to record a payment between two other people, show the reason, and show the typed values again', async () => {
    const people = [
      [petr, 'confirmed'],
      [eva, 'confirmed'],
    ] as const;
    const { id } = await buildEvent(server, jana, { is_public: true, with: people });
    const page = `/events/${id}/expenses`;
    const form = formOf(await janaBrowser.get(page), `${page}/payments`, '<select');
    const refused = await sendForm(janaBrowser, form, { from: petr.slug, to: eva.slug, amount: '12.5' });
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('You can only record a payment that you have sent or received.');
    const again = formOf(refused, `${page}/payments`, '<select');
    expect(again.html).toContain('value="12.5"');
    expect((await sendForm(janaBrowser, again, { to: jana.slug })).to).toBe(page);
    const own = formOf(await petrBrowser.get(page), `${page}/payments`, '<select');
    await jana.api.delete(`/events/${id}/participants/${petr.slug}`);
    const late = await sendForm(petrBrowser, own, { from: jana.slug, to: eva.slug, amount: '5' });
    expect(late.status).toBe(403);
    expect(late.html).not.toContain('<select');
  });

  // DATA-10, PAGE-86
  it('show a deleted account as “Deleted account”, without a link to a page of this account', async () => {
    const { gone } = await server.people('gone');
    const event = await buildEvent(server, jana, { starts_at: inDays(-2), with: [[gone, 'confirmed']] });
    const page = `/events/${event.id}/expenses`;
    await jana.api.post(page, { title: 'Nákup', amount: 100 });
    await gone.api.post(`/events/${event.id}/comments`, { body: 'Díky' });
    await server.app.get(OwnDataCommands).erase(gone.slug);
    const people = `/events/${event.id}/people`;
    for (const path of [page, people, `${people}/print`, `/events/${event.id}`]) {
      const { html } = await janaBrowser.get(path);
      expect(html).toContain('Deleted account');
      expect(html).not.toMatch(/href="\/people\/deleted-/);
      // `deleted` is the name in the API. It must not appear on the page, not even in labels for assistive technology.
      expect(html).not.toMatch(/[ :>]deleted["< ]/);
    }
    const { html } = await janaBrowser.get(`/events/${event.id}`);
    expect(html).toContain('The text was erased together with the account.');
    expect(html).not.toContain('/report?type=comment');
  });

  // PAGE-87
  it('let the organizer change a plan with as many stops and characters as the API allows', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true });
    const page = `/events/${id}/itinerary/edit`;
    const stop = { title: '🏕'.repeat(120), notes: '🏕'.repeat(500), location_name: '🏕'.repeat(120) };
    const plan = { title: 'Trasa', description: '🏕'.repeat(2000), stops: Array.from({ length: 50 }, () => stop) };
    expect((await jana.api.put(`/events/${id}/itinerary`, plan)).status).toBe(201);
    expect((await fillIn(janaBrowser, page, page, { title: 'Nová trasa' })).to).toBe(`/events/${id}`);
    expect((await jana.api.get(`/events/${id}/itinerary`)).body.data).toMatchObject({ ...plan, title: 'Nová trasa' });
  });

  // PAGE-87
  it('let the organizer change a plan with a stop very close to the equator', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true });
    const page = `/events/${id}/itinerary/edit`;
    const stops = [{ title: 'Rovník', latitude: 5e-7, longitude: -78.45 }];
    await jana.api.put(`/events/${id}/itinerary`, { title: 'Trasa', stops });
    expect((await fillIn(janaBrowser, page, page, { title: 'Nová trasa' })).to).toBe(`/events/${id}`);
    expect((await jana.api.get(`/events/${id}/itinerary`)).body.data).toMatchObject({ title: 'Nová trasa', stops });
  });

  it('let the organizer create, change and delete the plan', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true });
    const page = `/events/${id}/itinerary/edit`;
    const stops = { 'stops.0.title': 'Sraz', 'stops.0.duration_minutes': '30', 'stops.1.title': 'Vrchol' };
    // PAGE-42: the first stop has a latitude but no longitude.
    const half = await fillIn(janaBrowser, page, page, { title: 'Trasa', ...stops, 'stops.0.latitude': '50,1' });
    expect([half.status, half.html.includes('This is required together with “Latitude”.')]).toEqual([422, true]);
    const empty = await fillIn(janaBrowser, page, page, { title: 'Trasa' });
    expect(empty.html).toMatch(/id="field-stops" aria-label="[^"]+" aria-describedby="field-stops-error">/);
    expect(empty.html).toMatch(/name="stops.0.title"[^>]*aria-invalid="true" aria-describedby="field-stops-error">/);
    // PAGE-87
    expect((await janaBrowser.get(page)).html).toMatch(/<button\s[^>]*name="_add_stop"[^>]* formnovalidate/);
    const added = await fillIn(janaBrowser, page, page, { ...stops, 'stops.2.title': 'Chata', _add_stop: '1' });
    expect([added.status, added.html.includes('value="Chata"'), /role="alert"/.test(added.html)]).toEqual([
      200,
      true,
      false,
    ]);
    expect([...added.html.matchAll(/name="(stops\.\d+)\.title"/g)].map(([, row]) => row)).toEqual([
      'stops.0',
      'stops.1',
      'stops.2',
      'stops.3',
      'stops.4',
    ]);
    expect((await jana.api.get(`/events/${id}/itinerary`)).status).toBe(404);
    expect((await fillIn(janaBrowser, page, page, { title: 'Trasa', ...stops })).to).toBe(`/events/${id}`);
    const plan = async () => (await jana.api.get(`/events/${id}/itinerary`)).body.data;
    expect((await plan()).stops).toMatchObject([{ title: 'Sraz', duration_minutes: 30 }, { title: 'Vrchol' }]);
    const before = (await jana.api.get(`/events/${id}/itinerary`)).headers.get('etag');
    expect((await fillIn(janaBrowser, page, page)).status).toBe(303);
    expect((await jana.api.get(`/events/${id}/itinerary`)).headers.get('etag')).toBe(before);
    expect((await fillIn(janaBrowser, page, page, { 'stops.1.title': '' })).status).toBe(303);
    expect((await plan()).stops).toHaveLength(1);
    expect((await evaBrowser.get(page)).status).toBe(403);
    await fillIn(janaBrowser, page, `${page}/delete`);
    expect((await jana.api.get(`/events/${id}/itinerary`)).status).toBe(404);
  });

  // PAGE-97, PAGE-98
  it('do not replace a plan that another tab has written, and do not restore a plan that was deleted in the meantime', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true });
    const page = `/events/${id}/itinerary/edit`;
    const [first, second] = [formOf(await janaBrowser.get(page), page), formOf(await janaBrowser.get(page), page)];
    const titleOf = async () => (await jana.api.get(`/events/${id}/itinerary`)).body.data?.title as unknown;
    const values = { title: 'Z první karty', 'stops.0.title': 'Sraz' };
    for (const _time of ['once', 'again']) expect((await sendForm(janaBrowser, first, values)).status).toBe(303);
    const refused = await sendForm(janaBrowser, second, { title: 'Z druhé karty', 'stops.0.title': 'Start' });
    expect([refused.status, refused.html.includes('Z první karty'), await titleOf()]).toEqual([
      412,
      true,
      'Z první karty',
    ]);
    expect((await sendForm(janaBrowser, formOf(refused, page))).status).toBe(303);
    expect(await titleOf()).toBe('Z druhé karty');

    const third = formOf(await janaBrowser.get(page), page);
    await jana.api.delete(`/events/${id}/itinerary`);
    const gone = await sendForm(janaBrowser, third, { title: 'Smazaný' });
    expect([gone.status, await titleOf()]).toEqual([412, undefined]);
  });

  it('let a signed-in person create, publish, change and delete a post', async () => {
    const event = await buildEvent(server, jana, { title: 'Výlet', is_public: true });
    const values = { title: 'Jak bylo', body: '<p>Krásně</p>', categories: ['kolo', 'mista'], event_id: event.id };
    const withoutTopic = await fillIn(janaBrowser, '/posts/new', '/posts/new', { title: 'Jak bylo', body: 'Krásně' });
    expect(withoutTopic.html).toContain('Choose or fill in at least 1 item.');
    const created = await fillIn(janaBrowser, '/posts/new', '/posts/new', values);
    expect(created.status).toBe(303);
    const slug = created.to!.split('/').pop()!;
    const read = async () => (await jana.api.get(`/posts/${slug}`)).body.data;
    expect(await read()).toMatchObject({ status: 'draft', event: event.id, categories: ['kolo', 'mista'] });
    const page = `/posts/${slug}/edit`;
    const form = formOf(await janaBrowser.get(page), page);
    const tag = (await jana.api.get(`/posts/${slug}`)).headers.get('etag');
    expect((await sendForm(janaBrowser, form)).status).toBe(303);
    expect((await jana.api.get(`/posts/${slug}`)).headers.get('etag')).toBe(tag);
    expect((await sendForm(janaBrowser, form, { status: 'published' })).status).toBe(303);
    await jana.api.patch(`/posts/${slug}`, { location: 'Brno' });
    expect((await sendForm(janaBrowser, form, { excerpt: 'Krátce' })).status).toBe(412);
    expect((await sendForm(janaBrowser, formOf(await janaBrowser.get(page), page), { title: '' })).status).toBe(422);
    expect((await evaBrowser.get(page)).status).toBe(403);
    const deletion = formOf(await janaBrowser.get(page), `${page}/delete`);
    for (const _press of ['first', 'second']) expect((await sendForm(janaBrowser, deletion)).to).toBe('/account/posts');
    expect((await jana.api.get(`/posts/${slug}`)).status).toBe(404);
  });

  // PAGE-97
  it('compare the categories of a post regardless of their order', async () => {
    const post = { title: 'Cesty', body: 'text', categories: ['mista', 'evropa'] };
    const { slug } = (await jana.api.post('/posts', post)).body.data;
    const page = `/posts/${slug}/edit`;
    const opened = formOf(await janaBrowser.get(page), page);
    const change = (categories: string[]) => jana.api.patch(`/posts/${slug}`, { categories });
    await change(['asie']);
    const refused = await sendForm(janaBrowser, opened, { title: 'Cesty domů' });
    const shown = formOf(refused, page).fields.flatMap(([name, value]) => (name === 'categories' ? [value] : []));
    expect([refused.status, shown]).toEqual([412, ['asie']]);
    await change(['evropa', 'mista']);
    expect((await sendForm(janaBrowser, opened, { title: 'Cesty domů' })).status).toBe(303);
  });

  // POST-1, PAGE-88
  it('accept a post with as many characters as the API allows, both when it is created and when it is changed', async () => {
    const body = '🏕'.repeat(20_000);
    const values = { title: 'Dlouhý zápisek', body, categories: ['kolo'] };
    const created = await fillIn(janaBrowser, '/posts/new', '/posts/new', values);
    expect(created.status).toBe(303);
    const slug = created.to!.split('/').pop()!;
    const page = `/posts/${slug}/edit`;
    expect((await fillIn(janaBrowser, page, page, { title: 'Delší zápisek' })).status).toBe(303);
    expect((await jana.api.get(`/posts/${slug}`)).body.data).toMatchObject({ title: 'Delší zápisek', body });
  });

  // PAGE-88
  it.each([
    ['published', ['published', 'draft']],
    ['draft', 'draft'],
  ])('create a post with the status %s by one of the two buttons', async (status, sent) => {
    const { html } = formOf(await janaBrowser.get('/posts/new'), '/posts/new');
    // The button for a draft has no name. The hidden field is after the buttons.
    expect(html).toMatch(
      /<button\s+name="status" value="published"[^]*<input type="hidden" name="status" value="draft">/,
    );
    const typed = { title: 'O výletě', body: 'text', categories: ['kolo'], status: sent };
    const { to } = await fillIn(janaBrowser, '/posts/new', '/posts/new', typed);
    expect((await jana.api.get(to!)).body.data.status).toBe(status);
  });

  // PAGE-88
  it('have a button that publishes a draft and changes nothing else', async () => {
    const fields = { title: 'Rozepsaný', body: '<p>Text</p>', categories: ['kolo'], location: 'Brno' };
    const { slug } = (await jana.api.post('/posts', { ...fields, status: 'draft' })).body.data as { slug: string };
    const page = `/posts/${slug}`;
    expect((await fillIn(janaBrowser, page, `${page}/edit/publish`)).to).toBe(page);
    expect((await jana.api.get(page)).body.data).toMatchObject({ ...fields, status: 'published' });
    expect((await janaBrowser.get(page)).html).not.toContain('/edit/publish"');
  });

  // PAGE-88, POST-4
  it('offer past events with their dates as the event of a post, also to the organizer of a daily series; a post remains about its event after the author has left that event', async () => {
    const { denni } = await server.people('denni');
    const [browser] = await browsersOf(server, denni);
    await buildSeries(server, denni, { frequency: 'daily' });
    const past = await buildEvent(server, denni, { title: 'Výlet', starts_at: inDays(-3) });
    const left = await buildEvent(server, jana, { title: 'Ples', with: [[denni, 'confirmed']] });
    const { html } = formOf(await browser.get('/posts/new'), '/posts/new');
    expect(html).toMatch(new RegExp(`<option value="${past.id}" ?>Výlet · \\d+ \\w+ \\d{4}</option>`));
    const fields = { title: 'O plese', body: 'text', categories: ['mista'], event_id: left.id };
    const { slug } = (await denni.api.post('/posts', fields)).body.data;
    await denni.api.delete(`/events/${left.id}/join`);
    expect((await browser.get(`/posts/${slug}/edit`)).html).toContain(
      `<option value="${left.id}" selected>Ples</option>`,
    );
  });

  // PAGE-96
  it('show the typed values again if the cover of a post is too large', async () => {
    const form = formOf(await janaBrowser.get('/posts/new'), '/posts/new');
    const typed = { title: 'S obrázkem', body: '<p>Krásně</p>', categories: ['kolo'], location: 'Brno' };
    const body = new FormData();
    // As in the form, the file comes before the other fields.
    body.append('cover', new Blob([Buffer.alloc(LIMITS.posts.cover_bytes + 1)]), 'cover.jpg');
    for (const [name, value] of filledIn(form, typed) as FormData) body.append(name, value);
    const { status, html } = await janaBrowser.send('POST', form.action, body);
    expect(status).toBe(422);
    for (const shown of ['value="S obrázkem"', 'value="Brno"', 'value="kolo" checked']) expect(html).toContain(shown);
  });

  it('let a signed-in person publish and delete a Puls post', async () => {
    const values = { body: 'Tady', latitude: '50,1', longitude: '14,4' };
    expect((await fillIn(evaBrowser, '/puls/new', '/puls/new', { ...values, body: '' })).status).toBe(422);
    const published = await fillIn(evaBrowser, '/puls/new', '/puls/new', values);
    expect(published.to).toBe('/puls?lat=50.1&lng=14.4');
    const around = (await evaBrowser.get(published.to!)).html;
    expect([around.includes('Your post is in Puls.'), around.includes('Tady')]).toEqual([true, true]);
    const [post] = (await eva.api.get('/puls/mine')).body.data;
    expect(post).toMatchObject({ body: 'Tady', latitude: 50.1 });
    // PAGE-42
    const second = await fillIn(evaBrowser, '/puls/new', '/puls/new', values);
    expect([second.status, second.html.includes('API.')]).toEqual([422, false]);
    expect(second.html).toContain('You can add another one when it disappears');
    const list = '/puls?lat=50.1&lng=14.4';
    expect((await fillIn(evaBrowser, list, `/puls/${post.id}/delete`)).to).toBe(list);
    expect((await eva.api.get('/puls/mine')).body.data).toEqual([]);
    await fillIn(evaBrowser, '/puls/new', '/puls/new', values);
    const [other] = (await eva.api.get('/puls/mine')).body.data;
    expect((await fillIn(evaBrowser, '/puls/new', `/puls/${other.id}/delete`)).to).toBe('/puls/new');
    expect((await eva.api.get('/puls/mine')).body.data).toEqual([]);
  });
});
