import type { Settings } from '#platform/config/settings';

const DAY_MS = 86_400_000;

/** E-mail address and password of the demo user. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/**
 * The last lines of the output of `npm start`. They contain addresses and, with demo data, the demo user's e-mail
 * address and password, a token and an example request to copy. Without a token, they contain the command that creates
 * one.
 */
export function banner(
  { baseUrl }: Settings,
  { token, signIn }: { token: string | null; signIn: SignIn | null },
  now: Date,
): string {
  const startsAt = `${new Date(now.getTime() + 7 * DAY_MS).toISOString().slice(0, 11)}16:00:00Z`;
  const signInLines =
    signIn === null ? [] : [`  Sign in    ${baseUrl}/sign-in as ${signIn.email} with ${signIn.password}`];
  const tokenLines =
    token === null
      ? ['  A token    npm run cli -- token create SLUG --name app --access write']
      : [
          `  A token    ${token}`,
          '',
          '  Create an event:',
          '',
          `  curl -s ${baseUrl}/api/v1/events -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -H 'Accept-Language: en' ` +
            `-d '{"title": "Čaj o páté", "starts_at": "${startsAt}"}'`,
        ];
  return [
    '',
    `  Account    ${baseUrl}/register`,
    ...signInLines,
    `  Events     ${baseUrl}/api/v1`,
    `  Reference  ${baseUrl}/docs`,
    ...tokenLines,
    '',
    '',
  ].join('\n');
}
