const comma = 44
const zero = 48

/** Parses comma-separated whole numbers, as databases aggregate them into a text. */
export function readIds(text: string): Uint32Array {
  const ids = new Uint32Array((text.length >> 1) + 1)
  let read = 0
  let id = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === comma) {
      ids[read] = id
      read += 1
      id = 0
    } else id = id * 10 + code - zero
  }
  if (text.length > 0) {
    ids[read] = id
    read += 1
  }
  return ids.slice(0, read)
}
