/** The prefix of every route of the API. */
export const API = '/api/v1';
/** The paths of the probes for load balancers. They are outside the API. */
export const PROBES = ['/health/live', '/health/ready'];

export function isApiPath(url: string): boolean {
  return url.startsWith(API) && (url.length === API.length || url[API.length] === '/' || url[API.length] === '?');
}
