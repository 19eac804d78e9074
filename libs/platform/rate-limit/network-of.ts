import { normalizeIp } from '@nestjs/throttler';

/**
 * The network that an address (as Fastify gives it) is counted by: an IPv6 address by its /64, which a provider gives to one
 * household and in which a single machine may take any address it likes; IPv4, also mapped into IPv6, as it is.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}
