import type { Scope } from '#contract/scopes';
import { includesScope, mustAsk } from './consent.rules';
import type { RedirectTarget } from './redirect-addresses';

const SITE: RedirectTarget = { kind: 'site', host: 'app.example.org' };

// APP-13
describe('a stored consent', () => {
  const asks = (remembered: readonly Scope[] | null, requested: readonly Scope[], more: object = {}) =>
    mustAsk({ remembered, requested, target: SITE, prompts: new Set(), ...more });
  const TESTED_SCOPES: Scope[] = ['write', 'read', 'join', 'posts:read', 'posts:write', 'events:write'];

  it.each<[Scope, Scope[]]>([
    ['write', TESTED_SCOPES],
    ['read', ['read', 'posts:read']],
    ['posts:write', ['posts:write', 'posts:read']],
    ['posts:read', ['posts:read']],
    ['join', ['join']],
  ])('to the scope %s includes, of the tested scopes, only %j', (given, included) => {
    expect(TESTED_SCOPES.filter((scope) => includesScope([given], scope)).sort()).toEqual([...included].sort());
  });

  it('is sufficient only if it includes every requested scope', () => {
    expect(asks(['read', 'join'], ['posts:read', 'join'])).toBe(false);
    expect(asks(['join'], ['join', 'posts:read'])).toBe(true);
    expect(asks(['join'], ['posts:read', 'join'])).toBe(true);
    expect(asks([], ['posts:read'])).toBe(true);
    expect(asks(null, ['posts:read'])).toBe(true);
  });

  it('is not sufficient if the app sends `prompt`, or if the redirect address is loopback or has a private-use scheme', () => {
    for (const prompt of ['consent', 'login', 'select_account'])
      expect(asks(['write'], ['read'], { prompts: new Set([prompt]) })).toBe(true);
    expect(asks(['write'], ['read'], { target: { kind: 'computer' } })).toBe(true);
    expect(asks(['write'], ['read'], { target: { kind: 'scheme', scheme: 'cz.example.app' } })).toBe(true);
  });
});
