import { normalizeIp } from '@nestjs/throttler';

/**
 * Returns the network whose requests are counted together. For an IPv6 address, the result is the /64 network of this
 * address, which usually belongs to one household. Each IPv4 address is counted separately, even if it is mapped into
 * IPv6.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}
