const CONSTRAINTS = { slug: 'users_slug_key', email: 'users_email' } as const;

/** Whether the database refused an account because another one has this. */
export function isTaken(error: unknown, what: keyof typeof CONSTRAINTS): boolean {
  const { code, constraint } = (error as { driverError?: { code?: string; constraint?: string } } | null)?.driverError ?? {};
  return code === '23505' && constraint === CONSTRAINTS[what];
}
