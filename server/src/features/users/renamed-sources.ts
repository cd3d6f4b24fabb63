import type { CopiedIds } from '../conversations/copy-conversations.ts'

/** Where a fact says which conversation and turn it is from; within a text of a fact its quotes would be escaped. */
const idInSource = /"(conversationId|turnId)":"(\w+)"/g

/** An export whose facts name the copies of the conversations that they are from. */
export async function* withCopiedSources(
  pieces: AsyncIterable<string | Buffer>,
  ids: CopiedIds,
): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece.toString()
    const end = text.lastIndexOf('\n') + 1
    yield renamed(text.slice(0, end), ids)
    rest = text.slice(end)
  }
  yield renamed(rest, ids)
}

const renamed = (text: string, ids: CopiedIds) =>
  text.replace(idInSource, (found, key: string, id: string) => {
    const copy = ids.get(id)
    return copy === undefined ? found : `"${key}":"${copy}"`
  })
