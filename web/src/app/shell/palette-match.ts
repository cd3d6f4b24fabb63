/** Whether each word is a prefix of some word in the text. */
export function holdsWords(text: string, words: string): boolean {
  const held = text.toLowerCase().split(' ')
  return words.split(/\s+/).every((word) => held.some((own) => own.startsWith(word)))
}

/** Whether the text names the command: it begins the label, or several words of it are in the label. */
export function isNamedBy(label: string, words: string): boolean {
  const begins = words.length > 1 && label.toLowerCase().startsWith(words)
  return begins || (words.includes(' ') && holdsWords(label, words))
}
