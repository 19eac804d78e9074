import { isNode, componentNameOf, type Node } from './schema';
import type { InDays } from './body-examples';

/**
 * Example values for fields whose schema alone gives no realistic value. A key is the name of a field (`slug`), or the
 * names of a schema and of its field (`User.name`).
 */
function values(inDays: InDays, origin: string): Readonly<Record<string, unknown>> {
  const at = (path: string): string => origin + path;
  return {
    'User.name': 'Jana Nováková',
    'TokenOwner.name': 'Jana Nováková',
    'BookParticipant.name': 'Jana Nováková',
    'App.name': 'Poster board',
    client_id: 'https://board.example/app.json',
    'DoorLink.name': 'Side entrance',
    'DoorLinkWithSecret.name': 'Side entrance',
    'DoorLinkWithSecret.url': at('/door/gYwKqVxB#evt_4nPzQ8sVbT1cXyR7mKdW2hLgJ6fA9uEo3iBt8vN5q1'),
    'DoorLinkWithSecret.token': 'evt_4nPzQ8sVbT1cXyR7mKdW2hLgJ6fA9uEo3iBt8vN5q1',
    checked_in_by: 'Side entrance',
    'EventOrigin.name': 'GoOut',
    'Group.name': 'Tea drinkers of Prague',
    nickname: 'janina',
    slug: 'jana-novakova',
    'Post.slug': 'a-week-by-bike',
    'Profile.name': 'Jana Nováková',
    'Profile.url': at('/people/jana-novakova'),
    events_organized: 7,
    next_cursor: 'WzEsImRlZmF1bHQiLDAsMTg5MzQ1NjAwMDAwMCwxNywxODkzMDAwMDAwMDAwXQ',
    avatar_url: at('/media/avatars/jana.jpg'),
    locale: 'cs',
    timezone: 'Europe/Prague',
    id: 'gYwKqVxB',
    group: 'pRqLzMnd',
    'OwnEvent.group': null,
    series: null,
    parent_event: null,
    event: 'gYwKqVxB',
    parent: null,
    'CreateComment.parent': null,
    title: 'Tea at five',
    'Post.title': 'A week by bike',
    'Expense.title': 'Cake',
    'Itinerary.title': 'From tea to the river',
    'Stop.title': 'Stromovka',
    'Series.title': 'Run on Tuesdays',
    description: '<p>Bring a <b>cup</b>.</p>',
    'Group.description': 'Every leaf is welcome.',
    body: '<p>We set out in the rain.</p>',
    'Comment.body': 'See you there!',
    'Puls.body': 'The <b>cherry trees</b> are in bloom.',
    excerpt: 'Seven days, four hundred kilometres.',
    notes: 'at the pond',
    categories: ['kolo', 'roadtrip'],
    location: 'Šumava',
    type: 'food',
    location_name: 'Stromovka',
    location_address: 'Praha 7',
    latitude: 50.1044,
    longitude: 14.4283,
    distance_km: 1.204,
    radius_km: 10,
    join_mode: 'open',
    join_password: null,
    max_participants: 8,
    current_participants: 3,
    'OwnEvent.current_participants': 1,
    members_count: 12,
    likes_count: 4,
    age_min: null,
    age_max: null,
    gender_restriction: null,
    price_czk: 50,
    price_note: 'cake included',
    ticket_url: null,
    ticket_price_credits: 0,
    is_recurring: false,
    boosted_until: null,
    is_boosted: false,
    seeking_company: false,
    is_public: true,
    photos_enabled: true,
    waitlist_mode: 'offer',
    offer_hours: 24,
    open_offers: 0,
    width: 1600,
    height: 1200,
    is_primary: true,
    source: null,
    participation: 'confirmed',
    can_join: false,
    offer: null,
    waitlist_position: null,
    offer_expires_at: null,
    is_organizer: false,
    check_in_code: 'K7RM-2Q9X-TD4H-8WPE',
    code: 'T4HX-9PKD-2M7Q',
    ticket_code: null,
    used: true,
    role: 'member',
    can_request: false,
    frequency: 'weekly',
    interval: 1,
    until: null,
    occurrences_limit: 10,
    duration_minutes: 90,
    occurrences_count: 8,
    active: true,
    cancelled_at: null,
    position: 1,
    amount: 240.5,
    paid: 240.5,
    share: 120.25,
    sent: 0,
    received: 0,
    balance: 120.25,
    optimal: true,
    currency: 'CZK',
    is_author: true,
    iban: 'CZ6508000000192000145399',
    spd: 'SPD*1.0*ACC:CZ6508000000192000145399*AM:120.25*CC:CZK*MSG:Tea at five',
    epc: null,
    already_checked_in: false,
    subject_type: 'event',
    subject_id: 'gYwKqVxB',
    reason: 'spam',
    note: 'The same advertisement under every event.',
    outcome: null,
    'Message.to': 'confirmed',
    'Change.id': 'mJeGaq1Rk8u3pXz0Yd7LwVn5sBf2HcT9',
    'Change.type': 'comment.created',
    'Change.at': inDays(-1),
    cursor: 'q1Rk8u3pXz0Yd7LwVn5sBf2HcT9mJeGa',
    'ChangeSubject.type': 'comment',
    'ChangeSubject.id': 'bYtQzWvn',
    'ChangeSubject.event': 'gYwKqVxB',
    'ChangeSubject.group': null,
    'ChangeSubject.post': null,
    'ChangeSubject.user': null,
    'ChangeSubject.url': at('/api/v1/events/gYwKqVxB/comments'),
    has_more: false,
    'Limit.name': 'requests',
    'Limit.limit': 60,
    'Limit.used': 4,
    'Limit.remaining': 56,
    'Limit.per': 'minute',
    'Settlement.amount': 120.25,
    'ExpenseShare.amount': 120.25,
    'RecordedPayment.amount': 120.25,
    'CurrencySummary.total': 240.5,
    total: 41,
    current_page: 1,
    from: 1,
    to: 20,
    last_page: 3,
    per_page: 20,
    limit: 50,
    updated_events: 7,
    cancelled_events: 7,
    path: at('/api/v1/events'),
    starts_at: inDays(7, 16),
    ends_at: inDays(7, 18),
    expires_at: inDays(1),
    next_occurrence_at: inDays(7, 16),
    created_at: inDays(-3),
    updated_at: inDays(-1),
    published_at: inDays(-2),
    'Token.expires_at': null,
    'PageLinks.first': at('/api/v1/events?page=1'),
    'PageLinks.last': at('/api/v1/events?page=3'),
    'PageLinks.prev': null,
    'PageLinks.next': at('/api/v1/events?page=2'),
    'Group.url': at('/groups/pRqLzMnd'),
    'Post.url': at('/posts/a-week-by-bike'),
    'InviteLink.url': at('/groups/join/4f1cQx2d1eVn8sKzR0pWmT7bYgLc3hJa'),
    'CalendarAddress.url': at('/calendar/mD0u5mJ4s1Yb3Hn8rXzKQvW2tLpC7aE6gFfNiOoRkTU.ics'),
    'Itinerary.url': at('/events/gYwKqVxB/itinerary'),
    'Webhook.url': 'https://bot.example.org/events',
    'WebhookWithSecret.url': 'https://bot.example.org/events',
    'Webhook.types': ['participant.joined'],
    'WebhookWithSecret.types': ['participant.joined'],
    'Webhook.description': 'the chat bot',
    'WebhookWithSecret.description': 'the chat bot',
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDe3mZ0kVx1pQ=',
    'DeliveredChange.type': 'participant.joined',
    'WebhookMessage.type': 'participant.joined',
    'WebhookMessage.previous': null,
    'DeliveredSubject.type': 'participant',
    'DeliveredSubject.id': 'petr-svoboda',
    'DeliveredSubject.group': null,
    'DeliveredSubject.post': null,
    'DeliveredSubject.user': 'petr-svoboda',
    'DeliveredSubject.url': at('/api/v1/events/gYwKqVxB/participants'),
    last_status: 200,
    last_ms: 84,
    next_attempt_at: null,
    attempts: 1,
    'Message.text': 'We meet at the back door: the gate is closed.',
    recipients: 3,
    day: '2027-06-18',
    'Notice.kind': 'invitation',
    'Notice.text': 'Jana Nováková invites you to “Tea at five” (Friday, 18 June 2027 at 18:00).',
    'NoticeSubject.type': 'event',
    'NoticeSubject.url': at('/api/v1/discover/events/gYwKqVxB'),
    read_at: null,
    unread: 1,
    'EventImage.url': at('/media/events/tea.jpg'),
    'Photo.url': at('/media/photos/tea.jpg'),
    url: at('/events/gYwKqVxB'),
    video_url: null,
    video_poster_url: null,
  };
}

/** Builds an example of a response from the response's schema, so that every new operation has an example. */
export class AnswerExamples {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(
    private readonly schemas: Readonly<Record<string, Node>>,
    private readonly inDays: InDays,
    private readonly origin: string,
  ) {
    this.values = values(inDays, origin);
  }

  exampleOf(schema: Node): unknown {
    return this.make(schema, '', '', new Set());
  }

  private make(schema: Node, owner: string, name: string, parents: ReadonlySet<string>): unknown {
    const ref = componentNameOf(schema);
    const refersToObject = ref !== null && isNode(this.schemas[ref]?.properties);
    const key = refersToObject
      ? undefined
      : [`${owner}.${name}`, name].find((candidate) => Object.hasOwn(this.values, candidate));
    if (key !== undefined && fits(schema, this.values[key])) return this.values[key];
    if (ref !== null)
      return parents.has(ref) ? undefined : this.make(this.schemas[ref] ?? {}, ref, '', new Set([...parents, ref]));
    const variants = (schema.anyOf ?? schema.oneOf) as Node[] | undefined;
    if (variants) return this.make(variants[0] as Node, owner, '', parents);
    if (Array.isArray(schema.enum)) return schema.enum[0];
    switch ([schema.type].flat()[0]) {
      case 'object':
        return this.object(schema, owner, parents);
      case 'array': {
        const item = this.make(schema.items as Node, owner, '', parents);
        return item === undefined ? [] : [item];
      }
      case 'integer':
      case 'number':
        return typeof schema.minimum === 'number' ? schema.minimum : 1;
      case 'boolean':
        return true;
      case 'string':
        return this.text(schema, name);
      default:
        return null;
    }
  }

  private object({ properties, additionalProperties }: Node, owner: string, parents: ReadonlySet<string>): Node {
    if (isNode(properties)) {
      return Object.fromEntries(
        Object.entries(properties).map(([key, schema]) => [key, this.make(schema as Node, owner, key, parents)]),
      );
    }
    // In successful responses, only maps whose keys are currencies have a schema in `additionalProperties`.
    return isNode(additionalProperties) ? { CZK: this.make(additionalProperties, owner, '', parents) } : {};
  }

  private text({ format }: Node, name: string): string {
    if (format === 'date-time') return this.inDays(-1);
    if (format === 'date') return this.inDays(30).slice(0, 10);
    return format === 'uri' ? `${this.origin}/media/${name.replace(/_url$/, '')}.jpg` : name.replaceAll('_', ' ');
  }
}

/**
 * Whether the schema allows the type of the value. Fields with the same name can have different types, such as number
 * and boolean. In the following cases the type is not compared: the value is a list, the schema has no type, or the
 * schema has `anyOf` and the value is not null.
 */
function fits({ type, anyOf }: Node, value: unknown): boolean {
  const types = [type ?? [], ...((anyOf ?? []) as Node[]).map((one) => one.type ?? [])].flat() as string[];
  if (types.length === 0 || Array.isArray(value)) return true;
  if (value === null) return types.includes('null');
  return (
    anyOf !== undefined || types.includes(typeof value) || (typeof value === 'number' && types.includes('integer'))
  );
}
