import { readFileSync } from 'node:fs'

const combiningMarks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g
const ignorable = /[\u00ad\u0640\u200b-\u200f\u2060\ufeff]|\p{Variation_Selector}/gu
const katakana = /[\u30a1-\u30f6]/g
const katakanaToHiragana = 0x60
const plainAscii = /^[\x20-\x7e]*$/

/** Letters without a Unicode decomposition, and Arabic letters with two spellings. */
const unfolded = /[ßæœøłđðþıىة]/g
const folded: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ى: 'ي',
  ة: 'ه',
}

/** NFKC and lower case, without invisible characters; diacritics stay, since stemmers read them. */
export function foldCase(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').replace(ignorable, '').toLowerCase()
}

/**
 * Removes the diacritics of a text that went through `foldCase`, and writes katakana as hiragana and
 * traditional Chinese characters as simplified ones. Only marks of alphabets that are also written
 * without them: vowel signs of Indic scripts and the Japanese voicing marks change the word.
 */
export function foldDiacritics(text: string): string {
  if (plainAscii.test(text)) return text
  return foldHan(text)
    .normalize('NFD')
    .replace(combiningMarks, '')
    .normalize('NFC')
    .replace(unfolded, (letter) => folded[letter] ?? letter)
    .replace(katakana, (kana) => String.fromCharCode(kana.charCodeAt(0) - katakanaToHiragana))
}

const file = new URL('./han-variants.json', import.meta.url)
/** Loaded with the first Chinese text. */
let simplified: Map<string, string> | undefined

const han = /[\u3400-\u9fff\ud840-\ud88f]/
const hanCharacter = /[\u3400-\u9fff]|[\ud840-\ud88f][\udc00-\udfff]/g

/**
 * Converts traditional Chinese characters to simplified ones, in Japanese texts too: the same on both
 * sides of a search.
 */
function foldHan(text: string): string {
  if (!han.test(text)) return text
  simplified ??= readVariants()
  return text.replace(hanCharacter, (character) => simplified?.get(character) ?? character)
}

function readVariants(): Map<string, string> {
  const variants: { traditional: string; simplified: string } = JSON.parse(readFileSync(file, 'utf8'))
  const folded = [...variants.simplified]
  return new Map([...variants.traditional].map((character, place) => [character, folded[place]!]))
}
