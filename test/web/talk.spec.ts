import { browsersOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { fillIn, formOf, sendForm } from '#testing/sent-forms';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

// PAGE-84, PAGE-85
describe('the pages for comments, photos and blocks', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let janaBrowser: Visitor, petrBrowser: Visitor, evaBrowser: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    [janaBrowser, petrBrowser, evaBrowser] = await browsersOf(server, jana, petr, eva);
  });
  afterAll(() => server.stop());

  const statusOf = ({ html }: Page) => /role="status">([^<]*)</.exec(html)?.[1];
  const alertOf = ({ html }: Page) =>
    /role="alert"[^>]*>(.*?)<\/div>/s
      .exec(html)?.[1]
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+(?=[\s:])/g, '');
  const blob = async () => new Blob([await picture()]);
  const commentsOf = async (path: string) => (await jana.api.get(`${path}/comments`)).body.data;

  it('let a participant write a comment with a picture, the organizer reply to it, and the participant delete it', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true });
    const page = `/events/${id}`;
    await petr.api.post(`/events/${id}/join`);
    expect((await evaBrowser.get(page)).html).not.toContain(`${page}/comments`);
    const form = formOf(await petrBrowser.get(page), `${page}/comments`);
    const image = await blob();
    // A form that is sent twice creates one comment (PAGE-98).
    expect((await sendForm(petrBrowser, form, { body: 'Těším se' }, [['image', image]])).to).toBe(`${page}#comments`);
    expect((await sendForm(petrBrowser, form, { body: 'Těším se' }, [['image', image]])).status).toBe(303);
    const [comment, ...others] = await commentsOf(page);
    expect(others).toEqual([]);
    expect(comment).toMatchObject({ body: 'Těším se', author: { slug: petr.slug } });
    expect(comment.image_url).not.toBeNull();
    const shown = await janaBrowser.get(page);
    expect(shown.html).toContain('Těším se');

    const reply = formOf(shown, `${page}/comments`, `value="${comment.id}"`);
    expect((await sendForm(janaBrowser, reply, { body: 'Já taky' })).status).toBe(303);
    expect((await commentsOf(page))[0].replies[0].body).toBe('Já taky');

    const second = formOf(await janaBrowser.get(page), `${page}/comments`, `value="${comment.id}"`);
    const empty = await sendForm(janaBrowser, second, { body: ' ' });
    expect(empty.status).toBe(422);
    expect(alertOf(empty)).toContain('Please check these fields: Comment: ');
    expect(empty.html).toContain(`href="#body-${comment.id}"`);
    const broken = await sendForm(
      petrBrowser,
      formOf(await petrBrowser.get(page), `${page}/comments`),
      { body: 'Zůstane' },
      [['image', new Blob(['no picture'])]],
    );
    expect(broken.status).toBe(422);
    expect(broken.html).toContain('Zůstane</textarea>');
    expect(alertOf(broken)).toMatch(/Please check these fields: Picture: .+ Please choose the files again/);
    expect((await evaBrowser.submit(page, {}, `${page}/comments`)).status).toBe(403);

    const deleted = await fillIn(petrBrowser, page, `/comments/${comment.id}/delete`);
    expect(deleted.to).toBe(`${page}#comments`);
    const after = await petrBrowser.get(page);
    expect(statusOf(after)).toContain('deleted');
    // The browser scrolls to the comments, so the page shows the message at the comments.
    expect(after.html).toMatch(/<section id="comments"><h2>[^<]*<\/h2>\s*<p class="card notice" role="status">/);
    expect(await commentsOf(page)).toEqual([]);
  });

  // PAGE-96
  it('keep the text of a refused comment if its thread is gone or the person may no longer comment', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true, with: [[petr, 'confirmed']] });
    const page = `/events/${id}`;
    const { data: root } = (await jana.api.post(`${page}/comments`, { body: 'Kdo přijde?' })).body;
    const shown = await petrBrowser.get(page);
    const reply = formOf(shown, `${page}/comments`, `value="${root.id}"`);
    await jana.api.delete(`/comments/${root.id}`);
    const orphan = await sendForm(petrBrowser, reply, { body: 'Přijdu já' });
    expect(orphan.status).toBe(422);
    expect(orphan.html).toContain('Přijdu já</textarea>');
    expect(orphan.html.match(/role="alert"/g)).toHaveLength(1);
    const asNew = formOf(orphan, `${page}/comments`);
    expect((await sendForm(petrBrowser, asNew)).status).toBe(303);
    expect((await commentsOf(page))[0]).toMatchObject({ body: 'Přijdu já', parent: null });

    await jana.api.delete(`/events/${id}/participants/${petr.slug}`);
    const late = await sendForm(petrBrowser, formOf(shown, `${page}/comments`), { body: 'Ještě <něco>' });
    expect(late.status).toBe(403);
    expect(late.html).toMatch(/role="alert">[\s\S]*Ještě &lt;něco&gt;/);
    // PAGE-113
    const invalidPicture = [['image', new Blob(['no picture'])]] as const;
    const both = await sendForm(petrBrowser, formOf(shown, `${page}/comments`), { body: 'A obrázek' }, invalidPicture);
    expect([both.status, both.html.includes('A obrázek')]).toEqual([403, true]);
  });

  // PAGE-96
  it('keep the text of a refused comment on a post that has become a draft', async () => {
    const { body } = await jana.api.post('/posts', {
      title: 'Zpátky do šuplíku',
      categories: ['kolo'],
      body: '<p>Text</p>',
      status: 'published',
    });
    const page = `/posts/${body.data.slug}`;
    const form = formOf(await janaBrowser.get(page), `${page}/comments`);
    await jana.api.patch(page, { status: 'draft' });
    const refused = await sendForm(janaBrowser, form, { body: 'Doplním' });
    expect(refused.status).toBe(403);
    expect(refused.html).toMatch(/role="alert">[\s\S]*Doplním/);
  });

  // PAGE-84, PAGE-96
  it('keep the text of a refused reply and give the reason if the thread was deleted in the meantime', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true });
    const page = `/events/${id}`;
    const thread = (await jana.api.post(`${page}/comments`, { body: 'Kdo jede?' })).body.data;
    const reply = formOf(await janaBrowser.get(page), `${page}/comments`, `value="${thread.id}"`);
    await jana.api.delete(`/comments/${thread.id}`);
    const refused = await sendForm(janaBrowser, reply, { body: 'Já určitě' });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/class="card refusal" role="alert"/);
    const again = formOf(refused, `${page}/comments`);
    expect(again.fields).toContainEqual(['body', 'Já určitě']);
    expect((await sendForm(janaBrowser, again)).to).toBe(`${page}#comments`);
    expect(await commentsOf(page)).toMatchObject([{ body: 'Já určitě', parent: null }]);
  });

  it('keep the text of a refused comment and give the reason if the author was removed from the event in the meantime', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true, with: [[petr, 'confirmed']] });
    const page = `/events/${id}`;
    const form = formOf(await petrBrowser.get(page), `${page}/comments`);
    await jana.api.delete(`${page}/participants/${petr.slug}`);
    const refused = await sendForm(petrBrowser, form, { body: 'Beru stan' });
    expect(refused.status).toBe(403);
    expect(refused.html).toMatch(/role="alert"><p>[^<]+<\/p><p class="plain-text">Beru stan</);
  });

  it('let every person with an account comment on a post', async () => {
    const { body } = await jana.api.post('/posts', {
      title: 'Výšlap',
      categories: ['kolo'],
      body: '<p>Text</p>',
      status: 'published',
    });
    const page = `/posts/${body.data.slug}`;
    expect((await new Visitor(server).get(page)).html).toContain('Sign in to comment');
    expect((await fillIn(evaBrowser, page, `${page}/comments`, { body: 'Hezké' })).to).toBe(`${page}#comments`);
    expect((await evaBrowser.get(page)).html).toContain('Hezké');
  });

  it('let a participant add at most ten photos, and delete them', async () => {
    const { id } = await buildEvent(server, jana, { is_public: true, photos_enabled: true });
    const page = `/events/${id}`;
    await petr.api.post(`/events/${id}/join`);
    const form = formOf(await petrBrowser.get(page), `${page}/photos`);
    const image = await blob();
    expect(
      (
        await sendForm(petrBrowser, form, {}, [
          ['photos[]', image],
          ['photos[]', image],
        ])
      ).to,
    ).toBe(`${page}#photos`);
    const { data } = (await jana.api.get(`/events/${id}/photos`)).body;
    expect(data).toHaveLength(2);
    const again = formOf(await petrBrowser.get(page), `${page}/photos`);
    const tooMany = await sendForm(
      petrBrowser,
      again,
      {},
      Array.from({ length: 9 }, () => ['photos[]', image] as const),
    );
    expect(tooMany.status).toBe(409);
    const none = await sendForm(petrBrowser, again);
    expect(none.status).toBe(422);
    // PAGE-56, PAGE-96
    for (const { html } of [tooMany, none]) {
      expect(html).toMatch(/role="alert"[^>]*>.*<a href="#photos-new">Photos<\/a>:/);
      expect(html).toMatch(
        /id="photos-new"[^>]*aria-invalid="true" aria-describedby="photos-new-error photos-new-hint">/,
      );
      expect(html).toContain('id="photos-new-error"');
    }
    const rest = Array.from({ length: 8 }, () => ['photos[]', image] as const);
    expect((await sendForm(petrBrowser, again, {}, rest)).status).toBe(303);
    const full = (await petrBrowser.get(page)).html;
    expect(full).not.toContain(`${page}/photos?`);
    expect(full).toContain('You have added 10.');
    for (const { id: photoId } of (await petr.api.get(`/events/${id}/photos`)).body.data.slice(0, 8))
      await petr.api.delete(`/events/${id}/photos/${photoId}`);
    await fillIn(petrBrowser, page, `${page}/photos/${data[0].id}/delete`);
    expect((await petrBrowser.get(page)).html).toMatch(
      /<section id="photos"><h2>[^<]*<\/h2>\s*<p class="card notice" ro/,
    );
    expect((await jana.api.get(`/events/${id}/photos`)).body.data).toHaveLength(1);
    const foreign = await evaBrowser.submit(page, {}, `${page}/photos/${data[1].id}/delete`);
    expect(foreign.status).toBe(403);
    expect(foreign.html).toContain(
      'Only the organizer of the event, the founder of the group or the owner may do this.',
    );
    expect(foreign.html).toContain(`href="${page}">Back to the event<`);

    // PAGE-113
    await jana.api.delete(`/events/${id}/participants/${petr.slug}`);
    const removed = await sendForm(petrBrowser, form);
    expect(removed.status).toBe(403);
    expect(removed.html).toMatch(/role="alert"[^>]*><p><strong>You cannot add photos to this gallery\.<\/strong><\/p>/);

    // With `photos_enabled` false and without photos, the page has no section for photos, so the message is at the top.
    await jana.api.patch(page, { photos_enabled: false });
    await fillIn(janaBrowser, page, `${page}/photos/${data[1].id}/delete`);
    const empty = await janaBrowser.get(page);
    expect(empty.html).not.toContain('<section id="photos">');
    expect(statusOf(empty)).toContain('deleted');
  });

  // PAGE-84, PAGE-99
  it('show all comments and photos of an event on several pages, with the forms to reply and to delete', async () => {
    const { id, eventId } = await buildEvent(server, jana, { is_public: true, photos_enabled: true });
    const page = `/events/${id}`;
    await server.sql(
      `INSERT INTO all_comments (event_id, author_id, body, created_at)
       SELECT $1, $2, 'Komentář ' || n, now() + n * interval '1 s' FROM generate_series(1, 31) n`,
      [eventId, jana.userId],
    );
    const first = await janaBrowser.get(page);
    expect(first.html).toContain('Komentář 31<');
    expect(first.html).not.toContain('Komentář 1<');
    expect(first.html).toContain(`rel="next" href="${page}?comments=2#comments"`);
    const second = await janaBrowser.get(`${page}?comments=2`);
    expect(second.html).toContain('Komentář 1<');
    expect(second.html).toContain(`rel="prev" href="${page}?comments=1#comments"`);
    const [oldest] = (await jana.api.get(`${page}/comments?page=31&per_page=1`)).body.data;
    const reply = formOf(second, `${page}/comments`, `value="${oldest.id}"`);
    const refused = await sendForm(janaBrowser, reply, { body: ' ' });
    expect(formOf(refused, `${page}/comments`, `value="${oldest.id}"`).html).toContain('role="alert"');
    const answered = await sendForm(janaBrowser, reply, { body: 'Odpověď' });
    expect([answered.status, answered.to]).toEqual([303, `${page}?comments=2#comments`]);
    const visitor = new Visitor(server);
    const late = formOf(await janaBrowser.get(`${page}?comments=2`), `${page}/comments`, `value="${oldest.id}"`);
    const expired = await sendForm(visitor, late, { body: 'Po vypršení' });
    const resumed = await sendForm(visitor, formOf(expired, '/sign-in'), { password: 'correct horse' });
    expect(resumed.html).toContain('choose the files again');
    const sentAgain = await sendForm(visitor, formOf(resumed, `${page}/comments`));
    expect([sentAgain.status, sentAgain.to]).toEqual([303, `${page}?comments=2#comments`]);
    const deletion = formOf(await janaBrowser.get(`${page}?comments=2`), `/comments/${oldest.id}/delete`);
    expect((await sendForm(janaBrowser, deletion)).to).toBe(`${page}?comments=2#comments`);

    const image = await blob();
    for (const person of [petr, eva]) await person.api.post(`/events/${id}/join`);
    for (const [browser, count] of [
      [janaBrowser, 5],
      [petrBrowser, 10],
      [evaBrowser, 10],
    ] as const)
      await fillIn(
        browser,
        page,
        `${page}/photos`,
        {},
        Array.from({ length: count }, () => ['photos[]', image] as const),
      );
    expect((await janaBrowser.get(page)).html).toContain(`rel="next" href="${page}?photos=2#photos"`);
    const last = (await janaBrowser.get(`${page}?photos=2`)).html;
    expect(last.match(/<summary aria-label="Delete photo/g)).toHaveLength(1);
    // On a page after the last page, the link to the previous page leads to the last page.
    const { html: afterLast } = await janaBrowser.get(`${page}?photos=5`);
    expect(afterLast).toContain(`rel="prev" href="${page}?photos=2#photos"`);
  });

  it('let people block and unblock other people but not themselves, and see the reports that they have sent', async () => {
    expect((await fillIn(evaBrowser, `/people/${petr.slug}`, `/people/${petr.slug}/block`)).to).toBe('/account/blocks');
    expect((await eva.api.get('/blocks')).body.data[0].user.slug).toBe(petr.slug);
    expect((await evaBrowser.get('/account/blocks')).html).toContain(`${petr.name} is now blocked.`);
    expect((await evaBrowser.get(`/people/${petr.slug}`)).html).toContain('You block this person');
    expect((await fillIn(evaBrowser, '/account/blocks', `/people/${petr.slug}/unblock`)).to).toBe('/account/blocks');
    expect((await evaBrowser.get('/account/blocks')).html).toContain(`${petr.name} is no longer blocked.`);
    expect((await eva.api.get('/blocks')).body.data).toEqual([]);
    expect((await evaBrowser.submit('/account/blocks', {}, `/people/${eva.slug}/block`)).status).toBe(422);
    await eva.api.post('/reports', { subject_type: 'user', subject_id: petr.slug, reason: 'spam', note: 'Opakovaně' });
    expect((await evaBrowser.get('/account/reports')).html).toContain('Opakovaně');
  });

  // MOD-101, PAGE-85
  it('link from the list of sent reports to each reported person or post, even if the report was sent with an id instead of a slug', async () => {
    const { id } = (await jana.api.get('/user')).body.data as { id: string };
    const post = (
      await jana.api.post('/posts', { title: 'Výlet', categories: ['mista'], body: '<p>A</p>', status: 'published' })
    ).body.data as { id: string; slug: string };
    for (const [subject_type, subject_id] of [
      ['user', id],
      ['post', post.id],
    ])
      expect((await eva.api.post('/reports', { subject_type, subject_id, reason: 'spam' })).status).toBe(201);
    const { html } = await evaBrowser.get('/account/reports');
    const textOf = (path: string) => new RegExp(`href="${path}">([^<]*)</a>`).exec(html)?.[1]?.trim();
    expect(textOf(`/people/${jana.slug}`)).toMatch(new RegExp(`^.+: ${jana.name}$`));
    expect(textOf(`/posts/${post.slug}`)).toMatch(/^.+: Výlet$/);
    // Removed content has no page.
    await server.sql(`UPDATE reports SET outcome = 'removed', decided_at = now() WHERE subject_type = 'post'`);
    await server.sql('UPDATE all_posts SET removed_at = now() WHERE slug = $1', [post.slug]);
    const after = (await evaBrowser.get('/account/reports')).html;
    expect([after.includes('Výlet'), after.includes(`/posts/${post.slug}`)]).toEqual([true, false]);
  });
});
