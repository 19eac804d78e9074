/** Who may decide about what others have written. */
export function isModerator(user: { readonly moderator: boolean; readonly admin: boolean } | null): boolean {
  return user !== null && (user.moderator || user.admin);
}
