import { readJson } from '../sources/read-json.ts'
import type { SourceFile } from '../sources/source.ts'
import { leftOut, nameConversations, type Titled } from './conversations.ts'
import type { Format, Part } from './format.ts'
import {
  entityLines,
  listOf,
  momentOf,
  type ObservationToWrite,
  observationsLines,
  problemLine,
  recordOf,
  textOf,
} from './lines.ts'

/*
 * ChatGPT: Settings > Data controls > Export data, a ZIP archive with conversations.json, in larger accounts
 * conversations-000.json and so on. OpenAI does not document the format; this follows descriptions of it and parsers in
 * several public repositories (among them mitkury/chatgpt-export-parser). A conversation is a tree: `mapping` holds
 * nodes with `message`, `parent` and `children`, and `current_node` is the end of the branch that was shown last. Older
 * exports have no `current_node`; then the newest leaf ends the branch.
 *
 * Uncertain: the archive holds no saved memories. Tools that save them write what the web app receives, `{"memories":
 * [{"id", "content", "updated_at"}]}`; this format is read here too.
 */

const memoriesName = 'ChatGPT memories'
/** Other types hold instructions to the model, its thoughts and tool results. */
const shownTypes = new Set(['text', 'multimodal_text'])

export const chatgpt: Format = {
  format: 'chatgpt',
  recognise(shape) {
    if (shape.kind !== 'json') return undefined
    const { item, keys, listKey } = shape
    const isConversation = (value: unknown) => Object.keys(recordOf(value)).length > 0
    if (isConversation(item.mapping) && listKey === undefined) return 'conversations'
    if (keys.has('mapping') && keys.has('current_node')) return 'conversation'
    const isMemory = typeof item.content === 'string' && typeof item.memory !== 'string'
    return listKey === 'memories' && isMemory && !keys.has('chat_messages') ? 'memories' : undefined
  },
  async *read(parts) {
    const titled: Titled[] = []
    for await (const { conversation } of conversationsOf(parts)) titled.push(titleOf(conversation))
    const names = nameConversations(titled)
    for await (const { conversation, place } of conversationsOf(parts)) {
      yield* conversationLines(conversation, names.get(titleOf(conversation).id) ?? '', place)
    }
    for (const { file, part } of parts) if (part === 'memories') yield* memoryLines(file)
  },
}

type Conversation = Record<string, unknown>

async function* conversationsOf(parts: readonly Part[]) {
  for (const { file, part } of parts) {
    if (part === 'conversations') {
      for await (const { value, index = 0 } of readJson(file)) {
        yield { conversation: recordOf(value), place: { file: file.path, item: index + 1 } }
      }
    } else if (part === 'conversation') {
      const conversation: Conversation = {}
      for await (const { key = '', index, value } of readJson(file))
        if (index === undefined) conversation[key] = value
      yield { conversation, place: { file: file.path, item: 1 } }
    }
  }
}

function titleOf(conversation: Conversation): Titled {
  const createdAt = momentOf(conversation.create_time)
  const title = textOf(conversation.title) || 'New chat'
  const id = textOf(conversation.conversation_id) || textOf(conversation.id) || `${title} ${createdAt}`
  return { id, title, createdAt }
}

function* conversationLines(
  conversation: Conversation,
  name: string,
  place: { file: string; item: number },
): Generator<string, void> {
  const { id, createdAt } = titleOf(conversation)
  const mapping = recordOf(conversation.mapping)
  const path = branchOf(mapping, textOf(conversation.current_node))
  const messages = path.map((node) => readMessage(mapping[node]))
  const observations = messages.flatMap(({ observation }) => observation ?? [])
  if (observations.length === 0) {
    yield problemLine('The conversation has no messages', place)
    return
  }
  const onPath = new Set(path)
  const elsewhere = Object.keys(mapping).filter(
    (node) => !onPath.has(node) && readMessage(mapping[node]).observation,
  )
  const attachments = messages.reduce((sum, message) => sum + message.attachments, 0)
  yield* entityLines(
    {
      name,
      entityType: 'conversation',
      metadata: { source: 'chatgpt', conversationId: id },
      createdAt,
      updatedAt: momentOf(conversation.update_time),
      observations: observations.map(({ createdAt: at = createdAt, ...rest }) => ({
        ...rest,
        createdAt: at,
      })),
      problems: [
        ...leftOut(elsewhere.length, 'message of another branch', 'messages of other branches'),
        ...leftOut(attachments, 'attachment', 'attachments'),
      ],
    },
    place,
  )
}

/** Nodes from the first to the one shown last. Stops where the tree leads back into itself. */
function branchOf(mapping: Record<string, unknown>, currentNode: string): string[] {
  const path = new Set<string>()
  let node = currentNode in mapping ? currentNode : newestLeaf(mapping)
  while (node !== '' && !path.has(node)) {
    path.add(node)
    node = textOf(recordOf(mapping[node]).parent)
  }
  return [...path].reverse()
}

function newestLeaf(mapping: Record<string, unknown>): string {
  const timeOf = (node: string) => Number(recordOf(recordOf(mapping[node]).message).create_time ?? 0)
  const leaves = Object.keys(mapping).filter((node) => listOf(recordOf(mapping[node]).children).length === 0)
  return leaves.reduce((newest, node) => (newest === '' || timeOf(node) > timeOf(newest) ? node : newest), '')
}

/** The part of a message that a person saw, without anything that the program hides. */
function readMessage(node: unknown): { observation: ObservationToWrite | undefined; attachments: number } {
  const message = recordOf(recordOf(node).message)
  const metadata = recordOf(message.metadata)
  const content = recordOf(message.content)
  const role = textOf(recordOf(message.author).role)
  const isShown =
    (role === 'user' || role === 'assistant') &&
    (textOf(message.recipient) || 'all') === 'all' &&
    metadata.is_visually_hidden_from_conversation !== true &&
    shownTypes.has(textOf(content.content_type) || 'text')
  if (!isShown) return { observation: undefined, attachments: 0 }
  const parts = listOf(content.parts)
  const texts = parts.map((part) => textOf(part) || textOf(recordOf(part).text)).filter((text) => text !== '')
  const attachments = parts.filter(
    (part) => part !== null && typeof part === 'object' && textOf(recordOf(part).text) === '',
  ).length
  if (texts.length === 0) return { observation: undefined, attachments }
  const model = textOf(metadata.model_slug)
  const speaker = role === 'user' ? 'User' : 'ChatGPT'
  const observation = {
    content: `${speaker}: ${texts.join('\n')}`,
    createdAt: momentOf(message.create_time),
    metadata: { role, ...(model === '' ? {} : { model }) },
  }
  return { observation, attachments }
}

async function* memoryLines(file: SourceFile): AsyncGenerator<string, void> {
  yield* entityLines(
    { name: memoriesName, entityType: 'memories', metadata: { source: 'chatgpt' }, observations: [] },
    { file: file.path },
  )
  for await (const { key, index, value } of readJson(file)) {
    if (key !== 'memories' || index === undefined) continue
    const { content, created_at: createdAt, updated_at: updatedAt } = recordOf(value)
    const place = { file: file.path, item: index + 1 }
    if (textOf(content) === '') yield problemLine('The memory has no text', place)
    else {
      const observation = { content: textOf(content), createdAt: momentOf(createdAt ?? updatedAt) }
      yield* observationsLines(memoriesName, [observation], place)
    }
  }
}
