import { readFileSync } from 'node:fs'
import { stemEnglish } from './english.ts'

const file = new URL('./english-stems.json', import.meta.url)
/** Rests by the first letters, with a space around each. Loaded at the first lookup: most searches need none. */
let stems: Map<string, string> | undefined

const startLength = 3

/** True for any form of an English dictionary word; `word` is folded. */
export function isEnglishWord(word: string): boolean {
  return isEnglishStem(stemEnglish(word))
}

export function isEnglishStem(stem: string): boolean {
  stems ??= readStems()
  const rests = stems.get(stem.slice(0, startLength))
  return rests?.includes(` ${stem.slice(startLength)} `) === true
}

/** A quick test without stemming: false for most words that are not English. */
export function startsLikeEnglish(word: string): boolean {
  stems ??= readStems()
  return stems.has(word.slice(0, startLength))
}

function readStems(): Map<string, string> {
  const { stems }: { stems: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(Object.entries(stems).map(([start, rests]) => [start, ` ${rests} `]))
}
