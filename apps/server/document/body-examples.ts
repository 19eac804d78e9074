import type { Node } from './schema';

/**
 * A time in an example: `days` days after the current day (negative: before it), at `hour` o'clock UTC (10 by default).
 * Fixed times would later be in the past, so a server would refuse the examples of its own OpenAPI document.
 */
export type InDays = (days: number, hour?: number) => string;

const PLACE = { latitude: 50.1044, longitude: 14.4283 };
/** Placeholder for the bytes of a file. */
export const FILE = 'picture.jpg';

/**
 * One body per operation id. test/http/examples.spec.ts sends each of these bodies. The test replaces only `FILE`, and
 * values that depend on other requests, such as ids and codes.
 */
export function bodyExamples(inDays: InDays): Readonly<Record<string, Node>> {
  return {
    createEvent: {
      title: 'Tea at five',
      description: '<p>Bring a <b>cup</b>.</p>',
      type: 'food',
      starts_at: inDays(7, 16),
      ends_at: inDays(7, 18),
      location_name: 'Stromovka',
      ...PLACE,
      is_public: true,
      join_mode: 'open',
      max_participants: 8,
      price_czk: 50,
      price_note: 'cake included',
      waitlist_mode: 'offer',
      offer_hours: 24,
    },
    updateEvent: { title: 'Tea at six', starts_at: inDays(7, 17), ends_at: inDays(7, 19), price_note: null },
    uploadEventImages: { 'images[]': [FILE] },
    joinEvent: { password: 'earl-grey' },
    sendEventMessage: { text: 'We meet at the back door: the gate is closed.', to: 'confirmed' },
    inviteEventParticipant: { user: 'petr-svoboda' },
    checkInByCode: { code: 'K7RM-2Q9X-TD4H-8WPE' },
    createDoorLink: { name: 'Side entrance' },
    sendDoorScans: {
      device: 'gate',
      scans: [
        { code: 'K7RM-2Q9X-TD4H-8WPE', scanned_at: inDays(-1, 18) },
        { user: 'petr-svoboda', scanned_at: inDays(-1, 17), undo: true },
      ],
    },
    createEventTickets: { count: 3 },
    createSeries: {
      title: 'Run on Tuesdays',
      type: 'sport',
      starts_at: inDays(7, 17),
      frequency: 'weekly',
      interval: 1,
      occurrences_limit: 10,
      duration_minutes: 90,
      location_name: 'Letná',
      ...PLACE,
      is_public: true,
      join_mode: 'open',
    },
    updateSeries: { title: 'Run on Wednesdays', max_participants: 20 },
    putEventItinerary: {
      title: 'From tea to the river',
      description: null,
      is_public: true,
      stops: [
        { title: 'Stromovka', notes: 'at the pond', location_name: 'Stromovka', ...PLACE, duration_minutes: 60 },
        { title: 'The river' },
      ],
    },
    addEventExpense: { title: 'Cake', amount: 240.5, currency: 'CZK' },
    recordEventPayment: { to: 'petr-svoboda', amount: 120.25, currency: 'CZK' },
    uploadEventPhotos: { 'photos[]': [FILE] },
    createGroup: {
      name: 'Tea drinkers of Prague',
      description: 'Every leaf is welcome.',
      is_public: true,
      location_name: 'Praha',
      ...PLACE,
    },
    updateGroup: { description: null, is_public: true },
    inviteGroupMember: { user: 'petr-svoboda' },
    uploadGroupAvatar: { avatar: FILE },
    uploadGroupCover: { cover: FILE },
    createPost: {
      title: 'A week by bike',
      categories: ['kolo', 'roadtrip'],
      location: 'Šumava',
      excerpt: 'Seven days, four hundred kilometres.',
      body: '<p>We set out in the rain.</p>',
      status: 'published',
    },
    updatePost: { title: 'Two weeks by bike', excerpt: null },
    uploadPostCover: { cover: FILE },
    commentOnEvent: { body: 'See you there!' },
    commentOnPost: { body: 'What a trip.' },
    createWebhook: {
      url: 'https://bot.example.org/events',
      types: ['participant.joined', 'event.cancelled'],
      description: 'the chat bot',
    },
    updateWebhook: { description: null, types: null },
    readNotices: { up_to: 'kqWbVpXz' },
    createReport: {
      subject_type: 'user',
      subject_id: 'petr-svoboda',
      reason: 'spam',
      note: 'The same advertisement under every event.',
    },
    createPuls: { ...PLACE, location_name: 'Stromovka', body: 'The <b>cherry trees</b> are in bloom.', image: FILE },
  };
}
