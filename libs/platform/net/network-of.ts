import { normalizeIp } from '@nestjs/throttler';

/**
 * Returns the network of an address. An IPv6 address is counted together with its /64 network, which usually belongs to
 * one household. Each IPv4 address is counted separately, even if it is mapped into IPv6.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}
