import { readFileSync } from 'node:fs'

const file = new URL('./han-variants.json', import.meta.url)
/** Loaded with the first Chinese text. */
let simplified: Map<string, string> | undefined

const han = /[\u3400-\u9fff\ud840-\ud88f]/
const hanCharacter = /[\u3400-\u9fff]|[\ud840-\ud88f][\udc00-\udfff]/g

/**
 * Converts traditional Chinese characters to simplified ones, in Japanese texts too: the same on both
 * sides of a search.
 */
export function foldHan(text: string): string {
  if (!han.test(text)) return text
  simplified ??= readVariants()
  return text.replace(hanCharacter, (character) => simplified?.get(character) ?? character)
}

function readVariants(): Map<string, string> {
  const variants: { traditional: string; simplified: string } = JSON.parse(readFileSync(file, 'utf8'))
  const folded = [...variants.simplified]
  return new Map([...variants.traditional].map((character, place) => [character, folded[place]!]))
}
