/** A name as one segment of a path, and back. */

/** URL parsers remove the segments `.` and `..`, also percent-encoded ones, so these are encoded twice. */
const dotsOrEncoded = /^(?:\.|%(?:25)*2E){1,2}$/

/** Encodes a name as one segment of a path. */
export function toPathSegment(name: string): string {
  const isEaten = dotsOrEncoded.test(name)
  return encodeURIComponent(isEaten ? name.replaceAll('%', '%25').replaceAll('.', '%2E') : name)
}

/** The name in a segment from which the percent-encoding is already removed once. */
export function fromPathSegment(segment: string): string {
  return dotsOrEncoded.test(segment) ? decodeURIComponent(segment) : segment
}
