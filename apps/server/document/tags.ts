/** The parts of the API in reading order, in groups. An operation's `@ApiTags` names one of them. */
export const TAG_GROUPS: readonly { readonly name: string; readonly tags: Readonly<Record<string, string>> }[] = [
  {
    name: 'You',
    tags: {
      'Token owner': 'Who the token belongs to, and what it may do.',
      Limits: 'How much of every limit is used, and when there is room again.',
      Changes:
        'What has happened to all that concerns you, in order: page by page, held until something comes, or as a stream.',
      Calendar: 'The secret address under which calendar programs fetch all you organize or take part in.',
      Notices: 'What you were told: invitations, approvals, cancellations, and what of it you have read.',
      Webhooks: 'Your changes posted to addresses of yours, signed and in order, and what became of each message.',
      Requests: 'Your own requests of the last week, to look into what a client did.',
      Blocks: 'People who are to stay away from you and your events. They are told nothing.',
    },
  },
  {
    name: 'Events',
    tags: {
      Discover:
        "Other people's public events: by words, kind, day, place and number of participants; boosted ones first, then by start.",
      Events: 'Your own events, and those you have to do with: create, change, cancel, delete, cover pictures.',
      Joining: 'What you do for yourself: join, accept an invitation, ask to be let in, wait for a seat, leave.',
      Participants: 'The people of your own event: invite, approve, promote from the waitlist, remove, ban.',
      'Check-in': 'At the door of your own event: by hand, or by the code a participant shows.',
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
      Reports: 'Telling the moderators about what should not be there, and what came of it.',
      Puls: 'What is going on right now around here: short posts at a place, gone after 24 hours.',
    },
  },
];
