/** The parts of the API in reading order, in groups. An operation's `@ApiTags` names one of them. */
export const TAG_GROUPS: readonly { readonly name: string; readonly tags: Readonly<Record<string, string>> }[] = [
  {
    name: 'You',
    tags: {
      'Token owner': 'Who the token belongs to, and what it may do.',
      Limits: 'How much of every limit is used, and when there is room again.',
      Changes: 'Changes of everything that concerns you, in order: page by page, by long polling, or as a stream.',
      Calendar: 'The secret address from which calendar programs fetch the events that you organize or take part in.',
      Notices: 'Your notices (invitations, approvals, cancellations …), and which of them you have read.',
      Webhooks: 'Your changes posted to your addresses, signed and in order, and the state of each message.',
      Requests: 'Your own requests of the last week, to look into what a client did.',
      Blocks: 'People whom you keep away from you and your events. They are not notified.',
    },
  },
  {
    name: 'Events',
    tags: {
      Discover:
        "Other people's public events: by words, kind, day, place and number of participants; boosted ones first, then by start.",
      Events:
        'Your own events, and events that you take part in or are invited to: create, change, cancel, delete, cover pictures.',
      Joining: 'What you do for yourself: join, accept an invitation, ask to be let in, wait for a seat, leave.',
      Participants: 'The people of your own event: invite, approve, promote from the waitlist, remove, ban.',
      'Check-in': 'At the door of your own event: by hand, or by the code that a participant shows.',
      Tickets: 'Codes that let people into your own event with `join_mode=tickets`.',
      Series: 'Events that repeat: one template, one rule of recurrence, occurrences eight weeks ahead.',
      Itinerary: "An event's plan: stops in order, with places and times.",
      Expenses: 'Who paid what, who owes whom, and the fewest payments that settle it.',
      Gallery: 'Photos that the guests of an event took there.',
    },
  },
  {
    name: 'Community',
    tags: {
      People: 'Other people: search by name, and what a public page shows of one person.',
      Groups: 'People who meet again: founding, members, invitations, pictures, and the events of a group.',
      'Blog posts': 'Longer texts, drafts and published ones, about an event or about anything.',
      Comments: 'Threads under events and blog posts.',
      Reports: 'Reports of content and people to the moderators, and their outcome.',
      Puls: 'What is going on right now around here: short posts at a place, gone after 24 hours.',
    },
  },
];
