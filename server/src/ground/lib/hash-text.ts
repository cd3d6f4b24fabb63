/** FNV-1a over UTF-16 units, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
