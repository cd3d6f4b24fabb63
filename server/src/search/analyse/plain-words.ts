import { stemEnglish } from './english.ts'
import { functionWordMask, isStopWord, type Language, stem } from './languages.ts'
import { isMonthName } from './month-names.ts'

/**
 * A word of plain letters, with nothing to fold and no number to find. Most chunks of a text are plain
 * words.
 */
export type PlainWord = {
  surface: string
  term: string
  isStop: boolean
  /** Whether it goes into the vocabulary. */
  isLearnt: boolean
  isMonth: boolean
  functionWordMask: number
}

const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/
/** Length limits of the vocabulary, which are within those of terms. */
const [learntLengthMin, lengthMax] = [3, 40]

/** The result of `readChunk` for a plain word, without its individual steps; undefined for other chunks. */
export function readPlainWord(text: string, language: Language): PlainWord | undefined {
  if (text.length > lengthMax || !plainWord.test(text)) return undefined
  const surface = text.toLowerCase()
  const isStop = isStopWord(surface, language)
  return {
    surface,
    term: language === 'en' ? stemEnglish(surface) : stem(surface, language),
    isStop,
    isLearnt: !isStop && surface.length >= learntLengthMin,
    isMonth: isMonthName(surface),
    functionWordMask: surface.length > 1 ? functionWordMask(surface) : 0,
  }
}
