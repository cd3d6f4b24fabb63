import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShownAnswer } from '../invented/answers.ts'

type LifeQuestion = {
  life: string
  text: string
  /** The right fact contains one of these. */
  wanted: string[]
}
type LifeEntity = { name: string; entityType: string; observations: string[] }
type LifeRelation = { from: string; relationType: string; to: string }

/** Notes as agents write them, and questions as people ask them. */
export type Lives = { entities: LifeEntity[]; relations: LifeRelation[]; questions: LifeQuestion[] }

/** Notes about nine kinds of work and life. */
const ownFiles = () => globSync(join(import.meta.dirname, '*.txt')).sort()

/**
 * Reads files of notes, those of this folder by default. Their lines begin with `#` for the kind of life, `@` for an
 * entity and its type, `-` for one of its facts, `>` for a relation and `?` for a question and a part of the fact that
 * answers it, without which the fact before it does.
 */
export function readLives(files: readonly string[] = ownFiles()): Lives {
  const lives: Lives = { entities: [], relations: [], questions: [] }
  let life = ''
  const readers: Record<string, (line: string) => void> = {
    '#': (line) => {
      life = line
    },
    '@': (line) => {
      const [name = '', entityType = ''] = line.split(' | ')
      lives.entities.push({ name, entityType, observations: [] })
    },
    '-': (line) => lives.entities.at(-1)?.observations.push(line),
    '>': (line) => {
      const [from = '', relationType = '', to = ''] = line.split(' | ')
      lives.relations.push({ from, relationType, to })
    },
    '?': (line) => {
      const [text = '', wanted = lives.entities.at(-1)?.observations.at(-1) ?? ''] = line.split(' => ')
      lives.questions.push({ life, text, wanted: wanted.split(' || ') })
    },
  }
  for (const file of files) {
    for (const line of readFileSync(file, 'utf8').split('\n')) readers[line[0] ?? '']?.(line.slice(2))
  }
  return lives
}

/** True for an answer with a right fact among its first ones. */
export const hasAmong =
  (first: number, { wanted }: LifeQuestion) =>
  ({ facts }: ShownAnswer): boolean =>
    facts.slice(0, first).some(({ content }) => wanted.some((part) => content.includes(part)))

/** As lines for import. */
export function toLifeLines({ entities, relations }: Lives): string {
  const lines = [
    ...entities.map((entity) => ({ type: 'entity', ...entity })),
    ...relations.map((relation) => ({ type: 'relation', ...relation })),
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}
