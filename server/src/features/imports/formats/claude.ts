import { readJson } from '../sources/read-json.ts'
import { leftOut, nameConversations, type Titled } from './conversations.ts'
import type { Format, Part } from './format.ts'
import {
  entityLines,
  type LinePlace,
  listOf,
  momentOf,
  problemLine,
  recordOf,
  relationLine,
  textOf,
} from './lines.ts'

/*
 * Claude: Settings > Privacy > Export data, a ZIP archive with conversations.json, projects.json, users.json and
 * memories.json; newer ones hold projects/<uuid>.json and memories/<uuid>.json. Anthropic does not document the format;
 * this follows public parsers of it. Messages are in `chat_messages`, in order, with `sender` human or assistant and
 * their text in `content` (newer) or `text`. memories.json holds prose: `conversations_memory`, and `project_memories`
 * by the uuid of a project.
 *
 * Uncertain: conversations name no project in most exports; one that does (`project` or `project_uuid`) gets a
 * relation.
 */

const memoriesName = 'Claude memories'

export const claude: Format = {
  format: 'claude',
  recognise(shape) {
    if (shape.kind !== 'json') return undefined
    const { item, keys, listKey } = shape
    const has = (name: string) => (listKey === undefined && name in item) || keys.has(name)
    if (has('chat_messages')) return 'conversations'
    if (has('conversations_memory') || has('project_memories')) return 'memories'
    if (has('prompt_template') || has('is_starter_project')) return 'projects'
    return has('full_name') && has('email_address') && has('uuid') ? 'users' : undefined
  },
  async *read(parts) {
    const projects = await titlesOf(parts, 'projects', projectTitle)
    const conversations = await titlesOf(parts, 'conversations', conversationTitle)
    const names = nameConversations([...projects, ...conversations])
    const nameFor = (id: string) => names.get(id)
    for await (const { value, place } of documentsOf(parts, 'projects'))
      yield* projectLines(value, nameFor, place)
    for await (const { value, place } of documentsOf(parts, 'memories'))
      yield* memoryLines(value, nameFor, place)
    for await (const { value, place } of documentsOf(parts, 'conversations'))
      yield* conversationLines(value, nameFor, place)
  },
}

type Document = Record<string, unknown>
type NameOf = (id: string) => string | undefined

/** The documents of a kind: items of a list, or separate files. */
async function* documentsOf(
  parts: readonly Part[],
  kind: string,
): AsyncGenerator<{ value: Document; place: LinePlace }> {
  for (const { file, part } of parts) {
    if (part !== kind) continue
    const single: Document = {}
    for await (const { key, index, value } of readJson(file)) {
      if (key === undefined)
        yield { value: recordOf(value), place: { file: file.path, item: (index ?? 0) + 1 } }
      else if (index === undefined) single[key] = value
      else if (index === 0) single[key] = [value]
      else listOf(single[key]).push(value)
    }
    if (Object.keys(single).length > 0) yield { value: single, place: { file: file.path, item: 1 } }
  }
}

async function titlesOf(parts: readonly Part[], kind: string, titleOf: (value: Document) => Titled) {
  const titles: Titled[] = []
  for await (const { value } of documentsOf(parts, kind)) titles.push(titleOf(value))
  return titles
}

const idOf = (value: Document) => textOf(value.uuid) || `${textOf(value.name)} ${textOf(value.created_at)}`
const projectTitle = (value: Document): Titled => ({
  id: idOf(value),
  title: textOf(value.name) || 'Untitled project',
  createdAt: momentOf(value.created_at),
})
const conversationTitle = (value: Document): Titled => ({
  ...projectTitle(value),
  title: textOf(value.name) || 'Untitled conversation',
})

function* projectLines(value: Document, nameFor: NameOf, place: LinePlace): Generator<string, void> {
  const createdAt = momentOf(value.created_at)
  const about = [textOf(value.description), textOf(value.prompt_template)].filter((text) => text !== '')
  const documents = listOf(value.docs).map(recordOf)
  yield* entityLines(
    {
      name: nameFor(idOf(value)) ?? '',
      entityType: 'project',
      metadata: { source: 'claude', projectId: idOf(value) },
      createdAt,
      updatedAt: momentOf(value.updated_at),
      observations: [
        ...about.map((content) => ({ content, createdAt })),
        ...documents
          .filter(({ content }) => textOf(content) !== '')
          .map(({ content, filename, created_at: at }) => ({
            content: textOf(content),
            createdAt: momentOf(at) ?? createdAt,
            metadata: { document: textOf(filename) },
          })),
      ],
    },
    place,
  )
}

/** Prose with headings: each paragraph or list item is an observation. */
const paragraphsOf = (text: unknown) =>
  textOf(text)
    .split(/\n\s*\n|\n(?=[-*] )/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !/^(?:\*\*[^*\n]+\*\*|#+ .*)$/.test(paragraph))
    .map((content) => ({ content }))

function* memoryLines(value: Document, nameFor: NameOf, place: LinePlace): Generator<string, void> {
  const general = paragraphsOf(value.conversations_memory)
  const metadata = { source: 'claude' }
  if (general.length > 0) {
    yield* entityLines({ name: memoriesName, entityType: 'memories', metadata, observations: general }, place)
  }
  for (const [id, text] of Object.entries(recordOf(value.project_memories))) {
    const name = nameFor(id)
    const observations = paragraphsOf(text)
    if (observations.length === 0) continue
    if (name === undefined)
      yield problemLine(`The memories of project ${id} stand alone: it is not in the export`, place)
    yield* entityLines(
      { name: name ?? `Project ${id}`, entityType: 'project', metadata, observations },
      place,
    )
  }
}

function* conversationLines(value: Document, nameFor: NameOf, place: LinePlace): Generator<string, void> {
  const messages = listOf(value.chat_messages).map(recordOf)
  const observations = messages.flatMap((message) => {
    const content = textOfMessage(message)
    if (content === '') return []
    const isHuman = message.sender === 'human'
    const metadata = { role: isHuman ? 'user' : 'assistant' }
    const createdAt = momentOf(message.created_at) ?? momentOf(value.created_at)
    return [{ content: `${isHuman ? 'User' : 'Claude'}: ${content}`, createdAt, metadata }]
  })
  if (observations.length === 0) {
    yield problemLine('The conversation has no messages', place)
    return
  }
  const files = messages.reduce(
    (sum, { attachments, files }) => sum + Math.max(listOf(attachments).length, listOf(files).length),
    0,
  )
  const name = nameFor(idOf(value)) ?? ''
  const summary = textOf(value.summary)
  const createdAt = momentOf(value.created_at)
  yield* entityLines(
    {
      name,
      entityType: 'conversation',
      metadata: { source: 'claude', conversationId: idOf(value) },
      createdAt,
      updatedAt: momentOf(value.updated_at),
      observations: summary === '' ? observations : [{ content: summary, createdAt }, ...observations],
      problems: leftOut(files, 'attachment', 'attachments'),
    },
    place,
  )
  const project = nameFor(textOf(recordOf(value.project).uuid) || textOf(value.project_uuid))
  if (project !== undefined)
    yield relationLine({ from: name, to: project, relationType: 'part_of', createdAt }, place)
}

/** Newer messages hold blocks; thoughts and tool calls among them are not part of the message. */
function textOfMessage(message: Document): string {
  const blocks = listOf(message.content)
    .map(recordOf)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
    .filter((text) => text !== '')
  return blocks.length > 0 ? blocks.join('\n') : textOf(message.text)
}
