import { redactSecrets } from '../../ground/redact/redact-secrets.ts'

/** A text with its secrets replaced by `[redacted: kind]`, and their kinds. */
export type FoundSecret = { hidden: string; kinds: string[] }

const mark = /\[redacted: ([\w-]+)\]/g

/** Codes of doors, cards and alarms, which have no form of their own. */
const code =
  /\b((?:pin|alarm|door|entry|gate|garage|safe|lock|unlock|voicemail)(?:[ -](?:code|pin|combination|number))?(?: (?:of|for|to) [^.:;\n]{1,40}?)?\s*(?:is|:|=)\s*)(#?\d{4,8}[#*]?)(?![\d-])/gi

/** What words announce, without a form that only a secret has. */
const spoken =
  /\b((?:pass ?phrase|preshared key|pre-shared key|psk|wi-?fi password|wpa2? key)[^:=\n]{0,30}?(?:\s*[:=]\s*|\s+is\s+))([^\s"',;]{8,128})/gi
/** `user / password`, beside a word for signing in. */
const pair =
  /\b((?:log ?in|sign in|credentials|account)\b[^\n]{0,60}?\S+\s+\/\s+)((?=[^\s/]*\d)(?=[^\s/]*[A-Za-z])[^\s/]{8,64})/gi

/** The secrets in a text, or undefined. The secret itself is nowhere in the result. */
export function hideSecrets(content: string): FoundSecret | undefined {
  const { text } = redactSecrets(content)
  const hidden = text
    .replace(code, '$1[redacted: code]')
    .replace(spoken, (whole, before: string, value: string) =>
      /\d/.test(value) && /[A-Za-z]/.test(value) ? `${before}[redacted: password]` : whole,
    )
    .replace(pair, '$1[redacted: password]')
  if (hidden === content) return undefined
  const before = new Set([...content.matchAll(mark)].map(([, kind]) => kind))
  const kinds = [...new Set([...hidden.matchAll(mark)].map(([, kind = '']) => kind))]
  const found = kinds.filter((kind) => !before.has(kind) && kind !== 'private')
  return found.length === 0 ? undefined : { hidden, kinds: found }
}

/** The secrets in a text themselves, so that they can be removed elsewhere too. */
export function secretsIn(content: string): string[] {
  const kept = hideSecrets(content)?.hidden.split(anyMark) ?? []
  const found: string[] = []
  for (let [i, at] = [0, 0]; i < kept.length; i++) {
    const piece = kept[i]!
    const start = i === kept.length - 1 ? content.length - piece.length : content.indexOf(piece, at)
    if (start > at) found.push(content.slice(at, start))
    at = start + piece.length
  }
  return found.filter((secret) => !isMark.test(secret) && secret.trim().length >= secretMin)
}

const anyMark = /\[redacted: [\w-]+\]/
const isMark = /^\[redacted: [\w-]+\]$/
/** Shorter ones stand in too many texts by chance. */
const secretMin = 4
