import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes sessions of Claude Code; returns their size. The texts are this repository's own code; a third of the bytes is content of files, as agents read it. */
export function writeSessions(projects: string, bytes: number): number {
  const texts = globSync('server/src/**/*.ts').map((path) => readFileSync(path, 'utf8'))
  mkdirSync(join(projects, 'a'), { recursive: true })
  let written = 0
  for (let session = 0; written < bytes; session++) {
    const lines = Array.from({ length: 120 }, (_, n) =>
      linesOf(session, n, texts[(session + n) % texts.length] ?? ''),
    )
    const text = lines.join('')
    writeFileSync(join(projects, 'a', `s${session}.jsonl`), text)
    written += Buffer.byteLength(text)
  }
  return written
}

function linesOf(session: number, n: number, text: string): string {
  const common = { sessionId: `s${session}`, timestamp: '2026-11-01T10:00:00Z', cwd: '/home/ada/shop' }
  const id = `${session}-${n}`
  const input = { file_path: '/home/ada/shop/a.ts' }
  const content = text.slice(0, 8000)
  const records = [
    { type: 'user', message: { content: `Why does ${text.slice(0, 200)}` } },
    { type: 'assistant', message: { content: [{ type: 'text', text: text.slice(200, 1400) }] } },
    { type: 'assistant', message: { content: [{ type: 'tool_use', id, name: 'Read', input }] } },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
      toolUseResult: { content },
    },
  ]
  return records
    .map((record, index) => `${JSON.stringify({ ...common, uuid: `${id}-${index}`, ...record })}\n`)
    .join('')
}
