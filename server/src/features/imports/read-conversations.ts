import { stat } from 'node:fs/promises'
import type { ImportFormat } from '@loci/contract/imports'
import { AppError } from '../../ground/errors/app-error.ts'
import { listOf, recordOf, textOf } from './formats/lines.ts'
import { recognise } from './formats/recognise.ts'
import { openRegularFile } from './open-import-file.ts'
import { sourceOfArchive } from './sources/archive.ts'
import { sourceOfFile, sourceOfFolder } from './sources/folder.ts'
import type { Source } from './sources/source.ts'

export type SaidMessage = { role: 'person' | 'agent'; text: string; at: string | undefined }

export type ExportedConversation = {
  agent: 'chatgpt' | 'claude'
  externalId: string
  title: string
  startedAt: string | undefined
  messages: SaidMessage[]
}

/**
 * The conversations in an export of ChatGPT or Claude: a file, a ZIP archive or a folder. Taken from the lines that an
 * import of it as entities would store. Throws `validation_failed` for anything else.
 */
export async function* readConversations(path: string): AsyncGenerator<ExportedConversation> {
  const file = (await stat(path)).isDirectory() ? undefined : await openRegularFile(path)
  try {
    const source = file ? await sourceOfOpenFile(path, file.fd) : await sourceOfFolder(path)
    const found = await recognise(source.files)
    const agent = agentOf(found?.format.format)
    yield* conversationsIn(agent, found!.format.read(found!.parts))
  } finally {
    await file?.close()
  }
}

/** Throws `validation_failed` for formats that hold no conversations. */
export function agentOf(format: ImportFormat | undefined): ExportedConversation['agent'] {
  if (format === 'chatgpt' || format === 'claude') return format
  throw new AppError('validation_failed', 'It holds no conversations of ChatGPT or Claude')
}

async function sourceOfOpenFile(path: string, fd: number): Promise<Source> {
  if (/\.zip$/i.test(path)) return sourceOfArchive(fd)
  return sourceOfFile(fd, { name: path, bytes: (await stat(path)).size, modifiedAt: undefined })
}

/** An entity's line and those with further observations of it follow one another. */
export async function* conversationsIn(
  agent: ExportedConversation['agent'],
  lines: AsyncIterable<string>,
): AsyncGenerator<ExportedConversation> {
  let open: ExportedConversation | undefined
  for await (const text of lines) {
    const line = recordOf(JSON.parse(text))
    if (line.type === 'entity') {
      if (open) yield open
      open = line.entityType === 'conversation' ? conversationOf(agent, line) : undefined
    }
    if (open && (line.type === 'entity' || line.type === 'observations'))
      open.messages.push(...messagesOf(line))
  }
  if (open) yield open
}

function conversationOf(
  agent: ExportedConversation['agent'],
  line: Record<string, unknown>,
): ExportedConversation {
  return {
    agent,
    externalId: textOf(recordOf(line.metadata).conversationId),
    title: textOf(line.name),
    startedAt: textOf(line.createdAt) || undefined,
    messages: [],
  }
}

const speaker = /^(?:User|ChatGPT|Claude): /

/** Summaries have no role. */
function messagesOf({ observations }: Record<string, unknown>): SaidMessage[] {
  return listOf(observations)
    .map(recordOf)
    .flatMap(({ content, createdAt, metadata }) => {
      const { role } = recordOf(metadata)
      if (role !== 'user' && role !== 'assistant') return []
      const text = textOf(content).replace(speaker, '')
      return {
        role: role === 'user' ? ('person' as const) : ('agent' as const),
        text,
        at: textOf(createdAt) || undefined,
      }
    })
}
