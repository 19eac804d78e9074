import { senderOf } from '#platform/mail/mailbox';

/** The contact for operators of push services (`sub` of RFC 8292, which permits only mailto: and https:). */
export function pushContact(securityContact: string | null, baseUrl: string): string {
  if (securityContact !== null && /^(mailto|https):/.test(securityContact)) return securityContact;
  return baseUrl.startsWith('https:') ? baseUrl : `mailto:${senderOf(baseUrl)}`;
}
