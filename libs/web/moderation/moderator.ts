/** Whether the user has the right to decide about other people's content. */
export function isModerator(user: { readonly moderator: boolean; readonly admin: boolean } | null): boolean {
  return user !== null && (user.moderator || user.admin);
}
