type Kind = { from: number; to: number; name: string }

const kinds: Kind[] = [
  { from: 0x00, to: 0x1f, name: 'Control character' },
  { from: 0x7f, to: 0x9f, name: 'Control character' },
  { from: 0xad, to: 0xad, name: 'Soft hyphen' },
  { from: 0x200b, to: 0x200b, name: 'Zero-width space' },
  { from: 0x200c, to: 0x200d, name: 'Zero-width joiner' },
  { from: 0x200e, to: 0x200f, name: 'Direction mark' },
  { from: 0x202a, to: 0x202e, name: 'Direction control: text can read in another order than it is stored' },
  { from: 0x2028, to: 0x2029, name: 'Line separator' },
  { from: 0x2060, to: 0x2060, name: 'Word joiner' },
  { from: 0x2066, to: 0x2069, name: 'Direction control: text can read in another order than it is stored' },
  { from: 0xfe00, to: 0xfe0f, name: 'Variation selector' },
  { from: 0xfeff, to: 0xfeff, name: 'Byte order mark' },
  { from: 0xe0000, to: 0xe007f, name: 'Tag character' },
  { from: 0xe0100, to: 0xe01ef, name: 'Variation selector' },
]
const tagStart = 0xe0000
const printable = { from: 0x20, to: 0x7e }

/** What characters that cannot be seen are, in a sentence, and what tags among them spell. */
export function nameOfHidden(codes: readonly number[]): string {
  const [first = 0] = codes
  const name = kinds.find(({ from, to }) => first >= from && first <= to)?.name ?? 'Invisible character'
  const others = codes.length > 1 ? `, and ${codes.length - 1} more beside it` : ''
  const spelt = spell(codes)
  return `${name}${others}${spelt === '' ? '' : `, spelling “${spelt}”`}. Agents do not receive it.`
}

function spell(codes: readonly number[]): string {
  const letters = codes.map((code) => code - tagStart)
  return String.fromCharCode(...letters.filter((code) => code >= printable.from && code <= printable.to))
}
