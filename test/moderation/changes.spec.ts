import { ContentCommands } from '#areas/moderation/content.commands';
import { contentOf } from '#areas/moderation/contents';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import type { ContentKind } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { addMember, buildGroup } from '#testing/groups';
import { phonePhoto } from '#testing/media';
import { banFor } from '#testing/moderation-actions';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

// MOD-9
describe('the feed of changes about moderated content', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  const cursors = new Map<Person, string>();
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));

  const change = (action: 'remove' | 'restore', kind: ContentKind, id: string) =>
    server.database.transaction(async (tx) => {
      const content = (await contentOf(tx, server.app.get(PublicIds), kind, id))!;
      return action === 'remove'
        ? server.app.get(ContentCommands).removeWithoutAudit(tx, content, 'spam', null)
        : server.app.get(ContentCommands).restore(tx, content, { actorId: null, subject: id });
    });
  const setJanaBanned = (banned: boolean) =>
    server.database.transaction(async (tx) => {
      await server.app
        .get(UsersCommands)
        .update(tx, (await server.app.get(UsersReader).lockBySlug(tx, jana.slug))!, { banned });
    });
  /**
   * Returns for each person the new entries since the last call with this person, each entry as the text `type id`.
   * Also checks that no entry `….gone` shows who made the change.
   */
  async function newEntries(...people: Person[]): Promise<string[][]> {
    return Promise.all(
      people.map(async (person) => {
        const cursor = cursors.get(person);
        const { status, body } = await person.api.get(
          `/changes${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
        );
        expect(status).toBe(200);
        cursors.set(person, body.meta.cursor as string);
        for (const entry of body.data as { type: string; by: unknown }[])
          if (entry.type.endsWith('.gone')) expect(entry.by).toBeNull();
        return (body.data as { type: string; subject: { id: string } }[])
          .map(({ type, subject }) => `${type} ${subject.id}`)
          .sort();
      }),
    );
  }

  it('shows a removed event as gone and a restored event as updated', async () => {
    const group = await buildGroup(server, jana, { with: [[eva, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    await confirm(server, id, petr);
    await jana.api.post(`/events/${id}/comments`, { body: 'Ahoj' });
    await newEntries(jana, petr, eva);
    await change('remove', 'event', id);
    const gone = [`event.gone ${id}`];
    expect(await newEntries(jana, petr, eva)).toEqual([gone, gone, gone]);
    await change('restore', 'event', id);
    const updated = [`event.updated ${id}`];
    expect(await newEntries(jana, petr, eva)).toEqual([updated, updated, updated]);
  });

  it('shows a removed group, the replies to a removed comment and the occurrences of a removed series as gone, and shows restored groups and occurrences as updated', async () => {
    const { id: series } = await buildSeries(server, jana, { atMost: 1 });
    const [first] = await occurrencesOf(jana, series);
    await confirm(server, first!.id, petr);
    const group = await buildGroup(server, jana, { with: [[eva, 'member']] });
    const root = (await jana.api.post(`/events/${first!.id}/comments`, { body: 'kořen' })).body.data.id as string;
    const reply = (await petr.api.post(`/events/${first!.id}/comments`, { body: 'odpověď', parent: root })).body.data
      .id as string;
    await newEntries(jana, petr, eva);
    await change('remove', 'comment', root);
    expect((await newEntries(petr))[0]).toEqual([`comment.gone ${root}`, `comment.gone ${reply}`].sort());
    await change('remove', 'series', series);
    await change('remove', 'group', group.id);
    expect(await newEntries(petr, eva)).toEqual([[`event.gone ${first!.id}`], [`group.gone ${group.id}`]]);
    expect((await newEntries(jana))[0]).toEqual(
      expect.arrayContaining([`series.gone ${series}`, `event.gone ${first!.id}`, `group.gone ${group.id}`]),
    );
    await change('restore', 'series', series);
    await change('restore', 'group', group.id);
    expect(await newEntries(petr, eva)).toEqual([[`event.updated ${first!.id}`], [`group.updated ${group.id}`]]);
  });

  it('shows the removal and the restoration of a photo to participants, and the removal and the restoration of a post and of its comments to the author of the post', async () => {
    const { id } = await buildEvent(server, jana, { photos_enabled: true });
    await confirm(server, id, petr);
    const picture = new Blob([await phonePhoto()]);
    const photo = (await petr.api.upload(`/events/${id}/photos`, [['photos[]', picture]])).body.data[0].id as string;
    const fields = { title: 'Zápisek', categories: ['mista'], body: 'Text', status: 'published' };
    const post = (await jana.api.post('/posts', fields)).body.data.slug as string;
    const comment = (await petr.api.post(`/posts/${post}/comments`, { body: 'Ahoj' })).body.data.id as string;
    const [{ id: notice }] = (await jana.api.get('/notices')).body.data;
    // Jana’s notice quotes the comment, so an entry of the notice accompanies each entry of the comment.
    const commentEntries = (type: string) => [[`comment.${type} ${comment}`, `notice.updated ${notice}`], [], []];
    await newEntries(jana, petr, eva);
    await change('remove', 'photo', photo);
    expect(await newEntries(jana, petr, eva)).toEqual([[`photo.gone ${photo}`], [`photo.gone ${photo}`], []]);
    await change('restore', 'photo', photo);
    expect(await newEntries(jana, petr, eva)).toEqual([[`photo.created ${photo}`], [`photo.created ${photo}`], []]);
    await change('remove', 'comment', comment);
    expect(await newEntries(jana, petr, eva)).toEqual(commentEntries('gone'));
    await change('restore', 'comment', comment);
    expect(await newEntries(jana, petr, eva)).toEqual(commentEntries('created'));
    await change('remove', 'post', post);
    expect(await newEntries(jana, petr, eva)).toEqual([[`notice.updated ${notice}`, `post.gone ${post}`], [], []]);
    await change('restore', 'post', post);
    expect(await newEntries(jana, petr, eva)).toEqual([[`notice.updated ${notice}`, `post.updated ${post}`], [], []]);
  });

  // CHG-14, MOD-8, POST-4
  it('shows a post as updated in the feed of its author when the event of the post is hidden or becomes visible again, even if the author has left the event', async () => {
    const { id: series } = await buildSeries(server, jana, { atMost: 1 });
    const [{ id } = { id: '' }] = await occurrencesOf(jana, series);
    await confirm(server, id, petr);
    const fields = { title: 'Zápisek', categories: ['mista'], body: 'Text', event_id: id };
    const [own, post] = [
      (await jana.api.post('/posts', fields)).body.data.slug as string,
      (await petr.api.post('/posts', { ...fields, status: 'published' })).body.data.slug as string,
    ];
    await petr.api.delete(`/events/${id}/join`);
    await newEntries(jana, petr);
    const eventOfPost = async () => (await petr.api.get(`/posts/${post}`)).body.data.event as unknown;
    for (const [hide, show] of [
      [() => change('remove', 'event', id), () => change('restore', 'event', id)],
      [() => change('remove', 'series', series), () => change('restore', 'series', series)],
      [() => setJanaBanned(true), () => setJanaBanned(false)],
    ] as const) {
      await hide();
      expect([await newEntries(petr), await eventOfPost()]).toEqual([[[`post.updated ${post}`]], null]);
      await show();
      expect([await newEntries(petr), await eventOfPost()]).toEqual([[[`post.updated ${post}`]], id]);
    }
    const ofOwnPost = (await newEntries(jana))[0]!.filter((entry) => entry.startsWith('post.'));
    // Removing and restoring the event and the series updates Jana's own post four times. The ban of Jana hides this
    // post, and the end of the ban updates it.
    expect(ofOwnPost).toEqual([`post.gone ${own}`, ...Array<string>(5).fill(`post.updated ${own}`)]);
  });

  it('shows no entry about a separately removed reply when its thread is removed or restored', async () => {
    const { id } = await buildEvent(server, jana);
    const comment = async (person: Person, body: string, parent?: string) =>
      (await person.api.post(`/events/${id}/comments`, { body, ...(parent && { parent }) })).body.data.id as string;
    await confirm(server, id, petr);
    const root = await comment(jana, 'kořen');
    const [removed, other] = [await comment(petr, 'první', root), await comment(petr, 'druhá', root)];
    const entriesAfter = async (action: 'remove' | 'restore', commentId: string) => {
      await newEntries(petr);
      await change(action, 'comment', commentId);
      return (await newEntries(petr))[0];
    };
    expect(await entriesAfter('remove', removed)).toEqual([`comment.gone ${removed}`]);
    expect(await entriesAfter('remove', root)).toEqual([`comment.gone ${root}`, `comment.gone ${other}`].sort());
    expect(await entriesAfter('restore', root)).toEqual([`comment.created ${root}`, `comment.created ${other}`].sort());
    await change('remove', 'comment', root);
    expect(await entriesAfter('remove', other)).toEqual([]);
    expect(await entriesAfter('restore', removed)).toEqual([]);
    expect(await entriesAfter('restore', root)).toEqual([root, removed].map((one) => `comment.created ${one}`).sort());
  });

  it('shows only the removal of content that was removed before the feed was read, and no earlier entries about this content', async () => {
    const group = await buildGroup(server, jana, { with: [[eva, 'member']] });
    const event = await buildEvent(server, jana, { photos_enabled: true });
    const removedEvent = await buildEvent(server, jana);
    for (const { id } of [event, removedEvent]) await confirm(server, id, petr);
    await newEntries(jana, petr, eva);
    const fields = { title: 'Zápisek', categories: ['mista'], body: 'Text', status: 'published' };
    const post = (await jana.api.post('/posts', fields)).body.data.slug as string;
    const comment = (await petr.api.post(`/events/${event.id}/comments`, { body: 'Ahoj' })).body.data.id as string;
    const picture = new Blob([await phonePhoto()]);
    const photo = (await petr.api.upload(`/events/${event.id}/photos`, [['photos[]', picture]])).body.data[0]
      .id as string;
    const { id: series } = await buildSeries(server, jana, { atMost: 1 });
    await jana.api.patch(`/groups/${group.id}`, { name: 'Jiní turisté' });
    await jana.api.patch(`/events/${removedEvent.id}`, { title: 'Jiný piknik' });
    for (const [kind, id] of [
      ['post', post],
      ['comment', comment],
      ['photo', photo],
      ['series', series],
      ['group', group.id],
      ['event', removedEvent.id],
    ] as const)
      await change('remove', kind, id);
    const entries = await newEntries(jana, petr, eva);
    const types = entries.map((list) =>
      list.map((entry) => entry.split(' ')[0]).filter((type) => !/^notice/.test(type!)),
    );
    const sharedTypes = ['comment.gone', 'event.gone'];
    expect(types).toEqual([
      [...sharedTypes, 'event.gone', 'group.gone', 'photo.gone', 'post.gone', 'series.gone'],
      [...sharedTypes, 'photo.gone'],
      ['group.gone'],
    ]);
  });

  it('shows the removal of an event to people who are invited, are on the waitlist or have asked to join, but not to people whose request was declined', async () => {
    const { otto, iva } = await server.people('otto', 'iva');
    const { id } = await buildEvent(server, jana, {
      with: [
        [petr, 'pending'],
        [eva, 'waitlisted'],
        [otto, 'requested'],
        [iva, 'declined'],
      ],
    });
    const people = [petr, eva, otto, iva];
    await newEntries(...people);
    for (const [action, entry] of [
      ['remove', `event.gone ${id}`],
      ['restore', `event.updated ${id}`],
    ] as const) {
      await change(action, 'event', id);
      expect(await newEntries(...people)).toEqual([[entry], [entry], [entry], []]);
    }
  });

  it('shows the removal of a group to people who are invited or have asked to join', async () => {
    const group = await buildGroup(server, jana, {
      with: [
        [petr, 'invited'],
        [eva, 'requested'],
      ],
    });
    await newEntries(petr, eva);
    for (const [action, entry] of [
      ['remove', `group.gone ${group.id}`],
      ['restore', `group.updated ${group.id}`],
    ] as const) {
      await change(action, 'group', group.id);
      expect(await newEntries(petr, eva)).toEqual([[entry], [entry]]);
    }
  });

  it('shows notice.updated for each notice that quoted a reply, when the first comment of the thread is removed', async () => {
    const participants = [petr, eva].map((person) => [person, 'confirmed'] as const);
    const { id } = await buildEvent(server, jana, { with: participants });
    const root = (await petr.api.post(`/events/${id}/comments`, { body: 'kořen' })).body.data.id as string;
    const reply = (await eva.api.post(`/events/${id}/comments`, { body: 'odpověď', parent: root })).body.data
      .id as string;
    const [{ id: notice, text }] = (await petr.api.get('/notices')).body.data;
    expect(text).toContain('odpověď');
    await newEntries(petr);
    await change('remove', 'comment', root);
    expect(await newEntries(petr)).toEqual([
      [`comment.gone ${root}`, `comment.gone ${reply}`, `notice.updated ${notice}`].sort(),
    ]);
    expect((await petr.api.get('/notices')).body.data[0].text).not.toContain('odpověď');
  });

  it('shows event.gone only once to a member who declines the invitation to a private event of the group, even if the event is removed later', async () => {
    const group = await buildGroup(server, jana, { with: [[eva, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id });
    await newEntries(eva);
    await eva.api.delete(`/events/${id}/join`);
    expect((await newEntries(eva)).flat()).toContain(`event.gone ${id}`);
    await change('remove', 'event', id);
    expect(await newEntries(eva)).toEqual([[]]);
  });

  it('shows no second entry when hidden content gets a second reason to be hidden, or loses one of two reasons', async () => {
    const { id: series } = await buildSeries(server, jana, { atMost: 2 });
    const [first, second] = (await occurrencesOf(jana, series)).map(({ id }) => id) as [string, string];
    await confirm(server, first, petr);
    await confirm(server, second, petr);
    await newEntries(petr);
    await change('remove', 'event', first);
    expect(await newEntries(petr)).toEqual([[`event.gone ${first}`, `event.updated ${second}`]]);
    await change('remove', 'series', series);
    expect(await newEntries(petr)).toEqual([[`event.gone ${second}`]]);
    await change('remove', 'event', second);
    await change('restore', 'event', second);
    expect(await newEntries(petr)).toEqual([[]]);
    await change('restore', 'series', series);
    expect(await newEntries(petr)).toEqual([[`event.updated ${second}`]]);
    await setJanaBanned(true);
    expect(await newEntries(petr)).toEqual([[`event.gone ${second}`]]);
    await change('remove', 'event', second);
    await change('remove', 'series', series);
    expect(await newEntries(petr)).toEqual([[]]);
  });

  it('shows changes of a group’s events to participants while the group is removed, but not to people who are only members', async () => {
    const group = await buildGroup(server, jana);
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    await addMember(server, group, eva, 'member');
    await confirm(server, id, petr);
    await newEntries(jana, petr, eva);
    await change('remove', 'group', group.id);
    expect(await newEntries(petr, eva)).toEqual([[`event.updated ${id}`], [`group.gone ${group.id}`]]);
    await jana.api.patch(`/events/${id}`, { title: 'Jiný piknik' });
    await jana.api.patch(`/events/${id}`, { is_public: false });
    await jana.api.patch(`/events/${id}`, { is_public: true });
    expect(await newEntries(petr, eva)).toEqual([Array(3).fill(`event.updated ${id}`), []]);
    await change('restore', 'group', group.id);
    expect(await newEntries(petr, eva)).toEqual([
      [`event.updated ${id}`],
      [`event.updated ${id}`, `group.updated ${group.id}`],
    ]);
  });

  it('shows no entries about hidden, past or cancelled events when the organizer’s ban starts or ends, and none about events from which the reader is banned', async () => {
    const { id: series } = await buildSeries(server, jana, { atMost: 1 });
    const [occurrence] = (await occurrencesOf(jana, series)).map(({ id }) => id) as [string];
    const [removed, cancelled, past, upcoming] = [
      await buildEvent(server, jana),
      await buildEvent(server, jana),
      await buildEvent(server, jana, { starts_at: inDays(-2), with: [[petr, 'confirmed']] }),
      await buildEvent(server, jana),
    ];
    for (const id of [occurrence, removed.id, cancelled.id, upcoming.id]) await confirm(server, id, petr);
    await confirm(server, upcoming.id, eva);
    await jana.api.delete(`/events/${upcoming.id}/participants/${eva.slug}?ban=1`);
    await change('remove', 'event', removed.id);
    await change('remove', 'series', series);
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    await newEntries(petr, eva);
    await setJanaBanned(true);
    expect(await newEntries(petr, eva)).toEqual([[`event.gone ${upcoming.id}`], []]);
    expect((await petr.api.get(`/discover/events/${past.id}`)).status).toBe(200);
    await setJanaBanned(false);
    expect(await newEntries(petr, eva)).toEqual([[`event.updated ${upcoming.id}`], []]);
    await change('remove', 'event', upcoming.id);
    expect(await newEntries(petr, eva)).toEqual([[`event.gone ${upcoming.id}`], []]);
  });

  // CHG-14, SER-9
  it('shows a cancelled occurrence as updated when a ban hides the first occurrence of its series, and when the ban ends', async () => {
    const { id: series } = await buildSeries(server, jana, { atMost: 3 });
    const [first, cancelled, other] = (await occurrencesOf(jana, series)).map(({ id }) => id) as [
      string,
      string,
      string,
    ];
    const past = await buildSeries(server, jana, { atMost: 2, startsAt: inDays(-2) });
    const [, later] = (await occurrencesOf(jana, past.id)).map(({ id }) => id) as [string, string];
    for (const id of [cancelled, later]) {
      await confirm(server, id, petr);
      await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    }
    await confirm(server, other, petr);
    const parent = async (): Promise<string | null> =>
      (await petr.api.get(`/discover/events/${cancelled}`)).body.data.parent_event;
    await newEntries(petr);
    expect(await parent()).toBe(first);
    await setJanaBanned(true);
    expect([await parent(), await newEntries(petr)]).toEqual([
      null,
      [[`event.gone ${other}`, `event.updated ${cancelled}`]],
    ]);
    await setJanaBanned(false);
    expect([await parent(), await newEntries(petr)]).toEqual([
      first,
      [[`event.updated ${cancelled}`, `event.updated ${other}`].sort()],
    ]);
  });

  it('shows upcoming events of a banned organizer as gone, and as updated after the end of the ban', async () => {
    const { id } = await buildEvent(server, jana);
    await confirm(server, id, petr);
    await newEntries(petr);
    await setJanaBanned(true);
    expect(await newEntries(petr)).toEqual([[`event.gone ${id}`]]);
    await setJanaBanned(false);
    expect(await newEntries(petr)).toEqual([[`event.updated ${id}`]]);
  });

  // MOD-47
  it('shows the removal of an event if the organizer’s ban has ended, but the job that lifts bans has not run yet', async () => {
    const { id } = await buildEvent(server, jana);
    await confirm(server, id, petr);
    await setJanaBanned(true);
    await banFor(server, jana, '-1 second');
    await newEntries(petr);
    expect((await jana.api.patch(`/events/${id}`, { title: 'Jiný piknik' })).status).toBe(200);
    expect(await newEntries(petr)).toEqual([[`event.updated ${id}`]]);
    await change('remove', 'event', id);
    expect(await newEntries(petr)).toEqual([[`event.gone ${id}`]]);
    await server.job('bans-lift');
    expect(await newEntries(petr)).toEqual([[]]);
  });
});
