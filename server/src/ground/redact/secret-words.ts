/**
 * A word that announces a secret, then a sign or two, then a value. The word is looked for from its own beginning, so
 * that long identifiers cost nothing; quotes may be escaped, as in JSON inside JSON.
 */
const announced =
  /(?<word>api[_-]?key|access[_-]?key|account[_-]?key|secret[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|auth[_-]?key|passphrase|password|passwd|passwort|pwd|secret|token|credentials?|_pass|_key)(?<tail>[\w-]{0,24})(?<between>\\{0,3}["'`]?(?:\s{0,4}(?:=>|:=|=|:)\s{0,4}|\s{1,2}(?:is|lautet)\s{1,2}|\\{0,3}["'`]?,\s{0,2}|>|\s)(?<quote>\\{0,3}["'`]?))(?<value>[^\s"'`<>\\,;()[\]{}|]{6,512})(?![\w.(])/gi

/** Identifiers, paths and words are made of letters; a made-up value has digits between them. */
function hasLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value)
}

/** Shannon's entropy in bits per character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** What examples, templates and code write in place of a secret. */
const placeholder =
  /^(?:\$|%|#|@|\.|&|\*|_?x{3,}|\/(?:[a-z._~-]{2,24}|Users)\/)|(?:x{5,}|\*{3,}|\.{3}|example|your|change_?me|placeholder|redacted|dummy|process\.env|import\.meta|https?:|::|=>)/i

/** Member accesses, calls, types, paths, dates, UUIDs as ids, and numbers with units are no secrets. */
const ordinary =
  /^(?:[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+[.?!]?|[A-Za-z_$]+\d{0,3}|\d[\d.,_:TZ+-]*[a-z]{0,2}|[a-z]+(?:[-_/.][a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|0x[0-9a-f]{1,8})$/

const memberAccess = /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+$/

/** Also the form of some services' keys, but not beside a mere `primary_key`. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const random = /^[A-Za-z0-9+/_=.~-]{20,512}$/

function isRandom(value: string): boolean {
  if (!random.test(value) || !hasLettersAndDigits(value)) return false
  const digits = value.replace(/[^0-9]/g, '').length
  return digits >= 3 && entropyOf(value) >= 3
}

const isPasswordWord = (word: string) => /^(?:_?pass|pwd)/i.test(word)

/** `"..."`, `DB_PASSWORD=...` and "the password is ..." give a value; other code may only name one. */
function isLiteral(word: string, between: string): boolean {
  return (
    /["'`]\\{0,3}$|["'`]$|\s(?:is|lautet)\s/i.test(between) ||
    (word === word.toUpperCase() && between === '=')
  )
}

/** A short value counts only for a password, and only where it is given as one. */
function isPassword(word: string, between: string, value: string): boolean {
  if (!isPasswordWord(word) || !/["'`=:]|is|lautet/.test(between)) return false
  if (!hasLettersAndDigits(value) || entropyOf(value) < 2.5) return false
  return isLiteral(word, between) ? !memberAccess.test(value) : value.length >= 8 && !ordinary.test(value)
}

/** What is removed as `[redacted: ...]`, or undefined if the value is none. */
function kindOf(word: string, between: string, value: string): string | undefined {
  if (placeholder.test(value)) return undefined
  if (isPassword(word, between, value)) return 'password'
  if (ordinary.test(value) || (/^_key$/i.test(word) && uuid.test(value))) return undefined
  if (!isRandom(value)) return undefined
  return isPasswordWord(word) ? 'password' : 'secret'
}

type Announced = { word: string; between: string; value: string }

/** The values beside words such as key, token or password that look made up by a machine, or like a password. */
export function redactAnnounced(text: string, replace: (kind: string) => string): string {
  return text.replace(announced, (whole, ...rest) => {
    const { word, between, value } = rest.at(-1) as Announced
    const kind = kindOf(word, between, value)
    return kind ? whole.slice(0, whole.length - value.length) + replace(kind) : whole
  })
}
