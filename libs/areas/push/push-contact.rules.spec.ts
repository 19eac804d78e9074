import { pushContact } from './push-contact.rules';

// PUSH-8
it.each([
  ['mailto:a@example.org', 'https://events.example.org', 'mailto:a@example.org'],
  ['https://example.org/security', 'http://localhost:3000', 'https://example.org/security'],
  [null, 'https://events.example.org/app', 'https://events.example.org/app'],
  [null, 'http://events.example.org', 'mailto:no-reply@events.example.org'],
  // RFC 8292 permits no telephone number.
  ['tel:+420123456789', 'http://127.0.0.1:3000', 'mailto:no-reply@127.0.0.1'],
])(
  'the contact for push services, with the security contact %s and the base URL %s, is %s',
  (contact, baseUrl, expected) => expect(pushContact(contact, baseUrl)).toBe(expected),
);
