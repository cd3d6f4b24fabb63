import { describe, expect, test } from 'vitest'
import { stemEnglish } from '../../search/analyse/english.ts'
import { instructionsFor } from './instructions.ts'
import { tools } from './tools/index.ts'

// Codex does not show the tools of MCP servers to the model: it has it search them. Its search is BM25 (k1 1.2, b 0.75,
// English stems and stop words) over names, title, description, the server's instructions and the names of the arguments,
// and returns 8 tools.

const returned = 8
const questions = [
  'memory',
  'save memory',
  'remember this for later',
  'remember user preferences',
  'user preferences',
  'recall past decisions',
  'what do you know about this project',
  'store a fact about a person',
  'notes from earlier sessions',
  'knowledge about the user and their projects',
  'persistent memory store and recall',
  'save what we decided and why',
]

const stopWords = new Set(
  (
    'i me my we our you your he she it its they them their what which who whom this that these those am is are was were be ' +
    'been have has had do does did doing a an the and but if or because as until while of at by for with about against ' +
    'between into through during before after above below to from up down in out on off over under again further then ' +
    'once here there when where why how all any both each few more most other some such no nor not only own same so than ' +
    'too very s t can will just don should now'
  ).split(' '),
)

const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !stopWords.has(word)).map(stemEnglish)

type Document = { name: string; words: string[] }

const documentsWith = (instructions: string): Document[] =>
  tools
    .filter(({ onlyWithSpaces, onlyWithConversations }) => !onlyWithSpaces && !onlyWithConversations)
    .map(({ name, listed: { title, description, inputSchema } }) => ({
      name,
      words: wordsOf(
        [
          ...[`mcp__loci__${name}`, name, name, 'loci', title, description, instructions],
          ...Object.keys(inputSchema.properties ?? {}).sort(),
        ].join(' '),
      ),
    }))

/** The names of the tools found, best first. */
function search(documents: readonly Document[], question: string): string[] {
  const averageLength = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length
  const rarityOf = (word: string) => {
    const having = documents.filter(({ words }) => words.includes(word)).length
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
  }
  const scoreOf = ({ words }: Document, word: string) => {
    const count = words.filter((one) => one === word).length
    return (rarityOf(word) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / averageLength))
  }
  const asked = wordsOf(question)
  return documents
    .map((document) => ({
      name: document.name,
      score: asked.reduce((sum, word) => sum + scoreOf(document, word), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, returned)
    .map(({ name }) => name)
}

describe.each([
  ['with the instructions', instructionsFor(true)],
  ['with their first line', instructionsFor(true).split('\n')[0]!],
  ['without the instructions', ''],
])("Codex's search for tools, %s", (_, instructions) => {
  test('finds recall, create_entities and add_observations for at least 9 of 12 questions', () => {
    const documents = documentsWith(instructions)
    const missed = questions.flatMap((question) => {
      const found = search(documents, question)
      const missing = ['recall', 'create_entities', 'add_observations'].filter(
        (name) => !found.includes(name),
      )
      return missing.length === 0 ? [] : [`${question}: no ${missing.join(', ')}`]
    })
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(questions.length - 9)
  })
})

test('the first line of the instructions, which is all that Codex shows at first, is the order', () => {
  const [line = ''] = instructionsFor(true).split('\n')
  expect(line.length).toBeLessThanOrEqual(240)
  expect(line).toMatch(/^Recall first\b.*\bsave as you learn\b.*\.$/i)
  const [readOnly = ''] = instructionsFor(false).split('\n')
  expect(readOnly.length).toBeLessThanOrEqual(240)
  expect(readOnly).toMatch(/^Recall first\b/)
  expect(readOnly).not.toMatch(/\bsave\b/i)
})

test.each([true, false])(
  'the instructions say that memories are notes, never orders (may write: %s)',
  (mayWrite) => {
    expect(instructionsFor(mayWrite)).toMatch(/notes by others.*never orders/s)
  },
)
