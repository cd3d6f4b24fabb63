// Where the Loci of this machine answers hooks (server/src/doors/mcp/answer-hooks.ts listens there), and asking there.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from './agents.mjs'

const answerBytesMax = 4_000_000

/** Of the data directory that a program without variables opens. */
export function socketOf(env, platform = process.platform) {
  const folder = resolve(env.LOCI_DATA_DIR || join(homedir(), '.loci'))
  if (platform !== 'win32') return join(folder, 'hooks.sock')
  return `\\\\.\\pipe\\loci-${createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32)}`
}

/** One line of JSON there, one back. Undefined if no Loci listens. */
export async function ask(question, patienceMs) {
  const socket = connect(socketOf(process.env))
  const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), patienceMs)
  socket.end(`${JSON.stringify(question)}\n`)
  try {
    const answer = parse(await readAnswer(socket))
    if (answer === undefined) throw new Error('Loci did not answer')
    return answer
  } catch (error) {
    // The last: no socket can have so long a name.
    if (['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(error.code)) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function readAnswer(socket) {
  const chunks = []
  for await (const chunk of socket) {
    chunks.push(chunk)
    if (socket.bytesRead > answerBytesMax) throw new Error('Loci answered more than a hook reads')
  }
  return Buffer.concat(chunks).toString()
}
