/** UTF-8 bytes of stored texts, which plans limit. Numbers, times and ids do not count. */
export function bytesOf(...texts: readonly (string | null)[]): number {
  let bytes = 0
  for (const text of texts) if (text !== null) bytes += Buffer.byteLength(text)
  return bytes
}
