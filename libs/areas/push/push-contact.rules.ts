import { senderOf } from '#platform/mail/mailbox';

/**
 * The contact for operators of push services (`sub` of RFC 8292, which permits only mailto: and https:). If
 * `securityContact` is not such a URL, the contact is the https address of this service. If this service has no https
 * address, the contact is the sender address of its mails.
 */
export function pushContact(securityContact: string | null, baseUrl: string): string {
  if (securityContact !== null && /^(mailto|https):/.test(securityContact)) return securityContact;
  return baseUrl.startsWith('https:') ? baseUrl : `mailto:${senderOf(baseUrl)}`;
}
