/** Returns the path of a request's URL, without the query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] as string;
}

/** Returns the decoded path of a URL, without the query; not decoded if the path cannot be decoded. */
export function decodedPath(url: string): string {
  return decoded(pathOf(url));
}

/** Returns the decoded path, or a part of it; unchanged if it cannot be decoded. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
