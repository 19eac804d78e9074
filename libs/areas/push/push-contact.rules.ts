import { senderOf } from '#platform/mail/mailbox';

/** Whom a push service asks about our messages (`sub` of RFC 8292, which permits only mailto: and https:). */
export function pushContact(securityContact: string | null, baseUrl: string): string {
  if (securityContact !== null && /^(mailto|https):/.test(securityContact)) return securityContact;
  return baseUrl.startsWith('https:') ? baseUrl : `mailto:${senderOf(baseUrl)}`;
}
