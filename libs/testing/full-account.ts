import { randomBytes } from 'node:crypto';
import { CreditsCommands } from '#areas/credits/credits.commands';
import { DecisionsService } from '#areas/moderation/decisions.service';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { PublicIds } from '#platform/http/public-ids';
import { browserOf } from './browsers';
import { buildEvent, type BuiltEvent } from './builders';
import type { Answer } from './http-client';
import { picture } from './media';
import type { Person } from './people';
import type { TestServer } from './test-server';
import { inDays, soon } from './times';

/** A person with data in all areas of the service, and the other people in that data. */
export interface FullAccount {
  readonly who: Person;
  /** The other people. The person blocks `viktor`; `zdena` blocks the person. Tests erase none of the four. */
  readonly friends: { readonly petr: Person; readonly eva: Person; readonly viktor: Person; readonly zdena: Person };
  /** A word that is in the slug and almost all texts of the person, and in no text that other people wrote. */
  readonly mark: string;
  /** Events that the person organizes: past and upcoming, with and without participants. */
  readonly own: Readonly<Record<'past' | 'upcoming' | 'pastAlone' | 'upcomingAlone', BuiltEvent>>;
  /** Events of petr. The person took part in `past`, takes part in `upcoming`, and is banned from `banned`. */
  readonly others: Readonly<Record<'past' | 'upcoming' | 'banned', BuiltEvent>>;
  readonly groups: Readonly<Record<'shared' | 'alone' | 'petrs', string>>;
  readonly posts: Readonly<Record<'own' | 'petrs', string>>;
  readonly series: string;
  /** Storage keys of the files that belong only to the person. */
  readonly files: readonly string[];
}

/** Creates a person with at least one row in every table of docs/personal-data.md. */
export async function buildFullAccount(server: TestServer): Promise<FullAccount> {
  const mark = `kolibrik${randomBytes(4).toString('hex')}`;
  const who = await server.person(mark, {
    name: `Jana ${mark}`,
    nickname: `jn${mark}`,
    birth_date: '1990-02-03',
    gender: 'female',
    iban: 'CZ6508000000192000145399',
  });
  const friends = await server.people('petr', 'eva', 'viktor', 'zdena');
  return new FullAccountBuilder(server, who, friends, mark).build();
}

/** SQL statements that insert those rows of the person that no request of `FullAccountBuilder` creates. */
function rowsWithoutRequests({ userId, slug, name }: Person, mark: string): string[] {
  return [
    webhookSql(userId, mark),
    deliverySql(userId, mark, { name, slug }),
    `INSERT INTO account_mails (kind, address, locale, user_id, name, created_at) SELECT 'reset', email, 'cs', id, name, now() FROM users WHERE id = ${userId}`,
    `INSERT INTO account_mails (kind, address, locale, created_at) SELECT 'register', upper(email), 'cs', now() FROM users WHERE id = ${userId}`,
    `INSERT INTO totp_secrets (user_id, secret_sealed, created_at) VALUES (${userId}, 'sealed', now())`,
    `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_at) VALUES (${userId}, '${mark}', 'key', 0, ARRAY['usb'], '${mark}', now())`,
    `INSERT INTO mail_choices (user_id, key, stopped) VALUES (${userId}, 'key ${mark}', ARRAY['invitation'])`,
    `INSERT INTO push_choices (user_id, stopped) VALUES (${userId}, ARRAY['invitation'])`,
    `INSERT INTO push_subscriptions (id, user_id, session_id, endpoint_hash, subscription_sealed, host, name, created_at) VALUES (gen_random_uuid(), ${userId}, gen_random_uuid(), encode(sha256('${mark}'), 'hex'), 'sealed', '${mark}.example.org', '${mark}', now())`,
    `WITH app AS (INSERT INTO apps (client_id, origin, user_id, name, homepage, redirect_uris, created_at, updated_at)
       VALUES ('${mark}', 'developer', ${userId}, '${mark}', 'https://${mark}.example.org', ARRAY['https://${mark}.example.org/back'], now(), now()) RETURNING id),
     consent AS (INSERT INTO app_consents (user_id, app_id, scopes, created_at) SELECT ${userId}, id, ARRAY['read'], now() FROM app)
     INSERT INTO app_grants (app_id, user_id, scopes, resources, created_at, last_used_at)
     SELECT id, ${userId}, ARRAY['read'], ARRAY['${mark}'], now(), now() FROM app`,
    `INSERT INTO token_forms (user_id, form, used_at) VALUES (${userId}, 'form', now())`,
    `INSERT INTO change_holds (id, account_id, kind, until) VALUES (gen_random_uuid(), ${userId}, 'wait', now())`,
    `INSERT INTO request_claims (account_id, key_hash, holder, until) VALUES (${userId}, 'hash', 'holder', now())`,
  ];
}

function webhookSql(userId: number, mark: string): string {
  return `INSERT INTO webhooks (user_id, url, description, secret_sealed, position, created_at, updated_at) VALUES (${userId}, 'https://${mark}.example.org/', '${mark}', 'sealed', '0', now(), now())`;
}

/** SQL for a message to the webhooks of the account `userId`: the person `by` joined an event. */
function deliverySql(userId: number, mark: string, by: { readonly name: string; readonly slug: string }): string {
  const body = {
    type: 'participant.joined',
    data: {
      subject: { type: 'participant', id: by.slug, url: 'http://x/events/1/participants', event: '1', user: by.slug },
      by: { ...by, nickname: null, avatar_url: null },
    },
  };
  return `INSERT INTO webhook_deliveries (webhook_id, message_id, body, status, answer, created_at)
    SELECT id, 'msg_' || id, '${JSON.stringify(body)}', 'delivered', '${mark}', now() FROM webhooks WHERE user_id = ${userId}`;
}

class FullAccountBuilder {
  constructor(
    private readonly server: TestServer,
    private readonly who: Person,
    private readonly friends: FullAccount['friends'],
    private readonly mark: string,
  ) {}

  async build(): Promise<FullAccount> {
    const { server, who, friends, mark } = this;
    const { petr, eva, viktor, zdena } = friends;
    await this.grantCreditsAndSetAvatar();
    await browserOf(server, who);
    const own = await this.createOwnEvents();
    const others = await this.createOthersEvents();
    await this.addEventContent(own.past, who);
    await this.addEventContent(others.past, petr);
    const groups = await this.createGroups(others.upcoming);
    const posts = await this.createPosts();
    const series = this.dataOf(
      await who.api.post('/series', {
        title: this.text('řada'),
        starts_at: soon(3),
        frequency: 'weekly',
        interval: 1,
        occurrences_limit: 3,
        duration_minutes: 60,
        is_public: true,
      }),
    ).id;
    const [occurrence] = await server.sql<{ id: string }>(
      'SELECT id FROM events WHERE series_id IS NOT NULL AND organizer_id = $1 ORDER BY id',
      [who.userId],
    );
    this.dataOf(
      await eva.api.post(`/events/${server.app.get(PublicIds).encode('event', Number(occurrence?.id))}/join`),
    );
    this.dataOf(
      await who.api.upload('/puls', [
        ['latitude', '50.1'],
        ['longitude', '14.4'],
        ['body', this.text('puls')],
        ['image', await this.picture()],
      ]),
    );
    this.dataOf(await who.api.put(`/blocks/${viktor.slug}`));
    this.dataOf(await zdena.api.put(`/blocks/${who.slug}`));
    this.dataOf(await who.api.post('/user/calendar/renew'));
    await this.createReportsAndDecision(posts);
    for (const sql of [
      ...rowsWithoutRequests(who, mark),
      webhookSql(petr.userId, 'petr'),
      deliverySql(petr.userId, 'ok', who),
    ])
      await server.sql(sql);
    const files = await server.sql<{ key: string }>(
      `
      SELECT avatar_key AS key FROM users WHERE id = $1 AND avatar_key IS NOT NULL UNION SELECT image_key FROM all_comments WHERE author_id = $1 AND image_key IS NOT NULL
      UNION SELECT key FROM all_gallery_photos WHERE author_id = $1 UNION SELECT image_key FROM all_puls_posts WHERE author_id = $1 AND image_key IS NOT NULL
      UNION SELECT cover_key FROM all_posts WHERE author_id = $1 AND cover_key IS NOT NULL
      UNION SELECT i.key FROM event_images i JOIN all_events e ON e.id = i.event_id WHERE e.organizer_id = $1`,
      [who.userId],
    );
    return { who, friends, mark, own, others, groups, posts, series, files: files.map(({ key }) => key) };
  }

  private async createOwnEvents(): Promise<FullAccount['own']> {
    const {
      server,
      who,
      friends: { petr, eva },
    } = this;
    const commonFields = {
      description: `<p>${this.text('popis')}</p>`,
      location_name: this.text('místo'),
      is_public: true,
    };
    const past = await buildEvent(server, who, {
      ...commonFields,
      title: this.text('bylo'),
      starts_at: inDays(-3),
      photos_enabled: true,
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
      ],
    });
    const upcoming = await buildEvent(server, who, {
      ...commonFields,
      title: this.text('bude'),
      editorial: { ticketPriceCredits: 40 },
    });
    await this.addPaidParticipant(upcoming, petr, 40);
    this.dataOf(await who.api.post(`/events/${upcoming.id}/participants`, { user: eva.slug }));
    this.dataOf(await who.api.post(`/events/${upcoming.id}/messages`, { text: this.text('zpráva'), to: 'all' }));
    const pastAlone = await buildEvent(server, who, {
      ...commonFields,
      title: this.text('samota'),
      starts_at: inDays(-5),
    });
    const upcomingAlone = await buildEvent(server, who, {
      ...commonFields,
      title: this.text('nikdo'),
      join_mode: 'tickets',
    });
    for (const { id } of [past, upcomingAlone])
      this.dataOf(await who.api.upload(`/events/${id}/images`, [['images[]', await this.picture()]]));
    this.dataOf(
      await who.api.put(`/events/${past.id}/itinerary`, {
        title: this.text('plán'),
        is_public: true,
        stops: [{ title: this.text('zastávka') }],
      }),
    );
    this.dataOf(await who.api.post(`/events/${upcomingAlone.id}/tickets`, { count: 2 }));
    this.dataOf(await who.api.post(`/events/${upcomingAlone.id}/door/links`, { name: this.text('brána') }));
    return { past, upcoming, pastAlone, upcomingAlone };
  }

  private async createOthersEvents(): Promise<FullAccount['others']> {
    const {
      server,
      who,
      friends: { petr, eva },
    } = this;
    const past = await buildEvent(server, petr, {
      title: 'Petrovo včera',
      starts_at: inDays(1),
      photos_enabled: true,
      editorial: { ticketPriceCredits: 30 },
    });
    for (const participant of [who, eva]) await this.addPaidParticipant(past, participant, 30);
    this.dataOf(await petr.api.put(`/events/${past.id}/participants/${who.slug}/check-in`));
    await server.sql("UPDATE all_events SET starts_at = now() - interval '2 days' WHERE id = $1", [past.eventId]);
    const upcoming = await buildEvent(server, petr, {
      title: 'Petrovo zítra',
      max_participants: 3,
      editorial: { ticketPriceCredits: 20 },
    });
    for (const participant of [who, eva]) await this.addPaidParticipant(upcoming, participant, 20);
    const banned = await buildEvent(server, petr, {
      title: 'Petrovo bez ní',
      join_mode: 'password',
      join_password: 'heslo',
      with: [[who, 'banned']],
    });
    await server.sql('INSERT INTO wrong_passwords (event_id, user_id, guessed_at) VALUES ($1, $2, ARRAY[now()])', [
      banned.eventId,
      who.userId,
    ]);
    return { past, upcoming, banned };
  }

  /** Adds comments, photos, expenses and a payment to an event. */
  private async addEventContent({ id }: BuiltEvent, organizer: Person): Promise<void> {
    const {
      who,
      friends: { petr, eva },
    } = this;
    const root = this.dataOf(
      await who.api.upload(`/events/${id}/comments`, [
        ['body', this.text('komentář')],
        ['image', await this.picture()],
      ]),
    ).id;
    this.dataOf(await petr.api.post(`/events/${id}/comments`, { body: 'odpověď Petra', parent: root }));
    const petrs = this.dataOf(await petr.api.post(`/events/${id}/comments`, { body: 'Petr se ptá' })).id;
    this.dataOf(await who.api.post(`/events/${id}/comments`, { body: this.text('odpověď'), parent: petrs }));
    for (const author of [who, eva])
      this.dataOf(await author.api.upload(`/events/${id}/photos`, [['photos[]', await this.picture()]]));
    this.dataOf(
      await organizer.api.post(`/events/${id}/expenses`, {
        title: organizer === who ? this.text('výdaj') : 'výdaj Petra',
        amount: 100.01,
        currency: 'CZK',
        paid_by: who.slug,
      }),
    );
    this.dataOf(
      await organizer.api.post(`/events/${id}/expenses`, {
        title: 'Dort Evy',
        amount: 61,
        currency: 'EUR',
        paid_by: eva.slug,
      }),
    );
    this.dataOf(await who.api.post(`/events/${id}/expenses/payments`, { to: eva.slug, amount: 5, currency: 'EUR' }));
  }

  private async createGroups(event: BuiltEvent): Promise<FullAccount['groups']> {
    const {
      who,
      friends: { petr, eva },
    } = this;
    const group = async (creator: Person, name: string): Promise<string> =>
      this.dataOf(await creator.api.post('/groups', { name, is_public: true })).id;
    const [shared, alone, petrs] = [
      await group(who, 'Společná'),
      await group(who, this.text('jen moje')),
      await group(petr, 'Petrova'),
    ];
    for (const [person, groupId] of [
      [petr, shared],
      [eva, shared],
      [who, petrs],
    ] as const) {
      const owner = groupId === petrs ? petr : who;
      this.dataOf(await person.api.post(`/groups/${groupId}/join`));
      this.dataOf(await owner.api.post(`/groups/${groupId}/members/${person.slug}/approve`), [200, 204, 404, 409]);
    }
    this.dataOf(await who.api.put(`/groups/${petrs}/events/${event.id}/interest`));
    return { shared, alone, petrs };
  }

  private async createPosts(): Promise<FullAccount['posts']> {
    const {
      who,
      friends: { petr, eva },
    } = this;
    const post = async (author: Person, title: string, body: string): Promise<string> =>
      this.dataOf(
        await author.api.post('/posts', { title, categories: ['kolo'], body: `<p>${body}</p>`, status: 'published' }),
      ).slug;
    const [own, petrs] = [
      await post(who, this.text('zápisek'), this.text('tělo')),
      await post(petr, 'Petr píše', 'o kole'),
    ];
    this.dataOf(await who.api.upload(`/posts/${own}/cover`, [['cover', await this.picture()]]));
    this.dataOf(await petr.api.post(`/posts/${own}/comments`, { body: 'hezké' }));
    const root = this.dataOf(await who.api.post(`/posts/${petrs}/comments`, { body: this.text('pod zápiskem') })).id;
    this.dataOf(await eva.api.post(`/posts/${petrs}/comments`, { body: 'souhlas', parent: root }));
    return { own, petrs };
  }

  /** Creates reports by and about the person, a decision about the person's post, and the person's objection to it. */
  private async createReportsAndDecision({ own, petrs }: FullAccount['posts']): Promise<void> {
    const {
      server,
      who,
      friends: { petr, eva },
    } = this;
    this.dataOf(
      await who.api.post('/reports', {
        subject_type: 'post',
        subject_id: petrs,
        reason: 'spam',
        note: this.text('udání'),
      }),
    );
    this.dataOf(await petr.api.post('/reports', { subject_type: 'post', subject_id: own, reason: 'spam' }));
    this.dataOf(await eva.api.post('/reports', { subject_type: 'user', subject_id: who.slug, reason: 'fraud' }));
    const [report] = await server.sql<{ id: string }>('SELECT id FROM reports WHERE reporter_id = $1', [petr.userId]);
    await server.app
      .get(DecisionsService)
      .decide(Number(report?.id), { decision: 'warn', reason: 'reklama', actorId: null });
    await server.sql('UPDATE moderation_decisions SET objection = $2, objected_at = now() WHERE author_id = $1', [
      who.userId,
      this.text('námitka'),
    ]);
  }

  /**
   * Makes the given person a confirmed participant who paid credits. The command is called directly, because neither
   * the API nor the pages let a person join an event with a price in credits (JOIN-7).
   */
  private async addPaidParticipant({ eventId }: BuiltEvent, { userId }: Person, paidCredits: number): Promise<void> {
    await this.server.database.transaction((tx) =>
      this.server.app
        .get(ParticipationCommands)
        .setParticipation(tx, eventId, userId, { status: 'confirmed', checkedInAt: null, paidCredits }),
    );
  }

  private async grantCreditsAndSetAvatar(): Promise<void> {
    const {
      server,
      who,
      friends: { petr, eva },
    } = this;
    await server.database.transaction(async (tx) => {
      for (const { userId } of [who, petr, eva].sort((a, b) => a.userId - b.userId))
        await server.app.get(CreditsCommands).grant(tx, userId, 100);
    });
    this.dataOf(await who.api.upload('/user/avatar', [['avatar', await this.picture()]]), [200, 404, 405]);
  }

  private text(prefix: string): string {
    return `${prefix} ${this.mark}`;
  }

  private async picture(): Promise<Blob> {
    return new Blob([new Uint8Array(await picture())]);
  }

  private dataOf(
    { status, text, body }: Answer,
    expected: readonly number[] = [200, 201, 204],
  ): { id: string; slug: string } {
    if (!expected.includes(status)) throw new Error(`${status} ${text}`);
    return body?.data ?? body ?? {};
  }
}
