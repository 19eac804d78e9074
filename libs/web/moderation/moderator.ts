/** Whether the user may decide about others' content. */
export function isModerator(user: { readonly moderator: boolean; readonly admin: boolean } | null): boolean {
  return user !== null && (user.moderator || user.admin);
}
