/**
 * Describes the part of an API response that a tool returns. All fields have the same names and nesting as in the API.
 */
export interface Shape {
  /** Fields that are returned unchanged, if the response has them. */
  readonly fields?: readonly string[];
  /** Fields with a text that a person has written. */
  readonly texts?: readonly string[];
  /**
   * Returns the slug of the person who wrote the texts; null if the caller wrote them. Without this function, the
   * caller is the author.
   */
  readonly author?: (item: Item) => string | null;
  /** Fields with an object or a list of objects, and the shape of these objects. */
  readonly parts?: Readonly<Record<string, Shape>>;
  /** The shape of each value, for an object with variable keys. */
  readonly each?: Shape;
}

type Item = Readonly<Record<string, unknown>>;

/**
 * The part of a response that a tool returns, with JSON pointers (RFC 6901) to the texts that other people have
 * written.
 */
export interface ShapedResponse {
  readonly value: unknown;
  readonly byOthers: readonly string[];
}

/** Returns the fields of `shape` from a response. `callerSlug`: the slug of the caller. */
export function applyShape(body: unknown, shape: Shape, callerSlug: string): ShapedResponse {
  const byOthers: string[] = [];
  const walk = (value: unknown, itemShape: Shape, pointer: string): unknown => {
    if (Array.isArray(value)) return value.map((item, n) => walk(item, itemShape, `${pointer}/${n}`));
    if (typeof value !== 'object' || value === null) return value;
    const item = value as Item;
    if (itemShape.each) {
      const { each } = itemShape;
      return fromNames(Object.keys(item), (key) => walk(item[key], each, `${pointer}/${escapePointer(key)}`));
    }
    const isByOther = (itemShape.author?.(item) ?? callerSlug) !== callerSlug;
    const texts = (itemShape.texts ?? []).filter((name) => name in item);
    if (isByOther)
      byOthers.push(...texts.filter((name) => isText(item[name])).map((name) => `${pointer}/${escapePointer(name)}`));
    const parts = itemShape.parts ?? {};
    return {
      ...fromNames(
        [...(itemShape.fields ?? []), ...texts].filter((name) => name in item),
        (name) => item[name],
      ),
      ...fromNames(
        Object.keys(parts).filter((name) => name in item),
        (name) => walk(item[name], parts[name] as Shape, `${pointer}/${escapePointer(name)}`),
      ),
    };
  };
  return { value: walk(body, shape, ''), byOthers };
}

function fromNames(names: readonly string[], valueOf: (name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** Whether the value is a text that is not empty. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function escapePointer(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}

const slugOf = (person: unknown): string | null => (person as { slug?: string } | null | undefined)?.slug ?? null;

const PERSON: Shape = { fields: ['slug'], texts: ['name', 'nickname'], author: slugOf };

/** An event in a list. The caller's own events have no `organizer`. */
const EVENT: Shape = {
  fields: [
    ...['kind', 'id', 'type', 'status', 'starts_at', 'ends_at', 'latitude', 'longitude', 'distance_km', 'is_public'],
    ...[
      'join_mode',
      'current_participants',
      'max_participants',
      'price_czk',
      'ticket_price_credits',
      'group',
      'series',
    ],
    'url',
  ],
  texts: ['title', 'location_name', 'location_address', 'price_note'],
  author: ({ organizer }) => slugOf(organizer),
  parts: { organizer: PERSON, viewer: { fields: ['is_organizer', 'participation', 'can_join', 'check_in_code'] } },
};

/** A single event. */
const WHOLE_EVENT: Shape = {
  ...EVENT,
  fields: [
    ...(EVENT.fields ?? []),
    ...['age_min', 'age_max', 'gender_restriction', 'seeking_company', 'photos_enabled'],
    ...['created_at', 'updated_at'],
  ],
  // A URL can contain words, so `ticket_url` is a text too.
  texts: [...(EVENT.texts ?? []), 'description', 'ticket_url'],
};

const PARTICIPANT: Shape = {
  fields: ['status', 'joined_at', 'invited_at', 'requested_at', 'checked_in_at', 'ticket_code'],
  parts: { user: PERSON },
};

const GROUP: Shape = {
  fields: ['id', 'is_public', 'members_count', 'url'],
  texts: ['name', 'description', 'location_name'],
  author: ({ owner }) => slugOf(owner),
  parts: { owner: PERSON, viewer: { fields: ['role'] } },
};

const REPLY: Shape = {
  fields: ['id', 'image_url', 'parent', 'created_at'],
  texts: ['body'],
  author: ({ author }) => slugOf(author),
  parts: { author: PERSON },
};

const COMMENT: Shape = { ...REPLY, parts: { ...REPLY.parts, replies: REPLY } };

/** The response does not contain the author of the title, so the title counts as written by another person. */
const EXPENSE: Shape = {
  fields: ['id', 'amount', 'currency', 'created_at'],
  texts: ['title'],
  author: () => '',
  parts: { paid_by: PERSON, shared_with: PERSON },
};

const TRANSFER: Shape = { fields: ['id', 'amount', 'currency', 'created_at'], parts: { from: PERSON, to: PERSON } };

/** The shared expenses of an event, with balances and payments. */
const EXPENSE_LIST: Shape = {
  parts: {
    summary: {
      each: {
        fields: ['total'],
        parts: {
          balances: { fields: ['paid', 'share', 'balance'], parts: { user: PERSON } },
          settlement: TRANSFER,
          payments: TRANSFER,
        },
      },
    },
    expenses: EXPENSE,
  },
};

const CHANGE: Shape = {
  fields: ['id', 'at', 'type', 'cursor'],
  parts: { by: PERSON, subject: { fields: ['type', 'id', 'event', 'group', 'post', 'user', 'url'] } },
};

const META: Shape = {
  fields: ['current_page', 'last_page', 'per_page', 'total', 'next_cursor', 'cursor', 'has_more', 'already_checked_in'],
};

const answer = (data: Shape): Shape => ({ parts: { data, meta: META } });

/** The shapes of the tools' responses. The keys describe what `data` contains. */
export const SHAPES = {
  event: answer(WHOLE_EVENT),
  events: answer(EVENT),
  participant: answer(PARTICIPANT),
  groups: answer(GROUP),
  people: answer(PERSON),
  comments: answer(COMMENT),
  expenseList: answer(EXPENSE_LIST),
  expense: answer(EXPENSE),
  payment: answer(TRANSFER),
  changes: answer(CHANGE),
  nothing: {},
} as const satisfies Record<string, Shape>;
