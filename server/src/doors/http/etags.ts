/** The `ETag` of a version. */
export const etagOf = (version: number) => `"${version}"`

/** Reads `If-Match` (RFC 9110, section 13.1.1): `*` or a list of tags; undefined if the caller sent none. */
export function versionTest(ifMatch: string | undefined): ((version: number) => boolean) | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return (version) => tags.includes(etagOf(version))
}
