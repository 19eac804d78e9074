/** The parts of the API in reading order, in groups. `@ApiTags` of a controller contains the name of one part. */
export const TAG_GROUPS: readonly { readonly name: string; readonly tags: Readonly<Record<string, string>> }[] = [
  {
    name: 'You',
    tags: {
      'Token owner': 'The account to which the token belongs, and what the token may do.',
      Limits: 'How much of every limit is used, and when more can be used.',
      Changes: 'Changes of everything that concerns you, in order: page by page, by long polling, or as a stream.',
      Calendar: 'The secret address from which calendar programs fetch the events that you organize or take part in.',
      Notices: 'Your notices (invitations, approvals, cancellations …), and which of them you have read.',
      Webhooks:
        'Signed messages about the changes that concern you, posted to your own addresses in the order of the changes, and the state of each message.',
      Requests: 'Your own requests of the last week, which show what a client did.',
      Blocks: 'People who cannot join your events or invite you. They are not notified.',
    },
  },
  {
    name: 'Events',
    tags: {
      Discover:
        "Other people's public events, selected by words, kind, day, place and number of participants. Boosted events come first, then all others; both parts are sorted by start.",
      Events:
        'Your own events, and events that you take part in or are invited to: create, change, cancel, delete, cover pictures.',
      Joining: 'What you do for yourself: join, accept an invitation, ask to join, wait for a seat, leave.',
      Participants: 'The people of your own event: invite, approve, promote from the waitlist, remove, ban.',
      'Check-in': 'Recording who has come to your own event: by hand, or by the code that a participant shows.',
      Tickets: 'Codes that let people into your own event with `join_mode=tickets`.',
      Series: 'Events that repeat: one template, one rule of recurrence, occurrences eight weeks ahead.',
      Itinerary: "An event's plan: stops in order, with places and times.",
      Expenses: 'Who paid what, who owes whom, and a short list of payments that settle the debts.',
      Gallery: 'Photos that the organizer and the participants of an event add to it.',
    },
  },
  {
    name: 'Community',
    tags: {
      People: 'The search for people by name, and the public profile of a person.',
      Groups: 'People who meet regularly: founding, members, invitations, pictures, and the events of a group.',
      'Blog posts': 'Longer texts, drafts and published ones, about an event or about anything.',
      Comments: 'Threads under events and blog posts.',
      Reports: 'Reports of content and people to the moderators, and their outcome.',
      Puls: 'Short posts about what is going on at a place right now. They disappear after 24 hours.',
    },
  },
];
