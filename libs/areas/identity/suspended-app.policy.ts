/**
 * SQL: whether the object with this grant belongs to an app that is suspended now (APP-20). False if the grant is NULL,
 * because no app created the object.
 * @param grant the column with the id of the grant
 */
export function isOfSuspendedAppSql(grant: string): string {
  return `EXISTS (SELECT FROM app_grants g JOIN apps a ON a.id = g.app_id WHERE g.id = ${grant} AND a.suspended_at IS NOT NULL)`;
}
