import { normalizeIp } from '@nestjs/throttler';

/**
 * Returns the network whose requests are counted together. For an IPv6 address, this is its /64 network, which usually
 * belongs to one household. Each IPv4 address is counted separately, even if it is mapped into IPv6.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}
